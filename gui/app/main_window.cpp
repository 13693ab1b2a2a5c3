// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/main_window.h"

#include "app/activity_bar.h"
#include "app/command_palette.h"
#include "app/desktop_link.h"
#include "app/drop_hint.h"
#include "app/log_dock.h"
#include "app/machine_dock.h"
#include "app/properties_dock.h"
#include "app/status_strip.h"
#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "models/run_queue_model.h"
#include "pages/plan/plan_page.h"
#include "pages/registry.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "settings/app_settings.h"
#include "settings/shortcuts.h"
#include "widgets/data_table.h"
#include "widgets/progress_delegate.h"
#include "widgets/queue_columns.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QHBoxLayout>
#include <QScreen>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTableView>
#include <QTimer>
#include <QUndoGroup>

#include <algorithm>

namespace scalebench {

namespace {
constexpr int kStateVersion = 1;
constexpr int kDockHeight = 190;
constexpr int kDockLetters = 46; ///< of those at the side, in width
const QSize kDefaultSize(1280, 800);

/// As large as the screen allows, with room for the window's frame and title, which are unknown
/// before it is shown.
QSize defaultSize(const QWidget& window)
{
    constexpr int kFrame = 12, kTitle = 40;
    const QRect room = window.screen()->availableGeometry();
    return kDefaultSize.boundedTo(room.size() - QSize(kFrame, kTitle));
}

LibraryPlace chosenPlace(const CommandLine& commandLine)
{
    const QString chosen = AppSettings::instance().libraryDir();
    return commandLine.libraryDir.isEmpty() ? LibraryPlace{chosen, !chosen.isEmpty()}
                                            : LibraryPlace{commandLine.libraryDir, false};
}

} // namespace

MainWindow::MainWindow(const CommandLine& commandLine, QWidget* parent)
    : QMainWindow(parent),
      m_commandLine(commandLine),
      m_session(new Session(chosenPlace(commandLine), this)),
      m_bar(new ActivityBar),
      m_stack(new QStackedWidget),
      m_logDock(new LogDock(m_session, this)),
      m_queueDock(new QDockWidget(this)),
      m_machineDock(new MachineDock(m_session, this)),
      m_propertiesDock(new PropertiesDock(this)),
      m_pageActions(new QActionGroup(this)),
      m_undo(new QUndoGroup(this)),
      m_palette(new CommandPalette(this)),
      m_shortcuts(new Shortcuts(this)),
      m_dropHint(new DropHint(this))
{
    setAcceptDrops(true);
    m_askHowToClose = [this] {
        const Study& study = live()->study();
        return askHowToClose(this, study.spec.name.isEmpty() ? study.id : study.spec.name);
    };
    m_strip = new StatusStrip(m_session, statusBar());
    new DesktopLink(m_session, this);
    setupPages();
    setupDocks();
    setupActions();
    connectSession();
    connect(qApp, &QApplication::focusChanged, this,
            [this](QWidget*, QWidget* now) { bringIntoSight(now); });
    restoreLayout();
    updateTitle();
    updateActions();
    m_unstyled.reset();
    QTimer::singleShot(0, this, [this] {
        m_session->load();
        if (!m_commandLine.start) // which shows the study that it starts
            live()->attachActive();
        openArgument();
    });
}

MainWindow::~MainWindow()
{
    if (m_translating)
        QApplication::restoreOverrideCursor();
    qDeleteAll(m_newPages);
    // A page that goes says a last word of its title: an edited plan is no longer edited then.
    for (int i = 0; i < m_stack->count(); ++i)
        pageAt(i)->disconnect(this);
    // What has subscribed goes before the session does.
    delete centralWidget(); // taken out it would be styled anew as a window of its own
    qDeleteAll(docks());
}

LiveStudy* MainWindow::live() const
{
    return m_session->live();
}

bool MainWindow::isLoaded() const
{
    return m_session->isReady();
}

void MainWindow::setupPages()
{
    auto* central = new QWidget;
    auto* row = new QHBoxLayout(central);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_bar);
    row->addWidget(m_stack, 1);
    m_undo->addStack(m_session->library()->undoStack());
    for (const PageEntry& entry : pageRegistry())
        m_stack->addWidget(makePage(entry));
    setCentralWidget(central);
    m_plan = page<PlanPage>();
}

