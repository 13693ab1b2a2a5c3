// SPDX-License-Identifier: GPL-3.0-or-later
// What a study and its runs came to, in words.
#include "base/translated.h"
#include "library/library.h"
#include "run/run_series.h"

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QString stateText(const StudySummary& study)
{
    const auto count = [&](RunState state) { return study.states.value(state); };
    const int going =
        count(RunState::Starting) + count(RunState::Running) + count(RunState::Stopping);
    if (study.supervised && going > 0)
        return Launcher::tr("running, %1 of %2 done").arg(study.finishedRuns).arg(study.runs);
    if (study.supervised)
        return Launcher::tr("waiting, %1 of %2 done").arg(study.finishedRuns).arg(study.runs);
    const int completed = count(RunState::Completed);
    const int runs = study.runs;
    QStringList parts;
    if (completed < runs && study.origin.isEmpty())
        parts << Launcher::tr("%1 of %n run(s) completed", nullptr, runs).arg(completed);
    else
        parts << Launcher::tr("%n run(s)", nullptr, runs);
    const auto add = [&](int n, const char* text) {
        if (n > 0 && study.origin.isEmpty())
            parts << Launcher::tr(text).arg(n);
    };
    add(count(RunState::NotConverged), QT_TRANSLATE_NOOP("Launcher", "%1 not converged"));
    add(count(RunState::Failed), QT_TRANSLATE_NOOP("Launcher", "%1 failed"));
    add(count(RunState::Unreadable), QT_TRANSLATE_NOOP("Launcher", "%1 not readable"));
    add(count(RunState::Cancelled), QT_TRANSLATE_NOOP("Launcher", "%1 cancelled"));
    add(runs - study.finishedRuns, QT_TRANSLATE_NOOP("Launcher", "%1 not run"));
    add(study.disturbedRuns, QT_TRANSLATE_NOOP("Launcher", "%1 disturbed"));
    return parts.join(u", "_s);
}

QString marksText(const RunSummary& run)
{
    QStringList texts(run.marks.size());
    std::transform(run.marks.begin(), run.marks.end(), texts.begin(), markText);
    return texts.join(u", "_s);
}

} // namespace scalebench
