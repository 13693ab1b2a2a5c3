// SPDX-License-Identifier: GPL-3.0-or-later
// The AMX form of the tile products (Intel Architecture Instruction Set Extensions Programming
// Reference, chapter "Intel AMX"): eight tile registers of 16 rows by 64 bytes; four hold a 32 x 32
// block of C, two a pair of blocks of A, two of B.
#include "kernels/cpu/tile_amx.h"

#include "kernels/check.h"
#include "kernels/cpu/amx_pace.h"
#include "kernels/cpu/tile_gemm.h"
#include "kernels/cpu_features.h"

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__)
#define SB_AMX 1
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace scalebench::kernels::cpu::tile {

#ifdef SB_AMX

namespace {

bool askForTiles()
{
    // The kernel lets a process use the tile registers only when asked (arch_prctl(2)).
    constexpr long kRequestPermission = 0x1023, kTileData = 18;
    return cpuFeatures().bf16Fast && syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

struct alignas(64) TileConfig {
    std::uint8_t palette = 1, startRow = 0, reserved[14] = {};
    std::uint16_t rowBytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// Not a local: g++ 12 tells the compiler only of the first bytes that the instruction reads.
const TileConfig kConfig;

SB_AMX_TARGET void loadConfig()
{
    _tile_loadconfig(&kConfig);
}
SB_AMX_TARGET void release()
{
    _tile_release();
}

/// 32 x 32 of C.
SB_AMX_TARGET void blockFour(std::int64_t K, const bf16_t* A, std::int64_t lda, const bf16_t* B,
                             std::int64_t ldb, float* C, std::int64_t ldc, bool accumulate)
{
    const std::int64_t rowA = lda * 2, rowB = ldb * 4, rowC = ldc * 4;
    if (accumulate) {
        _tile_loadd(0, C, rowC);
        _tile_loadd(1, C + kEdge, rowC);
        _tile_loadd(2, C + kEdge * ldc, rowC);
        _tile_loadd(3, C + kEdge * ldc + kEdge, rowC);
    } else {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
    }
    for (std::int64_t k = 0; k < K; k += kDepth) {
        const bf16_t* b = B + k * ldb; // k/2 rows of pairs
        SB_TILE_LOAD(6, b, rowB);
        SB_TILE_LOAD(7, b + 2 * kEdge, rowB);
        SB_TILE_LOAD(4, A + k, rowA);
        SB_TILE_PRODUCT(0, 4, 6);
        SB_TILE_PRODUCT(1, 4, 7);
        SB_TILE_LOAD(5, A + kEdge * lda + k, rowA);
        SB_TILE_PRODUCT(2, 5, 6);
        SB_TILE_PRODUCT(3, 5, 7);
    }
    _tile_stored(0, C, rowC);
    _tile_stored(1, C + kEdge, rowC);
    _tile_stored(2, C + kEdge * ldc, rowC);
    _tile_stored(3, C + kEdge * ldc + kEdge, rowC);
}

/// 16 x 16 of C.
SB_AMX_TARGET void blockOne(std::int64_t K, const bf16_t* A, std::int64_t lda, const bf16_t* B,
                            std::int64_t ldb, float* C, std::int64_t ldc, bool accumulate)
{
    if (accumulate)
        _tile_loadd(0, C, ldc * 4);
    else
        _tile_zero(0);
    for (std::int64_t k = 0; k < K; k += kDepth) {
        SB_TILE_LOAD(4, A + k, lda * 2);
        SB_TILE_LOAD(6, B + k * ldb, ldb * 4);
        SB_TILE_PRODUCT(0, 4, 6);
    }
    _tile_stored(0, C, ldc * 4);
}

} // namespace

bool amxAvailable()
{
    static const bool available = askForTiles();
    return available;
}

AmxScope::AmxScope(bool wanted) : on_(wanted && amxAvailable())
{
    if (on_)
        loadConfig();
}

AmxScope::~AmxScope()
{
    if (on_)
        release();
}

void multiplyAmx(std::int64_t M, std::int64_t N, std::int64_t K, const bf16_t* A, std::int64_t lda,
                 const bf16_t* B, std::int64_t ldb, float* C, std::int64_t ldc, bool accumulate)
{
    for (std::int64_t n = 0; n < N; n += 2 * kEdge)
        for (std::int64_t m = 0; m < M; m += 2 * kEdge) {
            const bf16_t *a = A + m * lda, *b = B + n * 2;
            float* c = C + m * ldc + n;
            if (m + 2 * kEdge <= M && n + 2 * kEdge <= N) {
                blockFour(K, a, lda, b, ldb, c, ldc, accumulate);
                continue;
            }
            for (std::int64_t i = 0; i < 2 * kEdge && m + i < M; i += kEdge)
                for (std::int64_t j = 0; j < 2 * kEdge && n + j < N; j += kEdge)
                    blockOne(K, a + i * lda, lda, b + j * 2, ldb, c + i * ldc + j, ldc, accumulate);
        }
}

#else

bool amxAvailable()
{
    return false;
}
AmxScope::AmxScope(bool) : on_(false) {}
AmxScope::~AmxScope() = default;

void multiplyAmx(std::int64_t, std::int64_t, std::int64_t, const bf16_t*, std::int64_t,
                 const bf16_t*, std::int64_t, float*, std::int64_t, bool)
{
    throw Unsupported("bf16 tile product: this processor has no AMX");
}

#endif

} // namespace scalebench::kernels::cpu::tile
