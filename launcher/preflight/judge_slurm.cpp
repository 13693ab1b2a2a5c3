// SPDX-License-Identifier: GPL-3.0-or-later
// Whether Slurm will take the job that is going to be submitted: partition, limits, account, nodes.
#include "base/json_fields.h"
#include "base/translated.h"
#include "preflight/judge.h"

#include <QRegularExpression>

#include <algorithm>
#include <limits>
#include <optional>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

using Fields = QHash<QString, QString>;

Fields fieldsOf(const QString& line)
{
    Fields fields;
    for (const QString& word : line.split(u' ', Qt::SkipEmptyParts))
        fields.insert(word.section(u'=', 0, 0), word.section(u'=', 1));
    return fields;
}

/// "1-02:03:04", "2:00:00", "30" (minutes), "2-12" (days-hours) in seconds.
std::optional<double> slurmSeconds(const QString& text)
{
    if (text.isEmpty() || text == "NONE"_L1)
        return {};
    if (text.compare("unlimited"_L1, Qt::CaseInsensitive) == 0 ||
        text.compare("infinite"_L1, Qt::CaseInsensitive) == 0)
        return std::numeric_limits<double>::infinity();
    const bool days = text.contains(u'-');
    const double dayCount = days ? text.section(u'-', 0, 0).toDouble() : 0;
    const QStringList parts = text.section(u'-', days ? 1 : 0).split(u':');
    const auto part = [&](int i) { return parts.value(i).toDouble(); };
    if (days)
        return ((dayCount * 24 + part(0)) * 60 + part(1)) * 60 + part(2);
    if (parts.size() == 3)
        return (part(0) * 60 + part(1)) * 60 + part(2);
    return part(0) * 60 + part(1);
}

struct Nodes {
    int all = 0, idle = 0, usable = 0, cores = 0, gpus = 0;
};

Nodes nodesOf(const ProbeAnswer& probe, const QString& partition)
{
    static const QRegularExpression kGpus(u"gpu(?::[^:,(]+)?:(\\d+)"_s);
    Nodes nodes;
    for (const QString& line : probe.lines(u"node"_s)) {
        const QStringList words = line.split(u'|');
        if (words.size() < 6 || words[0].chopped(words[0].endsWith(u'*') ? 1 : 0) != partition)
            continue;
        const int count = words[2].toInt();
        QString state = words[1].toLower();
        const bool lost = state.endsWith(u'*'); // does not answer
        state.remove(QRegularExpression(u"[^a-z]"_s));
        nodes.all += count;
        if (lost || state.startsWith("down"_L1) || state.startsWith("drain"_L1) ||
            state.startsWith("fail"_L1) || state.startsWith("maint"_L1) ||
            state.startsWith("unknown"_L1))
            continue;
        nodes.usable += count;
        nodes.idle += state == "idle"_L1 ? count : 0;
        nodes.cores = std::max(nodes.cores, words[3].toInt());
        if (const auto match = kGpus.match(words[5]); match.hasMatch())
            nodes.gpus = std::max(nodes.gpus, match.captured(1).toInt());
    }
    return nodes;
}

/// File systems of one computer alone. Others may be shared; only a job could tell for sure.
bool isLocalFileSystem(const QString& kind)
{
    static const QStringList kLocal{u"ext2/ext3"_s, u"xfs"_s,   u"btrfs"_s, u"tmpfs"_s,
                                    u"overlayfs"_s, u"ramfs"_s, u"zfs"_s,   u"f2fs"_s};
    return kLocal.contains(kind);
}

/// True when a problem was found.
bool judgePartition(Cells& cells, const Fields& partition, const QString& name)
{
    const SlurmSettings& wanted = cells.machine().slurm;
    if (partition.value(u"State"_s) != "UP"_L1) {
        cells.problem(u"slurm"_s, u"slurm_partition_down"_s,
                      Launcher::tr("The partition \"%1\" takes no jobs now (state %2).")
                          .arg(name, partition.value(u"State"_s)),
                      Launcher::tr("Choose another partition, or ask the administrator."));
        return true;
    }
    const std::optional<double> most = slurmSeconds(partition.value(u"MaxTime"_s));
    const std::optional<double> asked = slurmSeconds(wanted.timeLimit);
    if (most && asked && *asked > *most) {
        cells.problem(
            u"slurm"_s, u"slurm_time_limit"_s,
            Launcher::tr("Partition \"%1\" allows %2, you ask %3: the job would wait for ever.")
                .arg(name, partition.value(u"MaxTime"_s), wanted.timeLimit),
            Launcher::tr("Ask for at most %1.").arg(partition.value(u"MaxTime"_s)));
        return true;
    }
    const QStringList allowed = partition.value(u"AllowAccounts"_s).split(u',');
    if (!wanted.account.isEmpty() && partition.contains(u"AllowAccounts"_s) &&
        allowed != QStringList(u"ALL"_s) && !allowed.contains(wanted.account)) {
        cells.problem(u"slurm"_s, u"slurm_account"_s,
                      Launcher::tr("The partition \"%1\" does not allow the account \"%2\".")
                          .arg(name, wanted.account),
                      Launcher::tr("Allowed are %1.").arg(allowed.join(u", "_s)));
        return true;
    }
    return false;
}

