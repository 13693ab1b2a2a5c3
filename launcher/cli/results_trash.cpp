// SPDX-License-Identifier: GPL-3.0-or-later
#include "results_trash.h"

#include "library/trash.h"
#include "text_table.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

int listTrash(const CommandParser& parser, const Library& library)
{
    const QList<TrashedStudy> studies = trashedStudies(library);
    if (parser.json()) {
        QJsonArray list;
        for (const TrashedStudy& study : studies)
            list << QJsonObject{
                {u"id"_s, study.id}, {u"name"_s, study.title}, {u"trashed_ms"_s, study.trashedMs}};
        printJson(QJsonDocument(list));
        return kOk;
    }
    if (studies.isEmpty()) {
        out(u"The trash of %1 is empty.\n"_s.arg(library.dir()));
        return kOk;
    }
    TextTable table({u"study"_s, u"put away"_s, u"name"_s}, 3);
    for (const TrashedStudy& study : studies)
        table.add({study.id,
                   QDateTime::fromMSecsSinceEpoch(study.trashedMs).toString(u"yyyy-MM-dd HH:mm"_s),
                   study.title});
    out(table.text());
    return kOk;
}

} // namespace

int trashStudies(const CommandParser& parser, Library& library, const QStringList& words)
{
    if (words.isEmpty())
        return listTrash(parser, library);
    for (const QString& word : words) {
        const Result<QString> dir = library.findStudyDir(word);
        if (!dir)
            return report(dir.failure());
        const Result<TrashedStudy> study = moveToTrash(library, dir.value());
        if (!study)
            return report(study.failure());
        out(u"%1 is in the trash. \"scalebench results restore %1\" takes it back.\n"_s.arg(
            study.value().id));
    }
    return kOk;
}

int restoreStudies(const CommandParser&, const Library& library, const QStringList& words)
{
    if (words.isEmpty())
        return report({u"usage"_s, u"results restore needs a study. \"scalebench results trash\" "
                                   "lists what is in the trash."_s});
    for (const QString& word : words) {
        const Result<QString> dir = restoreFromTrash(library, word);
        if (!dir)
            return report(dir.failure());
        out(u"%1 is back.\n"_s.arg(dir.value()));
    }
    return kOk;
}

int emptyTheTrash(const CommandParser&, const Library& library, bool sure)
{
    const auto count = trashedStudies(library).size();
    if (!sure && count > 0)
        return report({u"usage"_s, u"%1 would be deleted for good. Add --yes."_s.arg(
                                       counted(count, u"study"_s, u"studies"_s))});
    const Result<int> deleted = emptyTrash(library);
    if (!deleted)
        return report(deleted.failure());
    out(u"Deleted %1.\n"_s.arg(counted(deleted.value(), u"study"_s, u"studies"_s)));
    return kOk;
}

} // namespace scalebench::cli
