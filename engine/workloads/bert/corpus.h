// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text as BERT is trained on it: documents of sentences of word pieces, one behind the other.

#include "engine/data/column.h"

#include <cstddef>
#include <cstdint>

namespace scalebench::workloads {

/// Ids of the pieces with a meaning of their own, and how many pieces there are.
struct PieceIds {
    int32_t pad = 0, classification = 101, separator = 102, mask = 103;
    int32_t pieces = 30522;
};

/// No sentence and no document is empty.
struct Corpus {
    data::Column<int32_t> tokens;
    data::Column<int64_t> sentences{0}; ///< first token of each, and the end of the last
    data::Column<int64_t> documents{0}; ///< first sentence of each, and the end of the last

    int64_t documentCount() const { return int64_t(documents.size()) - 1; }
    int64_t sentenceCount() const { return int64_t(sentences.size()) - 1; }

    /// Ends a sentence of the tokens appended since; nothing where there are none.
    void endSentence()
    {
        if (int64_t(tokens.size()) > sentences.back())
            sentences.push_back(int64_t(tokens.size()));
    }
    /// Ends a document of the sentences appended since; nothing where there are none.
    void endDocument()
    {
        if (sentenceCount() > documents.back())
            documents.push_back(sentenceCount());
    }
    /// Appends document `index` of another.
    void append(const Corpus& other, int64_t index)
    {
        for (int64_t s = other.documents[std::size_t(index)];
             s < other.documents[std::size_t(index) + 1]; ++s) {
            const auto begin = std::size_t(other.sentences[std::size_t(s)]);
            const auto end = std::size_t(other.sentences[std::size_t(s) + 1]);
            tokens.append(other.tokens.all().subspan(begin, end - begin));
            endSentence();
        }
        endDocument();
    }
};

} // namespace scalebench::workloads
