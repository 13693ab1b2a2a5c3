// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/bert/sentence_splitter.h"

#include "engine/core/lower_case.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace scalebench::workloads {
namespace {

constexpr std::array<std::string_view, 32> kAbbreviations = {
    "al",  "approx", "c",   "ca",   "cf",  "co",  "corp", "dr",  "e.g", "ed", "eds",
    "est", "etc",    "fig", "gen",  "gov", "i.e", "inc",  "jr",  "lt",  "mr", "mrs",
    "ms",  "no",     "pp",  "prof", "rev", "sr",  "st",   "u.s", "vol", "vs"};

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Whether the full stop at `at` belongs to the word before it.
bool abbreviates(std::string_view text, size_t at)
{
    size_t begin = at;
    while (begin > 0 && !isSpace(text[begin - 1]) && text[begin - 1] != '(')
        --begin;
    std::string word(text.substr(begin, at - begin));
    if (word.size() == 1 && std::isupper(static_cast<unsigned char>(word[0])))
        return true; // an initial
    return std::ranges::find(kAbbreviations, lowerCase(word)) != kAbbreviations.end();
}

} // namespace

std::vector<std::string_view> splitSentences(std::string_view paragraph)
{
    std::vector<std::string_view> sentences;
    const auto take = [&](size_t begin, size_t end) {
        const std::string_view sentence = trimmed(paragraph.substr(begin, end - begin));
        if (!sentence.empty())
            sentences.push_back(sentence);
    };
    size_t begin = 0;
    for (size_t at = 0; at < paragraph.size(); ++at) {
        const char c = paragraph[at];
        if (c != '.' && c != '!' && c != '?')
            continue;
        size_t end = at + 1;
        while (end < paragraph.size() &&
               std::string_view(".!?\"')]").find(paragraph[end]) != std::string_view::npos)
            ++end;
        size_t next = end;
        while (next < paragraph.size() && isSpace(paragraph[next]))
            ++next;
        const bool apart = next > end && next < paragraph.size();
        if (apart && !std::islower(static_cast<unsigned char>(paragraph[next])) &&
            !(c == '.' && abbreviates(paragraph, at))) {
            take(begin, end);
            begin = end;
        }
        at = end - 1;
    }
    take(begin, paragraph.size());
    return sentences;
}

} // namespace scalebench::workloads
