// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the translation workloads have in common. Keys of "model":
//   vocabulary       rows of the tables; 0: as many as the text has pieces, rounded up to 8
//   dropout
//   beam, length_norm, coverage   of the search (engine/decode/beam_search.h); beam 1 is greedy
// Keys of "data":
//   source_language, target_language   endings of the files: train.en with train.de; where neither
//                    is given, those of the generated pair are looked for too
//   train, eval      beginnings of their names; one file NAME.tsv will do for both languages
//   words            "reversible" (text as people write it) or "blanks" (tokenised already)
//   lower_case       all text in small letters
//   nouns            of the generated languages, whose lexicon grows with them
//   merges           byte pairs that are learned from the training text, where the folder has no
//                    file "codes" (subword-nmt's format)
//   max_tokens       the longest training sentence, with its end token
//   too_long         "drop" or "truncate"
//   one_sided        pairs that are blank in one language: "refuse" or "drop"
//   batch_unit       what the global batch counts: "sentences", or "tokens" of the target with the
//                    end token
//   bucket_pool      global batches that are sorted by length together (BucketOptions::pool)
//   bleu             sacreBLEU's tokenisation, "13a", "intl" or "none"
//   bleu_case        "mixed" or "lower"
// A sample is a pair of sentences. The metric is corpus BLEU (0 to 100) of the text that the search
// writes against the text of the reference file.

#include "engine/workloads/registry.h"

namespace scalebench::workloads {

struct TranslationRecipe : Recipe {
    int64_t vocabulary = 0;
    double dropout = 0.1;
    int beam = 4;
    double lengthNorm = 0.6, coverage = 0;

    std::string sourceLanguage = "en", targetLanguage = "de";
    bool languagesNamed = false; ///< else files of the generated pair will do as well
    std::string train = "train", eval = "eval";
    bool blanks = false, lowerCase = false;
    int merges = 8000;
    int nouns = 900;
    int maxTokens = 100;
    bool truncate = false;
    bool dropOneSided = false;
    bool batchTokens = false;
    int bucketPool = 32;
    std::string bleu = "13a";
    bool bleuLowerCase = false;

protected:
    void parseCommon(const RunConfig& config, RecipeKeys& keys);
};

} // namespace scalebench::workloads
