// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How many workers to use: one sentence, its numbers, why, and what would change it. From measured
// times of one series of runs (run/run_series.h). Definitions: resources/docs/analysis.md.

#include "analysis/copies.h"
#include "analysis/speedup_table.h"
#include "analysis/step_model.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace scalebench {

struct AdviceQuestion {
    double deadlineS = 0;        ///< a training must be done in this; 0: there is none
    double resolve = 0.05;       ///< a difference that is to be told from chance
    double pricePerNodeHour = 0; ///< 0, or of an unknown number of nodes: worker-hours instead
    int mostWorkers = 0;         ///< of the machine; 0: not known
};

/// A number of workers with completed runs, on its fastest shape.
struct AdviceRow {
    SpeedupRow row;
    double share = 0;       ///< of the fastest row's speed
    double workerHours = 0; ///< of one training
    double cost = 0;        ///< with the price; NaN without
    double joules = 0;      ///< mean; NaN where not every run told
    /// Side by side on as many workers as the largest row has: each as fast as it was then, or
    /// where that was not measured as fast as alone.
    int copies = 1;
    double perDay = 0; ///< trainings that they do
    std::optional<CopiesTogether> together = {};
    int workers() const { return row.workers; }
    double timeS() const { return row.meanTimeS; }
    double alonePerDay() const { return 86'400 / row.meanTimeS; }
};

/// What is known least and found out soonest.
struct Experiment {
    QList<int> workers;
    int repeats = 1;
    QString text; ///< "Run 8 workers, repeats: 3. …"
};

struct AdviceNumber {
    QString value, label, note;
};

struct Advice {
    QString group, workload;
    bool own = false;      ///< of runs that were trained here and can be again
    QList<AdviceRow> rows; ///< ascending; empty: nothing can be advised
    int chosen = -1, fastest = -1, mostPerDay = -1, cheapest = -1;
    bool meetsDeadline = true;
    double variation = 0;  ///< of repeats: standard deviation over mean, pooled; NaN without
    int repeatsNeeded = 0; ///< of each count, to tell the asked difference from chance; 0: unknown
    std::optional<StepModel> model;
    /// Of counts that were not measured, ascending; none where the model misses left-out counts.
    QList<PredictedTime> predicted;

    QString sentence, copiesSentence;
    QList<AdviceNumber> numbers; ///< three, or none
    QStringList why;
    QStringList doubts; ///< what would change the advice
    std::optional<Experiment> next;

    bool isEmpty() const { return rows.isEmpty(); }
    /// Copies would do noticeably more a day than one training after another on the fastest count.
    bool copiesPay() const;
};

/// The series that have a completed run and are not oversubscribed, as speedupTable() calls them.
QStringList adviceGroups(const QList<RunRecord>& runs);
Advice advise(const QList<RunRecord>& runs, const QString& group,
              const AdviceQuestion& question = {});

/// Add the sentences to what was computed; advise() does. `runs`: of the advice's series alone.
void writeDoubts(Advice& advice, const AdviceQuestion& question);
void writeAdvice(Advice& advice, const QList<RunRecord>& runs, const AdviceQuestion& question);

} // namespace scalebench
