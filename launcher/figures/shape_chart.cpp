// SPDX-License-Identifier: GPL-3.0-or-later
// The same number of workers on few nodes and on many.
#include "figures/run_charts.h"
#include "import/published_studies.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMap>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {
class ShapeChartTexts
{
    Q_DECLARE_TR_FUNCTIONS(ShapeChart)
};
} // namespace

ChartData shapeChart(const Study& study, const QList<ShapeGap>& gaps)
{
    ChartData chart = studyChart(study, QStringLiteral("scale_up_scale_out"),
                                 ShapeChartTexts::tr("Scale-out against scale-up"));
    chart.xScale = ChartData::XScale::Categories;
    chart.yFromZero = true;
    chart.xColumn = QStringLiteral("workers");
    chart.yColumn = QStringLiteral("samples_per_s_ratio");
    chart.yLabel = ShapeChartTexts::tr("Samples/s over those on the fewest nodes (\u00d7)");
    chart.emptyText =
        ShapeChartTexts::tr("Needs runs of one number of workers on several numbers of nodes.");
    QMap<int, ChartSeries> series; // by the nodes
    for (const ShapeGap& gap : gaps) {
        QString cell = QStringLiteral("%1\n%2 = 1").arg(workersText(gap.workers), gap.few.text());
        if (!gap.group.isEmpty())
            cell.prepend(gap.group + QLatin1Char('\n'));
        if (!chart.categories.contains(cell))
            chart.categories << cell;
        ChartSeries& s = series[gap.many.nodes];
        s.id = QStringLiteral("nodes/%1").arg(gap.many.nodes);
        s.name = ShapeChartTexts::tr("on %n node(s)", nullptr, gap.many.nodes);
        s.kind = ChartSeries::Kind::Bars;
        s.x << double(chart.categories.indexOf(cell));
        s.y << gap.rate.ratio;
        s.yLow << gap.rate.low;
        s.yHigh << gap.rate.high;
        s.pointLabels << QLocale().toString((gap.rate.ratio - 1) * 100, 'f', 1) +
                             QStringLiteral(" %");
    }
    bool errors = false;
    for (ChartSeries& s : series) {
        s.slot = static_cast<int>(chart.series.size());
        const bool known =
            std::any_of(s.yLow.begin(), s.yLow.end(), [](double v) { return std::isfinite(v); });
        if (!known) {
            s.yLow.clear();
            s.yHigh.clear();
        }
        errors = errors || known;
        chart.series << s;
    }
    chart.lines << ChartLine{1, ShapeChartTexts::tr("fewest nodes")};
    if (errors)
        chart.xLabel = ShapeChartTexts::tr("Bars with their 95 % interval");
    return chart;
}

/// "4 × 4 against 8 GPUs (2x8)": the shape, and what it is told against.
static QString shapesText(const imports::PublishedResult& r)
{
    return ShapeChartTexts::tr("%1 \u00d7 %2 against %3")
        .arg(r.nodes.value_or(1))
        .arg(r.gpusPerNode.value_or(0))
        .arg(r.speedupAgainst);
}

static QList<imports::PublishedResult> gapsOf(const QString& figure)
{
    QList<imports::PublishedResult> gaps;
    for (const imports::PublishedResult& r : imports::publishedResults())
        if (r.figure == figure && r.gapPercent)
            gaps << r;
    std::sort(gaps.begin(), gaps.end(),
              [](const auto& a, const auto& b) { return a.gpus < b.gpus; });
    return gaps;
}

ChartData publishedGapsChart(const QString& figure)
{
    ChartData chart;
    chart.id = QStringLiteral("published_scale_up_scale_out");
    chart.title = ShapeChartTexts::tr("Scale-out against scale-up");
    chart.xScale = ChartData::XScale::Categories;
    chart.yFromZero = true;
    chart.yPercent = true;
    chart.xColumn = QStringLiteral("shapes");
    chart.yColumn = QStringLiteral("gap_of_samples_per_s");
    chart.yLabel = ShapeChartTexts::tr("Difference in samples/s");
    ChartSeries gaps;
    gaps.id = QStringLiteral("gaps");
    gaps.kind = ChartSeries::Kind::Bars;
    for (const imports::PublishedResult& r : gapsOf(figure)) {
        gaps.name = ShapeChartTexts::tr("%1, %2 (reference only)").arg(r.workload, r.accelerator);
        if (chart.marks.isEmpty()) // a figure is of one system
            chart.marks << QStringLiteral("%1, %2").arg(r.system, r.accelerator);
        chart.categories << shapesText(r);
        gaps.x << double(gaps.x.size());
        gaps.y << *r.gapPercent / 100;
        gaps.pointLabels << QLocale().toString(*r.gapPercent, 'f', 1) + QStringLiteral(" %");
    }
    chart.series << gaps;
    chart.marks << ShapeChartTexts::tr("which of the two is faster is not told");
    for (const imports::PublishedResult& r : imports::publishedResults())
        if (r.figure == figure && r.speedup && r.gpus)
            chart.marks << ShapeChartTexts::tr("%1 GPUs do %2 times the work of %3")
                               .arg(QString::number(*r.gpus),
                                    QLocale().toString(*r.speedup, 'f', 2), r.speedupAgainst);
    chart.notices << imports::publishedNotice();
    return chart;
}

void overlayGaps(ChartData& chart, const QString& figure)
{
    if (chart.isEmpty())
        return;
    for (const imports::PublishedResult& r : gapsOf(figure))
        for (const double side : {1 - *r.gapPercent / 100, 1 + *r.gapPercent / 100})
            chart.lines << ChartLine{
                side, ShapeChartTexts::tr("%1: %2 % apart (reference only)")
                          .arg(shapesText(r), QLocale().toString(*r.gapPercent, 'f', 1))};
    chart.marks << ShapeChartTexts::tr("published gaps: which shape is faster is not told");
    chart.notices << imports::publishedNotice();
}

} // namespace scalebench
