// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The frame around the pages: activity bar, docks, menus, status bar, files that are opened. What
// the pages are comes from pages/registry.h; what they share is the session.

#include "app/command_line.h"
#include "dialogs/close_dialog.h"
#include "pages/page.h"
#include "settings/theme_manager.h"

#include <QMainWindow>

#include <functional>
#include <optional>

class QAction;
class QActionGroup;
class QDockWidget;
class QMenu;
class QStackedWidget;
class QUndoGroup;
class QUndoStack;

namespace scalebench {

class ActivityBar;
class CommandPalette;
class DataTable;
class DropHint;
class HelpDialog;
class LiveStudy;
class MachineDock;
class PlanPage;
class PropertiesDock;
class Session;
class Shortcuts;
class StatusStrip;
struct Command;
struct PageEntry;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(const CommandLine& commandLine, QWidget* parent = nullptr);
    ~MainWindow() override;

    void showPage(const QString& id);
    /// The id of the one at the front.
    QString page() const;
    template <class P>
    P* page() const
    {
        return static_cast<P*>(pageOf(P::staticMetaObject));
    }
    Session* session() const { return m_session; }
    LiveStudy* live() const;
    bool isLoaded() const;
    /// Whether the page at the front has drawn all it shows.
    bool isSettled() const;

    /// Replaces the question of closing (tests).
    void setCloseQuestion(const std::function<CloseChoice()>& ask) { m_askHowToClose = ask; }
    /// Writes CSV files and pictures of what the page shows; exported() tells the end.
    void exportAllTo(const QString& dir);
    void writeReportTo(const QString& dir);
    /// Whatever a person may drop, double-click or name: plans, folders of studies, results.
    /// An empty page: the one that shows what was opened.
    void openPaths(const QStringList& paths, const QString& thenPage = {});
    void importResults(const QStringList& paths);

Q_SIGNALS:
    /// Machine and library were read: nothing changes any more without the user.
    void loaded();
    void exported(bool ok);

protected:
    void closeEvent(QCloseEvent* event) override;
    bool event(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void setupPages();
    Page* makePage(const PageEntry& entry);
    void changeLanguage();
    bool translateNext();
    int nextToReplace() const;
    void takeOverPage(int index);
    void replacePage(int index);
    void makeFrame();
    void fillQueueDock();
    void setupDocks();
    void placeDocks();
    QList<QDockWidget*> docks() const;
    void updateDockTabs();
    void updateProperties();
    void bringIntoSight(QWidget* focused);
    void setupActions();
    void setupFileMenu();
    void setupEditMenu();
    void setupRunMenu();
    void setupViewMenu();
    void setupReplayMenu(QMenu* run);
    void setupPageActions(QMenu* view);
    QList<Command> commands();
    void setupThemeActions(QMenu* view);
    void setupLanguageActions(QMenu* view);
    void setupHelpMenu();
    void connectSession();
    void restoreLayout();
    void saveLayout();
    void restoreDefaultLayout();
    void openArgument();
    void updateTitle();
    void updateActions();
    /// Of the page at the front, else of the one on the Run page.
    std::pair<ShownStudy, InlineBar*> shownStudy() const;
    void fillRecent(QMenu* menu);
    void fillRecentLibraries(QMenu* menu);
    void keepShown() const;
    void restoreShown();
    void editShortcuts();
    /// The page on that error code; without one, on the message at the front.
    void showHelp(const QString& code = {});
    void fillTrash(QMenu* menu);
    void chooseResultsToImport(bool folder);
    void emptyTheTrash();
    void exportStudy(const Study& study, const QString& dir, InlineBar* bar);
    void openFolderDialog();
    void chooseLibrary();
    void exportAll();
    void writeReport();
    void exportChart();
    void tellExported(const QString& file);
    Page* currentPage() const;
    QUndoStack* undoStackOf(const Page& page) const;
    Page* pageOf(const QMetaObject& kind) const;
    Page* pageAt(int index) const;
    QAction* action(QMenu* menu, const char* id, const QString& text, const QKeySequence& keys,
                    const std::function<void()>& run);

    std::optional<UnstyledScope> m_unstyled{std::in_place}; ///< until all is built
    CommandLine m_commandLine;
    QString m_askedPage; ///< of the command line, until something else is looked at or started
    Session* m_session;
    ActivityBar* m_bar;
    QStackedWidget* m_stack; ///< in the order of the registry
    StatusStrip* m_strip = nullptr;
    PlanPage* m_plan = nullptr;
    QDockWidget* m_logDock;
    QDockWidget* m_queueDock;
    MachineDock* m_machineDock;
    PropertiesDock* m_propertiesDock;
    QActionGroup* m_pageActions;
    QMenu* m_editMenu = nullptr;
    QUndoGroup* m_undo;
    CommandPalette* m_palette;
    Shortcuts* m_shortcuts;
    DropHint* m_dropHint;
    HelpDialog* m_help = nullptr; ///< once it was asked for
    QAction* m_startAction = nullptr;
    QAction* m_stopAction = nullptr;
    QAction* m_stopAfterAction = nullptr;
    QAction* m_leaveAction = nullptr;
    QAction* m_pauseAction = nullptr;
    QAction* m_resumeAction = nullptr;
    QAction* m_failedAction = nullptr;
    QMenu* m_replayMenu = nullptr;
    QAction* m_reportAction = nullptr;
    QAction* m_exportAllAction = nullptr;
    std::function<CloseChoice()> m_askHowToClose;
    QList<Page*> m_newPages; ///< in another language; null: in its place already
    int m_takenOver = -1;    ///< the last of them that has what was typed on its forerunner
    bool m_translating = false;
    bool m_exporting = false;
};

} // namespace scalebench
