// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// BERT's basic tokenizer (Devlin et al. 2018): text into the words that WordPiece then takes apart.

#include <string>
#include <string_view>
#include <vector>

namespace scalebench::text {

/// Control characters are dropped, Chinese characters and punctuation (Unicode's, and all of
/// ASCII's signs) are words of their own, other words end at white space. `uncased`: small letters
/// without accents. No word is empty. Equal to the reference tokenizers up to what their Unicode
/// tables differ in (characters added since 2015, U+2B820 to U+2B91F). `text` is UTF-8; U+FFFD is
/// dropped. Thread-safe.
std::vector<std::string> bertWords(std::string_view text, bool uncased);

} // namespace scalebench::text
