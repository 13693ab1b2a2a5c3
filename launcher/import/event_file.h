// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Scalars of a TensorBoard event file: records of TFRecord (length, masked CRC-32C, data, CRC),
// each a protobuf message Event, of which only what a scalar needs is decoded, with every length
// checked.

#include "base/result.h"
#include "mlperf_log.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <QMap>
#include <QString>

#include <cstdint>

namespace scalebench::imports {

struct ScalarPoint {
    qint64 step = 0;
    double timeMs = 0; ///< since 1970
    double value = 0;
};

struct EventFile {
    QMap<QString, QList<ScalarPoint>> scalars; ///< by tag, in the order of the file
    int records = 0;
    QList<LogDefect> defects; ///< `line` is the number of the record; the first 100
    int defectCount = 0;
};

/// Castagnoli's CRC, and TFRecord's mask over it.
std::uint32_t crc32c(QByteArrayView bytes);
std::uint32_t maskedCrc32c(QByteArrayView bytes);

/// Records whose checksum is wrong are left out and named; a file that ends inside a record gives
/// what stands before. "event_damaged" when not even the first record is one.
Result<EventFile> parseEventFile(const QByteArray& bytes, const QString& fileName);

} // namespace scalebench::imports
