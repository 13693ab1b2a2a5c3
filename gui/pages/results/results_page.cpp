// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/results/results_page.h"

#include "analysis/run_groups.h"
#include "figures/run_labels.h"
#include "models/run_properties.h"
#include "models/run_table_model.h"
#include "models/run_tree_model.h"
#include "pages/results/run_detail.h"
#include "run/run_series.h"
#include "run/stream_faults.h"
#include "run/study_files.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "settings/app_settings.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"
#include "widgets/progress_delegate.h"
#include "widgets/widgets.h"
#include "work/background.h"

#include <QAction>
#include <QDir>
#include <QHeaderView>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace scalebench {

namespace {
const QString kSplitterKey = QStringLiteral("results_splitter");
} // namespace

ResultsPage::ResultsPage(Session* session, QWidget* parent)
    : Page(parent),
      m_session(session),
      m_model(new RunTableModel(this)),
      m_table(new DataTable(QStringLiteral("runs"), tr("Runs of the library"), true)),
      m_groups(new RunTreeModel(this)),
      m_tree(new QTreeView),
      m_detail(new RunDetail),
      m_bar(new InlineBar),
      m_stack(new QStackedWidget),
      m_splitter(new QSplitter(Qt::Vertical))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(8);
    column->addWidget(m_bar);
    column->addWidget(m_stack, 1);
    setupEmpty();
    auto* top = new QWidget;
    setupTable(top);
    m_splitter->addWidget(top);
    m_splitter->addWidget(m_detail);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 3);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(8);
    m_splitter->restoreState(AppSettings::instance().viewState(kSplitterKey));
    m_stack->addWidget(m_splitter);
    connectSession();
}

ResultsPage::~ResultsPage()
{
    AppSettings::instance().setViewState(kSplitterKey, m_splitter->saveState());
}

void ResultsPage::setupEmpty()
{
    auto* empty = new QWidget;
    auto* column = new QVBoxLayout(empty);
    column->addStretch(2);
    column->addWidget(makeLabel(tr("No results yet"), "title"), 0, Qt::AlignHCenter);
    auto* kept = makeLabel(tr("Every run you start is kept here with its settings, environment "
                              "and files."),
                           "muted");
    kept->setWordWrap(true);
    kept->setAlignment(Qt::AlignCenter);
    column->addWidget(kept);
    auto* others = makeLabel(tr("Results of others: drop MLPerf logs, bundles, TensorBoard "
                                "files or tables onto the window."),
                             "muted");
    others->setWordWrap(true);
    others->setAlignment(Qt::AlignCenter);
    column->addWidget(others);
    auto* button = new QPushButton(tr("&Plan a study"));
    button->setProperty("primary", true);
    column->addSpacing(10);
    column->addWidget(button, 0, Qt::AlignHCenter);
    column->addStretch(3);
    connect(button, &QPushButton::clicked, m_session,
            [this] { m_session->showPage(page_id::kPlan); });
    m_stack->addWidget(empty);
}

