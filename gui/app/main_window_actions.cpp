// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, shortcuts and what they call.
#include "app/activity_bar.h"
#include "app/command_palette.h"
#include "app/machine_dock.h"
#include "app/main_window.h"
#include "app/properties_dock.h"
#include "dialogs/about_dialog.h"
#include "dialogs/help_dialog.h"
#include "dialogs/shortcut_dialog.h"
#include "pages/plan/plan_page.h"
#include "pages/registry.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "settings/app_settings.h"
#include "settings/language.h"
#include "settings/shortcuts.h"
#include "settings/theme_manager.h"
#include "widgets/inline_bar.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QUndoGroup>
#include <QWhatsThisClickedEvent>

namespace scalebench {

QAction* MainWindow::action(QMenu* menu, const char* id, const QString& text,
                            const QKeySequence& keys, const std::function<void()>& run)
{
    QAction* item = menu->addAction(text);
    item->setShortcut(keys);
    m_shortcuts->add(item, QString::fromLatin1(id));
    connect(item, &QAction::triggered, this, run);
    return item;
}

void MainWindow::setupActions()
{
    setupFileMenu();
    setupEditMenu();
    setupRunMenu();
    setupViewMenu();
    setupHelpMenu();
}

void MainWindow::setupFileMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    action(menu, "new_plan", tr("&New plan"), QKeySequence::New, [this] {
        m_plan->newPlan();
        showPage(page_id::kPlan);
    });
    action(menu, "open_plan", tr("&Open plan…"), QKeySequence::Open, [this] {
        showPage(page_id::kPlan);
        m_plan->open();
    });
    QMenu* recent = menu->addMenu(tr("&Recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
    action(menu, "open_study", tr("Open study &folder…"),
           QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), [this] { openFolderDialog(); });
    action(menu, "save_plan", tr("&Save plan"), QKeySequence::Save, [this] { m_plan->save(); });
    action(menu, "save_plan_as", tr("Save plan &as…"), QKeySequence::SaveAs,
           [this] { m_plan->saveAs(); });
    menu->addSeparator();
    action(menu, "import", tr("&Import results…"), QKeySequence(Qt::CTRL | Qt::Key_I),
           [this] { chooseResultsToImport(false); });
    action(menu, "import_folder", tr("Import a fol&der of results…"), {},
           [this] { chooseResultsToImport(true); });
    menu->addSeparator();
    action(menu, "export_chart", tr("Export &chart…"), QKeySequence(Qt::CTRL | Qt::Key_E),
           [this] { exportChart(); });
    m_exportAllAction =
        action(menu, "export_all", tr("&Export all of this study…"),
               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), [this] { exportAll(); });
    m_reportAction = action(menu, "report", tr("&Write report…"), {}, [this] { writeReport(); });
    menu->addSeparator();
    QMenu* library = menu->addMenu(tr("&Library folder"));
    connect(library, &QMenu::aboutToShow, this, [this, library] { fillRecentLibraries(library); });
    QMenu* trash = menu->addMenu(tr("&Trash"));
    connect(trash, &QMenu::aboutToShow, this, [this, trash] { fillTrash(trash); });
    menu->addSeparator();
    action(menu, "quit", tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });
}

