// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text that editors of other systems save with two bytes a character.

#include <string>
#include <string_view>

namespace scalebench {

/// What a person should do with a file that begins so; empty: it has no mark of UTF-16.
inline std::string utf16Trouble(std::string_view begin)
{
    if (!begin.starts_with("\xff\xfe") && !begin.starts_with("\xfe\xff"))
        return {};
    return "the file is UTF-16; convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)";
}

} // namespace scalebench
