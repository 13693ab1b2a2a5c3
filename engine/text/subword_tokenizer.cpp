// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/subword_tokenizer.h"

#include "engine/text/unicode.h"

#include <utility>

namespace scalebench::text {

SubwordTokenizer::SubwordTokenizer(WordMode mode, BytePairs bytePairs, SubwordVocabulary vocabulary)
    : mode_(mode), bytePairs_(std::move(bytePairs)), vocabulary_(std::move(vocabulary))
{
}

std::vector<int32_t> SubwordTokenizer::encode(std::string_view line) const
{
    const BytePairs::Known known = [this](std::string_view piece, bool last) {
        return vocabulary_.id(piece, last) != SubwordVocabulary::kUnknown;
    };
    std::vector<int32_t> ids;
    for (const std::string& word : wordsOf(line, mode_)) {
        const std::vector<std::string> pieces = bytePairs_.split(word, known);
        for (size_t i = 0; i < pieces.size(); ++i)
            ids.push_back(vocabulary_.id(pieces[i], i + 1 == pieces.size()));
    }
    return ids;
}

std::string SubwordTokenizer::decode(std::span<const int32_t> ids) const
{
    std::vector<std::string> words;
    bool within = false; // the last word goes on
    for (const int32_t id : ids) {
        std::string_view text = vocabulary_.text(id);
        bool goesOn = false;
        if (id == SubwordVocabulary::kUnknown) {
            text = kReplacementText;
        } else if (id < SubwordVocabulary::kFirstPiece) {
            continue;
        } else if (text.ends_with(kContinues)) {
            text.remove_suffix(kContinues.size());
            goesOn = true;
        }
        if (!within)
            words.emplace_back();
        words.back() += text;
        within = goesOn;
    }
    return sentenceOf(words, mode_);
}

} // namespace scalebench::text
