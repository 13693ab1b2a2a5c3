// SPDX-License-Identifier: GPL-3.0-or-later
// What was open before: recent files and libraries, and the studies that the pages showed when the
// window was closed.
#include "app/main_window.h"
#include "models/run_table_model.h"
#include "pages/advice/advice_page.h"
#include "pages/compare/compare_page.h"
#include "pages/plan/plan_page.h"
#include "pages/results/results_page.h"
#include "pages/scaling/scaling_page.h"
#include "pages/verify/verify_page.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "settings/app_settings.h"
#include "widgets/data_table.h"
#include "widgets/widgets.h"
#include "work/background.h"

#include <QFileInfo>
#include <QMenu>
#include <QPointer>
#include <QStackedWidget>

namespace scalebench {

namespace {

constexpr qsizetype kMostKept = 200; ///< runs
constexpr QLatin1String kPageView("page_");

/// Asked off this thread: a disk that does not answer must not keep the menu.
void greyWhatIsGone(QMenu* menu, const QList<std::pair<QPointer<QAction>, QString>>& items)
{
    inBackground(
        menu,
        [items] {
            QList<bool> there;
            for (const auto& [item, path] : items)
                there << QFileInfo::exists(path);
            return there;
        },
        [items](const QList<bool>& there) {
            for (qsizetype i = 0; i < items.size(); ++i)
                if (items[i].first)
                    items[i].first->setEnabled(there[i]);
        });
}

} // namespace

/// Pinned ones first; what is gone is grey, for its disk may come back.
void MainWindow::fillRecent(QMenu* menu)
{
    menu->clear();
    auto& settings = AppSettings::instance();
    const QStringList pinned = settings.pinnedFiles(), files = settings.recentFiles();
    QList<std::pair<QPointer<QAction>, QString>> listed;
    for (const QString& file : files) {
        QAction* item = menu->addAction(menuText(file));
        listed << std::pair(QPointer(item), file);
        if (pinned.contains(file))
            item->setText(tr("★ %1").arg(menuText(file)));
        connect(item, &QAction::triggered, this, [this, file] { openPaths({file}); });
    }
    if (files.isEmpty()) {
        menu->addAction(tr("None yet: what is opened, saved or imported appears here"))
            ->setEnabled(false);
        return;
    }
    greyWhatIsGone(menu, listed);
    menu->addSeparator();
    QMenu* keep = menu->addMenu(tr("&Keep at the top"));
    for (const QString& file : files) {
        QAction* item = keep->addAction(menuText(file));
        item->setCheckable(true);
        item->setChecked(pinned.contains(file));
        connect(item, &QAction::toggled, &settings,
                [&settings, file](bool on) { settings.pinFile(file, on); });
    }
    connect(menu->addAction(tr("&Forget those not kept")), &QAction::triggered, &settings,
            &AppSettings::forgetRecent);
}

void MainWindow::fillRecentLibraries(QMenu* menu)
{
    menu->clear();
    connect(menu->addAction(tr("&Choose a folder…")), &QAction::triggered, this,
            &MainWindow::chooseLibrary);
    connect(menu->addAction(tr("&Usual folder")), &QAction::triggered, m_session,
            [this] { m_session->useLibrary(LibraryPlace()); });
    const QStringList dirs = AppSettings::instance().recentLibraries();
    if (!dirs.isEmpty())
        menu->addSeparator();
    QList<std::pair<QPointer<QAction>, QString>> listed;
    for (const QString& dir : dirs) {
        QAction* item = menu->addAction(menuText(dir));
        listed << std::pair(QPointer(item), dir);
        item->setCheckable(true);
        item->setChecked(dir == m_session->library()->place().dir);
        connect(item, &QAction::triggered, m_session, [this, dir] {
            m_session->useLibrary({dir, true});
        });
    }
    greyWhatIsGone(menu, listed);
}

void MainWindow::keepShown() const
{
    ShownBefore shown;
    shown.library = m_session->library()->place().dir;
    shown.run = live()->study().dir;
    const DataTable* table = page<ResultsPage>()->table();
    if (const auto* model = qobject_cast<const RunTableModel*>(table->proxy()->sourceModel()))
        for (const int row : table->selectedSourceRows().mid(0, kMostKept))
            shown.selected << model->run(row).runDir;
    shown.scaling = page<ScalingPage>()->shownStudy().dir;
    shown.advice = page<AdvicePage>()->studyDir();
    shown.verified = page<VerifyPage>()->studyDir();
    shown.against = page<VerifyPage>()->referenceDir();
    for (const ComparedGroup& group : page<ComparePage>()->groups())
        for (const RunRecord& run : group.group.runs)
            shown.compared << run.runDir;
    shown.compared = shown.compared.mid(0, kMostKept);
    if (live()->isReplay()) // its copy is gone then
        shown.forget(live()->study().dir);
    AppSettings::instance().setShownBefore(shown);
    for (int i = 0; i < m_stack->count(); ++i)
        AppSettings::instance().setViewState(kPageView + pageAt(i)->objectName(),
                                             pageAt(i)->keptView());
}

/// As it was left, where the library is the same and the studies are still there. Whatever a person
/// opened meanwhile stays.
void MainWindow::restoreShown()
{
    const ShownBefore before = AppSettings::instance().shownBefore();
    if (before.library != m_session->library()->place().dir)
        return;
    inBackground(
        this,
        [before] {
            ShownBefore there = before;
            for (QString* dir :
                 {&there.run, &there.scaling, &there.advice, &there.verified, &there.against})
                if (!QFileInfo::exists(*dir + QStringLiteral("/study.json")))
                    dir->clear();
            there.compared.removeIf([](const QString& dir) { return !QFileInfo(dir).isDir(); });
            return there;
        },
        [this](const ShownBefore& there) {
            if (!there.run.isEmpty() && !live()->hasStudy() && !live()->isStarting())
                live()->attach(there.run);
            if (!there.selected.isEmpty())
                page<ResultsPage>()->showRuns(there.selected);
            if (!there.scaling.isEmpty())
                page<ScalingPage>()->showStudy(there.scaling);
            if (!there.advice.isEmpty())
                page<AdvicePage>()->showStudy(there.advice);
            if (!there.verified.isEmpty())
                page<VerifyPage>()->showStudy(there.verified);
            if (!there.against.isEmpty())
                page<VerifyPage>()->setReferenceStudy(there.against);
            if (auto* compare = page<ComparePage>();
                !there.compared.isEmpty() && compare->groups().isEmpty())
                compare->compareRuns(there.compared);
            for (int i = 0; i < m_stack->count(); ++i)
                pageAt(i)->restoreView(
                    AppSettings::instance().viewState(kPageView + pageAt(i)->objectName()));
        });
}

} // namespace scalebench
