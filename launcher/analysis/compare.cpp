// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compare.h"

#include "analysis/means.h"
#include "analysis/ratio_interval.h"
#include "analysis/run_cells.h"
#include "analysis/speedup_table.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "run/run_series.h"
#include "run/stream_faults.h"
#include "study/dimensions.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Texts of all leaves, each value once.
using Texts = QMap<QString, QStringList>;

void addLeaves(Texts& texts, const QJsonObject& object)
{
    const QMap<QString, QJsonValue> leaves = leavesOf(object);
    for (auto it = leaves.begin(); it != leaves.end(); ++it)
        if (const QString text = exactText(it.value()); !texts[it.key()].contains(text))
            texts[it.key()] << text;
}

QSet<QString> workloadsOf(const RunGroup& group)
{
    QSet<QString> workloads;
    for (const RunRecord& run : group.runs)
        workloads << run.config.workload;
    return workloads;
}

/// Of an imported result, which has no run.json, what was told of it by the same paths.
QJsonObject toldSettings(const RunConfig& c)
{
    QJsonObject json = c.json; // of a table, its further columns
    for (const auto& [path, text] : {std::pair{u"workload"_s, c.workload},
                                     {u"scale"_s, c.scale},
                                     {u"model.name"_s, c.model},
                                     {u"device"_s, c.device},
                                     {u"precision"_s, c.precision},
                                     {u"batch_policy"_s, c.batchPolicy},
                                     {u"data.source"_s, c.dataSource}})
        if (!text.isEmpty())
            json = withValueAt(json, path, text);
    for (const auto& [path, number] : {std::pair{u"nodes"_s, double(c.nodes)},
                                       {u"workers"_s, double(c.workers)},
                                       {u"threads_per_worker"_s, double(c.threadsPerWorker)},
                                       {u"global_batch"_s, double(c.globalBatch)},
                                       {u"schedule.base_lr"_s, c.learningRate},
                                       {u"target"_s, c.target.value_or(0)}})
        if (number > 0)
            json = withValueAt(json, path, number);
    return json;
}

/// The group's runs of these workloads; none given: all.
RunList runsOf(const RunGroup& group, const QSet<QString>& workloads)
{
    RunList runs;
    for (const RunRecord& run : group.runs)
        if (workloads.isEmpty() || workloads.contains(run.config.workload))
            runs << &run;
    return runs;
}

Texts settingsOf(const RunList& runs)
{
    Texts texts;
    for (const RunRecord* run : runs) {
        QJsonObject json = run->config.json;
        if (!json.contains("workload"_L1))
            json = toldSettings(run->config);
        for (const QString& name : {u"format"_s, u"version"_s, u"study"_s, u"run_id"_s})
            json.remove(name);
        json.insert(u"origin"_s, run->origin.isEmpty() ? u"measured"_s : run->origin);
        if (const QString precision = precisionText(*run); !precision.isEmpty())
            json.insert(u"computed_precision"_s, precision);
        addLeaves(texts, json);
    }
    return texts;
}

/// Of a system only what stays: load and clocks are a moment's.
Texts environmentOf(const RunGroup& group, const RunList& runs)
{
    static const QStringList moments{u"load_average"_s, u"memory_available_bytes"_s};
    Texts texts;
    const QJsonArray nodes = group.system.value("nodes"_L1).toArray();
    for (const QJsonValue& value : nodes) {
        QJsonObject node = value.toObject();
        for (const QString& name : moments)
            node.remove(name);
        QJsonObject cpu = node.value("cpu"_L1).toObject();
        cpu.remove("mhz_at_start"_L1);
        node.insert(u"cpu"_s, cpu);
        addLeaves(texts, node);
    }
    QJsonObject software = group.system.value("software"_L1).toObject();
    software.remove("workers"_L1); // a setting
    addLeaves(texts, software);
    // Of an imported log; a table's are among its settings.
    for (const RunRecord* run : runs)
        for (const QString& name : {u"system"_s, u"submitter"_s, u"framework"_s})
            if (const QString text = run->setup.value(name).toString();
                !run->origin.isEmpty() && run->config.json.isEmpty() && !text.isEmpty())
                addLeaves(texts, {{name, text}});
    return texts;
}

QList<ComparedValue> valuesOf(const QList<Texts>& groups, Listed listed)
{
    QSet<QString> paths;
    for (const Texts& texts : groups)
        for (auto it = texts.begin(); it != texts.end(); ++it)
            paths << it.key();
    QStringList sorted = paths.values();
    sorted.sort();
    QList<ComparedValue> list;
    for (const QString& path : std::as_const(sorted)) {
        ComparedValue value{path, dimensionTitle(path), {}, false};
        for (const Texts& texts : groups) {
            QStringList all = texts.value(path);
            all.sort();
            value.values << all.join(u", "_s);
        }
        value.differs =
            std::any_of(value.values.begin(), value.values.end(),
                        [&](const QString& text) { return text != value.values.first(); });
        if (value.differs || listed == Listed::All)
            list << value;
    }
    return list;
}

