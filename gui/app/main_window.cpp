// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/main_window.h"

#include "base/plain_text.h"

#include "app/activity_bar.h"
#include "app/background.h"
#include "app/live_study.h"
#include "app/study_journal.h"
#include "charts/chart_panel.h"
#include "charts/run_charts.h"
#include "machine/this_computer.h"
#include "models/run_queue_model.h"
#include "pages/compare/compare_page.h"
#include "pages/home/home_page.h"
#include "pages/machines/machines_page.h"
#include "pages/plan/plan_page.h"
#include "pages/results/results_page.h"
#include "pages/run/run_page.h"
#include "pages/scaling/scaling_page.h"
#include "settings/app_settings.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"
#include "widgets/log_view.h"
#include "widgets/progress_delegate.h"
#include "widgets/widgets.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>

namespace scalebench {

namespace {
constexpr int kStateVersion = 1;
constexpr int kStatusMs = 500;
constexpr int kDockHeight = 190;
constexpr int kMeasureOtherWorkMs = 5000;
const QSize kDefaultSize(1280, 800);

/// As large as the screen allows, with room for the window's frame and title, which are unknown
/// before it is shown.
QSize defaultSize(const QWidget& window)
{
    constexpr int kFrame = 12, kTitle = 40;
    const QRect room = window.screen()->availableGeometry();
    return kDefaultSize.boundedTo(room.size() - QSize(kFrame, kTitle));
}

struct LibraryLists {
    QList<StudySummary> studies;
    QList<RunSummary> runs;
    QList<TrashedStudy> trash;
    QString readOnlyDir; ///< where it is, if it may not be written to
    std::optional<Failure> failure;
};

LibraryLists readLibrary(const LibraryPlace& place)
{
    LibraryLists lists;
    auto library = place.open();
    if (!library) {
        lists.failure = library.failure();
        return lists;
    }
    auto studies = library.value()->studies();
    auto runs = library.value()->runs();
    if (!studies || !runs) {
        lists.failure = studies ? runs.failure() : studies.failure();
        return lists;
    }
    lists.studies = studies.value();
    lists.runs = runs.value();
    lists.trash = trashedStudies(*library.value());
    if (library.value()->isReadOnly())
        lists.readOnlyDir = library.value()->dir();
    return lists;
}

struct LogPiece {
    QString run, source, text;
};

/// The last part of each log that the runs left.
QList<LogPiece> readLogs(const QStringList& runDirs, const QStringList& labels)
{
    constexpr qint64 kTail = 64 * 1024;
    constexpr qsizetype kMostLogs = 1000; ///< of a run
    QList<LogPiece> pieces;
    for (qsizetype i = 0; i < runDirs.size(); ++i) {
        const auto files =
            QDir(runDirs[i])
                .entryInfoList({QStringLiteral("launcher.txt"), QStringLiteral("stderr_*.txt")},
                               QDir::Files | QDir::NoSymLinks, QDir::Name);
        for (const QFileInfo& info : files.first(std::min<qsizetype>(files.size(), kMostLogs))) {
            QFile file(info.absoluteFilePath());
            if (!file.open(QIODevice::ReadOnly))
                continue;
            file.seek(std::max<qint64>(0, file.size() - kTail));
            const QString text = visibleText(QString::fromUtf8(file.read(kTail)));
            if (!text.trimmed().isEmpty())
                pieces.append({labels.value(i), info.fileName(), text});
        }
    }
    return pieces;
}

} // namespace

MainWindow::MainWindow(const CommandLine& commandLine, QWidget* parent)
    : QMainWindow(parent),
      m_commandLine(commandLine),
      m_live(new LiveStudy(this)),
      m_queueModel(new RunQueueModel(this)),
      m_bar(new ActivityBar),
      m_stack(new QStackedWidget),
      m_home(new HomePage),
      m_machines(new MachinesPage),
      m_plan(new PlanPage),
      m_run(new RunPage(m_live, m_queueModel)),
      m_results(new ResultsPage),
      m_compare(new ComparePage),
      m_scaling(new ScalingPage),
      m_log(new LogView),
      m_logDock(new QDockWidget(tr("Log"), this)),
      m_queueDock(new QDockWidget(tr("Run queue"), this)),
      m_queueTable(new DataTable(QStringLiteral("queue_dock"), tr("Run queue"), false)),
      m_pageActions(new QActionGroup(this)),
      m_statusText(new QLabel),
      m_statusOthers(new QToolButton),
      m_statusEta(new QLabel),
      m_statusProgress(new QProgressBar),
      m_statusTimer(new QTimer(this))
{
    setAcceptDrops(true);
    const QString chosen = AppSettings::instance().libraryDir();
    m_live->setLibrary(commandLine.libraryDir.isEmpty()
                           ? LibraryPlace{chosen, !chosen.isEmpty()}
                           : LibraryPlace{commandLine.libraryDir, false});
    m_askHowToClose = [this] {
        const Study& study = m_live->study();
        return askHowToClose(this, study.spec.name.isEmpty() ? study.id : study.spec.name);
    };
    setupPages();
    setupDocks();
    setupStatusBar();
    setupActions();
    connectPages();
    connectLive();
    restoreLayout();
    updateTitle();
    updateStatus();
    QTimer::singleShot(0, this, &MainWindow::load);
    auto* measure = new QTimer(this);
    connect(measure, &QTimer::timeout, this, &MainWindow::measureOtherWork);
    measure->start(kMeasureOtherWorkMs);
}

MainWindow::~MainWindow() = default;

void MainWindow::setupPages()
{
    auto* central = new QWidget;
    auto* row = new QHBoxLayout(central);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_bar);
    row->addWidget(m_stack, 1);
    for (Page* p : std::initializer_list<Page*>{m_home, m_machines, m_plan, m_run, m_results,
                                                m_compare, m_scaling})
        m_stack->addWidget(p);
    setCentralWidget(central);
}

