// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The generated set `scalebench-documents-v1`: documents in the invented language xa, the sentences
// of one about the same few things, so that there is something to learn both within sentences and
// from one to the next. Written one sentence a line with a blank line between documents, the format
// of BERT's pre-training text, and labelled.

#include "engine/data/generated_set.h"
#include "engine/workloads/translation/language_pair.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scalebench::workloads {

inline constexpr const char* kDocumentsName = "scalebench-documents-v1";

struct DocumentsSpec {
    int64_t trainDocuments = 2000;
    int64_t evalDocuments = 100;
    uint64_t seed = 1; ///< as LanguagePairSpec::seed
};

/// Documents as a pure function of seed, part and index, on every platform. Thread-safe.
class DocumentWriter
{
public:
    explicit DocumentWriter(uint64_t seed);
    DocumentWriter(const DocumentWriter&) = delete;
    DocumentWriter& operator=(const DocumentWriter&) = delete;
    /// 5 to 20 sentences, no sentence in both parts (partOf()). Three nouns of five are of the
    /// document's four to seven topics, which are as frequent as one another in it.
    std::vector<std::string> document(Part part, int64_t index) const;
    /// Nouns of the lexicon, none twice.
    std::vector<int> topics(Part part, int64_t index) const;

    const grammar::Lexicon& lexicon() const { return lexicon_; }

private:
    uint64_t seed_;
    grammar::Lexicon lexicon_;
    grammar::SentenceSampler sampler_;
};

/// Makes sure that the set lies at `path` (a folder): train.txt and eval.txt. As
/// ensureLanguagePair().
std::unique_ptr<data::GeneratedSetLock> ensureDocuments(const std::string& path,
                                                        const DocumentsSpec& spec = {});

} // namespace scalebench::workloads
