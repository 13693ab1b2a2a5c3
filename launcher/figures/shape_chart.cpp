// SPDX-License-Identifier: GPL-3.0-or-later
// The same number of workers on few nodes and on many.
#include "figures/run_charts.h"

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

} // namespace scalebench
