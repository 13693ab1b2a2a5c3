// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_options.h"

#include <QDir>
#include <QFileInfo>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

struct TextOption {
    const char* name;
    const char* value;
    const char* help;
    QString TargetMachine::*field;
    bool connection; ///< needed to reach the hosts and look at them
    bool localFile;  ///< a path on this computer, made whole
};
const TextOption kTexts[] = {
    {"hosts", "LIST", "Hosts and their slots: \"node1:8,node2:8\", \"gpu[01-04]:8\".",
     &TargetMachine::hosts, true, false},
    {"hostfile", "FILE", "An Open MPI hostfile instead.", &TargetMachine::hostfile, true, true},
    {"login", "HOST", "Login node of the cluster, as ssh knows it.", &TargetMachine::login, true,
     false},
    {"user", "NAME", "User on the hosts (default: as the ssh config says).", &TargetMachine::user,
     true, false},
    {"jump", "HOST", "ssh goes through this host.", &TargetMachine::jumpHost, true, false},
    {"ssh-config", "FILE", "ssh config file (default: your own).", &TargetMachine::sshConfig, true,
     true},
    {"folder", "DIR", "Folder on the hosts (default: ~/.local/share/scalebench).",
     &TargetMachine::folder, true, false},
    {"mpi-prefix", "DIR", "Open MPI installed on the hosts (default: that of the engine).",
     &TargetMachine::mpiPrefix, true, false},
    {"data", "DIR", "Folder of data sets on the hosts.", &TargetMachine::dataFolder, true, false},
    {"interface", "NAME", "Network interface or subnet (default: found).",
     &TargetMachine::interface, true, false},
};

struct MapOption {
    const char* name;
    const char* help;
    QMap<QString, QString> TargetMachine::*field;
};
const MapOption kMaps[] = {
    {"env", "Variable for every worker; may be given several times. K= removes it.",
     &TargetMachine::environment},
    {"nccl", "NCCL setting, without NCCL_ (SOCKET_IFNAME=ib0).", &TargetMachine::nccl},
    {"ucx", "UCX setting, without UCX_.", &TargetMachine::ucx},
};

QString text(const char* latin)
{
    return QString::fromLatin1(latin);
}

Result<void> setVariables(const QStringList& words, const char* option, QMap<QString, QString>& map)
{
    for (const QString& word : words) {
        const qsizetype equal = word.indexOf(u'=');
        if (equal < 1)
            return Failure{u"variable_invalid"_s,
                           u"--%1 \"%2\" is not of the form NAME=VALUE."_s.arg(text(option), word)};
        const QString value = word.mid(equal + 1);
        if (value.isEmpty())
            map.remove(word.left(equal));
        else
            map.insert(word.left(equal), value);
    }
    return {};
}

Result<void> applySlurm(const CommandParser& parser, const QStringList& given,
                        TargetMachine& machine)
{
    for (const char* option : {"partition", "account", "time", "gpus-per-node", "slurm-option"})
        if (machine.kind != TargetMachine::Kind::Slurm && given.contains(text(option)) &&
            !parser.value(text(option)).isEmpty())
            return Failure{u"usage"_s,
                           u"--%1 belongs to machines of the kind slurm, and this one is %2. Give "
                           "--kind slurm, or leave it out."_s.arg(text(option),
                                                                  machineKindName(machine.kind))};
    SlurmSettings& slurm = machine.slurm;
    if (given.contains(u"partition"_s))
        slurm.partition = parser.value(u"partition"_s);
    if (given.contains(u"account"_s))
        slurm.account = parser.value(u"account"_s);
    if (given.contains(u"time"_s))
        slurm.timeLimit = parser.value(u"time"_s);
    if (given.contains(u"slurm-option"_s)) {
        slurm.extraOptions = parser.values(u"slurm-option"_s);
        slurm.extraOptions.removeAll(QString());
    }
    if (given.contains(u"gpus-per-node"_s)) {
        bool ok = false;
        slurm.gpusPerNode = parser.value(u"gpus-per-node"_s).toInt(&ok);
        if (!ok)
            return Failure{u"value_invalid"_s, u"--gpus-per-node \"%1\" is not a number."_s.arg(
                                                   parser.value(u"gpus-per-node"_s))};
    }
    return {};
}

} // namespace