void MainWindow::setupDocks()
{
    m_logDock->setObjectName(QStringLiteral("logDock"));
    m_logDock->setWidget(m_log);
    m_queueDock->setObjectName(QStringLiteral("queueDock"));
    m_queueTable->setModel(m_queueModel);
    m_queueTable->view()->setItemDelegate(new ProgressDelegate(m_queueTable));
    m_queueDock->setWidget(m_queueTable);
    addDockWidget(Qt::BottomDockWidgetArea, m_logDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_queueDock);
    tabifyDockWidget(m_logDock, m_queueDock);
    resizeDocks({m_logDock, m_queueDock}, {kDockHeight, kDockHeight}, Qt::Vertical);
    m_logDock->hide();
    m_queueDock->hide();
}

void MainWindow::setupStatusBar()
{
    m_statusProgress->setMaximumWidth(190);
    m_statusProgress->setRange(0, 1000);
    m_statusProgress->setTextVisible(false);
    m_statusText->setContentsMargins(8, 0, 0, 0);
    m_statusProgress->setAccessibleName(tr("Progress of the study"));
    statusBar()->addWidget(m_statusText, 1);
    m_statusOthers->setObjectName(QStringLiteral("othersRunning"));
    m_statusOthers->setAccessibleName(tr("Studies that run unseen"));
    m_statusOthers->hide();
    connect(m_statusOthers, &QToolButton::clicked, this, [this] { showPage(Home); });
    statusBar()->addPermanentWidget(m_statusOthers);
    statusBar()->addPermanentWidget(m_statusEta);
    statusBar()->addPermanentWidget(m_statusProgress);
    m_statusTimer->setInterval(kStatusMs);
    connect(m_statusTimer, &QTimer::timeout, this, &MainWindow::updateStatus);
}

