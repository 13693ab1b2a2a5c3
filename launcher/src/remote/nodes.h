// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The hosts of one run, before and after it: each gets the run's folder, and tells what the launch
// must know; afterwards nothing of the run may be left on it. All hosts at once, one ssh call each.

#include "launcher/machines.h"
#include "launcher/result.h"
#include "launcher/run_record.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace scalebench {

/// An IPv4 address with its subnet and the interface that has it.
struct NodeAddress {
    QString interface;
    QString address;
    int prefix = 0;
    QString subnet() const; ///< "10.77.0.0/24"
};

struct NodeFacts {
    QString host;     ///< as in the machine's list
    QString hostName; ///< as it calls itself
    QString home;
    QString runDir;            ///< absolute, of this run
    QString engine;            ///< folder of the engine, absolute
    QString contentId;         ///< of the bundle there
    bool sharesRunDir = false; ///< ranks there use the supervisor's own folder of this run
    bool runDirIsOurs = false; ///< `runDir` is that folder, seen by this host
    QString reachedAt;         ///< its address that ssh came to
    QList<NodeAddress> addresses;
    qint64 freeBytes = -1;
};

struct NodeRun {
    TargetMachine machine;
    QStringList hosts;
    QString studyId, runId;
    QString localRunDir;
    bool resume = false;
};

/// Creates the run's folder on every host (with run.json, and when resuming with the checkpoint)
/// unless all of them share the supervisor's. Fails with the first host that cannot take part.
Result<QList<NodeFacts>> prepareNodes(const NodeRun& run);

/// The network over which ranks should talk: the machine's, else the subnet in which all hosts were
/// reached. Empty: let Open MPI find one.
Result<QString> chooseNetwork(const TargetMachine& machine, const QList<NodeFacts>& nodes);

/// Whether this computer has an address in that network, or that interface.
bool hasNetworkHere(const QString& network);

/// Ends what is left of the run on every host, collects the ranks' stderr into `localRunDir`, and
/// removes the run's folder there if `removeFolders`. Never fails: what could not be done is said.
/// `newConnections`: a shared connection to a host that may be lost would only hang.
QList<NodeEnd> finishNodes(const TargetMachine& machine, const QStringList& hosts,
                           const QString& nodeDir, const QString& localRunDir, bool removeFolders,
                           bool newConnections = false);

/// `scalebench rsh` (runRshAgent()) is what mpirun calls instead of ssh: it adds the machine's ssh
/// settings, puts the host before each line of ssh's messages, and leaves a mark in the environment
/// that finds the processes again. What it needs in mpirun's environment:
QMap<QString, QString> rshEnvironment(const QString& machineFile, const QString& nodeDir,
                                      const QString& daemonPath);
/// The word that stands for Open MPI's daemon until the agent puts the real path, quoted, in its
/// place.
inline QString daemonPlaceholder()
{
    return QStringLiteral("scalebench-daemon");
}

} // namespace scalebench
