// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/live_text.h"

#include "library/library.h"
#include "run/disturbance.h"
#include "session/live_study.h"
#include "settings/language.h"

#include <QCoreApplication>

namespace scalebench {

namespace {
class LiveTextTexts
{
    Q_DECLARE_TR_FUNCTIONS(LiveStudy)
};
} // namespace

StudySummary summaryOf(const Study& study)
{
    StudySummary summary;
    summary.id = study.id;
    summary.name = study.spec.name;
    summary.dir = study.dir;
    summary.runs = static_cast<int>(study.runs.size());
    for (const RunRecord& run : study.runs) {
        ++summary.states[run.state];
        summary.finishedRuns += isFinal(run.state) ? 1 : 0;
        summary.disturbedRuns += isFinal(run.state) && isDisturbed(run) ? 1 : 0;
        summary.origin = run.origin;
    }
    return summary;
}

static QString runText(const LiveStudy& live, int current)
{
    const auto& runs = live.study().runs;
    const RunRecord& run = runs[current];
    const bool stops = live.isStopping();
    if (!stops && !run.waiting.isEmpty() && run.state == RunState::Starting)
        return LiveTextTexts::tr("Run %1 of %2 waits: %3")
            .arg(current + 1)
            .arg(runs.size())
            .arg(shownText(run.waiting));
    const QString line = (stops ? LiveTextTexts::tr("Stopping run %1 of %2: %3")
                                : LiveTextTexts::tr("Run %1 of %2: %3"))
                             .arg(current + 1)
                             .arg(runs.size())
                             .arg(live.runLabel(current));
    if (stops || !run.steps.isEmpty())
        return line;
    return (run.phase == QLatin1String("data") ? LiveTextTexts::tr("%1, preparing data")
                                               : LiveTextTexts::tr("%1, starting"))
        .arg(line);
}

QString liveStateText(const LiveStudy& live)
{
    if (!live.hasStudy())
        return live.isActive() ? LiveTextTexts::tr("Starting…") : QString();
    const int current = live.currentRun();
    if (current >= 0)
        return runText(live, current);
    if (!live.isActive())
        return stateText(summaryOf(live.study()));
    if (live.isPaused())
        return LiveTextTexts::tr("%n run(s) wait until you continue the queue", nullptr,
                                 static_cast<int>(live.study().runs.size()) - live.finishedRuns());
    return LiveTextTexts::tr("Starting…");
}

} // namespace scalebench
