// SPDX-License-Identifier: GPL-3.0-or-later
// Another language while the window is open. Pages and menus are made anew, one in an event, behind
// the picture of the old ones; each takes over what its forerunner showed, and its place.
#include "app/activity_bar.h"
#include "app/command_palette.h"
#include "app/drop_hint.h"
#include "app/log_dock.h"
#include "app/machine_dock.h"
#include "app/main_window.h"
#include "app/properties_dock.h"
#include "app/status_strip.h"
#include "charts/chart_panel.h"
#include "dialogs/help_dialog.h"
#include "pages/plan/plan_page.h"
#include "pages/registry.h"
#include "session/live_study.h"
#include "session/session.h"
#include "session/study_library.h"
#include "settings/app_settings.h"
#include "settings/language.h"
#include "settings/shortcuts.h"
#include "settings/theme_manager.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"

#include <QActionGroup>
#include <QApplication>
#include <QBoxLayout>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QUndoGroup>

#include <utility>

namespace scalebench {

namespace {

constexpr int kAgainMs = 40; ///< what a page writes takes no longer

/// Lists of choice boxes are windows, which are there once they were open.
QWidgetList focusable(const QWidget* page)
{
    QWidgetList widgets = page->findChildren<QWidget*>();
    widgets.removeIf([page](const QWidget* widget) {
        return widget->focusPolicy() == Qt::NoFocus || widget->window() != page->window();
    });
    return widgets;
}

/// The one on the new page that stands where the one with the focus stood.
QWidget* sameFocus(const QWidget* before, const QWidget* now)
{
    const QWidgetList theirs = focusable(before), ours = focusable(now);
    const qsizetype at = theirs.indexOf(before->focusWidget());
    return theirs.size() == ours.size() ? ours.value(at) : nullptr;
}

} // namespace

void MainWindow::changeLanguage()
{
    if (languageFor(AppSettings::instance().language()) == currentLanguage() || m_translating)
        return;
    for (int i = 0; i < m_stack->count(); ++i) {
        if (pageAt(i)->isWriting()) { // what it then knows is in the file
            QTimer::singleShot(kAgainMs, this, &MainWindow::changeLanguage);
            return;
        }
    }
    m_translating = true;
    QApplication::setOverrideCursor(Qt::BusyCursor);
    const auto bars = findChildren<InlineBar*>();
    for (InlineBar* bar : bars)
        if (!bar->isHidden())
            bar->keepEnglish();
    applyLanguage(AppSettings::instance().language());
    setLocale(QLocale()); // of numbers and dates, in all that is in the window
    live()->forgetTexts();
    ThemeManager::instance().workUnstyled(
        [window = QPointer(this)] { return !window || window->translateNext(); });
}

/// A piece of it; true: it was the last one.
bool MainWindow::translateNext()
{
    const QList<PageEntry> entries = pageRegistry();
    if (m_newPages.size() < entries.size())
        m_newPages << makePage(entries[m_newPages.size()]);
    else if (const int index = nextToReplace(); index < 0)
        makeFrame();
    else if (index == m_stack->currentIndex() || m_takenOver == index)
        replacePage(index);
    else
        takeOverPage(index);
    return !m_translating;
}

/// The one that is shown comes last. -1: none is left.
int MainWindow::nextToReplace() const
{
    int left = -1;
    for (int i = 0; i < m_newPages.size(); ++i) {
        if (!m_newPages[i])
            continue;
        left = i;
        if (i != m_stack->currentIndex())
            break;
    }
    return left;
}

/// Of a hidden page, an event ahead: with a study on it this takes as long as the rest. On the one
/// that is shown a person may type until it is replaced.
void MainWindow::takeOverPage(int index)
{
    m_newPages[index]->setParent(m_stack);
    m_newPages[index]->takeOver(*pageAt(index));
    m_takenOver = index;
}

void MainWindow::replacePage(int index)
{
    Page* before = pageAt(index);
    Page* now = std::exchange(m_newPages[index], nullptr);
    const bool shown = index == m_stack->currentIndex();
    QWidget* focus = before->isAncestorOf(focusWidget()) ? sameFocus(before, now) : nullptr;
    before->disconnect(this);
    if (QUndoStack* stack = before->undoStack())
        m_undo->removeStack(stack);
    m_stack->insertWidget(index, now);
    if (m_takenOver != index)
        now->takeOver(*before);
    now->takeLook(*before);
    if (shown)
        m_stack->setCurrentIndex(index);
    m_stack->removeWidget(before);
    before->deleteLater();
    m_plan = page<PlanPage>();
    if (focus)
        focus->setFocus();
}

/// All around the pages.
void MainWindow::makeFrame()
{
    m_shortcuts->clear();
    const auto menus = menuBar()->findChildren<QMenu*>(Qt::FindDirectChildrenOnly);
    qDeleteAll(menus);
    auto* bar = new ActivityBar;
    delete centralWidget()->layout()->replaceWidget(m_bar, bar);
    delete std::exchange(m_bar, bar);
    bar->show();
    delete std::exchange(m_palette, new CommandPalette(this));
    delete std::exchange(m_dropHint, new DropHint(this));
    delete std::exchange(m_help, nullptr);
    fillQueueDock();
    m_machineDock->retranslate();
    m_propertiesDock->retranslate();
    updateProperties();
    m_strip->retranslate();
    statusBar()->clearMessage();
    setupActions();
    m_pageActions->actions().at(m_stack->currentIndex())->setChecked(true);
    m_undo->setActiveStack(undoStackOf(*currentPage()));
    updateTitle();
    updateActions();
    m_newPages.clear();
    m_takenOver = -1;
    m_translating = false;
    QApplication::restoreOverrideCursor();
    QTimer::singleShot(0, this, &MainWindow::changeLanguage); // if another was chosen meanwhile
}

} // namespace scalebench
