// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A file that is read in the middle by several threads.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace scalebench::workloads {

class RowFile
{
public:
    /// Throws InvalidArgument (`data_missing`) when it is no ordinary file or cannot be opened.
    explicit RowFile(std::string path);
    ~RowFile();
    RowFile(const RowFile&) = delete;
    RowFile& operator=(const RowFile&) = delete;

    const std::string& path() const { return path_; }
    int64_t size() const { return size_; } ///< when it was opened
    /// Throws InvalidArgument (`data_damaged`) when there is less by now.
    void read(int64_t offset, std::span<std::byte> out) const;

private:
    std::string path_;
    int fd_ = -1;
    int64_t size_ = 0;
};

} // namespace scalebench::workloads
