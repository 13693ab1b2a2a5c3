// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/slurm_state.h"

#include "base/translated.h"
#include "machine/machines.h"
#include "supervise/ending_text.h"
#include "supervise/run_end.h"

#include <QRegularExpression>
#include <QSysInfo>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

bool SlurmQueueState::hasEnded() const
{
    static const QStringList kFinal{
        u"BOOT_FAIL"_s, u"CANCELLED"_s, u"COMPLETED"_s, u"DEADLINE"_s,      u"FAILED"_s,
        u"NODE_FAIL"_s, u"PREEMPTED"_s, u"REVOKED"_s,   u"OUT_OF_MEMORY"_s, u"TIMEOUT"_s};
    return gone || kFinal.contains(state);
}

/// Of Slurm's "n[1-4],m7"; "(null)" and nothing are none.
static QStringList nodeNames(const QString& list)
{
    QStringList names;
    if (const Result<QList<HostSlots>> hosts = parseHostList(list); hosts)
        for (const HostSlots& host : hosts.value())
            names << host.name;
    return names;
}

SlurmQueueState readQueueState(const SlurmAnswer& answer)
{
    SlurmQueueState state;
    if (answer.errors.contains("Invalid job id"_L1)) {
        state.known = state.gone = true;
        return state;
    }
    if (!answer.ok())
        return state;
    state.known = true;
    state.gone = answer.output.isEmpty();
    const QStringList fields = answer.output.section(u'\n', 0, 0).split(u'|');
    state.state = fields.value(0).trimmed();
    state.reason = fields.value(1).trimmed();
    state.estimatedStart = QDateTime::fromString(fields.value(2).trimmed(), Qt::ISODate);
    state.nodes = nodeNames(fields.value(3).trimmed());
    return state;
}

static void readExit(SlurmJobEnd& end, const QString& code)
{
    end.exitCode = code.section(u':', 0, 0).toInt();
    end.signal = code.section(u':', 1, 1).toInt();
}

SlurmJobEnd readJobEnd(const SlurmAnswer& scontrol)
{
    SlurmJobEnd end;
    if (!scontrol.ok())
        return end;
    const auto value = [&](const char* key) {
        const QRegularExpression pattern(u"(?:^|\\s)%1=(\\S*)"_s.arg(QLatin1StringView(key)));
        return pattern.match(scontrol.output).captured(1);
    };
    end.state = value("JobState");
    end.known = !end.state.isEmpty();
    end.reason = value("Reason");
    readExit(end, value("ExitCode"));
    end.nodes = nodeNames(value("NodeList"));
    end.text = u"JobState=%1 Reason=%2 ExitCode=%3 NodeList=%4 RunTime=%5 TimeLimit=%6"_s.arg(
        end.state, end.reason, value("ExitCode"), value("NodeList"), value("RunTime"),
        value("TimeLimit"));
    return end;
}

SlurmJobEnd readAccounting(const SlurmAnswer& sacct)
{
    SlurmJobEnd end;
    const QStringList fields = sacct.output.section(u'\n', 0, 0).split(u'|');
    if (!sacct.ok() || fields.size() < 2)
        return end;
    end.state = fields[0].section(u' ', 0, 0); // "CANCELLED by 1000"
    end.known = !end.state.isEmpty();
    readExit(end, fields[1]);
    end.text = sacct.output;
    return end;
}

