// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A corpus and its sequences as files (engine/data/prepared_set.h), for text of any size: what is
// held is a piece of the text, and the held-out documents.

#include "engine/workloads/bert/corpus_files.h"
#include "engine/workloads/bert/sequence_pairs.h"

#include <filesystem>
#include <functional>

namespace scalebench::workloads {

/// Called now and then; may throw to stop.
using StopTick = std::function<void()>;

struct CorpusPlan {
    CorpusFiles files;
    double evalShare = 0; ///< held out, where no file is
    int threads = 1;
    StopTick tick;
};

/// Writes train.tokens, train.sentences, train.documents, eval... and repeated: what readAll() with
/// holdOut() or keepApart() gives. Throws as those, and Error (`not_writable`, `disk_full`).
void writeCorpus(const CorpusPlan& plan, const text::WordPieceTokenizer& tokenizer,
                 const std::filesystem::path& folder);

/// Writes makePairs() of the corpus to a file.
void writePairs(const Corpus& corpus, const PairSettings& settings,
                const std::filesystem::path& file, const StopTick& tick);

} // namespace scalebench::workloads
