// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The sequences of a run, from wherever its data comes.

#include "engine/workloads/bert/bert_batches.h"
#include "engine/workloads/bert/bert_workload.h"

#include <string>

namespace scalebench::workloads {

struct BertData {
    SequenceSet training, evaluation;
    int64_t repeated = 0;    ///< training documents that are held-out ones: left out
    double unknownShare = 0; ///< of the training tokens that are [UNK]
    std::string encoding;    ///< the vocabulary's fingerprint; empty for synthetic data
    int64_t bytesRead = 0;
    bool prepared = false; ///< read from a set that prepareBertData() made
    std::string pairsPath; ///< of the sequences, where they were read too

    int64_t pieces() const { return training.ids.pieces; }
};

/// Writes generated text where it is missing.
void writeProse(const RunConfig& config, const BertRecipe& recipe,
                const LoadProgress& progress = {});

/// Cuts the text, and draws its sequences, once for all runs with these files and this recipe,
/// where it was not yet (engine/data/prepared_set.h): workers share both. `progress` may throw to
/// stop. Throws as loadBertData(), and Error (`not_writable`, `disk_full`).
void prepareBertData(const RunConfig& config, const BertRecipe& recipe, int threads,
                     const LoadProgress& progress = {});

/// From the prepared set, or from the text where there is none. InvalidArgument: `data_*` as
/// corpus_files.h, and for a vocab.txt that most of the text's words are not in; `usage` for one
/// larger than model.vocabulary.
BertData loadBertData(const RunConfig& config, const BertRecipe& recipe,
                      const LoadProgress& progress = {});

} // namespace scalebench::workloads
