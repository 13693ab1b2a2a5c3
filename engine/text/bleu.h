// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// BLEU (Papineni et al. 2002) as sacreBLEU computes it: of a whole set of sentences, one reference
// each, n-grams up to 4, exponential smoothing, effective order off.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace scalebench::text {

/// What BLEU is computed from. Sums of counts are exact, so workers count their share each.
struct BleuCounts {
    std::array<int64_t, 4>
        correct{}; ///< n-grams of the hypotheses that their references have, n from 1
    std::array<int64_t, 4> total{}; ///< n-grams of the hypotheses
    int64_t hypothesisLength = 0;   ///< words
    int64_t referenceLength = 0;    ///< words

    void add(const BleuCounts& other);
    double brevityPenalty() const; ///< 0..1
    double bleu() const;           ///< 0..100
    bool operator==(const BleuCounts&) const = default;
};
static_assert(std::is_trivially_copyable_v<BleuCounts>);

/// sacreBLEU's names: what divides sentences into words before they are counted.
enum class BleuTokens {
    None,          ///< `none`: white space only
    V13a,          ///< `13a`: mteval-v13a, sacreBLEU's default
    International, ///< `intl`: mteval-v14 with Unicode's punctuation and symbols
};

/// Thread-safe.
class BleuCounter
{
public:
    BleuCounter(BleuTokens tokens, bool lowerCase) : tokens_(tokens), lowerCase_(lowerCase) {}

    BleuCounts count(std::string_view hypothesis, std::string_view reference) const;
    std::vector<std::string> words(std::string_view sentence) const;

    /// As sacreBLEU's, without its version: "nrefs:1|case:lc|eff:no|tok:intl|smooth:exp".
    std::string signature() const;

private:
    BleuTokens tokens_;
    bool lowerCase_;
};

} // namespace scalebench::text
