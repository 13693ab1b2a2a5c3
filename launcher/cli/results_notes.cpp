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

void show(const CommandParser& parser, const QString& studyDir, const Annotation& annotation)
{
    if (parser.json())
        printJson(
            QJsonDocument(QJsonObject{{u"study"_s, studyDir},
                                      {u"tags"_s, QJsonArray::fromStringList(annotation.tags)},
                                      {u"note"_s, annotation.note}}));
    else
        out(u"%1: %2%3\n"_s.arg(
            studyDir,
            annotation.tags.isEmpty() ? u"no tags"_s : visibleLine(annotation.tags.join(u", "_s)),
            annotation.note.isEmpty() ? QString() : u'\n' + visibleText(annotation.note)));
}

/// Shows that of a study, after an edit where there is one.
int showAfter(const CommandParser& parser, Library& library, const QString& word,
              const AnnotationEdit& edit)
{
    const Result<QString> dir = library.findStudyDir(word);
    if (!dir)
        return report(dir.failure());
    if (edit) {
        const Result<Annotation> edited = library.annotate(dir.value(), edit);
        if (!edited)
            return report(edited.failure());
        show(parser, dir.value(), edited.value());
        return kOk;
    }
    const Result<Annotations> all = readAnnotations(library.dir());
    if (!all)
        return report(all.failure());
    show(parser, dir.value(), annotationOf(all.value(), library.dir(), dir.value()));
    return kOk;
}

} // namespace

int tagStudy(const CommandParser& parser, Library& library, const QStringList& words)
{
    QList<AnnotationEdit> edits; // in the order of the words
    for (const QString& word : words.mid(1)) {
        if (!word.startsWith(u'+') && !word.startsWith(u'~'))
            return report({u"usage"_s, u"\"%1\" is neither +TAG to add one nor ~TAG to take one "
                                       "away."_s.arg(visibleLine(word))});
        const Result<QStringList> named = parseTags(word.mid(1));
        if (!named)
            return report(named.failure());
        const Annotation tags{named.value(), {}};
        edits << (word.startsWith(u'+') ? editBetween({}, tags) : editBetween(tags, {}));
    }
    return showAfter(
        parser, library, words.value(0),
        edits.isEmpty() ? AnnotationEdit() : [edits](Annotation& kept) {
            for (const AnnotationEdit& edit : edits)
                edit(kept);
        });
}

int noteStudy(const CommandParser& parser, Library& library, const QStringList& words)
{
    return showAfter(
        parser, library, words.value(0),
        words.size() < 2 ? AnnotationEdit() : [words](Annotation& kept) {
            kept.note = words.mid(1).join(u' ').trimmed();
        });
}

} // namespace scalebench::cli
