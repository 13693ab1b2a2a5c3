// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/function_words.h"
#include "engine/workloads/translation/inflection.h"
#include "engine/workloads/translation/sentence_text.h"
#include "engine/workloads/translation/word_row.h"

namespace scalebench::workloads::grammar {
namespace {

/// Writes one sentence.
class SourceWriter
{
public:
    explicit SourceWriter(const Lexicon& lexicon) : lexicon_(lexicon) {}

    std::string write(const Sentence& s)
    {
        if (s.subordinateFirst)
            subordinate(s);
        if (s.subordinateFirst)
            row_.comma();
        clause(s.main, s.question, s.adverbFirst);
        if (s.subordinate && !s.subordinateFirst)
            subordinate(s);
        return row_.sentence(s.question ? '?' : '.');
    }

private:
    void subordinate(const Sentence& s)
    {
        row_.word(kSubordinators[size_t(s.subordinator)].source);
        clause(*s.subordinate, false, false);
    }

    void clause(const Clause& c, bool question, bool adverbFirst)
    {
        if (adverbFirst) {
            adverb(c);
            row_.comma();
        }
        const bool auxiliary = question || c.negated || c.tense == Tense::Future;
        if (question)
            row_.word(auxiliaryOf(c));
        nounPhrase(c.subject);
        if (auxiliary && !question)
            row_.word(auxiliaryOf(c));
        if (c.negated)
            row_.word(kNot.source);
        row_.word(auxiliary ? c.verb->source : finite(*c.verb, c.tense, c.subject));
        if (c.object)
            nounPhrase(*c.object);
        if (c.place) {
            row_.word(kVerbPrepositions[size_t(c.preposition)].source);
            nounPhrase(*c.place);
        }
        if (!adverbFirst)
            adverb(c);
    }

    void adverb(const Clause& c)
    {
        if (c.adverb >= 0)
            row_.word(lexicon_.adverbs[size_t(c.adverb)].source);
    }

    static bool thirdSingular(const NounPhrase& p)
    {
        return !p.isPlural() && (p.kind != NounPhrase::Kind::Pronoun ||
                                 kPronouns[size_t(p.word)].person == Person::Third);
    }
    static std::string_view auxiliaryOf(const Clause& c)
    {
        if (c.tense == Tense::Future)
            return kWill;
        if (c.tense == Tense::Past)
            return kDid;
        return thirdSingular(c.subject) ? kDoes : kDo;
    }
    static std::string finite(const Verb& verb, Tense tense, bool thirdSingular)
    {
        if (tense == Tense::Past)
            return sourcePast(verb);
        return thirdSingular ? sourceSingular(verb) : verb.source;
    }
    static std::string finite(const Verb& verb, Tense tense, const NounPhrase& subject)
    {
        return finite(verb, tense, thirdSingular(subject));
    }

    void nounPhrase(const NounPhrase& p)
    {
        if (p.kind == NounPhrase::Kind::Pronoun)
            row_.word(kPronouns[size_t(p.word)].source);
        else if (p.kind == NounPhrase::Kind::Name)
            row_.word(lexicon_.names[size_t(p.word)]);
        else
            noun(p);
        if (p.second) {
            row_.word(kAnd.source);
            nounPhrase(*p.second);
        }
        if (p.attribute) {
            row_.word(kNounPrepositions[size_t(p.preposition)].source);
            nounPhrase(*p.attribute);
        }
        if (p.relative)
            relative(p);
    }

    void noun(const NounPhrase& p)
    {
        if (p.determiner >= 0) {
            const DeterminerWord& d = kDeterminers[size_t(p.determiner)];
            row_.word(p.plural ? d.plural : d.singular);
        }
        if (p.number >= 2)
            row_.word(size_t(p.number) < kNumerals.size() + 2
                          ? std::string(kNumerals[size_t(p.number - 2)].source)
                          : std::to_string(p.number));
        for (const int adjective : p.adjectives)
            row_.word(lexicon_.adjectives[size_t(adjective)].source);
        if (p.specifier >= 0)
            row_.word(lexicon_.nouns[size_t(p.specifier)].source);
        row_.word(sourceNoun(lexicon_.nouns[size_t(p.word)], p.plural));
    }

    void relative(const NounPhrase& head)
    {
        const RelativeClause& r = *head.relative;
        row_.word(kRelative.source);
        if (r.ofObject)
            nounPhrase(*r.nounPhrase);
        row_.word(r.ofObject ? finite(*r.verb, r.tense, *r.nounPhrase)
                             : finite(*r.verb, r.tense, !head.plural));
        if (!r.ofObject && r.nounPhrase)
            nounPhrase(*r.nounPhrase);
    }

    const Lexicon& lexicon_;
    WordRow row_;
};

} // namespace

std::string sourceText(const Lexicon& lexicon, const Sentence& sentence)
{
    return SourceWriter(lexicon).write(sentence);
}

} // namespace scalebench::workloads::grammar
