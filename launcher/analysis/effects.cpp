// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/effects.h"

#include "analysis/means.h"
#include "analysis/shape_gaps.h"
#include "analysis/speedup_table.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "run/run_series.h"
#include "run/stream_faults.h"
#include "study/dimensions.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// The completed runs of one series, shape and batch.
struct EffectCell {
    int series = 0;
    const RunConfig* config = nullptr;
    QMap<QString, QString> parts; ///< of the series, with its shape
    QList<double> times;
    QStringList marks;

    double mean() const { return olympicMean(times); }
};

QList<EffectCell> cellsOf(const QList<RunRecord>& runs, const RunSeries& series)
{
    QMap<QList<int>, EffectCell> cells;
    for (int i = 0; i < runs.size(); ++i) {
        const RunConfig& c = runs[i].config;
        if (c.oversubscribed || !hasTime(runs[i]) || c.workers < 1) // of unknown size
            continue;
        EffectCell& cell = cells[{series.seriesOf(i), c.nodes, c.workers, c.globalBatch}];
        if (!cell.config) {
            cell.series = series.seriesOf(i);
            cell.config = &c;
            cell.parts = series.parts(cell.series);
            cell.parts.insert(u"shape"_s, c.nodes > 0 ? Shape{c.nodes, c.workersPerNode()}.text()
                                                      : QString::number(c.workers));
            if (c.batchPolicy == "table"_L1 && c.globalBatch > 0) // it is not in the series
                cell.parts.insert(u"batch"_s, QString::number(c.globalBatch));
        }
        cell.times << runs[i].timeToTrainS();
        cell.marks += conditionMarks(runs[i]);
    }
    return cells.values();
}

/// What follows from the path and must not keep a pair apart: the schedule's lengths shrink with
/// the epochs, a network has settings of its own.
bool goesWith(const QString& path, const QString& other)
{
    return (path == "epochs"_L1 && other.startsWith("schedule."_L1)) ||
           (path == "model.name"_L1 && other.startsWith("model."_L1)) ||
           (path == "data.source"_L1 && other.startsWith("data."_L1)) ||
           (path == "batch_policy"_L1 && (other == "schedule.base_lr"_L1 || other == "batch"_L1));
}

/// All parts of a cell that a pair must share: cells of one key differ in the path alone.
QString keyWithout(const EffectCell& cell, const QString& path)
{
    QString key;
    for (auto it = cell.parts.begin(); it != cell.parts.end(); ++it)
        if (it.key() != path && !goesWith(path, it.key()))
            key += it.key() + u'=' + it.value() + u'\n';
    return key;
}

void fillInterval(Effect& effect, const QList<double>& logs, const EffectCell& value,
                  const EffectCell& base)
{
    const double mean = std::log(effect.ratio);
    double half = tInterval95(logs);
    if (logs.size() == 1) // the repeats of the only pair say how sure it is
        half = std::hypot(olympicInterval95(value.times) / value.mean(),
                          olympicInterval95(base.times) / base.mean());
    effect.low = std::exp(mean - half);
    effect.high = std::exp(mean + half);
}

/// Of the path, every value against the first one of `values`.
void addEffects(QList<Effect>& effects, const QList<EffectCell>& cells, const QString& path,
                const QStringList& values)
{
    QHash<QString, QMap<QString, const EffectCell*>> groups; // key, value
    QStringList keys;                                        // in the order of the runs
    for (const EffectCell& cell : cells) {
        const QString key = keyWithout(cell, path);
        if (!groups.contains(key))
            keys << key;
        groups[key].insert(cell.parts.value(path), &cell);
    }
    for (const QString& value : values.mid(1)) {
        QList<double> logs;
        QStringList marks;
        const EffectCell *lastValue = nullptr, *lastBase = nullptr;
        for (const QString& key : std::as_const(keys)) {
            const EffectCell* with = groups[key].value(value);
            const EffectCell* base = groups[key].value(values.first());
            if (!with || !base)
                continue;
            logs << std::log(with->mean() / base->mean());
            marks += base->marks + with->marks;
            lastValue = with;
            lastBase = base;
        }
        if (logs.isEmpty())
            continue;
        const double sum = std::accumulate(logs.begin(), logs.end(), 0.0);
        const RunConfig& config = *cells.first().config;
        Effect effect{config.workload,
                      config.scale,
                      path,
                      value,
                      values.first(),
                      int(logs.size()),
                      std::exp(sum / double(logs.size())),
                      kUnknown,
                      kUnknown,
                      marks};
        effect.marks.removeDuplicates();
        fillInterval(effect, logs, *lastValue, *lastBase);
        effects << effect;
    }
}

QList<QList<EffectCell>> byWorkload(const QList<EffectCell>& cells)
{
    QStringList order;
    QMap<QString, QList<EffectCell>> groups;
    for (const EffectCell& cell : cells) {
        const QString key = cell.config->workload + u' ' + cell.config->scale;
        if (!order.contains(key))
            order << key;
        groups[key] << cell;
    }
    QList<QList<EffectCell>> list;
    for (const QString& key : order)
        list << groups[key];
    return list;
}

