// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a band of the loss split is read from: the figures of its runs beside those of the
// baseline.

#include "analysis/loss_split.h"

#include <QStringList>

#include <optional>

namespace scalebench {

/// Means over the runs of a row; of steps also over ranks and epochs.
struct RowTimes {
    int workers = 0, runs = 0;
    double timeS = 0, epochs = 0, evaluationS = 0, samplesPerSecond = 0;
    double stepMs = 0, computeMs = 0, exchangeMs = 0, waitMs = 0, inputMs = 0;
    QStringList runDirs; ///< of those that have one
};
struct LossEvidence {
    RowTimes baseline, here;
};
/// Nothing where `loss` is of other runs.
std::optional<LossEvidence> lossEvidence(const QList<RunRecord>& runs, const LossShares& loss,
                                         const Baseline& baseline = {});

} // namespace scalebench
