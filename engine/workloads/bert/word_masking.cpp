// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/bert/word_masking.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scalebench::workloads {

int64_t maskedCount(int64_t length, const MaskSettings& settings)
{
    const int64_t wanted = std::max<int64_t>(1, std::llround(double(length) * settings.share));
    return std::min({wanted, settings.most, std::max<int64_t>(0, length - 3)});
}

std::vector<MaskedWord> maskWords(std::span<int32_t> tokens, const PieceIds& ids,
                                  const MaskSettings& settings, data::HashRandom random)
{
    std::vector<int32_t> candidates;
    for (size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i] != ids.classification && tokens[i] != ids.separator)
            candidates.push_back(int32_t(i));
    const auto count = size_t(std::min<int64_t>(maskedCount(int64_t(tokens.size()), settings),
                                                int64_t(candidates.size())));
    for (size_t i = 0; i < count; ++i) // the beginning of a Fisher-Yates shuffle
        std::swap(candidates[i], candidates[i + random.below(uint32_t(candidates.size() - i))]);
    candidates.resize(count);
    std::ranges::sort(candidates);
    std::vector<MaskedWord> words;
    for (const int32_t at : candidates) {
        words.push_back({at, tokens[size_t(at)]});
        if (random.chance(0.8))
            tokens[size_t(at)] = ids.mask;
        else if (random.chance(0.5))
            tokens[size_t(at)] = int32_t(random.below(uint32_t(ids.pieces)));
    }
    return words;
}

} // namespace scalebench::workloads
