// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/permute.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/parallel.h"

namespace scalebench::kernels::cpu {
namespace {

constexpr std::int64_t kTile = 32;

/// to[r * toRow + c] = from[r + c * fromColumn]: a tile of which x holds the columns together.
template <class T>
void transposeTile(const T* from, std::int64_t fromColumn, T* to, std::int64_t toRow,
                   std::int64_t rows, std::int64_t columns)
{
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
            to[r * toRow + c] = from[r + c * fromColumn];
}

template <class T>
void run(const PermuteParams& p, const T* x, T* y)
{
    const int last = p.axes - 1;
    std::array<std::int64_t, PermuteParams::kMaxAxes> out{}; // strides of y
    std::int64_t total = 1;
    for (int i = last; i >= 0; --i) {
        out[std::size_t(i)] = total;
        total *= p.size[std::size_t(i)];
    }
    if (total == 0)
        return;
    const std::int64_t columns = p.size[std::size_t(last)];
    const std::int64_t columnStride = p.stride[std::size_t(last)];
    // The axis that x holds together; when it is the last of y too, rows are copied whole.
    int together = last;
    for (int i = 0; i <= last; ++i)
        if (p.stride[std::size_t(i)] == 1)
            together = i;
    const std::int64_t rows = together == last ? 1 : p.size[std::size_t(together)];
    const std::int64_t tiles = (rows + kTile - 1) / kTile;
    const std::int64_t outer = total / columns / rows;
    parallelRanges(outer * tiles, std::max<std::int64_t>(32768 / (columns * kTile), 1),
                   [&](std::int64_t first, std::int64_t end) {
                       for (std::int64_t task = first; task < end; ++task) {
                           std::int64_t rest = task / tiles, from = 0, to = 0;
                           for (int i = last - 1; i >= 0; --i) {
                               if (i == together)
                                   continue;
                               const auto axis = std::size_t(i);
                               from += rest % p.size[axis] * p.stride[axis];
                               to += rest % p.size[axis] * out[axis];
                               rest /= p.size[axis];
                           }
                           if (together == last) {
                               std::memcpy(y + to, x + from, std::size_t(columns) * sizeof(T));
                               continue;
                           }
                           const std::int64_t toRow = out[std::size_t(together)];
                           const std::int64_t r = task % tiles * kTile,
                                              height = std::min(rows - r, kTile);
                           for (std::int64_t c = 0; c < columns; c += kTile)
                               transposeTile(x + from + r + c * columnStride, columnStride,
                                             y + to + r * toRow + c, toRow, height,
                                             std::min(columns - c, kTile));
                       }
                   });
}

} // namespace

void permute(const PermuteParams& p, const void* x, void* y)
{
    if (p.elementBytes == 4)
        run(p, static_cast<const std::uint32_t*>(x), static_cast<std::uint32_t*>(y));
    else if (p.elementBytes == 2)
        run(p, static_cast<const std::uint16_t*>(x), static_cast<std::uint16_t*>(y));
    else
        run(p, static_cast<const std::uint8_t*>(x), static_cast<std::uint8_t*>(y));
}

} // namespace scalebench::kernels::cpu
