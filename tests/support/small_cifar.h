// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pictures in CIFAR-10's binary format: a label and 3 planes of 32 x 32, the colour telling the
// class.

#include <QByteArray>
#include <QFile>
#include <QString>

namespace scalebench::test {

/// `truncateBy`: so many bytes are missing at the end.
inline void writeCifar(const QString& path, int count, int truncateBy = 0)
{
    QByteArray bytes;
    for (int i = 0; i < count; ++i) {
        const int label = i % 10;
        bytes += char(label);
        for (int plane = 0; plane < 3; ++plane)
            bytes += QByteArray(1024, char(25 * label + 7 * plane + i % 5));
    }
    bytes.chop(truncateBy);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("%s could not be written", qPrintable(path));
}

} // namespace scalebench::test
