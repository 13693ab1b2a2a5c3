// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files of the tests of engine/detection, and what they catch.

#include "kernels/check.h"

#include <QByteArray>
#include <QFile>
#include <QString>

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace scalebench::test {

struct Caught {
    std::string code = "none";
    std::string message;
    bool has(const std::string& part) const { return message.find(part) != std::string::npos; }
};

inline Caught caughtFrom(const std::function<void()>& body)
{
    try {
        body();
    } catch (const Error& e) {
        return {e.code(), e.what()};
    }
    return {};
}

/// What fixtures/make_fixtures.py wrote.
inline QByteArray fixture(const char* name)
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
