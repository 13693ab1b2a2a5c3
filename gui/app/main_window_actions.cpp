// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, shortcuts and what they call.
#include "app/activity_bar.h"
#include "app/background.h"
#include "app/live_study.h"
#include "app/main_window.h"
#include "app/study_export.h"
#include "charts/chart_panel.h"
#include "dialogs/about_dialog.h"
#include "pages/page.h"
#include "pages/plan/plan_page.h"
#include "pages/results/results_page.h"
#include "pages/run/run_page.h"
#include "pages/scaling/scaling_page.h"
#include "report/study_report.h"
#include "settings/app_settings.h"
#include "settings/theme_manager.h"
#include "widgets/inline_bar.h"

#include <QActionGroup>
#include <QDesktopServices>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QUndoStack>
#include <QUrl>

namespace scalebench {

QAction* MainWindow::action(QMenu* menu, const QString& text, const QKeySequence& keys,
                            const std::function<void()>& run)
{
    QAction* item = menu->addAction(text);
    item->setShortcut(keys);
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
    action(menu, tr("&New plan"), QKeySequence::New, [this] {
        m_plan->newPlan();
        showPage(Plan);
    });
    action(menu, tr("&Open plan…"), QKeySequence::Open, [this] {
        showPage(Plan);
        m_plan->open();
    });
    QMenu* recent = menu->addMenu(tr("&Recent plans"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentPlans(recent); });
    action(menu, tr("Open study &folder…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
           [this] { openFolderDialog(); });
    action(menu, tr("&Save plan"), QKeySequence::Save, [this] { m_plan->save(); });
    action(menu, tr("Save plan &as…"), QKeySequence::SaveAs, [this] { m_plan->saveAs(); });
    menu->addSeparator();
    action(menu, tr("&Import results…"), QKeySequence(Qt::CTRL | Qt::Key_I),
           [this] { chooseResultsToImport(false); });
    action(menu, tr("Import a fol&der of results…"), {}, [this] { chooseResultsToImport(true); });
    menu->addSeparator();
    action(menu, tr("&Export chart…"), QKeySequence(Qt::CTRL | Qt::Key_E),
           [this] { exportChart(); });
    m_exportAllAction =
        action(menu, tr("Export a&ll of this study…"),
               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), [this] { exportAll(); });
    m_reportAction = action(menu, tr("Write &report…"), {}, [this] { writeReport(); });
    menu->addSeparator();
    action(menu, tr("&Library folder…"), {}, [this] { chooseLibrary(); });
    QMenu* trash = menu->addMenu(tr("&Trash"));
    connect(trash, &QMenu::aboutToShow, this, [this, trash] { fillTrash(trash); });
    menu->addSeparator();
    action(menu, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });
}

void MainWindow::setupEditMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Edit"));
    QUndoStack* stack = m_plan->undoStack();
    QAction* undo = action(menu, tr("&Undo"), QKeySequence::Undo, [this] { m_plan->undo(); });
    QAction* redo = action(menu, tr("&Redo"), {}, [this] { m_plan->redo(); });
    redo->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    // Of the plan, and only while it is looked at: other pages have fields with an undo of their
    // own.
    const auto refresh = [this, stack, undo, redo] {
        undo->setEnabled(page() == Plan && stack->canUndo());
        redo->setEnabled(page() == Plan && stack->canRedo());
        undo->setText(stack->canUndo() ? tr("&Undo %1").arg(stack->undoText()) : tr("&Undo"));
        redo->setText(stack->canRedo() ? tr("&Redo %1").arg(stack->redoText()) : tr("&Redo"));
    };
    connect(stack, &QUndoStack::indexChanged, this, refresh);
    connect(stack, &QUndoStack::cleanChanged, this, refresh);
    connect(m_stack, &QStackedWidget::currentChanged, this, refresh);
    refresh();
}

void MainWindow::setupRunMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Run"));
    m_startAction = action(menu, tr("&Start study"), QKeySequence(Qt::CTRL | Qt::Key_R),
                           [this] { m_plan->start(); });
    m_stopAfterAction =
        action(menu, tr("Stop &after this run"), {}, [this] { m_live->stopAfterRun(); });
    m_leaveAction =
        action(menu, tr("&Leave running and disconnect"), {}, [this] { m_live->leave(); });
    m_stopAction = action(menu, tr("Stop &now"), QKeySequence(Qt::SHIFT | Qt::Key_F5),
                          [this] { m_live->stopNow(); });
}

