// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/advice_charts.h"

#include "base/plain_text.h"
#include "figures/worker_lines.h"
#include "run/run_series.h"

#include <QCoreApplication>
#include <QLocale>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

class AdviceChartsTexts
{
    Q_DECLARE_TR_FUNCTIONS(AdviceCharts)
};

constexpr double kMinutesFrom = 600; ///< as in the chart of times to train

ChartSeries measuredTimes(const Advice& advice, double unit)
{
    ChartSeries measured;
    measured.id = QStringLiteral("measured");
    measured.name = AdviceChartsTexts::tr("measured");
    for (const AdviceRow& row : advice.rows) {
        measured.x << row.workers();
        measured.y << row.timeS() / unit;
        measured.yLow << row.row.timeLowS / unit;
        measured.yHigh << row.row.timeHighS / unit;
        measured.n << row.row.runs;
    }
    if (std::none_of(measured.yLow.begin(), measured.yLow.end(),
                     [](double low) { return std::isfinite(low); })) {
        measured.yLow.clear();
        measured.yHigh.clear();
    }
    return measured;
}

/// The model at the measured counts, too: how it misses them is seen.
QList<PredictedTime> modelLine(const Advice& advice)
{
    QList<PredictedTime> line = advice.predicted;
    for (const StepSample& s : advice.model->samples())
        if (const auto p = advice.model->predict(s.workers, s.globalBatch, s.epochs))
            line << *p;
    std::sort(line.begin(), line.end(),
              [](const PredictedTime& x, const PredictedTime& y) { return x.workers < y.workers; });
    return line;
}

void addModel(ChartData& chart, const Advice& advice, double unit)
{
    ChartSeries wide, narrow;
    wide.id = QStringLiteral("predicted_90");
    const auto percent = [](double error) {
        return QLocale().toString(100 * std::abs(error), 'f', 1);
    };
    wide.name = AdviceChartsTexts::tr("predicted, 90 % interval");
    wide.legend = AdviceChartsTexts::tr("predicted, error %1 %, at most %2 %")
                      .arg(percent(advice.model->error()), percent(advice.model->worstError()));
    narrow.id = QStringLiteral("predicted_50");
    narrow.name = AdviceChartsTexts::tr("predicted, 50 % interval");
    narrow.legend = QStringLiteral("-");
    for (ChartSeries* series : {&wide, &narrow}) {
        series->slot = 1;
        series->dash = 1;
        series->kind = ChartSeries::Kind::Line;
        series->band = true;
    }
    for (const PredictedTime& p : modelLine(advice)) {
        for (ChartSeries* series : {&wide, &narrow}) {
            series->x << p.workers;
            series->y << p.timeS / unit;
        }
        wide.yLow << p.low90 / unit;
        wide.yHigh << p.high90 / unit;
        narrow.yLow << p.low50 / unit;
        narrow.yHigh << p.high50 / unit;
        if (p.far && !chart.hatchFrom)
            chart.hatchFrom = StepModel::kFar * advice.model->samples().last().workers;
    }
    chart.series << wide << narrow;
}

} // namespace

Study seriesStudy(const Study& study, const QString& group)
{
    const RunSeries series(study.runs);
    Study part = study;
    part.runs.clear();
    for (int i = 0; i < study.runs.size(); ++i)
        if (series.label(series.seriesOf(i)) == group)
            part.runs << study.runs[i];
    return part;
}

