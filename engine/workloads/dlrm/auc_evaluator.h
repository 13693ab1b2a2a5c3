// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The quality of a DLRM: the area under the ROC curve over the whole evaluation part.

#include "engine/workloads/dlrm/auc.h"
#include "engine/workloads/evaluator.h"

namespace scalebench::workloads {

/// Every worker gives all its scores, 4 bytes each, and every worker counts all: exact for any
/// number of workers, the bytes of an evaluation part's scores on each while it lasts.
class AucEvaluator final : public Evaluator
{
public:
    /// The batch's notes are how many of its rows count (int64_t). Error (`diverged`) for a score
    /// that is no number.
    void add(Backend& backend, Network& network, const Batch& batch) override;
    std::string partial() const override { return scores_.bytes(); }
    /// InvalidArgument (`data_damaged`) where all rows have one label.
    Evaluation merge(std::span<const std::string> partials) const override;

private:
    ClickScores scores_;
};

} // namespace scalebench::workloads
