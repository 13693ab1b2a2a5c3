// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A study against a reference (published or imported results, another study), item by item: as fast
// as it should be, too slow, or not comparable, and likely why. Definition:
// resources/docs/analysis.md.

#include "analysis/ratio_interval.h"
#include "run/run_record.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace scalebench {

enum class Verdict {
    Pass,   ///< no slower than the reference by more than the margin
    Low,    ///< slower by more
    Open,   ///< its interval holds the margin: more repeats tell
    Invalid ///< says nothing: target missed, disturbed, other batch, target or data
};
QString
verdictText(Verdict verdict); ///< "PASS", "LOW", "OPEN", "INVALID": the same in all languages

/// Runs of one series on one number of workers.
struct VerifiedItem {
    QString name; ///< "resnet, bf16, 4 workers"
    int workers = 1;
    int runs = 0, referenceRuns = 0;  ///< that count: with a time, else with samples/s
    int missed = 0;                   ///< of the study: without success
    double timeS = 0, referenceS = 0; ///< means; NaN where there are none
    bool ofThroughput = false;        ///< the speed is of samples/s, for want of times
    /// Speed over the reference's, with its 95 % interval (Welch); NaN where not known.
    RatioInterval speed;
    /// How far the reference's own runs lie apart, over their mean; NaN of one run.
    double referenceLow = 0, referenceHigh = 0;
    Verdict verdict = Verdict::Open;
    QStringList causes; ///< why it is not comparable, or likely slower; sentences
    QStringList notes;  ///< what else must be said: single runs, other implementation
    /// The speed as it may be told: NaN where it says nothing.
    RatioInterval told() const;
};

struct Verification {
    double margin = 0.05;      ///< share of the reference's speed that may be missing
    QList<VerifiedItem> items; ///< with a counterpart in the reference
    int withoutReference = 0;  ///< items that have none
    int unknownWorkers = 0;    ///< of them, those whose runs do not tell their number of workers
    QStringList remarks; ///< of the study's runs, from elsewhere: reference convergence points
    int count(Verdict verdict) const;
    bool passed() const { return !items.isEmpty() && count(Verdict::Pass) == items.size(); }
    QString summary() const; ///< a sentence
    QString method() const;  ///< what PASS means, with the margin and the interval
};

Verification verifyRuns(const QList<RunRecord>& runs, const QList<RunRecord>& reference,
                        double margin = 0.05);

} // namespace scalebench
