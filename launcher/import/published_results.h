// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Published results that come with the product: facts with their source, to look at before anything
// was trained and to lay beside own results as "reference only".

#include "base/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace scalebench::imports {

/// One system at one scale. What a source does not tell is nothing.
struct PublishedResult {
    QString figure; ///< what it belongs to, below
    QString round;  ///< "v0.5"; empty: no MLPerf workload
    QString workload, system, accelerator, metric, precision;
    std::optional<int> nodes, gpusPerNode, gpus;
    std::optional<qint64> globalBatch;
    QString target; ///< "0.749"; "0.377|0.339" where two must be reached
    std::optional<double> epochs, minutesPerEpoch, minutes, speedup;
    QString speedupAgainst; ///< "1 GPU same system"
    /// How far its throughput lies from that of speedupAgainst, another shape of as many GPUs; the
    /// source does not say to which side.
    std::optional<double> gapPercent;
    QString source, note;
};

struct PublishedFigure {
    QString id;    ///< "time-to-train"
    QString title; ///< "Time to train from 4 to 128 GPUs"
};
QList<PublishedFigure> publishedFigures();

/// Of a table with these columns. "reference_damaged" names the line.
Result<QList<PublishedResult>> parsePublishedResults(const QByteArray& csv,
                                                     const QString& fileName);
/// Those that are built in.
const QList<PublishedResult>& publishedResults();
/// The sentence that goes with every use of them.
QString publishedNotice();

} // namespace scalebench::imports
