// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/copy_rows.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/parallel.h"

namespace scalebench::kernels::cpu {
namespace {

constexpr std::size_t kGrainBytes = 256 * 1024;

std::int64_t rowsAtOnce(std::size_t bytes)
{
    return std::int64_t(std::max<std::size_t>(kGrainBytes / std::max<std::size_t>(bytes, 1), 1));
}

} // namespace

void copyRows(std::int64_t rows, std::size_t bytes, const void* src, std::size_t srcStride,
              void* dst, std::size_t dstStride)
{
    if (bytes == 0)
        return;
    parallelRanges(rows, rowsAtOnce(bytes), [&](std::int64_t b, std::int64_t e) {
        const char* from = static_cast<const char*>(src) + std::size_t(b) * srcStride;
        char* to = static_cast<char*>(dst) + std::size_t(b) * dstStride;
        if (srcStride == bytes && dstStride == bytes) {
            std::memcpy(to, from, std::size_t(e - b) * bytes);
            return;
        }
        for (std::int64_t r = b; r < e; ++r, from += srcStride, to += dstStride)
            std::memcpy(to, from, bytes);
    });
}

void zeroRows(std::int64_t rows, std::size_t bytes, void* dst, std::size_t dstStride)
{
    if (bytes == 0)
        return;
    parallelRanges(rows, rowsAtOnce(bytes), [&](std::int64_t b, std::int64_t e) {
        for (std::int64_t r = b; r < e; ++r)
            std::memset(static_cast<char*>(dst) + std::size_t(r) * dstStride, 0, bytes);
    });
}

} // namespace scalebench::kernels::cpu
