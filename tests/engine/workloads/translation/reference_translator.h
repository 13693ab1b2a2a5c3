// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Translates xa into xb as a reader would: it parses the source text, looks words up and applies
// the rules of sentence_text.h and inflection.h, with endings of its own. That it finds the
// generator's translation shows that the source says all the translation needs, and that the rules
// hold.

#include "engine/workloads/translation/function_words.h"
#include "engine/workloads/translation/lexicon.h"

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace scalebench::test {

class ReferenceTranslator
{
public:
    explicit ReferenceTranslator(const workloads::grammar::Lexicon& lexicon);
    /// Throws std::runtime_error where a sentence is not of the language.
    std::string translate(const std::string& source);
    /// Each word by itself, in the form a dictionary has, in the order of the source.
    std::string wordForWord(const std::string& source) const;

private:
    using Noun = workloads::grammar::Noun;
    using Verb = workloads::grammar::Verb;
    enum Case { Nominative, Accusative, Dative };
    enum class Form { Stem, Singular, Past };
    struct NounForm {
        const Noun* noun;
        bool plural;
    };
    struct VerbForm {
        const Verb* verb;
        Form form;
    };
    struct Phrase {
        std::function<std::string(Case)> text;
        int person = 2; ///< column of the table of verb endings: he, she, it; 3 we, 4 they
    };
    struct ClauseText {
        std::string subject, finite, adverb, rest, other;
    };

    void tokenise(const std::string& source);
    const std::string& now() const { return tokens_.at(at_); }
    bool accept(std::string_view word);
    template <typename Table>
    int acceptOneOf(const Table& table);
    std::string mainClause(bool question, bool subordinateBefore);
    std::string subordinateClause();
    ClauseText clause(std::string adverb, int auxiliary, bool question);
    int acceptAuxiliary();
    std::string acceptAdverb();
    VerbForm takeVerb(bool mustBeStem);
    Phrase phrase();
    Phrase simple();
    Phrase noun();
    std::string relative(const Phrase& head, const Noun& noun, bool plural);
    std::pair<std::string, std::string> verbWords(const Verb& verb, int tense, int person) const;

    std::map<std::string, NounForm> nouns_;
    std::map<std::string, VerbForm> verbs_;
    std::map<std::string, std::string> adjectives_, adverbs_, names_;
    std::vector<std::string> tokens_;
    size_t at_ = 0;
};

} // namespace scalebench::test
