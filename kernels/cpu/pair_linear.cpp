// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/pair_linear.h"

#include <algorithm>
#include <cstddef>

#include <omp.h>

#include "kernels/cpu/linear_gradient.h"
#include "kernels/cpu/pair_gemm.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"

namespace scalebench::kernels::cpu {
namespace {

// The deepest sums that leave a group of panels room in the second-level cache.
constexpr std::int64_t kDeepest = 8192;
// Rows of one sum of weight gradients: more are added in pieces.
constexpr std::int64_t kMostRows = 2048;
// Of A, beside a group of panels in the second-level cache.
constexpr std::int64_t kCachedBytes = 1 << 19;

/// Rows of a block whose numbers, `depth` each, the cache holds.
std::int64_t cachedRows(std::int64_t depth)
{
    return std::clamp(kCachedBytes / (2 * std::max<std::int64_t>(depth, 1)) / kGradientRows *
                          kGradientRows,
                      kGradientRows, 2 * kGradientRows);
}

/// body(first row, rows, first column, columns): blocks of C, more of them than threads.
template <class Body>
void everyBlock(std::int64_t M, std::int64_t N, std::int64_t rows, int threads, Body&& body)
{
    const std::int64_t down = (M + rows - 1) / rows;
    const std::int64_t columns =
        threads == 1 || down >= 4 * threads ? std::max(N, pairs::kColumns) : 2 * pairs::kColumns;
    const std::int64_t across = (N + columns - 1) / columns;
    parallelFor(down * across, [&](std::int64_t i) {
        const std::int64_t m = i / across * rows, n = i % across * columns;
        body(m, std::min(rows, M - m), n, std::min(columns, N - n));
    });
}

const std::byte* rowOf(const void* matrix, std::int64_t row, std::int64_t columns, DType type)
{
    return static_cast<const std::byte*>(matrix) + std::size_t(row * columns) * dtypeBytes(type);
}

} // namespace

/// What backward needs of some rows: operands, and room for the gradient before the activation (of
/// a block with one thread, of all rows with several), for both in pairs, and sums of columns.
struct PairLinear::Piece {
    LinearBackward b;
    std::int64_t rows = 0;
    std::byte* g = nullptr; ///< null: dy serves
    std::uint32_t *gTiles = nullptr, *xPanels = nullptr;
    float* sums = nullptr;

