// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A network that continues sentences one token at a time, for greedy and beam search
// (engine/decode/beam_search.h).

#include "engine/nn/network.h"
#include "engine/tensor/tensor.h"

#include <cstdint>
#include <memory>
#include <span>

namespace scalebench {

struct DecodedStep {
    /// Of the next token, before the softmax: [rows, vocabulary] in the type of activations, in the
    /// backend's memory.
    Tensor logits;
    /// Where each row has looked in its source, F32 [rows, S], for the coverage penalty; undefined
    /// where the network has no single answer (several heads and layers).
    Tensor attention;
};

/// Made by a network from a batch of encoded source sentences; one use, one thread.
class StepDecoder
{
public:
    virtual ~StepDecoder() = default;
    StepDecoder(const StepDecoder&) = delete;
    StepDecoder& operator=(const StepDecoder&) = delete;

    /// Row i continues row parents[i] of the step before with tokens[i]. In the first step the
    /// parents are the numbers of the sentences and the tokens the begin token. Rows of one
    /// sentence lie together; sentences keep their order and may drop out for good.
    virtual DecodedStep step(std::span<const std::int32_t> tokens,
                             std::span<const std::int32_t> parents) = 0;

protected:
    StepDecoder() = default;
};

/// A network that writes sentences.
class Translator : public Network
{
public:
    /// Encodes the source sentences of a batch (padded rows, as loss() takes them), without
    /// recording anything. The network and the backend outlive the decoder; weights must not change
    /// meanwhile.
    virtual std::unique_ptr<StepDecoder> decoder(Backend& backend, const Batch& batch) = 0;
};

} // namespace scalebench