Failure submitFailure(const SlurmAnswer& answer)
{
    const QString host = QSysInfo::machineHostName();
    const QString details = answer.errors.isEmpty() ? answer.output : answer.errors;
    if (!answer.started)
        return {
            u"slurm_missing"_s,
            Launcher::tr("sbatch was not found on %1. Is Slurm installed there and in PATH of "
                         "non-interactive shells? Else name its login node in the target machine.")
                .arg(host),
            details};
    struct Known {
        const char* text;
        const char* code;
        const char* message;
    };
    static const Known kKnown[] = {
        {"nvalid partition", "slurm_partition",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "Slurm does not know the partition, or it is closed to you. \"sinfo\" lists the "
             "partitions; change it in the target machine.")},
        {"nvalid account", "slurm_account",
         QT_TRANSLATE_NOOP("Launcher", "Slurm does not accept the account, or not in this "
                                       "partition. Change the account in the "
                                       "target machine.")},
        {"not permitted to use", "slurm_account",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "Your account may not use this partition. Change the account or the partition in the "
             "target machine.")},
        {"(gres)", "slurm_gres",
         QT_TRANSLATE_NOOP("Launcher", "Slurm does not have the GPUs that are asked for. Change "
                                       "the GPUs per node in the target "
                                       "machine.")},
        {"GRES", "slurm_gres",
         QT_TRANSLATE_NOOP("Launcher", "Slurm does not have the GPUs that are asked for. Change "
                                       "the GPUs per node in the target "
                                       "machine.")},
        {"QOS policy", "slurm_refused",
         QT_TRANSLATE_NOOP("Launcher", "Slurm refused the job: it exceeds a limit of your account "
                                       "or quality of service (jobs, "
                                       "nodes, GPUs or time).")},
        {"time limit", "slurm_time_limit",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "Slurm does not accept the time limit: it is missing, or above what the partition "
             "allows. Change it in the target machine.")},
        {"--time specification", "slurm_time_limit",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "Slurm does not understand the time limit. Write it as hours:minutes:seconds in the "
             "target machine.")},
        {"node configuration is not available", "slurm_nodes",
         QT_TRANSLATE_NOOP("Launcher", "No node is as this run needs it: too many workers or "
                                       "threads per node, GPUs or memory. "
                                       "Use fewer per node, or another partition.")},
        {"ode count specification invalid", "slurm_nodes",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "The partition does not have that many nodes. Use fewer, or another partition.")},
        {"ore processors requested than permitted", "slurm_nodes",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "More processors are asked for than may be used. Use fewer workers or threads.")},
        {"nable to contact", "slurm_unreachable", nullptr},
        {"nable to connect", "slurm_unreachable", nullptr},
        {"ocket timed out", "slurm_unreachable", nullptr},
        {"onfiguration source", "slurm_unreachable", nullptr},
        {"onfig source", "slurm_unreachable", nullptr},
        {"onnection refused", "slurm_unreachable", nullptr},
        {"rotocol authentication error", "slurm_unreachable", nullptr},
        {"unge", "slurm_unreachable", nullptr},
    };
    const auto unreachable = [&] {
        return Failure{
            u"slurm_unreachable"_s,
            Launcher::tr("Slurm's controller does not answer on %1: it is down, or this computer "
                         "does not belong to the cluster. Try again later, or ask its "
                         "administrator.")
                .arg(host),
            details};
    };
    for (const Known& known : kKnown)
        if (details.contains(QLatin1StringView(known.text)))
            return known.message ? Failure{QString::fromLatin1(known.code),
                                           Launcher::tr(known.message), details}
                                 : unreachable();
    if (answer.timedOut)
        return unreachable();
    QString said; // the last error; what follows it is advice for the command line
    for (const QString& line : details.split(u'\n'))
        if (said.isEmpty() || line.contains("error: "_L1))
            said = line;
    static const QRegularExpression kBegin(u"^(\\S*sbatch: )?(error: )*"_s);
    said.remove(kBegin);
    return {u"slurm_refused"_s, Launcher::tr("Slurm refused the job: %1").arg(said), details};
}

namespace {

Failure beginFailure(const QString& word, const QString& host, const QString& runDir)
{
    if (word == "folder_not_shared"_L1)
        return {word,
                Launcher::tr(
                    "%1 does not have the run's folder %2. Slurm's nodes must share the folder of "
                    "the study with this computer: choose a results folder on the shared file "
                    "system.")
                    .arg(host.isEmpty() ? Launcher::tr("Slurm's node")
                                        : Launcher::tr("Node %1").arg(host),
                         runDir)};
    if (word == "engine_missing"_L1)
        return {word,
                Launcher::tr(
                    "Node %1 does not have the engine. The folder of the target machine must be on "
                    "a file system that the nodes share; install it there: scalebench machines "
                    "deploy.")
                    .arg(host)};
    if (word == "mpirun_missing"_L1)
        return {word,
                Launcher::tr(
                    "Node %1 does not have mpirun in the Open MPI folder of the target machine. "
                    "Correct that folder, or leave it empty to use the engine's own.")
                    .arg(host)};
    return {};
}

} // namespace

