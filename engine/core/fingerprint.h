// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tells one list of texts from another: a vocabulary, what a prepared set was made from.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
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

/// Of much data, added piece by piece.
class Fingerprint
{
public:
    void add(uint64_t number)
    {
        hash_ = (hash_ ^ number) * 0x100000001b3ULL;
        hash_ ^= hash_ >> 29;
    }
    void add(std::string_view text)
    {
        add(text.size());
        for (const char c : text)
            add(uint64_t(uint8_t(c)));
    }
    template <class T>
    requires std::is_integral_v<T>
    void add(std::span<const T> numbers)
    {
        add(numbers.size());
        for (const T number : numbers)
            add(uint64_t(number));
    }
    /// `addOne(i)` for about `most` of `count` indexes, evenly over them: a large set is told from
    /// another one by these.
    template <class AddOne>
    void addSome(int64_t count, const AddOne& addOne, int64_t most = 4096)
    {
        add(uint64_t(count));
        const int64_t step = std::max<int64_t>(1, count / most);
        for (int64_t i = 0; i < count; i += step)
            addOne(i);
    }
    uint64_t value() const { return hash_; }

private:
    uint64_t hash_ = 0xcbf29ce484222325ULL;
};

} // namespace scalebench
