// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/sentence_pairs.h"

#include "engine/data/hash_random.h"
#include "kernels/check.h"

#include <algorithm>
#include <string>

namespace scalebench::data {
namespace {

constexpr uint64_t kLengthStream = 41, kWordStream = 42;
constexpr int64_t kShortest = 2;

} // namespace

SentencePairs::SentencePairs(int64_t size, int64_t vocabulary, int64_t maxLength, uint64_t seed)
    : size_(size), vocabulary_(vocabulary), maxLength_(maxLength), seed_(seed)
{
    SB_REQUIRE(vocabulary >= 8 && maxLength > kShortest,
               "sentence pairs need a vocabulary of at least 8 and sentences of more than " +
                   std::to_string(kShortest) + " words, not " + std::to_string(vocabulary) +
                   " and " + std::to_string(maxLength));
}

int64_t SentencePairs::length(int64_t index) const
{
    // The smaller of two draws: density falls linearly from the shortest to the longest.
    HashRandom random({seed_, kLengthStream, uint64_t(index)});
    const auto choices = uint32_t(maxLength_ - kShortest + 1);
    const uint32_t first = random.below(choices), second = random.below(choices);
    return kShortest + int64_t(std::min(first, second));
}

double SentencePairs::meanLength() const
{
    // Mean of the smaller of two uniform draws from 0 ... m: m (2 m + 1) / (6 (m + 1)) + ... summed
    // exactly, as m is small.
    const int64_t m = maxLength_ - kShortest;
    double sum = 0;
    for (int64_t k = 0; k <= m; ++k)
        sum += double(k) * (2.0 * double(m - k) + 1.0);
    return double(kShortest) + sum / (double(m + 1) * double(m + 1));
}

SentencePair SentencePairs::pair(int64_t index) const
{
    HashRandom random({seed_, kWordStream, uint64_t(index)});
    const auto words = uint32_t(vocabulary_ - kFirstWord);
    SentencePair pair;
    pair.source.resize(size_t(length(index)));
    for (int32_t& word : pair.source)
        word = kFirstWord + int32_t(random.below(words));
    for (auto word = pair.source.rbegin(); word != pair.source.rend(); ++word)
        // The partner: a shift, so that no word is its own translation.
        pair.target.push_back(kFirstWord +
                              int32_t((uint32_t(*word - kFirstWord) + words / 2) % words));
    return pair;
}

} // namespace scalebench::data