QString percent(double share)
{
    return QLocale().toString(std::abs(share) * 100, 'f', std::abs(share) < 0.0995 ? 1 : 0);
}

/// "2 workers, bf16", "2x1".
QString cellText(const EffectCell& cell, const RunSeries& series)
{
    const RunConfig& c = *cell.config;
    QStringList parts{
        c.nodes > 1 ? Launcher::tr("%1 nodes x %2 workers").arg(c.nodes).arg(c.workersPerNode())
                    : (c.workers == 1 ? Launcher::tr("%1 worker") : Launcher::tr("%1 workers"))
                          .arg(c.workers)};
    if (const QString variant = series.variant(cell.series); !variant.isEmpty())
        parts << variant;
    return parts.join(u", "_s);
}

} // namespace

QList<Effect> mainEffects(const QList<RunRecord>& runs)
{
    QList<Effect> effects;
    const RunSeries series(runs);
    for (const QList<EffectCell>& cells : byWorkload(cellsOf(runs, series))) {
        QMap<QString, QStringList> values; // in the order of the runs
        for (const EffectCell& cell : cells)
            for (auto it = cell.parts.begin(); it != cell.parts.end(); ++it)
                if (!values[it.key()].contains(it.value()))
                    values[it.key()] << it.value();
        for (auto it = values.begin(); it != values.end(); ++it) {
            // A shape: that is the speedup. A file does nothing.
            if (it.key() == "shape"_L1 || it.key() == "table.file"_L1 || it.value().size() < 2)
                continue;
            addEffects(effects, cells, it.key(), it.value());
        }
    }
    return effects;
}

QString effectText(const Effect& effect)
{
    const QString title = effect.path == "batch"_L1             ? Launcher::tr("Batch")
                          : effect.path.startsWith("table."_L1) ? effect.path.section(u'.', 1)
                                                                : dimensionTitle(effect.path);
    const double change = effect.ratio - 1;
    const bool known = std::isfinite(effect.low) && std::isfinite(effect.high);
    const double half = (effect.high - effect.low) / 2;
    const bool chance = effect.low <= 1 && effect.high >= 1;
    // Of two that differ it may be thousands of per cent.
    const bool told = known && (half < 1 || !chance);
    const QString by = told ? Launcher::tr("%1 % ± %2").arg(percent(change), percent(half))
                            : Launcher::tr("%1 %").arg(percent(change));
    QString sure = effect.pairs == 1 ? Launcher::tr("1 comparison")
                                     : Launcher::tr("%1 comparisons").arg(effect.pairs);
    if (!known)
        sure = Launcher::tr("%1; repeats would tell how sure that is").arg(sure);
    else if (!told)
        sure = Launcher::tr("%1 that differ too much; no more than chance").arg(sure);
    else if (chance)
        sure = Launcher::tr("%1; no more than chance").arg(sure);
    const QString sentence = (change <= 0 ? Launcher::tr("%1 %2 instead of %3: %4 less time (%5).")
                                          : Launcher::tr("%1 %2 instead of %3: %4 more time (%5)."))
                                 .arg(title, effect.value, effect.baseline, by, sure);
    return withMarks(sentence, effect.marks);
}

QStringList soonestTexts(const QList<RunRecord>& runs)
{
    QStringList texts;
    const RunSeries series(runs);
    for (QList<EffectCell> cells : byWorkload(cellsOf(runs, series))) {
        cells.removeIf([](const EffectCell& cell) { return !cell.config->hasTarget(); });
        if (cells.size() < 2)
            continue;
        std::stable_sort(cells.begin(), cells.end(), [](const EffectCell& a, const EffectCell& b) {
            return a.mean() < b.mean();
        });
        const EffectCell& best = cells[0];
        const double gain = 1 - best.mean() / cells[1].mean();
        texts << withMarks(
            Launcher::tr("%1 reached its target soonest with %2: %3, %4 % sooner than with %5.")
                .arg(best.config->workload, cellText(best, series), formatDuration(best.mean()),
                     percent(gain), cellText(cells[1], series)),
            best.marks + cells[1].marks);
    }
    return texts;
}

QStringList findings(const QList<RunRecord>& runs)
{
    QStringList texts = soonestTexts(runs);
    QStringList workloads;
    for (const RunRecord& run : runs)
        if (!workloads.contains(run.config.workload))
            workloads << run.config.workload;
    for (const Effect& effect : mainEffects(runs))
        texts << (workloads.size() > 1 ? effect.workload + u": "_s : QString()) +
                     effectText(effect);
    for (const ShapeGap& gap : shapeGaps(runs))
        texts << shapeGapText(gap);
    return texts;
}

} // namespace scalebench
