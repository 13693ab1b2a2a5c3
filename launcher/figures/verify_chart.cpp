// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/verify_chart.h"

#include "figures/worker_lines.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {
class VerifyChartTexts
{
    Q_DECLARE_TR_FUNCTIONS(VerifyChart)
};
} // namespace

ChartData verifyChart(const Study& study, const Verification& verification)
{
    ChartData chart = studyChart(study, QStringLiteral("verification"),
                                 VerifyChartTexts::tr("Speed over the reference's"));
    chart.xScale = ChartData::XScale::Categories;
    chart.xColumn = QStringLiteral("item");
    chart.yLabel = VerifyChartTexts::tr("Speed over the reference's");
    chart.yColumn = QStringLiteral("speed_ratio");
    chart.yFromZero = true;
    chart.errorText = VerifyChartTexts::tr("95 % interval; of the reference least and most");
    chart.emptyText = VerifyChartTexts::tr("Needs a reference with runs of the same workload on "
                                           "the same number of workers.");
    ChartSeries speed, reference;
    speed.id = QStringLiteral("speed");
    speed.name = VerifyChartTexts::tr("this study");
    reference.id = QStringLiteral("reference");
    reference.name = VerifyChartTexts::tr("reference");
    reference.slot = 7;
    speed.kind = reference.kind = ChartSeries::Kind::Bars;
    for (const VerifiedItem& item : verification.items) {
        if (item.verdict == Verdict::Invalid) // its ratio says nothing
            continue;
        const auto x = double(chart.categories.size());
        chart.categories << settingsInLines(item.name);
        speed.x << x;
        speed.y << item.speed.ratio;
        speed.yLow << item.speed.low;
        speed.yHigh << item.speed.high;
        speed.n << item.runs;
        speed.pointLabels << verdictText(item.verdict);
        reference.x << x;
        reference.y << 1;
        reference.yLow << item.referenceLow;
        reference.yHigh << item.referenceHigh;
        reference.n << item.referenceRuns;
    }
    if (speed.x.isEmpty() && !verification.items.isEmpty())
        chart.emptyText =
            VerifyChartTexts::tr("Nothing of it can be compared: the table says why.");
    if (speed.x.isEmpty())
        return chart;
    chart.series << speed << reference;
    ChartGuide margin;
    margin.name = VerifyChartTexts::tr("margin: %1 % slower")
                      .arg(QLocale().toString(100 * verification.margin, 'f', 0));
    margin.x = {-0.5, double(chart.categories.size()) - 0.5};
    margin.y = {1 - verification.margin, 1 - verification.margin};
    chart.guides << margin;
    for (ChartSeries& series : chart.series)
        if (std::none_of(series.yLow.begin(), series.yLow.end(),
                         [](double low) { return std::isfinite(low); })) {
            series.yLow.clear();
            series.yHigh.clear();
        }
    return chart;
}

} // namespace scalebench
