// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan/plan_check.h"

#include "library/plan_estimate.h"
#include "pages/plan/plan_page.h"
#include "study/memory_need.h"

namespace scalebench {

PlanAnswer checkPlan(const PlanQuestion& question)
{
    PlanAnswer answer;
    const StudySpec& spec = question.spec;
    answer.plan =
        planStudy(spec, question.machine, QStringLiteral("preview"), QStringLiteral("data"));
    if (spec.workloads.size() > 1)
        answer.shown = validate(question.shown, question.machine);
    if (answer.plan.failure())
        return answer;
    answer.leftOut = checkCells(spec, question.machine).leftOutCells;
    const QList<RunConfig>& runs = answer.plan.runs;
    const QList<RunSummary> history =
        historyOf(question.history, spec.machine, question.otherMachines);
    answer.facts = QStringList{PlanPage::tr("%n run(s)", nullptr, static_cast<int>(runs.size())),
                               estimateText(runs, history, spec), energyText(runs, history, spec),
                               checkpointText(runs), memoryText(runs)};
    answer.facts.removeAll(QString());
    return answer;
}

} // namespace scalebench
