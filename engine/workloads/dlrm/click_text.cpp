// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/dlrm/click_text.h"

#include "engine/core/utf16.h"
#include "engine/workloads/dlrm/row_file.h"
#include "kernels/check.h"

#include <charconv>
#include <cstring>
#include <vector>

namespace scalebench::workloads {
namespace {

constexpr int64_t kRowsPerMark = 16;
constexpr int64_t kLongestLine = 1 << 16;
constexpr int kFields = 1 + kClickCounts + kClickCategories;

/// FNV-1a (Fowler, Noll, Vo), with its bits mixed as tables take the rest of a division.
uint32_t hashOf(std::string_view text)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (const char c : text)
        h = (h ^ uint8_t(c)) * 0x100000001b3ull;
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ull;
    const auto hash = uint32_t(h >> 32);
    return hash == Click::kNoCategory ? 0 : hash;
}

class ClickText final : public ClickLog
{
public:
    explicit ClickText(const std::string& path) : file_(path) { index(); }

    int64_t rows() const override { return rows_; }
    int64_t read(int64_t first, std::span<Click> out) const override;
    int64_t bytesRead() const override { return file_.size(); }
    bool hashed() const override { return true; }
    std::string describe(int64_t row) const override
    {
        return file_.path() + ", line " + std::to_string(row + 1);
    }

private:
    void index();
    void parse(std::string_view line, int64_t row, Click& click) const
    {
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        const std::string wrong = parseClick(line, click);
        const std::string encoding = row == 0 ? utf16Trouble(line) : std::string();
        if (!wrong.empty())
            throw InvalidArgument(describe(row) + ": " + (encoding.empty() ? wrong : encoding),
                                  "data_damaged");
    }

    RowFile file_;
    int64_t rows_ = 0;
    std::vector<int64_t> marks_; ///< where every 16th row begins, and the end of the last
};

/// Looks at all rows once.
void ClickText::index()
{
    std::vector<char> buffer(size_t{1} << 22);
    Click click;
    int64_t at = 0; // of the first byte in the buffer
    size_t filled = 0;
    while (at < file_.size()) {
        const auto want =
            size_t(std::min<int64_t>(int64_t(buffer.size()), file_.size() - at)) - filled;
        file_.read(at + int64_t(filled),
                   std::as_writable_bytes(std::span(buffer)).subspan(filled, want));
        filled += want;
        const bool last = at + int64_t(filled) == file_.size();
        size_t from = 0;
        while (from < filled) {
            const void* end = std::memchr(buffer.data() + from, '\n', filled - from);
            if (!end && !last)
                break;
            const size_t to = end ? size_t(static_cast<const char*>(end) - buffer.data()) : filled;
            if (to - from > size_t(kLongestLine))
                throw InvalidArgument(describe(rows_) + " has more than 65,536 characters",
                                      "data_damaged");
            if (rows_ % kRowsPerMark == 0)
                marks_.push_back(at + int64_t(from));
            parse({buffer.data() + from, to - from}, rows_, click);
            ++rows_;
            from = std::min(to + 1, filled);
        }
        if (from == 0 && !last)
            throw InvalidArgument(describe(rows_) + " has more than 65,536 characters",
                                  "data_damaged");
        std::memmove(buffer.data(), buffer.data() + from, filled - from);
        at += int64_t(from);
        filled -= from;
    }
    if (rows_ == 0)
        throw InvalidArgument(file_.path() + " holds no row", "data_empty");
    marks_.push_back(file_.size());
}

int64_t ClickText::read(int64_t first, std::span<Click> out) const
{
    const int64_t last = first + int64_t(out.size());
    SB_REQUIRE(first >= 0 && last <= rows_, "click log: no such rows");
    if (out.empty())
        return 0;
    const auto mark = size_t(first / kRowsPerMark);
    const auto end = size_t((last + kRowsPerMark - 1) / kRowsPerMark);
    thread_local std::vector<char> text;
    text.resize(size_t(marks_[end] - marks_[mark]));
    file_.read(marks_[mark], std::as_writable_bytes(std::span(text)));
    const char* at = text.data();
    const char* const stop = at + text.size();
    for (int64_t row = int64_t(mark) * kRowsPerMark; row < last; ++row) {
        const auto* lineEnd = static_cast<const char*>(std::memchr(at, '\n', size_t(stop - at)));
        if (!lineEnd)
            lineEnd = stop;
        if (row >= first)
            parse({at, size_t(lineEnd - at)}, row, out[size_t(row - first)]);
        at = lineEnd == stop ? stop : lineEnd + 1;
    }
    return int64_t(text.size());
}

std::string quoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text.substr(0, 20))
        out += c >= ' ' && c <= '~' ? c : '?';
    return out + (text.size() > 20 ? "...\"" : "\"");
}

} // namespace

std::string parseClick(std::string_view line, Click& click)
{
    int field = 0;
    for (;; ++field) {
        const size_t tab = line.find('\t');
        const std::string_view text = line.substr(0, tab);
        if (field == 0) {
            if (text != "0" && text != "1")
                return "the label is " + quoted(text) + ", expected 0 or 1";
            click.label = text == "1";
        } else if (field <= kClickCounts) {
            int32_t& count = click.counts[size_t(field - 1)];
            count = Click::kNoCount;
            if (!text.empty()) {
                const auto [stop, failed] =
                    std::from_chars(text.data(), text.data() + text.size(), count);
                if (failed != std::errc() || stop != text.data() + text.size())
                    return "field " + std::to_string(field + 1) + " is " + quoted(text) +
                           ", expected a whole number";
            }
        } else if (field < kFields) {
            click.categories[size_t(field - 1 - kClickCounts)] =
                text.empty() ? Click::kNoCategory : hashOf(text);
        }
        if (tab == std::string_view::npos)
            break;
        line.remove_prefix(tab + 1);
    }
    if (field + 1 != kFields)
        return std::to_string(field + 1) + (field == 0 ? " field" : " fields") +
               ", expected 40 between tabs: label, 13 counts, 26 categories" +
               (field + 1 == kFields - 1 ? ". A log without labels cannot be learned from; where "
                                           "only the training part has them, give that file "
                                           "itself: its last tenth is then held out"
                                         : "");
    return {};
}

std::unique_ptr<ClickLog> openClickText(const std::string& path)
{
    return std::make_unique<ClickText>(path);
}

} // namespace scalebench::workloads
