// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/function_words.h"
#include "engine/workloads/translation/inflection.h"
#include "engine/workloads/translation/sentence_text.h"
#include "engine/workloads/translation/word_row.h"

namespace scalebench::workloads::grammar {
namespace {

/// What stands in the first place of a main clause.
enum class Front { Subject, Adverb, SubordinateClause, Verb };

/// A finite verb and what it needs at the end of the clause: infinitive or participle.
struct VerbForms {
    std::string finite, other;
};

/// Writes one sentence.
class TargetWriter
{
public:
    explicit TargetWriter(const Lexicon& lexicon) : lexicon_(lexicon) {}

    std::string write(const Sentence& s)
    {
        const Front front = s.question           ? Front::Verb
                            : s.subordinateFirst ? Front::SubordinateClause
                            : s.adverbFirst      ? Front::Adverb
                                                 : Front::Subject;
        if (s.subordinateFirst)
            subordinateClause(s);
        mainClause(s.main, front);
        if (s.subordinate && !s.subordinateFirst)
            subordinateClause(s);
        return row_.sentence(s.question ? '?' : '.');
    }

private:
    void mainClause(const Clause& c, Front front)
    {
        const VerbForms verb = verbOf(c);
        if (front == Front::Subject)
            nounPhrase(c.subject, Case::Nominative);
        else if (front == Front::Adverb)
            adverb(c);
        row_.word(verb.finite);
        if (front != Front::Subject)
            nounPhrase(c.subject, Case::Nominative);
        middle(c, front == Front::Adverb);
        row_.word(verb.other);
    }

    void subordinateClause(const Sentence& s)
    {
        const Clause& c = *s.subordinate;
        const VerbForms verb = verbOf(c);
        row_.comma();
        row_.word(kSubordinators[size_t(s.subordinator)].target);
        nounPhrase(c.subject, Case::Nominative);
        middle(c, false);
        row_.word(verb.other);
        row_.word(verb.finite);
        row_.comma();
    }

    /// What stands between subject and the verb's second part.
    void middle(const Clause& c, bool adverbSaid)
    {
        if (!adverbSaid)
            adverb(c);
        if (c.place) {
            const PrepositionWord& preposition = kVerbPrepositions[size_t(c.preposition)];
            row_.word(preposition.target);
            nounPhrase(*c.place, preposition.dative ? Case::Dative : Case::Accusative);
        }
        if (c.object)
            nounPhrase(*c.object, objectCase(*c.verb));
        if (c.negated)
            row_.word(kNot.target);
    }

    void adverb(const Clause& c)
    {
        if (c.adverb >= 0)
            row_.word(lexicon_.adverbs[size_t(c.adverb)].target);
    }

    static Case objectCase(const Verb& verb)
    {
        return verb.dativeObject ? Case::Dative : Case::Accusative;
    }
    static Person personOf(const NounPhrase& p)
    {
        return p.kind == NounPhrase::Kind::Pronoun ? kPronouns[size_t(p.word)].person
                                                   : Person::Third;
    }
    static VerbForms verbOf(const Clause& c)
    {
        return verbOf(*c.verb, c.tense, personOf(c.subject), c.subject.isPlural());
    }
    static VerbForms verbOf(const Verb& verb, Tense tense, Person person, bool plural)
    {
        if (tense == Tense::Past)
            return {targetFinite(kHave, 0, person, plural), targetParticiple(verb)};
        if (tense == Tense::Future)
            return {targetFinite(kShall, 1, person, plural), targetInfinitive(verb)};
        return {targetFinite(verb.target, verb.conjugation, person, plural), {}};
    }

    void nounPhrase(const NounPhrase& p, Case nounCase)
    {
        if (p.kind == NounPhrase::Kind::Pronoun)
            row_.word(kPronouns[size_t(p.word)].target);
        else if (p.kind == NounPhrase::Kind::Name)
            row_.word(lexicon_.names[size_t(p.word)]);
        else
            noun(p, agreement(p, nounCase));
        if (p.second) {
            row_.word(kAnd.target);
            nounPhrase(*p.second, nounCase);
        }
        if (p.attribute) {
            const PrepositionWord& preposition = kNounPrepositions[size_t(p.preposition)];
            row_.word(preposition.target);
            nounPhrase(*p.attribute, preposition.dative ? Case::Dative : Case::Accusative);
        }
        if (p.relative)
            relative(p);
    }

    Agreement agreement(const NounPhrase& p, Case nounCase) const
    {
        return {lexicon_.nouns[size_t(p.word)].gender, p.plural, nounCase};
    }

    void noun(const NounPhrase& p, const Agreement& a)
    {
        if (p.determiner >= 0)
            row_.word(targetDeterminer(kDeterminers[size_t(p.determiner)].target, a));
        if (p.number >= 2)
            row_.word(size_t(p.number) < kNumerals.size() + 2
                          ? std::string(kNumerals[size_t(p.number - 2)].target)
                          : std::to_string(p.number));
        row_.word(targetNoun(lexicon_.nouns[size_t(p.word)],
                             p.specifier < 0 ? nullptr : &lexicon_.nouns[size_t(p.specifier)], a));
        for (auto adjective = p.adjectives.rbegin(); adjective != p.adjectives.rend(); ++adjective)
            row_.word(targetAdjective(lexicon_.adjectives[size_t(*adjective)], a));
    }

    void relative(const NounPhrase& head)
    {
        const RelativeClause& r = *head.relative;
        const Case own = r.ofObject ? objectCase(*r.verb) : Case::Nominative;
        const VerbForms verb =
            r.ofObject ? verbOf(*r.verb, r.tense, personOf(*r.nounPhrase), r.nounPhrase->isPlural())
                       : verbOf(*r.verb, r.tense, Person::Third, head.plural);
        row_.comma();
        row_.word(targetDeterminer(kRelative.target, agreement(head, own)));
        if (r.nounPhrase)
            nounPhrase(*r.nounPhrase, r.ofObject ? Case::Nominative : objectCase(*r.verb));
        row_.word(verb.other);
        row_.word(verb.finite);
        row_.comma();
    }

    const Lexicon& lexicon_;
    WordRow row_;
};

} // namespace

std::string targetText(const Lexicon& lexicon, const Sentence& sentence)
{
    return TargetWriter(lexicon).write(sentence);
}

} // namespace scalebench::workloads::grammar
