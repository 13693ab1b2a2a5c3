// SPDX-License-Identifier: GPL-3.0-or-later
#include "results_notes.h"

#include "base/plain_text.h"
#include "library/annotations.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Annotated {
    QString dir;
    Annotation annotation;
};

Result<Annotated> annotatedStudy(Library& library, const QString& word)
{
    const Result<QString> dir = library.findStudyDir(word);
    if (!dir)
        return dir.failure();
    const Result<Annotations> all = readAnnotations(library.dir());
    if (!all)
        return all.failure();
    return Annotated{dir.value(), annotationOf(all.value(), library.dir(), dir.value())};
}

void show(const CommandParser& parser, const Annotated& study)
{
    if (parser.json())
        printJson(QJsonDocument(
            QJsonObject{{u"study"_s, study.dir},
                        {u"tags"_s, QJsonArray::fromStringList(study.annotation.tags)},
                        {u"note"_s, study.annotation.note}}));
    else
        out(u"%1: %2%3\n"_s.arg(
            study.dir,
            study.annotation.tags.isEmpty() ? u"no tags"_s
                                            : visibleLine(study.annotation.tags.join(u", "_s)),
            study.annotation.note.isEmpty() ? QString()
                                            : u'\n' + visibleText(study.annotation.note)));
}

int change(const CommandParser& parser, Library& library, const Annotated& study)
{
    if (const Result<void> done = library.annotate(study.dir, study.annotation); !done)
        return report(done.failure());
    show(parser, study);
    return kOk;
}

} // namespace

int tagStudy(const CommandParser& parser, Library& library, const QStringList& words)
{
    Result<Annotated> study = annotatedStudy(library, words.value(0));
    if (!study)
        return report(study.failure());
    if (words.size() < 2) {
        show(parser, study.value());
        return kOk;
    }
    QStringList tags = study.value().annotation.tags;
    for (const QString& word : words.mid(1)) {
        if (!word.startsWith(u'+') && !word.startsWith(u'~'))
            return report({u"usage"_s, u"\"%1\" is neither +TAG to add one nor ~TAG to take one "
                                       "away."_s.arg(visibleLine(word))});
        const Result<QStringList> named = parseTags(word.mid(1));
        if (!named)
            return report(named.failure());
        for (const QString& tag : named.value()) {
            tags.removeIf([&tag](const QString& known) {
                return known.compare(tag, Qt::CaseInsensitive) == 0;
            });
            if (word.startsWith(u'+'))
                tags << tag;
        }
    }
    const Result<QStringList> sorted = parseTags(tags.join(u','));
    if (!sorted)
        return report(sorted.failure());
    study.value().annotation.tags = sorted.value();
    return change(parser, library, study.value());
}

int noteStudy(const CommandParser& parser, Library& library, const QStringList& words)
{
    Result<Annotated> study = annotatedStudy(library, words.value(0));
    if (!study)
        return report(study.failure());
    if (words.size() < 2) {
        show(parser, study.value());
        return kOk;
    }
    study.value().annotation.note = words.mid(1).join(u' ').trimmed();
    return change(parser, library, study.value());
}

} // namespace scalebench::cli
