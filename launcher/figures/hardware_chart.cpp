// SPDX-License-Identifier: GPL-3.0-or-later
// What the hosts did while runs trained.
#include "figures/run_charts.h"

#include <QCoreApplication>
#include <QMap>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scalebench {

namespace {

constexpr double kSeen = 0.02; ///< of the processors: less is the system at rest

class HardwareChartTexts
{
    Q_DECLARE_TR_FUNCTIONS(HardwareChart)
};

/// Where the axis stands at the end of an epoch's training part.
double hardwarePlace(const RunRecord& run, const EpochSummary& epoch, RunAxis axis)
{
    EvalPoint end;
    end.epoch = epoch.epoch;
    end.samples = epoch.samples;
    end.seconds = epoch.seconds;
    return axisValue(run, end, axis);
}

/// A line for each host that told this figure of an epoch; NaN: it did not.
struct HostFigure {
    QString id, name;
    double (*of)(const HostLoad&);
    bool onlyIfSeen = false; ///< not drawn where it never was more than nothing
};

double known(double value)
{
    return value > 0 ? value : qQNaN();
}

double share(double part, const HostLoad& load)
{
    return load.processors > 0 ? part / load.processors : qQNaN();
}

double rate(qint64 bytes, const HostLoad& load)
{
    const bool told = load.sentBytes > 0 || load.receivedBytes > 0;
    return told && load.seconds > 0 ? static_cast<double>(bytes) / load.seconds / 1e6 : qQNaN();
}

QList<HostFigure> hostFigures(HardwareQuantity quantity)
{
    switch (quantity) {
    case HardwareQuantity::Clock:
        return {{{}, {}, [](const HostLoad& load) { return known(load.clockMhz / 1000); }}};
    case HardwareQuantity::Memory:
        return {{{}, {}, [](const HostLoad& load) {
                     return known(static_cast<double>(load.memoryUsedBytes) / 1e9);
                 }}};
    case HardwareQuantity::Network:
        return {{QStringLiteral("/sent"), HardwareChartTexts::tr("sent"),
                 [](const HostLoad& load) { return rate(load.sentBytes, load); }},
                {QStringLiteral("/received"), HardwareChartTexts::tr("received"),
                 [](const HostLoad& load) { return rate(load.receivedBytes, load); }}};
    case HardwareQuantity::Processors:
        return {{{}, {}, [](const HostLoad& load) { return share(load.own, load); }},
                {QStringLiteral("/others"), HardwareChartTexts::tr("other work"),
                 [](const HostLoad& load) { return share(load.others + load.stolen, load); },
                 true}};
    default:
        return {};
    }
}

double (*gpuFigure(HardwareQuantity quantity))(const GpuPoint&)
{
    switch (quantity) {
    case HardwareQuantity::GpuUse:
        return [](const GpuPoint& p) { return p.use; };
    case HardwareQuantity::GpuMemory:
        return [](const GpuPoint& p) { return p.memoryUsedBytes / 1e9; };
    case HardwareQuantity::GpuPower:
        return [](const GpuPoint& p) { return p.powerW; };
    case HardwareQuantity::GpuClock:
        return [](const GpuPoint& p) { return p.clockMhz / 1000; };
    case HardwareQuantity::GpuTemperature:
        return [](const GpuPoint& p) { return p.temperatureC; };
    default:
        return nullptr;
    }
}

struct Names {
    QString id, title, yLabel, yColumn;
};

Names hardwareNames(HardwareQuantity quantity)
{
    switch (quantity) {
    case HardwareQuantity::Processors:
        break;
    case HardwareQuantity::Clock:
        return {QStringLiteral("clock"), HardwareChartTexts::tr("Processor clock"),
                HardwareChartTexts::tr("Clock (GHz)"), QStringLiteral("clock_ghz")};
    case HardwareQuantity::Memory:
        return {QStringLiteral("memory"), HardwareChartTexts::tr("Memory"),
                HardwareChartTexts::tr("Used (GB)"), QStringLiteral("memory_used_gb")};
    case HardwareQuantity::Network:
        return {QStringLiteral("network"), HardwareChartTexts::tr("Network"),
                HardwareChartTexts::tr("MB/s"), QStringLiteral("network_mb_s")};
    case HardwareQuantity::GpuUse:
        return {QStringLiteral("gpu_use"), HardwareChartTexts::tr("GPU use"),
                HardwareChartTexts::tr("Busy (%)"), QStringLiteral("gpu_use")};
    case HardwareQuantity::GpuMemory:
        return {QStringLiteral("gpu_memory"), HardwareChartTexts::tr("GPU memory"),
                HardwareChartTexts::tr("Used (GB)"), QStringLiteral("gpu_memory_used_gb")};
    case HardwareQuantity::GpuPower:
        return {QStringLiteral("gpu_power"), HardwareChartTexts::tr("GPU power"),
                HardwareChartTexts::tr("Power (W)"), QStringLiteral("gpu_power_w")};
    case HardwareQuantity::GpuClock:
        return {QStringLiteral("gpu_clock"), HardwareChartTexts::tr("GPU clock"),
                HardwareChartTexts::tr("Clock (GHz)"), QStringLiteral("gpu_clock_ghz")};
    case HardwareQuantity::GpuTemperature:
        return {QStringLiteral("gpu_temperature"), HardwareChartTexts::tr("GPU temperature"),
                HardwareChartTexts::tr("Temperature (°C)"), QStringLiteral("gpu_temperature_c")};
    }
    return {QStringLiteral("processors"), HardwareChartTexts::tr("Processors"),
            HardwareChartTexts::tr("Busy (%)"), QStringLiteral("share_of_processors")};
}

/// What stands for a run in the legend and in its lines.
struct RunLook {
    QString id, label, subject;
    int slot = 0, dash = 0;
};

void addHosts(ChartData& chart, const RunRecord& run, const RunLook& look, RunAxis axis,
              const QList<HostFigure>& figures)
{
    constexpr int kDashStep = 2; // repeats have the dashes between
    QMap<int, double> places;
    for (const EpochSummary& epoch : run.epochs)
        places.insert(epoch.epoch, hardwarePlace(run, epoch, axis));
    QStringList hosts;
    for (const HostLoad& load : run.hostLoads)
        if (!hosts.contains(load.host))
            hosts << load.host;
    for (const QString& host : std::as_const(hosts)) {
        const QString name = hosts.size() > 1 || host.isEmpty()
                                 ? QStringLiteral("%1, %2").arg(look.label, host)
                                 : look.label;
        for (int f = 0; f < figures.size(); ++f) {
            ChartSeries series;
            series.id = look.id + QLatin1Char('/') + host + figures[f].id;
            series.name = figures[f].name.isEmpty()
                              ? name
                              : QStringLiteral("%1: %2").arg(name, figures[f].name);
            series.subject = look.subject;
            series.machine = run.machine();
            series.slot = look.slot;
            series.dash = look.dash + f * kDashStep;
            for (const HostLoad& load : run.hostLoads) {
                const double y = figures[f].of(load);
                if (load.host != host || !places.contains(load.epoch) || !std::isfinite(y))
                    continue;
                series.x << places[load.epoch];
                series.y << y;
            }
            const bool seen =
                std::any_of(series.y.begin(), series.y.end(), [](double y) { return y > kSeen; });
            if (!figures[f].onlyIfSeen || seen)
                chart.series << series;
        }
    }
}

void addGpu(ChartData& chart, const RunRecord& run, const RunLook& look, RunAxis axis,
            double (*figure)(const GpuPoint&))
{
    ChartSeries series, slowed;
    series.id = look.id;
    series.name = look.label;
    series.subject = slowed.subject = look.subject;
    series.machine = slowed.machine = run.machine();
    series.slot = slowed.slot = look.slot;
    series.dash = look.dash;
    series.kind = ChartSeries::Kind::Line;
    slowed.id = look.id + QStringLiteral("/slowed");
    slowed.name = HardwareChartTexts::tr("%1: clocks held down").arg(look.label);
    slowed.kind = ChartSeries::Kind::Marks;
    for (const GpuPoint& point : run.gpu) {
        const double y = figure(point);
        if (!std::isfinite(y))
            continue;
        StepPoint at;
        at.epoch = point.epoch;
        at.step = point.step;
        at.samples = point.samples;
        at.seconds = point.seconds;
        series.x << axisValue(run, at, axis);
        series.y << y;
        if (point.slowed) {
            slowed.x << series.x.last();
            slowed.y << y;
        }
    }
    if (!series.x.isEmpty())
        chart.series << series;
    if (!slowed.x.isEmpty())
        chart.series << slowed;
}

} // namespace