ChartData copiesChart(const Study& study, const Advice& advice)
{
    ChartData chart = studyChart(study, QStringLiteral("copies"),
                                 AdviceChartsTexts::tr("Copies side by side or one job"));
    chart.xScale = ChartData::XScale::Categories;
    chart.xLabel = AdviceChartsTexts::tr("Trainings at once × workers of each");
    chart.xColumn = QStringLiteral("copies_x_workers");
    chart.yLabel = AdviceChartsTexts::tr("Trainings a day");
    chart.yColumn = QStringLiteral("trainings_per_day");
    chart.yFromZero = true;
    chart.emptyText = AdviceChartsTexts::tr("Needs runs that reached their target on two numbers "
                                            "of workers.");
    if (advice.rows.size() < 2)
        return chart;
    ChartSeries bars;
    bars.id = QStringLiteral("copies");
    bars.name = AdviceChartsTexts::tr("trainings a day (above: what one takes)");
    bars.kind = ChartSeries::Kind::Bars;
    for (const AdviceRow& row : advice.rows) {
        bars.x << double(chart.categories.size());
        bars.y << row.perDay;
        bars.n << row.row.runs;
        bars.pointLabels << formatDuration(row.together ? row.together->timeS : row.timeS());
        chart.categories << QStringLiteral("%1 × %2").arg(QLocale().toString(row.copies),
                                                          QLocale().toString(row.workers()));
    }
    chart.series << bars;
    QStringList together;
    bool guessed = false;
    for (qsizetype i = 0; i < advice.rows.size(); ++i) {
        if (advice.rows[i].together)
            together << chart.categories[i];
        guessed |= advice.rows[i].copies > 1 && !advice.rows[i].together;
    }
    if (!together.isEmpty())
        chart.marks << AdviceChartsTexts::tr("measured together: %1")
                           .arg(together.join(QStringLiteral(", ")));
    if (guessed)
        chart.marks << AdviceChartsTexts::tr("not measured together: copies on one machine "
                                             "disturb each other");
    return chart;
}

ChartData predictionChart(const Study& study, const Advice& advice)
{
    ChartData chart = studyChart(study, QStringLiteral("prediction"),
                                 AdviceChartsTexts::tr("Time to train, measured and predicted"));
    chart.emptyText = AdviceChartsTexts::tr("Needs runs that reached their target.");
    chart.xScale = ChartData::XScale::Log2;
    chart.xLabel = AdviceChartsTexts::tr("Workers");
    chart.xColumn = QStringLiteral("workers");
    chart.errorText = AdviceChartsTexts::tr("95 % interval, of predictions 50 and 90 %");
    double longest = 0;
    for (const AdviceRow& row : advice.rows)
        longest = std::max(longest, row.timeS());
    const bool minutes = longest >= kMinutesFrom;
    const double unit = minutes ? 60 : 1;
    chart.yLabel = minutes ? AdviceChartsTexts::tr("Time to train (min)")
                           : AdviceChartsTexts::tr("Time to train (s)");
    chart.yColumn = minutes ? kMinutesColumn : QStringLiteral("time_to_train_s");
    if (advice.rows.isEmpty())
        return chart;
    if (!advice.predicted.isEmpty()) {
        addModel(chart, advice, unit);
        chart.remarks << AdviceChartsTexts::tr("error: by how much measured counts that are left "
                                               "out are missed");
        if (chart.hatchFrom)
            chart.remarks << AdviceChartsTexts::tr("hatched: more than twice the largest measured "
                                                   "number, little is known");
        if (advice.model->mixedBatches())
            chart.marks << AdviceChartsTexts::tr("the batch changes with the workers");
    } else if (advice.model)
        chart.remarks << AdviceChartsTexts::tr("nothing is predicted: these times do not follow "
                                               "its rule");
    else
        chart.remarks << AdviceChartsTexts::tr("a prediction needs three numbers of workers");
    chart.series.prepend(measuredTimes(advice, unit));
    QSet<double> counts;
    for (const ChartSeries& series : std::as_const(chart.series))
        for (const double x : series.x)
            counts << x;
    chart.xTicks = QVector<double>(counts.begin(), counts.end());
    std::sort(chart.xTicks.begin(), chart.xTicks.end());
    constexpr double kDecades = 8;
    const auto [least, most] =
        std::minmax_element(chart.series.first().y.begin(), chart.series.first().y.end());
    chart.yLog10 = *most > kDecades * *least;
    chart.yFromZero = !chart.yLog10;
    return chart;
}

} // namespace scalebench
