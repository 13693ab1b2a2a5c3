// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/lexicon.h"

#include "engine/workloads/translation/function_words.h"
#include "engine/workloads/translation/inflection.h"
#include "kernels/check.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace scalebench::workloads::grammar {
namespace {

using data::HashRandom;
using Letters = std::span<const std::string_view>;

constexpr uint64_t kLexiconStream = 71;

// The languages differ in the syllables they allow. Single letters more than once: more often.
constexpr std::string_view kSourceOnsets[] = {"b", "d", "f", "g", "h",  "k",  "l",  "m",
                                              "n", "p", "r", "s", "t",  "v",  "w",  "st",
                                              "p", "t", "k", "m", "br", "tr", "gr", "sh"};
constexpr std::string_view kSourceVowels[] = {"a", "e", "i", "o", "u", "ee", "ou", "a", "e", "o"};
constexpr std::string_view kSourceCodas[] = {"l", "n", "r", "m", "k", "p", "nd", "rt", "sk", "b"};
constexpr std::string_view kTargetOnsets[] = {"b", "d", "f",  "g",  "h",  "j",  "k",  "l", "m",
                                              "n", "r", "s",  "t",  "v",  "z",  "sk", "k", "s",
                                              "t", "l", "kr", "fl", "zv", "sv", "pl"};
constexpr std::string_view kTargetVowels[] = {"a", "e", "i", "o", "u", "ä", "ö", "å", "a", "i"};
constexpr std::string_view kTargetCodas[] = {"s", "n", "l", "r", "g", "f", "ld", "rk", "nt", "d"};

// How a noun of each gender likes to end in the target language.
constexpr std::string_view kMasculineEnds[] = {"n", "r", "rk", "s"};
constexpr std::string_view kFeminineEnds[] = {"ä", "öl", "id"};
constexpr std::string_view kNeuterEnds[] = {"l", "g", "nt", "ld"};

std::string_view pick(HashRandom& random, Letters letters)
{
    return letters[random.below(uint32_t(letters.size()))];
}

bool percent(HashRandom& random, uint32_t n)
{
    return random.below(100) < n;
}

/// Frequent words are short.
int syllables(HashRandom& random, size_t rank)
{
    return rank < 25 ? 1 : rank < 500 ? 2 : 2 + int(random.below(2));
}

std::string openSyllables(HashRandom& random, int count, Letters onsets, Letters vowels)
{
    std::string word;
    for (int i = 0; i < count; ++i)
        word.append(pick(random, onsets)).append(pick(random, vowels));
    return word;
}

std::string sourceStem(HashRandom& random, size_t rank)
{
    std::string stem = openSyllables(random, syllables(random, rank), kSourceOnsets, kSourceVowels);
    return stem.append(pick(random, kSourceCodas));
}

/// The sounds that a word of common origin changed on its way into the target language.
std::string shifted(std::string_view source)
{
    constexpr std::pair<std::string_view, std::string_view> kShifts[] = {
        {"sh", "sk"}, {"ee", "i"}, {"ou", "ö"}, {"p", "f"}, {"t", "z"},
        {"d", "t"},   {"w", "v"},  {"b", "p"},  {"h", "j"}, {"a", "å"}};
    std::string target;
    while (!source.empty()) {
        const auto* shift = std::ranges::find_if(
            kShifts, [&](const auto& s) { return source.starts_with(s.first); });
        const bool found = shift != std::end(kShifts);
        target += found ? shift->second : source.substr(0, 1);
        source.remove_prefix(found ? shift->first.size() : 1);
    }
    return target;
}

/// Some words are the same in both languages, some of common origin, most have nothing in common.
std::string targetStem(HashRandom& random, const std::string& source, size_t rank, Letters ends)
{
    if (percent(random, 12))
        return source;
    if (percent(random, 30))
        return shifted(source);
    std::string stem = openSyllables(random, syllables(random, rank), kTargetOnsets, kTargetVowels);
    return stem.append(pick(random, ends));
}

Letters endsOf(Gender gender)
{
    if (gender == Gender::Masculine)
        return kMasculineEnds;
    return gender == Gender::Feminine ? Letters(kFeminineEnds) : Letters(kNeuterEnds);
}

/// Draws words of which no form is spelled as one of another word, in neither language.
class Coiner
{
public:
    explicit Coiner(uint64_t seed) : random_({seed, kLexiconStream})
    {
        for (const std::string& word : sourceFunctionWords())
            takenSource_.insert(word);
        for (const std::string& word : targetFunctionWords())
            takenTarget_.insert(word);
    }

