// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What more workers bring: speedup, efficiency, time to train, and why.

#include "analysis/speedup_table.h"
#include "figures/study_charts.h"
#include "import/bench_table.h"
#include "import/reference_check.h"
#include "library/library.h"
#include "pages/page.h"
#include "run/study.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace scalebench {

class ChartPanel;
struct ChartData;
class DataTable;
class InlineBar;
class Session;
class SpeedupModel;
class StudyChoice;
class SweepModel;

class ScalingPage : public Page
{
    Q_OBJECT
public:
    explicit ScalingPage(Session* session, QWidget* parent = nullptr);

    void setStudies(const QList<StudySummary>& studies);
    void showStudy(const QString& studyDir);
    /// A study that is in memory: the live one, or a published one.
    void showLoaded(const Study& study, const QString& notice = {});
    /// Published results (imports::publishedStudies()).
    void showPublished(const QString& figure);
    /// Lays published results beside what is shown; empty: none.
    void setReference(const QString& figure);
    /// Lays what `scalebench bench storage` measured beside what training reads.
    void showStorage(const QString& file);
    /// Says whether the runs needed as many epochs as MLPerf's reference (rcps_<benchmark>.json).
    void showReferencePoints(const QString& file);
    /// What is shown; without runs: nothing yet.
    const Study& study() const { return m_study; }
    /// What a person chose to see.
    ScalingView view() const override;
    InlineBar* bar() const override { return m_bar; }
    ChartPanel* currentChart() override;
    void activate() override;
    void takeOver(Page& before) override;
    ShownStudy shownStudy() const override;

private:
    void connectSession();
    QPushButton* makeTools();
    QMenu* tools() const override;
    void drawStorage();
    void setupMatrix();
    void setupLosses();
    void showLoss(int series, qsizetype point);
    bool showsGaps() const;
    void rebuildGaps();
    void placeShapes(bool alone);
    QString libraryDir() const;
    QList<const RunRecord*> runsOfCell(const QModelIndex& index) const;
    void showMatrixMenu(const QPoint& at);
    void setupEmpty();
    void setupHead(QVBoxLayout* column);
    void setupCharts(QVBoxLayout* column);
    void rebuild();
    void offerBaselines();
    void rebuildMachines();
    void chooseStorage();
    void chooseReferencePoints();
    Result<imports::ReferenceCheck> checkPoints(const QString& file) const;
    void showReferenceCheck(const imports::ReferenceCheck& check);
    QList<ChartPanel*> panels() const;

    Session* m_session;
    Study m_study;
    QList<imports::StorageRate> m_rates;
    int m_machinesRequest = 0;
    StudyChoice* m_choice;
    QComboBox* m_reference;
    QComboBox* m_quantity; ///< SpeedupOf
    QComboBox* m_baseline; ///< Baseline::text()
    InlineBar* m_bar;
    QStackedWidget* m_stack;
    QLabel* m_sentence;
    QGridLayout* m_grid;
    ChartPanel* m_speedup;
    ChartPanel* m_efficiency;
    ChartPanel* m_time;
    ChartPanel* m_parts;
    ChartPanel* m_shapes;
    ChartPanel* m_losses;
    ChartPanel* m_machines;
    ChartPanel* m_storage;
    ChartPanel* m_cost;
    SpeedupModel* m_model;
    DataTable* m_table;
    SweepModel* m_sweep;
    DataTable* m_matrix;
    QLabel* m_findings;
    int m_request = 0;
    bool m_pinned = false; ///< the user (or the example) chose what is shown
};

} // namespace scalebench
