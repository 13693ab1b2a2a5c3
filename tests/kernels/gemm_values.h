// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the tests of our own fp32 products share: operands stored either way round, and a product
// held against sums in double.
#include <omp.h>

#include <QTest>

#include <cmath>

#include "kernels/cpu/float_gemm.h"
#include "op_test.h"

namespace scalebench::test {

/// Rows x columns, row by row, or (transposed) column by column.
inline kernels::cpu::FloatMatrix matrix(const Buffer& data, bool transposed, std::int64_t rows,
                                        std::int64_t columns)
{
    return transposed ? kernels::cpu::FloatMatrix{data.f32(), 1, rows}
                      : kernels::cpu::FloatMatrix{data.f32(), columns, 1};
}

inline double element(const Values& x, bool transposed, std::int64_t rows, std::int64_t columns,
                      std::int64_t r, std::int64_t c)
{
    return x[std::size_t(transposed ? c * rows + r : r * columns + c)];
}

/// One way to multiply, as float_gemm.h and split_gemm.h declare theirs.
struct Gemm {
    decltype(&kernels::cpu::floatGemmWorkspace) workspace;
    decltype(&kernels::cpu::floatGemm) multiply;
    decltype(&kernels::cpu::floatGemmPackedBytes) packedBytes;
    decltype(&kernels::cpu::floatGemmPack) pack;
    decltype(&kernels::cpu::floatGemmPacked) multiplyPacked;
};

/// Packed or not, added or not, by one task and by three; nothing behind a row's end is touched.
inline void checkValues(const Gemm& gemm, std::int64_t M, std::int64_t N, std::int64_t K,
                        bool transA, bool transB)
{
    const Values a = randomValues(std::size_t(M * K), 1), b = randomValues(std::size_t(K * N), 2);
    const std::int64_t ldc = N + 3;
    const Values before = randomValues(std::size_t(M * ldc), 3);
    Values sums(std::size_t(M * N));
    for (std::int64_t m = 0; m < M; ++m)
        for (std::int64_t n = 0; n < N; ++n)
            for (std::int64_t k = 0; k < K; ++k)
                sums[std::size_t(m * N + n)] +=
                    element(a, transA, M, K, m, k) * element(b, transB, K, N, k, n);
    const Buffer ba(DType::F32, a), bb(DType::F32, b), packed(DType::U8, gemm.packedBytes(N, K));
    const kernels::cpu::FloatMatrix A = matrix(ba, transA, M, K), B = matrix(bb, transB, K, N);
    gemm.pack(N, K, B, static_cast<float*>(packed.data()));
    for (const int tasks : {1, 3})
        for (const bool accumulate : {false, true}) {
            omp_set_num_threads(tasks);
            const Buffer plain(DType::F32, before), fromPacked(DType::F32, before),
                scratch(DType::U8, gemm.workspace(N, tasks));
            gemm.multiply(M, N, K, A, B, plain.f32(), ldc, accumulate, tasks, scratch.data(), {});
            gemm.multiplyPacked(M, N, K, A, static_cast<const float*>(packed.data()),
                                fromPacked.f32(), ldc, accumulate, tasks, scratch.data(), {});
            for (std::int64_t m = 0; m < M; ++m)
                for (std::int64_t n = 0; n < ldc; ++n) {
                    const auto at = std::size_t(m * ldc + n);
                    const double expected = (n >= N || accumulate ? before[at] : 0) +
                                            (n < N ? sums[std::size_t(m * N + n)] : 0);
                    for (const Buffer* c : {&plain, &fromPacked}) {
                        const double got = double(c->f32()[at]);
                        if (std::abs(got - expected) >= 1e-6 * double(K + 10))
                            QFAIL(qPrintable(QStringLiteral("%1,%2: %3 instead of %4, %5 tasks")
                                                 .arg(m)
                                                 .arg(n)
                                                 .arg(got)
                                                 .arg(expected)
                                                 .arg(tasks)));
                    }
                }
        }
    omp_set_num_threads(1);
}

} // namespace scalebench::test