void MainWindow::connectPages()
{
    connect(m_home, &HomePage::planRequested, this, [this] { showPage(Plan); });
    connect(m_home, &HomePage::allWorkloadsRequested, this, [this] {
        m_plan->planAllWorkloads();
        showPage(Plan);
    });
    connect(m_home, &HomePage::resultsRequested, this, [this] { showPage(Results); });
    connect(m_home, &HomePage::exampleRequested, this, &MainWindow::showExample);
    connect(m_home, &HomePage::studyRequested, this, [this](const QString& dir, bool active) {
        if (active) {
            m_live->attach(dir);
            showPage(Run);
        } else {
            openStudyFolder(dir);
        }
    });
    connect(m_machines, &MachinesPage::machinesChanged, this,
            [this] { m_plan->setTargets(m_machines->savedMachines()); });
    connect(m_machines, &MachinesPage::planRequested, this, [this](const QString& machine) {
        m_plan->chooseTarget(machine);
        showPage(Plan);
    });
    connect(m_plan, &PlanPage::machinesRequested, this, [this](const QString& machine) {
        m_machines->select(machine.isEmpty() ? localMachineName() : machine);
        showPage(Machines);
    });
    m_plan->setTargets(m_machines->savedMachines());
    connect(m_plan, &PlanPage::titleChanged, this, &MainWindow::updateTitle);
    connect(m_plan, &PlanPage::startRequested, this,
            [this](const StudySpec& spec) { m_live->start(spec, m_machine); });
    connect(m_run, &RunPage::planRequested, this, [this] { showPage(Plan); });
    connect(m_run, &RunPage::exportAllRequested, this, &MainWindow::exportAll);
    connect(m_run, &RunPage::logRequested, this, [this] {
        m_logDock->show();
        m_logDock->raise();
    });
    connect(m_results, &ResultsPage::refreshRequested, this, &MainWindow::refreshLibrary);
    connect(m_results, &ResultsPage::selectionChanged, this, &MainWindow::updateStatus);
    connect(m_results, &ResultsPage::annotationRequested, this, &MainWindow::editAnnotation);
    connect(m_results, &ResultsPage::planRequested, this, [this] { showPage(Plan); });
    connect(m_results, &ResultsPage::scalingRequested, this, [this](const QString& dir) {
        m_scaling->showStudy(dir);
        showPage(Scaling);
    });
    connect(m_results, &ResultsPage::compareRequested, this, [this](const QStringList& runDirs) {
        m_compare->compareRuns(runDirs);
        showPage(Compare);
    });
    connect(m_results, &ResultsPage::trashRequested, this, &MainWindow::putAway);
    connect(m_compare, &ComparePage::refreshRequested, this, &MainWindow::refreshLibrary);
    connect(m_compare, &ComparePage::resultsRequested, this, [this] { showPage(Results); });
    connect(m_results, &ResultsPage::replanRequested, this, &MainWindow::replan);
    connect(m_run, &RunPage::replanRequested, this, &MainWindow::replan);
    connect(m_scaling, &ScalingPage::refreshRequested, this, &MainWindow::refreshLibrary);
    connect(m_scaling, &ScalingPage::studyChanged, this, &MainWindow::updateStatus);
    connect(m_scaling, &ScalingPage::planRequested, this, [this] { showPage(Plan); });
    connect(m_scaling, &ScalingPage::exampleRequested, this, &MainWindow::showExample);
    connect(m_scaling, &ScalingPage::exportAllRequested, this, &MainWindow::exportAll);
    connect(m_scaling, &ScalingPage::replanRequested, this, &MainWindow::replan);
}