Page* MainWindow::makePage(const PageEntry& entry)
{
    Page* page = entry.make(m_session);
    page->setObjectName(entry.id);
    if (QUndoStack* stack = page->undoStack())
        m_undo->addStack(stack);
    const auto panels = page->findChildren<ChartPanel*>();
    for (const ChartPanel* panel : panels) {
        connect(panel, &ChartPanel::exported, this, &MainWindow::tellExported);
        panel->chartWidget()->setUndoStack(page->undoStack() ? page->undoStack()
                                                             : m_session->library()->undoStack());
    }
    // Where Tab reaches what scrolls, it has a name.
    const auto areas = page->findChildren<QScrollArea*>();
    for (QScrollArea* area : areas)
        if (area->accessibleName().isEmpty())
            area->setAccessibleName(QString(entry.title).remove(QLatin1Char('&')));
    connect(page, &Page::titleChanged, this, &MainWindow::updateTitle);
    connect(page, &Page::shownStudyChanged, this, &MainWindow::updateActions);
    connect(page, &Page::shownStudyChanged, this, &MainWindow::updateProperties);
    connect(page, &Page::propertiesChanged, this, &MainWindow::updateProperties);
    if (auto* plan = qobject_cast<PlanPage*>(page))
        connect(plan, &PlanPage::startRequested, m_session, &Session::start);
    return page;
}

void MainWindow::setupDocks()
{
    m_queueDock->setObjectName(QStringLiteral("queueDock"));
    fillQueueDock();
    placeDocks();
    const int width = kDockLetters * fontMetrics().averageCharWidth();
    resizeDocks({m_logDock, m_queueDock}, {kDockHeight, kDockHeight}, Qt::Vertical);
    resizeDocks({m_machineDock, m_propertiesDock}, {width, width}, Qt::Horizontal);
    for (QDockWidget* dock : docks()) {
        connect(dock, &QDockWidget::visibilityChanged, this, &MainWindow::updateDockTabs);
        // Asked for, it comes before the one it shares its place with.
        connect(dock->toggleViewAction(), &QAction::triggered, dock, [dock](bool wanted) {
            if (wanted)
                dock->raise();
        });
    }
    connect(m_propertiesDock, &QDockWidget::visibilityChanged, this, &MainWindow::updateProperties);
}

QList<QDockWidget*> MainWindow::docks() const
{
    return {m_logDock, m_queueDock, m_machineDock, m_propertiesDock};
}

/// Where they are at first: two below, two at the side, none shown.
void MainWindow::placeDocks()
{
    addDockWidget(Qt::BottomDockWidgetArea, m_logDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_queueDock);
    tabifyDockWidget(m_logDock, m_queueDock);
    addDockWidget(Qt::RightDockWidgetArea, m_machineDock);
    addDockWidget(Qt::RightDockWidgetArea, m_propertiesDock);
    tabifyDockWidget(m_machineDock, m_propertiesDock);
    for (QDockWidget* dock : docks())
        dock->hide();
}

void MainWindow::updateProperties()
{
    if (m_propertiesDock->isVisible()) {
        QUndoStack* own = currentPage()->undoStack();
        m_propertiesDock->show(currentPage()->properties(),
                               own ? own : m_session->library()->undoStack());
    }
}

