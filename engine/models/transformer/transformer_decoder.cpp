// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/transformer/transformer_decoder.h"

#include "kernels/check.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace scalebench {
namespace {

using Segments = std::vector<AttentionSegment>;

/// Rows [begin, begin + count) of a matrix, in place.
Tensor rowsOf(const Tensor& matrix, std::int64_t begin, std::int64_t count)
{
    const std::size_t rowBytes = std::size_t(matrix.dim(1)) * dtypeBytes(matrix.dtype());
    auto owner = std::make_shared<Tensor>(matrix);
    return Tensor::view(static_cast<char*>(matrix.data()) + std::size_t(begin) * rowBytes,
                        {count, matrix.dim(1)}, matrix.dtype(), std::move(owner),
                        matrix.onDevice());
}

} // namespace

TransformerDecoder::TransformerDecoder(const Transformer::Impl& network, Backend& backend,
                                       const Tensor& source, std::span<const std::int32_t> lengths)
    : network_(network),
      backend_(backend),
      sourceWidth_(source.dim(1)),
      lengths_(lengths.begin(), lengths.end())
{
    const std::int64_t B = source.dim(0), S = source.dim(1);
    Tape tape(backend, Tape::Mode::Inference);
    const Variable memory =
        network.encode(tape, backend.upload(source), sentenceMask(B, S, S, lengths), 0);
    for (const TransformerDecoderLayer& l : network.decoder)
        layers_.push_back({l.cross.keyValue(tape, network.parameters, memory), {}});
}

Tensor TransformerDecoder::upload(std::span<const std::int32_t> values)
{
    const Tensor t = Tensor::empty({std::int64_t(values.size())}, DType::I32, hostMemory_);
    std::ranges::copy(values, t.i32().begin());
    return backend_.upload(t);
}

/// Sets rows_ for the step that begins, and gives each its entry in the logs.
void TransformerDecoder::follow(std::span<const std::int32_t> parents)
{
    std::vector<Row> rows;
    for (const std::int32_t parent : parents) {
        if (entries_ == 0) {
            SB_REQUIRE(parent >= 0 && std::size_t(parent) < lengths_.size(),
                       "Transformer: no sentence " + std::to_string(parent) + " to decode");
            rows.push_back({parent, {}});
        } else {
            rows.push_back(rows_.at(std::size_t(parent)));
        }
        rows.back().past.push_back(std::int32_t(entries_ + std::int64_t(rows.size()) - 1));
    }
    SB_REQUIRE(std::ranges::is_sorted(rows, {}, &Row::sentence),
               "Transformer: rows of one sentence must lie together, in the sentences' order");
    rows_ = std::move(rows);
    entries_ += std::int64_t(rows_.size());
}

/// The rows of a sentence see its source.
AttentionMask TransformerDecoder::sourceMask() const
{
    auto list = std::make_shared<Segments>();
    for (std::size_t begin = 0, end = 0; begin < rows_.size(); begin = end) {
        const std::int32_t sentence = rows_[begin].sentence;
        while (end < rows_.size() && rows_[end].sentence == sentence)
            ++end;
        list->push_back({std::int64_t(begin), std::int64_t(end - begin), sentence * sourceWidth_,
                         lengths_[std::size_t(sentence)]});
    }
    return list;
}

/// Each row sees its own past.
AttentionMask TransformerDecoder::pastMask() const
{
    auto list = std::make_shared<Segments>();
    const auto length = std::int64_t(rows_.front().past.size());
    for (std::size_t i = 0; i < rows_.size(); ++i)
        list->push_back({std::int64_t(i), 1, std::int64_t(i) * length, length});
    return list;
}

Tensor TransformerDecoder::pastEntries()
{
    std::vector<std::int32_t> entries;
    for (const Row& row : rows_)
        entries.insert(entries.end(), row.past.begin(), row.past.end());
    return upload(entries);
}

/// Writes this step's keys and values behind the others.
void TransformerDecoder::keep(Layer& layer, const Tensor& keyValue) const
{
    const std::int64_t before = entries_ - keyValue.dim(0);
    if (!layer.log.defined() || layer.log.dim(0) < entries_) {
        const Tensor larger = Tensor::empty(
            {std::max<std::int64_t>(2 * entries_, 16 * keyValue.dim(0)), keyValue.dim(1)},
            keyValue.dtype(), backend_.allocator());
        if (before > 0)
            backend_.copy(rowsOf(layer.log, 0, before), rowsOf(larger, 0, before));
        layer.log = larger;
    }
    backend_.copy(keyValue, rowsOf(layer.log, before, keyValue.dim(0)));
}

/// Of this step's tokens: [1, hidden].
Variable TransformerDecoder::position(Tape& tape)
{
    const auto step = std::int64_t(rows_.front().past.size()) - 1;
    return Variable(network_.positions.row(step, tape.backend()));
}

Variable TransformerDecoder::selfAttention(Tape& tape, const SelfAttention& attention, Layer& layer,
                                           const Variable& input, const AttentionMask& mask,
                                           const Tensor& entries) const
{
    const ParameterSet& p = network_.parameters;
    const std::int64_t d = network_.config.hidden;
    const Variable joint = attention.qkv(tape, p, input);
    keep(layer, autograd::slice(tape, joint, 1, d, 3 * d).value());
    const Variable past =
        autograd::gather(tape, Variable(rowsOf(layer.log, 0, entries_)), 0, entries);
    DotAttentionArgs args;
    args.heads = attention.heads, args.headDim = d / attention.heads, args.mask = mask;
    return attention.out(tape, p,
                         autograd::dotAttention(tape, args, {joint, 0}, {past, 0}, {past, d}));
}

Variable TransformerDecoder::crossAttention(Tape& tape, const CrossAttention& attention,
                                            const Layer& layer, const Variable& input,
                                            const AttentionMask& mask) const
{
    const ParameterSet& p = network_.parameters;
    const std::int64_t d = network_.config.hidden;
    DotAttentionArgs args;
    args.heads = attention.heads, args.headDim = d / attention.heads, args.mask = mask;
    return attention.out(tape, p,
                         autograd::dotAttention(tape, args, {attention.query(tape, p, input), 0},
                                                {layer.memory, 0}, {layer.memory, d}));
}

DecodedStep TransformerDecoder::step(std::span<const std::int32_t> tokens,
                                     std::span<const std::int32_t> parents)
{
    SB_REQUIRE(!tokens.empty() && tokens.size() == parents.size(),
               "Transformer: a step needs as many tokens as parents");
    follow(parents);
    Tape tape(backend_, Tape::Mode::Inference);
    const ParameterSet& p = network_.parameters;
    const AttentionMask ofSource = sourceMask(), ofPast = pastMask();
    const Tensor entries = pastEntries();
    const Variable embedded = network_.embed(tape, network_.targetTable, upload(tokens));
    PreNormStream stream(tape, p, 0, autograd::add(tape, embedded, position(tape)),
                         network_.decoder[0].selfNorm);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const TransformerDecoderLayer& l = network_.decoder[i];
        stream.add(selfAttention(tape, l.self, layers_[i], stream.normalised(), ofPast, entries),
                   l.crossNorm);
        stream.add(crossAttention(tape, l.cross, layers_[i], stream.normalised(), ofSource),
                   l.feedForwardNorm);
        stream.add(l.feedForward(tape, p, stream.normalised(), 0),
                   i + 1 < layers_.size() ? network_.decoder[i + 1].selfNorm
                                          : network_.decoderNorm);
    }
    return {network_.classify(tape, stream.normalised()).value(), {}};
}

} // namespace scalebench
