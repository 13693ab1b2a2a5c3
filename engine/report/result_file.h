// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whole files, written at once: who reads sees the old file or the whole new one.

#include <string>

namespace scalebench::report {

/// By a new file beside it that takes its name. For files of our own folders: a link there is
/// replaced. Throws Error (`not_writable`, `disk_full`).
void replaceFile(const std::string& path, const std::string& text);

/// A file that a person named for results. An ordinary one is replaced as a whole, where links lead
/// to, and keeps its permissions. A pipe, a terminal or /dev/stdout is written to as it is.
class NamedFile
{
public:
    /// Looks, writes nothing. Throws InvalidArgument (`usage`) for what cannot be written to.
    explicit NamedFile(const std::string& path);

    /// What was written stays written: once, when all is there.
    bool isStream() const { return stream_; }
    /// Whether both are one file, however they were named.
    bool isSameAs(const NamedFile& other) const { return target_ == other.target_; }
    /// Throws as replaceFile().
    void write(const std::string& text) const;

private:
    void writeStream(const std::string& text) const;

    std::string path_;   ///< as named
    std::string target_; ///< without links
    bool stream_ = false;
};

} // namespace scalebench::report
