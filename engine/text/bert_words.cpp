// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/bert_words.h"

#include "engine/text/unicode.h"

namespace scalebench::text {
namespace {

bool isDropped(char32_t c)
{
    if (c == '\t' || c == '\n' || c == '\r')
        return false;
    return c == 0 || c == kReplacementCharacter || isControl(c);
}

/// The blocks of ideographs that BERT's authors name; kana and hangul are written with blanks.
bool isIdeograph(char32_t c)
{
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
           (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B820 && c <= 0x2CEAF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

bool isSign(char32_t c)
{
    if (c < 0x80)
        return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) ||
               (c >= 123 && c <= 126);
    return isPunctuation(c);
}

std::string cleaned(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const char32_t c = nextCharacter(text, at);
        if (isDropped(c))
            continue;
        if (isWhiteSpace(c)) {
            out += ' ';
        } else if (isIdeograph(c)) {
            out += ' ';
            appendCharacter(out, c);
            out += ' ';
        } else {
            appendCharacter(out, c);
        }
    }
    return out;
}

std::string withoutAccents(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const size_t from = at;
        if (!isNonspacingMark(nextCharacter(text, at)))
            out += text.substr(from, at - from);
    }
    return out;
}

} // namespace

std::vector<std::string> bertWords(std::string_view text, bool uncased)
{
    std::string line = cleaned(text);
    if (uncased)
        line = lowerCaseEach(withoutAccents(decomposed(line)));
    std::vector<std::string> words;
    bool within = false;
    for (size_t at = 0; at < line.size();) {
        const size_t from = at;
        const char32_t c = nextCharacter(line, at);
        if (c == ' ') {
            within = false;
            continue;
        }
        const bool alone = isSign(c);
        if (!within || alone)
            words.emplace_back();
        words.back().append(line, from, at - from);
        within = !alone;
    }
    return words;
}

} // namespace scalebench::text