QList<std::pair<HardwareQuantity, QString>> hardwareChoices(const Study& study)
{
    QList<std::pair<HardwareQuantity, QString>> choices;
    for (int i = 0; i <= static_cast<int>(HardwareQuantity::GpuTemperature); ++i) {
        const auto quantity = static_cast<HardwareQuantity>(i);
        const auto told = [quantity](const RunRecord& run) {
            if (const auto gpu = gpuFigure(quantity))
                return std::any_of(run.gpu.begin(), run.gpu.end(), [gpu](const GpuPoint& point) {
                    return std::isfinite(gpu(point));
                });
            const auto of = hostFigures(quantity).first().of;
            return std::any_of(run.hostLoads.begin(), run.hostLoads.end(),
                               [of](const HostLoad& load) { return std::isfinite(of(load)); });
        };
        if (quantity == HardwareQuantity::Processors ||
            std::any_of(study.runs.begin(), study.runs.end(), told))
            choices << std::pair(quantity, hardwareNames(quantity).title);
    }
    return choices;
}

ChartData hardwareChart(const Study& study, RunAxis axis, HardwareQuantity quantity)
{
    ChartData chart = metricChart(study, axis, studyMetrics(study).first(), true); // for its x axis
    const Names names = hardwareNames(quantity);
    const ChartData named = studyChart(study, names.id, names.title);
    chart.id = named.id;
    chart.title = named.title;
    chart.series.clear();
    chart.lines.clear();
    chart.yLabel = names.yLabel;
    chart.yColumn = names.yColumn;
    chart.yPercent =
        quantity == HardwareQuantity::Processors || quantity == HardwareQuantity::GpuUse;
    chart.yFromZero = true;
    chart.yMin = 0;
    chart.yMax = chart.yPercent ? std::optional(1.05) : std::nullopt;
    const auto gpu = gpuFigure(quantity);
    chart.emptyText = gpu ? HardwareChartTexts::tr("Needs GPUs whose driver tells of them.")
                          : HardwareChartTexts::tr("Appears at the end of the first epoch.");
    const QStringList labels = markedLabels(study.runs);
    const QList<int> slotList = runSlots(study.runs);
    const QStringList subjects = runSubjects(study.runs);
    for (int i = 0; i < study.runs.size(); ++i) {
        const RunRecord& run = study.runs[i];
        const RunLook look{run.config.runId, labels[i], subjects[i], slotList[i],
                           std::max(0, run.config.repeat - 1)};
        if (gpu)
            addGpu(chart, run, look, axis, gpu);
        else
            addHosts(chart, run, look, axis, hostFigures(quantity));
    }
    return chart;
}

} // namespace scalebench
