// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What nccl-tests measured: times and bandwidths of one collective by message size, from its
// printed table (all versions: the columns are found by their header) or its JSON file.

#include "base/result.h"
#include "mlperf_log.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace scalebench::imports {

struct CollectiveTime {
    double microseconds = 0;
    double algorithmGBs = 0, busGBs = 0;
    std::optional<double> wrong; ///< elements; nothing: not checked
    bool isWrong() const { return wrong.value_or(0) > 0; }
};

struct CollectiveRow {
    qint64 bytes = 0, count = 0;
    QString type, operation; ///< "float", "sum"
    std::optional<CollectiveTime> outOfPlace, inPlace;
};

struct CollectiveTable {
    QString collective; ///< "all_reduce"; empty where nothing names it
    QString device;     ///< of rank 0
    int ranks = 0, hosts = 0;
    QString ncclVersion;
    QList<CollectiveRow> rows;
    std::optional<double> averageBusGBs; ///< as printed
    QList<LogDefect> defects;
    int defectCount = 0;
};

/// Whether the beginning of a file looks like either.
bool isCollectiveTable(const QByteArray& head);
/// "nccl_damaged" where no row can be read. 100,000 rows at most.
Result<CollectiveTable> parseCollectiveTable(const QByteArray& bytes, const QString& fileName);

} // namespace scalebench::imports