void ResultsPage::setupTable(QWidget* top)
{
    auto* column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_table->addOtherView(m_tree);
    column->addWidget(m_table, 1);
    auto* row = new QHBoxLayout;
    row->addWidget(setupTree());
    auto* hint = makeLabel(tr("Select several rows to overlay or compare them."), "small");
    hint->setWordWrap(true);
    row->addWidget(hint, 1);
    m_tag = new QToolButton;
    m_tag->setObjectName(QStringLiteral("tagStudy"));
    m_tag->setProperty("outlined", true);
    m_tag->setAccessibleName(tr("Tags and note"));
    setThemeIcon(m_tag, QStringLiteral("tag"));
    row->addWidget(m_tag);
    connect(m_tag, &QToolButton::clicked, this, &ResultsPage::annotate);
    auto* trash = new QToolButton;
    trash->setObjectName(QStringLiteral("trashStudy"));
    trash->setProperty("outlined", true);
    trash->setToolTip(tr("Put the studies of the selected runs in the trash (Delete)"));
    trash->setAccessibleName(tr("Put in the trash"));
    setThemeIcon(trash, QStringLiteral("trash"));
    row->addWidget(trash);
    connect(trash, &QToolButton::clicked, this, &ResultsPage::putAway);
    m_compare = new QPushButton(tr("&Compare"));
    m_compare->setObjectName(QStringLiteral("compareRuns"));
    m_compare->setToolTip(tr("Two or more selected runs: ratios with intervals, and what differs"));
    m_again = new QPushButton(tr("Run a&gain…"));
    m_again->setObjectName(QStringLiteral("runAgain"));
    m_scaling = new QPushButton(tr("Show &scaling"));
    m_scaling->setObjectName(QStringLiteral("showScaling"));
    row->addWidget(m_compare);
    row->addWidget(m_again);
    row->addWidget(m_scaling);
    column->addLayout(row);
    m_table->setModel(m_model);
    QTableView* view = m_table->view();
    view->setItemDelegate(new ProgressDelegate(m_table));
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setMinimumHeight(130);
    m_away = new QAction(tr("Put the study in the trash"), view);
    m_away->setShortcut(QKeySequence::Delete);
    m_away->setShortcutContext(Qt::WidgetShortcut);
    view->addAction(m_away);
    connect(m_away, &QAction::triggered, this, &ResultsPage::putAway);
    connect(m_away, &QAction::enabledChanged, trash, &QWidget::setEnabled);
    updateActions();
    connect(m_table, &DataTable::selectionChanged, this, &ResultsPage::onSelection);
    connect(m_table, &DataTable::selectionChanged, this, &Page::shownStudyChanged);
    connect(m_table, &DataTable::selectionChanged, this, &ResultsPage::markInTree);
    connect(m_compare, &QPushButton::clicked, this, [this] {
        QStringList dirs;
        for (const int at : m_table->selectedSourceRows())
            dirs << m_model->run(at).runDir;
        m_session->compareRuns(dirs);
    });
    connect(m_again, &QPushButton::clicked, this, [this] {
        if (const QString dir = selectedStudyDir(); !dir.isEmpty())
            m_session->planLike(dir);
    });
    connect(m_scaling, &QPushButton::clicked, this, [this] {
        if (const QString dir = selectedStudyDir(); !dir.isEmpty())
            m_session->scaleStudy(dir);
    });
}

void ResultsPage::setRuns(const QList<RunSummary>& runs)
{
    if (std::exchange(m_loadFailed, false))
        m_bar->clear();
    m_libraryRuns = runs;
    QList<RunSummary> sorted = runs;
    for (const RunSummary& guest : std::as_const(m_guests)) {
        const bool known = std::any_of(runs.begin(), runs.end(), [&guest](const RunSummary& run) {
            return QDir::cleanPath(run.runDir) == guest.runDir;
        });
        if (!known)
            sorted << guest;
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const RunSummary& a, const RunSummary& b) {
        return a.createdMs > b.createdMs;
    });
    constexpr int kFewRows = 10; // too few to tell how wide columns should be
    const bool first = m_model->rowCount() < kFewRows;
    QStringList selected;
    for (const int row : m_table->selectedSourceRows())
        selected << m_model->run(row).runDir;
    m_model->setRuns(sorted);
    fillTree();
    m_stack->setCurrentIndex(sorted.isEmpty() ? 0 : 1);
    if (first && AppSettings::instance().viewState(QStringLiteral("runs")).isEmpty()) {
        for (const int column : {RunTableModel::Nodes, RunTableModel::Seed, RunTableModel::Repeat,
                                 RunTableModel::Device, RunTableModel::Batch, RunTableModel::Target,
                                 RunTableModel::Scale, RunTableModel::StudyId})
            m_table->view()->setColumnHidden(column, true);
        m_table->view()->resizeColumnsToContents();
        constexpr int kWidestStudy = 280;
        if (m_table->view()->columnWidth(RunTableModel::Study_) > kWidestStudy)
            m_table->view()->setColumnWidth(RunTableModel::Study_, kWidestStudy);
    }
    selectRuns(selected, false);
    selectWanted();
    selectSomething();
}

