// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The invented words of closed classes: source language, target language, and what they govern.

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace scalebench::workloads::grammar {

/// Determiners of the target language are stems that take endings.
struct DeterminerWord {
    std::string_view singular, plural; ///< source; an empty plural: none stands there
    std::string_view target;
};
inline constexpr std::array<DeterminerWord, 5> kDeterminers = {{{"ke", "ke", "d"},
                                                                {"un", "", "on"},
                                                                {"dis", "dise", "sel"},
                                                                {"mo", "mo", "min"},
                                                                {"to", "to", "tan"}}};
inline constexpr int kIndefinite = 1; ///< the determiner that has no plural

enum class Person { First, Second, Third };
struct PronounWord {
    std::string_view source, target;
    Person person;
    bool plural;
};
inline constexpr std::array<PronounWord, 6> kPronouns = {{{"mi", "eg", Person::First, false},
                                                          {"tu", "du", Person::Second, false},
                                                          {"lo", "han", Person::Third, false},
                                                          {"la", "hun", Person::Third, false},
                                                          {"nos", "vi", Person::First, true},
                                                          {"les", "dei", Person::Third, true}}};

struct PrepositionWord {
    std::string_view source, target;
    bool dative; ///< else accusative
};
/// Belong to the verb.
inline constexpr std::array<PrepositionWord, 7> kVerbPrepositions = {{{"en", "i", true},
                                                                      {"sur", "pa", true},
                                                                      {"kon", "mid", true},
                                                                      {"pur", "fyr", false},
                                                                      {"tra", "dor", false},
                                                                      {"anti", "mot", false},
                                                                      {"sin", "utan", false}}};
/// Belong to the noun before them.
inline constexpr std::array<PrepositionWord, 2> kNounPrepositions = {
    {{"ov", "fon", true}, {"apud", "ved", true}}};

struct WordPair {
    std::string_view source, target;
};
/// The first is 2.
inline constexpr std::array<WordPair, 9> kNumerals = {{{"duo", "tvo"},
                                                       {"tri", "tre"},
                                                       {"kar", "fir"},
                                                       {"pen", "fem"},
                                                       {"ses", "sex"},
                                                       {"sep", "siv"},
                                                       {"ok", "otta"},
                                                       {"nov", "nio"},
                                                       {"dek", "ti"}}};
inline constexpr std::array<WordPair, 4> kSubordinators = {
    {{"porke", "dar"}, {"wen", "als"}, {"sif", "ob"}, {"tamen", "obvar"}}};

inline constexpr WordPair kAnd = {"an", "og"}, kNot = {"nit", "nek"};
/// In the target language a stem with the endings of a determiner.
inline constexpr WordPair kRelative = {"kwe", "v"};
// The source language's auxiliaries; those of the target language are stems, of the first and the
// second conjugation.
inline constexpr std::string_view kDo = "du", kDoes = "dus", kDid = "dud", kWill = "wol";
inline constexpr std::string_view kHave = "hab", kShall = "vil";

/// Which open classes may not spell.
std::vector<std::string> sourceFunctionWords();
std::vector<std::string> targetFunctionWords();

} // namespace scalebench::workloads::grammar
