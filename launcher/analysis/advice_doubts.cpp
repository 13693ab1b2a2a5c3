// SPDX-License-Identifier: GPL-3.0-or-later
// What would change an advice, and which runs would tell soonest.
#include "analysis/advice.h"
#include "analysis/advice_words.h"
#include "analysis/compare.h"
#include "base/translated.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace words = advice_words;

namespace {

constexpr int kFirstRepeats = 3;
constexpr int kMostRepeats = 20; ///< more is no experiment any more
/// A model that misses a left-out count by more than this needs more counts.
constexpr double kTrustedError = 0.1;

/// Of the two counts that the choice is between.
int runnerUp(const Advice& advice)
{
    if (advice.chosen != advice.fastest)
        return advice.fastest;
    return advice.chosen > 0 ? advice.chosen - 1 : advice.chosen + 1;
}

bool isUntold(const AdviceRow& x, const AdviceRow& y)
{
    return std::isfinite(x.row.timeLowS) && std::isfinite(y.row.timeLowS) &&
           x.row.timeLowS <= y.row.timeHighS && y.row.timeLowS <= x.row.timeHighS;
}

int fewestRuns(const Advice& advice)
{
    const auto least = std::min_element(
        advice.rows.begin(), advice.rows.end(),
        [](const AdviceRow& x, const AdviceRow& y) { return x.row.runs < y.row.runs; });
    return least->row.runs;
}

QString countsText(QList<int> counts)
{
    if (counts.size() == 1)
        return words::workers(counts.first());
    std::sort(counts.begin(), counts.end());
    return Launcher::tr("%1 and %2 workers")
        .arg(QLocale().toString(counts.first()), QLocale().toString(counts.last()));
}

Experiment experiment(const QList<int>& workers, int repeats, const QString& why)
{
    return {
        workers, repeats,
        Launcher::tr("Run %1, repeats: %2.").arg(countsText(workers), QLocale().toString(repeats)) +
            QLatin1Char(' ') + why};
}

/// Between the two measured counts that lie furthest apart there is one more; 0: there is none.
int countBetween(const Advice& advice)
{
    int best = 0;
    double widest = 1.5;
    for (qsizetype i = 0; i + 1 < advice.rows.size(); ++i) {
        const double low = advice.rows[i].workers(), high = advice.rows[i + 1].workers();
        const int middle = static_cast<int>(std::lround(std::sqrt(low * high)));
        if (high / low > widest && middle > low && middle < high) {
            widest = high / low;
            best = middle;
        }
    }
    return best;
}

/// Twice the largest that was measured; 0: the machine has not as many.
int countBeyond(const Advice& advice, const AdviceQuestion& question)
{
    const int twice = 2 * advice.rows.last().workers();
    return question.mostWorkers > 0 && twice > question.mostWorkers ? 0 : twice;
}

std::optional<Experiment> nextExperiment(const Advice& advice, const AdviceQuestion& question)
{
    const QList<AdviceRow>& rows = advice.rows;
    const int one = rows.last().workers(), beyond = countBeyond(advice, question);
    const int repeats = std::min(kFirstRepeats, std::max(1, fewestRuns(advice)));
    if (rows.size() == 1) {
        const int other = beyond > 0 ? beyond : one / 2;
        if (other < 1)
            return {};
        return experiment({one, other}, kFirstRepeats,
                          Launcher::tr("With one number of workers there is nothing to compare."));
    }
    const AdviceRow &chosen = rows[advice.chosen], &other = rows[runnerUp(advice)];
    if (chosen.row.runs < 2 || other.row.runs < 2)
        return experiment({chosen.workers(), other.workers()}, kFirstRepeats,
                          Launcher::tr("The choice is between these, and without repeats nobody "
                                       "knows what is chance."));
    if (isUntold(chosen, other) && advice.variation > 0) {
        const double gap = std::abs(chosen.timeS() / other.timeS() - 1);
        const int needed = repeatsToResolve(advice.variation, gap);
        if (needed <= kMostRepeats && needed > std::min(chosen.row.runs, other.row.runs))
            return experiment({chosen.workers(), other.workers()}, needed,
                              Launcher::tr("The choice is between these, and so many tell them "
                                           "apart."));
    }
    if (advice.chosen == rows.size() - 1 && beyond > 0)
        return experiment({beyond}, repeats,
                          Launcher::tr("The largest number that was measured is the best one, so "
                                       "a larger one may be better."));
    const int between = countBetween(advice);
    if (between > 0 && (!advice.model || advice.model->error() > kTrustedError))
        return experiment({between}, repeats,
                          Launcher::tr("A prediction needs one more number of workers."));
    if (!advice.model && beyond > 0)
        return experiment({beyond}, repeats,
                          Launcher::tr("A prediction needs one more number of workers."));
    return {};
}

QString repeatsDoubt(const Advice& advice, const AdviceQuestion& question)
{
    if (!advice.own && !(advice.variation >= 0))
        return Launcher::tr("Results of others, one for each number of workers: how much they "
                            "scatter is not told.");
    if (!(advice.variation >= 0))
        return Launcher::tr("Nothing was repeated: how much the times scatter is not known, and "
                            "differences of a few per cent may be chance.");
    const int least = fewestRuns(advice);
    const QString share = words::percent(question.resolve),
                  scatter = words::percent(advice.variation),
                  needed = QLocale().toString(std::max(2, advice.repeatsNeeded)),
                  there = QLocale().toString(least);
    return advice.repeatsNeeded <= least
               ? Launcher::tr("Repeats scatter by %1 %: the %2 runs of each number of workers "
                              "tell differences of %3 % from chance.")
                     .arg(scatter, there, share)
               : Launcher::tr("Repeats scatter by %1 %: to tell a difference of %2 % from chance, "
                              "each number of workers needs %3 runs; the fewest have %4.")
                     .arg(scatter, share, needed, there);
}

QStringList modelDoubts(const Advice& advice)
{
    QStringList doubts;
    if (!advice.model)
        return {Launcher::tr("Other numbers of workers cannot be foretold: that needs three "
                             "measured ones that tell their epochs and batch.")};
    const StepModel& model = *advice.model;
    const QString error = words::percent(model.error()), worst = words::percent(model.worstError());
    const int largest = advice.rows.last().workers();
    if (advice.predicted.isEmpty() && model.error() > kTrustedError)
        doubts << Launcher::tr("Other numbers of workers are not foretold: these times do not "
                               "follow the prediction's rule, which misses counts that are left "
                               "out by %1 %, at most %2 %.")
                      .arg(error, worst);
    for (const PredictedTime& p : advice.predicted)
        if (p.workers > largest && !p.far)
            doubts << Launcher::tr("%1 would take %2 by the prediction (90 % interval %3 to %4). "
                                   "It misses counts that are left out by %5 %, at most %6 %.")
                          .arg(words::workers(p.workers), words::duration(p.timeS),
                               words::duration(p.low90), words::duration(p.high90), error, worst);
    if (model.mixedBatches())
        doubts << Launcher::tr("The batch changes with the workers, from %1 to %2: part of the "
                               "difference is the batch's, and what another one does to the "
                               "epochs is not foretold.")
                      .arg(QLocale().toString(model.samples().first().globalBatch, 'f', 0),
                           QLocale().toString(model.samples().last().globalBatch, 'f', 0));
    return doubts;
}

} // namespace

