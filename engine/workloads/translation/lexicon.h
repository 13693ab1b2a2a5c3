// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The invented words of the generated language pair, in the source language xa and the target
// language xb: stems of open classes, drawn once from a seed, frequent ones first.

#include "engine/data/hash_random.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench::workloads::grammar {

enum class Gender : uint8_t { Masculine, Feminine, Neuter };

/// Stems without endings, UTF-8, in small letters.
struct Word {
    std::string source, target;
};

struct Noun : Word {
    Gender gender = Gender::Masculine; ///< in the target language only
    int declension = 0;                ///< 0..2: which plural the target language has
};

struct Verb : Word {
    bool transitive = false;
    bool dativeObject = false; ///< else accusative
    int conjugation = 0;       ///< 0..1: which endings the target language has
};

/// A pure function of its arguments on every platform. No two words, in whatever form, are spelled
/// alike in the source language, so that a source sentence has one reading.
struct Lexicon {
    static constexpr int kNouns = 900, kFewestNouns = 30;

    /// The other classes are as large as `nouns` wants them: the comments say for kNouns.
    /// InvalidArgument for fewer than kFewestNouns or more than kNouns.
    explicit Lexicon(uint64_t seed, int nouns = kNouns);

    std::vector<Noun> nouns;
    std::vector<Verb> transitiveVerbs, intransitiveVerbs; ///< [240], [110]
    std::vector<Word> adjectives;                         ///< [240]
    std::vector<Word> adverbs;                            ///< [40]
    std::vector<std::string> names; ///< [300], alike in both languages, with capitals
};

/// Draws 0 ... n-1 by Zipf's law: k in proportion to 1 / (k + offset). Whole numbers only.
class ZipfDraw
{
public:
    ZipfDraw(size_t n, uint64_t offset);
    size_t operator()(data::HashRandom& random) const;

private:
    std::vector<uint64_t> sums_;
};

} // namespace scalebench::workloads::grammar
