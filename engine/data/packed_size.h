// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How much a packed file is once it is unpacked, before anything of it is.

#include <cstdint>
#include <string>

namespace scalebench::data {

struct PackedSize {
    const char* with = nullptr; ///< "xz", "zstd" or "bzip2"; null: with none of them
    /// Bytes that it unpacks to at least: all of them with xz, which tells at its end; what the
    /// first frame tells with zstd; else its own size, since packing hardly makes a file larger.
    std::int64_t leastBytes = 0;
};

/// By what the file holds, whatever its name. One that cannot be read, or is damaged, tells less.
PackedSize packedSize(const std::string& path);

} // namespace scalebench::data
