// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/run_cells.h"

#include "base/translated.h"
#include "run/run_series.h"

#include <QSet>

#include <algorithm>
#include <array>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

using CellList = QList<const RunCell*>;

/// What is one value on each of two sides, or two and more on one of them.
using Values = QMap<QString, QSet<QString>>;

QMap<QString, QString> toldParts(const QMap<QString, QString>& parts, const RunRecord& run)
{
    QMap<QString, QString> told = parts;
    told.remove(u"batch"_s); // the cell's own
    told.removeIf([](const auto& part) { return part.value().isEmpty(); });
    if (run.config.threadsPerWorker == 0)
        told.remove(u"threads_per_worker"_s);
    told.insert(u"origin"_s, run.origin.isEmpty() ? u"measured"_s : run.origin);
    return told;
}

void nameCell(RunCell& cell, const QString& variant, const QList<RunCell>& all)
{
    QStringList parts;
    if (!variant.isEmpty())
        parts << variant;
    const bool severalShapes = std::any_of(all.begin(), all.end(), [&cell](const RunCell& other) {
        return other.workload == cell.workload && other.workers == cell.workers &&
               other.nodes != cell.nodes;
    });
    if (severalShapes && cell.nodes > 0)
        parts << (cell.nodes == 1 ? Launcher::tr("1 node")
                                  : Launcher::tr("%1 nodes").arg(QString::number(cell.nodes)));
    cell.part = parts.join(u", "_s);
}

Values valuesOf(const CellList& cells)
{
    Values values;
    for (const RunCell* cell : cells)
        for (auto it = cell->parts.begin(); it != cell->parts.end(); ++it)
            values[it.key()] << it.value();
    return values;
}

/// Paths that each side has one value of.
QSet<QString> comparedPaths(const CellList& ours, const CellList& theirs)
{
    const Values here = valuesOf(ours), there = valuesOf(theirs);
    QSet<QString> paths;
    for (auto it = here.begin(); it != here.end(); ++it)
        if (it.value().size() == 1 && there.value(it.key()).size() == 1)
            paths << it.key();
    return paths;
}

bool sameSeries(const RunCell& a, const RunCell& b, const QSet<QString>& compared)
{
    for (auto it = a.parts.begin(); it != a.parts.end(); ++it)
        if (const auto other = b.parts.constFind(it.key());
            other != b.parts.cend() && *other != *it && !compared.contains(it.key()))
            return false;
    return true;
}

template <typename Value>
QSet<int> numbersOf(const CellList& cells, Value valueOf)
{
    QSet<int> values;
    for (const RunCell* cell : cells)
        values << valueOf(*cell);
    values.remove(0); // not told
    return values;
}

CellList onWorkers(const CellList& cells, int workers)
{
    CellList found;
    std::copy_if(cells.begin(), cells.end(), std::back_inserter(found),
                 [workers](const RunCell* cell) { return cell->workers == workers; });
    return found;
}

/// The same, not told, or one number on each side.
template <typename Value>
bool sameNumber(const RunCell& a, const RunCell& b, const CellList& ours, const CellList& theirs,
                Value valueOf)
{
    return valueOf(a) == valueOf(b) || valueOf(a) == 0 || valueOf(b) == 0 ||
           (numbersOf(ours, valueOf).size() == 1 && numbersOf(theirs, valueOf).size() == 1);
}

/// Runs of unknown size may be of any: they are compared where each side has nothing else.
bool sameWorkers(const RunCell& a, const RunCell& b, const CellList& ours, const CellList& theirs)
{
    if (a.workers < 1 || b.workers < 1)
        return ours.size() == 1 && theirs.size() == 1;
    return sameNumber(a, b, ours, theirs, [](const RunCell& cell) { return cell.workers; });
}

/// Of one workload, and of one scale where both sides ran it.
bool inScope(const RunCell& cell, const RunCell& of, const QSet<QString>& sharedScales)
{
    return cell.workload == of.workload &&
           (!sharedScales.contains(of.scale) || cell.scale == of.scale);
}

CellList scopeOf(const QList<RunCell>& cells, const RunCell& of, const QSet<QString>& sharedScales)
{
    CellList scope;
    for (const RunCell& cell : cells)
        if (inScope(cell, of, sharedScales))
            scope << &cell;
    return scope;
}

QSet<QString> scalesOf(const QList<RunCell>& cells, const QString& workload)
{
    QSet<QString> scales;
    for (const RunCell& cell : cells)
        if (cell.workload == workload)
            scales << cell.scale;
    return scales;
}

} // namespace

QString cellName(const QString& workload, int workers, const QString& part)
{
    const QString count =
        workers < 1    ? Launcher::tr("%1, number of workers not known").arg(workload)
        : workers == 1 ? Launcher::tr("%1, 1 worker").arg(workload)
                       : Launcher::tr("%1, %2 workers").arg(workload, QString::number(workers));
    return part.isEmpty() ? count : count + u", "_s + part;
}

QList<RunCell> runCells(const RunList& runs)
{
    QList<RunRecord> records; // their lists are shared
    for (const RunRecord* run : runs)
        records << *run;
    const RunSeries series(records);
    QMap<std::array<int, 5>, RunList> cells; // of unknown size each run is one
    for (int i = 0; i < runs.size(); ++i) {
        if (series.seriesOf(i) < 0)
            continue;
        const RunConfig& c = runs[i]->config;
        cells[{series.seriesOf(i), c.workers, c.nodes, c.globalBatch, c.workers > 0 ? 0 : i}]
            << runs[i];
    }
    QList<RunCell> list;
    QList<int> seriesOf;
    for (auto it = cells.begin(); it != cells.end(); ++it) {
        const RunRecord& first = *it.value().first();
        RunCell cell{first.config.workload,
                     first.config.scale,
                     it.key()[1],
                     it.key()[2],
                     it.key()[3],
                     {},
                     it.value(),
                     {}};
        cell.parts = toldParts(series.parts(it.key()[0]), first);
        seriesOf << it.key()[0];
        list << cell;
    }
    for (int i = 0; i < list.size(); ++i)
        nameCell(list[i], series.variant(seriesOf[i]), list);
    return list;
}

QList<RunCell> runCells(const QList<RunRecord>& runs)
{
    RunList pointers;
    for (const RunRecord& run : runs)
        pointers << &run;
    return runCells(pointers);
}

QList<QList<int>> matchCells(const QList<RunCell>& ours, const QList<RunCell>& theirs)
{
    const auto nodesOf = [](const RunCell& cell) { return cell.nodes; };
    const auto batchOf = [](const RunCell& cell) { return cell.batch; };
    QList<QList<int>> matches;
    for (const RunCell& cell : ours) {
        const QSet<QString> shared =
            scalesOf(ours, cell.workload) & scalesOf(theirs, cell.workload);
        const CellList here = scopeOf(ours, cell, shared), there = scopeOf(theirs, cell, shared);
        const QSet<QString> compared = comparedPaths(here, there);
        const CellList mine = onWorkers(here, cell.workers);
        QList<int> found;
        for (int i = 0; i < theirs.size(); ++i) {
            const RunCell& other = theirs[i];
            if (!inScope(other, cell, shared) || !sameSeries(cell, other, compared) ||
                !sameWorkers(cell, other, here, there))
                continue;
            // Shape and batch go with the number of workers.
            const CellList its = onWorkers(there, other.workers);
            if (sameNumber(cell, other, mine, its, nodesOf) &&
                sameNumber(cell, other, mine, its, batchOf))
                found << i;
        }
        matches << found;
    }
    return matches;
}

} // namespace scalebench