struct ComparedCell {
    RunList runs;
    QList<double> times;
    double throughput = kNone;
};

ComparedCell measuredIn(const RunCell& of)
{
    ComparedCell cell{of.runs, {}, kNone};
    QList<double> rates;
    for (const RunRecord* run : of.runs) {
        if (hasTime(*run))
            cell.times << run->timeToTrainS();
        if (hasRate(*run))
            rates << run->throughput;
    }
    cell.throughput = olympicMean(rates);
    return cell;
}

template <typename Value>
bool differ(const ComparedCell& a, const ComparedCell& b, Value valueOf)
{
    QStringList one, other;
    for (const RunRecord* run : a.runs)
        one << valueOf(*run);
    for (const RunRecord* run : b.runs)
        other << valueOf(*run);
    one.removeDuplicates();
    other.removeDuplicates();
    one.sort();
    other.sort();
    return one != other;
}

/// The same of numbers of which 0 tells nothing.
template <typename Value>
bool differTold(const ComparedCell& a, const ComparedCell& b, Value valueOf)
{
    const auto told = [&valueOf](const ComparedCell& cell) {
        QSet<double> values;
        for (const RunRecord* run : cell.runs)
            if (const double value = valueOf(*run); value > 0)
                values << value;
        return values;
    };
    const QSet<double> one = told(a), other = told(b);
    return !one.isEmpty() && !other.isEmpty() && one != other;
}

QStringList cautionsOf(const ComparedCell& a, const ComparedCell& b)
{
    QStringList cautions;
    const auto add = [&](bool is, const QString& text) {
        if (is)
            cautions << text;
    };
    add(differ(a, b, [](const RunRecord& r) { return r.origin; }),
        Launcher::tr("other implementation or origin"));
    add(differ(a, b, [](const RunRecord& r) { return r.config.scale + r.config.model; }),
        Launcher::tr("other network"));
    add(differ(a, b, [](const RunRecord& r) { return r.config.dataSource; }),
        Launcher::tr("other data"));
    add(differTold(a, b, [](const RunRecord& r) { return double(r.config.globalBatch); }),
        Launcher::tr("other batch"));
    add(differ(a, b,
               [](const RunRecord& r) { return QString::number(r.config.target.value_or(-1)); }),
        Launcher::tr("other target"));
    add(differTold(a, b, [](const RunRecord& r) { return std::round(r.epochsToTarget() * 10); }),
        Launcher::tr("other epochs"));
    add(differTold(a, b, [](const RunRecord& r) { return double(r.config.nodes); }),
        Launcher::tr("other number of nodes"));
    add(differ(a, b, [](const RunRecord& r) { return precisionText(r); }),
        Launcher::tr("other precision"));
    add(differ(a, b, [](const RunRecord& r) { return QString::number(r.config.threadsPerWorker); }),
        Launcher::tr("other threads per worker"));
    QStringList marks;
    for (const ComparedCell* cell : {&a, &b})
        for (const RunRecord* run : cell->runs)
            marks += conditionMarks(*run);
    marks.removeDuplicates();
    cautions << marks;
    add(a.times.size() < 2 || b.times.size() < 2, Launcher::tr("one run only"));
    return cautions;
}

} // namespace

/// Pooled over both sides; NaN where neither has two repeats.
static double variationOf(const QList<double>& a, const QList<double>& b)
{
    double squares = 0;
    qsizetype freedom = 0;
    for (const QList<double>* times : {&a, &b}) {
        const double mean = plainMean(*times);
        for (const double time : *times)
            squares += std::pow(time / mean - 1, 2);
        freedom += std::max<qsizetype>(0, times->size() - 1);
    }
    return freedom > 0 ? std::sqrt(squares / double(freedom)) : std::nan("");
}

/// Cells of one side that have none to be compared with on the other.
static QString onlyIn(const QString& side, const QString& other, const QStringList& cells)
{
    constexpr qsizetype kMostNamed = 6;
    QStringList named = cells.mid(0, kMostNamed);
    if (cells.size() > named.size())
        named << Launcher::tr("%1 more").arg(QString::number(cells.size() - named.size()));
    return visibleLine(Launcher::tr("Only in %1, so not compared with %2: %3.")
                           .arg(side, other, named.join(u"; "_s)));
}

static ComparedTime compareCells(const RunCell& base, const RunCell& other, int group)
{
    const ComparedCell a = measuredIn(base), b = measuredIn(other);
    ComparedTime time;
    time.workload = base.workload;
    time.workers = base.workers;
    time.part = base.part;
    time.group = group;
    time.runs = int(b.times.size());
    time.baselineRuns = int(a.times.size());
    time.timeS = olympicMean(b.times);
    time.baselineS = olympicMean(a.times);
    const RatioInterval ratio = ratioOfMeans(b.times, a.times);
    time.ratio = ratio.ratio;
    time.low = ratio.low;
    time.high = ratio.high;
    time.variation = variationOf(a.times, b.times);
    time.throughputRatio = b.throughput / a.throughput;
    if (other.workers < 1 || base.workers < 1)
        time.cautions << Launcher::tr("number of workers not known");
    else if (other.workers != base.workers)
        time.cautions
            << Launcher::tr("%n worker(s) against %1", nullptr, other.workers).arg(base.workers);
    time.cautions << cautionsOf(a, b);
    return time;
}

