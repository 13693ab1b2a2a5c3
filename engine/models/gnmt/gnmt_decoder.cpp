// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/gnmt/gnmt_decoder.h"

#include "kernels/check.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace scalebench {

GnmtDecoder::GnmtDecoder(const Gnmt& network, Backend& backend, const Tensor& source,
                         const Tensor& lengths)
    : network_(network.impl()),
      backend_(backend),
      lengths_(lengths.i32().begin(), lengths.i32().end()),
      active_(lengths_.size()),
      states_(network_.decoder.size() + 1)
{
    std::iota(active_.begin(), active_.end(), 0);
    Tape tape(backend, Tape::Mode::Inference);
    activeLengths_ = backend.upload(lengths);
    values_ = network.encode(tape, backend.upload(source), activeLengths_, false);
    keys_ = network_.attention.projectedKeys(tape, network_.parameters, values_);
}

Tensor GnmtDecoder::upload(std::span<const std::int32_t> values, Shape shape)
{
    const Tensor t = Tensor::empty(std::move(shape), DType::I32, hostMemory_);
    std::ranges::copy(values, t.i32().begin());
    return backend_.upload(t);
}

Variable GnmtDecoder::gathered(Tape& tape, const Variable& x, int axis, const Indices& indices)
{
    bool same = x.value().dim(std::size_t(axis)) == std::int64_t(indices.size());
    for (std::size_t i = 0; same && i < indices.size(); ++i)
        same = indices[i] == std::int32_t(i);
    if (same)
        return x;
    return autograd::gather(tape, x, axis, upload(indices, {std::int64_t(indices.size())}));
}

/// Of the rows of the step that begins.
GnmtDecoder::Indices GnmtDecoder::sentencesOf(std::span<const std::int32_t> parents) const
{
    const Indices& known = begun_ ? rows_ : active_;
    Indices sentences;
    for (const std::int32_t parent : parents) {
        SB_REQUIRE(parent >= 0 && std::size_t(parent) < known.size(),
                   "GNMT: no row or sentence " + std::to_string(parent) + " to go on from");
        sentences.push_back(known[std::size_t(parent)]);
    }
    SB_REQUIRE(std::ranges::is_sorted(sentences),
               "GNMT: rows of one sentence must lie together, in the sentences' order");
    return sentences;
}

/// Forgets the sentences that have dropped out.
void GnmtDecoder::keepSentences(Tape& tape, const Indices& sentences)
{
    Indices kept, places, lengths;
    for (std::size_t i = 0; i < active_.size(); ++i)
        if (std::ranges::binary_search(sentences, active_[i])) {
            kept.push_back(active_[i]);
            places.push_back(std::int32_t(i));
            lengths.push_back(lengths_[std::size_t(active_[i])]);
        }
    if (kept == active_)
        return;
    keys_ = gathered(tape, keys_, 1, places);
    values_ = gathered(tape, values_, 1, places);
    activeLengths_ = upload(lengths, {std::int64_t(lengths.size())});
    active_ = std::move(kept);
}

void GnmtDecoder::follow(Tape& tape, std::span<const std::int32_t> parents)
{
    Indices sentences = sentencesOf(parents);
    keepSentences(tape, sentences);
    rows_ = std::move(sentences);
    if (begun_) {
        const Indices from(parents.begin(), parents.end());
        for (autograd::LstmStates& state : states_)
            state = {gathered(tape, state.hidden, 1, from), gathered(tape, state.cell, 1, from)};
    }
    begun_ = true;
}

GnmtDecoder::Queries GnmtDecoder::queries() const
{
    const auto sentences = std::int64_t(active_.size());
    std::vector<std::pair<std::int64_t, std::int64_t>> places; ///< sentence, number in it; by row
    Indices firstRows;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        if (row == 0 || rows_[row] != rows_[row - 1])
            firstRows.push_back(std::int32_t(row));
        places.emplace_back(std::int64_t(firstRows.size()) - 1,
                            std::int64_t(row) - firstRows.back());
    }
    Queries q;
    for (const auto& [sentence, number] : places)
        q.perSentence = std::max(q.perSentence, number + 1);
    for (std::int64_t k = 0; k < q.perSentence; ++k)
        q.rows.insert(q.rows.end(), firstRows.begin(), firstRows.end());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        const auto [sentence, number] = places[row];
        q.contexts.push_back(std::int32_t(number * sentences + sentence));
        q.looks.push_back(std::int32_t(sentence * q.perSentence + number));
        q.rows[std::size_t(q.contexts.back())] = std::int32_t(row);
    }
    return q;
}

/// x [1,rows,hidden].
GnmtDecoder::Attended GnmtDecoder::attend(Tape& tape, const Variable& x)
{
    const std::int64_t hidden = network_.config.hidden, steps = values_.value().dim(0);
    const auto sentences = std::int64_t(active_.size());
    const Queries q = queries();
    const Variable query =
        autograd::reshape(tape, gathered(tape, x, 1, q.rows), {q.perSentence, sentences, hidden});
    Tensor looks;
    const Variable context = network_.attention.attend(tape, network_.parameters, query, keys_,
                                                       values_, activeLengths_, &looks);
    const Variable byQuery =
        autograd::reshape(tape, context, {1, q.perSentence * sentences, hidden});
    const Variable looksByRow =
        gathered(tape, Variable(looks.reshaped({sentences * q.perSentence, steps})), 0, q.looks);
    Attended result{gathered(tape, byQuery, 1, q.contexts), looksByRow.value()};
    if (result.looks.dtype() != DType::F32)
        result.looks = autograd::cast(tape, looksByRow, DType::F32).value();
    return result;
}

/// One more step of a layer.
Variable GnmtDecoder::advance(Tape& tape, const LstmLayer& layer, std::size_t state,
                              const Variable& input)
{
    autograd::LstmVariables next = layer(tape, network_.parameters, input, {}, states_[state]);
    states_[state] = std::move(next.final);
    return next.output;
}

DecodedStep GnmtDecoder::step(std::span<const std::int32_t> tokens,
                              std::span<const std::int32_t> parents)
{
    SB_REQUIRE(!tokens.empty() && tokens.size() == parents.size(),
               "GNMT: a step needs as many tokens as parents");
    Tape tape(backend_, Tape::Mode::Inference);
    follow(tape, parents);
    const Variable embedded =
        network_.embed(tape, upload(tokens, {1, std::int64_t(tokens.size())}));
    Variable x = advance(tape, network_.attentionLstm, 0, embedded);
    const Attended attended = attend(tape, x);
    for (std::size_t i = 0; i < network_.decoder.size(); ++i) {
        const Variable input = autograd::concat(tape, {x, attended.context}, 2);
        const Variable y = advance(tape, network_.decoder[i], i + 1, input);
        x = i == 0 ? y : autograd::add(tape, y, x);
    }
    return {network_.classify(tape, x).value(), attended.looks};
}

} // namespace scalebench