void MainWindow::setupViewMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    setupPageActions(menu);
    menu->addSeparator();
    setupThemeActions(menu);
    menu->addSeparator();
    menu->addAction(m_logDock->toggleViewAction());
    menu->addAction(m_queueDock->toggleViewAction());
    m_logDock->toggleViewAction()->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_L));
    action(menu, tr("Restore &default layout"), {}, [this] { restoreDefaultLayout(); });
    menu->addSeparator();
    action(menu, tr("&Filter"), QKeySequence::Find, [this] { currentPage()->focusFilter(); });
    action(menu, tr("&Refresh"), QKeySequence(Qt::Key_F5), [this] { refreshLibrary(); });
    QAction* full = action(menu, tr("F&ull screen"), QKeySequence(Qt::Key_F11),
                           [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    full->setCheckable(true);
}

void MainWindow::setupPageActions(QMenu* view)
{
    const struct {
        QString text, icon;
    } pages[] = {
        {tr("&Home"), QStringLiteral("home")},       {tr("&Machines"), QStringLiteral("server")},
        {tr("&Plan"), QStringLiteral("plan")},       {tr("R&un"), QStringLiteral("run")},
        {tr("Res&ults"), QStringLiteral("results")}, {tr("C&ompare"), QStringLiteral("compare")},
        {tr("S&caling"), QStringLiteral("scaling")}};
    int number = 0;
    for (const auto& entry : pages) {
        QAction* item = view->addAction(entry.text);
        item->setCheckable(true);
        item->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + number)));
        m_pageActions->addAction(item);
        const auto id = static_cast<PageId>(number++);
        connect(item, &QAction::triggered, this, [this, id] { showPage(id); });
        m_bar->addPage(item, entry.icon);
    }
}

void MainWindow::setupThemeActions(QMenu* view)
{
    QMenu* menu = view->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(this);
    const std::pair<ThemeChoice, QString> choices[] = {{ThemeChoice::System, tr("As the &system")},
                                                       {ThemeChoice::Light, tr("&Light")},
                                                       {ThemeChoice::Dark, tr("&Dark")}};
    const ThemeChoice now = m_commandLine.theme.value_or(AppSettings::instance().theme());
    for (const auto& [choice, text] : choices) {
        QAction* item = menu->addAction(text);
        item->setCheckable(true);
        item->setChecked(choice == now);
        group->addAction(item);
        connect(item, &QAction::triggered, this, [chosen = choice] {
            AppSettings::instance().setTheme(chosen);
            ThemeManager::instance().apply(chosen);
        });
    }
}

void MainWindow::setupHelpMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    action(menu, tr("&About Scalebench"), QKeySequence(Qt::Key_F1),
           [this] { showAbout(this, m_machine); });
}

void MainWindow::fillRecentPlans(QMenu* menu)
{
    menu->clear();
    const QStringList files = AppSettings::instance().recentPlans();
    for (const QString& file : files) {
        QAction* item =
            menu->addAction(QString(file).replace(QLatin1Char('&'), QLatin1String("&&")));
        item->setEnabled(QFileInfo::exists(file));
        connect(item, &QAction::triggered, this, [this, file] {
            m_plan->openFile(file);
            showPage(Plan);
        });
    }
    if (files.isEmpty())
        menu->addAction(tr("None yet: saved and opened plans appear here"))->setEnabled(false);
}

void MainWindow::openFolderDialog()
{
    const QString dir = QFileDialog::getExistingDirectory(this, tr("Open a study's folder"),
                                                          AppSettings::instance().lastFolder());
    if (!dir.isEmpty())
        openStudyFolder(dir);
}

void MainWindow::chooseLibrary()
{
    const QString dir = QFileDialog::getExistingDirectory(
        this, tr("Folder where runs are kept"),
        m_live->library().dir.isEmpty() ? Library::defaultDir() : m_live->library().dir);
    if (dir.isEmpty())
        return;
    AppSettings::instance().setLibraryDir(dir);
    m_live->setLibrary({dir, true});
    refreshLibrary();
}

