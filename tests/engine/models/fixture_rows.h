// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Numbers that another implementation computed, as text: a name and its values on each line.

#include <QByteArray>
#include <QFile>
#include <QString>

#include <map>
#include <vector>

namespace scalebench::tests {

using FixtureRows = std::map<QByteArray, std::vector<float>>;

/// Of tests/engine/models/fixtures.
inline FixtureRows readFixture(const char* name)
{
    QFile file(QStringLiteral(SB_SOURCE_DIR "/tests/engine/models/fixtures/") +
               QString::fromLatin1(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no fixture");
    FixtureRows rows;
    for (const QByteArray& line : file.readAll().split('\n')) {
        QByteArrayList fields = line.split(' ');
        const QByteArray key = fields.takeFirst();
        for (const QByteArray& field : fields)
            rows[key].push_back(field.toFloat());
    }
    return rows;
}

} // namespace scalebench::tests
