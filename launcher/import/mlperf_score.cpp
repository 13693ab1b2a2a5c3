// SPDX-License-Identifier: GPL-3.0-or-later
// MLPerf's olympic mean over the runs of one benchmark on one system.
#include "import_files.h"

#include <QMap>
#include <QStringList>

#include <algorithm>
#include <numeric>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

double mean(const QList<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

struct Group {
    MlperfScore score;
    QList<ImportedRun> runs;
};

/// v0.5's NCF: 100 runs, of which the first 50 that converge count.
QList<ImportedRun> counted(const Group& group)
{
    QList<ImportedRun> runs = group.runs;
    if (group.score.round != "v0.5"_L1 || group.score.benchmark != "ncf"_L1)
        return runs;
    runs.removeIf([](const ImportedRun& run) { return !run.converged; });
    std::sort(runs.begin(), runs.end(),
              [](const ImportedRun& a, const ImportedRun& b) { return a.startMs < b.startMs; });
    return runs.mid(0, 50);
}

std::optional<double> scoreOf(const Group& group)
{
    QList<double> minutes;
    const QList<ImportedRun> runs = counted(group);
    for (const ImportedRun& run : runs)
        if (run.converged && run.minutes())
            minutes << *run.minutes();
    const qsizetype failed = runs.size() - minutes.size();
    if (runs.size() < 3 || failed > 1)
        return {};
    std::sort(minutes.begin(), minutes.end());
    return mean(minutes.mid(1, minutes.size() - (failed == 0 ? 2 : 1)));
}

} // namespace

QList<MlperfScore> mlperfScores(const ImportReport& report)
{
    QMap<QStringList, Group> groups;
    for (const ImportedFile& file : report.files) {
        if (file.kind != "mlperf_log"_L1)
            continue;
        // Where no submission tells the system, the folder does.
        const QString folder = file.path.section(u'/', 0, -2);
        for (const ImportedRun& run : file.runs) {
            Group& group = groups[{run.round, run.submitter, run.system, run.benchmark, folder}];
            group.score.round = run.round;
            group.score.submitter = run.submitter;
            group.score.system = run.system;
            group.score.benchmark = run.benchmark;
            group.score.accelerators = run.accelerators;
            group.score.processors = run.processors;
            ++group.score.runs;
            group.score.converged += run.converged ? 1 : 0;
            group.runs << run;
        }
    }
    QList<MlperfScore> scores;
    for (Group& group : groups) {
        group.score.minutes = scoreOf(group);
        scores << group.score;
    }
    return scores;
}

} // namespace scalebench::imports
