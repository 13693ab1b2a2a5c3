// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// BERT pre-training (Devlin et al. 2019, arXiv 1810.04805) as its authors published it and the
// language benchmark trains it: learned positions, normalisation after each sublayer (epsilon
// 1e-12), the exact GELU; masked words predicted by a dense layer and a decoder tied to the word
// embedding, the next sentence from the pooled first token. Weights truncated normal with deviation
// 0.02, biases 0.

#include "engine/nn/network.h"

#include <cstdint>
#include <memory>
#include <string>

namespace scalebench {

struct BertConfig {
    std::string name;
    std::int64_t vocabulary = 30528; ///< 30,522 word pieces, padded
    std::int64_t hidden = 1024, heads = 16, feedForward = 4096;
    std::int64_t positions = 512; ///< tokens of the longest sequence
    std::int64_t types = 2;       ///< sentence A and sentence B
    int layers = 24;
    float dropout = 0.1f; ///< of embeddings, attention probabilities and results of sublayers
    float deviation = 0.02f;

    /// "bert_large" (24 layers, width 1024), "bert_base" (12, 768), "bert_small" (4, 512),
    /// "bert_mini" (4, 256), "bert_tiny" (2, 128); InvalidArgument otherwise.
    static BertConfig byName(const std::string& name, std::int64_t vocabulary = 30528);
};

/// Batch, N sequences that each begin with their [CLS]:
///  0 tokens I32 [N,S], or packed [1,R]
///  1 types  I32, the same shape
///  2 masked rows I32 [M]: numbers of the rows, counted over all of `tokens`, to be predicted
///  3 masked labels I32 [M]: the words that were there (negative: left out)
///  4 next labels I32 [N]: 0 sentence B follows sentence A, 1 it does not (negative: left out)
///  5 lengths I32 [N]: what is behind them in a row is padding; or, packed, offsets I32 [N+1],
///    beginning with 0: sequence i has the tokens offsets[i] ... offsets[i+1]. Sequences do not
///    see each other, and positions start anew.
///  6 F32 [1], may be missing (1): factor of the masked words' loss over that of the next
///    sentence. For the mean over all masked words of a global batch: its samples divided by its
///    masked words.
class Bert final : public Network
{
public:
    /// Builds the parameters and draws the initial weights from `seed`, the same on every rank and
    /// platform. `backend` must outlive the network. `requested` precision becomes what
    /// backend.computePrecision() says.
    Bert(const BertConfig& config, Backend& backend, Precision requested, std::uint64_t seed,
         const ArenaAllocator& gradientArena = {});
    ~Bert() override;

    /// Trainable ones, without making the network.
    static std::int64_t countParameters(const BertConfig& config);

    struct Outputs {
        Variable sequence; ///< [tokens, hidden], what the last layer gives
        Variable words;    ///< logits [M, vocabulary] of the masked rows
        Variable next;     ///< logits [N, 2]
    };
    /// All in the type that activations have.
    Outputs forward(Tape& tape, const Batch& batch, bool training) const;

    struct Losses {
        Variable loss;        ///< of both, scaled
        LossSums words, next; ///< each unscaled
    };
    Losses losses(Tape& tape, const Batch& batch, const LossParams& params, bool training) const;

    /// Sum of words (times tensor 6) and next sentences; correct and counted are of the words.
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params,
                    bool training) override;
    ParameterSet& parameters() noexcept override;
    const ComputePrecision& precision() const noexcept override;
    const BertConfig& config() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace scalebench