void MainWindow::exportChart()
{
    if (ChartPanel* panel = currentPage()->currentChart())
        panel->exportPicture();
}

void MainWindow::exportAll()
{
    if (m_exporting)
        return;
    const QString dir = QFileDialog::getExistingDirectory(
        this, tr("Folder for CSV files and pictures"), AppSettings::instance().lastFolder());
    if (dir.isEmpty())
        return;
    AppSettings::instance().setLastFolder(dir);
    exportAllTo(dir);
}

void MainWindow::exportAllTo(const QString& dir)
{
    if (page() == Scaling && !m_scaling->study().runs.isEmpty()) {
        exportStudy(m_scaling->study(), dir, m_scaling->bar());
        return;
    }
    const auto [studyDir, bar] = shownStudy();
    if (studyDir.isEmpty())
        return;
    inBackground(
        this, [studyDir = studyDir] { return loadStudy(studyDir); },
        [this, dir, bar = bar](const Result<Study>& study) {
            if (study)
                exportStudy(study.value(), dir, bar);
            else
                bar->showFailure(study.failure());
        });
}

/// The folder of the study that the page at hand is about, else of the one on the Run page, and
/// where news of it belong. Empty: none has results yet.
std::pair<QString, InlineBar*> MainWindow::shownStudy() const
{
    if (page() == Scaling && !m_scaling->study().runs.isEmpty())
        return {m_scaling->study().dir, m_scaling->bar()}; // published results have no folder
    if (page() == Results)
        if (const QString selected = m_results->selectedStudyDir(); !selected.isEmpty())
            return {selected, m_results->bar()};
    return {m_live->finishedRuns() > 0 ? m_live->study().dir : QString(), m_run->bar()};
}

void MainWindow::writeReport()
{
    const QString dir = QFileDialog::getExistingDirectory(this, tr("Folder for the report"),
                                                          AppSettings::instance().lastFolder());
    if (dir.isEmpty())
        return;
    AppSettings::instance().setLastFolder(dir);
    writeReportTo(dir);
}

void MainWindow::writeReportTo(const QString& dir)
{
    const auto [study, bar] = shownStudy();
    if (study.isEmpty())
        return;
    statusBar()->showMessage(tr("Writing the report…"));
    inBackground(
        this, [study = study, dir] { return report::writeReport(study, dir); },
        [this, bar = bar, dir](const Result<report::ReportWritten>& written) {
            statusBar()->clearMessage();
            if (!written) {
                bar->showFailure(written.failure());
            } else {
                bar->showMessage(
                    InlineBar::Level::Info,
                    written.value().without.isEmpty()
                        ? tr("The report is in %1: report.html, report.pdf, CSV files, "
                             "pictures and a bundle.")
                              .arg(dir)
                        : tr("The report is in %1, without pictures and PDF.").arg(dir),
                    written.value().without);
                bar->setAction(tr("Open report"), [dir] {
                    QDesktopServices::openUrl(
                        QUrl::fromLocalFile(dir + QStringLiteral("/report.html")));
                });
            }
            Q_EMIT exported(written.ok());
        });
}

void MainWindow::exportStudy(const Study& study, const QString& dir, InlineBar* bar)
{
    m_exporting = true;
    auto* exporter = new StudyExporter(study, dir, this);
    connect(exporter, &StudyExporter::progress, this, [this](int done, int total) {
        statusBar()->showMessage(tr("Exporting, %1 of %2…").arg(done).arg(total));
    });
    connect(exporter, &StudyExporter::finished, this, [this, bar, dir](const Result<void>& result) {
        m_exporting = false;
        if (result) {
            bar->showMessage(InlineBar::Level::Info,
                             tr("Written to %1: CSV files and pictures.").arg(dir));
            bar->setAction(tr("Open folder"),
                           [dir] { QDesktopServices::openUrl(QUrl::fromLocalFile(dir)); });
        } else {
            bar->showFailure(result.failure());
        }
        statusBar()->showMessage(result ? tr("Exported to %1").arg(dir) : result.failure().message,
                                 8000);
        Q_EMIT exported(result.ok());
    });
    exporter->start();
}

} // namespace scalebench