void MainWindow::connectLive()
{
    connect(m_live, &LiveStudy::starting, this, &MainWindow::updateStatus);
    connect(m_live, &LiveStudy::started, this, [this] {
        m_log->clear();
        if (m_live->isActive()) {
            showPage(Run);
            m_statusTimer->start();
        } else {
            showKeptLogs();
        }
        updateStatus();
    });
    new StudyJournal(m_live, m_log, this);
    connect(m_live, &LiveStudy::failed, this, [this](const Failure& failure) {
        m_plan->bar()->showFailure(failure);
        showPage(Plan);
        updateStatus();
    });
    connect(m_live, &LiveStudy::refused, this, [this](const Failure& failure) {
        m_run->bar()->showFailure(failure);
        showPage(Run);
        updateStatus();
    });
    connect(m_live, &LiveStudy::shownAgain, this, [this] {
        showPage(Run); // with the log that is there
        updateStatus();
    });
    connect(m_live, &LiveStudy::logText, this,
            [this](int index, const QString& source, const QString& text) {
                m_log->append(m_live->runLabel(index), source, text);
            });
    connect(m_live, &LiveStudy::runStateChanged, this, &MainWindow::updateStatus);
    connect(m_live, &LiveStudy::pauseChanged, this, &MainWindow::updateStatus);
    connect(m_live, &LiveStudy::othersActive, this, [this](const QStringList& names) {
        m_run->bar()->showMessage(InlineBar::Level::Info,
                                  tr("This is the newest study. Also running: %1. Home lists all.")
                                      .arg(names.join(QStringLiteral(", "))));
        m_run->bar()->setAction(tr("Show Home"), [this] { showPage(Home); });
    });
    connect(m_live, &LiveStudy::queued, this, [this](const QString& name, const QString& dir) {
        m_plan->bar()->showMessage(
            InlineBar::Level::Info,
            tr("“%1” waits in the queue and starts once its machine is free.").arg(name));
        m_plan->bar()->setAction(tr("Show it"), [this, dir] { m_live->attach(dir); });
        updateStatus();
        refreshLibrary();
    });
    connect(m_live, &LiveStudy::left, this, [this] {
        m_statusTimer->stop();
        m_queueModel->setStudy(nullptr);
        updateStatus();
        refreshLibrary();
        showPage(Home);
    });
    connect(m_live, &LiveStudy::finished, this, [this] {
        m_statusTimer->stop();
        updateStatus();
        m_scaling->showLoaded(m_live->study());
        refreshLibrary();
        if (const QString next = m_live->nextQueued(); !next.isEmpty()) {
            m_run->bar()->showMessage(InlineBar::Level::Info,
                                      tr("The next study of the queue goes on."));
            m_run->bar()->setAction(tr("Show it"), [this, next] { m_live->attach(next); });
        }
    });
}

void MainWindow::showKeptLogs()
{
    // A study that has ended is not followed: its logs come from its folders.
    const Study& study = m_live->study();
    QStringList dirs;
    for (const RunRecord& run : study.runs)
        dirs << run.runDir;
    inBackground(
        this, [dirs, labels = runLabels(study.runs)] { return readLogs(dirs, labels); },
        [this, id = study.id](const QList<LogPiece>& pieces) {
            if (m_live->study().id != id || m_live->isActive())
                return;
            for (const LogPiece& piece : pieces)
                m_log->append(piece.run, piece.source, piece.text);
        });
}

void MainWindow::replan(const QString& studyDir)
{
    m_plan->openCopy(QDir(studyDir).filePath(QStringLiteral("study.json")));
    showPage(Plan);
}

void MainWindow::load()
{
    probeMachine();
    refreshLibrary();
    m_live->attachActive();
    openArgument();
}

void MainWindow::openArgument()
{
    const bool isFolder = QFileInfo(m_commandLine.file).isDir();
    if (!m_commandLine.start)
        m_plan->restoreUnsaved();
    m_startWhenReady = m_commandLine.start && !isFolder;
    if (!m_commandLine.file.isEmpty()) {
        const QString path = QFileInfo(m_commandLine.file).absoluteFilePath();
        if (isFolder && m_commandLine.start) {
            m_live->resume(path); // before it is shown, which follows it as it is
            openStudyFolder(path);
        } else if (isFolder) {
            openStudyFolder(path);
        } else {
            m_plan->openFile(m_commandLine.file); // what is wrong with it shows on the page
            showPage(Plan);
        }
    }
    if (const auto index = pageNames().indexOf(m_commandLine.page); index >= 0)
        showPage(static_cast<PageId>(index));
}

