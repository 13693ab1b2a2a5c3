// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What our own engine's stream says beyond MLPerf's records: it is read as a log where only the
// file result_0.txt is there, without its study.

#include "mlperf_line.h"
#include "run/imported_study.h"
#include "study/metrics.h"

#include <QList>
#include <QMap>
#include <QString>

#include <optional>

namespace scalebench::imports {

struct OwnSettings {
    int workers = 0, nodes = 0, threads = 0; ///< 0: not told, as is the next one
    double learningRate = 0;
    double throughput = 0; ///< samples/s of all epochs so far
    QString device, model, precision, computePrecision, data;
    bool oversubscribed = false;
    QMap<QString, QString> options; ///< by path, as they were asked for
    QList<MetricValue> targets;     ///< by our names; "" for the leading metric alone
};

/// Takes what the line says into `own`, which any record of the engine's namespace makes.
void readOwnRecord(const MlperfLine& line, std::optional<OwnSettings>& own);
/// All metrics of an evaluation, by our names.
QList<MetricValue> ownMetrics(const MlperfLine& line);
/// Into the run, all but its targets.
void takeOwnSettings(const OwnSettings& own, ImportedRun& run);

} // namespace scalebench::imports
