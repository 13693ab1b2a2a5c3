// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checkpoints as the launcher sees them (engine/core/checkpoint.h), with arbitrary arrays.

#include <QByteArray>
#include <QFile>
#include <QtEndian>

namespace scalebench::test {

inline quint32 crc32Of(const QByteArray& bytes)
{
    quint32 crc = ~0u;
    for (const char c : bytes) {
        crc ^= quint8(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc & 1 ? 0xEDB88320u ^ crc >> 1 : crc >> 1;
    }
    return ~crc;
}

/// After `step` steps and `epochs` epochs, with `arrays` (a multiple of four bytes) behind the
/// header.
inline QByteArray checkpointBytes(int step, int epochs, qint64 streamBytes,
                                  const QByteArray& arrays = QByteArray(64, 'w'))
{
    const QByteArray header =
        "{\"arrays\":[{\"count\":" + QByteArray::number(arrays.size() / 4) +
        ",\"crc32\":" + QByteArray::number(crc32Of(arrays)) +
        "}],\"epoch\":" + QByteArray::number(epochs + 1) + ",\"step\":" + QByteArray::number(step) +
        ",\"stream\":{\"bytes\":" + QByteArray::number(streamBytes) + ",\"records\":1}}";
    QByteArray length(8, Qt::Uninitialized), crc(4, Qt::Uninitialized);
    qToLittleEndian<quint64>(quint64(header.size()), length.data());
    qToLittleEndian<quint32>(crc32Of(header), crc.data());
    return "SBCKPT1\n" + length + header + crc + arrays;
}

/// As the engine does it: written aside, the last one kept.
inline void writeCheckpoint(const QString& folder, const QByteArray& bytes)
{
    const QString writing = folder + QStringLiteral("/writing.sbckpt");
    const QString latest = folder + QStringLiteral("/latest.sbckpt");
    const QString previous = folder + QStringLiteral("/previous.sbckpt");
    QFile file(writing);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("%s", qPrintable(writing));
    file.close();
    ::rename(qPrintable(latest), qPrintable(previous));
    ::rename(qPrintable(writing), qPrintable(latest));
}

} // namespace scalebench::test
