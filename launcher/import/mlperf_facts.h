// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What MLPerf's rules say about a benchmark and its logs do not: names, quality targets by round,
// what a batch size counts. Source: the training policies and result checkers of MLCommons, rounds
// v0.5 to v5.1.

#include "study/metrics.h"

#include <QList>
#include <QString>

#include <optional>

namespace scalebench::imports {

/// The rounds known here, ascending: "v0.5" … "v5.1".
QList<QString> mlperfRounds();
/// The round whose name is in a path: a folder "training_results_v2.0" or "v0.5.0", or a file name
/// "v2.0_…"; empty without one.
QString roundInPath(const QString& path);
/// The round that was open on that day: later than the results of the round before, not later than
/// its own. Logs from v0.7 on name no round. Empty before v0.5; the newest after it.
QString roundAt(double timeMs);

struct BenchmarkFacts {
    QString title;    ///< "ResNet-50"
    QString workload; ///< our workload; empty: none
    QString metric;   ///< its leading metric in our names
    MetricUnit unit = MetricUnit::Share;
    /// Values to be reached, by the names of the log's values ("" where it has just one). Empty:
    /// not known, or a smaller value is the better one, so only the log's own verdict counts.
    QList<MetricValue> targets;
};
/// Of a benchmark as its log names it, in a round. `globalBatch` 0: not known.
BenchmarkFacts benchmarkFacts(const QString& benchmark, const QString& round, qint64 globalBatch);
/// One name for the spellings of folders and logs: "mask" is "maskrcnn".
QString canonicalBenchmark(const QString& name);

/// Whether v0.5's `input_batch_size` counts what one accelerator gets: not of gnmt and ncf, and not
/// where that many do not fit into one.
bool isBatchPerAccelerator(const QString& benchmark, qint64 inputBatchSize);
/// Accelerators of a node whose name says it ("NVIDIA DGX A100", "XE8545x4A100-SXM-80GB"); 0: no.
int acceleratorsInName(const QString& platform);
/// "48" of "48xNVIDIA DGX A100"; 1 where it names none.
int nodesInName(const QString& platform);

} // namespace scalebench::imports
