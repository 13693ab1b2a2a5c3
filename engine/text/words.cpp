// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/words.h"

#include "engine/text/unicode.h"

#include <algorithm>

namespace scalebench::text {
namespace {

constexpr std::string_view kBlankSign = "\xE2\x96\x81"; // U+2581

bool isOfWords(char32_t c)
{
    return isLetter(c) || isNumber(c);
}

bool beginsWithLetter(const std::string& word)
{
    size_t at = 0;
    return !word.empty() && isOfWords(nextCharacter(word, at));
}

} // namespace

std::vector<std::string> splitWords(std::string_view line)
{
    std::vector<std::string> words;
    size_t begin = 0;
    bool ofWords = false;
    const auto add = [&](size_t end) {
        const std::string_view word = line.substr(begin, end - begin);
        if (word != " " || begin == 0 || end == line.size())
            words.emplace_back(word);
        begin = end;
    };
    for (size_t at = 0; at < line.size();) {
        const size_t from = at;
        const bool letter = isOfWords(nextCharacter(line, at));
        if (from > 0 && letter != ofWords)
            add(from);
        ofWords = letter;
    }
    if (!line.empty())
        add(line.size());
    return words;
}

std::string joinWords(const std::vector<std::string>& words)
{
    std::string line;
    bool previous = false;
    for (const std::string& word : words) {
        const bool letters = beginsWithLetter(word);
        if (previous && letters)
            line += ' ';
        line += word;
        previous = letters;
    }
    return line;
}

std::vector<std::string> splitBlanks(std::string_view line)
{
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n' || line.back() == ' '))
        line.remove_suffix(1);
    while (!line.empty() && (line.front() == '\r' || line.front() == '\n' || line.front() == ' '))
        line.remove_prefix(1);
    std::vector<std::string> words;
    while (!line.empty()) {
        const std::string_view word = line.substr(0, line.find(' '));
        if (!word.empty())
            words.emplace_back(word);
        line.remove_prefix(std::min(line.size(), word.size() + 1));
    }
    return words;
}

std::string joinBlanks(const std::vector<std::string>& words)
{
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + word;
    return line;
}

std::string escapeWord(std::string_view word)
{
    std::string out;
    out.reserve(word.size());
    for (size_t at = 0; at < word.size(); ++at) {
        switch (word[at]) {
        case ' ':
            out += kBlankSign;
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\n':
            out += "\\n";
            break;
        default:
            if (word.substr(at).starts_with(kBlankSign)) {
                out += "\\u";
                at += kBlankSign.size() - 1;
            } else {
                out += word[at];
            }
        }
    }
    return out;
}

std::string unescapeWord(std::string_view word)
{
    constexpr std::string_view kEscapes = "\\urn";
    const std::string_view meanings[] = {"\\", kBlankSign, "\r", "\n"};
    std::string out;
    out.reserve(word.size());
    for (size_t at = 0; at < word.size(); ++at) {
        const size_t escape =
            word[at] == '\\' && at + 1 < word.size() ? kEscapes.find(word[at + 1]) : kEscapes.npos;
        if (escape != kEscapes.npos) {
            out += meanings[escape];
            ++at;
        } else if (word.substr(at).starts_with(kBlankSign)) {
            out += ' ';
            at += kBlankSign.size() - 1;
        } else {
            out += word[at];
        }
    }
    return out;
}

std::vector<std::string> wordsOf(std::string_view line, WordMode mode)
{
    if (mode == WordMode::Blanks)
        return splitBlanks(line);
    std::vector<std::string> words = splitWords(line);
    for (std::string& word : words)
        if (word.find_first_of(" \\\r\n\xE2") != std::string::npos)
            word = escapeWord(word);
    return words;
}

std::string sentenceOf(const std::vector<std::string>& words, WordMode mode)
{
    if (mode == WordMode::Blanks)
        return joinBlanks(words);
    std::vector<std::string> plain;
    plain.reserve(words.size());
    for (const std::string& word : words)
        plain.push_back(unescapeWord(word));
    return joinWords(plain);
}

} // namespace scalebench::text
