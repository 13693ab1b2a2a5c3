// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/visible_text.h"

#include <cstdint>
#include <cstdio>

namespace scalebench {
namespace {

/// The character that begins `text` and its bytes; 0 bytes where it is no UTF-8 of up to four.
struct Character {
    char32_t code = 0;
    size_t bytes = 0;
};

Character firstOf(std::string_view text)
{
    const auto byte = [&](size_t i) { return uint8_t(text[i]); };
    if (byte(0) < 0x80)
        return {byte(0), 1};
    const size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < bytes)
        return {};
    char32_t code = byte(0) & (0xFF >> (bytes + 1));
    for (size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return {};
        code = code << 6 | (byte(i) & 0x3F);
    }
    const bool isOverlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    return isOverlong || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)
               ? Character()
               : Character{code, bytes};
}

bool acts(char32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

} // namespace

std::string visibleLine(std::string_view text)
{
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const Character c = firstOf(text);
        const size_t bytes = c.bytes == 0 ? 1 : c.bytes;
        if (c.bytes > 0 && !acts(c.code)) {
            shown += text.substr(0, bytes);
        } else {
            const unsigned code = c.bytes == 0 ? uint8_t(text[0]) : unsigned(c.code);
            char escape[8];
            std::snprintf(escape, sizeof escape, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
            shown += escape;
        }
        text.remove_prefix(bytes);
    }
    return shown;
}

} // namespace scalebench