void MainWindow::setupEditMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Edit"));
    // Of the plan while it is looked at, else of the library.
    QAction* undo = m_undo->createUndoAction(menu, tr("&Undo"));
    QAction* redo = m_undo->createRedoAction(menu, tr("&Redo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    m_shortcuts->add(undo, QStringLiteral("undo"));
    m_shortcuts->add(redo, QStringLiteral("redo"));
    menu->addActions({undo, redo});
    menu->addSeparator();
    action(menu, "filter", tr("&Filter"), QKeySequence::Find,
           [this] { currentPage()->focusFilter(); });
    menu->addSeparator();
    action(menu, "shortcuts", tr("&Keyboard shortcuts…"), {}, [this] { editShortcuts(); });
    m_editMenu = menu; // the settings are a page, and come with these
}

void MainWindow::editShortcuts()
{
    auto* dialog = new ShortcutDialog(m_shortcuts, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::setupRunMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Run"));
    m_startAction = action(menu, "start", tr("&Start study"), QKeySequence(Qt::CTRL | Qt::Key_R),
                           [this] { m_plan->start(); });
    menu->addSeparator();
    m_pauseAction = action(menu, "pause", tr("&Pause the queue"), {}, [this] {
        live()->isPaused() ? live()->continueQueue() : live()->pauseQueue();
    });
    m_stopAfterAction = action(menu, "stop_after", tr("Stop &after this run"), {},
                               [this] { live()->stopAfterRun(); });
    m_leaveAction =
        action(menu, "leave", tr("&Leave running and disconnect"), {}, [this] { live()->leave(); });
    m_stopAction = action(menu, "stop", tr("Stop &now"), QKeySequence(Qt::SHIFT | Qt::Key_F5),
                          [this] { live()->stopNow(); });
    menu->addSeparator();
    m_resumeAction = action(menu, "resume", tr("&Resume what was cancelled"), {},
                            [this] { live()->resume(live()->study().dir); });
    m_failedAction = action(menu, "run_failed", tr("Run &failed again"), {},
                            [this] { live()->runAgain(live()->study().dir, Requeue::Failed); });
    menu->addSeparator();
    setupReplayMenu(menu);
}

void MainWindow::setupReplayMenu(QMenu* run)
{
    m_replayMenu = run->addMenu(tr("Replay &the study as it trained"));
    const std::pair<int, QString> speeds[] = {{1, tr("As &fast as it was")},
                                              {5, tr("&5 times as fast")},
                                              {20, tr("&20 times as fast")},
                                              {100, tr("&100 times as fast")}};
    for (const auto& [speed, text] : speeds)
        action(m_replayMenu, qPrintable(QStringLiteral("replay_%1").arg(speed)), text, {},
               [this, faster = speed] { m_session->replay(shownStudy().first.dir, faster); });
}

void MainWindow::setupViewMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    setupPageActions(menu);
    menu->addSeparator();
    setupThemeActions(menu);
    setupLanguageActions(menu);
    menu->addSeparator();
    const std::pair<QDockWidget*, QString> docks[] = {{m_logDock, tr("&Log")},
                                                      {m_queueDock, tr("Run &queue")},
                                                      {m_machineDock, tr("&Machine")},
                                                      {m_propertiesDock, tr("Pr&operties")}};
    for (const auto& [dock, text] : docks) {
        dock->toggleViewAction()->setText(text); // else its title, which has no letter
        menu->addAction(dock->toggleViewAction());
    }
    m_queueDock->toggleViewAction()->setShortcuts(QList<QKeySequence>());
    m_logDock->toggleViewAction()->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_L));
    m_shortcuts->add(m_logDock->toggleViewAction(), QStringLiteral("log_dock"));
    m_shortcuts->add(m_queueDock->toggleViewAction(), QStringLiteral("queue_dock"));
    m_machineDock->toggleViewAction()->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_M));
    m_propertiesDock->toggleViewAction()->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Return));
    m_shortcuts->add(m_machineDock->toggleViewAction(), QStringLiteral("machine_dock"));
    m_shortcuts->add(m_propertiesDock->toggleViewAction(), QStringLiteral("properties_dock"));
    action(menu, "default_layout", tr("Restore de&fault layout"), {},
           [this] { restoreDefaultLayout(); });
    menu->addSeparator();
    action(menu, "palette", tr("Comman&d palette…"), QKeySequence(Qt::CTRL | Qt::Key_K),
           [this] { m_palette->open(commands()); });
    action(menu, "refresh", tr("R&efresh"), QKeySequence(Qt::Key_F5),
           [this] { m_session->library()->refresh(); });
    QAction* full = action(menu, "full_screen", tr("F&ull screen"), QKeySequence(Qt::Key_F11),
                           [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    full->setCheckable(true);
}

void MainWindow::setupPageActions(QMenu* view)
{
    int number = 0;
    for (const PageEntry& entry : pageRegistry()) {
        QAction* item = view->addAction(entry.title);
        item->setCheckable(true);
        if (number < 9)
            item->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + number)));
        ++number;
        const bool settings = entry.id == page_id::kSettings;
        if (settings) { // where people look for them, by the keys that they know
            item->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Comma));
            m_editMenu->addAction(item);
        }
        m_shortcuts->add(item, settings ? entry.id : QStringLiteral("page_") + entry.id);
        m_pageActions->addAction(item);
        connect(item, &QAction::triggered, this, [this, id = entry.id] { showPage(id); });
        item->setProperty("iconName", entry.icon); // for the command palette
        m_bar->addPage(item, entry.icon);
    }
}

