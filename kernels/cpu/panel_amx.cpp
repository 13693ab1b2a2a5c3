// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/panel_amx.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "kernels/check.h"
#include "kernels/cpu/amx_pace.h"
#include "kernels/cpu/panel_shares.h"
#include "kernels/cpu/panel_store.h"
#include "kernels/cpu/tile_gemm.h"

namespace scalebench::kernels::cpu::panels {

#ifdef SB_TILE_PRODUCT

namespace {

constexpr std::int64_t kTileRows = 16, kEdge = 2 * kTileRows; ///< of a tile; of a block of C
constexpr std::int64_t kStep = 32, kStepBytes = 64;           ///< along K, of one tile
constexpr std::int64_t kShallowest =
    4 * kStep; ///< else sums are stored too often: oneDNN is faster
constexpr std::int64_t kRowsBytes = 1 << 20;
constexpr std::int64_t kLineBytes = Ahead::kLineBytes;

/// The sums [32][32] of a block, on their way to C.
template <class Out>
struct Sums {
    const float* at = nullptr;
    std::int64_t rows = 0, columns = 0;
    Finish finish;
    Out* C = nullptr;
    std::int64_t ldc = 0;
};

template <class Out>
SB_BF16_STEP inline void finishRow(const Sums<Out>& s, std::int64_t m)
{
    __m512 sum[2] = {_mm512_load_ps(s.at + m * kEdge), _mm512_load_ps(s.at + m * kEdge + kPanel)};
#pragma GCC unroll 2
    for (int n = 0; n < 2; ++n) {
        if (s.finish.bias)
            sum[n] = _mm512_add_ps(sum[n], _mm512_maskz_loadu_ps(firstOf16(s.columns - n * kPanel),
                                                                 s.finish.bias + n * kPanel));
        if (s.finish.relu) // the second operand where one is NaN
            sum[n] = _mm512_maskz_max_ps(0xffff, _mm512_setzero_ps(), sum[n]);
    }
    storeRow<2>(sum, s.C + m * s.ldc, s.columns, s.finish);
}

/// A block of one or two tiles either way. While tiles multiply, vectors finish the block before.
template <bool kTwoRows, bool kTwoColumns, class Out>
SB_AMX_TARGET void sumBlock(std::int64_t steps, const char* A, std::int64_t rowA, const char* B,
                            std::int64_t rowB, float* sums, const Sums<Out>& finished,
                            const Sums<Out>& here, const Later& later)
{
    constexpr std::int64_t rowBytes = kEdge * 4;
    const Sums<Out> before = finished; // not read again with each store
    // A little with each step: many lines at a time would hold up the tiles.
    const auto each = [steps](std::int64_t all) { return (all + steps - 1) / steps; };
    const std::int64_t share = each(before.rows), room = each(here.rows), lines = each(later.lines);
    std::int64_t row = 0, made = 0, line = 0;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (std::int64_t i = 0; i < steps; ++i, A += kStepBytes, B += kTileRows * rowB) {
        SB_TILE_LOAD(4, A, rowA);
        SB_TILE_LOAD(6, B, rowB);
        SB_TILE_PRODUCT(0, 4, 6);
        if constexpr (kTwoColumns) {
            SB_TILE_LOAD(7, B + kStepBytes, rowB);
            SB_TILE_PRODUCT(1, 4, 7);
        }
        if constexpr (kTwoRows) {
            SB_TILE_LOAD(5, A + kTileRows * rowA, rowA);
            SB_TILE_PRODUCT(2, 5, 6);
        }
        if constexpr (kTwoRows && kTwoColumns)
            SB_TILE_PRODUCT(3, 5, 7);
        for (const std::int64_t end = std::min(row + share, before.rows); row < end; ++row)
            finishRow(before, row);
        for (const std::int64_t end = std::min(made + room, here.rows); made < end; ++made)
            for (std::int64_t n = 0; n < kEdge; n += kLineBytes / std::int64_t(sizeof(Out)))
                __builtin_prefetch(here.C + made * here.ldc + n, 1);
        for (const std::int64_t end = std::min(line + lines, later.lines); line < end; ++line)
            __builtin_prefetch(later.at + line * later.step, 0, 2);
    }
    _tile_stored(0, sums, rowBytes);
    if constexpr (kTwoColumns)
        _tile_stored(1, sums + kPanel, rowBytes);
    if constexpr (kTwoRows)
        _tile_stored(2, sums + kTileRows * kEdge, rowBytes);
    if constexpr (kTwoRows && kTwoColumns)
        _tile_stored(3, sums + kTileRows * kEdge + kPanel, rowBytes);
}

/// The last rows of A with zeros below them, as tiles are whole: of this thread.
const char* padded(const char* A, std::int64_t rows, std::int64_t rowBytes, std::int64_t bytes)
{
    thread_local std::vector<char> room;
    room.assign(std::size_t(kEdge * bytes), 0);
    for (std::int64_t m = 0; m < rows; ++m)
        std::memcpy(room.data() + m * bytes, A + m * rowBytes, std::size_t(bytes));
    return room.data();
}

template <class Out>
SB_BF16_TARGET void multiplyGroups(std::int64_t M, std::int64_t N, std::int64_t K, const char* A,
                                   std::int64_t rowBytes, Panels<bf16_t> B, Finish finish, Out* C,
                                   std::int64_t ldc, const Ahead& ahead)
{
    const tile::AmxScope scope(true);
    const std::int64_t whole = M / kEdge * kEdge;
    const char* const last =
        whole < M ? padded(A + whole * rowBytes, M - whole, rowBytes, K * 2) : nullptr;
    Shares shares(ahead, (M + kEdge - 1) / kEdge * ((N + kEdge - 1) / kEdge));
    alignas(64) float sums[2][kEdge * kEdge];
    int turn = 0;
    Sums<Out> before;
    const auto block = [&](std::int64_t m, std::int64_t n) {
        const std::int64_t group = n / kColumns * kColumns, width = groupWidth(n, N);
        const auto* const b =
            reinterpret_cast<const char*>(B.at + group * B.words + B.first * width + (n - group));
        const bool padding = m >= whole;
        Sums<Out> here{sums[turn], std::min(kEdge, M - m), std::min(kEdge, N - n),
                       finish,     C + m * ldc + n,        ldc};
        if (finish.bias)
            here.finish.bias += n;
        constexpr auto kBlocks =
            std::array{&sumBlock<false, false, Out>, &sumBlock<false, true, Out>,
                       &sumBlock<true, false, Out>, &sumBlock<true, true, Out>};
        kBlocks[std::size_t(2 * (here.rows > kTileRows) + (here.columns > kPanel))](
            K / kStep, padding ? last : A + m * rowBytes, padding ? K * 2 : rowBytes, b, width * 4,
            sums[turn], before, here, shares.next());
        before = here;
        turn ^= 1;
    };
    // Rows stay in the second-level cache, two panels at a time in the first while they pass by.
    const std::int64_t most = std::max(kEdge, kRowsBytes / (K * 2) / kEdge * kEdge);
    for (std::int64_t begin = 0; begin < M; begin += most)
        for (std::int64_t n = 0; n < N; n += kEdge)
            for (std::int64_t m = begin; m < std::min(M, begin + most); m += kEdge)
                block(m, n);
    for (std::int64_t m = 0; m < before.rows; ++m)
        finishRow(before, m);
}

} // namespace

bool amxMultiplies(std::int64_t K)
{
    return K % kStep == 0 && K >= kShallowest && tile::amxAvailable();
}

void multiplyAmx(std::int64_t M, std::int64_t N, std::int64_t K, const char* A,
                 std::int64_t rowBytes, Panels<bf16_t> B, Finish finish, bf16_t* C,
                 std::int64_t ldc, const Ahead& ahead)
{
    multiplyGroups(M, N, K, A, rowBytes, B, finish, C, ldc, ahead);
}
void multiplyAmx(std::int64_t M, std::int64_t N, std::int64_t K, const char* A,
                 std::int64_t rowBytes, Panels<bf16_t> B, Finish finish, float* C, std::int64_t ldc,
                 const Ahead& ahead)
{
    multiplyGroups(M, N, K, A, rowBytes, B, finish, C, ldc, ahead);
}

#else

bool amxMultiplies(std::int64_t)
{
    return false;
}
void multiplyAmx(std::int64_t, std::int64_t, std::int64_t, const char*, std::int64_t,
                 Panels<bf16_t>, Finish, bf16_t*, std::int64_t, const Ahead&)
{
    throw Unsupported("product of panels: this processor has no AMX");
}
void multiplyAmx(std::int64_t, std::int64_t, std::int64_t, const char*, std::int64_t,
                 Panels<bf16_t>, Finish, float*, std::int64_t, const Ahead&)
{
    throw Unsupported("product of panels: this processor has no AMX");
}

#endif

} // namespace scalebench::kernels::cpu::panels
