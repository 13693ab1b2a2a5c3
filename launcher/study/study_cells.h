// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a study becomes a matrix: every combination of its workloads and values is a study of one
// workload with plain values, which is then checked and resolved by itself; with a shape it is a
// cell, whose repeats are the runs.

#include "study/run_config.h"
#include "study/study_spec.h"

#include <QSet>

namespace scalebench {

inline constexpr qint64 kMostRuns = 100'000;

/// A path with one of its several values.
struct Choice {
    QString path;
    QJsonValue value;
};

struct Combination {
    StudySpec spec;       ///< one workload, one precision, one value for every setting
    QList<Choice> chosen; ///< what it differs in from others of its workload
};

/// How many runs the study stands for, those that will be left out too, without making them.
qint64 countOfRuns(const StudySpec& spec);

/// In the order of workloads and of the values of each path, the last path changing fastest.
/// Failure "plan_too_large" with the number of runs.
Result<QList<Combination>> combinationsOf(const StudySpec& spec);

/// The counts and shapes of a study one by one: either `workers` or `shapes` has one entry.
QList<StudySpec> onePerShape(const StudySpec& spec);

/// A cell of the matrix that is not run while others with its values are.
struct LeftOutCell {
    QString cell;   ///< "resnet, 2 workers, batch 33"
    QString reason; ///< sentences
};

struct CheckedCells {
    QList<Combination> combinations;
    QList<Problem> problems;
    /// (combination, index of the count or shape) that cannot be run while others can.
    QSet<std::pair<int, int>> leftOut;
    QList<LeftOutCell> leftOutCells; ///< the same in words; the problems sum them up
};
CheckedCells checkCells(const StudySpec& spec, const MachineInfo& machine);

/// What a study of plain values has for problems, all its shapes together.
QList<Problem> checkPlain(const StudySpec& spec, const MachineInfo& machine);

/// "-lr=0.1-overlap=on": ASCII that a run id may have, short.
QString idPart(const QList<Choice>& chosen);

} // namespace scalebench
