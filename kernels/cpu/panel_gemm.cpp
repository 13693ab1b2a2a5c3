// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/panel_gemm.h"

#include <algorithm>
#include <cstring>

#include "kernels/check.h"
#include "kernels/cpu/panel_amx.h"
#include "kernels/cpu/panel_shares.h"
#include "kernels/cpu/panel_store.h"
#include "kernels/cpu/tile_gemm.h"
#include "kernels/cpu_features.h"
#include "kernels/cpu_level.h"

namespace scalebench::kernels::cpu::panels {

#ifdef SB_AVX512_BF16

namespace {

constexpr std::int64_t kFetchingTiles = 16; ///< during which the next group of panels is fetched
/// Where the numbers of A lie, in bytes; a tile begins at its first row times lda.
template <bool kTiled>
struct Left {
    const char* at;
    std::int64_t lda;
    std::int64_t row(std::int64_t m) const { return kTiled ? m * 4 : m * lda; }
    static constexpr std::int64_t word = kTiled ? kRows * 4 : 4;
};

template <class T>
Left<false> leftOf(Rows<T> A)
{
    return {reinterpret_cast<const char*>(A.at), A.lda * std::int64_t(sizeof(T))};
}
template <class T>
Left<true> leftOf(Tiles<T> A)
{
    return {reinterpret_cast<const char*>(A.at), A.words * 4};
}

/// sum + the products of two words.
template <class T>
SB_BF16_TARGET inline __m512 addProducts(__m512 sum, __m512i a, __m512i b)
{
    if constexpr (sizeof(T) == sizeof(float))
        return _mm512_fmadd_ps(__m512(a), __m512(b), sum);
    else
        return _mm512_dpbf16_ps(sum, __m512bh(a), __m512bh(b));
}

/// What is fetched while a tile is multiplied: words of the next group of panels, and lines that
/// are needed later, one with each step.
struct Fetch {
    const std::uint32_t* at;
    std::int64_t words; ///< of each column
    Later later;
};

/// MR rows times NV panels, the sums in registers. N: columns that there are.
template <class T, int MR, int NV, bool kTiled, class Out>
SB_BF16_TARGET inline void block(std::int64_t K, Left<kTiled> A, const std::uint32_t* B, Fetch next,
                                 Finish finish, Out* C, std::int64_t ldc, std::int64_t N)
{
    constexpr int kLine = 64 / sizeof(Out);
    constexpr std::int64_t kWidth = NV * kPanel;
    __m512 c[MR][NV];
#pragma GCC unroll 6
    for (int m = 0; m < MR; ++m) {
#pragma GCC unroll 4
        for (int n = 0; n < NV * int(kPanel); n += kLine)
            __builtin_prefetch(C + m * ldc + n, 1);
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n)
            c[m][n] = _mm512_setzero_ps();
    }
    const std::int64_t whole = kTiled ? wordsOf<T>(K) : K / kInWord<T>;
    const auto step = [&](std::int64_t p) SB_BF16_STEP {
        __m512i b[NV];
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n)
            b[n] = _mm512_loadu_si512(B + p * kWidth + n * kPanel);
#pragma GCC unroll 6
        for (int m = 0; m < MR; ++m) {
            std::int32_t word;
            std::memcpy(&word, A.at + A.row(m) + p * A.word, sizeof word);
            const __m512i a = _mm512_set1_epi32(word);
#pragma GCC unroll 4
            for (int n = 0; n < NV; ++n)
                c[m][n] = addProducts<T>(c[m][n], a, b[n]);
        }
    };
    std::int64_t p = 0;
    for (const std::int64_t fetching = std::min(next.words, whole); p < fetching; ++p) {
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n)
            __builtin_prefetch(next.at + p * kWidth + n * kPanel, 0, 2);
        step(p);
    }
    const char* line = next.later.at;
    for (const std::int64_t fetching = std::min(whole, p + next.later.lines); p < fetching;
         ++p, line += next.later.step) {
        __builtin_prefetch(line, 0, 2);
        step(p);
    }
    for (; p < whole; ++p)
        step(p);
    if (!kTiled && K % kInWord<T> != 0) { // what follows in A is no part of the row
#pragma GCC unroll 6
        for (int m = 0; m < MR; ++m) {
            std::uint16_t last;
            std::memcpy(&last, A.at + A.row(m) + whole * A.word, sizeof last);
            const __m512i a = _mm512_set1_epi32(last);
#pragma GCC unroll 4
            for (int n = 0; n < NV; ++n)
                c[m][n] =
                    addProducts<T>(c[m][n], a, _mm512_loadu_si512(B + whole * kWidth + n * kPanel));
        }
    }
    if (finish.bias) {
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n) {
            const __m512 bias =
                _mm512_maskz_loadu_ps(firstOf16(N - n * kPanel), finish.bias + n * kPanel);
#pragma GCC unroll 6
            for (int m = 0; m < MR; ++m)
                c[m][n] = _mm512_add_ps(c[m][n], bias);
        }
    }
    if (finish.relu) {
#pragma GCC unroll 6
        for (int m = 0; m < MR; ++m)
#pragma GCC unroll 4
            for (int n = 0; n < NV; ++n) // the second operand where one is NaN
                c[m][n] = _mm512_maskz_max_ps(0xffff, _mm512_setzero_ps(), c[m][n]);
    }
#pragma GCC unroll 6
    for (int m = 0; m < MR; ++m)
        storeRow<NV>(c[m], C + m * ldc, N, finish);
}

