// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/loss_chart.h"

#include "figures/worker_lines.h"

#include <QCoreApplication>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {
class LossChartTexts
{
    Q_DECLARE_TR_FUNCTIONS(LossChart)
};
} // namespace

ChartData lossSplitChart(const Study& study, const QList<LossShares>& losses)
{
    ChartData chart = studyChart(study, QStringLiteral("loss_split"),
                                 LossChartTexts::tr("What is lost of the ideal"));
    chart.xScale = ChartData::XScale::Categories;
    chart.bars = ChartData::Bars::Stacked;
    chart.yPercent = true;
    chart.yFromZero = true;
    chart.xColumn = QStringLiteral("workers");
    chart.yColumn = QStringLiteral("share_of_time");
    chart.yLabel = LossChartTexts::tr("Share of the time");
    chart.emptyText =
        LossChartTexts::tr("Needs runs on two numbers of workers that reached their target and "
                           "recorded where the time of their steps went.");
    const bool grouped = std::any_of(losses.begin(), losses.end(), [&](const LossShares& loss) {
        return loss.group != losses.first().group;
    });
    const bool overNodes = std::any_of(losses.begin(), losses.end(),
                                       [](const LossShares& loss) { return loss.nodes > 1; });
    QList<LossShares> shown;
    for (const LossShares& loss : losses) {
        if (loss.baseline)
            continue; // nothing is lost there, by definition
        shown << loss;
        const QString workers = shapeText(loss.workers, loss.nodes, overNodes);
        chart.categories << (grouped ? settingsInLines(loss.group) + QLatin1Char('\n') + workers
                                     : workers);
    }
    const auto add = [&](const QString& id, const QString& name, int slot, auto valueOf) {
        ChartSeries series;
        series.id = id;
        series.name = name;
        series.slot = slot;
        series.kind = ChartSeries::Kind::Bars;
        for (int i = 0; i < shown.size(); ++i) {
            series.x << i;
            series.y << valueOf(shown[i]);
        }
        if (!shown.isEmpty())
            chart.series << series;
    };
    add(QStringLiteral("useful"), LossChartTexts::tr("ideal"), 2,
        [](const LossShares& l) { return l.useful; });
    const struct {
        LossCause cause;
        const char* id;
        QString name;
        int slot;
    } causes[] = {
        {LossCause::Compute, "compute", LossChartTexts::tr("slower computing"), 0},
        {LossCause::Communication, "communication", LossChartTexts::tr("exposed communication"), 1},
        {LossCause::Straggler, "straggler", LossChartTexts::tr("waiting for the slowest"), 4},
        {LossCause::Input, "input", LossChartTexts::tr("input wait"), 3},
        {LossCause::Evaluation, "evaluation", LossChartTexts::tr("evaluation"), 5},
        {LossCause::Epochs, "epochs", LossChartTexts::tr("more epochs"), 6},
        {LossCause::Rest, "rest", LossChartTexts::tr("rest"), 7}};
    for (const auto& cause : causes)
        add(QLatin1String(cause.id), cause.name, cause.slot,
            [&cause](const LossShares& l) { return l.lost[static_cast<int>(cause.cause)]; });
    const bool gains = std::any_of(shown.begin(), shown.end(), [](const LossShares& loss) {
        constexpr double kSeen = 0.005;
        return std::any_of(std::begin(loss.lost), std::end(loss.lost),
                           [](double share) { return share < -kSeen; });
    });
    if (gains)
        chart.marks.prepend(LossChartTexts::tr("below 0: less than at the baseline, a gain"));
    return chart;
}

namespace {

/// Without how many of its nodes ran, "… XE8545 x16, A100 …": those are points of one line.
QString deviceOf(const RunRecord& run)
{
    static const QRegularExpression kCount(QStringLiteral(" x\\d+(?=,|$)"));
    return run.workers.isEmpty() ? QString()
                                 : QString(run.workers.first().deviceName).remove(kCount);
}

QString systemOf(const Study& study)
{
    for (const RunRecord& run : study.runs)
        if (const QString device = deviceOf(run); !device.isEmpty())
            return device;
    return LossChartTexts::tr("unknown system");
}

bool isOwn(const RunRecord& run)
{
    return run.origin.isEmpty();
}

QString originText(const Study& study)
{
    const QString origin = study.runs.first().origin;
    if (origin == QLatin1String("published"))
        return LossChartTexts::tr("published");
    if (origin == QLatin1String("imported"))
        return LossChartTexts::tr("imported");
    return origin.isEmpty() ? LossChartTexts::tr("measured here") : origin;
}

/// What two runs trained with Scalebench must have in common for their times to stand side by side.
QString taskOf(const RunRecord& run)
{
    const RunConfig& c = run.config;
    QStringList targets{c.target ? QString::number(*c.target, 'g', 12) : QString()};
    for (const MetricValue& target : c.furtherTargets)
        targets << target.metric + u' ' + QString::number(target.value, 'g', 12);
    return QStringList{c.workload,   c.scale,     c.model,           QString::number(c.epochs),
                       c.dataSource, c.precision, targets.join(u' ')}
        .join(u'\n');
}

/// "target 63.5 %"; what the targets of two times are, where they differ.
QString targetOf(const Study& part)
{
    const std::optional<double>& target = part.runs.first().config.target;
    return target ? LossChartTexts::tr("target %1")
                        .arg(metricText(studyMetrics(part).first().unit, *target, 1))
                  : LossChartTexts::tr("target not known");
}

/// The study's runs that were to reach a target, by system and workload. Of `tasks` only, where one
/// was trained here; a time that others publish is one to their target.
QList<Study> partsOf(const Study& study, const QSet<QString>& tasks)
{
    QMap<QString, Study> parts;
    for (const RunRecord& run : study.runs) {
        if (isOwn(run) && (!run.config.hasTarget() || !tasks.contains(taskOf(run))))
            continue;
        const QString data = isOwn(run) ? run.config.dataSource : QString();
        Study& part = parts[QStringList{run.config.workload, deviceOf(run), data}.join(u'\n')];
        part.runs << run;
    }
    return parts.values();
}

QString dataText(const QString& source)
{
    return source == QLatin1String("generated")   ? LossChartTexts::tr("generated data")
           : source == QLatin1String("synthetic") ? LossChartTexts::tr("synthetic data")
                                                  : LossChartTexts::tr("real data");
}

QSet<QString> tasksOf(const Study& study)
{
    QSet<QString> tasks;
    for (const RunRecord& run : study.runs)
        tasks << taskOf(run);
    return tasks;
}

/// With a time and a place on the axis.
bool isDrawn(const SpeedupRow& row)
{
    return row.counts() && row.knowsWorkers() && row.meanTimeS > 0;
}

} // namespace

