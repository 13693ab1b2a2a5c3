// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of a product, and what of them each thread computes.
#include "kernels/cpu/float_gemm.h"

#include <algorithm>

#include "kernels/cpu/float_level.h"
#include "kernels/cpu/parallel.h"
#include "kernels/formula/activation.h"

namespace scalebench::kernels::cpu {

using namespace floats;

namespace {

constexpr std::int64_t kColumns = 3072; ///< of a block of B, which stays in the last-level cache

/// A block of a matrix that is fetched while `calls` products are made, a share with each.
class Fetch
{
public:
    Fetch() = default;
    Fetch(FloatMatrix m, std::int64_t rows, std::int64_t columns, std::int64_t calls) : at_(m.at)
    {
        // Runs of 16 lines at least, side by side if they can be, so that a share is made of few.
        const std::int64_t floats = m.rowStride == 1 ? rows : columns,
                           vectors = m.rowStride == 1 ? columns : rows,
                           step = m.rowStride == 1 ? m.columnStride : m.rowStride;
        const auto begin = std::int64_t(reinterpret_cast<std::uintptr_t>(m.at) / 4 % kLine);
        const std::int64_t lines = (begin + floats + kLine - 1) / kLine;
        const bool along = lines >= std::min<std::int64_t>(vectors, 16);
        step_ = along ? kLine : step;
        nextRun_ = along ? step : kLine;
        length_ = along ? lines : vectors;
        runs_ = along ? vectors : lines;
        share_ = (runs_ * length_ + calls - 1) / std::max<std::int64_t>(calls, 1);
    }
    void next(Lines& lines)
    {
        for (std::int64_t left = share_; left > 0 && runs_ > 0 && lines.count < Lines::kMost;) {
            const std::int64_t n = std::min(left, length_ - done_);
            lines.runs[lines.count++] = {at_ + done_ * step_, step_, n};
            left -= n;
            done_ += n;
            if (done_ == length_) {
                done_ = 0;
                at_ += nextRun_;
                --runs_;
            }
        }
    }

private:
    const float* at_ = nullptr;           ///< the first line of this run
    std::int64_t step_ = 0, nextRun_ = 0; ///< floats to the next line, to the next run
    std::int64_t length_ = 0, runs_ = 0;  ///< lines of a run, runs left
    std::int64_t done_ = 0, share_ = 0;   ///< lines of this run, lines with each product
};

/// `width` columns of a block that was made beside C, as there is no room for all of them there.
void storeEdge(const float* block, int height, std::int64_t width, const Result& C)
{
    const std::int64_t step = level().width;
    for (std::int64_t m = 0; m < height; ++m)
        for (std::int64_t j = 0; j < width; ++j) {
            float& c = C.at[m * C.ldc + j];
            const float sum = (C.accumulate ? c : 0.0f) + block[m * step + j] +
                              (C.finish.bias ? C.finish.bias[j] : 0.0f);
            c = C.finish.relu ? formula::relu(sum) : sum;
        }
}

/// Panels of B that are packed when they are first needed.
struct Fresh {
    FloatPanels from;
    const FloatMatrix* matrix; ///< what they are copied from, if it is stored so
    std::int64_t k, n;         ///< of their first element
    float* packed;
};

void packPanel(const Fresh& f, std::int64_t n, std::int64_t columns, std::int64_t depth)
{
    const std::int64_t width = level().width;
    f.from.pack(f.from.source, f.k, depth, f.n + n, std::min(width, columns - n), width,
                f.packed + n * depth);
}

/// The panel from column n on, if there is one.
Fetch fetchPanel(const Fresh& f, std::int64_t n, std::int64_t columns, std::int64_t depth,
                 std::int64_t calls)
{
    if (!f.matrix || n >= columns)
        return {};
    return {moved(*f.matrix, f.k, f.n + n), depth,
            std::min<std::int64_t>(level().width, columns - n), calls};
}

std::int64_t panelsOf(std::int64_t rows)
{
    return (rows + level().height - 1) / level().height;
}

/// One block of A (packed here, or read where it lies) against a block of B of `columns` columns,
/// packed or to be packed. A share of what `later` has is fetched with every product.
void multiplyBlock(std::int64_t rows, std::int64_t columns, std::int64_t depth, FloatMatrix A,
                   const float* B, const Fresh* fresh, Fetch later, const Result& C, float* packedA)
{
    const Level& l = level();
    const std::int64_t panels = panelsOf(rows);
    // Rows in one piece each; a stride of 1 is that of rows that lie side by side.
    const bool inPlace = A.rowStride > 1 && columns <= l.inPlaceColumns;
    const Multiply multiply = inPlace ? l.multiplyInPlace : l.multiply;
    if (!inPlace)
        packBlock(A, rows, panels, depth, packedA);
    alignas(64) float edge[12 * 32];
    Fetch panel;
    for (std::int64_t n = 0; n < columns; n += l.width, B += depth * l.width) {
        if (fresh) {
            packPanel(*fresh, n, columns, depth);
            panel = fetchPanel(*fresh, n + l.width, columns, depth, panels);
        }
        const std::int64_t width = std::min<std::int64_t>(l.width, columns - n);
        for (std::int64_t i = 0; i < panels; ++i) {
            const std::int64_t begin = panelBegin(rows, panels, i);
            const int height = int(panelBegin(rows, panels, i + 1) - begin);
            const std::int64_t share = (depth + panels - 1) / panels;
            const float* const next = B + (depth + i * share) * l.width;
            Lines lines;
            lines.share = fresh ? 0 : share;
            panel.next(lines);
            later.next(lines);
            const Result result{C.at + begin * C.ldc + n,
                                C.ldc,
                                C.accumulate,
                                {C.finish.bias ? C.finish.bias + n : nullptr, C.finish.relu}};
            const float* const a =
                inPlace ? A.at + begin * A.rowStride : packedA + begin * depth + i * kSlack;
            if (width == l.width) {
                multiply(height, depth, a, A.rowStride, B, next, lines, result);
                continue;
            }
            multiply(height, depth, a, A.rowStride, B, next, lines, {edge, l.width, false, {}});
            storeEdge(edge, height, width, result);
        }
    }
}

/// What is fetched while the block of A before it is multiplied by `columns` columns.
Fetch fetchBlock(FloatMatrix A, std::int64_t rows, std::int64_t depth, std::int64_t rowsBefore,
                 std::int64_t columns)
{
    const std::int64_t width = level().width;
    return {A, rows, depth, panelsOf(rowsBefore) * ((columns + width - 1) / width)};
}

/// Rows [begin, end) of A, of `all`, against a block of B; the first pack what is fresh.
void multiplyRows(std::int64_t begin, std::int64_t end, std::int64_t all, std::int64_t columns,
                  std::int64_t depth, FloatMatrix A, const float* B, const Fresh* fresh,
                  const Result& C, float* packedA)
{
    // Blocks as even as whole panels allow.
    const std::int64_t blocks = (end - begin + level().rows - 1) / level().rows;
    const std::int64_t most = roundUp((end - begin + blocks - 1) / blocks, level().height);
    for (std::int64_t m = begin; m < end; m += most, fresh = nullptr) {
        const std::int64_t rows = std::min(most, end - m), next = m + rows;
        const Fetch later = next < all ? fetchBlock(moved(A, next, 0), std::min(most, all - next),
                                                    depth, rows, columns)
                                       : Fetch{};
        multiplyBlock(rows, columns, depth, moved(A, m, 0), B, fresh, later,
                      {C.at + m * C.ldc, C.ldc, C.accumulate, C.finish}, packedA);
    }
}

std::int64_t scratchA()
{
    return level().rows * (level().depth + kSlack) + kSlack;
}
std::int64_t scratchB(std::int64_t N)
{
    return level().depth * roundUp(std::min(N, kColumns), level().width);
}

/// K is summed in pieces as even as level().depth allows: a short last one would load and store all
/// of C for few sums.
std::int64_t pieceOf(std::int64_t K)
{
    const std::int64_t pieces = std::max<std::int64_t>(1, (K + level().depth - 1) / level().depth);
    return roundUp((K + pieces - 1) / pieces, 8);
}

/// Where the packed block of depth k and column n begins.
std::int64_t packedOffset(std::int64_t N, std::int64_t depth, std::int64_t k, std::int64_t n)
{
    return k * roundUp(N, level().width) + n * depth;
}

/// From column n on; nothing before all of K is summed.
FloatFinish finishFrom(const FloatFinish& finish, std::int64_t n, bool summed)
{
    if (!summed)
        return {};
    return {finish.bias ? finish.bias + n : nullptr, finish.relu};
}

/// What one of `tasks` tasks computes of n, in whole pieces.
std::int64_t shareOf(std::int64_t n, std::int64_t tasks, std::int64_t piece)
{
    return roundUp(std::max<std::int64_t>(1, (n + tasks - 1) / tasks), piece);
}

/// Rows in pieces that threads take one by one: all of them, or a block each. As even as whole
/// panels allow.
struct RowPieces {
    std::int64_t rows, count;

