// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// BERT pre-training: masked words and next sentences. Keys of its own:
//   model.max_length          tokens of the longest sequence, with [CLS] and [SEP]
//   model.dropout
//   model.vocabulary          word pieces of the network; 0: those of vocab.txt, filled up to a
//                             multiple of 8
//   data.max_predictions      masked words of a sequence, at most
//   data.duplicates           passes over the text, parted into other sequences each time
//   data.short_share          of documents that are cut into shorter sequences
//   data.eval_share           of documents held out, where there are no eval* files
//   data.uncased              small letters without accents, as the vocabulary
//   data.documents, eval_documents   of generated text
// A sample is a sequence. data.train_samples and eval_samples, above 0: so many of all sequences.

#include "engine/workloads/registry.h"

namespace scalebench::workloads {

struct BertRecipe final : Recipe {
    int64_t maxLength = 128;
    int64_t vocabulary = 0;
    double dropout = 0.1;
    int maxPredictions = 20;
    int duplicates = 1;
    double shortShare = 0.1;
    double evalShare = 0.05;
    bool uncased = true;
    int64_t documents = 3000, evalDocuments = 150;

    static std::shared_ptr<const Recipe> parse(const RunConfig& config, RecipeKeys& keys);
    std::unique_ptr<Workload> make(const RunConfig& config) const override;
};

} // namespace scalebench::workloads
