// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A short question to another program: its version, what it finds. Waits for the answer, and for no
// longer than told; then nothing of the program is left, nor of what it had started.

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace scalebench {

struct ProgramAnswer {
    bool started = false;
    bool timedOut = false;
    bool crashed = false;
    int exitCode = -1; ///< of one that crashed the signal; -1: it did not end by itself
    QByteArray out, err;
    QString error; ///< why it did not start

    int timeoutMs = 0;

    bool succeeded() const { return started && !timedOut && !crashed && exitCode == 0; }
    /// Why the answer is of no use: in the program's own last words where it has any.
    QString fault() const;
};

/// In a session of its own, so that it asks nothing in our terminal, with an empty standard input.
ProgramAnswer askProgram(const QString& program, const QStringList& arguments, int timeoutMs);

} // namespace scalebench
