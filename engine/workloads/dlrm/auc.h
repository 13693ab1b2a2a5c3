// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Area under the ROC curve: the chance that a clicked row scores above one that was not, a tie
// counting half (Hanley and McNeil 1982; scikit-learn's roc_auc_score).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scalebench::workloads {

/// Scores, none of them NaN, by label.
struct ClickScores {
    std::vector<float> clicked, passed;

    /// For merge() elsewhere.
    std::string bytes() const;
    /// Adds what bytes() of others gave. InvalidArgument when that is torn.
    void add(const std::string& bytes);
};

/// Exact: pairs are counted in whole numbers, so that the order of the scores does not matter.
/// NaN where one of both is empty.
double areaUnderCurve(ClickScores scores);

} // namespace scalebench::workloads
