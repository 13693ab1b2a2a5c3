// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of a split product, and what of them each thread computes.
#include "kernels/cpu/split_gemm.h"

#include <algorithm>

#include "kernels/cpu/float_level.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/split_block.h"
#include "kernels/cpu/tile_gemm.h"
#include "kernels/cpu_level.h"

namespace scalebench::kernels::cpu {

using namespace split;
using floats::moved;
using floats::Result;
using floats::roundUp;

namespace {

// A block of A (36 KiB) stays in the first-level cache while those of B (1.2 MB), which stay in the
// second-level one, pass by. Measured with AMX (Emerald Rapids): a depth of 96 or 128 is as fast,
// 256 costs up to a tenth of deep products.
constexpr std::int64_t kDepth = 192, kColumns = 1024;
/// Of a task: one is multiplied while the next is made.
constexpr std::int64_t kRowBlocks = 2 * blockSize(kDepth);

std::int64_t blocks(std::int64_t n)
{
    return (n + kEdge - 1) / kEdge;
}

/// K is summed in pieces as even as kDepth allows.
std::int64_t pieceOf(std::int64_t K)
{
    const std::int64_t pieces = std::max<std::int64_t>(1, (K + kDepth - 1) / kDepth);
    return roundUp((K + pieces - 1) / pieces, kStep);
}

/// One piece of K and its columns of B: `block` is what is packed of them.
struct Piece {
    std::int64_t k, depth, n, columns;
    const bf16_t* block;
    Result C; ///< from column n on
};

/// `at` begins at the product's first element.
Piece pieceFrom(std::int64_t K, std::int64_t k, std::int64_t n, std::int64_t columns,
                const Result& at, const bf16_t* block)
{
    const std::int64_t depth = std::min(pieceOf(K), K - k);
    const bool summed = k + depth == K; // what follows the sum waits for all of it
    const FloatFinish finish{summed && at.finish.bias ? at.finish.bias + n : nullptr,
                             summed && at.finish.relu};
    return {k, depth, n, columns, block, {at.at + n, at.ldc, at.accumulate || k > 0, finish}};
}

/// Rows [begin, end) of A by a piece.
void multiplyRows(std::int64_t begin, std::int64_t end, FloatMatrix A, const Piece& p,
                  bf16_t* packedA)
{
    const tile::AmxScope scope(true);
    const std::int64_t steps = inSteps(p.depth);
    alignas(64) float sums[2][kEdge * kEdge];
    const auto rowsFrom = [&](std::int64_t m, bf16_t* out) {
        return RowBlock{moved(A, m, p.k), std::min(kEdge, end - m), p.depth, out};
    };
    RowBlock current = rowsFrom(begin, packedA), next;
    makePieces(current, current.pieces());
    const std::int64_t share = (current.pieces() + blocks(p.columns) - 1) / blocks(p.columns);
    Beside beside;
    for (std::int64_t m = begin, turn = 0; m < end; m += kEdge, current = next) {
        beside.pieces = m + kEdge < end ? share : 0;
        if (beside.pieces > 0)
            next =
                rowsFrom(m + kEdge, current.out == packedA ? packedA + blockSize(kDepth) : packedA);
        beside.next = &next;
        const bf16_t* B = p.block;
        for (std::int64_t n = 0; n < p.columns; n += kEdge, B += blockSize(p.depth), turn ^= 1) {
            sumBlock(steps, current.out, B, sums[turn], beside);
            const float* const bias = p.C.finish.bias;
            beside.before = {sums[turn],
                             current.rows,
                             std::min(kEdge, p.columns - n),
                             {p.C.at + m * p.C.ldc + n,
                              p.C.ldc,
                              p.C.accumulate,
                              {bias ? bias + n : nullptr, p.C.finish.relu}}};
        }
    }
    finishRows(beside.before, 0, beside.before.rows);
}

/// All rows, shared by the tasks.
void multiplyPiece(std::int64_t M, FloatMatrix A, const Piece& p, int tasks, void* workspace)
{
    const std::int64_t share = roundUp((M + tasks - 1) / tasks, kEdge);
    parallelRanges(M, share, [&](std::int64_t begin, std::int64_t end) {
        multiplyRows(begin, end, A, p,
                     static_cast<bf16_t*>(workspace) + begin / share * kRowBlocks);
    });
}

/// Columns from n on of rows [k, k + depth) of B.
void packBlocks(const FloatPanels& B, std::int64_t k, std::int64_t depth, std::int64_t n,
                std::int64_t columns, bf16_t* out)
{
    constexpr std::int64_t kAtOnce = 4; // of a thread
    parallelRanges(blocks(columns), kAtOnce, [&](std::int64_t begin, std::int64_t end) {
        alignas(64) float panel[kDepth * kEdge];
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t width = std::min(kEdge, columns - i * kEdge);
            B.pack(B.source, k, depth, n + i * kEdge, width, kEdge, panel);
            splitPanel(panel, depth, out + i * blockSize(depth));
        }
    });
}

FloatPanels panelsOf(const FloatMatrix& B)
{
    const auto pack = [](const void* source, std::int64_t k, std::int64_t depth, std::int64_t n,
                         std::int64_t width, std::int64_t, float* out) {
        floats::level().packing->columns(moved(*static_cast<const FloatMatrix*>(source), k, n),
                                         width, depth, out);
    };
    return {pack, &B};
}

/// Where the packed piece from k on begins.
std::int64_t packedOffset(std::int64_t N, std::int64_t k)
{
    return blocks(N) * blockSize(k);
}

} // namespace

