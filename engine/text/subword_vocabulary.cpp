// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/subword_vocabulary.h"

#include "engine/core/fingerprint.h"
#include "engine/text/lines.h"
#include "engine/text/unicode.h"
#include "kernels/check.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>
#include <utility>

namespace scalebench::text {
namespace {

constexpr std::array<std::string_view, 4> kSpecials{"<pad>", "<s>", "</s>", "<unk>"};
constexpr std::string_view kWordEnd = "</w>";

/// Empty where the piece may be one, else what is wrong with it.
std::string complaint(const std::string& piece)
{
    if (piece.empty())
        return "a piece is empty";
    if (piece.find_first_of(" \r\n") != std::string::npos)
        return "a piece holds a blank or a line end";
    if (std::ranges::find(kSpecials, piece) != kSpecials.end())
        return "'" + piece + "' stands for an id of its own and cannot be a piece";
    return piece == kContinues ? "a piece is nothing but @@" : "";
}

/// Pieces once each, in the order in which they come; those that cannot be are left out.
class PieceList
{
public:
    void add(std::string piece)
    {
        if (complaint(piece).empty() && seen_.insert(piece).second)
            pieces_.push_back(std::move(piece));
    }
    /// A text that ends with "@@" cannot end a word: it reads like one that goes on.
    void addLast(const std::string& text)
    {
        if (!text.ends_with(kContinues))
            add(text);
    }
    void addInner(const std::string& text) { add(text + std::string(kContinues)); }
    const std::vector<std::string>& pieces() const { return pieces_; }

private:
    std::unordered_set<std::string> seen_;
    std::vector<std::string> pieces_;
};

std::map<char32_t, int64_t> characterCounts(const WordCounts& words)
{
    std::map<char32_t, int64_t> counts;
    for (const WordCount& word : words)
        for (size_t at = 0; at < word.word.size();)
            counts[nextCharacter(word.word, at)] += word.count;
    return counts;
}

} // namespace

SubwordVocabulary::SubwordVocabulary(const std::vector<std::string>& pieces)
    : texts_(kSpecials.begin(), kSpecials.end())
{
    SB_REQUIRE(pieces.size() <= kMostPieces, "a vocabulary has more than ten million pieces");
    texts_.reserve(pieces.size() + kSpecials.size());
    for (const std::string& piece : pieces) {
        if (const std::string wrong = complaint(piece); !wrong.empty())
            throw InvalidArgument(wrong);
        const bool inner = piece.ends_with(kContinues);
        const std::string text = inner ? piece.substr(0, piece.size() - kContinues.size()) : piece;
        SB_REQUIRE((inner ? inner_ : lasts_).try_emplace(text, size()).second,
                   "the piece '" + piece + "' is there twice");
        texts_.push_back(piece);
    }
}

SubwordVocabulary SubwordVocabulary::build(const WordCounts& words, const BytePairs& bytePairs,
                                           int64_t minimumCharacterCount)
{
    PieceList list;
    for (const auto& [character, count] : characterCounts(words)) {
        if (count < minimumCharacterCount)
            continue;
        std::string text;
        appendCharacter(text, character);
        list.addInner(text);
        list.addLast(text);
    }
    for (const Merge& merge : bytePairs.merges()) {
        const std::string made = merge.first + merge.second;
        if (made.ends_with(kWordEnd))
            list.addLast(made.substr(0, made.size() - kWordEnd.size()));
        else
            list.addInner(made);
    }
    return SubwordVocabulary(list.pieces());
}

SubwordVocabulary SubwordVocabulary::read(const std::string& path, int64_t* bytesRead)
{
    LineFile file(path);
    std::vector<std::string> pieces;
    std::unordered_set<std::string> seen;
    for (std::string line; file.next(line);) {
        if (file.line() <= int64_t(kSpecials.size())) {
            const std::string expected(kSpecials[size_t(file.line() - 1)]);
            if (line != expected)
                file.damaged("expected " + expected +
                             " there: a vocabulary begins with <pad>, "
                             "<s>, </s> and <unk>, a line each");
            continue;
        }
        if (const std::string wrong = complaint(line); !wrong.empty())
            file.damaged(wrong);
        if (!seen.insert(line).second)
            file.damaged("the piece '" + line.substr(0, 40) + "' is there twice");
        if (pieces.size() == kMostPieces)
            file.damaged("there are more than ten million pieces");
        pieces.push_back(line);
    }
    if (file.line() < int64_t(kSpecials.size()))
        file.damagedAt(file.line() + 1,
                       "the file ends before <pad>, <s>, </s> and <unk> are there");
    if (bytesRead)
        *bytesRead += file.bytesRead();
    return SubwordVocabulary(pieces);
}

void SubwordVocabulary::write(const std::string& path) const
{
    writeLines(path, texts_);
}

int32_t SubwordVocabulary::id(std::string_view piece, bool last) const
{
    const auto& pieces = last ? lasts_ : inner_;
    const auto it = pieces.find(piece);
    return it == pieces.end() ? kUnknown : it->second;
}

const std::string& SubwordVocabulary::text(int32_t id) const
{
    SB_REQUIRE(id >= 0 && id < size(), "the token id " + std::to_string(id) +
                                           " is out of range: the vocabulary has " +
                                           std::to_string(size()) + " ids");
    return texts_[size_t(id)];
}

uint64_t SubwordVocabulary::fingerprint() const
{
    return fingerprintOf(texts_);
}

} // namespace scalebench::text
