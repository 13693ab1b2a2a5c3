// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Letters of 5x7 pixels, for labels in pictures that the engine draws (it has no toolkit for that).

#include <array>
#include <cstdint>

namespace scalebench::data {

inline constexpr int kLetterWidth = 5, kLetterHeight = 7;
using Letter = std::array<uint8_t, kLetterHeight>;

/// The rows of a letter from the top, the leftmost pixel in the highest of five bits; a question
/// mark for what is not ASCII.
const Letter& letterRows(char letter);

} // namespace scalebench::data
