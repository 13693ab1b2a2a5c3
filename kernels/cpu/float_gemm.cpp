// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/float_gemm.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/square_transpose.h"
#include "kernels/cpu_level.h"
#include "kernels/formula/activation.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {
namespace {

constexpr std::int64_t kColumns = 3072; ///< of a block of B, which stays in the last-level cache
constexpr std::int64_t kSlack = 16;     ///< floats that packing may write behind a panel of A
constexpr std::int64_t kAhead = 8;      ///< rows of B fetched before they are needed
constexpr std::int64_t kLine = 16;      ///< floats of a cache line
constexpr std::int64_t kLong = 128;     ///< depth from which C is fetched before it is needed

// --- what is different for each instruction set, with the sizes of its registers ---

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

constexpr std::int64_t roundUp(std::int64_t n, std::int64_t to)
{
    return (n + to - 1) / to * to;
}

/// Heights of `panels` panels of n rows differ by one at most, so that none is much shorter than
/// what hides the latency of a sum.
constexpr std::int64_t panelBegin(std::int64_t n, std::int64_t panels, std::int64_t i)
{
    return n / panels * i + std::min(i, n % panels);
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

/// Lines of memory that one call of the innermost loop fetches, one with each step, for later ones:
/// many at a time would hold up the operands, whose loads would wait behind them.
struct Lines {
    static constexpr std::int64_t kMost = 64;
    const float* at[kMost];
    std::int64_t count = 0;
    std::int64_t share = 0; ///< of the next panel of B, in rows
};

/// A block of a matrix that is fetched while `calls` products are made, a share with each.
class Fetch
{
public:
    Fetch() = default;
    Fetch(FloatMatrix m, std::int64_t rows, std::int64_t columns, std::int64_t calls)
        : run_(m.at),
          step_(m.rowStride == 1 ? m.columnStride : m.rowStride),
          runs_(m.rowStride == 1 ? columns : rows)
    {
        const std::int64_t floats = m.rowStride == 1 ? rows : columns;
        const auto begin = std::int64_t(reinterpret_cast<std::uintptr_t>(m.at) / 4 % kLine);
        lines_ = (begin + floats + kLine - 1) / kLine;
        share_ = (runs_ * lines_ + calls - 1) / std::max<std::int64_t>(calls, 1);
    }
    void next(Lines& lines)
    {
        std::int64_t left = runs_ > 0 ? std::min(share_, Lines::kMost - lines.count) : 0;
        while (left > 0 && runs_ > 0) {
            const std::int64_t n = std::min(left, lines_ - line_);
            const float** const to = lines.at + lines.count;
            for (std::int64_t i = 0; i < n; ++i)
                to[i] = run_ + (line_ + i) * kLine;
            lines.count += n;
            left -= n;
            line_ += n;
            if (line_ == lines_) {
                line_ = 0;
                run_ += step_;
                --runs_;
            }
        }
    }

private:
    const float* run_ = nullptr; ///< floats side by side: a row or a column
    std::int64_t step_ = 0, runs_ = 0, lines_ = 0, line_ = 0, share_ = 0;
};

/// What a block of C becomes.
struct Result {
    float* at;
    std::int64_t ldc;
    bool accumulate;
    FloatFinish finish; ///< bias of its first column
};

/// Height x 2 vectors of C in registers over `depth`. next: as much as B is, fetched meanwhile.
/// lines: fetched too, as many as there are steps for.
template <class Vector, int Height>
SB_HOST_DEVICE void microKernel(std::int64_t depth, const float* A, const float* B,
                                const float* next, const Lines& lines, const Result& C)
{
    constexpr int kWidth = int(sizeof(Vector) / sizeof(float));
    float* const at = C.at;
    const std::int64_t ldc = C.ldc;
    Vector c[Height][2] = {};
    const auto add = [&](std::int64_t k) __attribute__((always_inline))
    {
        Vector b0, b1;
        std::memcpy(&b0, B + k * 2 * kWidth, sizeof b0);
        std::memcpy(&b1, B + k * 2 * kWidth + kWidth, sizeof b1);
#pragma GCC unroll 16
        for (int m = 0; m < Height; ++m) {
            const float a = A[k * Height + m];
            c[m][0] += a * b0;
            c[m][1] += a * b1;
        }
    };
    std::int64_t k = 0;
    // While many sums are made, what they are stored to comes near, a row with each, as more at a
    // time would hold up the operands; not unrolled, as sums in a row would be made in pairs.
    const std::int64_t rows = depth >= kLong ? Height : 0;
    const float* row = at;
#pragma GCC unroll 1
    for (; k < rows; ++k, row += ldc) {
#pragma GCC unroll 3
        for (int n = 0; n <= 2 * kWidth; n += int(kLine))
            __builtin_prefetch(row + std::min(n, 2 * kWidth - 1), 1);
        add(k);
    }
    // Then lines that are needed later,
    const std::int64_t fetching = std::min(depth, k + lines.count);
    const float* const* line = lines.at;
#pragma GCC unroll 1
    for (; k < fetching; ++k, ++line) {
        __builtin_prefetch(*line, 0, 2);
        add(k);
    }
    // and a part of the next panel of B.
    const std::int64_t sharing = std::min(depth, k + lines.share);
#pragma GCC unroll 1
    for (; k < sharing; ++k, next += 2 * kWidth) {
        for (int n = 0; n < 2 * kWidth; n += int(kLine))
            __builtin_prefetch(next + n, 0, 2);
        add(k);
    }
#pragma GCC unroll 1
    for (; k < depth; ++k)
        add(k);
    if (C.accumulate)
#pragma GCC unroll 16
        for (int m = 0; m < Height; ++m)
#pragma GCC unroll 2
            for (int n = 0; n < 2; ++n) {
                Vector old;
                std::memcpy(&old, at + m * ldc + n * kWidth, sizeof old);
                c[m][n] += old;
            }
    if (const float* const bias = C.finish.bias) {
        Vector b[2];
        std::memcpy(b, bias, sizeof b);
#pragma GCC unroll 16
        for (int m = 0; m < Height; ++m)
            c[m][0] += b[0], c[m][1] += b[1];
    }
    if (C.finish.relu)
#pragma GCC unroll 16
        for (int m = 0; m < Height; ++m)
#pragma GCC unroll 2
            for (int n = 0; n < 2; ++n)
                c[m][n] = c[m][n] < 0.0f ? Vector{} : c[m][n];
#pragma GCC unroll 16
    for (int m = 0; m < Height; ++m)
#pragma GCC unroll 2
        for (int n = 0; n < 2; ++n)
            std::memcpy(at + m * ldc + n * kWidth, &c[m][n], sizeof(Vector));
}

/// The kernel for each height up to Height, chosen at run time.
template <class Vector, int Height>
SB_HOST_DEVICE void microKernels(int height, std::int64_t depth, const float* A, const float* B,
                                 const float* next, const Lines& lines, const Result& C)
{
    if (height == Height)
        return microKernel<Vector, Height>(depth, A, B, next, lines, C);
    if constexpr (Height > 1)
        microKernels<Vector, Height - 1>(height, depth, A, B, next, lines, C);
}

struct Level {
    int height = 0, width = 0; ///< of the largest block of C in registers
    std::int64_t depth = 1;    ///< of a block: K is summed in pieces of this
    std::int64_t rows = 1;     ///< of a block of A, which stays in the second-level cache
    int wide = 0;              ///< floats that packSide writes at once
    void (*packA)(FloatMatrix A, std::int64_t height, std::int64_t depth, float* out) = nullptr;
    void (*packSide)(FloatMatrix A, std::int64_t rows, std::int64_t panels, std::int64_t depth,
                     float* out) = nullptr;
    void (*packB)(FloatMatrix B, std::int64_t width, std::int64_t depth, float* out) = nullptr;
    void (*multiply)(int height, std::int64_t depth, const float* A, const float* B,
                     const float* next, const Lines& lines, const Result& C) = nullptr;
};

#if defined(__x86_64__)

#define SB_GEMM_LEVEL(name, isa, bytes, blockHeight, blockDepth, blockRows)                        \
    using name##Vector [[gnu::vector_size(bytes)]] = float;                                        \
    [[gnu::target(isa)]] void packA##name(FloatMatrix A, std::int64_t height, std::int64_t depth,  \
                                          float* out)                                              \
    {                                                                                              \
        packRows(A, height, depth, out);                                                           \
    }                                                                                              \
    [[gnu::target(isa)]] void packSide##name(FloatMatrix A, std::int64_t rows,                     \
                                             std::int64_t panels, std::int64_t depth, float* out)  \
    {                                                                                              \
        packSideBySide<(bytes) / 4>(A, rows, panels, depth, out);                                  \
    }                                                                                              \
    [[gnu::target(isa)]] void packB##name(FloatMatrix B, std::int64_t width, std::int64_t depth,   \
                                          float* out)                                              \
    {                                                                                              \
        packColumns<2 * (bytes) / 4>(B, width, depth, out);                                        \
    }                                                                                              \
    [[gnu::target(isa)]] void multiply##name(int height, std::int64_t depth, const float* A,       \
                                             const float* B, const float* next,                    \
                                             const Lines& lines, const Result& C)                  \
    {                                                                                              \
        microKernels<name##Vector, blockHeight>(height, depth, A, B, next, lines, C);              \
    }                                                                                              \
    constexpr Level k##name{blockHeight, 2 * (bytes) / 4, blockDepth,  blockRows,     (bytes) / 4, \
                            packA##name, packSide##name,  packB##name, multiply##name};