/// All that the menus have, and what is done on pages without anything being picked out there.
QList<Command> MainWindow::commands()
{
    QList<Command> all = commandsOf(menuBar());
    const QList<PageEntry> entries = pageRegistry();
    for (int i = 0; i < entries.size(); ++i) {
        QMenu* tools = pageAt(i)->tools();
        for (Command command : tools ? commandsOf(tools, entries[i].title) : QList<Command>()) {
            command.run = [this, id = entries[i].id, run = command.run] {
                showPage(id);
                run();
            };
            all << command;
        }
    }
    return all;
}

void MainWindow::setupThemeActions(QMenu* view)
{
    QMenu* menu = view->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(menu);
    const std::pair<ThemeChoice, QString> choices[] = {
        {ThemeChoice::System, tr("As the &system")},
        {ThemeChoice::Light, tr("&Light")},
        {ThemeChoice::Dark, tr("&Dark")},
        {ThemeChoice::Contrast, tr("&High contrast")}};
    const ThemeChoice now = ThemeManager::instance().choice();
    for (const auto& [choice, text] : choices) {
        QAction* item = menu->addAction(text);
        item->setCheckable(true);
        item->setChecked(choice == now);
        group->addAction(item);
        connect(item, &QAction::triggered, &AppSettings::instance(),
                [chosen = choice] { AppSettings::instance().setTheme(chosen); });
        connect(&AppSettings::instance(), &AppSettings::themeChanged, item,
                [item, own = choice](ThemeChoice chosen) {
                    if (chosen == own)
                        item->setChecked(true);
                });
    }
}

void MainWindow::setupLanguageActions(QMenu* view)
{
    QMenu* menu = view->addMenu(tr("La&nguage"));
    auto* group = new QActionGroup(menu);
    for (const QString& language : QStringList{QStringLiteral("system")} + languages()) {
        // By their own names, so that everybody finds the own one.
        QAction* item = menu->addAction(
            language == QLatin1String("system") ? tr("As the &system") : languageTitle(language));
        item->setCheckable(true);
        item->setChecked(language == languageInForce(AppSettings::instance().language()));
        group->addAction(item);
        connect(item, &QAction::triggered, &AppSettings::instance(),
                [language] { AppSettings::instance().setLanguage(language); });
        connect(&AppSettings::instance(), &AppSettings::languageChanged, item, [item, language] {
            if (language == AppSettings::instance().language())
                item->setChecked(true);
        });
    }
}

void MainWindow::updateActions()
{
    const bool starting = live()->isStarting();
    const bool active = live()->isTraining() && !starting;
    m_startAction->setEnabled(!starting);
    m_stopAction->setEnabled(active);
    m_stopAfterAction->setEnabled(active && !live()->isStopping());
    m_leaveAction->setEnabled(active);
    const LiveStudy::Choices choices = live()->choices();
    m_pauseAction->setEnabled(choices.pause);
    m_pauseAction->setText(live()->isPaused() ? tr("Continue the &queue") : tr("&Pause the queue"));
    m_resumeAction->setEnabled(choices.resume);
    m_failedAction->setEnabled(choices.failedAgain);
    const ShownStudy shown = shownStudy().first;
    m_reportAction->setEnabled(!shown.dir.isEmpty());
    m_exportAllAction->setEnabled(!shown.isEmpty());
    m_replayMenu->setEnabled(!shown.dir.isEmpty() && !starting && !live()->isTraining());
}

void MainWindow::setupHelpMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    action(menu, "help", tr("&Help"), QKeySequence(Qt::Key_F1), [this] { showHelp(); });
    action(menu, "about", tr("&About Scalebench"), {},
           [this] { showAbout(this, m_session->computer()); });
}

void MainWindow::showHelp(const QString& code)
{
    QString wanted = code;
    const auto bars = currentPage()->findChildren<InlineBar*>();
    for (const InlineBar* bar : bars)
        if (wanted.isEmpty() && bar->isVisible())
            wanted = bar->code();
    if (!m_help)
        m_help = new HelpDialog(this);
    if (!wanted.isEmpty())
        m_help->showError(wanted);
    m_help->show();
    m_help->raise();
    m_help->activateWindow();
}

/// A message asks for its page.
bool MainWindow::event(QEvent* event)
{
    if (event->type() != QEvent::WhatsThisClicked) {
        const bool done = QMainWindow::event(event);
        if (event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest)
            updateDockTabs(); // there may be one now
        return done;
    }
    event->accept();
    showHelp(static_cast<QWhatsThisClickedEvent*>(event)->href());
    return true;
}

} // namespace scalebench
