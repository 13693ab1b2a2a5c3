// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sequences for BERT's two tasks, drawn from a corpus as its authors published it
// (create_pretraining_data.py of google-research/bert): runs of sentences of one document, parted
// into A and B; half of the time B comes from another document instead.

#include "engine/workloads/bert/corpus.h"

#include <cstdint>
#include <vector>

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

/// A pure function of corpus and settings. The corpus has two documents or more and `maxLength` is
/// 5 or more.
std::vector<SequencePair> makePairs(const Corpus& corpus, const PairSettings& settings);

} // namespace scalebench::workloads
