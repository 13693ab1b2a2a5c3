// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tells one list of texts from another: a vocabulary, what a prepared set was made from.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace scalebench {

/// Of the texts in their order (FNV-1a, 64 bits): equal lists have equal ones on every machine.
inline uint64_t fingerprintOf(const std::vector<std::string>& texts)
{
    uint64_t hash = 0xcbf29ce484222325ULL;
    const auto take = [&](char c) { hash = (hash ^ uint8_t(c)) * 0x100000001b3ULL; };
    for (const std::string& text : texts) {
        for (const char c : text)
            take(c);
        take('\n');
    }
    return hash;
}

/// Sixteen hexadecimal digits.
inline std::string printFingerprint(uint64_t fingerprint)
{
    std::string text(16, '0');
    for (size_t i = 0; i < 16; ++i)
        text[15 - i] = "0123456789abcdef"[fingerprint >> (4 * i) & 15];
    return text;
}

} // namespace scalebench
