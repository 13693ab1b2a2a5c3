// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run/run_page.h"

#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "charts/metric_panel.h"
#include "charts/run_charts.h"
#include "models/duration_text.h"
#include "models/run_queue_model.h"
#include "models/speedup_model.h"
#include "models/step_means.h"
#include "run/disturbance.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "settings/app_settings.h"
#include "widgets/data_table.h"
#include "widgets/elided_label.h"
#include "widgets/inline_bar.h"
#include "widgets/progress_delegate.h"
#include "widgets/widgets.h"

#include <QComboBox>
#include <QDateTime>
#include <QGridLayout>
#include <QHeaderView>
#include <QLocale>
#include <QMenu>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace scalebench {

namespace {
constexpr int kSlowMs = 500;
constexpr int kMaxQueueRows = 4;
constexpr int kGoodNewsMs = 8000;

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
      m_again(new QPushButton(tr("Run &disturbed again"))),
      m_stop(new QPushButton(tr("S&top"))),
      m_export(new QPushButton(tr("Export &all…"))),
      m_bar(new InlineBar),
      m_connectionBar(new InlineBar),
      m_nodes(makeLabel(QString(), "small")),
      m_queueTable(new DataTable(QString(), tr("Run queue"), false)),
      m_speedupTable(new DataTable(QString(), tr("Speedup table"), false)),
      m_sentence(makeLabel(QString(), "muted")),
      m_axis(new QComboBox),
      m_means(std::make_unique<StepMeans>()),
      m_accuracy(new MetricPanel),
      m_throughput(new ChartPanel(tr("Throughput"))),
      m_split(new ChartPanel(tr("Where a step's time goes"))),
      m_speedup(new ChartPanel(tr("Speedup"))),
      m_slow(new QTimer(this))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
    setupEmpty();
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* body = new QWidget;
    body->setObjectName(QStringLiteral("scrollBody"));
    scroll->setWidget(body);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(9);
    m_stack->addWidget(scroll);
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
    m_again->setObjectName(QStringLiteral("runDisturbedAgain"));
    m_again->hide();
    m_again->setToolTip(
        tr("Other work on this computer or its hosts disturbed some runs; run those "
           "again from the start. What they wrote is kept beside."));
    m_resume->setToolTip(tr("Run the failed and cancelled runs again, from their last checkpoint "
                            "where there is one"));
    row->addWidget(m_export);
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
    column->addWidget(m_queueTable);
    connect(m_export, &QPushButton::clicked, m_session, &Session::exportWanted);
}

void RunPage::setupCharts(QVBoxLayout* column)
{
    m_axis->addItem(tr("by epoch"), QStringLiteral("epoch"));
    m_axis->addItem(tr("by samples"), QStringLiteral("samples"));
    m_axis->addItem(tr("by time"), QStringLiteral("time"));
    m_axis->setAccessibleName(tr("What the x axis of accuracy and throughput shows"));
    m_axis->setCurrentIndex(std::max(0, m_axis->findData(AppSettings::instance().accuracyXAxis())));
    connect(m_axis, &QComboBox::currentIndexChanged, this, [this] {
        AppSettings::instance().setAccuracyXAxis(m_axis->currentData().toString());
        rebuildRunCharts();
    });
    m_accuracy->addHeadWidget(m_axis);
    connect(m_accuracy, &MetricPanel::metricChosen, this, &RunPage::rebuildRunCharts);
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
}

void RunPage::connectLive()
{
    m_slow->setSingleShot(true);
    m_slow->setInterval(kSlowMs);
    connect(m_slow, &QTimer::timeout, this, &RunPage::refreshSlow);
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
        refreshSlow();
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
    for (ChartPanel* panel :
         std::initializer_list<ChartPanel*>{m_accuracy, m_speedup, m_throughput, m_split}) {
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
        for (const ChartPanel* panel :
             std::initializer_list<const ChartPanel*>{m_accuracy, m_throughput, m_split, m_speedup})
            panel->chartWidget()->fit();
    if (!m_live->hasStudy())
        return;
    showConnection(m_live->connection());
    refreshNodes();
    sizeQueueColumns();
    m_queueTable->fitHeight(kMaxQueueRows);
    rebuildRunCharts();
    refreshSpeedup();
    refreshSlow();
    for (int i = 0; i < m_live->study().runs.size(); ++i) {
        if (m_live->study().runs[i].state == RunState::Failed)
            showFailure(i);
    }
    if (!m_live->isActive())
        showShortfall();
}

void RunPage::sizeQueueColumns()
{
    // As wide as the widest text each will ever hold: nothing moves or is cut while a run goes on.
    QTableView* view = m_queueTable->view();
    const QFontMetrics metrics(view->font());
    const auto width = [&](int column, const QString& widest, int extra) {
        const QString head =
            m_queue->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        QFont bold(view->font());
        bold.setBold(true);
        view->setColumnWidth(column, std::max(metrics.horizontalAdvance(widest) + extra,
                                              QFontMetrics(bold).horizontalAdvance(head) + 20));
    };
    constexpr int kPadding = 20;
    QString longest;
    for (int row = 0; row < m_queue->rowCount(); ++row) {
        const QString label = m_queue->index(row, RunQueueModel::Run).data().toString();
        if (label.size() > longest.size())
            longest = label;
    }
    width(RunQueueModel::Run, longest, kPadding + 8);
    width(RunQueueModel::State, runStateTitle(RunState::NotConverged), kPadding + 24);
    width(RunQueueModel::Epoch, tr("%1 of %2").arg(QStringLiteral("88.8")).arg(888), kPadding);
    width(RunQueueModel::Quality, QStringLiteral("88.8 %"), kPadding);
    width(RunQueueModel::Throughput, QStringLiteral("88,888"), kPadding);
    width(RunQueueModel::Time, durationText(59 * 60 + 59), kPadding);
    width(RunQueueModel::Eta, durationRangeText(72), kPadding);
}

void RunPage::rebuildRunCharts()
{
    if (!m_live->hasStudy())
        return;
    const RunAxis axis = runAxisFromName(m_axis->currentData().toString());
    m_accuracy->setStudy(m_live->study(), axis);
    m_throughput->setChart(throughputChart(m_live->study(), axis));
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
            x << axisValue(point, axis);
            y << point.samplesPerSecond;
        }
        m_throughput->chartWidget()->appendPoints(series, x, y);
    }
    if (!m_slow->isActive())
        m_slow->start();
}

