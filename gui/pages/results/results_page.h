// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All runs of the library, and everything about the selected ones.

#include "library/library.h"
#include "pages/page.h"
#include "run/study.h"

#include <atomic>
#include <functional>
#include <memory>

class QSplitter;
class QTabWidget;
class QStackedWidget;
class QPushButton;
class QToolButton;
class QTreeView;
class QLabel;

namespace scalebench {

class ChartPanel;
class DataTable;
class InlineBar;
class KeyValueModel;
class RunDetail;
class RunTableModel;
class RunTreeModel;
class Session;

class ResultsPage : public Page
{
    Q_OBJECT
public:
    explicit ResultsPage(Session* session, QWidget* parent = nullptr);
    ~ResultsPage() override;

    void setRuns(const QList<RunSummary>& runs);
    void setLoadError(const Failure& failure);
    /// Where the library is, if it may not be written to; empty: it may.
    void setReadOnly(const QString& dir);
    /// Selects the runs of a study (waits for the list if need be).
    void showStudy(const QString& studyDir);
    /// Selects these runs, as far as they are listed.
    void showRuns(const QStringList& runDirs);
    ChartPanel* currentChart() override;
    void focusFilter() override;
    void activate() override;
    void takeOver(Page& before) override;
    ShownStudy shownStudy() const override { return {selectedStudyDir(), std::nullopt}; }
    DataTable* table() const { return m_table; }
    QTreeView* tree() const { return m_tree; } ///< the same runs by machine, workload and workers
    PageProperties properties() const override;
    InlineBar* bar() const override { return m_bar; }
    /// The study of the first selected run; empty: nothing is selected.
    QString selectedStudyDir() const;

private:
    void connectSession();
    void setupEmpty();
    void setupTable(QWidget* top);
    void onSelection();
    void selectSomething();
    void updateActions();
    void putAway();
    void tellLeftOut();
    void annotate();
    void selectWanted();
    QWidget* setupTree();
    void showTree(bool on);
    void fillTree();
    void markInTree();
    void selectRuns(const QStringList& runDirs, bool evenHidden);
    /// `evenHidden`: the filter is cleared where it hides one of them. False: none is listed.
    bool select(const std::function<bool(const QString& runDir)>& wanted, bool evenHidden);
    void addGuests(const Study& study);

    Session* m_session;
    RunTableModel* m_model;
    DataTable* m_table;
    RunTreeModel* m_groups;
    QTreeView* m_tree;
    RunDetail* m_detail;
    InlineBar* m_bar;
    QStackedWidget* m_stack;
    QSplitter* m_splitter;
    QList<RunSummary> m_libraryRuns;
    QList<RunSummary> m_guests; ///< of studies outside the library
    QStringList m_wanted;       ///< studies whose runs are to be selected once they are listed
    QStringList m_shown;
    int m_request = 0;
    /// As loads in other threads see it: those that were overtaken end.
    std::shared_ptr<std::atomic<int>> m_latest = std::make_shared<std::atomic<int>>(0);
    bool m_loadFailed = false; ///< and the bar says so
    QStringList m_askedFor;    ///< m_shown when the library was last asked because of it
    QAction* m_away = nullptr;
    QToolButton* m_tag = nullptr;
    QPushButton* m_compare = nullptr;
    QPushButton* m_again = nullptr;
    QPushButton* m_scaling = nullptr;
    bool m_readOnly = false;
    QStringList m_leftOut;    ///< that the bar has told of
    bool m_treeSized = false; ///< its columns, once
    bool m_marking = false;   ///< one of table and tree follows the other
    QString m_readOnlyDir;    ///< that the bar has told of
};

} // namespace scalebench
