// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/panel_linear.h"

#include <algorithm>
#include <cstddef>

#include <omp.h>

#include "kernels/cpu/linear_gradient.h"
#include "kernels/cpu/panel_blocks.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/elementwise.h"

namespace scalebench::kernels::cpu {
namespace {

// In fp32 the weight is packed by each call, which is not worth it for fewer rows, nor in layers of
// 256 x 1024 (a Transformer's step by two threads took 6 % longer).
constexpr std::int64_t kFewestFloatRows = 512, kFewestFloatWeights = (1 << 18) + 1;
constexpr std::int64_t kMostGradients = std::int64_t{1} << 24; ///< of a piece of backward

const std::byte* rowOf(const void* matrix, std::int64_t row, std::int64_t columns, DType type)
{
    return static_cast<const std::byte*>(matrix) + std::size_t(row * columns) * dtypeBytes(type);
}

} // namespace

/// What backward needs of some rows: operands, and room for the gradient before the activation (of
/// a block with one thread, of all rows with several), for both packed, and sums of columns.
template <class T>
struct PanelLinear::Piece {
    LinearBackward b;
    std::int64_t rows = 0;
    T* g = nullptr; ///< null: dy serves
    std::uint32_t *gTiles = nullptr, *xPanels = nullptr;
    float* sums = nullptr;
    const std::uint32_t* weight = nullptr;
    float* deepSums = nullptr; ///< null: no need of them

