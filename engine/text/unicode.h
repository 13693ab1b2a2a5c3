// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the text library needs to know of Unicode characters. The tables are utf8proc's, which this
// header keeps out of sight. Text is UTF-8 throughout; bytes that are none count as U+FFFD, one
// each, so that nothing here fails. Thread-safe.

#include <cstddef>
#include <string>
#include <string_view>

namespace scalebench::text {

/// Stands for what cannot be shown or is not known.
inline constexpr char32_t kReplacementCharacter = 0xFFFD;
inline constexpr std::string_view kReplacementText = "\xEF\xBF\xBD";

/// Position of the first byte that is not UTF-8 (surrogates and overlong forms are not);
/// std::string_view::npos where all is well.
size_t firstInvalidUtf8(std::string_view text);

/// The character that begins at byte `at` (< text.size()), and moves `at` behind it.
char32_t nextCharacter(std::string_view text, size_t& at);
void appendCharacter(std::string& text, char32_t character);
size_t countCharacters(std::string_view text);

bool isLetter(char32_t c);         ///< L*
bool isNumber(char32_t c);         ///< N*
bool isPunctuation(char32_t c);    ///< P*
bool isSymbol(char32_t c);         ///< S*
bool isNonspacingMark(char32_t c); ///< Mn
bool isControl(char32_t c);        ///< Cc, Cf, Co: control, format, private use
bool isWhiteSpace(char32_t c);     ///< what Python's str.split() splits at

/// Without white space at the end, as Python's str.rstrip().
std::string_view withoutTrailingSpace(std::string_view text);
bool isBlank(std::string_view text); ///< nothing but white space

/// Small letters as Python's str.lower(): the full mapping, with a final sigma at the end of words.
std::string lowerCase(std::string_view text);
/// Small letters, each character for itself, whatever its neighbours are.
std::string lowerCaseEach(std::string_view text);
/// Normalisation form D: letters apart from their accents.
std::string decomposed(std::string_view text);

} // namespace scalebench::text