    std::int64_t pairs() const { return pairs::pairsOf(rows); }
};

bool PairLinear::suits(const LinearParams& p)
{
    return p.dtype == DType::BF16 && pairs::available() && p.out >= pairs::kPanel && p.in > 1 &&
           std::max(p.in, p.out) <= kDeepest;
}

PairLinear::PairLinear(const LinearParams& p) : p_(p), threads_(std::max(1, omp_get_max_threads()))
{
    const std::int64_t pieces = std::max<std::int64_t>(1, (p.N + kMostRows - 1) / kMostRows);
    const std::int64_t even = (p.N + pieces - 1) / pieces;
    pieceRows_ = (even + kGradientRows - 1) / kGradientRows * kGradientRows;
}

std::size_t PairLinear::packedWeightBytes() const
{
    return std::size_t(pairs::inPanels(p_.out) * pairs::pairsOf(p_.in) +
                       pairs::inPanels(p_.in) * pairs::pairsOf(p_.out)) *
           sizeof(std::uint32_t);
}

void PairLinear::pack(const float* w, void* packed) const
{
    auto* forward = static_cast<std::uint32_t*>(packed);
    std::uint32_t* backward = forward + pairs::inPanels(p_.out) * pairs::pairsOf(p_.in);
    parallelFor(pairs::inPanels(p_.out) / pairs::kPanel, [&](std::int64_t i) {
        pairs::packWeight(w, p_.out, p_.in, i * pairs::kPanel, forward, backward);
    });
}

void PairLinear::forward(const void* x, const void* packed, const float* b, void* y) const
{
    const bool relu = p_.activation == Activation::Relu;
    const std::int64_t deep = pairs::pairsOf(p_.in);
    everyBlock(
        p_.N, p_.out, cachedRows(p_.in), threads_,
        [&](std::int64_t m, std::int64_t rows, std::int64_t n, std::int64_t columns) {
            const pairs::Rows A{static_cast<const bf16_t*>(x) + m * p_.in, p_.in};
            const pairs::Panels B{static_cast<const std::uint32_t*>(packed) + n * deep, deep};
            const pairs::Finish here{b ? b + n : nullptr, relu, false};
            const std::int64_t at = m * p_.out + n;
            if (p_.outputType == DType::BF16)
                pairs::multiply(rows, columns, p_.in, A, B, here, static_cast<bf16_t*>(y) + at,
                                p_.out);
            else
                pairs::multiply(rows, columns, p_.in, A, B, here, static_cast<float*>(y) + at,
                                p_.out);
        });
}

std::size_t PairLinear::workspaceBytes() const
{
    const std::int64_t pairs = pairs::pairsOf(pieceRows_);
    return std::size_t(pieceRows_ * p_.out) * sizeof(bf16_t) +
           std::size_t((pairs::inTiles(p_.out) + pairs::inPanels(p_.in)) * pairs) *
               sizeof(std::uint32_t) +
           std::size_t(pieceRows_ / kGradientRows * p_.out) * sizeof(float) + 4 * 64;
}

/// From dy to the gradient before the activation of some rows, its pairs and sums.
void PairLinear::gradientBlock(const Piece& piece, std::int64_t row, std::int64_t rows) const
{
    const LinearBackward& b = piece.b;
    const std::byte* g = rowOf(b.dy, row, p_.out, p_.outputType);
    std::byte* own = piece.g;
    if (own && threads_ > 1)
        own += std::size_t(row * p_.out) * sizeof(bf16_t);
    for (std::int64_t r = 0; r < rows; r += kGradientRows) {
        const std::int64_t n = std::min(kGradientRows, rows - r);
        float* const sums = piece.sums ? piece.sums + (row + r) / kGradientRows * p_.out : nullptr;
        if (own || sums)
            linearGradientRows(p_.activation, p_.outputType, p_.dtype, n, p_.out,
                               b.kept ? rowOf(b.kept, row + r, p_.out, p_.outputType) : nullptr,
                               rowOf(b.dy, row + r, p_.out, p_.outputType),
                               own ? own + std::size_t(r * p_.out) * sizeof(bf16_t) : nullptr,
                               sums);
    }
    if (own)
        g = own;
    if (piece.gTiles)
        pairs::packTiles(reinterpret_cast<const bf16_t*>(g), p_.out, rows, p_.out, piece.gTiles,
                         row / 2, piece.pairs());
    if (piece.xPanels)
        pairs::packPanels(static_cast<const bf16_t*>(b.x) + row * p_.in, p_.in, rows, p_.in,
                          piece.xPanels, row / 2, piece.pairs());
}

void PairLinear::backward(const LinearBackward& all, void* workspace) const
{
    if (p_.N == 0) {
        if (all.dw && !all.accumulateWeight)
            std::fill_n(all.dw, p_.in * p_.out, 0.0f);
        if (all.db && !all.accumulateBias)
            std::fill_n(all.db, p_.out, 0.0f);
        return;
    }
    const std::int64_t block = cachedRows(p_.out), deep = pairs::pairsOf(p_.out);
    const auto* weight = static_cast<const std::uint32_t*>(all.packed) +
                         pairs::inPanels(p_.out) * pairs::pairsOf(p_.in);
    for (std::int64_t row = 0; row < p_.N; row += pieceRows_) {
        Carver room(workspace);
        Piece piece;
        piece.rows = std::min(pieceRows_, p_.N - row);
        LinearBackward& b = piece.b = all;
        b.x = rowOf(all.x, row, p_.in, p_.dtype);
        b.dy = rowOf(all.dy, row, p_.out, p_.outputType);
        b.kept = all.kept ? rowOf(all.kept, row, p_.out, p_.outputType) : nullptr;
        if (p_.activation != Activation::None || p_.outputType != p_.dtype)
            piece.g = room.take(pieceRows_ * p_.out * std::int64_t(sizeof(bf16_t)));
        if (all.dw) {
            piece.gTiles = room.take<std::uint32_t>(pairs::inTiles(p_.out) * piece.pairs());
            piece.xPanels = room.take<std::uint32_t>(pairs::inPanels(p_.in) * piece.pairs());
        }
        if (all.db)
            piece.sums = room.take<float>(pieceRows_ / kGradientRows * p_.out);
        const auto data = [&](const void* g, std::int64_t m, std::int64_t rows, std::int64_t n,
                              std::int64_t columns) {
            pairs::multiply(rows, columns, p_.out,
                            pairs::Rows{static_cast<const bf16_t*>(g), p_.out},
                            pairs::Panels{weight + n * deep, deep}, {},
                            static_cast<bf16_t*>(all.dx) + (row + m) * p_.in + n, p_.in);
        };
        parallelRanges(piece.rows, block, [&](std::int64_t first, std::int64_t last) {
            gradientBlock(piece, first, last - first);
            if (all.dx && threads_ == 1)
                data(piece.g ? piece.g : rowOf(b.dy, first, p_.out, p_.dtype), first, last - first,
                     0, p_.in);
        });
        if (all.dx && threads_ > 1)
            everyBlock(
                piece.rows, p_.in, block, threads_,
                [&](std::int64_t m, std::int64_t rows, std::int64_t n, std::int64_t columns) {
                    data(rowOf(piece.g ? piece.g : b.dy, m, p_.out, p_.dtype), m, rows, n, columns);
                });
        if (all.db)
            addColumnSums(piece.sums, (piece.rows + kGradientRows - 1) / kGradientRows, p_.out,
                          all.db, all.accumulateBias || row > 0);
        if (!all.dw)
            continue;
        const std::int64_t tiles =
            std::max<std::int64_t>(1, kCachedBytes / (4 * pairs::kRows * piece.pairs()));
        everyBlock(p_.out, p_.in, tiles * pairs::kRows, threads_,
                   [&](std::int64_t m, std::int64_t rows, std::int64_t n, std::int64_t columns) {
                       pairs::multiply(
                           rows, columns, piece.rows,
                           pairs::Tiles{piece.gTiles + m * piece.pairs(), piece.pairs()},
                           pairs::Panels{piece.xPanels + n * piece.pairs(), piece.pairs()},
                           {nullptr, false, all.accumulateWeight || row > 0},
                           all.dw + m * p_.in + n, p_.in);
                   });
    }
}

} // namespace scalebench::kernels::cpu
