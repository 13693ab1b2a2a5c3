// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Neural matrix factorisation, NeuMF (He et al. 2017, arXiv 1708.05031, section 3.4): the product
// of a user and an item vector beside a perceptron on two other vectors of them, one logit.

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/nn/network.h"

namespace scalebench {

struct NcfConfig {
    std::int64_t users = 138493, items = 26744;             ///< MovieLens-20M
    std::int64_t factors = 64;                              ///< of the vectors that are multiplied
    std::vector<std::int64_t> layers = {256, 256, 128, 64}; ///< of the perceptron; the first: input
    bool sparseGradients = false; ///< of the tables: touched rows only (ParameterSet)
};

/// Batch: users I32 [B], items I32 [B], and to train labels F32 [B] (1: the user took the item).
class Ncf final : public Network
{
public:
    /// Draws the initial weights from `seed`: tables N(0, 0.01), layers Glorot uniform (Glorot and
    /// Bengio 2010), the last one LeCun uniform (bound sqrt(3/in)), biases 0; the same on every
    /// rank and platform. `backend` must outlive the network. `requested` precision becomes what
    /// backend.computePrecision() says. InvalidArgument for sizes below 1 or an odd first layer.
    Ncf(const NcfConfig& config, Backend& backend, Precision requested, std::uint64_t seed,
        const ArenaAllocator& gradientArena = {});
    ~Ncf() override;

    bool workFollowsShape() const override; ///< tables with sparse gradients ask for their number

    /// Returns logits [B,1], F32: the higher, the more likely the user takes the item.
    Variable forward(Tape& tape, const Tensor& users, const Tensor& items) const;
    /// Binary cross-entropy. `correct` stays 0: the quality of a ranking is the evaluation's job.
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params,
                    bool training) override;
    ParameterSet& parameters() noexcept override;
    const ComputePrecision& precision() const noexcept override;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace scalebench
