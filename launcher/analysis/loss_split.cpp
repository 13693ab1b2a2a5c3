// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/loss_split.h"

#include "analysis/epoch_parts.h"
#include "run/run_series.h"
#include "run/stream_faults.h"

#include <QMap>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

namespace scalebench {

namespace {

/// Shares of a run's time by cause; `Epochs` stays 0, it is no part of a run.
using Shares = std::array<double, kLossCauses>;

double& at(Shares& shares, LossCause cause)
{
    return shares[static_cast<size_t>(cause)];
}

/// Nothing where the run has no records of its steps.
std::optional<Shares> sharesOf(const RunRecord& run)
{
    QMap<int, EpochParts> epochs;
    for (const EpochSplit& split : run.splits)
        epochs[split.epoch].add(split);
    Shares seconds{};
    double all = 0;
    for (const EpochSummary& epoch : run.epochs) {
        const EpochParts parts = epochs.value(epoch.epoch);
        at(seconds, LossCause::Evaluation) += epoch.evalS;
        all += epoch.evalS;
        if (parts.ranks == 0 || parts.step <= 0 || epoch.trainS <= 0)
            continue;
        const double perMs = epoch.trainS / parts.step; // sums over ranks on both sides
        const double waits = parts.waits();
        at(seconds, LossCause::Compute) += parts.compute * perMs;
        at(seconds, LossCause::Straggler) += waits * perMs;
        at(seconds, LossCause::Communication) += (parts.comm - waits) * perMs;
        at(seconds, LossCause::Input) += parts.input * perMs;
        all += (parts.compute + parts.comm + parts.input) * perMs;
    }
    const double total = run.timeToTrainS();
    if (at(seconds, LossCause::Compute) <= 0 || total <= 0)
        return std::nullopt;
    at(seconds, LossCause::Rest) = total - all;
    for (double& part : seconds)
        part /= total;
    return seconds;
}

/// The runs that a row's time is of.
struct RowKey {
    QString group;
    int workers = 0, nodes = 0, batch = 0;
    bool operator<(const RowKey& other) const
    {
        return std::tie(group, workers, nodes, batch) <
               std::tie(other.group, other.workers, other.nodes, other.batch);
    }
};

QMap<RowKey, QList<Shares>> sharesByRow(const QList<RunRecord>& runs)
{
    const RunSeries series(runs);
    QMap<RowKey, QList<Shares>> all;
    for (int i = 0; i < runs.size(); ++i) {
        const RunRecord& run = runs[i];
        if (!hasTime(run) || run.config.oversubscribed)
            continue;
        if (const auto shares = sharesOf(run))
            all[{series.label(series.seriesOf(i)), run.config.workers, run.config.nodes,
                 run.config.globalBatch}]
                << *shares;
    }
    return all;
}

Shares meanShares(const QList<Shares>& list)
{
    Shares mean{};
    for (const Shares& shares : list)
        for (size_t i = 0; i < mean.size(); ++i)
            mean[i] += shares[i] / double(list.size());
    return mean;
}

RowKey keyOf(const SpeedupRow& row)
{
    return {row.group, row.workers, row.nodes, row.globalBatch};
}

} // namespace

QList<LossShares> lossSplit(const QList<RunRecord>& runs, const Baseline& baseline)
{
    const QList<SpeedupRow> rows = speedupTable(runs, baseline);
    const QMap<RowKey, QList<Shares>> shares = sharesByRow(runs);
    QList<LossShares> losses;
    for (const SpeedupRow& row : rows) {
        const auto base = std::find_if(rows.begin(), rows.end(), [&row](const SpeedupRow& other) {
            return other.group == row.group && other.baseline;
        });
        if (base == rows.end() || !std::isfinite(row.efficiency) || row.oversubscribed ||
            !shares.contains(keyOf(row)) || !shares.contains(keyOf(*base)))
            continue;
        const Shares here = meanShares(shares[keyOf(row)]),
                     there = meanShares(shares[keyOf(*base)]);
        LossShares loss{row.group, row.nodes, row.workers, row.baseline, row.efficiency, {}};
        // At the baseline's number of epochs, beyond what an ideal speedup leaves of its parts.
        const double sameEpochs = std::isfinite(row.epochsRatio) ? row.epochsRatio : 1;
        for (int cause = 0; cause < kLossCauses; ++cause)
            loss.lost[cause] =
                here[size_t(cause)] * sameEpochs - there[size_t(cause)] * row.efficiency;
        loss.lost[int(LossCause::Epochs)] = 1 - sameEpochs;
        losses << loss;
    }
    return losses;
}

} // namespace scalebench
