// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A folder of text files for BERT, in folders as deep as WikiExtractor's AA/wiki_00 or deeper:
//   vocab.txt        word pieces, one a line; right in the folder
//   eval*            files, or folders of them, with documents that are held out; where there are
//                    none, a share of all documents
//   everything else  documents to train on (hidden files, GENERATED.txt, README*, LICENSE*, *.md,
//                    *.json and *SUMS are left aside)
// Each plain or gzip, and either one sentence a line with a blank line between documents, or what
// WikiExtractor writes: <doc ...>, the title, paragraphs, </doc>; those are split into sentences.

#include "engine/text/word_pieces.h"
#include "engine/workloads/bert/corpus.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace scalebench::workloads {

struct CorpusFiles {
    std::string vocabulary;
    std::vector<std::string> training, evaluation; ///< by name below the folder
};

/// InvalidArgument: `data_missing` where there is no such folder, no vocab.txt or no text; and as
/// data::listFiles().
CorpusFiles findCorpus(const std::string& folder);

/// Appends the documents of a file. Adds to `bytesRead`. InvalidArgument as text::LineFile, and
/// (`data_damaged`) for a <doc> without end.
void readDocuments(const std::string& path, const text::WordPieceTokenizer& tokenizer,
                   Corpus& corpus, int64_t& bytesRead);

/// The documents of all files, in their order, in pieces of some documents; cut on `threads`
/// threads. `tick`: called now and then, may throw to stop; may be empty.
void readPieces(const std::vector<std::string>& files, const text::WordPieceTokenizer& tokenizer,
                int threads, int64_t& bytesRead, const std::function<void()>& tick,
                const std::function<void(const Corpus& piece)>& take);
/// All of them.
Corpus readAll(const std::vector<std::string>& files, const text::WordPieceTokenizer& tokenizer,
               int threads, int64_t& bytesRead, const std::function<void()>& tick = {});

/// FNV-1a over the tokens of a document, sentence ends left out.
uint64_t fingerprint(const Corpus& corpus, int64_t document);
std::set<uint64_t> fingerprints(const Corpus& corpus);
/// InvalidArgument (`data_empty`) for fewer than two documents to `what` ("train on").
void requireDocuments(int64_t documents, const char* what);
/// Which of so many documents holdOut() holds out. InvalidArgument (`data_empty`).
std::vector<bool> heldOut(int64_t documents, double share);

struct SplitCorpus {
    Corpus training, evaluation;
    int64_t repeated = 0; ///< training documents left out, because they are held-out ones
};

/// Holds out every document whose number is among the first of a fixed shuffle; at least two, and
/// at least two stay.
SplitCorpus holdOut(const Corpus& all, double share);
/// Drops the training documents that equal one of `evaluation`.
SplitCorpus keepApart(const Corpus& training, Corpus evaluation);

} // namespace scalebench::workloads
