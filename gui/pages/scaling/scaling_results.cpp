// SPDX-License-Identifier: GPL-3.0-or-later
// What the Scaling page makes of the study it shows.
#include "pages/scaling/scaling_page.h"

#include "analysis/effects.h"
#include "charts/chart_panel.h"
#include "figures/bench_charts.h"
#include "figures/cost_chart.h"
#include "figures/loss_chart.h"
#include "figures/run_charts.h"
#include "import/published_studies.h"
#include "models/speedup_model.h"
#include "models/sweep_model.h"
#include "widgets/data_table.h"
#include "widgets/widgets.h"

#include <QComboBox>
#include <QGridLayout>
#include <QStackedWidget>

#include <algorithm>

namespace scalebench {

namespace {
constexpr int kMaxRows = 6;
constexpr int kMaxSentences = 3;
constexpr int kChartHeight = 250;
constexpr int kGroupedHeight = 285;
constexpr int kShapesRow = 3;
} // namespace

ScalingView ScalingPage::view() const
{
    return {static_cast<SpeedupOf>(m_quantity->currentData().toInt()),
            Baseline::fromText(m_baseline->currentData().toString()).value_or(Baseline()),
            m_reference->currentData().toString()};
}

/// The counts that the study has, the chosen one kept where there is one still.
void ScalingPage::offerBaselines()
{
    QList<int> counts;
    for (const RunRecord& run : std::as_const(m_study.runs))
        if (!counts.contains(run.config.workers))
            counts << run.config.workers;
    std::sort(counts.begin(), counts.end());
    const QString chosen = m_baseline->currentData().toString();
    m_baseline->clear();
    m_baseline->addItem(tr("vs the fewest workers"), QStringLiteral("smallest"));
    m_baseline->addItem(tr("vs one node"), QStringLiteral("node"));
    for (const int count : std::as_const(counts))
        m_baseline->addItem(tr("vs %1").arg(workersText(count)), QString::number(count));
    m_baseline->setCurrentIndex(std::max(0, m_baseline->findData(chosen)));
}

bool ScalingPage::showsGaps() const
{
    return imports::hasPublishedGaps(imports::publishedFigureOf(m_study));
}

/// A figure that tells gaps between shapes, and no times.
void ScalingPage::rebuildGaps()
{
    m_shapes->setChart([this] { return publishedGapsChart(imports::publishedFigureOf(m_study)); });
    placeShapes(true);
    m_sweep->setRows({});
    m_model->setRows({});
    for (QWidget* part : QList<QWidget*>{m_matrix, m_table, m_sentence, m_findings})
        part->hide();
    for (int row = 0; row < m_grid->rowCount(); ++row)
        m_grid->setRowMinimumHeight(row, row == kShapesRow ? kGroupedHeight : 0);
}

/// Alone it has the whole width.
void ScalingPage::placeShapes(bool alone)
{
    m_grid->removeWidget(m_shapes);
    m_grid->addWidget(m_shapes, kShapesRow, alone ? 0 : 1, 1, alone ? 2 : 1);
}

void ScalingPage::rebuild()
{
    m_stack->setCurrentIndex(1);
    offerBaselines();
    for (ChartPanel* panel : panels())
        panel->setVisible(!showsGaps() || panel == m_shapes);
    m_table->setVisible(!showsGaps());
    if (showsGaps())
        return rebuildGaps();
    placeShapes(false);
    const ScalingCharts charts = scalingCharts(m_study, view());
    const QList<SpeedupRow>& rows = charts.rows;
    const QList<ShapeGap>& gaps = charts.gaps;
    const std::pair<ChartPanel*, ChartData ScalingCharts::*> panelCharts[] = {
        {m_speedup, &ScalingCharts::speedup}, {m_efficiency, &ScalingCharts::efficiency},
        {m_time, &ScalingCharts::time},       {m_parts, &ScalingCharts::parts},
        {m_shapes, &ScalingCharts::shapes},   {m_losses, &ScalingCharts::losses}};
    for (const auto& [panel, chart] : panelCharts) {
        const auto again = [this, chart = chart] { return scalingCharts(m_study, view()).*chart; };
        panel->setChart(charts.*chart, again);
    }
    m_shapes->setVisible(!gaps.isEmpty());
    m_model->setRows(rows);
    drawStorage();
    const ChartData cost = costChart(m_study);
    m_cost->setTitle(cost.title.section(QStringLiteral(": "), 0, 0));
    m_cost->setChart(cost, [this] { return costChart(m_study); });
    m_cost->setVisible(!cost.isEmpty());
    rebuildMachines();
    m_sweep->setRows(rows);
    m_matrix->setVisible(m_sweep->isWorthwhile());
    m_matrix->spreadColumns();
    m_matrix->fitHeight(kMaxRows);
    const QList<int> idle = m_model->idleColumns();
    for (int column = 0; column < SpeedupModel::ColumnCount; ++column)
        m_table->view()->setColumnHidden(column, idle.contains(column));
    m_table->spreadColumns();
    m_table->fitHeight(kMaxRows);
    const QStringList found = findings(m_study.runs);
    m_findings->setText(found.join(QLatin1Char('\n')));
    m_findings->setVisible(!found.isEmpty());
    QStringList sentences;
    const bool grouped = std::any_of(rows.begin(), rows.end(), [&rows](const SpeedupRow& row) {
        return row.group != rows.first().group;
    });
    // Legends of several series take a good part of a chart.
    constexpr int kLegendLine = 24; // of two series
    const auto series = static_cast<int>(charts.speedup.series.size());
    const int height = grouped
                           ? std::max(kGroupedHeight, kChartHeight + kLegendLine * (series / 2 + 1))
                           : kChartHeight;
    for (const int row : {0, 1})
        m_grid->setRowMinimumHeight(row, height);
    const int lower = std::max(kChartHeight, height * 4 / 5);
    for (const int row : {2, 3})
        m_grid->setRowMinimumHeight(row, lower);
    m_grid->setRowMinimumHeight(4, cost.isEmpty() ? 0 : lower);
    for (qsizetype i = 0; i < rows.size(); ++i) {
        if (rows[i].baseline || !(rows[i].speedup > 0))
            continue;
        // Of several series the largest count of each speaks.
        const bool last = i + 1 == rows.size() || rows[i + 1].group != rows[i].group;
        if (!grouped || (last && rows[i].group.isEmpty()))
            sentences << explainRow(rows[i]);
        else if (last)
            sentences << QStringLiteral("%1: %2").arg(rows[i].group, explainRow(rows[i]));
    }
    if (sentences.size() > kMaxSentences) // the largest counts, of several series the first ones
        sentences = grouped ? sentences.first(kMaxSentences) : sentences.last(kMaxSentences);
    m_sentence->setText(sentences.join(QLatin1Char('\n')));
    m_sentence->setVisible(!sentences.isEmpty());
}

} // namespace scalebench
