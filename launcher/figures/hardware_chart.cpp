// SPDX-License-Identifier: GPL-3.0-or-later
// What the hosts did while runs trained.
#include "figures/run_charts.h"

#include <QCoreApplication>
#include <QMap>

#include <algorithm>

namespace scalebench {

namespace {

constexpr double kSeen = 0.02; ///< of the processors: less is the system at rest

class Texts
{
    Q_DECLARE_TR_FUNCTIONS(HardwareChart)
};

/// Where the axis stands at the end of an epoch's training part.
double placeOf(const RunRecord& run, const EpochSummary& epoch, RunAxis axis)
{
    EvalPoint end;
    end.epoch = epoch.epoch;
    end.samples = epoch.samples;
    end.seconds = epoch.seconds;
    return axisValue(run, end, axis);
}

/// Of one run: by host what it and others kept busy.
struct HostLines {
    ChartSeries own, others;
};

QMap<QString, HostLines> linesOf(const RunRecord& run, RunAxis axis)
{
    QMap<int, double> places;
    for (const EpochSummary& epoch : run.epochs)
        places.insert(epoch.epoch, placeOf(run, epoch, axis));
    QMap<QString, HostLines> hosts;
    for (const HostLoad& load : run.hostLoads) {
        const auto place = places.constFind(load.epoch);
        if (place == places.constEnd() || load.processors <= 0)
            continue;
        HostLines& lines = hosts[load.host];
        lines.own.x << *place;
        lines.own.y << load.own / load.processors;
        lines.others.x << *place;
        lines.others.y << (load.others + load.stolen) / load.processors;
    }
    return hosts;
}

} // namespace

ChartData processorsChart(const Study& study, RunAxis axis)
{
    ChartData chart = metricChart(study, axis, studyMetrics(study).first(), true); // for its x axis
    const ChartData named =
        studyChart(study, QStringLiteral("processors"), Texts::tr("Processors"));
    chart.id = named.id;
    chart.title = named.title;
    chart.series.clear();
    chart.lines.clear();
    chart.yLabel = Texts::tr("Processors kept busy (%)");
    chart.yColumn = QStringLiteral("share_of_processors");
    chart.yPercent = true;
    chart.yFromZero = true;
    chart.yMin = 0;
    chart.yMax = 1.05;
    chart.emptyText = Texts::tr("Appears at the end of the first epoch.");
    const QStringList labels = markedLabels(study.runs);
    const QList<int> slotList = runSlots(study.runs);
    for (int i = 0; i < study.runs.size(); ++i) {
        const QMap<QString, HostLines> hosts = linesOf(study.runs[i], axis);
        for (auto it = hosts.begin(); it != hosts.end(); ++it) {
            const QString name = hosts.size() > 1 || it.key().isEmpty()
                                     ? QStringLiteral("%1, %2").arg(labels[i], it.key())
                                     : labels[i];
            ChartSeries own = it.value().own;
            own.id = study.runs[i].config.runId + QLatin1Char('/') + it.key();
            own.name = name;
            own.slot = slotList[i];
            own.dash = std::max(0, study.runs[i].config.repeat - 1);
            chart.series << own;
            ChartSeries others = it.value().others;
            if (std::none_of(others.y.begin(), others.y.end(),
                             [](double share) { return share > kSeen; }))
                continue;
            others.id = own.id + QStringLiteral("/others");
            others.name = Texts::tr("%1: other work").arg(name);
            others.slot = own.slot;
            others.dash = own.dash + 2;
            chart.series << others;
        }
    }
    return chart;
}

} // namespace scalebench
