// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs or groups of runs of any origin side by side: ratios with their interval, curves over one
// another, and what differs in settings and environment. Nothing is refused; what makes a
// comparison unfair is said.

#include "figures/compare_charts.h"
#include "library/library.h"
#include "pages/page.h"

#include <QMap>

class QCheckBox;
class QComboBox;
class QLabel;
class QStackedWidget;
class QVBoxLayout;

namespace scalebench {

class ChartPanel;
class ComparedModel;
class DataTable;
class GroupChips;
class InlineBar;
class Session;

class ComparePage : public Page
{
    Q_OBJECT
public:
    explicit ComparePage(Session* session, QWidget* parent = nullptr);

    void setStudies(const QList<StudySummary>& studies);
    /// In place of what was compared; groupsOf() says which of them belong together.
    void compareRuns(const QStringList& runDirs);
    /// Beside what is compared already; a study is there once.
    void addStudy(const QString& studyDir);
    const QList<ComparedGroup>& groups() const { return m_groups; }
    PageProperties properties() const override;
    InlineBar* bar() const override { return m_bar; }
    ChartPanel* currentChart() override;
    void focusFilter() override;
    void activate() override;
    void takeOver(Page& before) override;

    static constexpr int kMostGroups = 12;
    static constexpr int kMostRuns = 1000;

private:
    QWidget* makeEmpty();
    QWidget* makeBody();
    void setupCharts(QVBoxLayout* column);
    void setupTable(QVBoxLayout* column);
    void show(const QList<RunGroup>& groups, const QStringList& problems);
    void add(const RunGroup& group);
    void rebuild();
    void rebuildCharts();
    void showSentences();

    Session* m_session;
    QList<ComparedGroup> m_groups; ///< the first is the baseline
    Comparison m_comparison;
    QMap<QString, QString> m_names; ///< of studies, by folder
    GroupChips* m_chips;
    InlineBar* m_bar;
    QStackedWidget* m_stack;
    QLabel* m_sentences;
    QComboBox* m_axis;
    QComboBox* m_quantity;
    ChartPanel* m_quality;
    ChartPanel* m_ratio;
    QCheckBox* m_onlyDiffering;
    ComparedModel* m_model;
    DataTable* m_table;
    int m_request = 0;
};

} // namespace scalebench
