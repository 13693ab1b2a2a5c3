// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Slurm's own programs (sbatch, squeue, scontrol, scancel) with a limit: without a controller they
// try for a minute before they give up.

#include "base/result.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace scalebench {

constexpr int kSlurmMs = 10'000;

struct SlurmAnswer {
    bool started = false;
    bool timedOut = false;
    int exitCode = -1;
    QString output; ///< stdout, trimmed
    QString errors; ///< stderr, trimmed
    bool ok() const { return started && !timedOut && exitCode == 0; }
};

/// Runs one and waits for it, kSlurmMs at most.
SlurmAnswer askSlurm(const QString& program, const QStringList& arguments);

/// One that is asked without waiting. Destroying it kills the program.
class SlurmCall
{
public:
    ~SlurmCall();
    void start(const QString& program, const QStringList& arguments);
    bool isBusy() const { return m_process != nullptr; }
    /// The answer once it is there; never waits.
    std::optional<SlurmAnswer> take();

private:
    std::unique_ptr<QProcess> m_process;
    QElapsedTimer m_clock;
};

} // namespace scalebench
