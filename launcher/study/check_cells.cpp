// SPDX-License-Identifier: GPL-3.0-or-later
// What can be known of a matrix before it starts. A value that no combination can use is an error;
// a combination that cannot be run while others with its values can is left out, with the reason.
#include "base/translated.h"
#include "study/dimensions.h"
#include "study/study_cells.h"
#include "study/workload_catalog.h"

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

using Level = Problem::Level;

bool hasErrors(const QList<Problem>& problems)
{
    return std::any_of(problems.begin(), problems.end(),
                       [](const Problem& p) { return p.level == Level::Error; });
}

void addOnce(QList<Problem>& problems, const Problem& problem)
{
    const bool known = std::any_of(problems.begin(), problems.end(), [&](const Problem& p) {
        return p.message == problem.message && p.level == problem.level;
    });
    if (!known)
        problems << problem;
}

/// Twice the same workload, twice the same precision.
void checkLists(const StudySpec& spec, QList<Problem>& problems)
{
    QStringList seen;
    for (const StudySpec& one : spec.split()) {
        const QString id = one.workload + u' ' + one.scale;
        if (seen.contains(id))
            addOnce(problems,
                    {Level::Error, u"workload"_s, u"workload_duplicate"_s,
                     Launcher::tr("The workload \"%1\" is given twice at the scale \"%2\"; use "
                                  "settings with several values for what differs.")
                         .arg(one.workload, one.scale)});
        seen << id;
        QStringList precisions = one.precisions;
        precisions.sort();
        for (qsizetype i = 1; i < precisions.size(); ++i)
            if (precisions[i] == precisions[i - 1])
                addOnce(problems,
                        {Level::Error, u"precisions"_s, u"precision_duplicate"_s,
                         Launcher::tr("The precision \"%1\" is given twice.").arg(precisions[i])});
    }
}

void checkSettings(const StudySpec& spec, QList<Problem>& problems)
{
    for (const StudySpec& one : spec.split()) {
        const Workload* workload = WorkloadCatalog::instance().find(one.workload);
        if (!workload)
            continue; // which checkPlain tells
        for (auto it = one.settings.begin(); it != one.settings.end(); ++it)
            for (const QJsonValue& value : it.value())
                if (const Result<void> good = checkSetting(*workload, it.key(), value); !good)
                    addOnce(problems, {Level::Error, u"settings"_s, good.failure().code,
                                       good.failure().message});
    }
}

/// The switches that a workload knows nothing of make no difference there.
void checkSwitches(const Combination& combination, QList<Problem>& problems)
{
    const Workload* workload = WorkloadCatalog::instance().find(combination.spec.workload);
    if (!workload)
        return; // which checkPlain tells
    const QJsonObject options{{u"options"_s, combination.spec.options.toJson()}};
    for (const Dimension& d : knownDimensions()) {
        if (!d.byWorkload || !valueAt(options, d.path).toBool() ||
            workload->switches.contains(d.key))
            continue;
        const bool differs = std::any_of(combination.chosen.begin(), combination.chosen.end(),
                                         [&](const Choice& c) { return c.path == d.path; });
        problems << Problem{
            differs ? Level::Error : Level::Warning, d.path, u"switch_unused"_s,
            Launcher::tr("\"%1\" makes no difference to %2.").arg(d.title, workload->id)};
    }
}

/// "resnet, 3 workers, overlap on".
QString cellText(const Combination& combination, const StudySpec& unit)
{
    const int workers = unit.workers.value(0);
    QStringList parts{combination.spec.workload, !unit.shapes.isEmpty() ? unit.shapes.first().text()
                                                 : workers == 1
                                                     ? u"1 worker"_s
                                                     : Launcher::tr("%1 workers").arg(workers)};
    for (const Choice& choice : combination.chosen)
        parts << dimensionKey(choice.path) + u' ' + valueText(choice.path, choice.value);
    return parts.join(u", "_s);
}

/// Which values a cell is made of, as keys: all cells of one key broken means that it is no use.
QStringList valuesOf(const Combination& combination, int unit)
{
    QStringList keys{u"workload="_s + combination.spec.workload + u' ' + combination.spec.scale,
                     u"shape=%1"_s.arg(unit)};
    for (const Choice& choice : combination.chosen)
        keys << choice.path + u'=' + valueText(choice.path, choice.value);
    return keys;
}

