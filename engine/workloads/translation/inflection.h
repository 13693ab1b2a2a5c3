// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Forms of words. Endings of the target language, xb:
//
//                 singular                          plural
//                 masculine  feminine  neuter
//   determiner    er en em   a  a  ir  o  o  em     i  i  im     nominative accusative dative
//   adjective     os on om   is is im  us us um     ai ain aim
//   noun          -  u  e    -  -  -   -  -  e      ar | et | ik by declension; dative: and um
//
//                 I   you  he   we   they           infinitive  participle
//   first verbs   o   es   et   amu  ant            ar          ge...ad
//   second verbs  u   is   it   imu  int            ir          ge...id
//
// A compound is one word: what specifies, a link by its gender (o, i, none), what is meant, which
// gives the whole its gender and its endings.

#include "engine/workloads/translation/function_words.h"
#include "engine/workloads/translation/lexicon.h"

#include <string>
#include <string_view>

namespace scalebench::workloads::grammar {

enum class Case { Nominative, Accusative, Dative };

/// What words of a noun phrase agree in.
struct Agreement {
    Gender gender = Gender::Neuter;
    bool plural = false;
    Case nounCase = Case::Nominative;
};

std::string sourceNoun(const Noun& noun, bool plural);
std::string sourceSingular(const Verb& verb); ///< the third person of the present tense
std::string sourcePast(const Verb& verb);

std::string targetDeterminer(std::string_view stem, const Agreement& a);
std::string targetAdjective(const Word& adjective, const Agreement& a);
/// With a capital. `specifier`: null, or the first part of a compound.
std::string targetNoun(const Noun& noun, const Noun* specifier, const Agreement& a);
std::string targetFinite(std::string_view stem, int conjugation, Person person, bool plural);
std::string targetInfinitive(const Verb& verb);
std::string targetParticiple(const Verb& verb);

/// The first letter, which is ASCII, as a capital.
std::string capitalised(std::string word);

} // namespace scalebench::workloads::grammar
