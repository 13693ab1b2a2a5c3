// SPDX-License-Identifier: GPL-3.0-or-later
// Why a job waits, in words: what Slurm's reasons mean to whoever started the run.
#include "base/translated.h"
#include "supervise/slurm_state.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Reason {
    const char* begin; ///< of Slurm's word
    const char* text;
};

/// Nothing that happens by itself lets such a job start.
const Reason kNever[] = {
    {"PartitionTimeLimit",
     QT_TRANSLATE_NOOP("Launcher", "its time limit is above that of the partition")},
    {"PartitionNodeLimit",
     QT_TRANSLATE_NOOP("Launcher",
                       "it asks for more or fewer nodes than the partition gives to a job")},
    {"PartitionConfig",
     QT_TRANSLATE_NOOP("Launcher", "the partition does not have that many nodes or processors")},
    {"BadConstraints", QT_TRANSLATE_NOOP("Launcher", "no node is as it asks for")},
    {"InvalidAccount", QT_TRANSLATE_NOOP("Launcher", "its account is not known")},
    {"InvalidQOS", QT_TRANSLATE_NOOP("Launcher", "its quality of service is not known")},
    {"AccountNotAllowed", QT_TRANSLATE_NOOP("Launcher", "its account may not use the partition")},
    {"QOSNotAllowed",
     QT_TRANSLATE_NOOP("Launcher", "its quality of service may not be used in the partition")},
    {"AssocMaxNodePerJobLimit",
     QT_TRANSLATE_NOOP("Launcher", "your account may not have that many nodes in one job")},
    {"AssocMaxCpuPerJobLimit",
     QT_TRANSLATE_NOOP("Launcher", "your account may not have that many processors in one job")},
    {"AssocMaxWallDurationPerJobLimit",
     QT_TRANSLATE_NOOP("Launcher", "your account may not ask for so much time")},
    {"QOSMaxNodePerJobLimit",
     QT_TRANSLATE_NOOP("Launcher",
                       "the quality of service does not allow that many nodes in one job")},
    {"QOSMaxCpuPerJobLimit",
     QT_TRANSLATE_NOOP("Launcher",
                       "the quality of service does not allow that many processors in one job")},
    {"QOSMaxWallDurationPerJobLimit",
     QT_TRANSLATE_NOOP("Launcher", "the quality of service does not allow so much time")},
    {"JobHeldAdmin", QT_TRANSLATE_NOOP("Launcher", "an administrator holds it back")},
    {"JobHeldUser",
     QT_TRANSLATE_NOOP("Launcher", "it is held back; \"scontrol release\" lets it go")},
    {"DependencyNeverSatisfied", QT_TRANSLATE_NOOP("Launcher", "the job it depends on failed")},
};

const Reason kWaits[] = {
    {"Priority", QT_TRANSLATE_NOOP("Launcher", "other jobs come first")},
    {"Resources", QT_TRANSLATE_NOOP("Launcher", "the nodes it needs are busy")},
    {"ReqNodeNotAvail", QT_TRANSLATE_NOOP("Launcher", "nodes it needs are down or reserved")},
    {"BeginTime", QT_TRANSLATE_NOOP("Launcher", "its time to begin has not come")},
    {"Dependency", QT_TRANSLATE_NOOP("Launcher", "another job must end first")},
    {"PartitionDown", QT_TRANSLATE_NOOP("Launcher", "the partition is closed at the moment")},
    {"PartitionInactive", QT_TRANSLATE_NOOP("Launcher", "the partition is closed at the moment")},
    {"NodeDown", QT_TRANSLATE_NOOP("Launcher", "nodes it needs are down")},
    {"Nodes required for job are DOWN",
     QT_TRANSLATE_NOOP("Launcher", "nodes it needs are down or reserved")},
    {"Reservation", QT_TRANSLATE_NOOP("Launcher", "its reservation has not begun")},
    {"Licenses", QT_TRANSLATE_NOOP("Launcher", "licences it needs are in use")},
    {"QOSGrp",
     QT_TRANSLATE_NOOP("Launcher", "all that your quality of service may use at once is in use")},
    {"QOSMax",
     QT_TRANSLATE_NOOP("Launcher", "you may not use more at once in your quality of service")},
    {"QOS", QT_TRANSLATE_NOOP("Launcher", "a limit of your quality of service is reached")},
    {"AssocGrp",
     QT_TRANSLATE_NOOP("Launcher", "all that your account may use (at once, or in all) is used")},
    {"AssocMax", QT_TRANSLATE_NOOP("Launcher", "you may not use more at once in your account")},
    {"Assoc", QT_TRANSLATE_NOOP("Launcher", "a limit of your account is reached")},
    {"Prolog", QT_TRANSLATE_NOOP("Launcher", "the nodes are being prepared")},
};

template <size_t N>
const Reason* find(const Reason (&reasons)[N], const QString& word)
{
    for (const Reason& reason : reasons)
        if (word.startsWith(QLatin1StringView(reason.begin)))
            return &reason;
    return nullptr;
}

} // namespace

QString waitingText(const SlurmQueueState& state, const QDateTime& now)
{
    if (!state.known)
        return Launcher::tr("Waiting: Slurm does not answer at the moment");
    if (state.state == "CONFIGURING"_L1)
        return Launcher::tr("Slurm prepares the nodes");
    if (state.state == "SUSPENDED"_L1)
        return Launcher::tr("Slurm has suspended the job");
    if (const Reason* never = find(kNever, state.reason))
        return Launcher::
            tr("This job can never start: %1 (%2). Stop it and change the target machine or the "
               "plan")
                .arg(Launcher::tr(never->text), state.reason);
    QString why;
    if (const Reason* waits = find(kWaits, state.reason))
        why = u"%1 (%2)"_s.arg(Launcher::tr(waits->text), state.reason);
    else if (!state.reason.isEmpty() && state.reason != "None"_L1)
        why = state.reason;
    if (!state.estimatedStart.isValid() || state.estimatedStart <= now)
        return why.isEmpty() ? Launcher::tr("Waiting in Slurm's queue")
                             : Launcher::tr("Waiting in Slurm's queue: %1").arg(why);
    const bool today = state.estimatedStart.date() == now.date();
    const QString start = state.estimatedStart.toString(today ? u"HH:mm"_s : u"yyyy-MM-dd HH:mm"_s);
    return why.isEmpty()
               ? Launcher::tr("Waiting in Slurm's queue; estimated start %1").arg(start)
               : Launcher::tr("Waiting in Slurm's queue: %1; estimated start %2").arg(why, start);
}

} // namespace scalebench
