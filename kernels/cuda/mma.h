// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Products of 16-bit fragments on tensor cores, D += A B of m16n8k16, as the PTX ISA defines them
// (sections "Matrix Fragments for mma.m16n8k16" and "ldmatrix"). With g = lane / 4, t = lane % 4
// and a register holding two neighbours, the lower index in the lower half, a lane has
//   A [16 rows][16]: (g, 2t), (g + 8, 2t), (g, 2t + 8), (g + 8, 2t + 8)
//   B [16][8 columns]: rows (2t, 2t + 1) and (2t + 8, 2t + 9) of column g
//   C, D [16][8]: columns 2t, 2t + 1 of row g, then of row g + 8
// Accumulators of two neighbouring tiles, rounded, are an A fragment. Compute capability 8.0; older
// devices trap. Where nvcc does not compile, the same is computed from the same layouts, so that
// the index arithmetic of callers is proven on the host.

#include <cuda_runtime.h>

#include "kernels/cuda/number.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace scalebench::kernels::cuda {

/// Two elements in one register.
template <class T>
__device__ __forceinline__ std::uint32_t packPair(float low, float high)
{
    return std::uint32_t(fromFloat<T>(low).bits) | std::uint32_t(fromFloat<T>(high).bits) << 16;
}

#if !defined(__CUDACC__)
namespace mma_emulation {

/// What the lanes of each warp brought, in turn in two places: a lane that is ahead can only be one
/// operation ahead, because the others must come to its barrier first.
struct Stage {
    std::uint32_t a[32][4], b[32][2];
    const std::uint16_t* row[32];
};
inline Stage stages[32][2];
inline unsigned turns[1024];

inline Stage& stage()
{
    const int thread = emulation::linearThread();
    return stages[thread / 32][turns[thread]++ % 2];
}
template <class T>
float element(std::uint32_t pair, int half)
{
    return toFloat(T{std::uint16_t(pair >> (16 * half))});
}

} // namespace mma_emulation
#endif

/// d += a b.
template <class T>
__device__ __forceinline__ void multiplyAdd(float (&d)[4], const std::uint32_t (&a)[4],
                                            std::uint32_t b0, std::uint32_t b1)
{
    static_assert(std::is_same_v<T, BFloat16> || std::is_same_v<T, Float16>);
#if !defined(__CUDACC__)
    mma_emulation::Stage& s = mma_emulation::stage();
    const int lane = emulation::lane(), g = lane / 4, t = lane % 4;
    std::memcpy(s.a[lane], a, sizeof a);
    s.b[lane][0] = b0;
    s.b[lane][1] = b1;
    __syncwarp();
    for (int e = 0; e < 4; ++e) {
        const int row = g + e / 2 * 8, column = 2 * t + e % 2;
        for (int k = 0; k < 16; ++k) {
            const int of = k % 8 / 2, upper = k / 8;
            const std::uint32_t left = s.a[row % 8 * 4 + of][row / 8 + 2 * upper];
            const std::uint32_t right = s.b[column * 4 + of][upper];
            d[e] +=
                mma_emulation::element<T>(left, k % 2) * mma_emulation::element<T>(right, k % 2);
        }
    }
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (std::is_same_v<T, BFloat16>)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, "
                     "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    else
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
                     "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    __trap();
#endif
}

/// Four matrices of 8 x 8 from shared memory: lane l gives the address (16-byte aligned) of row
/// l % 8 of matrix l / 8. Register i gets elements 2t, 2t + 1 of row g of matrix i, or, Transposed,
/// of column g.
template <bool Transposed, class T>
__device__ __forceinline__ void loadMatrices(std::uint32_t (&r)[4], const T* row)
{
    static_assert(sizeof(T) == 2);
#if !defined(__CUDACC__)
    mma_emulation::Stage& s = mma_emulation::stage();
    const int lane = emulation::lane(), g = lane / 4, t = lane % 4;
    if (reinterpret_cast<std::uintptr_t>(row) % 16 != 0)
        emulation::trap();
    s.row[lane] = reinterpret_cast<const std::uint16_t*>(row);
    __syncwarp();
    for (int i = 0; i < 4; ++i) {
        const std::uint16_t* const* rows = s.row + 8 * i;
        const std::uint16_t low = Transposed ? rows[2 * t][g] : rows[g][2 * t];
        const std::uint16_t high = Transposed ? rows[2 * t + 1][g] : rows[g][2 * t + 1];
        r[i] = std::uint32_t(low) | std::uint32_t(high) << 16;
    }
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto address = unsigned(__cvta_generic_to_shared(row));
    if constexpr (Transposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(address)
                     : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(address)
                     : "memory");
#else
    __trap();
#endif
}

/// 2^x by the hardware's approximation (2 units in the last place; results below 2^-126 are 0).
__device__ __forceinline__ float fastExp2(float x)
{
#if defined(__CUDACC__)
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return std::exp2(x);
#endif
}

} // namespace scalebench::kernels::cuda