// Depths and rows as measured: with AVX2 (Zen 3 class) 512 x 72 is 2 % faster than 256 x 144.
SB_GEMM_LEVEL(Avx2, "arch=x86-64-v3", 32, 6, 512, 72)
SB_GEMM_LEVEL(Avx512, "arch=x86-64-v4", 64, 12, 384, 120)
#undef SB_GEMM_LEVEL

const Level& level()
{
    static const Level none;
    static const Level& chosen = cpuLevel() == CpuLevel::Avx512 ? kAvx512
                                 : cpuLevel() == CpuLevel::Avx2 ? kAvx2
                                                                : none;
    return chosen;
}

#else

const Level& level()
{
    static const Level none;
    return none;
}

#endif

// --- the same for all ---

FloatMatrix moved(FloatMatrix m, std::int64_t rows, std::int64_t columns)
{
    m.at += rows * m.rowStride + columns * m.columnStride;
    return m;
}

void packPanels(FloatMatrix B, std::int64_t columns, std::int64_t depth, float* out)
{
    const std::int64_t width = level().width;
    for (std::int64_t n = 0; n < columns; n += width, out += depth * width)
        level().packB(moved(B, 0, n), std::min(width, columns - n), depth, out);
}

/// To panels of level().height rows at most.
void packBlock(FloatMatrix A, std::int64_t rows, std::int64_t panels, std::int64_t depth,
               float* out)
{
    const Level& l = level();
    if (A.rowStride == 1 && rows >= l.wide)
        return l.packSide(A, rows, panels, depth, out);
    for (std::int64_t i = 0; i < panels; ++i) {
        const std::int64_t begin = panelBegin(rows, panels, i);
        l.packA(moved(A, begin, 0), panelBegin(rows, panels, i + 1) - begin, depth,
                out + begin * depth + i * kSlack);
    }
}