    RowPieces(std::int64_t M, int tasks) : rows(M)
    {
        const std::int64_t most = tasks * level().rows;
        count = tasks == 1 ? std::min<std::int64_t>(M, 1)
                           : std::min(tasks * ((M + most - 1) / most), panelsOf(M));
    }
    std::int64_t begin(std::int64_t i) const
    {
        return std::min(rows, count == 1 ? i * rows : panelsOf(rows) * i / count * level().height);
    }
};

/// B is what `panels` copies from column `first` on, or has copied from `matrix`.
void multiplyPanels(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                    const FloatPanels& panels, const FloatMatrix* matrix, const Result& C,
                    int tasks, void* workspace, std::int64_t first = 0)
{
    float* const packedA = static_cast<float*>(workspace);
    float* const packedB = packedA + tasks * scratchA();
    const RowPieces pieces(M, tasks);
    const std::int64_t width = level().width;
    const std::int64_t piece = pieceOf(K);
    for (std::int64_t n = 0; n < N; n += kColumns) {
        const std::int64_t columns = std::min(kColumns, N - n);
        for (std::int64_t k = 0; k < K; k += piece) {
            const std::int64_t depth = std::min(piece, K - k);
            const Fresh fresh{panels, matrix, k, first + n, packedB};
            const Result result{C.at + n, C.ldc, C.accumulate || k > 0,
                                finishFrom(C.finish, n, k + depth == K)};
            if (tasks == 1) { // packs each panel when its first rows need it
                multiplyRows(0, M, M, columns, depth, moved(A, 0, k), packedB, &fresh, result,
                             packedA);
                continue;
            }
            constexpr std::int64_t kPanels = 16; // that a thread packs at once
            parallelRanges((columns + width - 1) / width, kPanels,
                           [&](std::int64_t begin, std::int64_t end) {
                               for (std::int64_t i = begin; i < end; ++i)
                                   packPanel(fresh, i * width, columns, depth);
                           });
            parallelWorkers(tasks, pieces.count, [&](std::int64_t i, int worker) {
                multiplyRows(pieces.begin(i), pieces.begin(i + 1), M, columns, depth,
                             moved(A, 0, k), packedB, nullptr, result,
                             packedA + worker * scratchA());
            });
        }
    }
}

constexpr std::int64_t kMostApart = 1024; ///< columns of B that are packed for each share

/// Rows or columns of C, of which there are more, of a share, where A is stored transposed (weight
/// gradients); 0: threads stay together.
std::int64_t shareApart(std::int64_t M, std::int64_t N, FloatMatrix A, int tasks)
{
    const Level& l = level();
    const std::int64_t shares = A.rowStride == 1 ? sharesApart(tasks, M, N) : 0;
    if (shares == 0)
        return 0;
    if (M < N)
        return N >= tasks * l.width ? shareOf(N, shares, l.width) : 0;
    return N <= kMostApart && M >= 2 * tasks * l.height ? shareOf(M, shares, l.height) : 0;
}

/// Of B, for all threads.
std::int64_t scratchApart(std::int64_t N, int tasks)
{
    return tasks *
           std::max(scratchB(std::min(N, kMostApart)), scratchB(shareOf(N, tasks, level().width)));
}

} // namespace

bool floatGemmAvailable()
{
    return level().height > 0;
}

std::size_t floatGemmWorkspace(std::int64_t N, int tasks)
{
    const std::int64_t ofB =
        tasks == 1 ? scratchB(N) : std::max(scratchB(N), scratchApart(N, tasks));
    return std::size_t(tasks * scratchA() + ofB) * sizeof(float);
}

void floatGemm(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A, FloatMatrix B,
               float* C, std::int64_t ldc, bool accumulate, int tasks, void* workspace,
               const FloatFinish& finish)
{
    const auto pack = [](const void* source, std::int64_t k, std::int64_t depth, std::int64_t n,
                         std::int64_t width, std::int64_t, float* out) {
        level().packing->columns(moved(*static_cast<const FloatMatrix*>(source), k, n), width,
                                 depth, out);
    };
    if (const std::int64_t share = shareApart(M, N, A, tasks)) {
        const bool rows = M >= N;
        const std::size_t room = floatGemmWorkspace(rows ? N : share, 1);
        const std::int64_t all = rows ? M : N;
        return parallelWorkers(tasks, (all + share - 1) / share, [&](std::int64_t i, int worker) {
            const std::int64_t begin = i * share, end = std::min(all, begin + share);
            const std::int64_t m = rows ? begin : 0, n = rows ? 0 : begin;
            floatGemm(rows ? end - m : M, rows ? N : end - n, K, moved(A, m, 0), moved(B, 0, n),
                      C + m * ldc + n, ldc, accumulate, 1,
                      static_cast<std::byte*>(workspace) + std::size_t(worker) * room,
                      finishFrom(finish, n, true));
        });
    }
    multiplyPanels(M, N, K, A, {pack, &B}, &B, {C, ldc, accumulate, finish}, tasks, workspace);
}

void floatGemmPanels(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                     const FloatPanels& B, float* C, std::int64_t ldc, bool accumulate, int tasks,
                     void* workspace, const FloatFinish& finish)
{
    if (const std::int64_t share = shareApart(M, N, A, tasks); share > 0 && M < N) {
        const std::size_t room = floatGemmWorkspace(share, 1);
        return parallelWorkers(tasks, (N + share - 1) / share, [&](std::int64_t i, int worker) {
            const std::int64_t n = i * share;
            multiplyPanels(M, std::min(share, N - n), K, A, B, nullptr,
                           {C + n, ldc, accumulate, finishFrom(finish, n, true)}, 1,
                           static_cast<std::byte*>(workspace) + std::size_t(worker) * room, n);
        });
    }
    multiplyPanels(M, N, K, A, B, nullptr, {C, ldc, accumulate, finish}, tasks, workspace);
}

std::size_t floatGemmPackedBytes(std::int64_t N, std::int64_t K)
{
    return std::size_t(roundUp(N, level().width) * K) * sizeof(float);
}

void floatGemmPack(std::int64_t N, std::int64_t K, FloatMatrix B, float* packed)
{
    const std::int64_t piece = pieceOf(K);
    for (std::int64_t k = 0; k < K; k += piece)
        packPanels(moved(B, k, 0), N, std::min(piece, K - k), packed + packedOffset(N, 0, k, 0));
}

void floatGemmPackPanels(std::int64_t N, std::int64_t K, const FloatPanels& B, float* packed)
{
    const std::int64_t width = level().width, piece = pieceOf(K);
    const std::int64_t panels = (N + width - 1) / width;
    static_assert(kFloatPanelRows % 8 == 0); // as pieceOf()
    const std::int64_t runs = (K + kFloatPanelRows - 1) / kFloatPanelRows;
    parallelRanges(panels * runs, 4, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t n = i / runs * width, row = i % runs * kFloatPanelRows;
            const std::int64_t k = row / piece * piece, depth = std::min(piece, K - k);
            B.pack(B.source, row, std::min(kFloatPanelRows, K - row), n, std::min(width, N - n),
                   width, packed + packedOffset(N, depth, k, n) + (row - k) * width);
        }
    });
}

