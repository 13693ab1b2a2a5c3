// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Deep learning recommendation model, DLRM (Naumov et al. 2019, arXiv 1906.00091): counts through a
// bottom perceptron, categories through tables, the dot products of all pairs of these vectors
// beside the first through a top perceptron to one logit.

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/nn/network.h"

namespace scalebench {

struct DlrmConfig {
    std::int64_t counts = 13;                               ///< dense features
    std::vector<std::int64_t> tableRows;                    ///< of each categorical feature
    std::int64_t dim = 128;                                 ///< of the vectors
    std::vector<std::int64_t> bottom = {512, 256};          ///< hidden layers; the last has `dim`
    std::vector<std::int64_t> top = {1024, 1024, 512, 256}; ///< hidden layers; the last has 1
    bool sparseGradients = true; ///< of the tables: touched rows only (ParameterSet)
    /// Which worker has which rows; without blocks every worker has all. Their gradients are
    /// sparse.
    autograd::TablePlaces places;
};

/// Batch: counts F32 [B,counts] (their logarithms), ids I32 [tables,B], labels F32 [B] (1:
/// clicked).
class Dlrm final : public Network
{
public:
    /// Draws the initial weights from `seed` as the paper's code: weights with variance 2/(in+out),
    /// biases 1/out, tables uniform in +-1/sqrt(rows); the same on every rank and platform.
    /// `backend` must outlive the network. `requested` precision becomes what
    /// backend.computePrecision() says. InvalidArgument for no table or sizes below 1.
    Dlrm(const DlrmConfig& config, Backend& backend, Precision requested, std::uint64_t seed,
         const ArenaAllocator& gradientArena = {});
    ~Dlrm() override;

    /// counts and ids in the backend's memory. Returns logits [B,1], F32. Collective where tables
    /// are owned: after setRowExchange(), with one B on all workers.
    Variable forward(Tape& tape, const Tensor& counts, const Tensor& ids) const;
    /// Binary cross-entropy. `correct` stays 0: the evaluation measures the area under the curve.
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params,
                    bool training) override;
    void setRowExchange(std::shared_ptr<RowExchange> exchange) override;
    bool forwardIsCollective() const override;
    ParameterSet& parameters() noexcept override;
    const ComputePrecision& precision() const noexcept override;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace scalebench
