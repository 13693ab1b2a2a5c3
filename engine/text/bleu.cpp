// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/bleu.h"

#include "engine/text/bleu_tokens.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <unordered_map>

namespace scalebench::text {
namespace {

constexpr size_t kOrders = 4;
/// Numbers of words; -1 behind the last.
using Gram = std::array<int32_t, kOrders>;

std::vector<std::string> splitAtWhiteSpace(std::string_view text)
{
    std::vector<std::string> words;
    bool within = false;
    for (size_t at = 0; at < text.size();) {
        const size_t from = at;
        const bool space = isWhiteSpace(nextCharacter(text, at));
        if (!space && !within)
            words.emplace_back();
        if (!space)
            words.back() += text.substr(from, at - from);
        within = !space;
    }
    return words;
}

std::vector<Gram> grams(const std::vector<int32_t>& words, size_t order)
{
    std::vector<Gram> all;
    for (size_t i = 0; i + order <= words.size(); ++i) {
        Gram gram;
        gram.fill(-1);
        std::copy_n(words.begin() + std::ptrdiff_t(i), order, gram.begin());
        all.push_back(gram);
    }
    std::ranges::sort(all);
    return all;
}

/// How many two sorted lists have in common, each entry as often as it is in both.
int64_t common(const std::vector<Gram>& a, const std::vector<Gram>& b)
{
    int64_t count = 0;
    for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
        if (*left == *right) {
            ++count;
            ++left;
            ++right;
        } else if (*left < *right) {
            ++left;
        } else {
            ++right;
        }
    }
    return count;
}

} // namespace

void BleuCounts::add(const BleuCounts& other)
{
    for (size_t n = 0; n < kOrders; ++n) {
        correct[n] += other.correct[n];
        total[n] += other.total[n];
    }
    hypothesisLength += other.hypothesisLength;
    referenceLength += other.referenceLength;
}

double BleuCounts::brevityPenalty() const
{
    if (hypothesisLength >= referenceLength)
        return 1;
    return hypothesisLength > 0 ? std::exp(1 - double(referenceLength) / double(hypothesisLength))
                                : 0.0;
}

double BleuCounts::bleu() const
{
    if (std::ranges::all_of(correct, [](int64_t c) { return c == 0; }))
        return 0;
    double smoothing = 1, sum = 0;
    for (size_t n = 0; n < kOrders; ++n) {
        if (total[n] == 0)
            return 0; // shorter than four words: no precision, which the mean does not forgive
        if (correct[n] == 0)
            smoothing *= 2;
        sum += std::log(correct[n] > 0 ? 100.0 * double(correct[n]) / double(total[n])
                                       : 100.0 / (smoothing * double(total[n])));
    }
    return brevityPenalty() * std::exp(sum / double(kOrders));
}

std::vector<std::string> BleuCounter::words(std::string_view sentence) const
{
    const std::string lowered = lowerCase_ ? lowerCase(sentence) : std::string(sentence);
    const std::string_view text = withoutTrailingSpace(lowered);
    switch (tokens_) {
    case BleuTokens::V13a:
        return splitAtWhiteSpace(blanksAround13a(text));
    case BleuTokens::International:
        return splitAtWhiteSpace(blanksAroundInternational(text));
    case BleuTokens::None:
        break;
    }
    return splitAtWhiteSpace(text);
}

BleuCounts BleuCounter::count(std::string_view hypothesis, std::string_view reference) const
{
    std::unordered_map<std::string, int32_t> numbers;
    const auto numbered = [&](std::string_view sentence) {
        std::vector<int32_t> result;
        for (const std::string& word : words(sentence))
            result.push_back(numbers.try_emplace(word, int32_t(numbers.size())).first->second);
        return result;
    };
    const std::vector<int32_t> ours = numbered(hypothesis), theirs = numbered(reference);
    BleuCounts counts;
    counts.hypothesisLength = int64_t(ours.size());
    counts.referenceLength = int64_t(theirs.size());
    for (size_t n = 0; n < kOrders; ++n) {
        const std::vector<Gram> all = grams(ours, n + 1);
        counts.total[n] = int64_t(all.size());
        counts.correct[n] = common(all, grams(theirs, n + 1));
    }
    return counts;
}

std::string BleuCounter::signature() const
{
    std::string tokens = "none";
    if (tokens_ == BleuTokens::V13a)
        tokens = "13a";
    else if (tokens_ == BleuTokens::International)
        tokens = "intl";
    return std::string("nrefs:1|case:") + (lowerCase_ ? "lc" : "mixed") + "|eff:no|tok:" + tokens +
           "|smooth:exp";
}

} // namespace scalebench::text
