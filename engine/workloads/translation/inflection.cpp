// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/inflection.h"

namespace scalebench::workloads::grammar {
namespace {

/// By case.
using Endings = std::string_view[3];

constexpr Endings kDeterminerEndings[] = {
    {"er", "en", "em"}, {"a", "a", "ir"}, {"o", "o", "em"}, {"i", "i", "im"}};
constexpr Endings kAdjectiveEndings[] = {
    {"os", "on", "om"}, {"is", "is", "im"}, {"us", "us", "um"}, {"ai", "ain", "aim"}};
constexpr Endings kSingularEndings[] = {{"", "u", "e"}, {"", "", ""}, {"", "", "e"}};
constexpr std::string_view kPluralEndings[] = {"ar", "et", "ik"};
constexpr std::string_view kLinks[] = {"o", "i", ""};
/// By person, singular before plural; there is no second person of the plural.
constexpr std::string_view kFiniteEndings[2][2][3] = {{{"o", "es", "et"}, {"amu", "ant", "ant"}},
                                                      {{"u", "is", "it"}, {"imu", "int", "int"}}};

std::string_view ending(const Endings* table, const Agreement& a)
{
    return table[a.plural ? 3 : int(a.gender)][int(a.nounCase)];
}

std::string joined(std::string_view stem, std::string_view end)
{
    return std::string(stem).append(end);
}

} // namespace

std::string sourceNoun(const Noun& noun, bool plural)
{
    return plural ? noun.source + "es" : noun.source;
}
std::string sourceSingular(const Verb& verb)
{
    return verb.source + "as";
}
std::string sourcePast(const Verb& verb)
{
    return verb.source + "ed";
}

std::string targetDeterminer(std::string_view stem, const Agreement& a)
{
    return joined(stem, ending(kDeterminerEndings, a));
}

std::string targetAdjective(const Word& adjective, const Agreement& a)
{
    return joined(adjective.target, ending(kAdjectiveEndings, a));
}

std::string targetNoun(const Noun& noun, const Noun* specifier, const Agreement& a)
{
    std::string word;
    if (specifier != nullptr)
        word = joined(specifier->target, kLinks[int(specifier->gender)]);
    word += noun.target;
    if (!a.plural)
        word += kSingularEndings[int(noun.gender)][int(a.nounCase)];
    else
        word += joined(kPluralEndings[noun.declension], a.nounCase == Case::Dative ? "um" : "");
    return capitalised(std::move(word));
}

std::string targetFinite(std::string_view stem, int conjugation, Person person, bool plural)
{
    return joined(stem, kFiniteEndings[conjugation][plural ? 1 : 0][int(person)]);
}

std::string targetInfinitive(const Verb& verb)
{
    return verb.target + (verb.conjugation == 0 ? "ar" : "ir");
}

std::string targetParticiple(const Verb& verb)
{
    return "ge" + verb.target + (verb.conjugation == 0 ? "ad" : "id");
}

std::string capitalised(std::string word)
{
    if (!word.empty() && word[0] >= 'a' && word[0] <= 'z')
        word[0] = char(word[0] - 'a' + 'A');
    return word;
}

} // namespace scalebench::workloads::grammar
