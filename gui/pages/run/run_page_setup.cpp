// SPDX-License-Identifier: GPL-3.0-or-later
// The Run page's parts and what they listen to.
#include "pages/run/run_page.h"

#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "charts/metric_panel.h"
#include "figures/run_charts.h"
#include "models/run_queue_model.h"
#include "models/speedup_model.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "settings/app_settings.h"
#include "widgets/choice_box.h"
#include "widgets/data_table.h"
#include "widgets/elided_label.h"
#include "widgets/inline_bar.h"
#include "widgets/progress_delegate.h"
#include "widgets/queue_columns.h"
#include "widgets/widgets.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QMenu>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace scalebench {

void RunPage::setupEmpty()
{
    auto* empty = new QWidget;
    auto* column = new QVBoxLayout(empty);
    column->addWidget(m_emptyBar);
    column->addStretch(2);
    column->addWidget(makeLabel(tr("Nothing is running"), "title"), 0, Qt::AlignHCenter);
    column->addWidget(
        makeLabel(tr("Choose a workload and worker counts, then press Start."), "muted"), 0,
        Qt::AlignHCenter);
    column->addSpacing(10);
    auto* button = new QPushButton(tr("&Plan a study"));
    button->setProperty("primary", true);
    column->addWidget(button, 0, Qt::AlignHCenter);
    column->addStretch(3);
    connect(button, &QPushButton::clicked, m_session,
            [this] { m_session->showPage(page_id::kPlan); });
    m_stack->addWidget(empty);
}

void RunPage::setupHead(QVBoxLayout* column)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(9);
    row->addWidget(m_title);
    row->addWidget(m_chip);
    row->addWidget(m_state);
    row->addStretch(1);
    auto* menu = new QMenu(m_stop);
    menu->addAction(tr("Stop &after this run"), m_live, &LiveStudy::stopAfterRun);
    menu->addAction(tr("Stop &now"), m_live, &LiveStudy::stopNow);
    menu->addSeparator();
    menu->addAction(tr("&Leave running and disconnect"), m_live, &LiveStudy::leave);
    m_stop->setMenu(menu);
    m_stop->setProperty("danger", true);
    m_stop->setProperty("hasMenu", true);
    m_stop->setAccessibleName(tr("Stop the study"));
    m_export->setToolTip(tr("Write CSV files and pictures of this study into a folder"));
    setThemeIcon(m_pause, QStringLiteral("pause"));
    m_pause->setObjectName(QStringLiteral("pauseQueue"));
    m_resume->setObjectName(QStringLiteral("resumeStudy"));
    m_pause->hide();
    m_resume->hide();
    m_failed->setObjectName(QStringLiteral("runFailedAgain"));
    m_failed->hide();
    m_failed->setToolTip(tr("Run the failed runs again, and no others; from their last checkpoint "
                            "where there is one"));
    m_again->setObjectName(QStringLiteral("runDisturbedAgain"));
    m_again->hide();
    m_again->setToolTip(
        tr("Other work on this computer or its hosts disturbed some runs; run those "
           "again from the start. What they wrote is kept beside."));
    m_resume->setToolTip(tr("Run the failed and cancelled runs again, from their last checkpoint "
                            "where there is one"));
    row->addWidget(m_export);
    row->addWidget(m_failed);
    row->addWidget(m_again);
    row->addWidget(m_resume);
    row->addWidget(m_pause);
    row->addWidget(m_stop);
    column->addLayout(row);
    m_connectionBar->setAccessibleName(tr("Connection to the target machine"));
    column->addWidget(m_connectionBar);
    column->addWidget(m_bar);
    m_nodes->setWordWrap(true);
    m_nodes->hide();
    column->addWidget(m_nodes);
    connect(m_resume, &QPushButton::clicked, this, [this] { m_live->resume(m_live->study().dir); });
    connect(m_failed, &QPushButton::clicked, this,
            [this] { m_live->runAgain(m_live->study().dir, Requeue::Failed); });
    connect(m_again, &QPushButton::clicked, this,
            [this] { m_live->runAgain(m_live->study().dir, Requeue::Disturbed); });
    connect(m_pause, &QPushButton::clicked, this,
            [this] { m_live->isPaused() ? m_live->continueQueue() : m_live->pauseQueue(); });
    m_queueTable->setModel(m_queue);
    m_queueTable->view()->setItemDelegate(new ProgressDelegate(m_queueTable));
    m_queueTable->view()->setSortingEnabled(false);
    m_queueColumns = new QueueColumns(m_queueTable->view());
    connect(m_queueTable, &DataTable::selectionChanged, this, &Page::propertiesChanged);
    column->addWidget(m_queueTable);
    connect(m_export, &QPushButton::clicked, m_session, &Session::exportWanted);
}

