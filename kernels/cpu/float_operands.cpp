// SPDX-License-Identifier: GPL-3.0-or-later
// What products in fp32 multiply: the order of their operands.
#include <algorithm>
#include <cstring>

#include "kernels/cpu/float_level.h"
#include "kernels/cpu/square_transpose.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu::floats {

namespace {

constexpr std::int64_t kAhead = 8; ///< rows of B fetched before they are needed

using Words8 [[gnu::vector_size(32)]] = std::uint32_t;

/// Rows first ... first + 7 of A, 8 columns, transposed. Rows that are not there repeat the last.
SB_HOST_DEVICE void loadTransposed(FloatMatrix A, std::int64_t first, std::int64_t height,
                                   Words8 (&block)[8])
{
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < 8; ++i)
        std::memcpy(&block[i], A.at + std::min(first + i, height - 1) * A.rowStride,
                    sizeof(Words8));
    transposeSquare(block);
}

/// `height` rows of A (16 at most), `depth` columns, to [depth][height]. Whole vectors are written:
/// what is too much is overwritten by what follows, behind the last column by nothing (kSlack).
SB_HOST_DEVICE void packRows(FloatMatrix A, std::int64_t height, std::int64_t depth, float* out)
{
    if (A.rowStride == 1) {
        for (std::int64_t k = 0; k < depth; ++k)
            for (std::int64_t m = 0; m < height; ++m)
                out[k * height + m] = A.at[k * A.columnStride + m];
        return;
    }
    std::int64_t k = 0;
    for (; k + 8 <= depth; k += 8, A.at += 8) {
        Words8 low[8], high[8];
        loadTransposed(A, 0, height, low);
        if (height > 8)
            loadTransposed(A, 8, height, high);
#pragma GCC unroll 8
        for (std::int64_t i = 0; i < 8; ++i) {
            std::memcpy(out + (k + i) * height, &low[i], sizeof(Words8));
            if (height > 8)
                std::memcpy(out + (k + i) * height + 8, &high[i], sizeof(Words8));
        }
    }
    for (; k < depth; ++k, ++A.at)
        for (std::int64_t m = 0; m < height; ++m)
            out[k * height + m] = A.at[m * A.rowStride];
}

/// All panels of a block of `rows` rows (Wide at least) of an A whose rows are stored side by side:
/// each stored row is read once from end to end. Panels of Wide rows at most; whole vectors are
/// written, of which what follows overwrites what is too much.
template <int Wide>
SB_HOST_DEVICE void packSideBySide(FloatMatrix A, std::int64_t rows, std::int64_t panels,
                                   std::int64_t depth, float* out)
{
    const std::int64_t low = rows / panels, higher = rows % panels; // as panelBegin()
    for (std::int64_t k = 0; k < depth; ++k) {
        const float* row = A.at + k * A.columnStride;
        float* block = out;
        if (k + 8 < depth)
            for (std::int64_t m = 0; m < rows; m += kLine)
                __builtin_prefetch(row + 8 * A.columnStride + m);
        for (std::int64_t i = 0; i < panels; ++i) {
            const std::int64_t height = low + (i < higher ? 1 : 0);
            float* const to = block + k * height;
            if (k + 1 < depth)
                std::memcpy(to, row, Wide * sizeof(float));
            else // nothing follows here, and A may end
                for (std::int64_t m = 0; m < height; ++m)
                    to[m] = row[m];
            row += height;
            block += height * depth + kSlack;
        }
    }
}

/// Columns [column, column + width) of B to [depth][Width], zeros behind `width`.
template <int Width>
SB_HOST_DEVICE void packColumns(FloatMatrix B, std::int64_t width, std::int64_t depth, float* out)
{
    if (width < Width)
        std::memset(out, 0, std::size_t(depth * Width) * sizeof(float));
    if (B.columnStride == 1) {
        if (width == Width)
            for (std::int64_t k = 0; k < depth; ++k) {
                const float* const row = B.at + k * B.rowStride;
                for (std::int64_t n = 0; k + kAhead < depth && n < Width; n += kLine)
                    __builtin_prefetch(row + kAhead * B.rowStride + n);
                std::memcpy(out + k * Width, row, Width * sizeof(float));
            }
        else
            for (std::int64_t k = 0; k < depth; ++k)
                for (std::int64_t n = 0; n < width; ++n)
                    out[k * Width + n] = B.at[k * B.rowStride + n];
        return;
    }
    constexpr std::int64_t kEdge = 8;
    std::int64_t n = 0;
    const std::int64_t whole = depth / kEdge * kEdge;
    for (; n + kEdge <= width; n += kEdge)
        for (std::int64_t k = 0; k < whole; k += kEdge) {
            Words8 block[kEdge];
#pragma GCC unroll 8
            for (std::int64_t i = 0; i < kEdge; ++i)
                std::memcpy(&block[i], B.at + (n + i) * B.columnStride + k, sizeof(Words8));
            transposeSquare(block);
#pragma GCC unroll 8
            for (std::int64_t i = 0; i < kEdge; ++i)
                std::memcpy(out + (k + i) * Width + n, &block[i], sizeof(Words8));
        }
    for (std::int64_t c = 0; c < width; ++c)
        for (std::int64_t k = c < n ? whole : 0; k < depth; ++k)
            out[k * Width + c] = B.at[c * B.columnStride + k];
}

} // namespace

#if defined(__x86_64__)

#define SB_FLOAT_PACKING(name, isa, bytes)                                                         \
    namespace {                                                                                    \
    [[gnu::target(isa)]] void rows##name(FloatMatrix A, std::int64_t height, std::int64_t depth,   \
                                         float* out)                                               \
    {                                                                                              \
        packRows(A, height, depth, out);                                                           \
    }                                                                                              \
    [[gnu::target(isa)]] void side##name(FloatMatrix A, std::int64_t rows, std::int64_t panels,    \
                                         std::int64_t depth, float* out)                           \
    {                                                                                              \
        packSideBySide<(bytes) / 4>(A, rows, panels, depth, out);                                  \
    }                                                                                              \
    [[gnu::target(isa)]] void columns##name(FloatMatrix B, std::int64_t width, std::int64_t depth, \
                                            float* out)                                            \
    {                                                                                              \
        packColumns<2 * (bytes) / 4>(B, width, depth, out);                                        \
    }                                                                                              \
    }                                                                                              \
    constexpr Packing kPacking##name{(bytes) / 4, rows##name, side##name, columns##name};

SB_FLOAT_PACKING(Avx2, "arch=x86-64-v3", 32)
SB_FLOAT_PACKING(Avx512, "arch=x86-64-v4", 64)
#undef SB_FLOAT_PACKING

#endif

void packPanels(FloatMatrix B, std::int64_t columns, std::int64_t depth, float* out)
{
    const std::int64_t width = level().width;
    for (std::int64_t n = 0; n < columns; n += width, out += depth * width)
        level().packing->columns(moved(B, 0, n), std::min(width, columns - n), depth, out);
}

void packBlock(FloatMatrix A, std::int64_t rows, std::int64_t panels, std::int64_t depth,
               float* out)
{
    const Level& l = level();
    if (A.rowStride == 1 && rows >= l.packing->wide)
        return l.packing->side(A, rows, panels, depth, out);
    for (std::int64_t i = 0; i < panels; ++i) {
        const std::int64_t begin = panelBegin(rows, panels, i);
        l.packing->rows(moved(A, begin, 0), panelBegin(rows, panels, i + 1) - begin, depth,
                        out + begin * depth + i * kSlack);
    }
}

} // namespace scalebench::kernels::cpu::floats