    std::int64_t words() const { return panels::wordsOf<T>(rows); }
};

bool PanelLinear::suits(const LinearParams& p)
{
    const std::int64_t inWord = p.dtype == DType::BF16 ? 2 : 1;
    return panels::available(p.dtype) && p.out >= panels::kPanel && p.in > 1 &&
           p.in <= panels::kDeepest * inWord &&
           (p.dtype == DType::BF16 || (p.out <= panels::kDeepest && p.N >= kFewestFloatRows &&
                                       p.in * p.out >= kFewestFloatWeights));
}

PanelLinear::PanelLinear(const LinearParams& p)
    : p_(p), threads_(std::max(1, omp_get_max_threads()))
{
    const std::int64_t most =
        std::clamp(kMostGradients / std::max<std::int64_t>(p.out, 1), kGradientRows,
                   panels::kMostWords * (p.dtype == DType::BF16 ? 2 : 1));
    const std::int64_t pieces = std::max<std::int64_t>(1, (p.N + most - 1) / most);
    const std::int64_t even = (p.N + pieces - 1) / pieces;
    pieceRows_ = (even + kGradientRows - 1) / kGradientRows * kGradientRows;
}

std::int64_t PanelLinear::words(std::int64_t depth) const
{
    return p_.dtype == DType::BF16 ? panels::wordsOf<bf16_t>(depth) : depth;
}

std::int64_t PanelLinear::transposedWords() const
{
    return panels::inPanels(p_.out) * words(p_.in);
}

std::int64_t PanelLinear::plainWords() const
{
    return panels::inPanels(p_.in) * words(p_.out);
}

std::int64_t PanelLinear::deepPieces() const
{
    return (words(p_.out) + panels::kDeepest - 1) / panels::kDeepest;
}

std::size_t PanelLinear::packedWeightBytes() const
{
    return p_.dtype == DType::F32
               ? 0
               : std::size_t(transposedWords() + plainWords()) * sizeof(std::uint32_t);
}

void PanelLinear::pack(const float* w, void* packed) const
{
    if (p_.dtype == DType::F32)
        return;
    auto* transposed = static_cast<std::uint32_t*>(packed);
    std::uint32_t* plain = transposed + transposedWords();
    parallelRanges(p_.out, panels::kColumns, [&](std::int64_t first, std::int64_t) {
        panels::packWeight(w, p_.out, p_.in, first, transposed, plain);
    });
}

void PanelLinear::forward(const void* x, const float* w, const void* packed, const float* b,
                          void* y, void* workspace) const
{
    if (p_.dtype == DType::BF16)
        return forwardRows<bf16_t>(x, static_cast<const std::uint32_t*>(packed), b, y);
    auto* weight = static_cast<std::uint32_t*>(workspace);
    parallelRanges(p_.out, panels::kPanel, [&](std::int64_t first, std::int64_t last) {
        panels::packTransposed(w + first * p_.in, p_.in, last - first, p_.in,
                               weight + first / panels::kColumns * panels::kColumns * p_.in +
                                   first % panels::kColumns,
                               panels::groupWidth(first, p_.out));
    });
    forwardRows<float>(x, weight, b, y);
}

template <class T>
void PanelLinear::forwardRows(const void* x, const std::uint32_t* weight, const float* b,
                              void* y) const
{
    const std::int64_t deep = panels::wordsOf<T>(p_.in);
    panels::everyBlock(
        p_.N, p_.out, threads_, false,
        [&](std::int64_t m, std::int64_t rows, std::int64_t n, std::int64_t columns) {
            const panels::Rows<T> A{static_cast<const T*>(x) + m * p_.in, p_.in};
            const panels::Panels<T> B{weight + n * deep, deep};
            const panels::Finish finish{b ? b + n : nullptr, p_.activation == Activation::Relu,
                                        false};
            const std::int64_t at = m * p_.out + n;
            panels::Ahead ahead;
            if (columns == p_.out)
                ahead.runs[0] =
                    panels::blockFrom(x, m + rows, p_.N, p_.in * std::int64_t(sizeof(T)));
            if (p_.outputType == p_.dtype)
                panels::multiply(rows, columns, p_.in, A, B, finish, static_cast<T*>(y) + at,
                                 p_.out, ahead);
            else
                panels::multiply(rows, columns, p_.in, A, B, finish, static_cast<float*>(y) + at,
                                 p_.out, ahead);
        });
}

std::size_t PanelLinear::workspaceBytes() const
{
    const std::int64_t deep = words(pieceRows_);
    Carver room(nullptr);
    room.take(pieceRows_ * p_.out * std::int64_t(dtypeBytes(p_.dtype)));
    room.take<std::uint32_t>(panels::inTiles(p_.out) * deep);
    room.take<std::uint32_t>(panels::inPanels(p_.in) * deep);
    room.take<float>(pieceRows_ / kGradientRows * p_.out);
    room.take<float>(deepPieces() > 1 ? pieceRows_ * p_.in : 0);
    if (p_.dtype == DType::F32)
        room.take<std::uint32_t>(plainWords());
    const std::size_t forward =
        p_.dtype == DType::F32 ? std::size_t(transposedWords()) * sizeof(std::uint32_t) : 0;
    return std::max(room.used(), forward);
}

/// Rows [m, m + rows) of the piece that begins with row `row`, columns [n, n + columns).
struct PanelLinear::DataBlock {
    std::int64_t row, m, rows, n, columns;
    panels::Ahead ahead = {}; ///< fetched meanwhile
};

/// dx of some rows, in bf16 by sums in fp32 where they are deeper than the caches hold.
template <class T>
void PanelLinear::dataGradient(const Piece<T>& piece, const T* g, const DataBlock& d) const
{
    const std::int64_t deep = panels::wordsOf<T>(p_.out);
    T* const dx = static_cast<T*>(piece.b.dx) + (d.row + d.m) * p_.in + d.n;
    if (!piece.deepSums)
        return panels::multiply(d.rows, d.columns, p_.out, panels::Rows<T>{g, p_.out},
                                panels::Panels<T>{piece.weight + d.n * deep, deep}, {}, dx, p_.in,
                                d.ahead);
    if constexpr (sizeof(T) == sizeof(bf16_t)) {
        float* const sums = piece.deepSums + d.m * p_.in + d.n;
        const std::int64_t pieces = deepPieces(), depth = deep / pieces * 2;
        for (std::int64_t i = 0; i < pieces; ++i)
            panels::multiply(d.rows, d.columns, i + 1 < pieces ? depth : p_.out - i * depth,
                             panels::Rows<T>{g + i * depth, p_.out},
                             panels::Panels<T>{piece.weight + d.n * deep, deep, i * depth / 2},
                             {nullptr, false, i > 0}, sums, p_.in);
        for (std::int64_t r = 0; r < d.rows; ++r)
            castF32ToBf16(d.columns, sums + r * p_.in, dx + r * p_.in);
    }
}

/// From dy to the gradient before the activation of some rows, packed, and its sums.
template <class T>
void PanelLinear::gradientBlock(const Piece<T>& piece, std::int64_t row, std::int64_t rows) const
{
    const LinearBackward& b = piece.b;
    T* const own = piece.g && threads_ > 1 ? piece.g + row * p_.out : piece.g;
    for (std::int64_t r = 0; r < rows; r += kGradientRows) {
        float* const sums = piece.sums ? piece.sums + (row + r) / kGradientRows * p_.out : nullptr;
        if (own || sums)
            linearGradientRows(p_.activation, p_.outputType, p_.dtype,
                               std::min(kGradientRows, rows - r), p_.out,
                               b.kept ? rowOf(b.kept, row + r, p_.out, p_.outputType) : nullptr,
                               rowOf(b.dy, row + r, p_.out, p_.outputType),
                               own ? own + r * p_.out : nullptr, sums);
    }
    const T* const g = own ? own : static_cast<const T*>(b.dy) + row * p_.out;
    const std::int64_t first = row / panels::kInWord<T>;
    if (piece.gTiles)
        panels::packTiles(g, p_.out, rows, p_.out, piece.gTiles, first, piece.words());
    if (piece.xPanels)
        panels::packPanels(static_cast<const T*>(b.x) + row * p_.in, p_.in, rows, p_.in,
                           piece.xPanels, first, piece.words());
}

void PanelLinear::backward(const LinearBackward& all, void* workspace) const
{
    if (p_.N == 0) {
        if (all.dw && !all.accumulateWeight)
            std::fill_n(all.dw, p_.in * p_.out, 0.0f);
        if (all.db && !all.accumulateBias)
            std::fill_n(all.db, p_.out, 0.0f);
        return;
    }
    if (p_.dtype == DType::BF16) {
        const auto* weight = static_cast<const std::uint32_t*>(all.packed) + transposedWords();
        return backwardPieces<bf16_t>(all, weight, workspace);
    }
    Carver room(workspace);
    auto* weight = room.take<std::uint32_t>(plainWords());
    if (all.dx)
        parallelRanges(p_.out, panels::kPanel, [&](std::int64_t first, std::int64_t last) {
            panels::packPanels(all.w + first * p_.in, p_.in, last - first, p_.in, weight, first,
                               p_.out);
        });
    backwardPieces<float>(all, weight, room.take(0));
}

template <class T>
void PanelLinear::backwardPieces(const LinearBackward& all, const std::uint32_t* weight,
                                 void* workspace) const
{
    for (std::int64_t row = 0; row < p_.N; row += pieceRows_) {
        Carver room(workspace);
        Piece<T> piece;
        piece.weight = weight;
        piece.rows = std::min(pieceRows_, p_.N - row);
        LinearBackward& b = piece.b = all;
        b.x = rowOf(all.x, row, p_.in, p_.dtype);
        b.dy = rowOf(all.dy, row, p_.out, p_.outputType);
        b.kept = all.kept ? rowOf(all.kept, row, p_.out, p_.outputType) : nullptr;
        if (p_.activation != Activation::None || p_.outputType != p_.dtype)
            piece.g = room.take<T>(pieceRows_ * p_.out);
        if (all.dw) {
            piece.gTiles = room.take<std::uint32_t>(panels::inTiles(p_.out) * piece.words());
            piece.xPanels = room.take<std::uint32_t>(panels::inPanels(p_.in) * piece.words());
        }
        if (all.db)
            piece.sums = room.take<float>(pieceRows_ / kGradientRows * p_.out);
        if (all.dx && deepPieces() > 1)
            piece.deepSums = room.take<float>(pieceRows_ * p_.in);
        const auto* const dy = static_cast<const T*>(b.dy); // where no g is made
        parallelRanges(piece.rows, threads_ == 1 ? panels::kBlockRows : kGradientRows,
                       [&](std::int64_t first, std::int64_t last) {
                           gradientBlock(piece, first, last - first);
                           if (!all.dx || threads_ > 1)
                               return;
                           const auto from = [&](const void* matrix, std::int64_t columns,
                                                 DType type) {
                               return panels::blockFrom(matrix, last, piece.rows,
                                                        columns * std::int64_t(dtypeBytes(type)));
                           };
                           panels::Ahead ahead{{from(b.dy, p_.out, p_.outputType)}};
                           if (b.kept && piece.g)
                               ahead.runs[2] = from(b.kept, p_.out, p_.outputType);
                           if (all.dw)
                               ahead.runs[1] = from(b.x, p_.in, p_.dtype);
                           dataGradient<T>(piece, piece.g ? piece.g : dy + first * p_.out,
                                           {row, first, last - first, 0, p_.in, ahead});
                       });
        if (all.dx && threads_ > 1)
            panels::everyBlock(
                piece.rows, p_.in, threads_, false,
                [&](std::int64_t m, std::int64_t rows, std::int64_t n, std::int64_t columns) {
                    dataGradient<T>(piece, (piece.g ? piece.g : dy) + m * p_.out,
                                    {row, m, rows, n, columns});
                });
        if (all.db)
            addColumnSums(piece.sums, (piece.rows + kGradientRows - 1) / kGradientRows, p_.out,
                          all.db, all.accumulateBias || row > 0);
        if (!all.dw)
            continue;
        panels::everyBlock(
            p_.out, p_.in, threads_, true,
            [&](std::int64_t m, std::int64_t rows, std::int64_t n, std::int64_t columns) {
                panels::multiply(
                    rows, columns, piece.rows,
                    panels::Tiles<T>{piece.gTiles + m * piece.words(), piece.words()},
                    panels::Panels<T>{piece.xPanels + n * piece.words(), piece.words()},
                    {nullptr, false, all.accumulateWeight || row > 0}, all.dw + m * p_.in + n,
                    p_.in);
            });
    }
}

} // namespace scalebench::kernels::cpu
