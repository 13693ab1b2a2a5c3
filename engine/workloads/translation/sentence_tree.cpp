// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/sentence_tree.h"

#include "engine/workloads/translation/function_words.h"

namespace scalebench::workloads::grammar {

bool NounPhrase::isPlural() const
{
    if (second)
        return true;
    return kind == Kind::Pronoun ? kPronouns[size_t(word)].plural : plural;
}

/// One sentence being drawn. What may hang on what keeps the source sentence free of second
/// readings: prepositions belong to nouns or to verbs by their word, the verb of a relative clause
/// has none and no adverb, and of attribute, relative clause and "and" a noun has one at most.
class SentenceSampler::Draw
{
public:
    Draw(const SentenceSampler& sampler, data::HashRandom& random)
        : sampler_(sampler), random_(random)
    {
    }

    Sentence sentence()
    {
        Sentence s;
        if (percent(12)) {
            s.subordinator = int(random_.below(uint32_t(kSubordinators.size())));
            s.subordinateFirst = percent(40);
            s.main = clause(false);
            s.subordinate = std::make_unique<Clause>(clause(false));
            return s;
        }
        s.main = clause(true);
        s.question = percent(10);
        if (s.question)
            s.main.negated = false;
        else if (s.main.adverb >= 0)
            s.adverbFirst = percent(50);
        return s;
    }

private:
    bool percent(uint32_t n) { return random_.below(100) < n; }

    /// `rich`: may have a relative clause, for the only clause of a sentence.
    Clause clause(bool rich)
    {
        Clause c;
        c.subject = subject(rich && percent(14));
        const bool transitive = percent(66);
        c.verb = verb(transitive);
        if (transitive)
            c.object = std::make_unique<NounPhrase>(
                nounPhrase(rich && !c.subject.relative && percent(14)));
        c.tense = percent(50) ? Tense::Present : percent(60) ? Tense::Past : Tense::Future;
        c.negated = percent(10);
        if (percent(rich ? 30 : 12)) {
            c.preposition = int(random_.below(uint32_t(kVerbPrepositions.size())));
            c.place = std::make_unique<NounPhrase>(nounPhrase(false));
        }
        const bool bare = !c.object && !c.place; // else a sentence might have two words only
        if (bare || percent(25))
            c.adverb = int(sampler_.adverbs_(random_));
        return c;
    }

    const Verb* verb(bool transitive)
    {
        return transitive
                   ? &sampler_.lexicon_.transitiveVerbs[sampler_.transitiveVerbs_(random_)]
                   : &sampler_.lexicon_.intransitiveVerbs[sampler_.intransitiveVerbs_(random_)];
    }

    NounPhrase subject(bool withRelative)
    {
        if (withRelative || !percent(22))
            return nounPhrase(withRelative);
        NounPhrase pronoun;
        pronoun.kind = NounPhrase::Kind::Pronoun;
        pronoun.word = int(random_.below(uint32_t(kPronouns.size())));
        return pronoun;
    }

    NounPhrase nounPhrase(bool withRelative)
    {
        NounPhrase phrase = simple(withRelative);
        if (withRelative)
            phrase.relative = std::make_unique<RelativeClause>(relative());
        else if (percent(7))
            phrase.second = std::make_unique<NounPhrase>(simple(false));
        else if (phrase.kind == NounPhrase::Kind::Noun && percent(12)) {
            phrase.preposition = int(random_.below(uint32_t(kNounPrepositions.size())));
            phrase.attribute = std::make_unique<NounPhrase>(simple(false));
        }
        return phrase;
    }

    /// A noun with what agrees with it, or a name.
    NounPhrase simple(bool mustBeNoun)
    {
        NounPhrase phrase;
        if (!mustBeNoun && percent(12)) {
            phrase.kind = NounPhrase::Kind::Name;
            phrase.word = int(sampler_.names_(random_));
            return phrase;
        }
        phrase.word = noun();
        if (percent(9))
            phrase.specifier = noun();
        for (int left = percent(35) ? percent(20) ? 2 : 1 : 0; left > 0; --left)
            phrase.adjectives.push_back(int(sampler_.adjectives_(random_)));
        phrase.plural = percent(33);
        if (phrase.plural && percent(35))
            phrase.number = int(percent(70) ? 2 + random_.below(9) : 11 + random_.below(989));
        drawDeterminer(phrase);
        return phrase;
    }

    void drawDeterminer(NounPhrase& phrase)
    {
        phrase.determiner = percent(45) ? 0 : percent(60) ? kIndefinite : 2 + int(random_.below(3));
        if (phrase.plural && phrase.determiner == kIndefinite)
            phrase.determiner = -1;
    }

    RelativeClause relative()
    {
        RelativeClause r;
        const bool transitive = percent(75);
        r.verb = verb(transitive);
        r.tense = percent(60) ? Tense::Present : Tense::Past;
        if (transitive) {
            r.ofObject = percent(40);
            r.nounPhrase =
                std::make_unique<NounPhrase>(r.ofObject ? subject(false) : simple(false));
        }
        return r;
    }

    int noun() { return sampler_.drawNoun(random_); }

    const SentenceSampler& sampler_;
    data::HashRandom& random_;
};

SentenceSampler::SentenceSampler(const Lexicon& lexicon)
    : lexicon_(lexicon),
      nouns_(lexicon.nouns.size(), 5),
      transitiveVerbs_(lexicon.transitiveVerbs.size(), 4),
      intransitiveVerbs_(lexicon.intransitiveVerbs.size(), 4),
      adjectives_(lexicon.adjectives.size(), 4),
      adverbs_(lexicon.adverbs.size(), 3),
      names_(lexicon.names.size(), 20)
{
}

Sentence SentenceSampler::draw(data::HashRandom& random) const
{
    return Draw(*this, random).sentence();
}

} // namespace scalebench::workloads::grammar
