// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/ending_text.h"

#include "machine/open_mpi.h"

#include <QLocale>
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
        return u"signal 9, for example by the system when memory is full"_s;
    case SIGTERM:
        return u"signal 15, somebody ended it"_s;
    case SIGSEGV:
        return u"signal 11, it accessed memory that is not its own"_s;
    case SIGABRT:
        return u"signal 6, it gave up on itself"_s;
    case SIGBUS:
        return u"signal 7, for example when shared memory or the disk is full"_s;
    case SIGILL:
        return u"signal 4, an instruction this processor does not have"_s;
    case SIGFPE:
        return u"signal 8, an arithmetic error"_s;
    default:
        return u"signal %1"_s.arg(signal);
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
    return QLocale::c().toString(value, 'f', std::floor(value) == value ? 0 : 1);
}

QString whereItWas(const RunRecord& r)
{
    const double done = r.epochs.isEmpty() ? 0 : r.epochs.last().epoch;
    double at = done;
    if (!r.steps.isEmpty())
        at = std::max(at, r.steps.last().epoch);
    const auto complete = r.epochs.size();
    if (at <= 0)
        return u"before the first step; nothing was trained"_s;
    return u"at epoch %1; %2 complete %3 kept"_s.arg(number(at))
        .arg(complete)
        .arg(complete == 1 ? u"epoch is"_s : u"epochs are"_s);
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
        return u"gave up (code %1)"_s.arg(ending.code);
    case RankEnding::How::Code:
        return u"ended with exit code %1"_s.arg(ending.code);
    case RankEnding::How::Unfinished:
        return u"ended in the midst of its work"_s;
    case RankEnding::How::LostPeer:
        return u"lost its connection to another one, which had ended,"_s;
    case RankEnding::How::Signal:
    case RankEnding::How::NotStarted:
        break;
    }
    return u"was killed (%1)"_s.arg(describeSignal(ending.code));
}

} // namespace scalebench
