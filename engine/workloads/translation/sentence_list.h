// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sentences as token ids, one behind the other in one array.

#include "engine/data/column.h"

#include <cstdint>
#include <span>
#include <utility>

namespace scalebench::workloads {

/// Without begin and end tokens.
class SentenceList
{
public:
    SentenceList() = default;
    /// `ends` rises from 0 or more to the number of tokens.
    SentenceList(data::Column<int32_t> tokens, data::Column<int64_t> ends)
        : tokens_(std::move(tokens)), ends_(std::move(ends))
    {
    }

    void add(std::span<const int32_t> sentence)
    {
        tokens_.append(sentence);
        ends_.push_back(int64_t(tokens_.size()));
    }
    int64_t size() const { return int64_t(ends_.size()); }
    std::span<const int32_t> operator[](int64_t i) const
    {
        const int64_t begin = i == 0 ? 0 : ends_[size_t(i - 1)];
        return tokens_.all().subspan(size_t(begin), size_t(ends_[size_t(i)] - begin));
    }
    int64_t tokens() const { return int64_t(tokens_.size()); }

    const data::Column<int32_t>& allTokens() const { return tokens_; }
    /// Where each sentence ends among the tokens.
    const data::Column<int64_t>& ends() const { return ends_; }

private:
    data::Column<int32_t> tokens_;
    data::Column<int64_t> ends_;
};

/// A sentence and its translation; the list that holds them stays where it is.
struct PairView {
    std::span<const int32_t> source, target;
};

struct PairList {
    SentenceList source, target; ///< as many

    int64_t size() const { return source.size(); }
    PairView operator[](int64_t i) const { return {source[i], target[i]}; }
};

} // namespace scalebench::workloads
