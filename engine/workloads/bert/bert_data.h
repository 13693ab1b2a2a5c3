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

    int64_t pieces() const { return training.ids.pieces; }
};

/// Writes generated text where it is missing.
void writeProse(const RunConfig& config, const BertRecipe& recipe);

/// InvalidArgument: `data_*` as corpus_files.h, and for a vocab.txt that most of the text's words
/// are not in; `usage` for one larger than model.vocabulary.
BertData loadBertData(const RunConfig& config, const BertRecipe& recipe);

} // namespace scalebench::workloads
