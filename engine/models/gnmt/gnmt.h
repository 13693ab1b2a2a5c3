// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// GNMT v2, recurrent translation (Wu et al. 2016, arXiv 1609.08144, in the form that MLPerf
// Training v0.5 to v0.7 measured): one embedding for both languages; encoder of a bidirectional
// layer and further layers, residual from the third on; decoder whose first layer's output asks
// normalised additive attention, whose context joins the input of every further layer, residual
// from the third on; classifier with bias.

#include <cstdint>
#include <memory>
#include <string>

#include "engine/nn/step_decoder.h"

namespace scalebench {

struct GnmtConfig {
    std::string name = "gnmt";
    std::int64_t vocabulary = 32320; ///< 32,317 joint BPE tokens, padded
    std::int64_t hidden = 1024;
    int layers = 4; ///< of encoder and decoder each; at least 2
    float dropout = 0.2f;
    float initRange = 0.1f;   ///< weights uniform in +-initRange
    std::int32_t padding = 0; ///< token whose embedding gets no gradient; -1: none

    /// "gnmt" (hidden 1024, 4 layers), "gnmt_small" (512, 2), "gnmt_tiny" (128, 2);
    /// InvalidArgument otherwise. initRange as initRangeOf() has it.
    static GnmtConfig byName(const std::string& name, std::int64_t vocabulary = 32320);
    /// The published 0.1 at 1024; for other widths what keeps the variance of a layer's sums.
    static float initRangeOf(std::int64_t hidden);
};

/// Batch, all I32 and time-major: source [Ts,B], source lengths [B], target input [Tt,B] (starts
/// with the begin token), labels [Tt,B] (negative or LossParams::ignoreLabel: left out).
class Gnmt final : public Translator
{
public:
    /// As LstmStack.
    Gnmt(const GnmtConfig& config, Backend& backend, Precision requested, std::uint64_t seed,
         const ArenaAllocator& gradientArena = {});
    ~Gnmt() override;

    bool workFollowsShape() const override { return true; }

    /// Returns [Ts,B,hidden]; zero beyond each sequence's end.
    Variable encode(Tape& tape, const Tensor& source, const Tensor& lengths, bool training) const;
    /// Teacher forcing: logits [Tt*B,vocabulary] in the type that activations have.
    Variable decode(Tape& tape, const Tensor& targetInput, const Variable& encoded,
                    const Tensor& lengths, bool training) const;
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params,
                    bool training) override;
    std::unique_ptr<StepDecoder> decoder(Backend& backend, const Batch& batch) override;
    ParameterSet& parameters() noexcept override;
    const ComputePrecision& precision() const noexcept override;

    struct Impl;
    const Impl& impl() const noexcept;

private:
    std::unique_ptr<Impl> impl_;
};

} // namespace scalebench