void RunPage::setupCharts(QVBoxLayout* column)
{
    for (const auto& [axis, title] : runAxisChoices())
        m_axis->addItem(title, runAxisName(axis));
    m_axis->setAccessibleName(tr("What the x axis of accuracy and throughput shows"));
    m_axis->setCurrentIndex(std::max(0, m_axis->findData(AppSettings::instance().accuracyXAxis())));
    connect(m_axis, &QComboBox::currentIndexChanged, this, [this] {
        AppSettings::instance().setAccuracyXAxis(m_axis->currentData().toString());
        rebuildRunCharts();
    });
    m_accuracy->addHeadWidget(m_axis);
    connect(m_accuracy, &MetricPanel::metricChosen, this, &RunPage::rebuildRunCharts);
    m_accuracy->chartWidget()->linkX(m_throughput->chartWidget());
    m_accuracy->chartWidget()->linkX(m_hardware->chartWidget());
    auto* grid = new QGridLayout;
    grid->setSpacing(9);
    grid->addWidget(m_accuracy, 0, 0);
    grid->addWidget(m_speedup, 0, 1);
    grid->addWidget(m_throughput, 1, 0);
    grid->addWidget(m_split, 1, 1);
    grid->setColumnStretch(0, 3);
    grid->setColumnStretch(1, 2);
    grid->setRowStretch(0, 6);
    grid->setRowStretch(1, 5);
    grid->setRowMinimumHeight(0, 260);
    grid->setRowMinimumHeight(1, 220);
    column->addLayout(grid, 1);
    m_sentence->setWordWrap(true);
    column->addWidget(m_sentence);
    m_speedupTable->setModel(m_speedupModel);
    column->addWidget(m_speedupTable);
    constexpr int kHardwareHeight = 240; // below what a person looks at first
    m_hardware->setMinimumHeight(kHardwareHeight);
    m_hardwareChoice->setObjectName(QStringLiteral("hardwareChoice"));
    m_hardwareChoice->setAccessibleName(tr("What the chart of the hardware shows"));
    m_hardware->addHeadWidget(m_hardwareChoice);
    connect(m_hardwareChoice, &QComboBox::currentIndexChanged, this, &RunPage::refreshHardware);
    column->addWidget(m_hardware);
}

void RunPage::connectLive()
{
    connect(m_stepTimer, &QTimer::timeout, this, &RunPage::nextStep);
    m_slow->setSingleShot(true);
    m_slow->setInterval(kSlowMs);
    connect(m_slow, &QTimer::timeout, this, &RunPage::refreshNext);
    connect(m_live, &LiveStudy::started, this, &RunPage::rebuild);
    connect(m_live, &LiveStudy::runAdvanced, this, &RunPage::onAdvanced);
    connect(m_live, &LiveStudy::runRestarted, this, [this] {
        rebuildRunCharts(); // the earlier attempt's points are gone
        refreshSpeedup();
        refreshSlow();
    });
    connect(m_live, &LiveStudy::runStateChanged, this, [this](int index, RunState state) {
        if (state == RunState::Failed)
            showFailure(index);
        if (isFinal(state))
            refreshSpeedup();
        refreshNodes();
        m_advanced << index;
        m_part = 0; // of many runs states come together
        m_slow->start(0);
    });
    connect(m_live, &LiveStudy::connectionChanged, this, &RunPage::showConnection);
    connect(m_live, &LiveStudy::pauseChanged, this, &RunPage::refreshHead);
    connect(m_live, &LiveStudy::left, this, &RunPage::rebuild);
    connect(m_live, &LiveStudy::stopRequested, this, &RunPage::refreshHead);
    connect(m_live, &LiveStudy::finished, this, &RunPage::onFinished);
    connect(m_live, &LiveStudy::queuedEnded, this, [this] {
        if (m_bar->text() == nextText() && m_live->nextQueued().isEmpty())
            m_bar->clear();
    });
    const auto tell = [this](const Failure& failure) {
        bar()->showFailure(failure);
        m_session->showPage(page_id::kRun);
    };
    connect(m_live, &LiveStudy::refused, this, tell);
    connect(m_session, &Session::replayFailed, this, tell);
    connect(m_live, &LiveStudy::othersActive, this, [this](const QStringList& names) {
        m_bar->showMessage(InlineBar::Level::Info,
                           tr("This is the newest study. Also running: %1. Home lists all.")
                               .arg(names.join(QStringLiteral(", "))));
        m_bar->setAction(tr("Show Home"), [this] { m_session->showPage(page_id::kHome); });
    });
}

} // namespace scalebench
