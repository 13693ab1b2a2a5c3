// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From what a host answered to the cells of the pre-flight table. No network here.

#include "preflight/bundle_archive.h"
#include "preflight/preflight.h"
#include "preflight/probe.h"
#include "ssh/ssh.h"

#include <QHash>

namespace scalebench {

/// What this computer has, to compare with.
struct OwnSide {
    QString mpiVersion;  ///< of the mpirun that will run here; empty: none runs here
    BundleInfo bundle;   ///< version empty: there is none
    QString bundleError; ///< why the bundle cannot be used
};

struct HostAnswer {
    HostSlots host;
    Failure failure;       ///< of the connection; code empty: it worked
    bool timedOut = false; ///< the whole check was cut off
    QString errors;        ///< ssh's stderr
    ProbeAnswer probe;
    double beginS = 0, endS = 0; ///< around the probe, by the clock to compare with
    QString via;                 ///< the login node that asked; empty: this computer
    QString address;             ///< as the login node resolves the name
    bool withoutSsh = false;     ///< this computer itself
};

/// Collects the cells of one host and puts them into the table's order.
class Cells
{
public:
    using Level = HostCheck::Level;

    Cells(const TargetMachine& machine, const HostAnswer& answer)
        : m_machine(machine), m_answer(answer), m_host(answer.host.name)
    {
    }
    void ok(const QString& test, const QString& text) { put({test, Level::Ok, {}, text, {}, {}}); }
    void skip(const QString& test, const QString& text)
    {
        put({test, Level::Skipped, {}, text, {}, {}});
    }
    void warn(const QString& test, const QString& code, const QString& text, const QString& fix,
              const QString& details = {})
    {
        put({test, Level::Warning, code, text, fix, details});
    }
    void problem(const QString& test, const QString& code, const QString& text, const QString& fix,
                 const QString& details = {})
    {
        put({test, Level::Problem, code, text, fix, details});
    }
    /// Cells without a verdict are skipped with `reason`.
    QList<HostCheck> inOrder(const QString& reason) const;
    bool has(const QString& test) const { return m_cells.contains(test); }

    const TargetMachine& machine() const { return m_machine; }
    const HostAnswer& answer() const { return m_answer; }
    const ProbeAnswer& probe() const { return m_answer.probe; }
    const QString& host() const { return m_host; }

private:
    void put(const HostCheck& check)
    {
        if (!m_cells.contains(check.test)) // the first, worst verdict stays
            m_cells.insert(check.test, check);
    }

    const TargetMachine& m_machine;
    const HostAnswer& m_answer;
    QString m_host;
    QHash<QString, HostCheck> m_cells;
};

/// Everything about one host by itself.
HostReport judgeHost(const TargetMachine& machine, const PreflightOptions& options,
                     const OwnSide& own, const HostAnswer& answer);
/// name, ssh, host_key, login; for hosts behind a login node also peers.
void judgeConnection(Cells& cells);
/// Of a command that gave no answer: ssh got in, but nothing ran.
bool runsNoCommands(const Failure& failure);
Failure shellUnusable(const QString& host, const QString& said);
QString loginScriptFix(const QString& host);
void judgeDisk(Cells& cells);
void judgeGpus(Cells& cells, QJsonObject& facts);
void judgeEngine(Cells& cells, const OwnSide& own, QJsonObject& facts);
void judgeMpi(Cells& cells, const OwnSide& own, QJsonObject& facts);
void judgeSlurm(Cells& cells, QJsonObject& facts);
/// Addresses into the facts; the verdict comes with compareHosts().
void readAddresses(const ProbeAnswer& probe, QJsonObject& facts);

/// What differs between hosts: engine, Open MPI, NCCL, driver, data set, network. Changes the
/// cells concerned and returns the indices of changed reports.
QList<int> compareHosts(const TargetMachine& machine, QList<HostReport>& reports);

/// "1.9 GB" for messages.
QString readableBytes(double bytes);
/// "scalebench machines deploy 'my lab'".
QString deployCommand(const TargetMachine& machine);

} // namespace scalebench
