// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text that may be somebody else's (names of files, lines of data sets), for a terminal.

#include <string>
#include <string_view>

namespace scalebench {

/// Control characters, marks that turn the direction of text and bytes that are no UTF-8 as `\x1b`
/// or `\u202e`, as the launcher's visibleLine() has them.
std::string visibleLine(std::string_view text);

} // namespace scalebench
