// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The random words of dropout (kernels/formula/dropout.h), many at a time.

#include <cstdint>

namespace scalebench::kernels::cpu {

/// words [64 * groups], overwritten: formula::dropoutWord() of the elements 64 * first and on.
void dropoutWords(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                  std::int64_t groups, std::uint32_t* words);

} // namespace scalebench::kernels::cpu
