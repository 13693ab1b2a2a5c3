// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/function_words.h"

namespace scalebench::workloads::grammar {
namespace {

/// Adds one side of each word of a table.
template <typename Table, typename Side>
void append(const Table& table, Side side, std::vector<std::string>& words)
{
    for (const auto& word : table)
        words.emplace_back(word.*side);
}

} // namespace

std::vector<std::string> sourceFunctionWords()
{
    std::vector<std::string> words;
    append(kDeterminers, &DeterminerWord::singular, words);
    append(kDeterminers, &DeterminerWord::plural, words);
    append(kPronouns, &PronounWord::source, words);
    append(kVerbPrepositions, &PrepositionWord::source, words);
    append(kNounPrepositions, &PrepositionWord::source, words);
    append(kNumerals, &WordPair::source, words);
    append(kSubordinators, &WordPair::source, words);
    for (const std::string_view word :
         {kAnd.source, kNot.source, kRelative.source, kDo, kDoes, kDid, kWill})
        words.emplace_back(word);
    return words;
}

std::vector<std::string> targetFunctionWords()
{
    std::vector<std::string> words;
    append(kDeterminers, &DeterminerWord::target, words);
    append(kPronouns, &PronounWord::target, words);
    append(kVerbPrepositions, &PrepositionWord::target, words);
    append(kNounPrepositions, &PrepositionWord::target, words);
    append(kNumerals, &WordPair::target, words);
    append(kSubordinators, &WordPair::target, words);
    for (const std::string_view word : {kAnd.target, kNot.target, kRelative.target, kHave, kShall})
        words.emplace_back(word);
    return words;
}

} // namespace scalebench::workloads::grammar
