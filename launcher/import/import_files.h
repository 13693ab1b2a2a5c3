// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads files and whole folders of results of other origin: a pure function with progress that can
// be cancelled, so that the command and the window share it. Nothing of what it reads is executed,
// and nothing is written.

#include "collective_table.h"
#include "csv_runs.h"
#include "event_runs.h"
#include "mlperf_log.h"
#include "reference_points.h"
#include "run/imported_study.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace scalebench::imports {

struct ImportOptions {
    int accelerators = 0;                   ///< of the logs that do not say; 0: not given
    int threads = 0;                        ///< 0: one for each processor, 16 at most
    qint64 mostFileBytes = qint64(1) << 30; ///< larger files are passed over
    CsvDialect csv;
    CsvMapping columns;
    EventTags tags;
};

struct ImportProgress {
    int done = 0;
    int total = 0;
    qint64 bytes = 0; ///< read so far
};
/// False ends the import. Called by the caller's thread, about ten times a second.
using ImportProgressFunction = std::function<bool(const ImportProgress&)>;

enum class FileOutcome {
    Converged,    ///< all runs in it reached their target
    NotConverged, ///< it is whole, but a run did not, was aborted or has no end
    Damaged,      ///< something in it cannot be read, or it holds several runs: see the defects
    Reference,    ///< no runs, but points: convergence points, collectives, a chart
    Skipped       ///< it holds no results
};
QString outcomeName(FileOutcome outcome); ///< "not_converged"

struct ImportedFile {
    QString path;
    /// "mlperf_log", "scalebench_log", "tensorboard", "csv", "chart", "rcp", "nccl_tests",
    /// "bench_collectives"; empty when skipped
    QString kind;
    FileOutcome outcome = FileOutcome::Skipped;
    QString reason; ///< why it was skipped
    QList<ImportedRun> runs;
    QList<ReferencePoint> references;           ///< of kind "rcp"
    std::optional<CollectiveTable> collectives; ///< of kind "nccl_tests"
    bool isChart = false; ///< the CSV of a chart, which the library keeps, also where it holds runs
    QList<LogDefect> defects;
    int defectCount = 0;
    int records = 0, doubled = 0;
    qint64 bytes = 0;
    QString sha256;
    /// Whether the library keeps the file itself: of collectives what can be read counts.
    bool isKept() const
    {
        return outcome == FileOutcome::Reference || isChart || collectives.has_value();
    }
};

struct ImportReport {
    QList<ImportedFile> files;  ///< in the order of the paths; of skipped ones see below
    QMap<QString, int> skipped; ///< how many files for each reason
    int converged = 0, notConverged = 0, damaged = 0, references = 0;
    qint64 bytes = 0;
    bool cancelled = false;
    int read() const { return converged + notConverged + damaged + references; }
    int skippedCount() const;
};

ImportReport importFiles(const QStringList& paths, const ImportOptions& options = {},
                         const ImportProgressFunction& progress = {});

/// MLPerf's result of one benchmark on one system, as its result summariser has it: of the runs
/// without the fastest and the slowest (U-Net: four of each) the mean, where those that did not
/// converge count as the slowest and more of them make it void.
struct MlperfScore {
    QString round, submitter, system, benchmark;
    int accelerators = 0, processors = 0;
    int runs = 0, converged = 0;
    double scaling = 1;            ///< of scaling.json, in the minutes
    std::optional<double> minutes; ///< nothing: too few runs or too many that did not converge
};
QList<MlperfScore> mlperfScores(const ImportReport& report);

} // namespace scalebench::imports