bool judgeAccount(Cells& cells)
{
    const QString wanted = cells.machine().slurm.account;
    QStringList accounts = cells.probe().lines(u"account"_s);
    accounts.removeDuplicates();
    accounts.removeAll(QString());
    // Without an accounting data base Slurm takes any account.
    if (wanted.isEmpty() || cells.probe().exitCode(u"account"_s) != 0 || accounts.isEmpty() ||
        accounts.contains(wanted))
        return false;
    cells.problem(u"slurm"_s, u"slurm_account"_s,
                  Launcher::tr("Slurm does not know the account \"%1\" for %2%3.")
                      .arg(wanted, cells.probe().value(u"user"_s), didYouMean(wanted, accounts)),
                  Launcher::tr("Yours are %1.").arg(accounts.join(u", "_s)));
    return true;
}

bool judgeNodes(Cells& cells, const Nodes& nodes, const QString& name)
{
    const int gpus = cells.machine().slurm.gpusPerNode;
    if (nodes.usable == 0) {
        cells.problem(
            u"slurm"_s, u"slurm_nodes_down"_s,
            Launcher::tr(
                "No node of the partition \"%1\" can be used: all %2 are down, drained or do "
                "not answer.")
                .arg(name)
                .arg(nodes.all),
            Launcher::tr(
                "Choose another partition, or ask the administrator (sinfo -R tells why)."),
            cells.probe().lines(u"node"_s).join(u'\n'));
        return true;
    }
    if (gpus > nodes.gpus) {
        cells.problem(
            u"slurm"_s, u"slurm_gpus"_s,
            Launcher::tr("Nodes of the partition \"%1\" have %2 GPUs, you ask %3 per node.")
                .arg(name)
                .arg(nodes.gpus)
                .arg(gpus),
            Launcher::tr("Ask for at most %1, or choose another partition.").arg(nodes.gpus));
        return true;
    }
    return false;
}

} // namespace

void judgeSlurm(Cells& cells, QJsonObject& facts)
{
    const ProbeAnswer& probe = cells.probe();
    const SlurmSettings& wanted = cells.machine().slurm;
    if (probe.value(u"sbatch"_s).isEmpty())
        return cells.problem(
            u"slurm"_s, u"sbatch_missing"_s,
            Launcher::tr("There is no Slurm on %1: sbatch is not in PATH.").arg(cells.host()),
            Launcher::tr("Give the login node of the Slurm cluster, or choose another kind of "
                         "target machine."));
    if (probe.exitCode(u"partition"_s) != 0)
        return cells.problem(u"slurm"_s, u"slurm_unreachable"_s,
                             Launcher::tr("Slurm's controller does not answer %1: %2")
                                 .arg(cells.host(), probe.lines(u"partition"_s).value(0)),
                             Launcher::tr("Ask the administrator of the cluster."),
                             probe.lines(u"partition"_s).join(u'\n'));
    QStringList names;
    Fields partition;
    for (const QString& line : probe.lines(u"partition"_s)) {
        const Fields fields = fieldsOf(line);
        names << fields.value(u"PartitionName"_s);
        if (wanted.partition.isEmpty() ? fields.value(u"Default"_s) == "YES"_L1
                                       : wanted.partition == names.last())
            partition = fields;
    }
    const QString name = partition.value(u"PartitionName"_s);
    if (name.isEmpty())
        return cells.problem(
            u"slurm"_s, u"slurm_partition"_s,
            wanted.partition.isEmpty()
                ? Launcher::tr("This Slurm has no default partition, so one must be chosen.")
                : Launcher::tr("There is no partition \"%1\"%2.")
                      .arg(wanted.partition, didYouMean(wanted.partition, names)),
            Launcher::tr("Choose one of %1.").arg(names.join(u", "_s)));
    const Nodes nodes = nodesOf(probe, name);
    facts.insert(u"partition"_s, name);
    facts.insert(u"nodes"_s, nodes.all);
    facts.insert(u"cores_per_node"_s, nodes.cores);
    facts.insert(u"gpus_per_node"_s, nodes.gpus);
    facts.insert(u"max_time"_s, partition.value(u"MaxTime"_s));
    if (judgePartition(cells, partition, name) || judgeAccount(cells) ||
        judgeNodes(cells, nodes, name))
        return;
    const QString text =
        Launcher::tr("partition %1: %2 of %3 nodes idle, %4 processors each, up to %5")
            .arg(name)
            .arg(nodes.idle)
            .arg(nodes.all)
            .arg(nodes.cores)
            .arg(partition.value(u"MaxTime"_s));
    if (const QString kind = probe.value(u"folder_kind"_s); isLocalFileSystem(kind))
        return cells.warn(
            u"slurm"_s, u"slurm_folder_local"_s,
            Launcher::tr("%1 is on a disk of %2 itself (%3); the nodes need to see it too.")
                .arg(probe.value(u"disk_place"_s), cells.host(), kind),
            Launcher::tr(
                "Unless it is shared in another way, choose a folder that all nodes see."));
    cells.ok(u"slurm"_s, text);
}

} // namespace scalebench
