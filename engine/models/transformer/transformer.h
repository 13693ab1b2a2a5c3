// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The encoder-decoder Transformer (Vaswani et al. 2017, arXiv 1706.03762) with normalisation before
// each sublayer and once more at the end of each stack, as tensor2tensor and the translation
// benchmark train it: no biases in attention, ReLU, sinusoidal positions, one embedding shared by
// source, target and output.

#include <cstdint>
#include <memory>
#include <string>

#include "engine/nn/step_decoder.h"

namespace scalebench {

struct TransformerConfig {
    std::string name;
    std::int64_t vocabulary = 33712;
    std::int64_t hidden = 1024, heads = 16, feedForward = 4096;
    int encoderLayers = 6, decoderLayers = 6;
    bool sharedEmbedding = true; ///< else one for source, one for target, one for the output
    /// Of embeddings, attention probabilities, inner feed-forward activations and the result of
    /// each sublayer.
    float dropout = 0.1f;

    /// "transformer_big" (d 1024), "transformer_base" (d 512), "transformer_small" (d 256), 6 + 6
    /// layers each, "transformer_tiny" (d 128, 2 + 2); InvalidArgument otherwise.
    static TransformerConfig byName(const std::string& name, std::int64_t vocabulary = 33712);
};

/// Batch: source I32 [B,S], target I32 [B,T] (what the decoder reads: the sentence shifted right),
/// labels I32 [B,T] (negative: left out), and
///  - nothing more: every token is real;
///  - source lengths I32 [B]: the rest of each source row is padding (that of the target needs
///    negative labels only: no token sees a later one);
///  - packed: source offsets and target offsets I32 [n+1], both beginning with 0: sentence i has
///    rows offsets[i] ... offsets[i+1] of the source and target seen as one long row. Sentences do
///    not see each other, and positions start anew.
class Transformer final : public Translator
{
public:
    /// Builds the parameters and draws the initial weights from `seed`, the same on every rank and
    /// platform: embeddings normal with deviation hidden^-0.5, the rest Glorot uniform. `backend`
    /// must outlive the network. `requested` precision becomes what backend.computePrecision()
    /// says.
    Transformer(const TransformerConfig& config, Backend& backend, Precision requested,
                std::uint64_t seed, const ArenaAllocator& gradientArena = {});
    ~Transformer() override;

    /// Returns logits [B*T,vocabulary] in the type that activations have.
    Variable forward(Tape& tape, const Batch& batch, bool training) const;
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params,
                    bool training) override;
    /// Of padded batches with source lengths. Keeps keys and values, so that a step costs as much
    /// as one token.
    std::unique_ptr<StepDecoder> decoder(Backend& backend, const Batch& batch) override;
    ParameterSet& parameters() noexcept override;
    const ComputePrecision& precision() const noexcept override;
    const TransformerConfig& config() const noexcept;

    struct Impl; ///< transformer_impl.h

private:
    std::unique_ptr<Impl> impl_;
};

} // namespace scalebench
