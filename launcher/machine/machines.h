// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Target machines: where a study runs. A typed, versioned file (resources/protocol/machines.md)
// that the workbench and `scalebench machines` edit.

#include "base/result.h"
#include "study/machine_info.h"

#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace scalebench {

struct SlurmSettings {
    QString partition;        ///< empty: the cluster's default
    QString account;          ///< empty: the user's default
    QString timeLimit;        ///< as sbatch takes it ("1:00:00"); empty: the partition's
    int gpusPerNode = 0;      ///< 0: none asked for
    QStringList extraOptions; ///< further words for sbatch, one argument each
    bool operator==(const SlurmSettings&) const = default;
};

struct TargetMachine {
    enum class Kind {
        Local, ///< this computer
        Ssh,   ///< hosts reached from here; mpirun runs here, so this computer must stay on
        Login, ///< a cluster behind a login node; everything runs there
        Slurm  ///< sbatch, here or on `login`
    };

    QString name;
    Kind kind = Kind::Local;
    QString login;    ///< ssh destination; Login always, Slurm where sbatch is not on this computer
    QString user;     ///< empty: as the ssh config says
    QString jumpHost; ///< ssh -J; empty: none
    QString sshConfig; ///< ssh -F; empty: the user's own
    QString hosts;     ///< "node1:8,node2:8", "gpu[01-04]:8"; not for Slurm. Empty with Login: the
                       ///< login node itself
    QString hostfile;  ///< an Open MPI hostfile on this computer, instead of `hosts`
    QString folder = QStringLiteral("~/.local/share/scalebench"); ///< on the hosts
    QString mpiPrefix; ///< folder of an installed Open MPI on the hosts; empty: the bundle's
    QString
        dataFolder;    ///< on the hosts, for workloads that need files; empty: the study's own path
    QString interface; ///< network interface or subnet ("ib0", "10.0.0.0/24"); empty: found
    QMap<QString, QString> environment; ///< set for every worker
    QMap<QString, QString> nccl;        ///< without the prefix: {"SOCKET_IFNAME": "ib0"}
    QMap<QString, QString> ucx;         ///< likewise
    SlurmSettings slurm;
    double pricePerHour = 0;

    bool operator==(const TargetMachine&) const = default;
    /// Reached through ssh to one place that runs the supervisor.
    bool isBehindLogin() const { return !login.isEmpty(); }

    QJsonObject toJson() const;
    static Result<TargetMachine> fromJson(const QJsonObject& object, const QString& fileName);
    /// Everything that is wrong and can be known without touching the network; the first one.
    Result<void> check() const;
};
QString machineKindName(TargetMachine::Kind kind); ///< "local", "ssh", "login", "slurm"
std::optional<TargetMachine::Kind> machineKindFrom(const QString& name);
/// The name under which this computer is always there.
inline QString localMachineName()
{
    return QStringLiteral("local");
}

/// What can be said about a line of a hostfile, for the editor.
struct HostfileRemark {
    int line = 0; ///< from 1
    bool isError = false;
    QString code; ///< "hostfile_slots", "hostfile_key", "hostfile_ipv6", "hostfile_duplicate", …
    QString message;
};
struct Hostfile {
    QList<HostSlots> hosts;        ///< duplicates added up, as Open MPI does
    QList<HostfileRemark> remarks; ///< errors and warnings in line order
    QString fixedText;             ///< the file as it should be, for "Fix all"
};
/// Reads the text of an Open MPI hostfile; never fails as a whole.
Hostfile parseHostfile(const QByteArray& text);
/// "a:2,b:2", "gpu[01-04,7]:8", white space or commas between. Fails with the word that is wrong.
Result<QList<HostSlots>> parseHostList(const QString& text);
/// As that reads it.
QString hostListOf(const QList<HostSlots>& hosts);
/// The machine's hosts from whichever field has them. Empty for Local and Slurm; "localhost" for
/// Login without hosts.
Result<QList<HostSlots>> hostsOf(const TargetMachine& machine);

/// The file of target machines. Loading never loses anything: a damaged file is kept beside as
/// machines.json.damaged and said in the failure; a newer version is refused.
class MachineFile
{
public:
    /// Empty: the user's own (XDG config folder, scalebench/machines.json).
    static Result<MachineFile> open(const QString& path = {});
    static QString defaultPath();

    QString path() const { return m_path; }
    /// This computer first, then the file's in order.
    const QList<TargetMachine>& machines() const { return m_machines; }
    const TargetMachine* find(const QString& name) const;
    /// Adds or replaces by name, checks it and writes the file.
    Result<void> save(const TargetMachine& machine);
    Result<void> rename(const QString& from, const QString& to);
    Result<void> remove(const QString& name);

private:
    QString m_path;
    QList<TargetMachine> m_machines;
};

/// What planning needs to know of a target machine, without touching the network: hosts with their
/// slots (those of the last check where the list does not say), programs assumed to be there.
Result<MachineInfo> planningInfo(const TargetMachine& machine);
/// The machine that a study names, and what planning knows of it.
struct PlanTarget {
    TargetMachine machine;
    MachineInfo info;
};
/// Code "machine_unknown" with the known names. This computer is probed (milliseconds).
Result<PlanTarget> planTarget(const QString& machineName);
/// Facts a check found, kept per machine in the cache folder: {"host": {"cores":…, "gpus":…}}.
QJsonObject knownFacts(const QString& machineName);
/// What the last check came to, whoever made it.
struct CheckSummary {
    qint64 whenMs = 0; ///< 0: never checked
    int hosts = 0, problemHosts = 0, warningHosts = 0;
    bool operator==(const CheckSummary&) const = default;
};
CheckSummary lastCheck(const QString& machineName);
void rememberFacts(const QString& machineName, const QJsonObject& facts, const CheckSummary& check);

} // namespace scalebench