/// `width` columns of a block that was made beside C, as there is no room for all of them there.
void storeEdge(const float* block, int height, std::int64_t width, const Result& C)
{
    for (std::int64_t m = 0; m < height; ++m)
        for (std::int64_t j = 0; j < width; ++j) {
            float& c = C.at[m * C.ldc + j];
            const float sum = (C.accumulate ? c : 0.0f) + block[m * level().width + j] +
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

/// One block of A (packed here) against a block of B of `columns` columns, packed or to be packed.
/// A share of what `later` has is fetched with every product.
void multiplyBlock(std::int64_t rows, std::int64_t columns, std::int64_t depth, FloatMatrix A,
                   const float* B, const Fresh* fresh, Fetch later, const Result& C, float* packedA)
{
    const Level& l = level();
    const std::int64_t panels = panelsOf(rows);
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
            const float* const a = packedA + begin * depth + i * kSlack;
            if (width == l.width) {
                l.multiply(height, depth, a, B, next, lines, result);
                continue;
            }
            l.multiply(height, depth, a, B, next, lines, {edge, l.width, false, {}});
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

/// All rows of A (from row `begin` on) against a block of B; the first pack what is fresh.
void multiplyRows(std::int64_t begin, std::int64_t end, std::int64_t columns, std::int64_t depth,
                  FloatMatrix A, const float* B, const Fresh* fresh, const Result& C,
                  float* packedA)
{
    // Blocks as even as whole panels allow.
    const std::int64_t blocks = (end - begin + level().rows - 1) / level().rows;
    const std::int64_t most = roundUp((end - begin + blocks - 1) / blocks, level().height);
    for (std::int64_t m = begin; m < end; m += most, fresh = nullptr) {
        const std::int64_t rows = std::min(most, end - m), next = m + rows;
        const Fetch later = next < end ? fetchBlock(moved(A, next, 0), std::min(most, end - next),
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

/// B is what `panels` copies, or has copied from `matrix`.
void multiplyPanels(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                    const FloatPanels& panels, const FloatMatrix* matrix, const Result& C,
                    int tasks, void* workspace)
{
    float* const packedA = static_cast<float*>(workspace);
    float* const packedB = packedA + tasks * scratchA();
    const std::int64_t task = shareOf(M, tasks, tasks == 1 ? 1 : level().height),
                       width = level().width;
    const std::int64_t piece = pieceOf(K);
    for (std::int64_t n = 0; n < N; n += kColumns) {
        const std::int64_t columns = std::min(kColumns, N - n);
        for (std::int64_t k = 0; k < K; k += piece) {
            const std::int64_t depth = std::min(piece, K - k);
            const Fresh fresh{panels, matrix, k, n, packedB};
            const Result result{C.at + n, C.ldc, C.accumulate || k > 0,
                                finishFrom(C.finish, n, k + depth == K)};
            if (tasks == 1) { // packs each panel when its first rows need it
                multiplyRows(0, M, columns, depth, moved(A, 0, k), packedB, &fresh, result,
                             packedA);
                continue;
            }
            constexpr std::int64_t kPanels = 16; // that a thread packs at once
            parallelRanges((columns + width - 1) / width, kPanels,
                           [&](std::int64_t begin, std::int64_t end) {
                               for (std::int64_t i = begin; i < end; ++i)
                                   packPanel(fresh, i * width, columns, depth);
                           });
            parallelRanges(M, task, [&](std::int64_t begin, std::int64_t end) {
                multiplyRows(begin, end, columns, depth, moved(A, 0, k), packedB, nullptr, result,
                             packedA + begin / task * scratchA());
            });
        }
    }
}

} // namespace

bool floatGemmAvailable()
{
    return level().height > 0;
}

std::size_t floatGemmWorkspace(std::int64_t N, int tasks)
{
    return std::size_t(tasks * scratchA() + scratchB(N)) * sizeof(float);
}

void floatGemm(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A, FloatMatrix B,
               float* C, std::int64_t ldc, bool accumulate, int tasks, void* workspace,
               const FloatFinish& finish)
{
    const auto pack = [](const void* source, std::int64_t k, std::int64_t depth, std::int64_t n,
                         std::int64_t width, std::int64_t, float* out) {
        level().packB(moved(*static_cast<const FloatMatrix*>(source), k, n), width, depth, out);
    };
    multiplyPanels(M, N, K, A, {pack, &B}, &B, {C, ldc, accumulate, finish}, tasks, workspace);
}

void floatGemmPanels(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                     const FloatPanels& B, float* C, std::int64_t ldc, bool accumulate, int tasks,
                     void* workspace, const FloatFinish& finish)
{
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

void floatGemmPacked(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                     const float* packed, float* C, std::int64_t ldc, bool accumulate, int tasks,
                     void* workspace, const FloatFinish& finish)
{
    // Few rows (a step of a recurrent layer) are shared by columns, as B is what has to be read;
    // many by rows, so that each is packed once.
    const bool byRows = M >= N;
    const std::int64_t task = byRows ? shareOf(M, tasks, tasks == 1 ? 1 : level().height)
                                     : shareOf(N, tasks, level().width);
    const std::int64_t piece = pieceOf(K);
    parallelRanges(byRows ? M : N, task, [&](std::int64_t begin, std::int64_t end) {
        float* const own = static_cast<float*>(workspace) + begin / task * scratchA();
        const std::int64_t row = byRows ? begin : 0, rows = byRows ? end : M;
        const std::int64_t column = byRows ? 0 : begin, columns = byRows ? N : end - begin;
        for (std::int64_t k = 0; k < K; k += piece) {
            const std::int64_t depth = std::min(piece, K - k);
            multiplyRows(
                row, rows, columns, depth, moved(A, 0, k),
                packed + packedOffset(N, depth, k, column), nullptr,
                {C + column, ldc, accumulate || k > 0, finishFrom(finish, column, k + depth == K)},
                own);
        }
    });
}

} // namespace scalebench::kernels::cpu
