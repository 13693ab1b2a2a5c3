// SPDX-License-Identifier: GPL-3.0-or-later
// What the Plan page says of the plan as it is: hints, problems, runs, time, commands.
#include "pages/plan/plan_page.h"

#include "base/shell_quote.h"
#include "machine/machines.h"
#include "pages/plan/plan_check.h"
#include "pages/plan/plan_chips.h"
#include "pages/plan/plan_edits.h"
#include "pages/plan/plan_form.h"
#include "pages/plan/plan_problems.h"
#include "pages/plan/plan_runs.h"
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
#include "work/latest_job.h"

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
    const bool remote = isRemote() && m_targetProblem.isEmpty();
    m_fields[QStringLiteral("shapes")]->setVisible(remote);
    m_fields[QStringLiteral("workers")]->setVisible(!remote);
    if (remote && !m_remote) // it is being read
        return;
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
    updateHints();
    if (!m_targetProblem.isEmpty()) {
        m_check->forget();
        m_startWanted = false;
        m_problems = {{Problem::Level::Error, QStringLiteral("machine"),
                       QStringLiteral("machine_unknown"), m_targetProblem}};
        showProblems({});
        m_summary->setText(tr("This plan cannot start yet"));
        m_runs->clear();
        return;
    }
    // Not probed yet: nothing is known to be wrong.
    if (!isTargetKnown()) {
        m_check->forget();
        m_start->setEnabled(false);
        m_summary->setText(isRemote() ? tr("Looking at the target machine…")
                                      : tr("Looking at this computer…"));
        return;
    }
    PlanQuestion question{m_spec, entrySpec(m_spec, m_entry), target(), m_history, {}};
    for (const TargetMachine& machine : m_session->targets())
        question.otherMachines << machine.name;
    m_check->ask([question] { return checkPlan(question); },
                 [this](const PlanAnswer& answer) { showAnswer(answer); });
}

void PlanPage::showAnswer(const PlanAnswer& answer)
{
    m_problems = m_form->problems() + answer.plan.problems;
    if (m_remote &&
        m_spec.shapes.isEmpty()) // the launcher would take the worker counts, hidden here
        m_problems.prepend({Problem::Level::Error, QStringLiteral("shapes"),
                            QStringLiteral("shapes_missing"),
                            tr("Choose at least one shape, for example one node with one "
                               "worker.")});
    showProblems(answer.shown);
    showPlan(answer);
    if (std::exchange(m_startWanted, false) && m_start->isEnabled())
        begin();
}

bool PlanPage::isChecked() const
{
    return !m_refreshTimer->isActive() && !m_check->isBusy() && !m_targetCheck->isBusy();
}

/// Of several workloads the one in the form has its own beside its fields; all are in the list.
void PlanPage::showProblems(const QList<Problem>& shown)
{
    const QList<Problem> here =
        m_spec.workloads.size() > 1 ? m_form->problems() + shown : m_problems;
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

void PlanPage::showPlan(const PlanAnswer& answer)
{
    if (answer.plan.failure()) {
        m_summary->setText(tr("This plan cannot start yet"));
        m_runs->clear();
        return;
    }
    m_summary->setText(answer.facts.join(QStringLiteral(" · ")));
    const auto commandOf = [this](const RunConfig& run) {
        QStringList lines;
        if (const auto words = cellArguments(m_spec, run))
            lines << remoteCommand(QStringList{QStringLiteral("scalebench")} + *words);
        lines << (m_remote ? remoteLine(run)
                           : localMpirunCommand(run, m_machine, QStringLiteral("runs/") + run.runId)
                                 .displayText());
        return lines;
    };
    m_runs->setRuns(answer.plan.runs, answer.leftOut, commandOf, wholeCommand());
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
