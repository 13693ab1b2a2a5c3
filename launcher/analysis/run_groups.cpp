// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/run_groups.h"

#include "base/ordinary_file.h"
#include "base/translated.h"
#include "run/run_series.h"
#include "run/study.h"
#include "run/study_files.h"

#include <QCoreApplication>
#include <QJsonDocument>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

/// "2 workers, bf16": what tells a group from the others of its study.
QString partName(const RunSeries& series, int run, const RunRecord& record)
{
    const int workers = record.config.workers;
    const QString count = workers < 1    ? Launcher::tr("number of workers not known")
                          : workers == 1 ? Launcher::tr("1 worker")
                                         : Launcher::tr("%1 workers").arg(workers);
    const QString difference = series.difference(series.seriesOf(run));
    return difference.isEmpty() ? count : count + u", "_s + difference;
}

QList<RunGroup> partsOf(const QList<RunRecord>& runs)
{
    const RunSeries series(runs);
    QList<RunGroup> groups;
    QList<std::pair<int, int>> keys;
    for (int i = 0; i < runs.size(); ++i) {
        if (series.seriesOf(i) < 0)
            continue;
        const std::pair key{series.seriesOf(i), runs[i].config.workers};
        qsizetype at = keys.indexOf(key);
        if (at < 0) {
            at = keys.size();
            keys << key;
            groups << RunGroup{partName(series, i, runs[i]), {}, {}};
        }
        groups[at].runs << runs[i];
    }
    return groups;
}

} // namespace

QJsonObject systemOf(const QList<RunRecord>& runs)
{
    for (const RunRecord& run : runs)
        if (const Result<QByteArray> bytes = readFileBelow(run.runDir, u"system.json"_s))
            return QJsonDocument::fromJson(bytes.value()).object();
    return {};
}

QList<RunGroup> groupsOf(const QList<RunRecord>& runs, const QMap<QString, QString>& names)
{
    QList<RunGroup> groups;
    QStringList dirs;
    for (const RunRecord& run : runs) {
        const QString dir = studyDirOf(run.runDir);
        qsizetype at = dirs.indexOf(dir);
        if (at < 0) {
            at = dirs.size();
            dirs << dir;
            groups << RunGroup{names.value(dir, run.config.study), {}, {}};
        }
        groups[at].runs << run;
    }
    if (groups.size() == 1)
        groups = partsOf(runs);
    if (groups.size() == 1) {
        groups.clear();
        for (const RunRecord& run : runs)
            groups << RunGroup{run.config.runId, {run}, {}};
    }
    for (RunGroup& group : groups)
        group.system = systemOf(group.runs);
    return groups;
}

LoadedRuns loadRuns(const QStringList& runDirs)
{
    LoadedRuns loaded;
    for (const QString& dir : runDirs) {
        const Result<RunRecord> run = loadRun(dir);
        if (run)
            loaded.runs << run.value();
        else
            loaded.problems << run.failure().message;
    }
    return loaded;
}

} // namespace scalebench
