// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lines of a text file that nobody vouches for: bounded in length, and every complaint names file
// and line. Reads in blocks, so that a log of 20 million lines costs no copy of the file.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scalebench::workloads {

/// Ids of one kind in one file: the largest and its line, to judge them once all lines are counted.
struct IdRange {
    const char* kind; ///< "user", "item": for messages
    int64_t largest = -1;
    int64_t line = 0;
};

class LineReader
{
public:
    static constexpr int kMaxFields = 5; ///< more are not told apart
    static constexpr size_t kLongestLine = size_t{1} << 20;
    static constexpr int64_t kLargestId = int64_t{1} << 28;

    /// What split() finds; count is kMaxFields for that many and more.
    struct Fields {
        std::array<std::string_view, kMaxFields> text;
        int count = 0;
    };

    /// `expected`: what a line should look like, the end of every complaint.
    /// Throws InvalidArgument (`data_missing`) when the file cannot be opened.
    LineReader(std::string path, std::string expected);
    ~LineReader();
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;

    /// The next line that is not blank, without LF or CR LF; good until the next call. False at the
    /// end. Throws InvalidArgument (`data_damaged`) for a line above kLongestLine bytes.
    bool next(std::string_view& line);

    const std::string& path() const { return path_; }
    int64_t line() const { return line_; } ///< number of the line last given, from 1
    int64_t bytesRead() const { return bytesRead_; }

    /// The rest throw InvalidArgument (`data_damaged`) that names file and line.
    /// The line's fields: at least `least`, at most `most` of them.
    Fields split(std::string_view line, char separator, int least, int most) const;
    int32_t id(std::string_view text, IdRange& range) const;
    int64_t wholeNumber(std::string_view text, const std::string& what) const;
    void checkNumber(std::string_view text, const char* what) const { number(text, what); }
    double number(std::string_view text, const char* what) const;
    /// Refuses ids that are much too large for so short a file: tables are made by the largest id.
    void checkRange(const IdRange& range) const;
    [[noreturn]] void damaged(const std::string& what) const { damagedAt(line_, what); }
    [[noreturn]] void damagedAt(int64_t line, const std::string& what) const;

private:
    bool fill();
    bool nextRaw(std::string_view& line);

    std::string path_, expected_;
    std::vector<char> buffer_;
    int fd_ = -1;
    size_t from_ = 0, to_ = 0; ///< unread part of buffer_
    int64_t line_ = 0;
    int64_t bytesRead_ = 0;
};

} // namespace scalebench::workloads
