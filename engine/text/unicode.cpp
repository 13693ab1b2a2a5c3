// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/unicode.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <vector>

#include <utf8proc.h>

namespace scalebench::text {
namespace {

constexpr char32_t kCapitalSigma = 0x3A3, kSmallSigma = 0x3C3, kFinalSigma = 0x3C2;
constexpr char32_t kCapitalDottedI = 0x130, kDotAbove = 0x307;

utf8proc_category_t category(char32_t c)
{
    return utf8proc_category(utf8proc_int32_t(c));
}

bool isAscii(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Bytes of the character that begins at `at`, 0 where none does.
size_t characterBytes(std::string_view text, size_t at, char32_t& c)
{
    const auto lead = static_cast<unsigned char>(text[at]);
    if (lead < 0x80) {
        c = lead;
        return 1;
    }
    const size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() - at < size)
        return 0;
    c = lead & (0x7FU >> size);
    for (size_t i = 1; i < size; ++i) {
        const auto byte = static_cast<unsigned char>(text[at + i]);
        if ((byte & 0xC0U) != 0x80)
            return 0;
        c = (c << 6U) | (byte & 0x3FU);
    }
    constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    return c >= kSmallest[size] && c <= 0x10FFFF && !surrogate ? size : 0;
}

void appendLower(std::string& out, char32_t c)
{
    if (c == kCapitalDottedI) { // the one letter whose small form is two characters
        appendCharacter(out, 'i');
        appendCharacter(out, kDotAbove);
    } else {
        appendCharacter(out, char32_t(utf8proc_tolower(utf8proc_int32_t(c))));
    }
}

/// Characters that a word's end is judged past: Unicode's Case_Ignorable.
bool isCaseIgnorable(char32_t c)
{
    constexpr std::array<char32_t, 17> kWithinWords{0x27,   0x2E,   0x3A,   0xB7,   0x387,  0x55F,
                                                    0x5F4,  0x2018, 0x2019, 0x2024, 0x2027, 0xFE13,
                                                    0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A};
    switch (category(c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
        return true;
    default:
        return std::ranges::find(kWithinWords, c) != kWithinWords.end();
    }
}

bool isCased(char32_t c)
{
    switch (category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
        return true;
    default: // circled letters, Roman numbers, ordinal signs
        return c == 0xAA || c == 0xBA || char32_t(utf8proc_tolower(utf8proc_int32_t(c))) != c ||
               char32_t(utf8proc_toupper(utf8proc_int32_t(c))) != c;
    }
}

template <typename Iterator>
bool nextIsCased(Iterator from, Iterator end)
{
    from = std::find_if_not(from, end, isCaseIgnorable);
    return from != end && isCased(*from);
}

std::vector<char32_t> characters(std::string_view text)
{
    std::vector<char32_t> all;
    all.reserve(text.size());
    for (size_t at = 0; at < text.size();)
        all.push_back(nextCharacter(text, at));
    return all;
}

std::string lowerAscii(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z')
            c = char(c - 'A' + 'a');
    return out;
}

} // namespace

size_t firstInvalidUtf8(std::string_view text)
{
    char32_t c = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t bytes = characterBytes(text, at, c);
        if (bytes == 0)
            return at;
        at += bytes;
    }
    return std::string_view::npos;
}

char32_t nextCharacter(std::string_view text, size_t& at)
{
    char32_t c = 0;
    const size_t bytes = characterBytes(text, at, c);
    at += std::max<size_t>(1, bytes);
    return bytes == 0 ? kReplacementCharacter : c;
}

void appendCharacter(std::string& text, char32_t character)
{
    if (character < 0x80) {
        text += char(character);
        return;
    }
    std::array<utf8proc_uint8_t, 4> bytes{};
    const utf8proc_ssize_t size = utf8proc_encode_char(utf8proc_int32_t(character), bytes.data());
    if (size > 0)
        text.append(bytes.begin(), bytes.begin() + size);
    else
        text += kReplacementText;
}

size_t countCharacters(std::string_view text)
{
    size_t count = 0;
    for (size_t at = 0; at < text.size(); ++count)
        nextCharacter(text, at);
    return count;
}

bool isLetter(char32_t c)
{
    const auto kind = category(c);
    return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_LO;
}

bool isNumber(char32_t c)
{
    const auto kind = category(c);
    return kind >= UTF8PROC_CATEGORY_ND && kind <= UTF8PROC_CATEGORY_NO;
}

bool isPunctuation(char32_t c)
{
    const auto kind = category(c);
    return kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO;
}

bool isSymbol(char32_t c)
{
    const auto kind = category(c);
    return kind >= UTF8PROC_CATEGORY_SM && kind <= UTF8PROC_CATEGORY_SO;
}

bool isNonspacingMark(char32_t c)
{
    return category(c) == UTF8PROC_CATEGORY_MN;
}

bool isControl(char32_t c)
{
    return category(c) >= UTF8PROC_CATEGORY_CC;
}

bool isWhiteSpace(char32_t c)
{
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

std::string_view withoutTrailingSpace(std::string_view text)
{
    size_t end = 0;
    for (size_t at = 0; at < text.size();)
        if (!isWhiteSpace(nextCharacter(text, at)))
            end = at;
    return text.substr(0, end);
}

bool isBlank(std::string_view text)
{
    for (size_t at = 0; at < text.size();)
        if (!isWhiteSpace(nextCharacter(text, at)))
            return false;
    return true;
}

std::string lowerCase(std::string_view text)
{
    if (isAscii(text))
        return lowerAscii(text);
    const std::vector<char32_t> all = characters(text);
    std::string out;
    out.reserve(text.size());
    for (auto c = all.begin(); c != all.end(); ++c) {
        if (*c != kCapitalSigma) {
            appendLower(out, *c);
            continue;
        }
        const bool after = nextIsCased(std::make_reverse_iterator(c), all.rend());
        const bool before = nextIsCased(c + 1, all.end());
        appendCharacter(out, after && !before ? kFinalSigma : kSmallSigma);
    }
    return out;
}

std::string lowerCaseEach(std::string_view text)
{
    if (isAscii(text))
        return lowerAscii(text);
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();)
        appendLower(out, nextCharacter(text, at));
    return out;
}

std::string decomposed(std::string_view text)
{
    if (isAscii(text))
        return std::string(text);
    // utf8proc refuses a whole text for one bad byte.
    std::string clean;
    for (size_t at = 0; at < text.size();)
        appendCharacter(clean, nextCharacter(text, at));
    utf8proc_uint8_t* result = nullptr;
    const utf8proc_ssize_t size = utf8proc_map(
        reinterpret_cast<const utf8proc_uint8_t*>(clean.data()), utf8proc_ssize_t(clean.size()),
        &result, utf8proc_option_t(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(result, &std::free);
    return size < 0 ? clean : std::string(result, result + size);
}

} // namespace scalebench::text
