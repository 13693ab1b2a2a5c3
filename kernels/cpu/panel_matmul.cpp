// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/panel_matmul.h"

#include <algorithm>

#include <omp.h>

#include "kernels/cpu/panel_amx.h"
#include "kernels/cpu/panel_blocks.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/plain_matmul.h"
#include "kernels/cpu/scratch.h"
#include "kernels/elementwise.h"

namespace scalebench::kernels::cpu {
namespace {

constexpr std::int64_t kPackedWords = std::int64_t{1} << 19; ///< of B at once: 2 MB, about
constexpr std::int64_t kPieceNumbers = std::int64_t{1} << 17, kFewestRows = 256;
constexpr std::int64_t kAmxNumbers = std::int64_t{1}
                                     << 19;        ///< of a piece: AMX comes with 2 MB of L2
constexpr std::int64_t kPackedRows = 64;           ///< that a thread packs at once
constexpr std::int64_t kDeep = 2 * panels::kPanel; ///< a piece of K: whole panels, and AMX's tiles
constexpr std::int64_t kFewestApart = 32;          ///< rows or columns of C for each thread, below

/// As sharesApart(), where both operands are packed.
std::int64_t sharesOf(const MatmulParams& p, int threads)
{
    const bool packsBoth = p.transA && !p.transB && !p.bias;
    return packsBoth && std::max(p.M, p.N) >= kFewestApart * threads
               ? sharesApart(threads, p.M, p.N)
               : 0;
}

std::int64_t words(std::int64_t depth)
{
    return panels::wordsOf<bf16_t>(depth);
}

/// Whether a transposed A is packed as rows, which AMX multiplies.
bool packsRows(const MatmulParams& p)
{
    return p.transA && !panels::available(DType::BF16) && panels::amxMultiplies(kFewestRows);
}

/// Values of each sum that are packed of so many: tiles of AMX are whole.
std::int64_t packedDepth(const MatmulParams& p, std::int64_t depth)
{
    return packsRows(p) ? (depth + kDeep - 1) / kDeep * kDeep : depth;
}

/// From one packed row to the next: a line more, as rows of 4 KB would lie in one set of a cache.
std::int64_t packedRow(std::int64_t deep)
{
    return deep + kDeep;
}

/// Sums are made in pieces as even as whole panels allow: where both operands are packed, of what
/// the second-level cache holds beside the next piece.
std::int64_t pieceOf(const MatmulParams& p)
{
    const std::int64_t most =
        p.transA ? std::clamp<std::int64_t>((packsRows(p) ? kAmxNumbers : kPieceNumbers) /
                                                std::max<std::int64_t>(p.M + p.N, 1),
                                            kFewestRows, 2 * panels::kMostWords)
                 : 2 * panels::kDeepest;
    const std::int64_t pieces = std::max<std::int64_t>(1, (p.K + most - 1) / most);
    return (p.K + pieces * kDeep - 1) / (pieces * kDeep) * kDeep;
}

} // namespace

/// Values [k, k + depth) of each sum.
struct PanelMatmul::Piece {
    std::int64_t k, depth;
    const bf16_t* rows;         ///< of A from k on, packed if stored transposed; null: tiles
    std::int64_t lda;           ///< of `rows`
    const std::uint32_t* tiles; ///< of A stored transposed, packed; null: rows
    panels::Finish finish;
    void* c;
    std::int64_t ldc;
    bool floats;         ///< c is fp32
    panels::Ahead later; ///< what the next piece is packed from
};

/// Columns [n, n + columns) of B.
struct PanelMatmul::Block {
    std::int64_t n, columns;
    std::uint32_t* room; ///< for packing
    panels::Panels<bf16_t> panels;
};

bool PanelMatmul::suits(const MatmulParams& p)
{
    const bool single = p.outerBatch * p.innerBatch == 1;
    const bool byAmx =
        p.transA ? packsRows(p) && !p.transB && p.K >= kFewestRows / 2 : panels::amxMultiplies(p.K);
    const bool available = panels::available(DType::BF16) || byAmx;
    if (!available || p.inputType != DType::BF16 || !single || p.K < 2 || p.N < panels::kPanel)
        return false;
    if (p.activation != Activation::None && p.activation != Activation::Relu)
        return false;
    const bool pieces = pieceOf(p) < p.K, floats = p.outputType == DType::F32;
    if (p.packedB && (p.ldb != 0 || pieces))
        return false;
    return p.transA ? floats && !p.packedB && p.activation == Activation::None
                    : !pieces || (p.activation == Activation::None && (floats || !p.accumulate));
}

PanelMatmul::PanelMatmul(const MatmulParams& p)
    : PanelMatmul(p, std::max(1, omp_get_max_threads()), pieceOf(p))
{
    shares_ = sharesOf(p, threads_);
}

PanelMatmul::PanelMatmul(const MatmulParams& p, int threads, std::int64_t depth)
    : p_(p),
      threads_(threads),
      depth_(depth),
      columns_(p.N),
      floatSums_(p.outputType == DType::BF16 && depth_ < p.K)
{
    if (!p.packedB)
        columns_ =
            std::min(p.N, std::max(panels::kColumns, kPackedWords / words(depth_) /
                                                         panels::kColumns * panels::kColumns));
}

std::size_t PanelMatmul::packedBytes() const
{
    return p_.packedB ? std::size_t(panels::inPanels(p_.N) * words(p_.K)) * sizeof(std::uint32_t)
                      : 0;
}

/// A part of the rows of C or of its columns, of which there are more. Where they begin, in
/// elements.
struct PanelMatmul::Share {
    MatmulParams p;
    std::int64_t a = 0, b = 0, c = 0;
};

PanelMatmul::Share PanelMatmul::shareOf(std::int64_t i) const
{
    Share s{p_};
    s.p.lda = leading(p_.lda, p_.M), s.p.ldb = leading(p_.ldb, p_.N);
    s.p.ldc = leading(p_.ldc, p_.N);
    const bool rows = p_.M >= p_.N;
    std::int64_t& length = rows ? s.p.M : s.p.N;
    const std::int64_t even = (length + shares_ - 1) / shares_,
                       share = rows ? panels::inTiles(even) : panels::inPanels(even),
                       begin = std::min(length, i * share);
    length = std::min(share, length - begin);
    (rows ? s.a : s.b) = begin;
    s.c = rows ? begin * s.p.ldc : begin;
    return s;
}

std::size_t PanelMatmul::roomOfOne() const
{
    return PanelMatmul(shareOf(0).p, 1, depth_).workspaceBytes();
}

std::size_t PanelMatmul::workspaceBytes() const
{
    if (shares_ > 0)
        return std::size_t(threads_) * roomOfOne();
    Carver room(nullptr);
    const std::int64_t deep = words(packedDepth(p_, depth_));
    room.take<std::uint32_t>(p_.transA ? panels::inTiles(p_.M) * (deep + kDeep / 2) : 0);
    room.take<std::uint32_t>(p_.packedB ? 0 : panels::inPanels(columns_) * deep);
    room.take<float>(floatSums_ ? p_.M * p_.N : 0);
    return room.used();
}

void PanelMatmul::packB(const float* b, void* packed) const
{
    auto* const to = static_cast<std::uint32_t*>(packed);
    const std::int64_t rows = p_.transB ? p_.N : p_.K, columns = p_.transB ? p_.K : p_.N;
    parallelRanges(rows, panels::kColumns, [&](std::int64_t first, std::int64_t) {
        panels::packWeight(b, rows, columns, first, p_.transB ? to : nullptr,
                           p_.transB ? nullptr : to);
    });
}

void PanelMatmul::packBlock(const Piece& piece, const bf16_t* b, const Block& block,
                            std::int64_t depth) const
{
    const std::int64_t ld = leading(p_.ldb, p_.transB ? p_.K : p_.N), deep = words(piece.depth);
    if (p_.transB)
        parallelRanges(block.columns, panels::kPanel, [&](std::int64_t first, std::int64_t end) {
            panels::packTransposed(b + (block.n + first) * ld + piece.k, ld, end - first, depth,
                                   block.room + first / panels::kColumns * panels::kColumns * deep +
                                       first % panels::kColumns,
                                   panels::groupWidth(first, block.columns));
        });
    else
        parallelRanges(depth, kPackedRows, [&](std::int64_t first, std::int64_t end) {
            panels::packPanels(b + (piece.k + first) * ld + block.n, ld, end - first, block.columns,
                               block.room, first / 2, deep);
        });
    for (std::int64_t n = 0; words(depth) < deep && n < block.columns; n += panels::kColumns) {
        const std::int64_t width = panels::groupWidth(n, block.columns);
        std::fill_n(block.room + n * deep + words(depth) * width, (deep - words(depth)) * width,
                    0u);
    }
}

void PanelMatmul::multiply(const Piece& piece, const Block& block) const
{
    const std::int64_t deep = words(piece.depth);
    const auto part = [&](std::int64_t m, std::int64_t rows, std::int64_t n, std::int64_t columns) {
        panels::Panels<bf16_t> B = block.panels;
        B.at += n * B.words;
        panels::Finish finish = piece.finish;
        if (finish.bias)
            finish.bias += block.n + n;
        panels::Ahead ahead = piece.later;
        if (!p_.transA && columns == p_.N && piece.lda == piece.depth)
            ahead.runs[0] = panels::blockFrom(piece.rows, m + rows, p_.M,
                                              piece.lda * std::int64_t(sizeof(bf16_t)));
        const auto product = [&](auto A, auto* c) {
            panels::multiply(rows, columns, piece.depth, A, B, finish,
                             c + m * piece.ldc + block.n + n, piece.ldc, ahead);
        };
        if (piece.tiles)
            return product(panels::Tiles<bf16_t>{piece.tiles + m * deep, deep},
                           static_cast<float*>(piece.c));
        const panels::Rows<bf16_t> A{piece.rows + m * piece.lda, piece.lda};
        if (piece.floats)
            product(A, static_cast<float*>(piece.c));
        else
            product(A, static_cast<bf16_t*>(piece.c));
    };
    if (p_.transA && threads_ == 1) // the second-level cache holds all of them
        part(0, p_.M, 0, block.columns);
    else
        panels::everyBlock(p_.M, block.columns, threads_, p_.transA, part);
}

/// What the piece from value k on is packed from, where that is stored side by side.
panels::Ahead PanelMatmul::laterOf(const bf16_t* a, const bf16_t* b, std::int64_t k) const
{
    const std::int64_t rows = std::min(depth_, p_.K - k);
    if (!p_.transA || p_.transB || rows <= 0 || threads_ > 1 || columns_ < p_.N)
        return {};
    const auto run = [&](const bf16_t* x, std::int64_t ld, std::int64_t columns) {
        constexpr std::int64_t kBytes = sizeof(bf16_t);
        ld = leading(ld, columns);
        return panels::Ahead::Run::of(x + k * ld, rows, columns * kBytes, ld * kBytes);
    };
    return {{run(a, p_.lda, p_.M), run(b, p_.ldb, p_.N)}};
}

void PanelMatmul::run(const void* a, const void* b, const float* bias, void* c,
                      void* workspace) const
{
    const auto* const A = static_cast<const bf16_t*>(a);
    if (shares_ > 0)
        return parallelWorkers(threads_, shares_, [&](std::int64_t i, int worker) {
            const Share s = shareOf(i);
            if (s.p.M > 0 && s.p.N > 0)
                PanelMatmul(s.p, 1, depth_)
                    .run(A + s.a, static_cast<const bf16_t*>(b) + s.b, bias,
                         static_cast<float*>(c) + s.c,
                         static_cast<std::byte*>(workspace) + std::size_t(worker) * roomOfOne());
        });
    const std::int64_t lda = leading(p_.lda, p_.transA ? p_.M : p_.K), ldc = leading(p_.ldc, p_.N);
    Carver room(workspace);
    const std::int64_t most = words(packedDepth(p_, depth_));
    auto* const tiles =
        room.take<std::uint32_t>(p_.transA ? panels::inTiles(p_.M) * (most + kDeep / 2) : 0);
    auto* const packing =
        room.take<std::uint32_t>(p_.packedB ? 0 : panels::inPanels(columns_) * most);
    auto* const sums = room.take<float>(floatSums_ ? p_.M * p_.N : 0);
    for (std::int64_t k = 0; k < p_.K; k += depth_) {
        const std::int64_t depth = std::min(depth_, p_.K - k);
        const std::int64_t deep = packedDepth(p_, depth);
        auto* const rows = packsRows(p_) ? reinterpret_cast<bf16_t*>(tiles) : nullptr;
        if (p_.transA)
            parallelRanges(depth, kPackedRows, [&](std::int64_t first, std::int64_t end) {
                const bf16_t* const from = A + (k + first) * lda;
                if (rows)
                    panels::packRows(from, lda, end - first, p_.M, rows + first, packedRow(deep));
                else
                    panels::packTiles(from, lda, end - first, p_.M, tiles, first / 2, words(depth));
            });
        const panels::Finish finish{p_.bias && k == 0 ? bias : nullptr,
                                    p_.activation == Activation::Relu, p_.accumulate || k > 0};
        const Piece piece{k,
                          deep,
                          p_.transA ? rows : A + k,
                          rows ? packedRow(deep) : lda,
                          p_.transA && !rows ? tiles : nullptr,
                          finish,
                          floatSums_ ? sums : c,
                          floatSums_ ? p_.N : ldc,
                          floatSums_ || p_.outputType == DType::F32,
                          laterOf(A, static_cast<const bf16_t*>(b), k + depth)};
        for (std::int64_t n = 0; n < p_.N; n += columns_) {
            Block block{n, std::min(columns_, p_.N - n), packing, {packing, words(deep)}};
            if (p_.packedB)
                block.panels = {static_cast<const std::uint32_t*>(b), words(p_.K)};
            else
                packBlock(piece, static_cast<const bf16_t*>(b), block, depth);
            multiply(piece, block);
        }
    }
    for (std::int64_t m = 0; floatSums_ && m < p_.M; ++m)
        castF32ToBf16(p_.N, sums + m * p_.N, static_cast<bf16_t*>(c) + m * ldc);
}

} // namespace scalebench::kernels::cpu
