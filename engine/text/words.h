// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sentences into words and back. Two ways: reversible for text as people write it (as
// tensor2tensor's tokenizer), and at blanks for text that a tokenizer such as Moses' has split
// already (as subword-nmt expects it). Thread-safe.

#include <string>
#include <string_view>
#include <vector>

namespace scalebench::text {

/// How a sentence becomes words.
enum class WordMode {
    Reversible, ///< splitWords(), escapeWord()
    Blanks,     ///< splitBlanks()
};

/// Runs of letters and digits, and the runs of other characters between them: "Hello, old world!"
/// is [Hello] [, ] [old] [world] [!]. A single blank between two runs of letters and digits is
/// implied. No word is empty; a text that is has none. `line` is UTF-8.
std::vector<std::string> splitWords(std::string_view line);

/// The inverse: joinWords(splitWords(line)) == line for UTF-8.
std::string joinWords(const std::vector<std::string>& words);

/// The parts between blanks (U+0020 only), none of them empty, as subword-nmt splits lines.
std::vector<std::string> splitBlanks(std::string_view line);
std::string joinBlanks(const std::vector<std::string>& words);

/// A word of splitWords() without blanks and line ends, so that it fits into files whose fields are
/// divided by these: a blank becomes U+2581, and `\`, U+2581, CR and LF become `\\`, `\u`, `\r` and
/// `\n`.
std::string escapeWord(std::string_view word);
/// The inverse; a `\` before anything else stays.
std::string unescapeWord(std::string_view word);

/// What byte pairs are learned from: splitBlanks(), or splitWords() with each word escaped.
std::vector<std::string> wordsOf(std::string_view line, WordMode mode);
/// The inverse, but for the number of blanks in WordMode::Blanks.
std::string sentenceOf(const std::vector<std::string>& words, WordMode mode);

} // namespace scalebench::text
