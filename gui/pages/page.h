// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the window asks of a page. Everything else a page does goes through the session.

#include "figures/study_charts.h"
#include "run/study.h"

#include <QWidget>

#include <optional>

class QMenu;
class QUndoStack;

namespace scalebench {

class ChartPanel;
class InlineBar;

/// The study that a page is about.
struct ShownStudy {
    QString dir;                 ///< empty: it has no folder
    std::optional<Study> loaded; ///< where the page has it in memory
    bool isEmpty() const { return dir.isEmpty() && !loaded; }
};

/// What is picked out on a page, for the dock of properties.
struct PageProperties {
    QString title; ///< empty: nothing is
    QList<std::pair<QString, QString>> pairs;
    QString colorSubject = {}; ///< SeriesColors: what a colour that is chosen here belongs to
};

class Page : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// The chart that Ctrl+E exports; null: this page has none.
    virtual ChartPanel* currentChart() { return nullptr; }
    /// What can be done here without anything being picked out, for the command palette; null:
    /// nothing.
    virtual QMenu* tools() const { return nullptr; }
    /// Ctrl+F.
    virtual void focusFilter() {}
    /// The page comes to the front.
    virtual void activate() {}
    /// What export and report are about.
    virtual ShownStudy shownStudy() const { return {}; }
    /// Of what a person picked out; else of the study that is shown, where it is in memory.
    virtual PageProperties properties() const;
    /// How its charts over worker counts are looked at: exports and the report keep it.
    virtual ScalingView view() const { return {}; }
    /// Where news of the page belong.
    virtual InlineBar* bar() const { return nullptr; }
    /// Of edits that are this page's own; null: the library's are undone here.
    virtual QUndoStack* undoStack() const { return nullptr; }
    /// Without one, Undo takes back edits of the library, if they are to be seen here.
    virtual bool showsLibraryEdits() const { return true; }
    /// The file that is edited here, for the window's title; empty: none.
    virtual QString documentTitle() const { return {}; }
    virtual bool isDocumentModified() const { return false; }
    /// The window closes: what a person may have left undone is kept.
    virtual void keepUnsaved() const {}
    /// Whether what the page shows is drawn: of many runs it comes in parts.
    virtual bool isSettled() const { return true; }
    /// Something typed here is being written: the page must stay for a moment.
    virtual bool isWriting() { return false; }
    /// This is the same page in another language: what a person chose and typed there is here too,
    /// and what was edited there can be undone here.
    virtual void takeOver(Page& before) { Q_UNUSED(before); }
    /// After takeOver(): which tabs, messages and tables are in front, how charts are looked at,
    /// how far it is scrolled.
    void takeLook(const Page& before);
    /// Which tabs and tables are in front, how charts are looked at, how far it is scrolled: for
    /// the next start.
    QByteArray keptView() const;
    void restoreView(const QByteArray& kept);

Q_SIGNALS:
    void shownStudyChanged();
    void propertiesChanged();
    void titleChanged();
};

} // namespace scalebench