    void nouns(size_t count, std::vector<Noun>& out)
    {
        while (out.size() < count) {
            Noun noun;
            noun.gender = Gender(random_.below(3));
            noun.declension = int(random_.below(3));
            const bool typical = percent(random_, 85);
            coin(noun, out.size(), typical ? endsOf(noun.gender) : Letters(kTargetCodas));
            if (take({noun.source, sourceNoun(noun, true)}, noun.target))
                out.push_back(noun);
        }
    }
    void verbs(size_t count, bool transitive, std::vector<Verb>& out)
    {
        while (out.size() < count) {
            Verb verb;
            verb.transitive = transitive;
            verb.dativeObject = transitive && percent(random_, 20);
            verb.conjugation = int(random_.below(2));
            coin(verb, out.size(), kTargetCodas);
            if (take({verb.source, sourceSingular(verb), sourcePast(verb)}, verb.target))
                out.push_back(verb);
        }
    }
    void words(size_t count, std::vector<Word>& out)
    {
        while (out.size() < count) {
            Word word;
            coin(word, out.size(), kTargetCodas);
            if (take({word.source}, word.target))
                out.push_back(word);
        }
    }
    void names(size_t count, std::vector<std::string>& out)
    {
        while (out.size() < count) {
            std::string name =
                openSyllables(random_, 2 + int(random_.below(2)), kSourceOnsets, kSourceVowels);
            if (take({name}, name))
                out.push_back(capitalised(std::move(name)));
        }
    }

private:
    void coin(Word& word, size_t rank, Letters ends)
    {
        word.source = sourceStem(random_, rank);
        word.target = targetStem(random_, word.source, rank, ends);
    }
    bool take(const std::vector<std::string>& sourceForms, const std::string& target)
    {
        if (takenTarget_.contains(target) ||
            std::ranges::any_of(
                sourceForms, [&](const std::string& form) { return takenSource_.contains(form); }))
            return false;
        takenSource_.insert(sourceForms.begin(), sourceForms.end());
        takenTarget_.insert(target);
        return true;
    }

    HashRandom random_;
    std::unordered_set<std::string> takenSource_, takenTarget_;
};

} // namespace

Lexicon::Lexicon(uint64_t seed, int nounCount)
{
    SB_REQUIRE(nounCount >= kFewestNouns && nounCount <= kNouns,
               "an invented language has " + std::to_string(kFewestNouns) + " to " +
                   std::to_string(kNouns) + " nouns, not " + std::to_string(nounCount));
    const auto inProportion = [&](int count) { return size_t(count * nounCount / kNouns); };
    Coiner coiner(seed);
    coiner.nouns(size_t(nounCount), nouns);
    coiner.verbs(inProportion(240), true, transitiveVerbs);
    coiner.verbs(inProportion(110), false, intransitiveVerbs);
    coiner.words(inProportion(240), adjectives);
    coiner.words(inProportion(40), adverbs);
    coiner.names(inProportion(300), names);
}

ZipfDraw::ZipfDraw(size_t n, uint64_t offset)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < n; ++k)
        sums_.push_back(sum += (uint64_t{1} << 32) / (k + offset));
}

size_t ZipfDraw::operator()(data::HashRandom& random) const
{
    return size_t(std::ranges::upper_bound(sums_, random.bits() % sums_.back()) - sums_.begin());
}

} // namespace scalebench::workloads::grammar
