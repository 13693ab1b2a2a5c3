// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/ending_text.h"

#include "base/translated.h"
#include "machine/open_mpi.h"

#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <csignal>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QString describeSignal(int signal)
{
    switch (signal) {
    case SIGKILL:
        return Launcher::tr("signal 9, for example by the system when memory is full");
    case SIGTERM:
        return Launcher::tr("signal 15, somebody ended it");
    case SIGSEGV:
        return Launcher::tr("signal 11, it accessed memory that is not its own");
    case SIGABRT:
        return Launcher::tr("signal 6, it gave up on itself");
    case SIGBUS:
        return Launcher::tr("signal 7, for example when shared memory or the disk is full");
    case SIGILL:
        return Launcher::tr("signal 4, an instruction this processor does not have");
    case SIGFPE:
        return Launcher::tr("signal 8, an arithmetic error");
    default:
        return Launcher::tr("signal %1").arg(signal);
    }
}

QString usefulLauncherText(const QString& text)
{
    QStringList lines;
    for (const QString& raw : text.split(u'\n')) {
        const QString line = raw.trimmed();
        if (line.isEmpty() || line.startsWith("-----"_L1) || line.contains("@rsh-exit"_L1) ||
            isMpirunNoise(line))
            continue;
        lines << line;
    }
    return lines.join(u'\n');
}

static QString number(double value)
{
    const double shown = std::round(value * 10) / 10; // "39", and not "39.0"
    return QLocale().toString(shown, 'f', std::floor(shown) == shown ? 0 : 1);
}

QString whereItWas(const RunRecord& r)
{
    const double done = r.epochs.isEmpty() ? 0 : r.epochs.last().epoch;
    double at = done;
    if (!r.steps.isEmpty())
        at = std::max(at, r.steps.last().epoch);
    const auto complete = r.epochs.size();
    if (at <= 0)
        return Launcher::tr("before the first step; nothing was trained");
    return complete == 1 ? Launcher::tr("at epoch %1; 1 complete epoch is kept").arg(number(at))
                         : Launcher::tr("at epoch %1; %2 complete epochs are kept")
                               .arg(number(at))
                               .arg(complete);
}

QString hostOfRank(const RunRecord& r, int rank)
{
    for (const WorkerInfo& worker : r.workers)
        if (worker.rank == rank)
            return worker.host;
    return {};
}

QString describeEnding(const RankEnding& ending)
{
    switch (ending.how) {
    case RankEnding::How::Abort:
        return Launcher::tr("gave up (code %1)").arg(ending.code);
    case RankEnding::How::Code:
        return Launcher::tr("ended with exit code %1").arg(ending.code);
    case RankEnding::How::Unfinished:
        return Launcher::tr("ended in the midst of its work");
    case RankEnding::How::LostPeer:
        return Launcher::tr("lost its connection to another one, which had ended,");
    case RankEnding::How::Signal:
    case RankEnding::How::NotStarted:
        break;
    }
    return Launcher::tr("was killed (%1)").arg(describeSignal(ending.code));
}

QString rankEndedText(const RankEnding& ending, const QString& host, const RunRecord& run)
{
    const QString how = describeEnding(ending), where = whereItWas(run);
    if (ending.rank < 0)
        return Launcher::tr("One rank %1 %2.").arg(how, where);
    const QString rank = QString::number(ending.rank);
    return host.isEmpty() ? Launcher::tr("Rank %1 %2 %3.").arg(rank, how, where)
                          : Launcher::tr("Rank %1 on %2 %3 %4.").arg(rank, host, how, where);
}

QString deviceErrorText(const RunRecord& r, const QString& code, int rank)
{
    const QString host = hostOfRank(r, rank);
    const QString who = host.isEmpty()
                            ? Launcher::tr("rank %1").arg(rank)
                            : Launcher::tr("rank %1 on %2").arg(QString::number(rank), host);
    if (code == "device_error"_L1)
        return Launcher::tr(
                   "The GPU of %1 failed %2. Most likely the card, its power or its driver: the "
                   "kernel log there has the driver's line (dmesg | grep Xid). Resume the run, "
                   "without this GPU if it fails again.")
            .arg(who, whereItWas(r));
    if (code == "nccl"_L1)
        return Launcher::tr(
                   "The GPUs could not exchange gradients: NCCL failed on %1 %2. Most likely "
                   "another worker ended or NCCL chose a network that does not connect the nodes: "
                   "the machine's NCCL settings name one (SOCKET_IFNAME), and DEBUG=WARN tells "
                   "more.")
            .arg(who, whereItWas(r));
    if (code == "precision_unavailable"_L1)
        return Launcher::tr("%1 cannot be computed on the device \"%2\" of %3. Choose fp32 or "
                            "bf16, or fp16 on a GPU.")
            .arg(r.config.precision, r.config.device, who);
    return {};
}

std::optional<LostRank> lostRankIn(const QString& text)
{
    // Written by engine/dist/mpi/arrival_gate.cpp.
    static const QRegularExpression kLost(
        u"\\brank (\\d{1,9}) on (\\S{1,255}) ended before the others were done"_s);
    const auto match = kLost.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    return LostRank{match.captured(1).toInt(), match.captured(2)};
}

} // namespace scalebench
