// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ncf/line_reader.h"

#include "kernels/check.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace scalebench::workloads {
namespace {

/// Text of a file as it may stand in a message: short, printable.
std::string shown(std::string_view text)
{
    constexpr size_t kLongest = 40;
    std::string out(text.substr(0, kLongest));
    std::replace_if(
        out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return "'" + out + (text.size() > kLongest ? "...'" : "'");
}

const char* nameOf(char separator)
{
    return separator == '\t' ? "TABs" : "commas";
}

} // namespace

LineReader::LineReader(std::string path, std::string expected)
    : path_(std::move(path)),
      expected_(std::move(expected)),
      buffer_(kLongestLine + 2),
      fd_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC))
{
    if (fd_ < 0)
        throw InvalidArgument("cannot open " + path_ + ": " + std::strerror(errno), "data_missing");
}

LineReader::~LineReader()
{
    ::close(fd_);
}

/// Appends to the unread part; false at the end of the file.
bool LineReader::fill()
{
    std::memmove(buffer_.data(), buffer_.data() + from_, to_ - from_);
    to_ -= std::exchange(from_, 0);
    ssize_t got = 0;
    do
        got = ::read(fd_, buffer_.data() + to_, buffer_.size() - to_);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        throw InvalidArgument("cannot read " + path_ + " at byte " + std::to_string(bytesRead_) +
                                  ": " + std::strerror(errno),
                              "data_damaged");
    to_ += size_t(got);
    bytesRead_ += got;
    return got > 0;
}

bool LineReader::nextRaw(std::string_view& line)
{
    for (size_t searched = 0;;) {
        const char* begin = buffer_.data() + from_;
        const size_t size = to_ - from_;
        if (const void* end = std::memchr(begin + searched, '\n', size - searched)) {
            line = {begin, size_t(static_cast<const char*>(end) - begin)};
            from_ += line.size() + 1;
            return true;
        }
        searched = size;
        if (size > kLongestLine)
            damagedAt(line_ + 1, "the line is longer than 1 MiB");
        if (fill())
            continue;
        line = {buffer_.data() + from_, to_ - from_};
        from_ = to_;
        return !line.empty();
    }
}

bool LineReader::next(std::string_view& line)
{
    while (nextRaw(line)) {
        ++line_;
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (!line.empty())
            return true;
    }
    return false;
}

LineReader::Fields LineReader::split(std::string_view line, char separator, int least,
                                     int most) const
{
    Fields fields;
    for (bool more = true; more && fields.count < kMaxFields;) {
        const size_t end = line.find(separator);
        more = end != std::string_view::npos;
        fields.text[size_t(fields.count++)] = line.substr(0, end);
        line.remove_prefix(more ? end + 1 : line.size());
    }
    if (fields.count >= least && fields.count <= most)
        return fields;
    const char other = separator == '\t' ? ',' : '\t';
    if (fields.count < least && fields.text[0].find(other) != std::string_view::npos)
        damaged(std::string("the line has ") + nameOf(other) + " where the other lines have " +
                nameOf(separator));
    damaged("the line has " + std::string(fields.count < kMaxFields ? "" : "at least ") +
            std::to_string(fields.count) + (fields.count == 1 ? " field" : " fields"));
}

int64_t LineReader::wholeNumber(std::string_view text, const std::string& what) const
{
    int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc::result_out_of_range && stop == end)
        damaged("the " + what + " " + shown(text) + " is far too large");
    if (error != std::errc() || stop != end)
        damaged("the " + what + " " + shown(text) + " is no whole number");
    return value;
}

int32_t LineReader::id(std::string_view text, IdRange& range) const
{
    // No text is made unless it is needed: this runs for every line.
    int64_t value = -1;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end)
        value = wholeNumber(text, std::string(range.kind) + " id");
    if (value < 0)
        damaged("the " + std::string(range.kind) + " id " + std::to_string(value) + " is negative");
    if (value > kLargestId)
        damaged("the " + std::string(range.kind) + " id " + std::to_string(value) +
                " is above the largest allowed, " + std::to_string(kLargestId));
    if (value > range.largest) {
        range.largest = value;
        range.line = line_;
    }
    return int32_t(value);
}

double LineReader::number(std::string_view text, const char* what) const
{
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value))
        damaged(std::string("the ") + what + " " + shown(text) + " is no number");
    return value;
}

void LineReader::checkRange(const IdRange& range) const
{
    constexpr int64_t kPerLine = 64, kAlways = 1'000'000;
    if (range.largest >= kPerLine * line_ + kAlways)
        damagedAt(range.line, "the " + std::string(range.kind) + " id " +
                                  std::to_string(range.largest) + " is too large for a file of " +
                                  std::to_string(line_) + (line_ == 1 ? " line" : " lines"));
}

void LineReader::damagedAt(int64_t line, const std::string& what) const
{
    throw InvalidArgument(path_ + ":" + std::to_string(std::max<int64_t>(1, line)) +
                              " is damaged: " + what + "; expected " + expected_ + ".",
                          "data_damaged");
}

} // namespace scalebench::workloads
