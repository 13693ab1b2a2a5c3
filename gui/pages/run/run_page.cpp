// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run/run_page.h"

#include "base/duration_text.h"
#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "charts/metric_panel.h"
#include "figures/run_charts.h"
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
#include "widgets/widgets.h"

#include <QDir>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace scalebench {

namespace {
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
      m_resume(new QPushButton(tr("Resu&me"))),
      m_failed(new QPushButton(tr("Run fa&iled again"))),
      m_again(new QPushButton(tr("Run &disturbed again"))),
      m_stop(new QPushButton(tr("S&top"))),
      m_export(new QPushButton(tr("Export &all…"))),
      m_bar(new InlineBar),
      m_emptyBar(new InlineBar),
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
}

ShownStudy RunPage::shownStudy() const
{
    return {m_live->finishedRuns() > 0 ? m_live->study().dir : QString(), std::nullopt};
}

InlineBar* RunPage::bar() const
{
    return m_live->hasStudy() ? m_bar : m_emptyBar;
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
    m_emptyBar->clear();
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
    m_resumes.clear();
    Q_EMIT propertiesChanged();
    if (!m_live->hasStudy())
        return;
    for (int i = 0; i < m_live->study().runs.size(); ++i)
        m_resumes.insert(i, m_live->study().runs[i].resumes);
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
    if (m_live->isReplay()) {
        m_bar->showMessage(InlineBar::Level::Info,
                           tr("A recording, shown again: nothing is trained, and all times are "
                              "those of the recording."));
        m_bar->setAction(tr("Published results"), [this] { m_session->showPublished(); });
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
    m_throughput->setChart([this] {
        return throughputChart(m_live->study(), runAxisFromName(m_axis->currentData().toString()),
                               m_accuracy->shownRuns());
    });
}

void RunPage::refreshSplit()
{
    m_split->setChart([this] {
        return stepSplitChart(withRuns(m_means->summary(m_live->study()), m_accuracy->shownRuns()));
    });
}

void RunPage::onAdvanced(int index, const RunDelta& delta)
{
    const RunAxis axis = runAxisFromName(m_axis->currentData().toString());
    const RunRecord& run = m_live->study().runs[index];
    if (m_resumes.value(index) != run.resumes) {
        // "run again" became "resumed": its name in the legends is another.
        m_resumes.insert(index, run.resumes);
        rebuildAccuracy();
        rebuildThroughput();
        m_advanced << index;
        if (!m_slow->isActive())
            m_slow->start(kSlowMs);
        return;
    }
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
        // An empty chart says what is awaited.
        const QString awaited = noPointsText(m_live->study());
        const auto isStale = [&awaited](const ChartPanel* panel) {
            return panel->chart().isEmpty() && panel->chart().emptyText != awaited;
        };
        if (m_accuracy->isBand() || isStale(m_accuracy))
            rebuildAccuracy();
        if (isStale(m_throughput))
            rebuildThroughput();
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
    m_speedup->setChart([this, rows] { return speedupChart(m_live->study(), rows); });
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
            sentences << (grouped && !row.group.isEmpty()
                              ? QStringLiteral("%1: %2").arg(row.group, explainRow(row))
                              : explainRow(row));
    }
    m_sentence->setText(sentences.join(QLatin1Char('\n')));
    m_sentence->setVisible(!sentences.isEmpty());
}

} // namespace scalebench
