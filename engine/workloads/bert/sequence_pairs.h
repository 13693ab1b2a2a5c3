// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sequences for BERT's two tasks, drawn from a corpus as its authors published it
// (create_pretraining_data.py of google-research/bert): runs of sentences of one document, parted
// into A and B; half of the time B comes from another document instead.

#include "engine/workloads/bert/corpus.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

namespace scalebench::workloads {

struct PairSettings {
    int64_t maxLength = 512; ///< with [CLS] and two [SEP]
    double shortShare = 0.1; ///< documents cut into sequences of a random, smaller length
    int duplicates = 1;      ///< passes over the corpus, each drawn anew
    uint64_t seed = 1;       ///< of the set, not of a run
};

/// [CLS] A [SEP] B [SEP]; both parts are runs of tokens of the corpus, none empty.
struct SequencePair {
    int64_t firstBegin = 0, secondBegin = 0;
    int32_t firstCount = 0, secondCount = 0;
    bool random = false; ///< B does not follow A

    int64_t length() const { return int64_t(firstCount) + secondCount + 3; }
};

/// Pairs made here or in a prepared set's file, three numbers each.
class SequencePairs
{
public:
    using Packed = std::array<int64_t, 3>;

    SequencePairs() = default;
    explicit SequencePairs(data::Column<int64_t> numbers) : numbers_(std::move(numbers)) {}

    static Packed packed(const SequencePair& pair)
    {
        return {pair.firstBegin, pair.secondBegin,
                int64_t{pair.firstCount} << 33 | int64_t{pair.secondCount} << 1 |
                    int64_t{pair.random}};
    }
    void push_back(const SequencePair& pair) { numbers_.append(packed(pair)); }
    std::size_t size() const { return numbers_.size() / 3; }
    SequencePair operator[](std::size_t i) const
    {
        const std::span<const int64_t> n = numbers_.all().subspan(3 * i, 3);
        return {n[0], n[1], int32_t(n[2] >> 33), int32_t(n[2] >> 1 & 0x7fffffff), (n[2] & 1) != 0};
    }
    /// Whether each lies in a text of so many tokens and is no longer than `maxLength`; nothing
    /// that was read is believed.
    bool fit(int64_t tokens, int64_t maxLength) const;

private:
    data::Column<int64_t> numbers_;
};

/// A pure function of corpus and settings, handed over one after the other. The corpus has two
/// documents or more and `maxLength` is 5 or more.
void makePairs(const Corpus& corpus, const PairSettings& settings,
               const std::function<void(const SequencePair&)>& take);
SequencePairs makePairs(const Corpus& corpus, const PairSettings& settings);

} // namespace scalebench::workloads
