// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pre-flight of a target machine: every host at once, each with a time limit, as a table host ×
// test with a fix for everything that is wrong.

#include "base/result.h"
#include "base/translated.h"
#include "machine/machines.h"

#include <QJsonObject>
#include <QObject>

#include <memory>

namespace scalebench {

/// One cell of the table.
struct HostCheck {
    enum class Level { Ok, Warning, Problem, Skipped };
    QString test; ///< stable id, see preflightTests()
    Level level = Level::Ok;
    QString code;    ///< stable failure code ("host_key_unknown"); empty when Ok
    QString text;    ///< what was found: "Open MPI 4.1.4 (bundle)"
    QString fix;     ///< what to do; empty when Ok
    QString details; ///< raw text of ssh and others
};

struct HostReport {
    QString host;
    QList<HostCheck> checks; ///< in the order of preflightTests()
    double seconds = 0;
    QJsonObject facts; ///< cores, gpus, memory, home, addresses …
    bool ok() const;   ///< something was looked at, and no Problem found
};

/// "ok", "warning", "problem", "skipped".
QString checkLevelName(HostCheck::Level level);
/// Ids in table order: name ssh host_key login path mpi engine gpus slots data disk shm clock
/// peers interface busy (Slurm: also slurm).
QStringList preflightTests();
QString preflightTestTitle(const QString& test); ///< for people, translated
CheckSummary summaryOf(const QList<HostReport>& reports, qint64 whenMs);

/// Name of a machine that stands for hosts given on the command line; fixes then do not name it.
inline QString unsavedMachineName()
{
    return Launcher::tr("given hosts");
}

struct PreflightOptions {
    int hostTimeoutS = 15; ///< for one host's login and probe
    QString dataSource;    ///< files the study needs; empty: not checked
    bool remember = true;  ///< keep what was found for planning (rememberFacts)
    bool allHosts = true;  ///< of the machine: what it comes to is kept too
};

/// Runs asynchronously on the caller's event loop; destroying it ends its ssh processes.
class Preflight : public QObject
{
    Q_OBJECT
public:
    explicit Preflight(const TargetMachine& machine, PreflightOptions options = {},
                       QObject* parent = nullptr);
    ~Preflight() override;

    void start();
    /// One per host in the machine's order, filled as they come; with Login the login node first,
    /// with Slurm that one alone.
    const QList<HostReport>& reports() const;
    bool finishedOk() const; ///< all done, no Problem

Q_SIGNALS:
    void hostDone(int index);
    void finished();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// The table as one JSON object (`scalebench machines check --json`).
QJsonObject preflightJson(const TargetMachine& machine, const QList<HostReport>& reports);

} // namespace scalebench