Comparison compareGroups(const QList<RunGroup>& groups, Listed listed)
{
    Comparison result;
    if (groups.size() < 2)
        return result;
    QList<Texts> settings, environment;
    QSet<QString> common = workloadsOf(groups.first());
    for (const RunGroup& group : groups)
        common &= workloadsOf(group);
    for (const RunGroup& group : groups) {
        const RunList runs = runsOf(group, common);
        settings << settingsOf(runs);
        environment << environmentOf(group, runs);
    }
    result.settings = valuesOf(settings, listed);
    result.environment = valuesOf(environment, listed);
    const QList<RunCell> base = runCells(groups.first().runs);
    QMap<int, QList<ComparedTime>> times; // by cell of the first group
    for (int g = 1; g < groups.size(); ++g) {
        const QList<RunCell> other = runCells(groups[g].runs);
        const QList<QList<int>> matches = matchCells(base, other);
        QSet<int> matched;
        QStringList alone;
        for (int i = 0; i < base.size(); ++i) {
            if (matches[i].isEmpty())
                alone << base[i].name();
            for (const int match : matches[i]) {
                matched << match;
                ComparedTime time = compareCells(base[i], other[match], g);
                if (matches[i].size() > 1 && !other[match].part.isEmpty()) // which one of several
                    time.part += (time.part.isEmpty() ? QString() : u" / "_s) + other[match].part;
                times[i] << time;
            }
        }
        const QString& first = groups.first().name;
        if (!alone.isEmpty())
            result.unmatched << onlyIn(first, groups[g].name, alone);
        alone.clear();
        for (int i = 0; i < other.size(); ++i)
            if (!matched.contains(i))
                alone << other[i].name();
        if (!alone.isEmpty())
            result.unmatched << onlyIn(groups[g].name, first, alone);
    }
    for (const QList<ComparedTime>& cell : std::as_const(times))
        result.times << cell;
    return result;
}

/// How many repeats would tell; at least a difference of a per cent is asked for.
static QString chanceText(const ComparedTime& time)
{
    constexpr double kLeastShare = 0.01;
    if (!(time.variation > 0))
        return Launcher::tr("no more than chance");
    const double share = std::max(kLeastShare, std::abs(time.ratio - 1));
    return Launcher::tr(
               "no more than chance; about %1 repeats on each side would tell a difference of "
               "%2 %")
        .arg(QString::number(repeatsToResolve(time.variation, share)),
             QLocale().toString(share * 100, 'f', share < 0.1 ? 1 : 0));
}

QString comparedText(const ComparedTime& time, const QList<RunGroup>& groups)
{
    const auto number = [](double value) {
        return value < 0.1 ? QLocale().toString(value, 'g', 2) : QLocale().toString(value, 'f', 2);
    };
    const QString what = cellName(time.workload, time.workers, time.part);
    const QString name = groups.value(time.group).name, base = groups.value(0).name;
    QString text;
    if (std::isfinite(time.ratio)) {
        if (!std::isfinite(time.low))
            text = Launcher::tr("%1: %2 takes %3 times as long as %4.")
                       .arg(what, name, number(time.ratio), base);
        else if (time.low <= 1 && time.high >= 1)
            text = Launcher::tr("%1: %2 takes %3 times as long as %4 (95 % interval %5 to %6): %7.")
                       .arg(what, name, number(time.ratio), base, number(time.low),
                            number(time.high), chanceText(time));
        else
            text =
                Launcher::tr("%1: %2 takes %3 times as long as %4 (95 % interval %5 to %6).")
                    .arg(what, name, number(time.ratio), base, number(time.low), number(time.high));
    } else if (std::isfinite(time.throughputRatio)) {
        text = Launcher::tr("%1: no time on both sides; %2 does %3 times the samples/s of %4.")
                   .arg(what, name, number(time.throughputRatio), base);
    } else {
        text = Launcher::tr("%1: nothing to compare yet.").arg(what);
    }
    if (!time.cautions.isEmpty())
        text += u' ' + Launcher::tr("With care: %1.").arg(time.cautions.join(u", "_s));
    return visibleLine(text);
}

int repeatsToResolve(double variation, double share)
{
    if (!(variation > 0) || !(share > 0))
        return 2;
    const double n = 2 * std::pow(1.96 * variation / share, 2);
    return int(std::clamp(std::ceil(n - 1e-9), 2.0, 1e6));
}

} // namespace scalebench
