// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tokenisations of BLEU: blanks around what shall be words of their own. Words are what white
// space then divides.

#include <string>
#include <string_view>

namespace scalebench::text {

std::string blanksAround13a(std::string_view sentence);
std::string blanksAroundInternational(std::string_view sentence);

} // namespace scalebench::text
