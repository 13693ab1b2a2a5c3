// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a fuzzed parser says what must hold, and promises that several of them make.

#include "base/result.h"
#include "kernels/check.h"

#include <QByteArray>
#include <QFile>
#include <QString>

#include <cstdio>
#include <cstdlib>

namespace scalebench::fuzz {

inline void holds(bool promise, const char* what)
{
    if (promise)
        return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

inline bool hasControl(const QString& text)
{
    for (const QChar c : text)
        if (c.category() == QChar::Other_Control && c != u'\n' && c != u'\t')
            return true;
    return false;
}

/// May be put into a path and a command line without a thought.
inline bool isHarmlessName(const QString& text)
{
    return !text.isEmpty() && !text.contains(u'/') && !text.contains(u'\n') &&
           !text.contains(u'\'') && !text.startsWith(u'.') && !text.startsWith(u'-');
}

inline bool isOneSentence(const Failure& failure)
{
    return !failure.code.isEmpty() && !failure.message.isEmpty() && !hasControl(failure.message);
}

/// The engine's readers throw one sentence with a code, and nothing else.
template <typename Body>
void refusesInOneSentence(const Body& body)
{
    try {
        body();
    } catch (const scalebench::Error& e) {
        const QString text = QString::fromUtf8(e.what());
        holds(!e.code().empty() && !text.isEmpty() && text.size() < 4000, "one sentence");
    }
}

inline bool writeTo(const QString& path, const QByteArray& content)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
}

/// The first line, which says how the rest is read, and the rest.
struct Kinded {
    QByteArray kind, rest;
    explicit Kinded(const QByteArray& input)
    {
        const qsizetype end = input.indexOf('\n');
        kind = input.left(end);
        rest = end < 0 ? QByteArray() : input.mid(end + 1);
    }
};

} // namespace scalebench::fuzz
