// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files of the tests of engine/detection.

#include "support/caught.h"

#include <QByteArray>
#include <QFile>
#include <QString>

#include <cstdint>
#include <span>
#include <string>

namespace scalebench::test {

/// What fixtures/make_fixtures.py wrote.
inline QByteArray annotationFixture(const char* name)
{
    QFile file(QStringLiteral(SB_SOURCE_DIR "/tests/engine/detection/fixtures/") +
               QString::fromLatin1(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no fixture %s", name);
    return file.readAll();
}

inline std::span<const uint8_t> bytesOf(const QByteArray& text)
{
    return {reinterpret_cast<const uint8_t*>(text.constData()), size_t(text.size())};
}

} // namespace scalebench::test
