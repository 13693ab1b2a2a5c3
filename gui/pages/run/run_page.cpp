// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run/run_page.h"

#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "charts/metric_panel.h"
#include "figures/run_charts.h"
#include "models/duration_text.h"
#include "models/run_queue_model.h"
#include "models/speedup_model.h"
#include "models/step_means.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "settings/app_settings.h"
#include "widgets/choice_box.h"
#include "widgets/data_table.h"
#include "widgets/elided_label.h"
#include "widgets/inline_bar.h"
#include "widgets/progress_delegate.h"
#include "widgets/widgets.h"

#include <QDir>
#include <QGridLayout>
#include <QHeaderView>
#include <QMenu>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace scalebench {

namespace {
constexpr int kSlowMs = 500;
constexpr int kSlowParts = 4;
constexpr int kBetweenPartsMs = 20; ///< frames are drawn meanwhile
constexpr int kMaxQueueRows = 4;
constexpr int kFewRuns = 12; ///< whose charts are made in a part of a frame
} // namespace

RunPage::RunPage(Session* session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_live(session->live()),
      m_queue(session->queue()),
      m_speedupModel(new SpeedupModel(this)),
      m_stack(new QStackedWidget),
      m_title(new ElidedLabel("section")),
      m_chip(makeChip(QString(), QStringLiteral("neutral"))),
      m_state(new ElidedLabel("muted")),
      m_pause(new QPushButton(tr("Pause &queue"))),
      m_resume(new QPushButton(tr("&Resume"))),
      m_failed(new QPushButton(tr("Run &failed again"))),
      m_again(new QPushButton(tr("Run &disturbed again"))),
      m_stop(new QPushButton(tr("S&top"))),
      m_export(new QPushButton(tr("Export &all…"))),
      m_bar(new InlineBar),
      m_connectionBar(new InlineBar),
      m_nodes(makeLabel(QString(), "small")),
      m_queueTable(new DataTable(QString(), tr("Run queue"), false)),
      m_speedupTable(new DataTable(QString(), tr("Speedup table"), false)),
      m_sentence(makeLabel(QString(), "muted")),
      m_axis(new ChoiceBox),
      m_means(std::make_unique<StepMeans>()),
      m_accuracy(new MetricPanel),
      m_throughput(new ChartPanel(tr("Throughput"))),
      m_split(new ChartPanel(tr("Where a step's time goes"))),
      m_hardware(new ChartPanel(tr("Processors"))),
      m_hardwareChoice(new ChoiceBox),
      m_speedup(new ChartPanel(tr("Speedup"))),
      m_slow(new QTimer(this)),
      m_stepTimer(new QTimer(this))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
    setupEmpty();
    QVBoxLayout* const column = addScrolledColumn(m_stack);
    setupHead(column);
    setupCharts(column);
    connectLive();
    rebuild();
}

RunPage::~RunPage() = default;

void RunPage::setupEmpty()
{
    auto* empty = new QWidget;
    auto* column = new QVBoxLayout(empty);
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
    m_queueTable->view()->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_queueTable->view()->horizontalHeader()->setStretchLastSection(false);
    m_queueTable->view()->horizontalHeader()->setSectionResizeMode(RunQueueModel::Progress,
                                                                   QHeaderView::Stretch);
    m_queueTable->view()->viewport()->installEventFilter(this);
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
    connect(m_live, &LiveStudy::refused, this, [this](const Failure& failure) {
        m_bar->showFailure(failure);
        m_session->showPage(page_id::kRun);
    });
    connect(m_live, &LiveStudy::othersActive, this, [this](const QStringList& names) {
        m_bar->showMessage(InlineBar::Level::Info,
                           tr("This is the newest study. Also running: %1. Home lists all.")
                               .arg(names.join(QStringLiteral(", "))));
        m_bar->setAction(tr("Show Home"), [this] { m_session->showPage(page_id::kHome); });
    });
}

QString RunPage::nextText()
{
    return tr("The next study of the queue goes on.");
}

void RunPage::takeOver(Page& before)
{
    const auto& other = static_cast<const RunPage&>(before);
    while (!m_steps.isEmpty() && m_live->hasStudy())
        nextStep();
    if (m_live->hasStudy()) {
        m_accuracy->takeOver(*other.m_accuracy);
        m_hardwareChoice->setCurrentIndex(
            std::max(0, m_hardwareChoice->findData(other.m_hardwareChoice->currentData())));
    }
    Page::takeOver(before);
}

ShownStudy RunPage::shownStudy() const
{
    return {m_live->finishedRuns() > 0 ? m_live->study().dir : QString(), std::nullopt};
}

ChartPanel* RunPage::accuracy() const
{
    return m_accuracy;
}

ChartPanel* RunPage::currentChart()
{
    for (ChartPanel* panel : std::initializer_list<ChartPanel*>{m_accuracy, m_speedup, m_throughput,
                                                                m_split, m_hardware}) {
        if (panel->isAncestorOf(focusWidget()))
            return panel;
    }
    return m_accuracy;
}