Failure endingFailure(const SlurmEnding& e, const QString& where)
{
    const QString& state = e.end.state;
    const auto ended = [&](const char* code, const QString& message) {
        return Failure{QString::fromLatin1(code), message,
                       e.end.text + u"\n\n"_s + usefulLauncherText(e.launcherText)};
    };
    // While a node has not answered yet only the reason tells.
    if (state == "TIMEOUT"_L1 || state == "DEADLINE"_L1 || e.end.reason == "TimeLimit"_L1)
        return ended(
            "slurm_timeout",
            Launcher::tr(
                "The job reached its time limit in Slurm %1. Give the target machine a longer "
                "limit, and resume.")
                .arg(where));
    if (state == "PREEMPTED"_L1)
        return ended(
            "slurm_preempted",
            Launcher::tr(
                "Slurm ended the job in favour of one with a higher priority %1. Resume it, "
                "or use another partition.")
                .arg(where));
    // "StepId=18.batch exceeded memory limit (427020288 > 157286400), being killed" and "Exceeded
    // job memory limit": the kill often comes before the second of the two is written.
    static const QRegularExpression kMemory(u"exceeded (job )?memory limit|oom[-_]kill"_s,
                                            QRegularExpression::CaseInsensitiveOption);
    if (state == "OUT_OF_MEMORY"_L1 || e.launcherText.contains(kMemory))
        return ended(
            "slurm_out_of_memory",
            Launcher::tr(
                "The job used more memory than Slurm gave it %1. Ask for more with the Slurm "
                "option --mem or --mem-per-cpu of the target machine, or use a smaller "
                "batch.")
                .arg(where));
    static const QRegularExpression kNode(u"Node failure on (\\S+)"_s);
    QStringList lost = e.lostNodes; // a node may be back before it is looked for
    if (const auto match = kNode.match(e.launcherText); lost.isEmpty() && match.hasMatch())
        lost << match.captured(1);
    if (state == "NODE_FAIL"_L1 || state == "BOOT_FAIL"_L1 || e.end.reason == "NodeDown"_L1)
        return ended(
            "slurm_node_fail",
            Launcher::tr("%1 of the job failed %2. Resume it: Slurm then chooses nodes that work.")
                .arg(lost.isEmpty() ? Launcher::tr("A node")
                                    : Launcher::tr("Node %1").arg(lost.join(u", "_s)),
                     where));
    if (state == "CANCELLED"_L1)
        return ended(
            "slurm_cancelled",
            Launcher::tr("Somebody cancelled Slurm job %2 (scancel) %1.").arg(where, e.jobId));
    const QString word = e.jobExit.section(u' ', 1, 1);
    if (const Failure failure = beginFailure(word, e.jobExit.section(u' ', 2, 2), e.runDir);
        !failure.code.isEmpty())
        return {failure.code, failure.message, e.end.text};
    if (!e.jobExit.isEmpty())
        return {};
    // sbatch's output file could not be written, or the script came to its end elsewhere: Slurm
    // 24.11 makes the folder on the node, and the script finds it empty.
    if ((e.end.reason == "JobLaunchFailure"_L1 && e.end.signal == 53) ||
        ((state == "COMPLETED"_L1 || e.end.exitCode == 127) && e.launcherText.isEmpty())) {
        const Failure failure = beginFailure(u"folder_not_shared"_s, {}, e.runDir);
        return {failure.code, failure.message, e.end.text};
    }
    if (!e.end.known)
        return ended("slurm_failed",
                     Launcher::tr("Slurm job %2 is gone without a word, and Slurm no longer "
                                  "knows how it ended; it was %1.")
                         .arg(where, e.jobId));
    const QString how = e.end.signal > 0 ? Launcher::tr("by %1").arg(describeSignal(e.end.signal))
                                         : Launcher::tr("with exit code %1").arg(e.end.exitCode);
    QString why = e.end.reason;
    if (why == "None"_L1 || why == "NonZeroExitCode"_L1)
        why.clear();
    if (why.isEmpty())
        return ended("slurm_failed",
                     Launcher::tr("Slurm job %2 ended %3 %1.").arg(where, e.jobId, how));
    return ended(
        "slurm_failed",
        Launcher::tr("Slurm job %2 ended %3 (Slurm says: %4) %1.").arg(where, e.jobId, how, why));
}

} // namespace scalebench
