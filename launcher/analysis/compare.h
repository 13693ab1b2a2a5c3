// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Groups of runs of any origin side by side: what differs in settings and environment, and how
// their times relate. Definitions: resources/docs/analysis.md. Never refuses: what makes a
// comparison unfair is said.

#include "run/run_record.h"

#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>

namespace scalebench {

struct RunGroup {
    QString name;
    QList<RunRecord> runs;
    QJsonObject system = {}; ///< system.json of one of them; may be empty
};

/// A path of run.json or system.json.
struct ComparedValue {
    QString path, title;
    QStringList values; ///< a text for each group: all of its values; empty: has none
    bool differs = true;
};

/// What the same series on the same workers and nodes with the same batch took, against the first
/// group.
struct ComparedTime {
    QString workload;
    int workers = 1;
    QString part;  ///< what tells the cell from others on as many workers: "overlap on"
    int group = 1; ///< of the one that is compared
    int runs = 0, baselineRuns = 0;  ///< completed ones
    double timeS = 0, baselineS = 0; ///< means; NaN where none has completed
    /// Time over the first group's time and its 95 % interval (Welch); NaN where not known.
    double ratio = 0, low = 0, high = 0;
    double variation = 0; ///< of repeats: standard deviation over mean, both sides; NaN: unknown
    double throughputRatio = 0; ///< samples/s over the first group's; NaN where not known
    QStringList cautions;       ///< why the ratio says less than it seems to
};

struct Comparison {
    QList<ComparedValue> settings, environment;
    QList<ComparedTime> times;
    QStringList unmatched; ///< what only one side ran, by sentences
};
enum class Listed { Differing, All };
/// Two groups or more; the first is what the others are compared with. `listed`: which settings and
/// facts of the environment the result holds.
Comparison compareGroups(const QList<RunGroup>& groups, Listed listed = Listed::Differing);

/// "ncf, 2 workers: B takes 1.21 times as long as A (95 % interval 1.10 to 1.33)."
QString comparedText(const ComparedTime& time, const QList<RunGroup>& groups);

/// How many runs of each of two sides tell a difference of `share` (0.05: 5 %) from chance, where
/// repeats scatter by `variation` (standard deviation over mean): n = 2 (1.96 variation / share)²,
/// at least 2.
int repeatsToResolve(double variation, double share);

} // namespace scalebench
