// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A Transformer that continues sentences token by token. The keys and values of every step stay in
// one log per layer, in the order in which they were made; each row knows which entries of it are
// its own past. So rows may be reordered, dropped and doubled without moving what is kept.

#include "engine/models/transformer/transformer_impl.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scalebench {

class TransformerDecoder final : public StepDecoder
{
public:
    /// source I32 [B,S] on the host, `lengths` of its rows. All outlive this.
    TransformerDecoder(const Transformer::Impl& network, Backend& backend, const Tensor& source,
                       std::span<const std::int32_t> lengths);

    DecodedStep step(std::span<const std::int32_t> tokens,
                     std::span<const std::int32_t> parents) override;

private:
    struct Row {
        std::int32_t sentence = 0;
        std::vector<std::int32_t> past; ///< entries of the log, oldest first
    };
    struct Layer {
        Variable memory; ///< keys and values of the source [B*S, 2 hidden]
        Tensor log;      ///< keys and values of the steps [entries, 2 hidden]
    };
    void follow(std::span<const std::int32_t> parents);
    AttentionMask sourceMask() const;
    AttentionMask pastMask() const;
    Tensor upload(std::span<const std::int32_t> values);
    Tensor pastEntries();
    void keep(Layer& layer, const Tensor& keyValue) const;
    Variable position(Tape& tape);
    Variable selfAttention(Tape& tape, const SelfAttention& attention, Layer& layer,
                           const Variable& input, const AttentionMask& mask,
                           const Tensor& entries) const;
    Variable crossAttention(Tape& tape, const CrossAttention& attention, const Layer& layer,
                            const Variable& input, const AttentionMask& mask) const;

    const Transformer::Impl& network_;
    Backend& backend_;
    CachingAllocator hostMemory_;
    std::int64_t sourceWidth_;
    std::vector<std::int32_t> lengths_;
    std::vector<Row> rows_; ///< of the step that was done last
    std::vector<Layer> layers_;
    std::int64_t entries_ = 0; ///< in each log, this step's included
};

} // namespace scalebench
