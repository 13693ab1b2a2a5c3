// SPDX-License-Identifier: GPL-3.0-or-later
// The Run page's head and queue: what the study does, what can be done with it, and what a person
// must know.
#include "pages/run/run_page.h"

#include "base/duration_text.h"
#include "charts/chart_panel.h"
#include "figures/run_charts.h"
#include "models/run_properties.h"
#include "models/run_queue_model.h"
#include "run/disturbance.h"
#include "run/run_status.h"
#include "session/live_study.h"
#include "session/live_text.h"
#include "session/session.h"
#include "settings/language.h"
#include "widgets/data_table.h"
#include "widgets/elided_label.h"
#include "widgets/inline_bar.h"
#include "widgets/queue_columns.h"
#include "widgets/widgets.h"

#include <QComboBox>
#include <QDateTime>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableView>
#include <QTimer>

#include <algorithm>

namespace scalebench {

static constexpr int kGoodNewsMs = 8000;

void RunPage::sizeQueueColumns()
{
    m_queueColumns->size();
}

void RunPage::refreshHardware()
{
    const auto choices = hardwareChoices(m_live->study());
    if (choices.size() != m_hardwareChoice->count()) { // a run told of something new
        const QSignalBlocker blocker(m_hardwareChoice);
        const QVariant chosen = m_hardwareChoice->currentData();
        m_hardwareChoice->clear();
        for (const auto& [quantity, title] : choices)
            m_hardwareChoice->addItem(title, static_cast<int>(quantity));
        m_hardwareChoice->setCurrentIndex(std::max(0, m_hardwareChoice->findData(chosen)));
        m_hardwareChoice->setVisible(choices.size() > 1);
    }
    const auto quantity = static_cast<HardwareQuantity>(m_hardwareChoice->currentData().toInt());
    m_hardware->setTitle(m_hardwareChoice->currentText());
    m_hardware->setChart([this, quantity] {
        return hardwareChart(m_live->study(), runAxisFromName(m_axis->currentData().toString()),
                             quantity);
    });
}

QString RunPage::stateLine() const
{
    const QString text = liveStateText(*m_live);
    const QString eta =
        m_live->currentRun() >= 0 ? durationRangeText(m_live->etaSeconds()) : QString();
    return eta.isEmpty() ? text : tr("%1 · all done in %2").arg(text, eta);
}

void RunPage::refreshHead()
{
    const Study& study = m_live->study();
    m_title->setFullText(study.spec.name.isEmpty() ? study.id : study.spec.name);
    const bool active = m_live->isActive();
    if (active) {
        const bool holds = m_live->isStopping() || m_live->isPaused();
        setChip(m_chip,
                m_live->isReplay()     ? tr("recording")
                : m_live->isStopping() ? tr("stopping")
                : m_live->isPaused()   ? tr("queue paused")
                                       : tr("running"),
                holds ? QStringLiteral("warn") : QStringLiteral("accent"));
    } else {
        RunState worst = RunState::Completed;
        for (const RunRecord& run : study.runs) {
            if (run.state == RunState::Failed ||
                (worst != RunState::Failed && run.state != RunState::Completed))
                worst = run.state;
        }
        setChip(m_chip, m_live->isReplay() ? tr("recording") : runStateTitle(worst),
                stateChip(worst));
    }
    m_state->setFullText(stateLine());
    refreshButtons();
    m_queueTable->view()->setColumnHidden(RunQueueModel::Eta, !m_live->isTraining());
    if (const bool noted = m_queue->hasNotes();
        noted == m_queueTable->view()->isColumnHidden(RunQueueModel::Note)) {
        m_queueTable->view()->setColumnHidden(RunQueueModel::Note, !noted);
        if (noted && m_queueColumns->isSized()) // it was measured while nothing stood there
            sizeQueueColumns();
    }
    m_export->setEnabled(m_live->finishedRuns() > 0);
}

void RunPage::refreshButtons()
{
    const bool active = m_live->isTraining();
    const LiveStudy::Choices choices = m_live->choices();
    m_stop->setVisible(active);
    m_stop->setEnabled(!m_live->isStopping());
    m_pause->setVisible(choices.pause);
    m_pause->setText(m_live->isPaused() ? tr("Continue &queue") : tr("Pause &queue"));
    m_pause->setToolTip(m_live->isPaused() ? tr("Start the next run")
                                           : tr("The run that is going on ends as usual; the next "
                                                "one waits"));
    m_resume->setVisible(choices.resume);
    m_failed->setVisible(choices.failedAgain);
    const auto& runs = m_live->study().runs;
    m_again->setVisible(!m_live->isActive() && !m_live->isReplay() &&
                        std::any_of(runs.begin(), runs.end(), [](const RunRecord& run) {
                            return isFinal(run.state) && run.origin.isEmpty() && isDisturbed(run);
                        }));
}

void RunPage::showConnection(const ConnectionState& state)
{
    if (!state.remote) {
        m_connectionBar->clear();
        return;
    }
    const QString at = QLocale().toString(QDateTime::fromMSecsSinceEpoch(state.sinceMs).time(),
                                          QStringLiteral("HH:mm"));
    if (state.connected) {
        m_connectionBar->clear();
        refreshHead(); // whether the queue over there is paused
        if (!state.text.isEmpty()) {
            m_connectionBar->showMessage(InlineBar::Level::Warning, state.text);
        } else if (m_wasLost) {
            m_connectionBar->showMessage(
                InlineBar::Level::Info,
                tr("Connected again at %1; what was measured meanwhile is here.").arg(at));
            QTimer::singleShot(kGoodNewsMs, this, [this] {
                if (!m_wasLost)
                    m_connectionBar->clear();
            });
        }
        m_wasLost = false;
        return;
    }
    if (state.tries == 0 && state.text.isEmpty()) {
        m_connectionBar->clear(); // the first connection is being made
        return;
    }
    m_wasLost = true;
    m_connectionBar->showMessage(InlineBar::Level::Warning,
                                 tr("Disconnected at %1. The run continues; reconnecting (try %2).")
                                     .arg(at)
                                     .arg(state.tries),
                                 state.text);
    m_connectionBar->setAction(tr("Now"), [this] { m_live->reconnectNow(); });
    m_connectionBar->setOtherAction(tr("Leave it"), [this] { m_live->leave(); });
}

void RunPage::refreshNodes()
{
    // The last run that has ended on hosts: are they free again?
    const RunRecord* last = nullptr;
    const auto& runs = m_live->study().runs;
    for (const RunRecord& run : runs) {
        if (!run.nodeEnds.isEmpty() && (!last || run.finishedMs >= last->finishedMs))
            last = &run;
    }
    m_nodes->setVisible(last != nullptr);
    if (!last)
        return;
    QStringList clean, unclear;
    for (const NodeEnd& node : last->nodeEnds)
        (node.clean ? clean : unclear)
            << (node.clean ? node.host
                           : QStringLiteral("%1: %2").arg(node.host, shownText(node.text)));
    const QString label = m_live->runLabel(static_cast<int>(last - runs.data()));
    QString text = unclear.isEmpty()
                       ? tr("%1: nothing left on %2.").arg(label, clean.join(QStringLiteral(", ")))
                       : tr("%1: %2.").arg(label, unclear.join(QStringLiteral("; ")));
    if (!unclear.isEmpty() && !clean.isEmpty())
        text += QLatin1Char(' ') + tr("Nothing left on %1.").arg(clean.join(QStringLiteral(", ")));
    setStyleProperty(m_nodes, "role",
                     unclear.isEmpty() ? QStringLiteral("small") : QStringLiteral("warning"));
    m_nodes->setText(text);
}

void RunPage::onFinished()
{
    m_connectionBar->clear();
    m_slow->stop();
    m_part = 0;
    for (int row = 0; row < m_queue->rowCount(); ++row)
        m_advanced << row;
    refreshPart(0);
    inSteps({&RunPage::sizeQueueColumns, &RunPage::refreshSpeedup, &RunPage::rebuildAccuracy,
             &RunPage::rebuildThroughput, &RunPage::refreshHardware, &RunPage::refreshSplit});
    showShortfall();
    if (const QString next = m_live->nextQueued(); !next.isEmpty()) {
        m_bar->showMessage(InlineBar::Level::Info, nextText());
        m_bar->setAction(tr("Show it"), [this, next] { m_live->attach(next); });
    }
}

void RunPage::showShortfall()
{
    // A failure is there already and says more.
    const Study& study = m_live->study();
    const bool missed = std::any_of(study.runs.begin(), study.runs.end(), [](const RunRecord& run) {
        return run.state == RunState::NotConverged;
    });
    if (!missed || !m_bar->text().isEmpty())
        return;
    m_bar->showMessage(InlineBar::Level::Warning, speedupNote(study));
    m_bar->setAction(tr("Plan again…"), [this, dir = study.dir] { m_session->planLike(dir); });
}

void RunPage::showFailure(int index)
{
    const RunRecord& run = m_live->study().runs[index];
    Failure failure = run.failure;
    if (failure.message.isEmpty())
        failure.message = tr("The run failed. The log tells more.");
    failure.message =
        QStringLiteral("%1: %2").arg(m_live->runLabel(index), shownText(failure.message));
    m_bar->showFailure(failure);
    m_bar->setAction(tr("Show log"), [this] { Q_EMIT m_session->logWanted(); });
}

/// Of the run that is picked out in the queue, else of the one that goes on, else of the study.
PageProperties RunPage::properties() const
{
    if (!m_live->hasStudy())
        return {};
    const Study& study = m_live->study();
    const int row = m_queueTable->selectedSourceRows().value(0, m_live->currentRun());
    if (row < 0 || row >= study.runs.size())
        return {study.spec.name.isEmpty() ? study.id : study.spec.name, studyProperties(study)};
    return {m_live->runLabel(row), runProperties(study.runs[row]),
            runSubjects(study.runs).value(row)};
}

} // namespace scalebench
