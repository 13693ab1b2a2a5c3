// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The two languages: one sentence in words of each.
//
// xa, the source: subject verb object; adjectives before the noun; compounds are two words;
// questions and negation with an auxiliary; a verb agrees with its subject in the third person
// singular of the present.
//
// xb, the target: the finite verb is second in main clauses, first in questions, last in
// subordinate and relative clauses; between it and the infinitive or participle at the end stand
// subject (unless first), adverb, prepositional phrase, object, negation, in this order; adjectives
// follow their noun, the last of xa first; nouns have gender, case and a capital; compounds are one
// word; relative pronouns agree with their noun in gender and number and have the case of their
// clause; names do not change.

#include "engine/workloads/translation/sentence_tree.h"

#include <string>

namespace scalebench::workloads::grammar {

std::string sourceText(const Lexicon& lexicon, const Sentence& sentence);
std::string targetText(const Lexicon& lexicon, const Sentence& sentence);

} // namespace scalebench::workloads::grammar
