// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference_translator.h"

#include <algorithm>
#include <sstream>

namespace scalebench::test {

using namespace workloads::grammar;

namespace {

std::string nth(const char* list, int index)
{
    std::istringstream in(list);
    std::string word;
    for (int i = 0; i <= index; ++i)
        in >> word;
    return word == "-" ? "" : word;
}

// Columns: masculine, feminine, neuter, plural with three cases each.
int column(const Noun& noun, bool plural, int nounCase)
{
    return 3 * (plural ? 3 : int(noun.gender)) + nounCase;
}
constexpr const char* kDeterminerTable = "er en em a a ir o o em i i im";
constexpr const char* kAdjectiveTable = "os on om is is im us us um ai ain aim";
constexpr const char* kNounTable = "- u e - - - - - e - - um";
constexpr const char* kVerbTable[] = {"o es et amu ant", "u is it imu int"};

std::string upper(std::string word)
{
    if (!word.empty() && static_cast<unsigned char>(word[0]) < 128)
        word[0] = char(std::toupper(word[0]));
    return word;
}

std::string wordOf(const Noun& noun, const Noun* specifier, bool plural, int nounCase)
{
    const std::string link = specifier ? nth("o i -", int(specifier->gender)) : "";
    return upper((specifier ? specifier->target : "") + link + noun.target +
                 (plural ? nth("ar et ik", noun.declension) : "") +
                 nth(kNounTable, column(noun, plural, nounCase)));
}

void replaceAll(std::string& text, const std::string& from, const std::string& to)
{
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
        text.replace(at, from.size(), to);
}

/// Parts that may be empty or bring commas, as a sentence is written.
std::string tidied(std::string text, char end)
{
    text += end;
    replaceAll(text, "  ", " ");
    replaceAll(text, " ,", ",");
    replaceAll(text, ",,", ",");
    replaceAll(text, std::string(" ") + end, std::string(1, end));
    replaceAll(text, std::string(",") + end, std::string(1, end));
    while (text[0] == ' ' || text[0] == ',')
        text.erase(0, 1);
    return upper(text);
}

} // namespace

ReferenceTranslator::ReferenceTranslator(const Lexicon& lexicon)
{
    for (const Noun& n : lexicon.nouns) {
        nouns_[n.source] = {&n, false};
        nouns_[n.source + "es"] = {&n, true};
    }
    for (const auto* verbs : {&lexicon.transitiveVerbs, &lexicon.intransitiveVerbs})
        for (const Verb& v : *verbs) {
            verbs_[v.source] = {&v, Form::Stem};
            verbs_[v.source + "as"] = {&v, Form::Singular};
            verbs_[v.source + "ed"] = {&v, Form::Past};
        }
    for (const Word& w : lexicon.adjectives)
        adjectives_[w.source] = w.target;
    for (const Word& w : lexicon.adverbs)
        adverbs_[w.source] = w.target;
    for (const std::string& name : lexicon.names)
        names_[name] = name;
}

void ReferenceTranslator::tokenise(const std::string& source)
{
    std::istringstream in(source.substr(0, source.size() - 1));
    tokens_.clear();
    at_ = 0;
    for (std::string word; in >> word;) {
        const bool comma = word.back() == ',';
        if (comma)
            word.pop_back();
        if (tokens_.empty() && !names_.contains(word))
            word[0] = char(std::tolower(word[0]));
        tokens_.push_back(word);
        if (comma)
            tokens_.emplace_back(",");
    }
    tokens_.emplace_back(); // the end
}

bool ReferenceTranslator::accept(std::string_view word)
{
    return now() == word ? ++at_, true : false;
}

template <typename Table>
int ReferenceTranslator::acceptOneOf(const Table& table)
{
    const auto found =
        std::ranges::find_if(table, [this](const auto& w) { return w.source == now(); });
    if (found == table.end())
        return -1;
    ++at_;
    return int(found - table.begin());
}

std::string ReferenceTranslator::translate(const std::string& source)
{
    tokenise(source);
    const char end = source.back();
    std::string before = subordinateClause();
    if (!before.empty() && !accept(","))
        throw std::runtime_error("no comma");
    std::string text = mainClause(end == '?', !before.empty());
    const std::string after = subordinateClause();
    if (!now().empty())
        throw std::runtime_error("left over: " + now());
    return tidied(before + " " + text + " " + after, end);
}

std::string ReferenceTranslator::subordinateClause()
{
    const int subordinator = acceptOneOf(kSubordinators);
    if (subordinator < 0)
        return {};
    const ClauseText c = clause({}, -1, false);
    return ", " + std::string(kSubordinators[size_t(subordinator)].target) + " " + c.subject + " " +
           c.adverb + " " + c.rest + " " + c.other + " " + c.finite + ",";
}

std::string ReferenceTranslator::mainClause(bool question, bool subordinateBefore)
{
    const int auxiliary = question ? acceptAuxiliary() : -1;
    std::string adverb;
    if (const auto found = adverbs_.find(now()); found != adverbs_.end()) {
        adverb = found->second;
        at_ += 2; // with its comma
    }
    const bool adverbFirst = !adverb.empty();
    const ClauseText c = clause(adverb, auxiliary, question);
    const std::string end = " " + c.rest + " " + c.other;
    if (question || subordinateBefore)
        return c.finite + " " + c.subject + " " + c.adverb + end;
    if (adverbFirst)
        return c.adverb + " " + c.finite + " " + c.subject + end;
    return c.subject + " " + c.finite + " " + c.adverb + end;
}

/// 0 present, 1 past, 2 future, -1 none.
int ReferenceTranslator::acceptAuxiliary()
{
    if (accept("du") || accept("dus"))
        return 0;
    return accept("dud") ? 1 : accept("wol") ? 2 : -1;
}

std::string ReferenceTranslator::acceptAdverb()
{
    const auto found = adverbs_.find(now());
    return found == adverbs_.end() ? std::string() : (++at_, found->second);
}

ReferenceTranslator::VerbForm ReferenceTranslator::takeVerb(bool mustBeStem)
{
    const auto found = verbs_.find(now());
    if (found == verbs_.end() || (mustBeStem && found->second.form != Form::Stem))
        throw std::runtime_error("no verb: " + now());
    ++at_;
    return found->second;
}

std::pair<std::string, std::string> ReferenceTranslator::verbWords(const Verb& verb, int tense,
                                                                   int person) const
{
    const bool second = verb.conjugation == 1;
    if (tense == 1)
        return {"hab" + nth(kVerbTable[0], person), "ge" + verb.target + (second ? "id" : "ad")};
    if (tense == 2)
        return {"vil" + nth(kVerbTable[1], person), verb.target + (second ? "ir" : "ar")};
    return {verb.target + nth(kVerbTable[verb.conjugation], person), ""};
}

ReferenceTranslator::ClauseText ReferenceTranslator::clause(std::string adverb, int auxiliary,
                                                            bool question)
{
    const Phrase subject = phrase();
    if (!question)
        auxiliary = acceptAuxiliary();
    const bool negated = accept("nit");
    const VerbForm form = takeVerb(auxiliary >= 0);
    const Verb& verb = *form.verb;
    if (auxiliary < 0 && form.form != Form::Past &&
        (form.form == Form::Singular) != (subject.person == 2))
        throw std::runtime_error("the verb does not agree with its subject");
    std::string object, place;
    if (verb.transitive)
        object = phrase().text(verb.dativeObject ? Dative : Accusative);
    if (const int p = acceptOneOf(kVerbPrepositions); p >= 0)
        place = std::string(kVerbPrepositions[size_t(p)].target) + " " +
                phrase().text(kVerbPrepositions[size_t(p)].dative ? Dative : Accusative);
    if (adverb.empty())
        adverb = acceptAdverb();
    const int tense = auxiliary >= 0 ? auxiliary : form.form == Form::Past ? 1 : 0;
    const auto [finite, other] = verbWords(verb, tense, subject.person);
    return {subject.text(Nominative), finite, adverb,
            place + " " + object + (negated ? " nek" : ""), other};
}

ReferenceTranslator::Phrase ReferenceTranslator::phrase()
{
    if (const int p = acceptOneOf(kPronouns); p >= 0) {
        const PronounWord& word = kPronouns[size_t(p)];
        const int person = word.plural ? (word.person == Person::First ? 3 : 4) : int(word.person);
        return {[word](Case) { return std::string(word.target); }, person};
    }
    Phrase first = simple();
    if (accept(kAnd.source)) {
        const Phrase second = simple();
        return {[=](Case c) { return first.text(c) + " og " + second.text(c); }, 4};
    }
    if (const int p = acceptOneOf(kNounPrepositions); p >= 0) {
        const Phrase attribute = simple();
        const std::string word(kNounPrepositions[size_t(p)].target);
        return {[=](Case c) { return first.text(c) + " " + word + " " + attribute.text(Dative); },
                first.person};
    }
    return first;
}

ReferenceTranslator::Phrase ReferenceTranslator::simple()
{
    if (const auto found = names_.find(now()); found != names_.end()) {
        ++at_;
        return {[name = found->second](Case) { return name; }};
    }
    return noun();
}

ReferenceTranslator::Phrase ReferenceTranslator::noun()
{
    const auto determiner = std::ranges::find_if(
        kDeterminers, [&](const auto& d) { return now() == d.singular || now() == d.plural; });
    const bool determined = determiner != kDeterminers.end();
    const bool saidSingular =
        determined && determiner->singular != determiner->plural && now() == determiner->singular;
    at_ += determined ? 1 : 0;
    std::string number;
    if (const int n = acceptOneOf(kNumerals); n >= 0)
        number = kNumerals[size_t(n)].target;
    else if (!now().empty() && std::isdigit(now()[0]))
        number = tokens_[at_++];
    std::vector<std::string> adjectives;
    while (adjectives_.contains(now()))
        adjectives.push_back(adjectives_[tokens_[at_++]]);
    std::vector<NounForm> nouns;
    while (nouns_.contains(now()))
        nouns.push_back(nouns_[tokens_[at_++]]);
    if (nouns.empty() || nouns.size() > 2 || (nouns.size() == 2 && nouns[0].plural))
        throw std::runtime_error("no noun: " + now());
    const auto [meant, plural] = nouns.back();
    if ((plural && saidSingular) || (!plural && (!number.empty() || !determined)))
        throw std::runtime_error("the noun does not agree with its words");
    const Noun* specifier = nouns.size() == 2 ? nouns[0].noun : nullptr;
    const std::string stem(determined ? determiner->target : "");
    const auto words = [=, meant = meant, plural = plural](Case c) {
        const int at = column(*meant, plural, c);
        std::string text = determined ? stem + nth(kDeterminerTable, at) + " " : "";
        text += number + " " + wordOf(*meant, specifier, plural, c);
        for (auto a = adjectives.rbegin(); a != adjectives.rend(); ++a)
            text += " " + *a + nth(kAdjectiveTable, at);
        return text;
    };
    Phrase phrase{words, plural ? 4 : 2};
    if (!accept(kRelative.source))
        return phrase;
    const std::string clause = relative(phrase, *meant, plural);
    return {[=](Case c) { return words(c) + clause; }, phrase.person};
}

std::string ReferenceTranslator::relative(const Phrase& head, const Noun& noun, bool plural)
{
    const bool ofObject = !verbs_.contains(now());
    Phrase other;
    if (ofObject)
        other = phrase();
    const VerbForm form = takeVerb(false);
    const Verb& verb = *form.verb;
    if (!ofObject && verb.transitive)
        other = simple();
    const Case objectCase = verb.dativeObject ? Dative : Accusative;
    const int person = ofObject ? other.person : head.person;
    if (form.form != Form::Past && (form.form == Form::Singular) != (person == 2))
        throw std::runtime_error("the verb of a relative clause does not agree");
    const auto [finite, last] = verbWords(verb, form.form == Form::Past ? 1 : 0, person);
    return ", v" + nth(kDeterminerTable, column(noun, plural, ofObject ? objectCase : Nominative)) +
           " " + (other.text ? other.text(ofObject ? Nominative : objectCase) : "") + " " + last +
           " " + finite + ",";
}

std::string ReferenceTranslator::wordForWord(const std::string& source) const
{
    ReferenceTranslator copy = *this;
    copy.tokenise(source);
    std::string text;
    for (const std::string& token : copy.tokens_) {
        std::string word = token;
        if (const auto noun = nouns_.find(token); noun != nouns_.end())
            word = wordOf(*noun->second.noun, nullptr, noun->second.plural, Nominative);
        else if (const auto verb = verbs_.find(token); verb != verbs_.end())
            word = verbWords(*verb->second.verb, verb->second.form == Form::Past, 2).first;
        else if (const auto adjective = adjectives_.find(token); adjective != adjectives_.end())
            word = adjective->second + "os";
        else if (const auto adverb = adverbs_.find(token); adverb != adverbs_.end())
            word = adverb->second;
        for (const DeterminerWord& d : kDeterminers)
            if (token == d.singular || (token == d.plural && !token.empty()))
                word = std::string(d.target) + (token == "dise" ? "i" : "er");
        const auto look = [&](const auto& table) {
            for (const auto& w : table)
                if (token == w.source)
                    word = w.target;
        };
        look(kPronouns);
        look(kVerbPrepositions);
        look(kNounPrepositions);
        look(kNumerals);
        look(kSubordinators);
        look(std::array{kAnd, kNot, WordPair{kRelative.source, "ver"}});
        text += token == "," ? "," : " " + word;
    }
    return tidied(text, source.back());
}

} // namespace scalebench::test
