// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The generated set `scalebench-prose-v1`: documents in a made-up language with a grammar. A
// document has a topic, a tense and a person it is about; nouns have a gender and a number with
// which articles, adjectives and verbs agree; verbs choose their objects, nouns their prepositions;
// a sentence mostly goes on about what the one before ended with. So masked words and next
// sentences can be learned, most of them from more than their neighbours. Words are taken apart
// into stems and endings by the vocabulary that comes with it. Written as text, and labelled.

#include "engine/data/generated_set.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scalebench::workloads {

inline constexpr const char* kProseName = "scalebench-prose-v1";

struct ProseSpec {
    int64_t documents = 3000;    ///< to train on
    int64_t evalDocuments = 150; ///< others
    uint64_t seed = 1;           ///< of the set; a run's own seed does not touch it
};

/// The sentences of document `index`; training documents come first. A pure function of seed and
/// index on every platform: whole numbers only.
std::vector<std::string> proseDocument(uint64_t seed, int64_t index);

/// The word pieces of the language.
std::vector<std::string> prosePieces();

/// Makes sure that vocab.txt, train.txt and eval.txt lie at `path` (a folder), writing them where
/// they are missing or follow another specification; see ensureGenerated(). Throws Error
/// (`not_writable`, `disk_full`), InvalidArgument for fewer than two documents of a kind.
std::unique_ptr<data::GeneratedSetLock> ensureProse(const std::string& path,
                                                    const ProseSpec& spec = {},
                                                    const std::function<void()>& tick = {});

} // namespace scalebench::workloads