void MainWindow::probeMachine()
{
    // First what costs nothing, so that the plan can be checked; then what needs the engine.
    inBackground(
        this, [] { return probeThisComputer(false); },
        [this](const MachineInfo& machine) {
            m_machine = machine;
            m_machineRead = true;
            m_home->setMachine(machine);
            m_machines->setThisComputer(machine);
            m_plan->setMachine(machine);
            if (m_startWhenReady) {
                m_startWhenReady = false;
                m_plan->start();
            }
            if (m_libraryRead && !m_loaded) {
                m_loaded = true;
                Q_EMIT loaded();
            }
            if (machine.enginePath.isEmpty())
                return;
            inBackground(
                this, [] { return probeThisComputer(true); },
                [this](const MachineInfo& full) {
                    m_machine = full;
                    m_home->setMachine(full);
                    m_machines->setThisComputer(full);
                    m_plan->setMachine(full);
                });
        });
}

/// A person should know of other work before the start; our own study is none.
void MainWindow::measureOtherWork()
{
    if (!m_statusOthers->isHidden()) // until they have ended
        refreshLibrary();
    if (page() != Plan || m_live->isActive() || !isActiveWindow())
        return;
    inBackground(
        this,
        [] {
            MachineInfo measured;
            scalebench::measureOtherWork(measured);
            return measured;
        },
        [this](const MachineInfo& measured) {
            if (!m_live->isActive())
                m_plan->setOtherWork(measured);
        });
}

void MainWindow::refreshLibrary()
{
    inBackground(
        this, [place = m_live->library()] { return readLibrary(place); },
        [this, dir = m_live->library().dir](const LibraryLists& lists) {
            m_libraryRead = true;
            if (lists.failure) {
                m_results->setLoadError(*lists.failure);
                m_home->setLoadError(*lists.failure);
            } else {
                if (m_live->library().dir == dir)
                    m_live->setLibrary({dir, true});
                m_trash = lists.trash;
                m_home->setStudies(lists.studies);
                showOthers(lists.studies);
                m_plan->setHistory(lists.runs);
                m_results->setRuns(lists.runs);
                m_results->setReadOnly(lists.readOnlyDir);
                m_compare->setStudies(lists.studies);
                m_scaling->setStudies(lists.studies);
            }
            if (m_machineRead && !m_loaded) {
                m_loaded = true;
                Q_EMIT loaded();
            }
        });
}

void MainWindow::showPage(PageId page)
{
    m_pageActions->actions().at(page)->setChecked(true);
    if (m_stack->currentIndex() == page)
        return;
    m_stack->setCurrentIndex(page);
    currentPage()->activate();
    updateTitle();
    updateStatus();
    measureOtherWork();
}

MainWindow::PageId MainWindow::page() const
{
    return static_cast<PageId>(m_stack->currentIndex());
}

Page* MainWindow::currentPage() const
{
    return static_cast<Page*>(m_stack->currentWidget());
}

void MainWindow::updateTitle()
{
    QString title = tr("Scalebench");
    if (page() == Plan) {
        const QString file = m_plan->fileName();
        title = QStringLiteral("%1[*] – %2")
                    .arg(file.isEmpty() ? tr("New plan") : QFileInfo(file).fileName(), title);
    } else {
        title += QStringLiteral("[*]");
    }
    setWindowTitle(title);
    setWindowModified(page() == Plan && m_plan->isModified());
}

/// What runs though no page follows it.
void MainWindow::showOthers(const QList<StudySummary>& studies)
{
    QStringList names;
    for (const StudySummary& study : studies)
        if (study.supervised && !(m_live->hasStudy() && study.dir == m_live->study().dir))
            names << (study.name.isEmpty() ? study.id : study.name);
    m_statusOthers->setVisible(!names.isEmpty());
    m_statusOthers->setText(names.size() == 1 ? tr("Also running: %1").arg(names.first())
                                              : tr("Also running: %1 studies").arg(names.size()));
    m_statusOthers->setToolTip(names.join(QLatin1Char('\n')));
}