void writeDoubts(Advice& advice, const AdviceQuestion& question)
{
    if (advice.rows.isEmpty())
        return;
    QStringList& doubts = advice.doubts;
    if (advice.rows.size() > 1) {
        const AdviceRow &chosen = advice.rows[advice.chosen],
                        &other = advice.rows[runnerUp(advice)];
        if (isUntold(chosen, other))
            doubts << Launcher::tr("%1 and %2 cannot be told apart by these runs.")
                          .arg(words::workers(chosen.workers()), words::workers(other.workers()));
    }
    if (question.pricePerNodeHour > 0 && !std::isfinite(advice.rows.first().cost))
        doubts << Launcher::tr("The price of a node does not count: on how many nodes the runs "
                               "trained is not known. A table tells it in a column \"nodes\".");
    doubts << repeatsDoubt(advice, question) << modelDoubts(advice);
    const int largest = advice.rows.last().workers();
    if (countBeyond(advice, question) == 0)
        doubts << Launcher::tr("This machine has no more than %1.")
                      .arg(words::workers(question.mostWorkers));
    else if (advice.chosen == advice.rows.size() - 1)
        doubts << Launcher::tr("Nothing above %1 was measured.").arg(words::workers(largest));
    if (advice.own)
        advice.next = nextExperiment(advice, question);
}

} // namespace scalebench
