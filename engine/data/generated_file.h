// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The files of a generated or prepared set, while it is written.

#include <cstddef>
#include <filesystem>
#include <string>

namespace scalebench::data {

/// Creates one file. Throws Error (`not_writable`, `disk_full`).
void writeGenerated(const std::filesystem::path& file, const void* bytes, size_t size);

/// The same piece by piece: an open file to write to, with writeGenerated()'s errors.
int createGenerated(const std::filesystem::path& file);
void appendGenerated(int fd, const std::filesystem::path& file, const void* bytes, size_t size);
/// Closes it whether or not that works.
void closeGenerated(int fd, const std::filesystem::path& file);

/// Throws the Error for what could not be written to `path`; `error`: errno.
[[noreturn]] void cannotWrite(const std::string& path, int error);

} // namespace scalebench::data
