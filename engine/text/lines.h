// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lines of text files that nobody vouches for: plain or gzip, bounded in size, all of it UTF-8, and
// every complaint names file and line.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scalebench::text {

/// Pieces of a vocabulary that are believed.
inline constexpr size_t kMostPieces = 10'000'000;

/// Reads line by line, so that large files need no memory. Lines end with LF or CR LF, which are
/// not part of them; a byte-order mark at the beginning is dropped. Not thread-safe.
class LineFile
{
public:
    static constexpr size_t kLongestLine = size_t{1} << 20;   ///< bytes
    static constexpr int64_t kLargestText = int64_t{1} << 36; ///< bytes after unpacking

    /// A file whose name ends with .gz must be gzip; others are unpacked if they are. Throws
    /// InvalidArgument: `data_missing` where there is no such ordinary file that can be read,
    /// `data_damaged` for a .gz that is none.
    explicit LineFile(std::string path);
    ~LineFile();
    LineFile(const LineFile&) = delete;
    LineFile& operator=(const LineFile&) = delete;

    /// The next line, which may be empty; false at the end. Throws InvalidArgument (`data_damaged`)
    /// for a line above kLongestLine, a text above kLargestText, a line that is not UTF-8 or holds
    /// a NUL byte, and gzip that is cut off or wrong.
    bool next(std::string& line);

    const std::string& path() const { return path_; }
    int64_t line() const { return line_; } ///< number of the line last given, from 1
    int64_t bytesRead() const;             ///< of the file, that is before unpacking

    /// Throws InvalidArgument (`data_damaged`): PATH:LINE is damaged: WHAT.
    [[noreturn]] void damaged(const std::string& what) const { damagedAt(line_, what); }
    [[noreturn]] void damagedAt(int64_t line, const std::string& what) const;

private:
    struct Stream;
    bool fill();
    bool nextRaw(std::string& line);

    std::string path_;
    std::unique_ptr<Stream> stream_;
    std::vector<char> buffer_;
    size_t from_ = 0, to_ = 0; ///< unread part of buffer_
    int64_t unpacked_ = 0;
    int64_t line_ = 0;
};

/// All lines of a file of at most 4 GiB (unpacked). Adds the file's size to `bytesRead`. Throws as
/// LineFile.
std::vector<std::string> readLines(const std::string& path, int64_t* bytesRead = nullptr);

/// Replaces a file as a whole: whoever reads meanwhile has the old or the new one. Throws Error
/// (`disk_full`, `not_writable`).
void writeLines(const std::string& path, const std::vector<std::string>& lines);

} // namespace scalebench::text
