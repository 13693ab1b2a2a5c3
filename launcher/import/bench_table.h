// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What benchmarks measured beside training: bandwidths of collectives by message size, from
// `scalebench bench allreduce|alltoall` (--json, --csv) and nccl-tests, and rates of storage, from
// `scalebench bench storage`.

#include "base/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace scalebench::imports {

struct CollectivePoint {
    double bytes = 0;
    double algorithmGBs = 0, busGBs = 0;
    bool isWrong = false; ///< the result was; the bandwidth counts for nothing
};

/// One line of a chart over message sizes.
struct CollectiveCurve {
    QString collective; ///< "allreduce", "all_reduce"; empty: the file does not say
    QString what;       ///< "2 workers, shm", "8 ranks, NVIDIA H100"
    QString device;     ///< of rank 0, where all ranks are on one host; else empty
    bool inPlace = false;
    bool isLimit = false; ///< how fast workers copy from each other's memory: more is not possible
    QList<CollectivePoint> points; ///< ascending bytes
};
/// Codes "bench_damaged", "nccl_damaged", those of csv_table.h.
Result<QList<CollectiveCurve>> readCollectives(const QByteArray& bytes, const QString& fileName);

struct StorageRate {
    QString pattern; ///< "sequential read"
    QString method;  ///< "O_DIRECT"
    double gbPerS = 0;
};
/// Codes "bench_damaged", those of csv_table.h.
Result<QList<StorageRate>> readStorageRates(const QByteArray& bytes, const QString& fileName);

} // namespace scalebench::imports