void MainWindow::updateStatus()
{
    const bool active = m_live->isActive();
    m_plan->setQueueing(active);
    m_startAction->setEnabled(!m_live->isStarting());
    m_stopAction->setEnabled(active && !m_live->isStarting());
    m_stopAfterAction->setEnabled(active && !m_live->isStarting() && !m_live->isStopping());
    m_leaveAction->setEnabled(active && !m_live->isStarting());
    m_reportAction->setEnabled(!shownStudy().first.isEmpty());
    m_exportAllAction->setEnabled(m_reportAction->isEnabled() ||
                                  (page() == Scaling && !m_scaling->study().runs.isEmpty()));
    m_statusProgress->setVisible(active);
    m_statusEta->setVisible(active);
    if (!active) {
        m_statusText->setText(m_live->hasStudy() ? tr("%1: %2 of %n run(s) finished", nullptr,
                                                      static_cast<int>(m_live->study().runs.size()))
                                                       .arg(m_live->study().spec.name.isEmpty()
                                                                ? m_live->study().id
                                                                : m_live->study().spec.name)
                                                       .arg(m_live->finishedRuns())
                                                 : tr("Ready"));
        return;
    }
    const auto& runs = m_live->study().runs;
    const int current = m_live->currentRun();
    m_statusText->setText(current < 0 && m_live->isPaused() ? tr("The queue is paused")
                          : m_live->isStarting() || current < 0
                              ? tr("Starting…")
                              : tr("%1 %2 of %3: %4")
                                    .arg(m_live->isStopping() ? tr("Stopping run") : tr("Run"))
                                    .arg(current + 1)
                                    .arg(runs.size())
                                    .arg(m_live->runLabel(current)));
    const QString eta = durationRangeText(m_live->etaSeconds());
    const QString share = tr("%1 %").arg(qRound(m_live->progress() * 100));
    m_statusEta->setText(eta.isEmpty() ? share : tr("%1 · %2 left").arg(share, eta));
    m_statusProgress->setValue(static_cast<int>(m_live->progress() * 1000));
}

void MainWindow::showExample()
{
    m_scaling->showPublished(QStringLiteral("dgx1"));
    showPage(Scaling);
}

void MainWindow::openStudyFolder(const QString& dir)
{
    m_results->showStudy(dir);
    m_scaling->showStudy(dir);
    if (!m_live->isActive())
        m_live->attach(dir);
    showPage(Results);
}

void MainWindow::restoreLayout()
{
    auto& settings = AppSettings::instance();
    resize(defaultSize(*this));
    restoreGeometry(settings.windowGeometry());
    restoreState(settings.windowState(), kStateVersion);
    if (m_commandLine.size.isValid())
        resize(m_commandLine.size);
    m_stack->setCurrentIndex(Home);
    m_pageActions->actions().at(Home)->setChecked(true);
}

void MainWindow::saveLayout()
{
    AppSettings::instance().setWindow(saveGeometry(), saveState(kStateVersion));
    AppSettings::instance().sync();
}

void MainWindow::restoreDefaultLayout()
{
    AppSettings::instance().resetLayout();
    m_logDock->setFloating(false);
    m_queueDock->setFloating(false);
    addDockWidget(Qt::BottomDockWidgetArea, m_logDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_queueDock);
    tabifyDockWidget(m_logDock, m_queueDock);
    m_logDock->hide();
    m_queueDock->hide();
    setWindowState(Qt::WindowNoState);
    resize(defaultSize(*this));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_live->isActive() && m_commandLine.screenshot.isEmpty()) {
        switch (m_askHowToClose()) {
        case CloseChoice::Cancel:
            event->ignore();
            return;
        case CloseChoice::StopAfterRun:
            m_live->stopAfterRun();
            break;
        case CloseChoice::StopNow:
            m_live->stopNow();
            break;
        case CloseChoice::LeaveRunning:
            break;
        }
    }
    saveLayout();
    m_plan->keepUnsaved();
    event->accept();
}

} // namespace scalebench