void RunPage::refreshSlow()
{
    m_slow->stop();
    for (int row = 0; row < m_queue->rowCount(); ++row)
        m_queue->refreshRow(row);
    m_split->setChart(stepSplitChart(m_means->summary(m_live->study())));
    refreshHead();
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

QString RunPage::stateLine() const
{
    const int current = m_live->currentRun();
    const auto& runs = m_live->study().runs;
    if (current < 0 && m_live->isActive() && m_live->isPaused())
        return tr("%n run(s) wait until you continue the queue", nullptr,
                  static_cast<int>(runs.size()) - m_live->finishedRuns());
    if (current < 0 || current >= runs.size())
        return tr("%1 of %n run(s) finished", nullptr, static_cast<int>(runs.size()))
            .arg(m_live->finishedRuns());
    const RunRecord& run = runs[current];
    if (!run.waiting.isEmpty() && run.state == RunState::Starting)
        return tr("Run %1 of %2 waits: %3").arg(current + 1).arg(runs.size()).arg(run.waiting);
    QString text =
        tr("Run %1 of %2: %3").arg(current + 1).arg(runs.size()).arg(m_live->runLabel(current));
    if (run.steps.isEmpty() && run.phase == QLatin1String("data"))
        text += tr(", preparing data");
    else if (run.steps.isEmpty())
        text += tr(", starting");
    if (const QString eta = durationRangeText(m_live->etaSeconds()); !eta.isEmpty())
        text += tr(" · all done in %1").arg(eta);
    return text;
}

void RunPage::refreshHead()
{
    const Study& study = m_live->study();
    m_title->setFullText(study.spec.name.isEmpty() ? study.id : study.spec.name);
    const bool active = m_live->isActive();
    if (active) {
        const bool holds = m_live->isStopping() || m_live->isPaused();
        setChip(m_chip,
                m_live->isStopping() ? tr("stopping")
                : m_live->isPaused() ? tr("queue paused")
                                     : tr("running"),
                holds ? QStringLiteral("warn") : QStringLiteral("accent"));
    } else {
        RunState worst = RunState::Completed;
        for (const RunRecord& run : study.runs) {
            if (run.state == RunState::Failed ||
                (worst != RunState::Failed && run.state != RunState::Completed))
                worst = run.state;
        }
        setChip(m_chip, runStateTitle(worst), stateChip(worst));
    }
    m_state->setFullText(stateLine());
    refreshButtons();
    m_queueTable->view()->setColumnHidden(RunQueueModel::Eta, !active);
    m_export->setEnabled(m_live->finishedRuns() > 0);
}

void RunPage::refreshButtons()
{
    const auto& runs = m_live->study().runs;
    const bool active = m_live->isActive();
    const auto any = [&runs](auto wanted) { return std::any_of(runs.begin(), runs.end(), wanted); };
    m_stop->setVisible(active);
    m_stop->setEnabled(!m_live->isStopping());
    m_pause->setVisible(active && !m_live->isStopping() &&
                        (m_live->isPaused() ||
                         any([](const RunRecord& run) { return run.state == RunState::Queued; })));
    m_pause->setText(m_live->isPaused() ? tr("Continue &queue") : tr("Pause &queue"));
    m_pause->setToolTip(m_live->isPaused() ? tr("Start the next run")
                                           : tr("The run that is going on ends as usual; the next "
                                                "one waits"));
    m_resume->setVisible(!active && any([](const RunRecord& run) {
        return run.state == RunState::Failed || run.state == RunState::Cancelled;
    }));
    m_again->setVisible(!active && any([](const RunRecord& run) {
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
        if (m_wasLost) {
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
            << (node.clean ? node.host : QStringLiteral("%1: %2").arg(node.host, node.text));
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
    refreshSpeedup();
    rebuildRunCharts();
    refreshSlow();
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
    failure.message = QStringLiteral("%1: %2").arg(m_live->runLabel(index), failure.message);
    m_bar->showFailure(failure);
    m_bar->setAction(tr("Show log"), [this] { Q_EMIT m_session->logWanted(); });
}

} // namespace scalebench
