// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pure functions over run records; CLI and workbench agree because both call these.
// Definitions: resources/docs/analysis.md.

#include "run/run_record.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace scalebench {

/// A row per worker count (and per precision, model, batch policy: one group each).
struct SpeedupRow {
    QString group;                      ///< "fp32" etc.; what the series differ in
    int nodes = 1;                      ///< 0: not known
    int workers = 1;                    ///< 0: not known; such a row is one run's
    int globalBatch = 0;                ///< 0: not told
    int runs = 0;                       ///< that the time is of: completed ones
    int leftOut = 0;                    ///< completed ones that their streams contradict
    int notConverged = 0;               ///< ended without reaching the target; failed ones too
    double meanTimeS = 0;               ///< olympic mean from five runs up, else mean
    double timeLowS = 0, timeHighS = 0; ///< 95 % t interval of the mean; NaN for fewer than 2 runs
    double missedTimeS = 0; ///< mean of the runs that did not reach their target; NaN without
    double meanEpochs = 0;  ///< NaN where a run does not tell its epochs
    double meanSamplesPerSecond = 0; ///< without a completed run: of those that did not converge
    double throughputRatio = 0;      ///< samples/s over those of the baseline's count; NaN without
    double speedup = 0;              ///< meanTimeS(baseline) / meanTimeS; NaN without baseline
    double speedupLow = 0, speedupHigh = 0; ///< from the intervals of both; NaN for n < 2
    double efficiency = 0;                  ///< speedup / (workers / baseline workers)
    double epochsRatio = 0;                 ///< meanEpochs(baseline) / meanEpochs
    double stepTimeRatio =
        0; ///< (time per epoch of baseline) / (time per epoch); product = speedup
    bool baseline = false;
    bool rateBaseline = false; ///< the one that throughputRatio is told against
    bool oversubscribed = false;
    QString remark; ///< e.g. "batch differs from the baseline's"
    /// What the row's runs and its baseline's were measured under ("disturbed"), for its sentence.
    QStringList marks;

    bool knowsWorkers() const { return workers > 0; }
    /// With a time that may say something about scaling.
    bool counts() const { return runs > 0 && !oversubscribed; }
};

/// What a speedup is told against. A group that has no such row has no speedup.
struct Baseline {
    enum class Kind {
        Smallest, ///< the group's smallest worker count with a completed run
        Workers,  ///< that many workers
        Node      ///< the most workers that the group has on one node
    };
    Kind kind = Kind::Smallest;
    int workers = 1;

    QString text() const; ///< "smallest", "node", "4"; for options and settings
    static std::optional<Baseline> fromText(const QString& text);
    bool operator==(const Baseline&) const = default;
};

/// Of runs whose number of workers is not known each is a row of its own, without speedup: they may
/// be of any size. Runs without target count with the time of all their epochs. Oversubscribed runs
/// are listed, without speedup.
QList<SpeedupRow> speedupTable(const QList<RunRecord>& runs, const Baseline& baseline = {});

/// The sentence that follows from a row: why the speedup is what it is.
QString explainRow(const SpeedupRow& row);

} // namespace scalebench