/// Qt keeps their bar for Tab to reach while neither is there.
void MainWindow::updateDockTabs()
{
    const auto all = docks();
    const bool any = std::any_of(all.begin(), all.end(),
                                 [](const QDockWidget* dock) { return !dock->isHidden(); });
    for (QTabBar* tabs : findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
        tabs->setFocusPolicy(any ? Qt::TabFocus : Qt::NoFocus);
}

/// Qt scrolls to what gets the focus from within what scrolls, not from beside it.
void MainWindow::bringIntoSight(QWidget* focused)
{
    if (!focused || !m_stack->isAncestorOf(focused) || !focused->visibleRegion().isEmpty())
        return;
    for (QWidget* up = focused->parentWidget(); up; up = up->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(up))
            area->ensureWidgetVisible(focused);
}

void MainWindow::fillQueueDock()
{
    delete m_queueDock->widget();
    auto* table = new DataTable(QStringLiteral("queue_dock"), tr("Run queue"), false);
    table->setModel(m_session->queue());
    table->view()->setItemDelegate(new ProgressDelegate(table));
    auto* columns = new QueueColumns(table->view());
    connect(m_session->queue(), &QAbstractItemModel::modelReset, columns, &QueueColumns::size);
    columns->size();
    m_queueDock->setWidget(table);
    m_queueDock->setWindowTitle(tr("Run queue"));
}

void MainWindow::connectSession()
{
    connect(&AppSettings::instance(), &AppSettings::languageChanged, this,
            &MainWindow::changeLanguage);
    connect(m_session, &Session::ready, this, &MainWindow::loaded);
    connect(m_session, &Session::shortcutsWanted, this, &MainWindow::editShortcuts);
    connect(m_session, &Session::pageWanted, this, &MainWindow::showPage);
    connect(m_session, &Session::exportWanted, this, &MainWindow::exportAll);
    connect(live(), &LiveStudy::started, this, [this] {
        if (live()->isActive() && m_askedPage.isEmpty())
            showPage(page_id::kRun);
        m_askedPage.clear();
    });
    connect(live(), &LiveStudy::starting, this, [this] { m_askedPage.clear(); });
    connect(live(), &LiveStudy::shownAgain, this, [this] { showPage(page_id::kRun); });
    connect(live(), &LiveStudy::starting, this, &MainWindow::updateActions);
    connect(live(), &LiveStudy::started, this, &MainWindow::updateActions);
    connect(live(), &LiveStudy::failed, this, &MainWindow::updateActions);
    connect(live(), &LiveStudy::refused, this, &MainWindow::updateActions);
    connect(live(), &LiveStudy::stopRequested, this, &MainWindow::updateActions);
    connect(live(), &LiveStudy::pauseChanged, this, &MainWindow::updateActions);
    connect(live(), &LiveStudy::runStateChanged, this, &MainWindow::updateActions);
    connect(live(), &LiveStudy::left, this, &MainWindow::updateActions);
    connect(live(), &LiveStudy::finished, this, &MainWindow::updateActions);
}

void MainWindow::showPage(const QString& id)
{
    const auto index = static_cast<int>(pageIds().indexOf(id));
    if (index < 0)
        return;
    if (id != m_askedPage)
        m_askedPage.clear();
    m_pageActions->actions().at(index)->setChecked(true);
    if (m_stack->currentIndex() == index)
        return;
    ThemeManager::instance().settle(pageAt(index));
    m_stack->setCurrentIndex(index);
    m_undo->setActiveStack(undoStackOf(*currentPage()));
    currentPage()->activate();
    updateProperties();
    updateTitle();
    updateActions();
}

/// None where what it takes back would not be seen.
QUndoStack* MainWindow::undoStackOf(const Page& page) const
{
    if (QUndoStack* own = page.undoStack())
        return own;
    return page.showsLibraryEdits() ? m_session->library()->undoStack() : nullptr;
}

QString MainWindow::page() const
{
    return currentPage()->objectName();
}

Page* MainWindow::pageAt(int index) const
{
    return static_cast<Page*>(m_stack->widget(index));
}

Page* MainWindow::pageOf(const QMetaObject& kind) const
{
    for (int i = 0; i < m_stack->count(); ++i)
        if (kind.cast(m_stack->widget(i)))
            return pageAt(i);
    return nullptr;
}

Page* MainWindow::currentPage() const
{
    return pageAt(m_stack->currentIndex());
}

bool MainWindow::isSettled() const
{
    return currentPage()->isSettled();
}

void MainWindow::updateTitle()
{
    const QString document = currentPage()->documentTitle();
    setWindowTitle(document.isEmpty() ? tr("Scalebench[*]")
                                      : tr("%1[*] – Scalebench").arg(document));
    setWindowModified(currentPage()->isDocumentModified());
}

void MainWindow::restoreLayout()
{
    auto& settings = AppSettings::instance();
    resize(defaultSize(*this));
    restoreGeometry(settings.windowGeometry());
    restoreState(settings.windowState(), kStateVersion);
    if (m_commandLine.size.isValid())
        resize(m_commandLine.size);
    m_stack->setCurrentIndex(0);
    m_pageActions->actions().at(0)->setChecked(true);
    m_undo->setActiveStack(m_session->library()->undoStack());
    showPage(settings.lastPage());
}

void MainWindow::saveLayout()
{
    AppSettings::instance().setWindow(saveGeometry(), saveState(kStateVersion));
    AppSettings::instance().setLastPage(page());
    keepShown();
}

void MainWindow::restoreDefaultLayout()
{
    AppSettings::instance().resetLayout();
    for (QDockWidget* dock : docks())
        dock->setFloating(false);
    placeDocks();
    setWindowState(Qt::WindowNoState);
    resize(defaultSize(*this));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (live()->isTraining() && m_commandLine.screenshot.isEmpty()) {
        switch (m_askHowToClose()) {
        case CloseChoice::Cancel:
            event->ignore();
            return;
        case CloseChoice::StopAfterRun:
            live()->stopAfterRun();
            break;
        case CloseChoice::StopNow:
            live()->stopNow();
            break;
        case CloseChoice::LeaveRunning:
            break;
        }
    }
    saveLayout();
    for (int i = 0; i < m_stack->count(); ++i)
        pageAt(i)->keepUnsaved();
    event->accept();
}

} // namespace scalebench
