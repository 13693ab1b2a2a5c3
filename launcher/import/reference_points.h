// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// MLPerf's reference convergence points: how many epochs the reference needed with a batch size,
// over many runs. File rcps_<benchmark>.json of the public result checkers.

#include "base/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace scalebench::imports {

struct ReferencePoint {
    QString name; ///< "resnet_ref_3264"
    QString benchmark, creator, precision;
    qint64 globalBatch = 0;
    QString unit;         ///< "epochs" or "samples"
    QList<double> values; ///< of each run
    /// Without the best and the worst, as MLPerf compares.
    double mean() const;
    double deviation() const; ///< of all values, n - 1
};

/// Every record of the file; "rcp_damaged" names the first that cannot be read.
Result<QList<ReferencePoint>> parseReferencePoints(const QByteArray& json, const QString& fileName);
/// Whether it looks like such a file.
bool isReferenceFile(const QByteArray& json);

} // namespace scalebench::imports
