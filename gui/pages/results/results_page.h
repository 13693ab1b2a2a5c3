// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All runs of the library, and everything about the selected ones.

#include "library/library.h"
#include "pages/page.h"
#include "run/study.h"

class QSplitter;
class QTabWidget;
class QStackedWidget;
class QToolButton;
class QLabel;

namespace scalebench {

class ChartPanel;
class DataTable;
class InlineBar;
class KeyValueModel;
class RunDetail;
class RunTableModel;

class ResultsPage : public Page
{
    Q_OBJECT
public:
    explicit ResultsPage(QWidget* parent = nullptr);
    ~ResultsPage() override;

    void setRuns(const QList<RunSummary>& runs);
    void setLoadError(const Failure& failure);
    /// Where the library is, if it may not be written to; empty: it may.
    void setReadOnly(const QString& dir);
    /// Selects the runs of a study (waits for the list if need be).
    void showStudy(const QString& studyDir);
    ChartPanel* currentChart() override;
    void focusFilter() override;
    void activate() override { Q_EMIT refreshRequested(); }
    DataTable* table() const { return m_table; }
    InlineBar* bar() const { return m_bar; }
    /// The study of the first selected run; empty: nothing is selected.
    QString selectedStudyDir() const;

Q_SIGNALS:
    void refreshRequested();
    void selectionChanged();
    void planRequested();
    void scalingRequested(const QString& studyDir);
    void annotationRequested(const QString& studyDir, const QString& title,
                             const scalebench::Annotation& now, const QStringList& knownTags);
    /// The studies of the selected runs are to be put away.
    void trashRequested(const QStringList& studyDirs);
    void compareRequested(const QStringList& runDirs);
    /// "Run again": the study's plan on the Plan page.
    void replanRequested(const QString& studyDir);

private:
    void setupEmpty();
    void setupTable(QWidget* top);
    void onSelection();
    void putAway();
    void annotate();
    void selectWantedStudy();
    void addGuests(const Study& study);

    RunTableModel* m_model;
    DataTable* m_table;
    RunDetail* m_detail;
    InlineBar* m_bar;
    QStackedWidget* m_stack;
    QSplitter* m_splitter;
    QList<RunSummary> m_libraryRuns;
    QList<RunSummary> m_guests; ///< of studies outside the library
    QString m_wantedStudy;
    QStringList m_shown;
    int m_request = 0;
    bool m_loadFailed = false; ///< and the bar says so
    QAction* m_away = nullptr;
    QToolButton* m_tag = nullptr;
    QString m_readOnlyDir; ///< that the bar has told of
};

} // namespace scalebench
