// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/metric_panel.h"

#include "charts/chart_widget.h"
#include "widgets/choice_box.h"

#include <QButtonGroup>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace scalebench {

/// Metrics that have a button each, of so many characters altogether; more are chosen from a list.
constexpr int kMostButtons = 3;
constexpr qsizetype kMostCharacters = 24;

MetricPanel::MetricPanel(QWidget* parent)
    : ChartPanel(tr("Accuracy"), parent), m_group(new QButtonGroup(this)), m_band(new QToolButton)
{
    m_band->setText(tr("Mean"));
    m_band->setObjectName(QStringLiteral("band"));
    m_band->setToolTip(tr("Repeats as their mean with the range between them"));
    m_band->setAccessibleName(tr("Draw repeats as their mean with its range"));
    m_band->setCheckable(true);
    m_band->setProperty("segment", true);
    m_band->hide();
    addHeadWidget(m_band);
    connect(m_band, &QToolButton::toggled, this, &MetricPanel::metricChosen);
    connect(m_group, &QButtonGroup::idClicked, this, &MetricPanel::chooseMetric);
}

void MetricPanel::chooseMetric(int number)
{
    if (number == m_current || number < 0 || number >= m_metrics.size())
        return;
    m_current = number;
    if (QAbstractButton* button = m_group->button(number))
        button->setChecked(true);
    if (m_choice)
        m_choice->setCurrentIndex(number);
    Q_EMIT metricChosen();
}

void MetricPanel::takeOver(const MetricPanel& other)
{
    m_band->setChecked(other.m_band->isChecked());
    chooseMetric(other.m_current);
}

void MetricPanel::setMetrics(const QList<MetricInfo>& metrics, const QList<int>& withData)
{
    QStringList before, now;
    for (const MetricInfo& metric : std::as_const(m_metrics))
        before << metric.id;
    for (const MetricInfo& metric : metrics)
        now << metric.id;
    if (before == now)
        return;
    m_current = std::max(0, static_cast<int>(now.indexOf(before.value(m_current))));
    if (!withData.isEmpty() && !withData.contains(m_current))
        m_current = withData.first();
    m_metrics = metrics;
    const auto buttons = m_group->buttons();
    for (QAbstractButton* button : buttons) {
        m_group->removeButton(button);
        button->deleteLater();
    }
    setTitle(isAccuracy(metrics.first().id) ? tr("Accuracy") : metrics.first().title,
             metrics.size() == 1);
    if (m_choice)
        m_choice->deleteLater();
    m_choice = nullptr;
    qsizetype characters = 0;
    for (const MetricInfo& metric : metrics)
        characters += metric.title.size();
    // A row of them would be wider than its half of the window.
    if (metrics.size() > kMostButtons || (metrics.size() > 1 && characters > kMostCharacters)) {
        m_choice = new ChoiceBox;
        m_choice->setAccessibleName(tr("Metric"));
        for (const MetricInfo& metric : metrics)
            m_choice->addItem(metric.title);
        m_choice->setCurrentIndex(m_current);
        connect(m_choice, &QComboBox::currentIndexChanged, this, &MetricPanel::chooseMetric);
        addTitleWidget(m_choice, 0);
        return;
    }
    for (int i = 0; i < metrics.size() && metrics.size() > 1; ++i) {
        auto* button = new QToolButton;
        button->setText(metrics[i].title);
        button->setAccessibleName(tr("Show the metric %1").arg(metrics[i].title));
        button->setCheckable(true);
        button->setChecked(i == m_current);
        button->setProperty("segment", true);
        m_group->addButton(button, i);
        addTitleWidget(button, i);
    }
}

/// Numbers of those that some run was measured by already.
static QList<int> measured(const Study& study, const QList<MetricInfo>& metrics)
{
    QList<int> numbers;
    for (int i = 0; i < metrics.size(); ++i)
        if (std::any_of(study.runs.begin(), study.runs.end(), [&](const RunRecord& run) {
                const auto name = metricNameIn(study, run, metrics[i], i == 0);
                return name &&
                       std::any_of(run.evals.begin(), run.evals.end(), [&](const EvalPoint& point) {
                           return metricValue(point, *name).has_value();
                       });
            }))
            numbers << i;
    return numbers;
}

void MetricPanel::setStudy(const Study& study, RunAxis axis)
{
    const QList<MetricInfo> metrics = studyMetrics(study);
    setMetrics(metrics, measured(study, metrics));
    m_names.clear();
    for (const RunRecord& run : study.runs)
        if (const auto name = metricNameIn(study, run, m_metrics[m_current], m_current == 0))
            m_names.insert(run.config.runId, *name);
    m_band->setVisible(hasRepeats(study));
    Study texts = study; // of its own, and without what no text is of
    for (RunRecord& run : texts.runs)
        run.steps = {};
    const auto chartOf = [axis, current = m_current, band = isBand()](const Study& of) {
        const ChartData chart = metricChart(of, axis, studyMetrics(of)[current], current == 0);
        return band ? withBands(chart) : chart;
    };
    setChart(chartOf(study), [texts, chartOf] { return chartOf(texts); });
}

bool MetricPanel::isBand() const
{
    return m_band->isChecked() && !m_band->isHidden();
}

void MetricPanel::appendTo(const RunRecord& run, const QList<EvalPoint>& points, RunAxis axis)
{
    const int series = chartWidget()->indexOfSeries(run.config.runId);
    if (series < 0 || points.isEmpty() || m_metrics.isEmpty())
        return;
    const QString metric =
        m_names.value(run.config.runId, m_current == 0 ? QString() : m_metrics[m_current].id);
    QVector<double> x, y;
    for (const EvalPoint& point : points) {
        if (const auto value = metricValue(point, metric)) {
            x << axisValue(run, point, axis);
            y << *value;
        }
    }
    chartWidget()->appendPoints(series, x, y);
    if (const auto flag = targetFlag(run, axis, metric))
        chartWidget()->setFlag(series, *flag);
}

} // namespace scalebench
