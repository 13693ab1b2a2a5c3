// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/shape_gaps.h"

#include "analysis/means.h"
#include "base/translated.h"
#include "run/run_series.h"
#include "run/stream_faults.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMap>

#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QList<ShapeGap> shapeGaps(const QList<RunRecord>& runs)
{
    const RunSeries series(runs);
    // Of every series and number of workers: the rates by nodes, fewest first.
    QMap<std::pair<int, int>, QMap<int, QList<double>>> cells;
    QMap<std::pair<int, int>, QMap<int, QStringList>> marks;
    for (int i = 0; i < runs.size(); ++i) {
        const RunConfig& c = runs[i].config;
        if (c.oversubscribed || !hasRate(runs[i]) || c.nodes < 1 || c.workers % c.nodes != 0)
            continue;
        cells[{series.seriesOf(i), c.workers}][c.nodes] << runs[i].throughput;
        marks[{series.seriesOf(i), c.workers}][c.nodes] += conditionMarks(runs[i]);
    }
    QList<ShapeGap> gaps;
    for (auto cell = cells.begin(); cell != cells.end(); ++cell) {
        const auto& [index, workers] = cell.key();
        const QMap<int, QList<double>>& rates = cell.value();
        const int fewest = rates.firstKey();
        for (auto it = std::next(rates.begin()); it != rates.end(); ++it) {
            ShapeGap gap;
            gap.group = series.count() > 1 ? series.label(index) : QString();
            gap.workers = workers;
            gap.few = {fewest, workers / fewest};
            gap.many = {it.key(), workers / it.key()};
            gap.fewRuns = int(rates.first().size());
            gap.manyRuns = int(it.value().size());
            gap.fewRate = olympicMean(rates.first());
            gap.manyRate = olympicMean(it.value());
            gap.rate = ratioOfMeans(it.value(), rates.first());
            gap.marks = marks[cell.key()][fewest] + marks[cell.key()][it.key()];
            gaps << gap;
        }
    }
    return gaps;
}

QString shapeGapText(const ShapeGap& gap)
{
    const auto number = [](double value) {
        return QLocale().toString(value, 'f', std::abs(value) < 10 ? 1 : 0);
    };
    const double percent = std::abs(gap.rate.ratio - 1) * 100;
    const bool known = std::isfinite(gap.rate.low);
    const QString share =
        known ? Launcher::tr("%1 % ± %2")
                    .arg(number(percent), number((gap.rate.high - gap.rate.low) / 2 * 100))
              : Launcher::tr("%1 %").arg(number(percent));
    const QString where = (gap.group.isEmpty() ? QString() : gap.group + u", "_s) +
                          Launcher::tr("%1 workers").arg(gap.workers);
    QString sentence = gap.rate.ratio < 1 ? Launcher::tr("%1: %2 gives %3 fewer samples/s than %4.")
                                          : Launcher::tr("%1: %2 gives %3 more samples/s than %4.");
    if (!known)
        sentence = gap.rate.ratio < 1
                       ? Launcher::tr("%1: %2 gives %3 fewer samples/s than %4 (without repeats, "
                                      "so by how much is not certain).")
                       : Launcher::tr("%1: %2 gives %3 more samples/s than %4 (without repeats, so "
                                      "by how much is not certain).");
    else if (gap.rate.low <= 1 && gap.rate.high >= 1)
        sentence =
            gap.rate.ratio < 1
                ? Launcher::tr("%1: %2 gives %3 fewer samples/s than %4 (no more than chance).")
                : Launcher::tr("%1: %2 gives %3 more samples/s than %4 (no more than chance).");
    return withMarks(sentence.arg(where, gap.many.text(), share, gap.few.text()), gap.marks);
}

} // namespace scalebench