bool standsBeside(const Study& study, const Study& other)
{
    const QStringList workloads = studyWorkloads(study);
    for (const Study& part : partsOf(other, tasksOf(study))) {
        const QList<SpeedupRow> rows = speedupTable(part.runs);
        if (workloads.contains(part.runs.first().config.workload) &&
            std::any_of(rows.begin(), rows.end(), isDrawn))
            return true;
    }
    return false;
}

ChartData machinesChart(const Study& study, const QList<Study>& others)
{
    ChartData chart =
        studyChart(study, QStringLiteral("machines"), LossChartTexts::tr("Other machines"));
    chart.xScale = ChartData::XScale::Log2;
    chart.yLog10 = true;
    chart.xLabel = LossChartTexts::tr("Workers (GPUs)");
    chart.xColumn = QStringLiteral("workers");
    chart.yLabel = LossChartTexts::tr("Time to train (min)");
    chart.yColumn = QStringLiteral("time_to_train_min");
    chart.emptyText = LossChartTexts::tr("Needs runs of this study that reached their target.");
    const QStringList workloads = studyWorkloads(study);
    const QSet<QString> tasks = tasksOf(study);
    QSet<QString> sources;
    for (const RunRecord& run : study.runs)
        sources << run.config.dataSource;
    const bool ownStudy = std::any_of(study.runs.begin(), study.runs.end(), isOwn);
    QMap<QString, QMap<int, double>> systems; // minutes by workers
    QStringList order, ofStudy;
    QMap<QString, QString> targets; // of the study's own times, by workload
    bool references = false;
    for (const Study& one : QList<Study>{study} + others) {
        for (const Study& part : partsOf(one, tasks)) {
            const RunRecord& first = part.runs.first();
            if (!workloads.contains(first.config.workload))
                continue;
            // MLCommons forbids to compare its results with others without saying so.
            const bool reference = ownStudy && !isOwn(first);
            QStringList what{reference ? LossChartTexts::tr("reference only") : originText(part)};
            references |= reference;
            QString& own = targets[first.config.workload];
            if (own.isEmpty())
                own = targetOf(part);
            else if (own != targetOf(part)) // a time to another quality
                what << targetOf(part);
            if (sources.size() > 1 && isOwn(first))
                what << dataText(first.config.dataSource);
            QString name =
                QStringLiteral("%1 (%2)").arg(systemOf(part), what.join(QStringLiteral(", ")));
            if (workloads.size() > 1)
                name.prepend(first.config.workload + QStringLiteral(", "));
            if (ofStudy.contains(name))
                continue; // the study's own times stay its own
            for (const SpeedupRow& row : speedupTable(part.runs)) {
                if (!isDrawn(row))
                    continue;
                if (!systems.contains(name))
                    order << name;
                const double minutes = row.meanTimeS / 60;
                QMap<int, double>& times = systems[name];
                times[row.workers] = std::min(minutes, times.value(row.workers, minutes));
            }
        }
        if (ofStudy.isEmpty())
            ofStudy = order;
        if (ofStudy.isEmpty())
            break; // nothing that others could stand beside
    }
    const bool ownThere =
        std::any_of(study.runs.begin(), study.runs.end(),
                    [](const RunRecord& run) { return run.state == RunState::Completed; });
    if (!ownThere)
        chart.marks.clear(); // they are of runs that are not drawn
    for (const QString& name : std::as_const(order)) {
        ChartSeries series;
        series.id = series.name = name;
        series.slot = static_cast<int>(chart.series.size());
        const QMap<int, double>& minutes = systems[name];
        for (auto it = minutes.begin(); it != minutes.end(); ++it) {
            series.x << it.key();
            series.y << it.value();
            if (!chart.xTicks.contains(it.key()))
                chart.xTicks << it.key();
        }
        chart.series << series;
    }
    std::sort(chart.xTicks.begin(), chart.xTicks.end());
    if (chart.series.size() > 1)
        chart.marks.prepend(LossChartTexts::tr("of several series of one system, the fastest"));
    if (references && chart.generatedData)
        chart.marks.prepend(LossChartTexts::tr("this study trained on generated data"));
    if (references)
        chart.marks.prepend(LossChartTexts::tr("reference only: published or imported, a different "
                                               "implementation and maybe other data"));
    return chart;
}

} // namespace scalebench
