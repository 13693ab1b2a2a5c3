// SPDX-License-Identifier: GPL-3.0-or-later
// MLPerf's olympic mean over the runs of one benchmark on one system.
#include "base/file_io.h"
#include "base/json_fields.h"
#include "import_files.h"

#include <QJsonObject>
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
    QString folder;
    QList<ImportedRun> runs; ///< of a file that MLPerf's reader refuses none converged
};

bool isResultFile(const QString& path)
{
    const QString name = path.section(u'/', -1);
    return name.startsWith("result_"_L1) && name.endsWith(".txt"_L1);
}

/// Where there are result files, other logs of the runs do not count once more. Of v0.5's NCF, 100
/// runs, the first 50 that converge count.
QList<ImportedRun> counted(const Group& group)
{
    QList<ImportedRun> runs = group.runs;
    if (std::any_of(runs.begin(), runs.end(),
                    [](const ImportedRun& run) { return isResultFile(run.source.path); }))
        runs.removeIf([](const ImportedRun& run) { return !isResultFile(run.source.path); });
    if (group.score.round != "v0.5"_L1 || group.score.benchmark != "ncf"_L1)
        return runs;
    runs.removeIf([](const ImportedRun& run) { return !run.converged; });
    std::sort(runs.begin(), runs.end(),
              [](const ImportedRun& a, const ImportedRun& b) { return a.startMs < b.startMs; });
    return runs.mid(0, 50);
}

/// U-Net's 40 runs spread so far that four at either end are left out.
qsizetype leftOut(const QString& benchmark)
{
    return benchmark == "unet3d"_L1 ? 4 : 1;
}

/// Fastest and slowest left out; those that did not converge are the slowest. `empty`: result files
/// without a record.
std::optional<double> scoreOf(const QList<ImportedRun>& runs, const QString& benchmark,
                              qsizetype empty)
{
    QList<double> minutes;
    for (const ImportedRun& run : runs)
        if (run.converged && run.minutes())
            minutes << *run.minutes();
    const qsizetype failed = runs.size() + empty - minutes.size(), out = leftOut(benchmark);
    const qsizetype counting = minutes.size() - out - (out - failed);
    if (failed > out || counting < 1)
        return {};
    std::sort(minutes.begin(), minutes.end());
    return mean(minutes.mid(out, counting));
}

/// What MLPerf's reviewers multiply a folder's score by, where it converged in fewer epochs than
/// the reference: scaling.json.
double scalingOf(const QString& folder)
{
    const Result<QByteArray> bytes = readFile(folder + u"/scaling.json"_s, 64 << 10);
    const auto json =
        bytes ? parseJsonObject(bytes.value(), folder) : Result<QJsonObject>(Failure{});
    const double factor = json ? json.value().value("scaling_factor"_L1).toDouble() : 0;
    return factor > 0 && factor < 1000 ? factor : 1;
}

} // namespace

QList<MlperfScore> mlperfScores(const ImportReport& report)
{
    QMap<QStringList, Group> groups;
    QMap<QString, int> empty; // by folder
    for (const ImportedFile& file : report.files) {
        if (file.outcome == FileOutcome::Skipped && isResultFile(file.path))
            ++empty[file.path.section(u'/', 0, -2)];
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
            group.folder = folder;
            group.runs << run;
            // MLPerf's own reader refuses the whole file.
            if (file.outcome == FileOutcome::Damaged)
                group.runs.last().converged = false;
        }
    }
    QList<MlperfScore> scores;
    for (Group& group : groups) {
        const QList<ImportedRun> runs = counted(group);
        MlperfScore& score = group.score;
        const int without = empty.value(group.folder);
        score.runs = int(runs.size()) + without;
        score.converged = int(std::count_if(runs.begin(), runs.end(),
                                            [](const ImportedRun& run) { return run.converged; }));
        score.scaling = scalingOf(group.folder);
        score.minutes = scoreOf(runs, score.benchmark, without);
        if (score.minutes)
            *score.minutes *= score.scaling;
        scores << score;
    }
    return scores;
}

} // namespace scalebench::imports
