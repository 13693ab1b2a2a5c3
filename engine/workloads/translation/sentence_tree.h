// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a sentence of the generated language pair says, before it is put into words. Words are
// indices into the Lexicon and the tables of function_words.h; -1: none.

#include "engine/data/hash_random.h"
#include "engine/workloads/translation/lexicon.h"

#include <memory>
#include <vector>

namespace scalebench::workloads::grammar {

enum class Tense { Present, Past, Future };

struct RelativeClause;

struct NounPhrase {
    enum class Kind { Noun, Name, Pronoun };
    Kind kind = Kind::Noun;
    int word = 0; ///< of the nouns, names or pronouns
    // The rest is for nouns only.
    int specifier = -1; ///< noun before it in a compound
    std::vector<int> adjectives;
    int determiner = -1;
    int number = 0; ///< of things, 2 and above; 0: none is said
    bool plural = false;
    int preposition = -1; ///< of the noun, before `attribute`
    std::unique_ptr<NounPhrase> attribute;
    std::unique_ptr<RelativeClause> relative;
    std::unique_ptr<NounPhrase> second; ///< joined by "and"; of names too

    bool isPlural() const; ///< of all of it, as a verb sees it
};

/// Whom the noun before it does something to, or who does something to it.
struct RelativeClause {
    const Verb* verb = nullptr;
    Tense tense = Tense::Present;           ///< never the future
    bool ofObject = false;                  ///< the noun before it is the object
    std::unique_ptr<NounPhrase> nounPhrase; ///< the other one; null for intransitive verbs
};

struct Clause {
    NounPhrase subject;
    const Verb* verb = nullptr;
    std::unique_ptr<NounPhrase> object; ///< where the verb is transitive
    Tense tense = Tense::Present;
    bool negated = false;
    int adverb = -1;
    int preposition = -1; ///< of the verb, before `place`
    std::unique_ptr<NounPhrase> place;
};

struct Sentence {
    Clause main;
    bool question = false;
    bool adverbFirst = false; ///< of the main clause
    int subordinator = -1;
    bool subordinateFirst = false;
    std::unique_ptr<Clause> subordinate; ///< where there is a subordinator
};

/// Draws sentences.
class SentenceSampler
{
public:
    /// `lexicon` outlives this.
    explicit SentenceSampler(const Lexicon& lexicon);

    Sentence draw(data::HashRandom& random) const;
    /// A noun by its frequency.
    int drawNoun(data::HashRandom& random) const { return int(nouns_(random)); }

    const Lexicon& lexicon() const { return lexicon_; }

private:
    class Draw;
    const Lexicon& lexicon_;
    ZipfDraw nouns_, transitiveVerbs_, intransitiveVerbs_, adjectives_, adverbs_, names_;
};

} // namespace scalebench::workloads::grammar