void floatGemmPacked(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                     const float* packed, float* C, std::int64_t ldc, bool accumulate, int tasks,
                     void* workspace, const FloatFinish& finish)
{
    // Few rows (a step of a recurrent layer) are shared by columns, as B is what has to be read;
    // many by rows, so that each is packed once. Each share of columns packs all rows.
    constexpr std::int64_t kFewestColumns = 1024;
    const bool byRows = M >= N;
    const RowPieces pieces(M, tasks);
    const std::int64_t share = shareOf(N, piecesOf(tasks, N / kFewestColumns), level().width);
    const std::int64_t piece = pieceOf(K), count = byRows ? pieces.count : (N + share - 1) / share;
    parallelWorkers(tasks, count, [&](std::int64_t i, int worker) {
        float* const own = static_cast<float*>(workspace) + worker * scratchA();
        const std::int64_t row = byRows ? pieces.begin(i) : 0,
                           rows = byRows ? pieces.begin(i + 1) : M;
        const std::int64_t column = byRows ? 0 : i * share,
                           columns = byRows ? N : std::min(share, N - column);
        for (std::int64_t k = 0; k < K; k += piece) {
            const std::int64_t depth = std::min(piece, K - k);
            multiplyRows(
                row, rows, byRows ? M : rows, columns, depth, moved(A, 0, k),
                packed + packedOffset(N, depth, k, column), nullptr,
                {C + column, ldc, accumulate || k > 0, finishFrom(finish, column, k + depth == K)},
                own);
        }
    });
}

} // namespace scalebench::kernels::cpu
