// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/bench_charts.h"

#include "run/run_series.h"
#include "study/workload_catalog.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <optional>

namespace scalebench {

namespace {

class BenchChartsTexts
{
    Q_DECLARE_TR_FUNCTIONS(BenchCharts)
};

QString nameOf(const imports::CollectiveCurve& curve, const QString& file)
{
    QStringList parts;
    if (!file.isEmpty())
        parts << file;
    if (!curve.collective.isEmpty())
        parts << curve.collective;
    parts << curve.what;
    if (curve.isLimit)
        parts << BenchChartsTexts::tr("copying memory, the limit");
    else
        parts << (curve.inPlace ? BenchChartsTexts::tr("in place")
                                : BenchChartsTexts::tr("out of place"));
    return parts.join(QStringLiteral(", "));
}

/// Powers of two of the sizes, few enough to be read.
QVector<double> sizeTicks(const ChartData& chart)
{
    double least = INFINITY, most = 0;
    for (const ChartSeries& series : chart.series)
        for (const double x : series.x) {
            least = std::min(least, x);
            most = std::max(most, x);
        }
    QVector<double> ticks;
    constexpr int kMostTicks = 9;
    if (most < least)
        return ticks;
    const double first = std::floor(std::log2(least)), last = std::ceil(std::log2(most));
    const double step = std::max(1.0, std::ceil((last - first) / kMostTicks));
    for (double power = first; power <= last; power += step)
        ticks << std::exp2(power);
    return ticks;
}

bool hasLink(const imports::CollectiveCurve& curve, const LinkPeak& link)
{
    const QList<LinkPeak> links = linksOfDevice(curve.device);
    return std::any_of(links.begin(), links.end(),
                       [&link](const LinkPeak& one) { return one.name == link.name; });
}

/// Over the curves of devices that have the link; over all where none is known to.
double bestOver(const LinkPeak& link, const QList<imports::CollectiveCurve>& curves)
{
    const bool known = std::any_of(curves.begin(), curves.end(),
                                   [&link](const auto& curve) { return hasLink(curve, link); });
    double best = 0;
    for (const imports::CollectiveCurve& curve : curves)
        if (!curve.isLimit && (!known || hasLink(curve, link)))
            for (const imports::CollectivePoint& point : curve.points)
                best = point.isWrong ? best : std::max(best, point.busGBs);
    return best;
}

/// Where a link's peak lies, and how near the best curve comes to it.
void addLinks(ChartData& chart, const QList<imports::CollectiveCurve>& curves,
              const QList<LinkPeak>& links)
{
    const auto number = [](double value, int digits = -1) {
        return digits < 0 ? QLocale().toString(value, 'g', 4)
                          : QLocale().toString(value, 'f', digits);
    };
    for (const LinkPeak& link : links) {
        chart.lines << ChartLine{
            link.oneWayGBs,
            BenchChartsTexts::tr("%1: %2 GB/s in one direction (%3 in both)")
                .arg(link.name, number(link.oneWayGBs), number(2 * link.oneWayGBs))};
        chart.marks << BenchChartsTexts::tr("the best is %1 % of %2")
                           .arg(number(bestOver(link, curves) / link.oneWayGBs * 100, 0),
                                link.name);
    }
}

} // namespace

QList<LinkPeak> linksOfCurves(const QList<imports::CollectiveCurve>& curves)
{
    QList<LinkPeak> links;
    for (const imports::CollectiveCurve& curve : curves)
        for (const LinkPeak& link : linksOfDevice(curve.device))
            if (std::none_of(links.begin(), links.end(),
                             [&link](const LinkPeak& known) { return known.name == link.name; }))
                links << link;
    return links;
}

ChartData collectiveChart(const QList<imports::CollectiveCurve>& curves, const QStringList& names,
                          CollectiveBandwidth which, const QList<LinkPeak>& links)
{
    const bool bus = which == CollectiveBandwidth::Bus;
    ChartData chart;
    chart.id = QStringLiteral("collective_bandwidth");
    chart.title = BenchChartsTexts::tr("Bandwidth of collectives");
    chart.xScale = ChartData::XScale::Log2;
    chart.xBytes = true;
    chart.yLog10 = true;
    chart.xLabel = BenchChartsTexts::tr("Message");
    chart.xColumn = QStringLiteral("bytes");
    chart.yLabel = bus ? BenchChartsTexts::tr("Bus bandwidth (GB/s)")
                       : BenchChartsTexts::tr("Algorithm bandwidth (GB/s)");
    chart.yColumn = bus ? QStringLiteral("bus_gb_per_s") : QStringLiteral("algorithm_gb_per_s");
    chart.emptyText = BenchChartsTexts::tr(
        "Add files of `scalebench bench allreduce --json FILE` (or --csv), or of "
        "nccl-tests.");
    for (int i = 0; i < curves.size(); ++i) {
        const imports::CollectiveCurve& curve = curves[i];
        ChartSeries series;
        series.id = QString::number(i);
        series.name = nameOf(curve, names.value(i));
        series.slot = i;
        series.dash = curve.isLimit ? 2 : curve.inPlace ? 1 : 0;
        for (const imports::CollectivePoint& point : curve.points) {
            series.x << point.bytes;
            series.y << (bus ? point.busGBs : point.algorithmGBs);
        }
        chart.series << series;
        const auto wrong = std::count_if(curve.points.begin(), curve.points.end(),
                                         [](const auto& point) { return point.isWrong; });
        if (wrong > 0)
            chart.marks << BenchChartsTexts::tr("%1: wrong results at %n size(s), whose bandwidth "
                                                "counts for nothing",
                                                nullptr, int(wrong))
                               .arg(series.name);
    }
    chart.xTicks = sizeTicks(chart);
    if (!chart.series.isEmpty())
        chart.marks << (bus ? BenchChartsTexts::tr(
                                  "bandwidth of one direction, as nccl-tests defines it")
                            : BenchChartsTexts::tr("bytes of one rank's message over the time"));
    if (bus && !chart.series.isEmpty())
        addLinks(chart, curves, links);
    return chart;
}

namespace {

/// MB/s that a run read while it trained; nothing where it recorded none.
std::optional<double> readRate(const RunRecord& run)
{
    double bytes = 0, seconds = 0;
    for (const EpochSummary& epoch : run.epochs) {
        bytes += static_cast<double>(epoch.bytesRead);
        seconds += epoch.trainS + epoch.evalS;
    }
    if (!(bytes > 0) || !(seconds > 0))
        return std::nullopt;
    return bytes / seconds / 1e6;
}

/// What the recipe says of a sample's size, times the speed.
std::optional<double> neededRate(const RunRecord& run)
{
    const Workload* workload = WorkloadCatalog::instance().find(run.config.workload);
    const WorkloadScale* scale = workload ? workload->scale(run.config.scale) : nullptr;
    const double bytes =
        scale ? scale->preset.value(QLatin1String("bytes_per_sample")).toDouble() : 0;
    if (!(bytes > 0) || !(run.throughput > 0))
        return std::nullopt;
    return bytes * run.throughput / 1e6;
}

/// Mean over the runs of a series on one number of workers with one batch.
struct Rate {
    double sum = 0;
    int count = 0;
    double mean() const { return sum / count; }
};

using Rates = QMap<std::pair<int, int>, Rate>; ///< by workers and batch, 0 where it is not told

ChartSeries rateSeries(const Rates& rates, const QString& id, const QString& name, int slot)
{
    ChartSeries series;
    series.id = id;
    series.name = name;
    series.slot = slot;
    for (auto it = rates.begin(); it != rates.end(); ++it) {
        series.x << it.key().first;
        series.y << it.value().mean();
        series.n << it.value().count;
    }
    return series;
}

/// Where a rising need meets what storage gives, on the way between two counts.
std::optional<QPointF> crossing(const ChartSeries& need, double gives)
{
    for (qsizetype i = 1; i < need.x.size(); ++i)
        if (need.y[i - 1] < gives && need.y[i] >= gives) {
            const double share = (gives - need.y[i - 1]) / (need.y[i] - need.y[i - 1]);
            return QPointF(need.x[i - 1] + share * (need.x[i] - need.x[i - 1]), gives);
        }
    return std::nullopt;
}

} // namespace

ChartData storageChart(const Study& study, const QList<SpeedupRow>& rows,
                       const QList<imports::StorageRate>& rates)
{
    ChartData chart =
        studyChart(study, QStringLiteral("storage_demand"), BenchChartsTexts::tr("Storage demand"));
    chart.xScale = ChartData::XScale::Log2;
    chart.xLabel = BenchChartsTexts::tr("Workers");
    chart.xColumn = QStringLiteral("workers");
    chart.yLabel = BenchChartsTexts::tr("MB/s");
    chart.yColumn = QStringLiteral("mb_per_s");
    chart.yLog10 = true;
    chart.emptyText =
        BenchChartsTexts::tr("Needs runs that say how much they read, and how fast they were.");
    for (const SpeedupRow& row : rows)
        if (row.knowsWorkers() && !chart.xTicks.contains(row.workers))
            chart.xTicks << row.workers;
    std::sort(chart.xTicks.begin(), chart.xTicks.end());
    const RunSeries series(study.runs);
    QMap<int, Rates> read, needed; // by series
    for (int i = 0; i < study.runs.size(); ++i) {
        const RunRecord& run = study.runs[i];
        const auto put = [&](QMap<int, Rates>& all, const std::optional<double>& rate) {
            if (!rate || run.config.workers <= 0)
                return;
            Rate& of =
                all[series.seriesOf(i)][std::pair(run.config.workers, run.config.globalBatch)];
            of.sum += *rate;
            ++of.count;
        };
        put(read, readRate(run));
        put(needed, neededRate(run));
    }
    const auto add = [&](const QMap<int, Rates>& all, const QString& kind, const QString& alone,
                         int dash) {
        for (auto it = all.begin(); it != all.end(); ++it) {
            const QString name = series.count() > 1
                                     ? QStringLiteral("%1, %2").arg(series.label(it.key()), alone)
                                     : alone;
            ChartSeries one =
                rateSeries(it.value(), QStringLiteral("%1/%2").arg(kind).arg(it.key()), name,
                           static_cast<int>(chart.series.size()));
            one.dash = dash;
            chart.series << one;
        }
    };
    add(needed, QStringLiteral("needed"), BenchChartsTexts::tr("needed"), 0);
    add(read, QStringLiteral("read"), BenchChartsTexts::tr("read"), 1);
    ChartSeries crossings;
    for (const imports::StorageRate& rate : rates) {
        const double gives = rate.gbPerS * 1000;
        chart.lines << ChartLine{gives, BenchChartsTexts::tr("%1: %2 MB/s")
                                            .arg(rate.pattern, QLocale().toString(gives, 'f', 0))};
        for (const ChartSeries& need : std::as_const(chart.series)) {
            const auto at = crossing(need, gives);
            if (!at)
                continue;
            crossings.x << at->x();
            crossings.y << at->y();
            chart.marks << BenchChartsTexts::tr("%1: more than %2 gives, from %3 on")
                               .arg(need.name, rate.pattern,
                                    workersText(static_cast<int>(std::ceil(at->x()))));
        }
    }
    if (crossings.x.isEmpty())
        return chart;
    crossings.id = crossings.name = BenchChartsTexts::tr("more than storage gives");
    crossings.slot = static_cast<int>(chart.series.size());
    crossings.kind = ChartSeries::Kind::Marks;
    chart.series << crossings;
    return chart;
}

} // namespace scalebench
