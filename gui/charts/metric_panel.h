// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The chart of a study's quality. Where a workload has several metrics, the head has a button for
// each in place of its title, or a list of them where they are many.

#include "charts/chart_panel.h"
#include "figures/run_charts.h"

class QButtonGroup;
class QComboBox;
class QToolButton;

namespace scalebench {

class MetricPanel : public ChartPanel
{
    Q_OBJECT
public:
    explicit MetricPanel(QWidget* parent = nullptr);

    /// Draws the chosen metric, the leading one where the study has no such one.
    void setStudy(const Study& study, RunAxis axis);
    /// Adds what a piece of a run's stream brought, without drawing the rest anew.
    void appendTo(const RunRecord& run, const QList<EvalPoint>& points, RunAxis axis);
    /// The buttons' metric, and its number in studyMetrics().
    int currentMetric() const { return m_current; }
    void chooseMetric(int number);
    /// Ids of the runs that are measured by it.
    QStringList shownRuns() const { return m_names.keys(); }
    /// Whether repeats are drawn as their mean and range; what runs bring is then in the faint
    /// lines at once, in the mean with the next setStudy().
    bool isBand() const;
    QToolButton* bandButton() const { return m_band; }
    /// The metric and the way it is drawn, where both show the same study.
    void takeOver(const MetricPanel& other);

Q_SIGNALS:
    void metricChosen(); ///< or the way it is drawn

private:
    void setMetrics(const QList<MetricInfo>& metrics, const QList<int>& withData);

    QList<MetricInfo> m_metrics;
    QMap<QString, QString> m_names; ///< by run id: what the run calls the metric
    QButtonGroup* m_group;
    QToolButton* m_band;
    QComboBox* m_choice = nullptr; ///< in place of many buttons
    int m_current = 0;
};

} // namespace scalebench