void ResultsPage::setLoadError(const Failure& failure)
{
    m_loadFailed = true;
    m_bar->showFailure(failure);
}

void ResultsPage::setReadOnly(const QString& dir)
{
    m_readOnly = !dir.isEmpty();
    updateActions();
    if (!dir.isEmpty() && std::exchange(m_readOnlyDir, dir) != dir)
        m_bar->showMessage(
            InlineBar::Level::Info,
            tr("The library %1 may not be written to: its studies can be looked at and exported; "
               "to run new ones, choose another with File, Library folder.")
                .arg(dir));
    else if (dir.isEmpty() && !m_readOnlyDir.isEmpty())
        m_bar->clear(); // it may be written to again
    m_readOnlyDir = dir;
}

void ResultsPage::showStudy(const QString& studyDir)
{
    const QString dir = QDir::cleanPath(studyDir);
    m_wanted = dir.isEmpty() ? QStringList() : QStringList{dir};
    selectWanted();
    const bool known = std::any_of(m_libraryRuns.begin(), m_libraryRuns.end(),
                                   [runs = dir + QStringLiteral("/runs/")](const RunSummary& run) {
                                       return QDir::cleanPath(run.runDir).startsWith(runs);
                                   });
    if (dir.isEmpty() || known)
        return;
    // Studies outside the library join the list as guests of this session.
    inBackground(
        this, [dir] { return loadStudy(dir); },
        [this, dir](const Result<Study>& study) {
            if (!study) {
                m_bar->showFailure(study.failure());
                return;
            }
            addGuests(study.value());
            m_wanted = {dir};
            setRuns(m_libraryRuns);
        });
}

void ResultsPage::addGuests(const Study& study)
{
    const RunSeries series(study.runs);
    for (qsizetype i = 0; i < study.runs.size(); ++i) {
        const RunRecord& run = study.runs[i];
        const QString runDir = QDir::cleanPath(run.runDir);
        m_guests.removeIf([&runDir](const RunSummary& guest) { return guest.runDir == runDir; });
        RunSummary guest;
        guest.studyId = study.id;
        guest.studyName = study.spec.name;
        guest.runId = run.config.runId;
        guest.runDir = runDir;
        guest.workload = run.config.workload;
        guest.scale = run.config.scale;
        guest.device = run.config.device;
        guest.precision = run.config.precision;
        guest.nodes = run.config.nodes;
        guest.workers = run.config.workers;
        guest.globalBatch = run.config.globalBatch;
        guest.repeat = run.config.repeat;
        guest.seed = run.config.seed;
        guest.state = run.state;
        guest.quality = run.bestQuality();
        guest.target = run.config.target.value_or(-1);
        guest.epochs = run.epochsToTarget();
        guest.timeToTrainS = hasTime(run) ? run.timeToTrainS() : 0;
        guest.samplesPerSecond = run.throughput;
        guest.createdMs = run.createdMs;
        guest.variant = series.variant(series.seriesOf(static_cast<int>(i)));
        guest.machine = run.workers.isEmpty() ? QString() : run.workers.first().deviceName;
        guest.marks = markKeys(run);
        m_guests << guest;
    }
}

PageProperties ResultsPage::properties() const
{
    const RunDetailData& shown = m_detail->data();
    const auto count = static_cast<int>(shown.study.runs.size());
    if (count == 0)
        return {};
    if (count > 1)
        return {tr("%n run(s)", nullptr, count), runDifferences(shown.study.runs)};
    const RunRecord& run = shown.study.runs.first();
    return {run.config.runId, runProperties(run, shown.system), runSubjects({run}).first()};
}

ChartPanel* ResultsPage::currentChart()
{
    return m_detail->currentChart();
}

void ResultsPage::focusFilter()
{
    m_table->focusFilter();
}

} // namespace scalebench
