// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The hosts of one run, before and after it: each gets the run's folder, and tells what the launch
// must know; afterwards nothing of the run may be left on it. All hosts at once, one ssh call each.

#include "base/checked_names.h"
#include "base/result.h"
#include "machine/machines.h"
#include "run/run_record.h"

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

/// What a host told about itself. It may be anybody's word: numbers and names are checked, and
/// paths are put together here, from the machine's folder and the host's home.
struct NodeFacts {
    QString host;              ///< as in the machine's list
    QString hostName;          ///< as it calls itself
    QString home;              ///< absolute, or empty
    QString runDir;            ///< absolute, of this run
    QString engine;            ///< folder of the engine, absolute
    QString contentId;         ///< of the bundle there
    bool sharesRunDir = false; ///< ranks there use the supervisor's own folder of this run
    bool runDirIsOurs = false; ///< `runDir` is that folder, seen by this host
    QString reachedAt;         ///< its address that ssh came to
    QList<NodeAddress> addresses;
    qint64 freeBytes = -1;
};

/// One run and its hosts, with nothing in it that has not been checked.
struct NodeRun {
    TargetMachine machine;
    QStringList hosts; ///< each a HostName
    RemotePath folder; ///< the machine's
    StudyId study;
    RunId run;
    QByteArray runJson; ///< written anew from the parsed one, in one line
    QString localRunDir;
    bool resume = false;

    static Result<NodeRun> from(const TargetMachine& machine, const RunConfig& run,
                                const QString& localRunDir, bool resume);
};

/// The facts in a preparation's answer. `said` gets the keys of its lines.
NodeFacts parseNodeFacts(const NodeRun& run, const QString& host, const QByteArray& answer,
                         QStringList& said);

/// Creates the run's folder on every host (with run.json, and when resuming with the checkpoint)
/// unless all of them share the supervisor's. Fails with the first host that cannot take part.
Result<QList<NodeFacts>> prepareNodes(const NodeRun& run);

/// The network over which ranks should talk: the machine's, else the subnet in which all hosts were
/// reached. Empty: let Open MPI find one.
Result<QString> chooseNetwork(const TargetMachine& machine, const QList<NodeFacts>& nodes);

/// Whether this computer has an address in that network, or that interface.
bool hasNetworkHere(const QString& network);

/// Ends what is left of the run on every host, collects the ends of the ranks' stderr into the
/// run's folder here, and removes its folder there if `removeFolders`: only one that has the marker
/// which prepareNodes() put into it. Never fails: what could not be done is said.
/// `newConnections`: a shared connection to a host that may be lost would only hang.
QList<NodeEnd> finishNodes(const NodeRun& run, const QStringList& hosts, bool removeFolders,
                           bool newConnections = false);

/// Parts of it alone: the processes, and the folders; returns the hosts that did so.
void endLeftovers(const NodeRun& run);
QStringList removeRunFolders(const NodeRun& run, const QStringList& hosts,
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
/// Puts the daemon where a shell would look for a program's name. mpirun also passes its own
/// options on, in double quotes: what is put in there would be executed, and nobody reads it.
QString withDaemon(const QString& command, const QString& quotedDaemon);

} // namespace scalebench
