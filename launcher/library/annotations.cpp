// SPDX-License-Identifier: GPL-3.0-or-later
#include "library/annotations.h"

#include "base/file_io.h"
#include "base/file_lock.h"
#include "base/json_fields.h"
#include "base/plain_text.h"
#include "base/translated.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static const QString kFile = u"annotations.json"_s;
static constexpr int kMostStudies = 100'000;
static constexpr int kWaitForOthersMs = 5000;

static QString keyOf(const QString& libraryDir, const QString& studyDir)
{
    const QString dir = QDir::cleanPath(QFileInfo(studyDir).absoluteFilePath());
    const QString inside = QDir::cleanPath(libraryDir) + u'/';
    return dir.startsWith(inside) ? dir.mid(inside.size()) : dir;
}

Result<QStringList> parseTags(const QString& text)
{
    QStringList tags;
    for (const QString& part : text.split(u',')) {
        const QString tag = part.trimmed();
        if (tag.isEmpty() || tags.contains(tag, Qt::CaseInsensitive))
            continue;
        if (tag.size() > kLongestTag || visibleLine(tag) != tag)
            return Failure{
                u"tag_refused"_s,
                Launcher::tr("The tag \"%1\" is longer than %2 characters or holds a control "
                             "character.")
                    .arg(visibleLine(tag.left(60)))
                    .arg(kLongestTag)};
        tags << tag;
    }
    if (tags.size() > kMostTags)
        return Failure{u"tag_refused"_s, Launcher::tr("A study has at most %1 tags; these are %2.")
                                             .arg(kMostTags)
                                             .arg(tags.size())};
    tags.sort(Qt::CaseInsensitive);
    return tags;
}

static Result<Annotation> parseOne(const QJsonObject& object, const QString& fileName,
                                   const QString& study)
{
    JsonFields f(object, fileName, u"studies."_s + visibleLine(study));
    f.allowOnly({u"tags"_s, u"note"_s});
    const QStringList tags = f.textList(u"tags"_s, {});
    Annotation one;
    one.note = f.text(u"note"_s, {});
    if (one.note.size() > kLongestNote)
        f.fail(u"out_of_range"_s,
               Launcher::tr("%1: the note of \"%2\" is longer than %3 characters.")
                   .arg(fileName, visibleLine(study), QString::number(kLongestNote)));
    const Result<QStringList> checked = parseTags(tags.join(u','));
    if (!checked)
        f.fail(u"out_of_range"_s, u"%1: %2"_s.arg(fileName, checked.failure().message));
    if (f.failed())
        return f.failure();
    one.tags = checked.value();
    return one;
}

Result<Annotations> parseAnnotations(const QByteArray& json, const QString& fileName)
{
    const Result<QJsonObject> parsed = parseJsonObject(json, fileName);
    if (!parsed)
        return parsed.failure();
    JsonFields f(parsed.value(), fileName);
    f.checkFormat(u"scalebench.annotations"_s, 1);
    const QJsonObject studies = f.child(u"studies"_s);
    if (studies.size() > kMostStudies)
        f.fail(u"out_of_range"_s,
               Launcher::tr("%1 has more than %2 studies.").arg(fileName).arg(kMostStudies));
    if (f.failed())
        return f.failure();
    Annotations all;
    for (auto it = studies.begin(); it != studies.end(); ++it) {
        if (!it.value().isObject())
            return Failure{u"wrong_type"_s,
                           Launcher::tr("%1: \"studies.%2\" must be an object, found %3.")
                               .arg(fileName, visibleLine(it.key()), describeJson(it.value()))};
        const Result<Annotation> one = parseOne(it.value().toObject(), fileName, it.key());
        if (!one)
            return one.failure();
        all.insert(it.key(), one.value());
    }
    return all;
}

Result<Annotations> readAnnotations(const QString& libraryDir)
{
    const Result<QByteArray> bytes = readFileBelow(libraryDir, kFile);
    if (!bytes)
        return bytes.failure().code == "not_found"_L1 ? Result<Annotations>(Annotations())
                                                      : bytes.failure();
    return parseAnnotations(bytes.value(), libraryDir + u'/' + kFile);
}

Annotation annotationOf(const Annotations& all, const QString& libraryDir, const QString& studyDir)
{
    return all.value(keyOf(libraryDir, studyDir));
}

AnnotationEdit editBetween(const Annotation& before, const Annotation& wanted)
{
    QStringList gone = before.tags, added = wanted.tags;
    gone.removeIf([&](const QString& tag) { return wanted.tags.contains(tag); });
    added.removeIf([&](const QString& tag) { return before.tags.contains(tag); });
    return [=](Annotation& kept) {
        kept.tags.removeIf([&](const QString& tag) {
            return (gone + added).contains(tag, Qt::CaseInsensitive); // as it is written now
        });
        kept.tags += added;
        if (wanted.note != before.note)
            kept.note = wanted.note;
    };
}

static Result<void> write(const QString& libraryDir, const Annotations& all)
{
    QJsonObject studies;
    for (auto it = all.begin(); it != all.end(); ++it)
        studies.insert(it.key(), QJsonObject{{u"tags"_s, QJsonArray::fromStringList(it->tags)},
                                             {u"note"_s, it->note}});
    return writeJsonAtomically(
        libraryDir + u'/' + kFile,
        {{u"format"_s, u"scalebench.annotations"_s}, {u"version"_s, 1}, {u"studies"_s, studies}});
}

Result<Annotation> annotate(const QString& libraryDir, const QString& studyDir,
                            const AnnotationEdit& edit)
{
    FileLock lock;
    const Result<void> locked = lock.take(libraryDir + u"/annotations.lock"_s, kWaitForOthersMs);
    if (!locked && locked.failure().code == "locked"_L1)
        return Failure{
            u"library_busy"_s,
            Launcher::tr("Another program writes the notes of %1. Try again.").arg(libraryDir)};
    if (!locked)
        return locked.failure();
    Result<Annotations> all = readAnnotations(libraryDir);
    if (!all)
        return all.failure();
    Annotation one = annotationOf(all.value(), libraryDir, studyDir);
    edit(one);
    const Result<QStringList> tags = parseTags(one.tags.join(u','));
    if (!tags)
        return tags.failure();
    one.tags = tags.value();
    if (one.note.size() > kLongestNote)
        return Failure{u"out_of_range"_s,
                       Launcher::tr("A note has at most %1 characters; this one has %2.")
                           .arg(kLongestNote)
                           .arg(one.note.size())};
    if (one.isEmpty())
        all.value().remove(keyOf(libraryDir, studyDir));
    else
        all.value().insert(keyOf(libraryDir, studyDir), one);
    if (const Result<void> written = write(libraryDir, all.value()); !written)
        return written.failure();
    return one;
}

} // namespace scalebench
