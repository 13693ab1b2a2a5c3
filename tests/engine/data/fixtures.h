// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes small pictures and archives for tests of the readers.

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench::test {

using Bytes = std::vector<uint8_t>;

/// A smooth colour picture whose tint depends on `tint`; channels 1 (grey), 3 (RGB) or 4 (CMYK).
Bytes makeJpeg(int width, int height, int tint, int channels = 3);
/// bitDepth 8 or 16; channels 1 to 4.
Bytes makePng(int width, int height, int tint, int bitDepth = 8, int channels = 3);
/// `records` CIFAR-10 records with labels 0, 1, ... 9, 0, ...
Bytes makeCifar(int records, int seed);

void writeBytes(const std::string& path, const Bytes& bytes);

struct Member {
    std::string name;
    Bytes bytes;
    std::string hardLinkTo = {}; ///< another member; then there are no bytes
    std::string symLinkTo = {};
};
void writeTar(const std::string& path, const std::vector<Member>& members, bool gzip);
/// with: "xz", "zstd" or "bzip2". False where libarchive has none of that name.
bool writePacked(const std::string& path, const Bytes& bytes, const char* with);

} // namespace scalebench::test
