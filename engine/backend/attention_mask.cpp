// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/ops/dot_attention.h"

#include <string>

#include "kernels/check.h"

namespace scalebench {

AttentionMask sentenceMask(std::int64_t batch, std::int64_t queries, std::int64_t keys,
                           std::span<const std::int32_t> keyLengths)
{
    SB_REQUIRE(keyLengths.empty() || std::int64_t(keyLengths.size()) == batch,
               "attention mask: " + std::to_string(keyLengths.size()) + " lengths for " +
                   std::to_string(batch) + " sentences");
    auto list = std::make_shared<std::vector<AttentionSegment>>();
    for (std::int64_t b = 0; b < batch; ++b) {
        const std::int64_t length = keyLengths.empty() ? keys : keyLengths[std::size_t(b)];
        SB_REQUIRE(length >= 0 && length <= keys,
                   "attention mask: length " + std::to_string(length) + " of sentence " +
                       std::to_string(b) + " is not in [0," + std::to_string(keys) + "]");
        list->push_back({b * queries, queries, b * keys, length});
    }
    return list;
}

AttentionMask packedMask(std::span<const std::int32_t> queryOffsets,
                         std::span<const std::int32_t> keyOffsets)
{
    SB_REQUIRE(queryOffsets.size() == keyOffsets.size(),
               "attention mask: " + std::to_string(queryOffsets.size()) + " query offsets and " +
                   std::to_string(keyOffsets.size()) + " key offsets");
    auto list = std::make_shared<std::vector<AttentionSegment>>();
    for (std::size_t i = 1; i < queryOffsets.size(); ++i) {
        const std::int64_t q = queryOffsets[i - 1], k = keyOffsets[i - 1];
        SB_REQUIRE(queryOffsets[i] >= q && keyOffsets[i] >= k,
                   "attention mask: offsets fall at segment " + std::to_string(i));
        list->push_back({q, queryOffsets[i] - q, k, keyOffsets[i] - k});
    }
    return list;
}

} // namespace scalebench
