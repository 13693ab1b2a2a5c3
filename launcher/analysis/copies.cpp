// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/copies.h"

#include "analysis/means.h"
#include "analysis/ratio_interval.h"
#include "run/stream_faults.h"

#include <QMap>

#include <algorithm>

namespace scalebench {

namespace {

/// Of a run's time, beside another one: less is a queue's hand-over.
constexpr double kSideBySide = 0.8;

QString firstHost(const RunRecord& run)
{
    return run.workers.isEmpty() ? QString() : run.workers.first().host;
}

bool isBeside(const RunRecord& run, const RunRecord& other)
{
    if (&run == &other || run.config.workers != other.config.workers ||
        firstHost(run) != firstHost(other))
        return false;
    const auto shared = double(std::min(run.finishedMs, other.finishedMs) -
                               std::max(run.startedMs, other.startedMs));
    return shared >= kSideBySide * double(run.finishedMs - run.startedMs);
}

} // namespace

CopiesFound copiesTogether(const QList<const RunRecord*>& runs)
{
    QList<const RunRecord*> timed;
    for (const RunRecord* run : runs)
        if (hasTime(*run) && run->startedMs > 0 && run->finishedMs > run->startedMs)
            timed << run;
    CopiesFound found;
    QMap<std::pair<int, int>, QList<double>> times; // by workers and copies
    for (const RunRecord* run : std::as_const(timed)) {
        const auto others =
            std::count_if(timed.begin(), timed.end(),
                          [run](const RunRecord* other) { return isBeside(*run, *other); });
        if (others == 0)
            continue;
        found.runs << run;
        times[{run->config.workers, static_cast<int>(others) + 1}] << run->timeToTrainS();
    }
    for (auto it = times.begin(); it != times.end(); ++it)
        found.measured << CopiesTogether{it.key().first, it.key().second,
                                         static_cast<int>(it.value().size()),
                                         olympicMean(it.value())};
    return found;
}

} // namespace scalebench
