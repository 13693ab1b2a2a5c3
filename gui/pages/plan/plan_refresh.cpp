// SPDX-License-Identifier: GPL-3.0-or-later
// What the Plan page says of the plan as it is: hints, problems, runs, time, commands.
#include "pages/plan/plan_page.h"

#include "base/shell_quote.h"
#include "machine/machines.h"
#include "pages/plan/plan_chips.h"
#include "pages/plan/plan_edits.h"
#include "pages/plan/plan_estimate.h"
#include "pages/plan/plan_form.h"
#include "pages/plan/plan_problems.h"
#include "pages/plan/plan_runs.h"
#include "pages/plan/plan_view.h"
#include "session/background.h"
#include "session/session.h"
#include "study/dimensions.h"
#include "study/study_command.h"
#include "study/workload_catalog.h"
#include "supervise/launch_command.h"
#include "widgets/form_field.h"
#include "widgets/shape_matrix.h"
#include "widgets/widgets.h"
#include "widgets/worker_matrix.h"
#include "widgets/workload_card.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace scalebench {

void PlanPage::updateHints()
{
    const StudySpec view = entrySpec(m_spec, m_entry);
    const Workload* workload = WorkloadCatalog::instance().find(view.workload);
    QList<const Workload*> planned;
    const QStringList ids = m_spec.workloadIds();
    for (const QString& id : ids)
        planned << WorkloadCatalog::instance().find(id);
    m_form->setPreset(view.workload, view.scale);
    m_form->setOffers(planned, view.device);
    m_form->setOwner(m_spec.workloads.size() < 2 ? QString()
                     : workload                  ? workload->title
                                                 : view.workload);
    const QStringList varying = view.settings.keys();
    m_form->setVarying({varying.begin(), varying.end()});
    m_chips->show(m_spec, m_entry);
    m_form->setNameHint(defaultName());
    for (WorkloadCard* card : std::as_const(m_cards)) {
        const bool current = card->workloadId() == view.workload;
        const int entry = current ? m_entry : entryOf(m_spec, card->workloadId());
        card->setPlanned(entry >= 0, current,
                         entry >= 0 ? entrySpec(m_spec, entry).scale : QString());
    }
    m_fields[QStringLiteral("shapes")]->setVisible(m_remote.has_value());
    m_fields[QStringLiteral("workers")]->setVisible(!m_remote);
    if (m_remote) {
        m_shapes->setMachine(*m_remote, m_form->oversubscribe());
        m_fields[QStringLiteral("shapes")]->setHint(shapesHint());
        return;
    }
    m_matrix->setLimit(m_machine.cores, m_form->oversubscribe(),
                       tr("This computer has %n core(s). Tick “Allow more workers than cores” "
                          "under More settings to try it anyway.",
                          nullptr, m_machine.cores));
    if (m_machine.cores > 0)
        m_fields[QStringLiteral("workers")]->setHint(
            tr("This computer has %n core(s); a worker is one process with its own share of them.",
               nullptr, m_machine.cores));
}

void PlanPage::refresh()
{
    m_refreshTimer->stop();
    ++m_planNumber; // what is being planned is of a plan that is no more
    updateHints();
    if (!m_targetProblem.isEmpty()) {
        m_problems = {{Problem::Level::Error, QStringLiteral("machine"),
                       QStringLiteral("machine_unknown"), m_targetProblem}};
        showProblems(m_problems);
        m_summary->setText(tr("This plan cannot start yet"));
        m_runs->clear();
        return;
    }
    if (!m_remote && m_machine.cores == 0) { // not probed yet: nothing is known to be wrong
        m_start->setEnabled(false);
        m_summary->setText(tr("Looking at this computer…"));
        return;
    }
    QStringList others;
    for (const TargetMachine& machine : m_session->targets())
        others << machine.name;
    const PlanQuestion question{m_spec, m_entry, target(),
                                historyOf(m_history, m_spec.machine, others)};
    if (!isLargePlan(m_spec)) {
        showPlan(planView(question));
        return;
    }
    m_start->setEnabled(false);
    m_summary->setText(tr("Planning very many runs…"));
    m_runs->clear();
    inBackground(
        this, [question] { return planView(question); },
        [this, number = m_planNumber](const PlannedView& planned) {
            if (number == m_planNumber)
                showPlan(planned);
        });
}

void PlanPage::showProblems(const QList<Problem>& here)
{
    QMap<QString, Problem> byField;
    for (const Problem& problem : here) {
        const bool error = problem.level == Problem::Level::Error;
        if (problem.leftOut)
            continue; // the list names them
        const QString key = problem.field == QLatin1String("batch_table")
                                ? QStringLiteral("global_batch")
                                : problem.field;
        if (m_fields.contains(key) &&
            (!byField.contains(key) || (error && byField[key].level != Problem::Level::Error)))
            byField.insert(key, problem);
    }
    for (auto it = m_fields.begin(); it != m_fields.end(); ++it) {
        const bool has = byField.contains(it.key());
        it.value()->setMessage(has ? byField[it.key()].message : QString(),
                               has && byField[it.key()].level == Problem::Level::Error);
    }
    m_problemList->setProblems(m_problems);
    const auto error = std::find_if(m_problems.begin(), m_problems.end(), [](const Problem& p) {
        return p.level == Problem::Level::Error;
    });
    m_start->setEnabled(error == m_problems.end());
    m_start->setToolTip(error != m_problems.end() ? error->message
                        : m_queueing              ? tr("Starts once the machine is free (Ctrl+R)")
                                                  : tr("Start the study (Ctrl+R)"));
}

void PlanPage::showPlan(const PlannedView& planned)
{
    const StudyPlan& plan = planned.plan;
    m_problems = m_form->problems() + plan.problems;
    if (m_remote &&
        m_spec.shapes.isEmpty()) // the launcher would take the worker counts, hidden here
        m_problems.prepend({Problem::Level::Error, QStringLiteral("shapes"),
                            QStringLiteral("shapes_missing"),
                            tr("Choose at least one shape, for example one node with one "
                               "worker.")});
    // Of several workloads the one in the form has its own beside its fields; all are in the list.
    showProblems(m_spec.workloads.size() > 1 ? m_form->problems() + planned.here : m_problems);
    if (plan.failure()) {
        m_summary->setText(tr("This plan cannot start yet"));
        m_runs->clear();
        return;
    }
    m_summary->setText(planned.summary);
    const auto commandOf = [this](const RunConfig& run) {
        QStringList lines;
        if (const auto words = cellArguments(m_spec, run))
            lines << remoteCommand(QStringList{QStringLiteral("scalebench")} + *words);
        lines << (m_remote ? remoteLine(run)
                           : localMpirunCommand(run, m_machine, QStringLiteral("runs/") + run.runId)
                                 .displayText());
        return lines;
    };
    m_runs->setRuns(plan.runs, planned.leftOut, commandOf, wholeCommand());
}

/// What to type in a terminal for the same study.
QString PlanPage::wholeCommand() const
{
    if (const std::optional<QStringList> words = runArguments(m_spec))
        return remoteCommand(QStringList{QStringLiteral("scalebench")} + *words);
    if (m_file.isEmpty() || isModified())
        return {}; // once it is saved
    return remoteCommand({QStringLiteral("scalebench"), QStringLiteral("study"), m_file});
}

} // namespace scalebench
