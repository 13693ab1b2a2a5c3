// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The file a run can be resumed from: a JSON header and named float arrays. Written to a temporary
// name, synced and renamed, with the last one kept as `previous.sbckpt`, so that at any moment one
// whole checkpoint exists. Layout: the line "SBCKPT1\n", the header's length (8 bytes, little
// endian), the header, the arrays one after the other (32-bit little-endian floats). The header
// holds a CRC-32 of each array and the file ends with one of the header, so that damage is found.

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace scalebench {

struct CheckpointArray {
    std::string name;
    std::span<const float> values;
    /// Of an array that lies elsewhere: `count` values with this checksum, brought piece by piece
    /// in their order when they are to be written.
    size_t count = 0;
    uint32_t crc32 = 0;
    std::function<void(std::span<float> piece)> bring = {};
};

/// Values that are written, brought and checked together.
inline constexpr size_t kCheckpointPiece = (32 << 20) / sizeof(float);

/// CRC-32 as the header has it; `before`: that of what comes before them in their array.
uint32_t checkpointChecksum(std::span<const float> values, uint32_t before = 0);
/// That of two pieces one after the other, from theirs: `second` of `secondCount` values.
uint32_t checkpointChecksumOf(uint32_t first, uint32_t second, size_t secondCount);

struct Checkpoint {
    /// Everything but the arrays; keys are the caller's.
    nlohmann::json header;
    struct Array {
        std::string name;
        std::vector<float> values;
    };
    std::vector<Array> arrays;

    /// InvalidArgument (`checkpoint`) when there is none of that name and length.
    std::span<const float> array(const std::string& name, size_t count) const;
};

/// Told the bytes of the arrays that are on the disk so far.
using CheckpointProgress = std::function<void(int64_t)>;

/// `folder`/latest.sbckpt; the folder is made in the one of the run. A folder that has a file's
/// name is set aside as setCheckpointsAside() does. Throws Error (`disk_full`, `not_writable`);
/// what was there before stays.
void writeCheckpoint(const std::string& folder, const nlohmann::json& header,
                     const std::vector<CheckpointArray>& arrays,
                     const CheckpointProgress& written = {});

/// Which arrays of a checkpoint are read; empty: all.
using CheckpointWanted = std::function<bool(const std::string& array)>;

/// Reads one file. InvalidArgument (`checkpoint`) says what is wrong with it: "PATH: REASON".
/// Arrays that are not wanted are passed over, unchecked.
Checkpoint readCheckpoint(const std::string& path, const CheckpointWanted& wanted = {});

/// Whether a file begins as checkpoints do.
bool isCheckpointFile(const std::string& path);

/// Gives `use` the newest whole checkpoint of a folder, and the one before it where that is refused
/// with InvalidArgument. `note`: which files could not be used and why; empty: the newest could.
/// False: none could. InvalidArgument (`checkpoint`) where one may not be read.
bool useNewestCheckpoint(const std::string& folder,
                         const std::function<void(Checkpoint&& checkpoint)>& use,
                         std::string& note);

/// So that none of them is ever taken for one of the run that now begins anew: NAME.unusable.
/// Throws Error (`not_writable`).
void setCheckpointsAside(const std::string& folder);

/// The newest whole checkpoint of a folder; `note` explains when that is not the last one written.
/// InvalidArgument (`checkpoint`) when there is none.
Checkpoint newestCheckpoint(const std::string& folder, std::string& note);

} // namespace scalebench
