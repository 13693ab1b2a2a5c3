// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/bleu_tokens.h"

#include "engine/text/unicode.h"

namespace scalebench::text {
namespace {

void replaceAll(std::string& text, std::string_view what, std::string_view with)
{
    for (size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isStop(char c)
{
    return c == '.' || c == ',';
}

/// The signs that stand alone everywhere: ASCII's but ' - . and ,
bool standsAlone(char c)
{
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
           (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

/// Writes each pair of neighbours for which `left` and `right` hold with `write`, from the left, no
/// character twice; others as they are. As a regular expression of two characters replaces.
template <typename Text, typename Left, typename Right, typename Write>
Text replacePairs(const Text& text, Left left, Right right, Write write)
{
    Text out;
    out.reserve(text.size() + text.size() / 4);
    for (size_t i = 0; i < text.size();) {
        if (i + 1 < text.size() && left(text[i]) && right(text[i + 1])) {
            write(out, text[i], text[i + 1]);
            i += 2;
        } else {
            out += text[i++];
        }
    }
    return out;
}

/// "\1 \2 "
constexpr auto kBlanksAroundSecond = [](auto& out, auto a, auto b) {
    out += a;
    out += ' ';
    out += b;
    out += ' ';
};

/// " \1 \2"
constexpr auto kBlanksAroundFirst = [](auto& out, auto a, auto b) {
    out += ' ';
    out += a;
    out += ' ';
    out += b;
};

} // namespace

std::string blanksAround13a(std::string_view sentence)
{
    std::string text(sentence);
    replaceAll(text, "<skipped>", "");
    replaceAll(text, "-\n", "");
    replaceAll(text, "\n", " ");
    replaceAll(text, "&quot;", "\"");
    replaceAll(text, "&amp;", "&");
    replaceAll(text, "&lt;", "<");
    replaceAll(text, "&gt;", ">");
    // All signs are ASCII, so bytes serve as well as characters.
    std::string apart = " ";
    for (const char c : text) {
        if (standsAlone(c))
            (((apart += ' ') += c) += ' ');
        else
            apart += c;
    }
    apart += ' ';
    const auto isNoDigit = [](char c) { return !isDigit(c); };
    const auto isDash = [](char c) { return c == '-'; };
    apart = replacePairs(apart, isNoDigit, isStop, kBlanksAroundSecond);
    apart = replacePairs(apart, isStop, isNoDigit, kBlanksAroundFirst);
    return replacePairs(apart, isDigit, isDash, kBlanksAroundSecond);
}

std::string blanksAroundInternational(std::string_view sentence)
{
    std::u32string text;
    for (size_t at = 0; at < sentence.size();)
        text += nextCharacter(sentence, at);
    const auto isNoNumber = [](char32_t c) { return !isNumber(c); };
    text = replacePairs(text, isNoNumber, isPunctuation, kBlanksAroundSecond);
    text = replacePairs(text, isPunctuation, isNoNumber, kBlanksAroundFirst);
    std::string apart;
    for (const char32_t c : text) {
        const bool alone = isSymbol(c);
        if (alone)
            apart += ' ';
        appendCharacter(apart, c);
        if (alone)
            apart += ' ';
    }
    return apart;
}

} // namespace scalebench::text