void addMachineOptions(CommandParser& parser, bool connectionOnly)
{
    parser.addOption({u"kind"_s,
                      u"local; ssh: hosts reached from here; login: a cluster behind a login node; "
                      "slurm: sbatch, here or on the login node."_s,
                      u"KIND"_s});
    for (const TextOption& option : kTexts)
        if (option.connection || !connectionOnly)
            parser.addOption({text(option.name), text(option.help), text(option.value)});
    if (connectionOnly)
        return;
    for (const MapOption& option : kMaps)
        parser.addOption({text(option.name), text(option.help), u"K=V"_s});
    parser.addOption({u"partition"_s, u"Slurm partition (default: the cluster's)."_s, u"NAME"_s});
    parser.addOption({u"account"_s, u"Slurm account."_s, u"NAME"_s});
    parser.addOption({u"time"_s, u"Slurm time limit (1:30:00, 2-0)."_s, u"TIME"_s});
    parser.addOption({u"gpus-per-node"_s, u"GPUs that Slurm gives per node."_s, u"N"_s});
    parser.addOption({u"slurm-option"_s,
                      u"Further option for sbatch, one word; may be given several times "
                      "(--slurm-option=--constraint=a100)."_s,
                      u"OPTION"_s});
    parser.addOption({u"price"_s, u"Price of a node per hour, for cost charts."_s, u"NUMBER"_s});
}

bool hasMachineOptions(const CommandParser& parser)
{
    return parser.isSet(u"hosts"_s) || parser.isSet(u"hostfile"_s) || parser.isSet(u"login"_s);
}

Result<void> applyMachineOptions(const CommandParser& parser, TargetMachine& machine)
{
    const QStringList given = parser.optionNames();
    if (parser.isSet(u"kind"_s)) {
        const auto kind = machineKindFrom(parser.value(u"kind"_s));
        if (!kind)
            return Failure{u"kind_unknown"_s,
                           u"The kind \"%1\" is not known; possible are local, "
                           "ssh, login and slurm."_s.arg(parser.value(u"kind"_s))};
        machine.kind = *kind;
    }
    for (const TextOption& option : kTexts) {
        if (!given.contains(text(option.name)))
            continue;
        QString value = parser.value(text(option.name));
        if (option.localFile && !value.isEmpty())
            value = QDir::cleanPath(QFileInfo(value).absoluteFilePath());
        machine.*option.field = value;
    }
    if (machine.folder.isEmpty())
        machine.folder = TargetMachine().folder;
    // One of the two replaces the other.
    if (given.contains(u"hosts"_s) && !given.contains(u"hostfile"_s) && !machine.hosts.isEmpty())
        machine.hostfile.clear();
    if (given.contains(u"hostfile"_s) && !given.contains(u"hosts"_s) && !machine.hostfile.isEmpty())
        machine.hosts.clear();
    for (const MapOption& option : kMaps)
        if (given.contains(text(option.name)))
            if (Result<void> ok = setVariables(parser.values(text(option.name)), option.name,
                                               machine.*option.field);
                !ok)
                return ok;
    if (given.contains(u"price"_s)) {
        bool ok = false;
        machine.pricePerHour =
            parser.value(u"price"_s).isEmpty() ? 0 : parser.value(u"price"_s).toDouble(&ok);
        if (!ok && !parser.value(u"price"_s).isEmpty())
            return Failure{u"value_invalid"_s,
                           u"--price \"%1\" is not a number."_s.arg(parser.value(u"price"_s))};
    }
    return applySlurm(parser, given, machine);
}

} // namespace scalebench::cli
