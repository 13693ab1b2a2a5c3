// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan/plan_view.h"

#include "pages/plan/plan_edits.h"
#include "pages/plan/plan_estimate.h"
#include "pages/plan/plan_page.h"
#include "study/memory_need.h"

namespace scalebench {

static constexpr qint64 kLarge = 1000; ///< runs, some 50 us each

bool isLargePlan(const StudySpec& spec)
{
    return countOfRuns(spec) > kLarge;
}

PlannedView planView(const PlanQuestion& question)
{
    const StudySpec& spec = question.spec;
    PlannedView view;
    view.plan =
        planStudy(spec, question.machine, QStringLiteral("preview"), QStringLiteral("data"));
    view.here = spec.workloads.size() > 1
                    ? validate(entrySpec(spec, question.entry), question.machine)
                    : view.plan.problems;
    if (view.plan.failure())
        return view;
    view.leftOut = checkCells(spec, question.machine).leftOutCells;
    const QList<RunConfig>& runs = view.plan.runs;
    QStringList facts{PlanPage::tr("%n run(s)", nullptr, static_cast<int>(runs.size())),
                      estimateText(runs, question.history, spec),
                      energyText(runs, question.history, spec), checkpointText(runs),
                      memoryText(runs)};
    facts.removeAll(QString());
    view.summary = facts.join(QStringLiteral(" \u00b7 "));
    return view;
}

} // namespace scalebench