/// `next`: the group after this one, as wide; null: none.
template <class T, int NV, bool kTiled, class Out>
SB_BF16_TARGET void rowsOfGroup(std::int64_t M, std::int64_t K, Left<kTiled> A,
                                const std::uint32_t* B, const std::uint32_t* next, Finish finish,
                                Out* C, std::int64_t ldc, std::int64_t N, Shares& shares)
{
    // Rows are shared as evenly as tiles allow: a low one would wait for B.
    const std::int64_t tiles = (M + kRows - 1) / kRows, words = wordsOf<T>(K);
    const std::int64_t fetching = std::min(tiles, kFetchingTiles);
    const std::int64_t share = (words + fetching - 1) / fetching;
    std::int64_t fetched = 0;
    for (std::int64_t i = 0; i < tiles; ++i) {
        const std::int64_t rows =
            kTiled ? std::min(kRows, M - i * kRows) : M / tiles + (i < M % tiles ? 1 : 0);
        Fetch fetch{next, 0, shares.next()};
        if (next && i >= tiles - fetching) {
            fetch.at += fetched * NV * kPanel;
            fetch.words = std::min(share, words - fetched);
            fetched += fetch.words;
        }
        switch (rows) {
        case 6:
            block<T, 6, NV>(K, A, B, fetch, finish, C, ldc, N);
            break;
        case 5:
            block<T, 5, NV>(K, A, B, fetch, finish, C, ldc, N);
            break;
        case 4:
            block<T, 4, NV>(K, A, B, fetch, finish, C, ldc, N);
            break;
        case 3:
            block<T, 3, NV>(K, A, B, fetch, finish, C, ldc, N);
            break;
        case 2:
            block<T, 2, NV>(K, A, B, fetch, finish, C, ldc, N);
            break;
        default:
            block<T, 1, NV>(K, A, B, fetch, finish, C, ldc, N);
        }
        C += rows * ldc, A.at += rows * A.lda;
    }
}

template <class T, bool kTiled, class Out>
void groups(std::int64_t M, std::int64_t N, std::int64_t K, Left<kTiled> A, Panels<T> B,
            Finish finish, Out* C, std::int64_t ldc, const Ahead& ahead)
{
    if constexpr (sizeof(T) == sizeof(bf16_t) && !kTiled)
        if (amxMultiplies(K))
            return multiplyAmx(M, N, K, A.at, A.lda, B, finish, C, ldc, ahead);
    Shares shares(ahead, inTiles(M) / kRows * ((N + kColumns - 1) / kColumns));
    for (std::int64_t n = 0; n < N; n += kColumns) {
        const std::int64_t columns = std::min(kColumns, N - n);
        const std::uint32_t* const panels = B.at + n * B.words + B.first * inPanels(columns);
        // As wide as this group: the last may be narrower.
        const std::uint32_t* const next =
            n + 2 * kColumns <= N ? panels + kColumns * B.words : nullptr;
        Finish here = finish;
        if (here.bias)
            here.bias += n;
        switch (inPanels(columns) / kPanel) {
        case 4:
            rowsOfGroup<T, 4>(M, K, A, panels, next, here, C + n, ldc, columns, shares);
            break;
        case 3:
            rowsOfGroup<T, 3>(M, K, A, panels, next, here, C + n, ldc, columns, shares);
            break;
        case 2:
            rowsOfGroup<T, 2>(M, K, A, panels, next, here, C + n, ldc, columns, shares);
            break;
        default:
            rowsOfGroup<T, 1>(M, K, A, panels, next, here, C + n, ldc, columns, shares);
        }
    }
}

} // namespace

bool available(DType type)
{
    if (type == DType::BF16) {
        static const bool pairs = tile::bf16Available() && !tile::amxAvailable();
        return pairs;
    }
    static const bool floats = cpuLevel() == CpuLevel::Avx512 &&
                               __builtin_cpu_supports("avx512bf16") != 0 &&
                               cpuFeatures().vendor == "AuthenticAMD";
    return type == DType::F32 && floats;
}

template <class A, class T, class C>
void multiply(std::int64_t M, std::int64_t N, std::int64_t K, A a, Panels<T> b, Finish finish, C* c,
              std::int64_t ldc, Ahead ahead)
{
    groups<T>(M, N, K, leftOf(a), b, finish, c, ldc, ahead);
}

#else

bool available(DType)
{
    return false;
}

template <class A, class T, class C>
void multiply(std::int64_t, std::int64_t, std::int64_t, A, Panels<T>, Finish, C*, std::int64_t,
              Ahead)
{
    throw Unsupported("product of panels: this processor has no instructions for it");
}

#endif

template void multiply(std::int64_t, std::int64_t, std::int64_t, Rows<bf16_t>, Panels<bf16_t>,
                       Finish, bf16_t*, std::int64_t, Ahead);
template void multiply(std::int64_t, std::int64_t, std::int64_t, Rows<bf16_t>, Panels<bf16_t>,
                       Finish, float*, std::int64_t, Ahead);
template void multiply(std::int64_t, std::int64_t, std::int64_t, Tiles<bf16_t>, Panels<bf16_t>,
                       Finish, float*, std::int64_t, Ahead);
template void multiply(std::int64_t, std::int64_t, std::int64_t, Rows<float>, Panels<float>, Finish,
                       float*, std::int64_t, Ahead);
template void multiply(std::int64_t, std::int64_t, std::int64_t, Tiles<float>, Panels<float>,
                       Finish, float*, std::int64_t, Ahead);

} // namespace scalebench::kernels::cpu::panels
