// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/word_pieces.h"

#include "engine/core/fingerprint.h"
#include "engine/text/bert_words.h"
#include "engine/text/lines.h"
#include "engine/text/unicode.h"
#include "kernels/check.h"

#include <algorithm>
#include <utility>

namespace scalebench::text {
namespace {

constexpr size_t kLongestWord = 100; ///< characters

} // namespace

WordPieceVocabulary::WordPieceVocabulary(std::vector<std::string> pieces)
    : pieces_(std::move(pieces))
{
    SB_REQUIRE(pieces_.size() <= kMostPieces, "a vocabulary has more than ten million pieces");
    for (size_t id = 0; id < pieces_.size(); ++id) {
        const std::string& piece = pieces_[id];
        SB_REQUIRE(!piece.empty() && piece.find_first_of("\r\n") == std::string::npos,
                   "a word piece is empty or holds a line end");
        SB_REQUIRE(all_.try_emplace(piece, int32_t(id)).second,
                   "the word piece '" + piece + "' is there twice");
        if (piece.starts_with(kWithin))
            within_.try_emplace(piece.substr(kWithin.size()), int32_t(id));
        longestPiece_ = std::max(longestPiece_, piece.size());
    }
    const std::pair<const char*, int32_t*> specials[] = {{"[PAD]", &pad_},
                                                         {"[UNK]", &unknown_},
                                                         {"[CLS]", &classification_},
                                                         {"[SEP]", &separator_},
                                                         {"[MASK]", &mask_}};
    for (const auto& [name, id] : specials) {
        *id = find(name);
        SB_REQUIRE(*id >= 0, std::string("a vocabulary of word pieces has no ") + name);
    }
}

WordPieceVocabulary WordPieceVocabulary::read(const std::string& path, int64_t* bytesRead)
{
    LineFile file(path);
    std::vector<std::string> pieces;
    std::unordered_map<std::string, int64_t> lines;
    for (std::string line; file.next(line); pieces.push_back(line)) {
        if (line.empty())
            file.damaged("the line is empty; a vocabulary has one word piece a line");
        if (line.find('\r') != std::string::npos)
            file.damaged("the line holds a carriage return");
        const auto [first, isNew] = lines.try_emplace(line, file.line());
        if (!isNew)
            file.damaged("the word piece '" + line.substr(0, 40) +
                         "' is there twice, first in line " + std::to_string(first->second));
        if (pieces.size() == kMostPieces)
            file.damaged("there are more than ten million word pieces");
    }
    for (const char* name : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})
        if (!lines.contains(name))
            file.damaged(std::string("no line is ") + name +
                         ", which a vocabulary of BERT has; it may be cut off or another format");
    if (bytesRead)
        *bytesRead += file.bytesRead();
    return WordPieceVocabulary(std::move(pieces));
}

void WordPieceVocabulary::write(const std::string& path) const
{
    writeLines(path, pieces_);
}

bool WordPieceVocabulary::isSpecial(int32_t id) const
{
    return id == pad_ || id == unknown_ || id == classification_ || id == separator_ || id == mask_;
}

int32_t WordPieceVocabulary::find(std::string_view piece) const
{
    const auto it = all_.find(piece);
    return it == all_.end() ? -1 : it->second;
}

const std::string& WordPieceVocabulary::text(int32_t id) const
{
    SB_REQUIRE(id >= 0 && id < size(), "the token id " + std::to_string(id) +
                                           " is out of range: the vocabulary has " +
                                           std::to_string(size()) + " ids");
    return pieces_[size_t(id)];
}

uint64_t WordPieceVocabulary::fingerprint() const
{
    return fingerprintOf(pieces_);
}

/// The longest piece of `table` that `rest` begins with, -1 for none.
int32_t WordPieceVocabulary::longest(std::string_view rest, const Table& table, size_t& bytes) const
{
    for (bytes = std::min(rest.size(), longestPiece_); bytes > 0; --bytes) {
        const bool withinCharacter =
            bytes < rest.size() && (static_cast<unsigned char>(rest[bytes]) & 0xC0U) == 0x80;
        if (withinCharacter)
            continue;
        if (const auto it = table.find(rest.substr(0, bytes)); it != table.end())
            return it->second;
    }
    return -1;
}

void WordPieceVocabulary::split(std::string_view word, std::vector<int32_t>& ids) const
{
    if (word.size() > kLongestWord && countCharacters(word) > kLongestWord) {
        ids.push_back(unknown_);
        return;
    }
    const size_t before = ids.size();
    for (size_t bytes = 0; !word.empty(); word.remove_prefix(bytes)) {
        const int32_t id = longest(word, ids.size() == before ? all_ : within_, bytes);
        if (id < 0) {
            ids.resize(before);
            ids.push_back(unknown_);
            return;
        }
        ids.push_back(id);
    }
}

WordPieceTokenizer::WordPieceTokenizer(WordPieceVocabulary vocabulary, bool uncased)
    : vocabulary_(std::move(vocabulary)), uncased_(uncased)
{
}

std::vector<int32_t> WordPieceTokenizer::encode(std::string_view text) const
{
    std::vector<int32_t> ids;
    for (const std::string& word : bertWords(text, uncased_))
        vocabulary_.split(word, ids);
    return ids;
}

} // namespace scalebench::text
