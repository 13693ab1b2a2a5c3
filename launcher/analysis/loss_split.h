// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What keeps a study from its ideal speedup, by cause. Definition: resources/docs/analysis.md.

#include "analysis/speedup_table.h"

namespace scalebench {

enum class LossCause {
    Compute,       ///< computing a sample takes longer than with the baseline's workers
    Communication, ///< exchange that no computing hides
    Input,         ///< waiting for data
    Evaluation,
    Straggler, ///< waiting for the slowest worker
    Epochs,    ///< more of them to the target
    Rest       ///< start, checkpoints, what no record names
};
inline constexpr int kLossCauses = 7;

/// Shares of the time that a row's runs took: `useful` is what an ideal speedup would have taken
/// (the efficiency), the rest is lost to the causes, each beyond what it took at the baseline; less
/// than there is a gain, below 0. All together are 1.
struct LossShares {
    QString group;
    int nodes = 1, workers = 1;
    bool baseline = false;
    double useful = 0;
    double lost[kLossCauses] = {};
};

/// A row for each one of speedupTable() that has a speedup and whose runs recorded where the time
/// of their steps went, and whose baseline did.
QList<LossShares> lossSplit(const QList<RunRecord>& runs, const Baseline& baseline = {});

} // namespace scalebench
