// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// GNMT that continues sentences token by token. The source is encoded, and its keys are projected,
// once per sentence: the rows of a sentence are the queries of one attention over it.

#include "engine/models/gnmt/gnmt_impl.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scalebench {

class GnmtDecoder final : public StepDecoder
{
public:
    /// source I32 [Ts,B] and its lengths I32 [B], on the host. Network and backend outlive this.
    GnmtDecoder(const Gnmt& network, Backend& backend, const Tensor& source, const Tensor& lengths);

    DecodedStep step(std::span<const std::int32_t> tokens,
                     std::span<const std::int32_t> parents) override;

private:
    using Indices = std::vector<std::int32_t>;
    /// Where rows are among the queries: those of a sentence, k in turn, as many for each sentence;
    /// where it has fewer, its first row once more.
    struct Queries {
        std::int64_t perSentence = 1;
        Indices rows;     ///< of query k of sentence b: [k * sentences + b]
        Indices contexts; ///< by row: k * sentences + b
        Indices looks;    ///< by row: b * perSentence + k
    };
    struct Attended {
        Variable context; ///< [1,rows,hidden]
        Tensor looks;     ///< F32 [rows,Ts]
    };

    Indices sentencesOf(std::span<const std::int32_t> parents) const;
    void keepSentences(Tape& tape, const Indices& sentences);
    void follow(Tape& tape, std::span<const std::int32_t> parents);
    Queries queries() const;
    Attended attend(Tape& tape, const Variable& x);
    Variable advance(Tape& tape, const LstmLayer& layer, std::size_t state, const Variable& input);
    Variable gathered(Tape& tape, const Variable& x, int axis, const Indices& indices);
    Tensor upload(std::span<const std::int32_t> values, Shape shape);

    const Gnmt::Impl& network_;
    Backend& backend_;
    CachingAllocator hostMemory_;
    bool begun_ = false;
    Indices lengths_; ///< of all sentences
    Indices active_;  ///< sentences of keys_ and values_, ascending
    Indices rows_;    ///< their sentences
    Tensor activeLengths_;
    Variable keys_, values_;                   ///< [Ts,active,hidden]
    std::vector<autograd::LstmStates> states_; ///< [1,rows,hidden] each, of the decoder's layers
};

} // namespace scalebench
