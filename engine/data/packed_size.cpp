// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/packed_size.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include <zlib.h>

namespace scalebench::data {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::int64_t kMostIndexBytes = std::int64_t{64} << 20; ///< some millions of blocks

std::uint64_t littleEndian(Bytes bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

bool startsWith(Bytes bytes, std::initializer_list<std::uint8_t> magic)
{
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

std::vector<std::uint8_t> readAt(std::ifstream& in, std::int64_t offset, std::int64_t size)
{
    std::vector<std::uint8_t> bytes(std::size_t(std::max<std::int64_t>(size, 0)));
    in.clear();
    in.seekg(offset);
    in.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size()));
    bytes.resize(std::size_t(in.gcount()));
    return bytes;
}

bool hasChecksum(Bytes bytes, Bytes checksum)
{
    return ::crc32(0, bytes.data(), uInt(bytes.size())) == littleEndian(checksum);
}

/// A number of the xz format: seven bits a byte, the lowest first.
std::optional<std::int64_t> takeNumber(Bytes& bytes)
{
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 9 && i < bytes.size(); ++i) {
        value |= std::uint64_t(bytes[i] & 0x7f) << (7 * i);
        if ((bytes[i] & 0x80) == 0) {
            bytes = bytes.subspan(i + 1);
            return std::int64_t(value);
        }
    }
    return std::nullopt;
}

/// What an index says of its stream's blocks together.
struct XzBlocks {
    std::int64_t packed = 0, unpacked = 0;
};
std::optional<XzBlocks> readIndex(Bytes index)
{
    if (index.size() < 8 || index[0] != 0 ||
        !hasChecksum(index.first(index.size() - 4), index.last(4)))
        return std::nullopt;
    Bytes rest = index.subspan(1, index.size() - 5);
    const std::optional<std::int64_t> records = takeNumber(rest);
    XzBlocks blocks;
    for (std::int64_t i = 0; records && i < *records; ++i) {
        const auto packed = takeNumber(rest), unpacked = takeNumber(rest);
        constexpr std::int64_t kMost = std::int64_t{1} << 60;
        if (!packed || !unpacked || *packed > kMost - blocks.packed ||
            *unpacked > kMost - blocks.unpacked)
            return std::nullopt;
        blocks.packed += (*packed + 3) / 4 * 4;
        blocks.unpacked += *unpacked;
    }
    return records ? std::optional(blocks) : std::nullopt;
}

/// All streams, from the last to the first: "The .xz File Format" 1.2.1, sections 2 to 4.
std::optional<std::int64_t> xzBytes(std::ifstream& in, std::int64_t end)
{
    constexpr std::int64_t kHeader = 12, kFooter = 12;
    std::int64_t total = 0;
    while (end > 0) {
        const std::vector<std::uint8_t> footer = readAt(in, end - kFooter, kFooter);
        if (footer.size() != std::size_t(kFooter))
            return std::nullopt;
        if (std::ranges::all_of(Bytes(footer).last(4), [](auto byte) { return byte == 0; })) {
            end -= 4; // padding behind a stream
            continue;
        }
        const Bytes bytes(footer);
        if (!startsWith(bytes.last(2), {'Y', 'Z'}) ||
            !hasChecksum(bytes.subspan(4, 6), bytes.first(4)))
            return std::nullopt;
        const std::int64_t size = (std::int64_t(littleEndian(bytes.subspan(4, 4))) + 1) * 4;
        if (size > kMostIndexBytes || size > end - kFooter - kHeader)
            return std::nullopt;
        const auto blocks = readIndex(readAt(in, end - kFooter - size, size));
        if (!blocks || blocks->packed > end - kFooter - size - kHeader)
            return std::nullopt;
        total += blocks->unpacked;
        end -= kFooter + size + blocks->packed + kHeader;
    }
    return end == 0 ? std::optional(total) : std::nullopt;
}

/// The first frame's, where its header says: RFC 8878, section 3.1.1.1.
std::optional<std::int64_t> zstdBytes(Bytes header)
{
    if (header.size() < 18)
        return std::nullopt;
    const std::uint8_t descriptor = header[4];
    const bool single = (descriptor & 0x20) != 0;
    constexpr std::array<std::size_t, 4> kDictionary = {0, 1, 2, 4};
    const std::size_t at = 5 + (single ? 0 : 1) + kDictionary[descriptor & 3];
    switch (descriptor >> 6) {
    case 0:
        return single ? std::optional(std::int64_t(header[at])) : std::nullopt;
    case 1:
        return std::int64_t(littleEndian(header.subspan(at, 2))) + 256;
    case 2:
        return std::int64_t(littleEndian(header.subspan(at, 4)));
    default:
        return std::int64_t(
            std::min<std::uint64_t>(littleEndian(header.subspan(at, 8)), std::uint64_t{1} << 60));
    }
}

} // namespace

PackedSize packedSize(const std::string& path)
{
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in)
        return {};
    const auto size = std::int64_t(in.tellg());
    const std::vector<std::uint8_t> start = readAt(in, 0, std::min<std::int64_t>(size, 18));
    if (startsWith(start, {0xfd, '7', 'z', 'X', 'Z', 0}))
        return {"xz", xzBytes(in, size).value_or(size)};
    if (startsWith(start, {0x28, 0xb5, 0x2f, 0xfd}))
        return {"zstd", std::max(size, zstdBytes(start).value_or(0))};
    if (startsWith(start, {'B', 'Z', 'h'}))
        return {"bzip2", size};
    return {};
}

} // namespace scalebench::data