struct CheckedCell {
    int combination = 0;
    int unit = 0;
    QString text;
    QStringList values;
    QList<Problem> problems;
    bool broken = false;
};

QString reasonOf(const CheckedCell& cell)
{
    QStringList sentences;
    for (const Problem& problem : cell.problems)
        if (problem.level == Level::Error)
            sentences << problem.message;
    sentences.removeDuplicates();
    return sentences.join(u' ');
}

void tellLeftOut(const QList<CheckedCell>& cells, QList<Problem>& problems)
{
    QMap<QString, QStringList> cellsOf; // by message
    QMap<QString, Problem> first;
    for (const CheckedCell& cell : cells)
        for (const Problem& problem : cell.problems)
            if (problem.level == Level::Error) {
                cellsOf[problem.message] << cell.text;
                if (!first.contains(problem.message))
                    first.insert(problem.message, problem);
            }
    for (auto it = cellsOf.begin(); it != cellsOf.end(); ++it) {
        QStringList names = it.value();
        const qsizetype more = names.size() - 3;
        names = names.first(std::min<qsizetype>(3, names.size()));
        QString list = names.join(u"; "_s);
        if (more > 0)
            list = Launcher::tr("%1 and %2 more").arg(list).arg(more);
        const Problem& cause = first[it.key()];
        problems << Problem{Level::Warning, cause.field, cause.code,
                            Launcher::tr("Left out (%1): %2").arg(list, it.key()), true};
    }
}

} // namespace

CheckedCells checkCells(const StudySpec& spec, const MachineInfo& machine)
{
    CheckedCells checked;
    checkLists(spec, checked.problems);
    checkSettings(spec, checked.problems);
    if (hasErrors(checked.problems))
        return checked;
    const Result<QList<Combination>> combinations = combinationsOf(spec);
    if (!combinations) {
        checked.problems << Problem{Level::Error, u"settings"_s, combinations.failure().code,
                                    combinations.failure().message};
        return checked;
    }
    checked.combinations = combinations.value();
    if (checked.combinations.size() == 1) { // all shapes at once: each must be possible
        checked.problems += checkPlain(checked.combinations.first().spec, machine);
        checkSwitches(checked.combinations.first(), checked.problems);
        return checked;
    }
    QList<CheckedCell> cells;
    QMap<QString, bool> usable; // value: some cell of it can be run
    for (int c = 0; c < checked.combinations.size(); ++c) {
        const Combination& combination = checked.combinations[c];
        const QList<StudySpec> units = onePerShape(combination.spec);
        if (units.isEmpty()) { // no worker count at all
            checked.problems = checkPlain(combination.spec, machine);
            return checked;
        }
        for (int u = 0; u < units.size(); ++u) {
            CheckedCell cell{c,
                             u,
                             cellText(combination, units[u]),
                             valuesOf(combination, u),
                             checkPlain(units[u], machine),
                             false};
            checkSwitches(combination, cell.problems);
            cell.broken = hasErrors(cell.problems);
            for (const QString& value : cell.values)
                usable[value] = usable.value(value) || !cell.broken;
            cells << cell;
        }
    }
    QList<CheckedCell> leftOut;
    for (const CheckedCell& cell : std::as_const(cells)) {
        const bool useless =
            std::any_of(cell.values.begin(), cell.values.end(),
                        [&](const QString& value) { return !usable.value(value); });
        for (const Problem& problem : cell.problems)
            if (useless || problem.level == Level::Warning)
                addOnce(checked.problems, problem);
        if (cell.broken && !useless) {
            leftOut << cell;
            checked.leftOutCells << LeftOutCell{cell.text, reasonOf(cell)};
            checked.leftOut.insert({cell.combination, cell.unit});
        }
    }
    tellLeftOut(leftOut, checked.problems);
    std::stable_sort(checked.problems.begin(), checked.problems.end(),
                     [](const Problem& a, const Problem& b) { return a.level < b.level; });
    return checked;
}

QList<Problem> validate(const StudySpec& spec, const MachineInfo& machine)
{
    return checkCells(spec, machine).problems;
}

} // namespace scalebench
