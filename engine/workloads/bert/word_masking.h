// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which words of a sequence are to be predicted, and what stands in their place (Devlin et al.
// 2019, arXiv 1810.04805, section 3.1): 15 % of the tokens, of which 80 % become [MASK], 10 % a
// word by chance, 10 % stay.

#include "engine/data/hash_random.h"
#include "engine/workloads/bert/corpus.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scalebench::workloads {

struct MaskSettings {
    double share = 0.15;
    int64_t most = 76; ///< of one sequence
};

/// How many of the `length` tokens of a sequence ([CLS] and [SEP] count) are predicted: known
/// before anything is drawn. At least one, unless there is none but those three.
int64_t maskedCount(int64_t length, const MaskSettings& settings);

struct MaskedWord {
    int32_t position; ///< in the sequence
    int32_t label;    ///< what was there
};

/// Draws maskedCount() words, never [CLS] or [SEP], changes `tokens` and returns the words by
/// position.
std::vector<MaskedWord> maskWords(std::span<int32_t> tokens, const PieceIds& ids,
                                  const MaskSettings& settings, data::HashRandom random);

} // namespace scalebench::workloads
