// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/xml_document.h"

#include "engine/core/utf16.h"
#include "engine/detection/object_checks.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace scalebench::detection {
namespace {

constexpr int kMaxDepth = 32;
constexpr int64_t kMaxElements = 1 << 20;

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == ':' || (c & 0x80) != 0;
}

std::string trimmed(const std::string& text)
{
    const auto first = std::ranges::find_if_not(text, isBlank);
    auto last = text.end();
    while (last != first && isBlank(*(last - 1)))
        --last;
    return {first, last};
}

void appendUtf8(std::string& out, uint32_t code)
{
    if (code < 0x80) {
        out.push_back(char(code));
        return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const uint32_t lead = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
    out.push_back(char(lead | code >> (6 * more)));
    for (int i = more - 1; i >= 0; --i)
        out.push_back(char(0x80 | (code >> (6 * i) & 0x3f)));
}

class XmlReader
{
public:
    XmlReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    XmlElement read()
    {
        take("\xef\xbb\xbf"); // byte order mark
        skipBetween();
        if (const std::string wrong = utf16Trouble(text_); !wrong.empty())
            damaged(name_, wrong);
        if (at_ == text_.size() || text_[at_] != '<')
            fail("there is no element");
        XmlElement root = element(0);
        skipBetween();
        if (at_ != text_.size())
            fail("something follows the last element");
        return root;
    }

private:
    [[noreturn]] void fail(const std::string& what) const
    {
        damaged(name_ + ":" + std::to_string(line()), "not whole XML, " + what);
    }
    /// Of the place reached; each stretch is counted once.
    int line() const
    {
        const size_t to = std::min(at_, text_.size());
        if (to > countedTo_) {
            lines_ += int(std::ranges::count(text_.substr(countedTo_, to - countedTo_), '\n'));
            countedTo_ = to;
        }
        return 1 + lines_;
    }
    bool take(std::string_view wanted)
    {
        if (!text_.substr(at_).starts_with(wanted))
            return false;
        at_ += wanted.size();
        return true;
    }
    void skipPast(std::string_view end)
    {
        const size_t found = text_.find(end, at_);
        if (found == std::string_view::npos) {
            at_ = text_.size();
            fail("the file is cut off");
        }
        at_ = found + end.size();
    }
    void skipBlanks()
    {
        while (at_ < text_.size() && isBlank(text_[at_]))
            ++at_;
    }
    /// Blanks, comments and declarations outside the root.
    void skipBetween()
    {
        for (skipBlanks(); at_ < text_.size(); skipBlanks()) {
            if (take("<!--"))
                skipPast("-->");
            else if (take("<?"))
                skipPast("?>");
            else
                break;
        }
        if (text_.substr(at_).starts_with("<!"))
            fail("it has a document type, which annotations do not need");
    }
    std::string name()
    {
        const size_t from = at_;
        while (at_ < text_.size() && isNameCharacter(text_[at_]))
            ++at_;
        if (at_ == from)
            fail(at_ == text_.size() ? "the file is cut off" : "a name is missing");
        return std::string(text_.substr(from, at_ - from));
    }

    /// Up to the end of a start tag; whether it was "/>".
    bool attributes()
    {
        for (;;) {
            skipBlanks();
            if (take("/>"))
                return true;
            if (take(">"))
                return false;
            name();
            skipBlanks();
            if (!take("="))
                fail("an attribute has no value");
            skipBlanks();
            if (take("\""))
                skipPast("\"");
            else if (take("'"))
                skipPast("'");
            else
                fail("an attribute's value has no quotes");
        }
    }

    XmlElement element(int depth)
    {
        if (depth > kMaxDepth)
            fail("elements are nested more than " + std::to_string(kMaxDepth) + " deep");
        if (++elements_ > kMaxElements)
            fail("there are more than " + std::to_string(kMaxElements) + " elements");
        XmlElement e;
        e.line = line();
        take("<");
        e.name = name();
        if (attributes())
            return e;
        content(e, depth);
        e.text = trimmed(e.text);
        return e;
    }

    void content(XmlElement& e, int depth)
    {
        for (;;) {
            const size_t next = std::min(text_.find_first_of("<&", at_), text_.size());
            e.text += text_.substr(at_, next - at_);
            at_ = next;
            if (at_ == text_.size())
                fail("the file is cut off inside <" + e.name + ">");
            if (text_[at_] == '&')
                e.text += entity();
            else if (take("<!--"))
                skipPast("-->");
            else if (take("<![CDATA[")) {
                const size_t from = at_;
                skipPast("]]>");
                e.text += text_.substr(from, at_ - 3 - from);
            } else if (take("</")) {
                if (const std::string end = name(); end != e.name)
                    fail("</" + end + "> ends <" + e.name + ">");
                skipBlanks();
                if (!take(">"))
                    fail("an end tag has no end");
                return;
            } else
                e.children.push_back(element(depth + 1));
        }
    }

    std::string entity()
    {
        const size_t end = text_.substr(at_, 12).find(';');
        if (end == std::string_view::npos)
            fail("an \"&\" stands alone");
        const std::string_view what = text_.substr(at_ + 1, end - 1);
        constexpr std::pair<std::string_view, char> kNamed[] = {
            {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
        for (const auto& [known, character] : kNamed)
            if (what == known) {
                at_ += end + 1;
                return std::string(1, character);
            }
        const bool hex = what.starts_with("#x");
        uint32_t code = 0;
        const std::string_view digits = what.substr(std::min<size_t>(what.size(), hex ? 2 : 1));
        const auto [stop, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
        if (!what.starts_with("#") || error != std::errc{} ||
            stop != digits.data() + digits.size() || code == 0 || code > 0x10ffff)
            fail("\"&" + std::string(what) + ";\" is unknown");
        at_ += end + 1;
        std::string out;
        appendUtf8(out, code);
        return out;
    }

    std::string_view text_;
    const std::string& name_;
    size_t at_ = 0;
    int64_t elements_ = 0;
    mutable size_t countedTo_ = 0;
    mutable int lines_ = 0;
};

} // namespace

const XmlElement* XmlElement::child(std::string_view wanted) const
{
    const auto found = std::ranges::find(children, wanted, &XmlElement::name);
    return found == children.end() ? nullptr : &*found;
}

XmlElement parseXml(std::string_view text, const std::string& name)
{
    return XmlReader(text, name).read();
}

} // namespace scalebench::detection
