// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A word-level language model of stacked LSTM layers (Zaremba et al. 2014, arXiv 1409.2329):
// embedding, layers of one width with dropout on their inputs and residual connections from the
// second on (Wu et al. 2016, arXiv 1609.08144, section 3.1), classifier over the vocabulary.

#include <cstdint>
#include <memory>

#include "engine/nn/network.h"

namespace scalebench {

struct LstmStackConfig {
    std::int64_t vocabulary = 10000;
    std::int64_t hidden = 512; ///< also the size of the embedding
    int layers = 4;
    float dropout = 0.2f;
    float initRange = 0.1f; ///< all weights uniform in +-initRange
};

/// Batch: tokens I32 [T,B] (time-major), labels I32 [T,B], the token that follows (negative: left
/// out), and optionally lengths I32 [B]: what follows a sequence's end is not read.
class LstmStack final : public Network
{
public:
    /// Builds the parameters and draws the initial weights from `seed`, the same on every rank and
    /// platform. `backend` must outlive the network. `requested` precision becomes what
    /// backend.computePrecision() says. InvalidArgument for sizes below 1.
    LstmStack(const LstmStackConfig& config, Backend& backend, Precision requested,
              std::uint64_t seed, const ArenaAllocator& gradientArena = {});
    ~LstmStack() override;

    /// Returns logits [T*B,vocabulary] in the type that activations have.
    Variable forward(Tape& tape, const Tensor& tokens, const Tensor& lengths, bool training) const;
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params,
                    bool training) override;
    ParameterSet& parameters() noexcept override;
    const ComputePrecision& precision() const noexcept override;
    bool fixedWork() const override { return true; }

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace scalebench
