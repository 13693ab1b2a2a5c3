// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pages, docks, menus and status bar, and how they talk to one another.

#include "app/command_line.h"
#include "dialogs/close_dialog.h"
#include "library/annotations.h"
#include "library/trash.h"
#include "run/study.h"
#include "study/machine_info.h"

#include <QMainWindow>
#include <QMap>

#include <functional>
#include <utility>

class QAction;
class QActionGroup;
class QDockWidget;
class QLabel;
class QMenu;
class QProgressBar;
class QStackedWidget;
class QTimer;
class QToolButton;

namespace scalebench {

struct StudySummary;
class ActivityBar;
class ComparePage;
class DataTable;
class HomePage;
class InlineBar;
class LiveStudy;
class LogView;
class MachinesPage;
class Page;
class PlanPage;
class ResultsPage;
class RunPage;
class RunQueueModel;
class ScalingPage;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    /// As in pageNames().
    enum PageId { Home, Machines, Plan, Run, Results, Compare, Scaling };
    explicit MainWindow(const CommandLine& commandLine, QWidget* parent = nullptr);
    ~MainWindow() override;

    void showPage(PageId page);
    PageId page() const;
    LiveStudy* live() const { return m_live; }
    MachinesPage* machinesPage() const { return m_machines; }
    PlanPage* planPage() const { return m_plan; }
    RunPage* runPage() const { return m_run; }
    ResultsPage* resultsPage() const { return m_results; }
    ComparePage* comparePage() const { return m_compare; }
    ScalingPage* scalingPage() const { return m_scaling; }
    bool isLoaded() const { return m_loaded; }

    /// Replaces the question of closing (tests).
    void setCloseQuestion(const std::function<CloseChoice()>& ask) { m_askHowToClose = ask; }
    /// Writes CSV files and pictures of what the page shows; exported() tells the end.
    void exportAllTo(const QString& dir);
    void writeReportTo(const QString& dir);
    /// Logs, tables, bundles, folders of them: into the library, then shown on Results.
    void importResults(const QStringList& paths);

Q_SIGNALS:
    /// Machine and library were read: nothing changes any more without the user.
    void loaded();
    void exported(bool ok);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void setupPages();
    void setupDocks();
    void setupActions();
    void setupFileMenu();
    void setupEditMenu();
    void setupRunMenu();
    void setupViewMenu();
    void setupPageActions(QMenu* view);
    void setupThemeActions(QMenu* view);
    void setupHelpMenu();
    void setupStatusBar();
    void connectPages();
    void connectLive();
    void restoreLayout();
    void saveLayout();
    void restoreDefaultLayout();
    void load();
    void openArgument();
    void probeMachine();
    void measureOtherWork();
    void refreshLibrary();
    void updateTitle();
    void updateStatus();
    std::pair<QString, InlineBar*> shownStudy() const;
    void showOthers(const QList<StudySummary>& studies);
    void showExample();
    void openStudyFolder(const QString& dir);
    void replan(const QString& studyDir);
    void showKeptLogs();
    void fillRecentPlans(QMenu* menu);
    void putAway(const QStringList& studyDirs);
    void takeBack(const QStringList& names);
    void fillTrash(QMenu* menu);
    void editAnnotation(const QString& studyDir, const QString& title, const Annotation& now,
                        const QStringList& knownTags);
    void annotate(const QString& studyDir, const Annotation& wanted, const Annotation& before);
    void chooseResultsToImport(bool folder);
    void emptyTheTrash();
    void exportStudy(const Study& study, const QString& dir, InlineBar* bar);
    void openFolderDialog();
    void chooseLibrary();
    void exportAll();
    void writeReport();
    void exportChart();
    Page* currentPage() const;
    QAction* action(QMenu* menu, const QString& text, const QKeySequence& keys,
                    const std::function<void()>& run);

    CommandLine m_commandLine;
    MachineInfo m_machine;
    QList<TrashedStudy> m_trash;
    LiveStudy* m_live;
    RunQueueModel* m_queueModel;
    ActivityBar* m_bar;
    QStackedWidget* m_stack;
    HomePage* m_home;
    MachinesPage* m_machines;
    PlanPage* m_plan;
    RunPage* m_run;
    ResultsPage* m_results;
    ComparePage* m_compare;
    ScalingPage* m_scaling;
    LogView* m_log;
    QDockWidget* m_logDock;
    QDockWidget* m_queueDock;
    DataTable* m_queueTable;
    QActionGroup* m_pageActions;
    QAction* m_startAction = nullptr;
    QAction* m_stopAction = nullptr;
    QAction* m_stopAfterAction = nullptr;
    QAction* m_leaveAction = nullptr;
    QAction* m_reportAction = nullptr;
    QAction* m_exportAllAction = nullptr;
    QLabel* m_statusText;
    QToolButton* m_statusOthers; ///< studies that no page follows
    QLabel* m_statusEta;
    QProgressBar* m_statusProgress;
    QTimer* m_statusTimer;
    std::function<CloseChoice()> m_askHowToClose;
    bool m_machineRead = false;
    bool m_libraryRead = false;
    bool m_loaded = false;
    bool m_startWhenReady = false;
    bool m_importing = false;
    bool m_exporting = false;
};

} // namespace scalebench