bool splitGemmAvailable()
{
    static const bool available =
        tile::bf16Available() && cpuLevel() == CpuLevel::Avx512 && floats::level().width == kEdge;
    return available;
}

bool splitGemmFaster()
{
    return splitGemmAvailable() && tile::amxAvailable();
}

std::size_t splitGemmWorkspace(std::int64_t N, int tasks)
{
    return std::size_t(tasks * kRowBlocks + blocks(std::min(N, kColumns)) * blockSize(kDepth)) *
           sizeof(bf16_t);
}

void splitGemmPanels(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                     const FloatPanels& B, float* C, std::int64_t ldc, bool accumulate, int tasks,
                     void* workspace, const FloatFinish& finish)
{
    bf16_t* const packedB = static_cast<bf16_t*>(workspace) + tasks * kRowBlocks;
    const Result all{C, ldc, accumulate, finish};
    for (std::int64_t n = 0; n < N; n += kColumns)
        for (std::int64_t k = 0; k < K; k += pieceOf(K)) {
            const Piece p = pieceFrom(K, k, n, std::min(kColumns, N - n), all, packedB);
            packBlocks(B, k, p.depth, n, p.columns, packedB);
            multiplyPiece(M, A, p, tasks, workspace);
        }
}

void splitGemm(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A, FloatMatrix B,
               float* C, std::int64_t ldc, bool accumulate, int tasks, void* workspace,
               const FloatFinish& finish)
{
    splitGemmPanels(M, N, K, A, panelsOf(B), C, ldc, accumulate, tasks, workspace, finish);
}

std::size_t splitGemmPackedBytes(std::int64_t N, std::int64_t K)
{
    return std::size_t(blocks(N) * blockSize(K)) * sizeof(bf16_t);
}

void splitGemmPack(std::int64_t N, std::int64_t K, FloatMatrix B, float* packed)
{
    auto* const out = reinterpret_cast<bf16_t*>(packed);
    for (std::int64_t k = 0; k < K; k += pieceOf(K))
        packBlocks(panelsOf(B), k, std::min(pieceOf(K), K - k), 0, N, out + packedOffset(N, k));
}

void splitGemmPacked(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                     const float* packed, float* C, std::int64_t ldc, bool accumulate, int tasks,
                     void* workspace, const FloatFinish& finish)
{
    const auto* const all = reinterpret_cast<const bf16_t*>(packed);
    const Result result{C, ldc, accumulate, finish};
    for (std::int64_t n = 0; n < N; n += kColumns)
        for (std::int64_t k = 0; k < K; k += pieceOf(K)) {
            const std::int64_t depth = std::min(pieceOf(K), K - k);
            const bf16_t* const block = all + packedOffset(N, k) + n / kEdge * blockSize(depth);
            multiplyPiece(M, A, pieceFrom(K, k, n, std::min(kColumns, N - n), result, block), tasks,
                          workspace);
        }
}

} // namespace scalebench::kernels::cpu
