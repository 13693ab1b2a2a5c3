// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tells one vocabulary from another.

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench::text {

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

} // namespace scalebench::text