void RunPage::rebuild()
{
    m_stack->setCurrentIndex(m_live->hasStudy() ? 1 : 0);
    m_queue->setStudy(m_live->hasStudy() ? &m_live->study() : nullptr);
    m_bar->clear();
    m_connectionBar->clear();
    m_wasLost = false;
    // What was zoomed into in one study means nothing in another.
    if (std::exchange(m_shownStudy, m_live->study().dir) != m_live->study().dir)
        for (const ChartPanel* panel : std::initializer_list<const ChartPanel*>{
                 m_accuracy, m_throughput, m_split, m_speedup, m_hardware}) {
            panel->chartWidget()->setSubject(QDir::cleanPath(m_live->study().dir));
            panel->chartWidget()->fit();
        }
    m_steps.clear();
    Q_EMIT propertiesChanged();
    if (!m_live->hasStudy())
        return;
    showConnection(m_live->connection());
    refreshNodes();
    refreshHead();
    m_queueTable->fitHeight(kMaxQueueRows);
    inSteps({&RunPage::sizeQueueColumns, &RunPage::rebuildAccuracy, &RunPage::rebuildThroughput,
             &RunPage::refreshHardware, &RunPage::refreshSpeedup, &RunPage::refreshSplit});
    for (int i = 0; i < m_live->study().runs.size(); ++i) {
        if (m_live->study().runs[i].state == RunState::Failed)
            showFailure(i);
    }
}

/// Of many runs each takes a part of a frame, so that each is an event of its own.
void RunPage::inSteps(const QList<void (RunPage::*)()>& steps)
{
    m_steps = steps;
    if (m_live->study().runs.size() > kFewRuns)
        return m_stepTimer->start(0);
    while (!m_steps.isEmpty())
        nextStep();
}

bool RunPage::isSettled() const
{
    return m_steps.isEmpty() && !m_slow->isActive();
}

void RunPage::nextStep()
{
    if (m_steps.isEmpty() || !m_live->hasStudy())
        return m_stepTimer->stop();
    const auto step = m_steps.takeFirst();
    (this->*step)();
}

void RunPage::rebuildRunCharts()
{
    if (!m_live->hasStudy())
        return;
    rebuildAccuracy();
    rebuildThroughput();
    refreshSplit();
    refreshHardware();
}

void RunPage::rebuildAccuracy()
{
    m_accuracy->setStudy(m_live->study(), runAxisFromName(m_axis->currentData().toString()));
}

/// Of the runs whose metric is shown: another workload's samples are no measure of theirs.
void RunPage::rebuildThroughput()
{
    m_throughput->setChart(throughputChart(m_live->study(),
                                           runAxisFromName(m_axis->currentData().toString()),
                                           m_accuracy->shownRuns()));
}

void RunPage::refreshSplit()
{
    m_split->setChart(
        stepSplitChart(withRuns(m_means->summary(m_live->study()), m_accuracy->shownRuns())));
}

void RunPage::onAdvanced(int index, const RunDelta& delta)
{
    const RunAxis axis = runAxisFromName(m_axis->currentData().toString());
    const RunRecord& run = m_live->study().runs[index];
    m_accuracy->appendTo(run, delta.evals, axis);
    const int series = m_throughput->chartWidget()->indexOfSeries(run.config.runId);
    if (series >= 0 && !delta.steps.isEmpty()) {
        QVector<double> x, y;
        for (const StepPoint& point : delta.steps) {
            x << axisValue(run, point, axis);
            y << point.samplesPerSecond;
        }
        m_throughput->chartWidget()->appendPoints(series, x, y);
    }
    m_advanced << index;
    if (!m_slow->isActive())
        m_slow->start(kSlowMs);
}

/// What is dear and need not be of this moment, in parts.
void RunPage::refreshPart(int part)
{
    switch (part) {
    case 0:
        for (const int row : std::exchange(m_advanced, {}))
            m_queue->refreshRow(row);
        refreshHead();
        Q_EMIT propertiesChanged();
        break;
    case 1:
        refreshSplit();
        break;
    case 2:
        refreshHardware();
        break;
    default:
        if (m_accuracy->isBand())
            rebuildAccuracy();
    }
}

/// All of it at once.
void RunPage::refreshSlow()
{
    m_slow->stop();
    m_part = 0;
    for (int row = 0; row < m_queue->rowCount(); ++row)
        m_advanced << row;
    for (int part = 0; part < kSlowParts; ++part)
        refreshPart(part);
}

/// An event for each part while points come: of many runs they take longer together than a frame
/// lasts.
void RunPage::refreshNext()
{
    refreshPart(m_part);
    m_part = (m_part + 1) % kSlowParts;
    if (m_part > 0)
        m_slow->start(kBetweenPartsMs);
}

void RunPage::refreshSpeedup()
{
    const Study& study = m_live->study();
    const auto rows = speedupTable(study.runs);
    m_speedup->setChart(speedupChart(study, rows));
    m_speedupModel->setRows(rows);
    const bool any = std::any_of(rows.begin(), rows.end(), [](const SpeedupRow& row) {
        return row.runs > 0 || row.notConverged > 0;
    });
    m_speedupTable->setVisible(any);
    const QList<int> idle = m_speedupModel->idleColumns();
    for (int column = 0; column < SpeedupModel::ColumnCount; ++column)
        m_speedupTable->view()->setColumnHidden(column, idle.contains(column));
    m_speedupTable->spreadColumns();
    m_speedupTable->fitHeight(kMaxQueueRows);
    const bool grouped = std::any_of(rows.begin(), rows.end(), [&rows](const SpeedupRow& row) {
        return row.group != rows.first().group;
    });
    QStringList sentences;
    for (const SpeedupRow& row : rows) {
        if (!row.baseline && row.speedup > 0)
            sentences << (grouped ? QStringLiteral("%1: %2").arg(row.group, explainRow(row))
                                  : explainRow(row));
    }
    m_sentence->setText(sentences.join(QLatin1Char('\n')));
    m_sentence->setVisible(!sentences.isEmpty());
}

} // namespace scalebench
