// SPDX-License-Identifier: GPL-3.0-or-later
// Products of tiles against sums in double, in fp32 and, where the processor has instructions for
// it, in bf16: sizes with and without whole blocks of registers, operands with gaps between their
// rows, added or not.
#include <QTest>

#include <cmath>

#include "kernels/cpu/tile_gemm.h"
#include "op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace tile = scalebench::kernels::cpu::tile;

class TileGemmTest : public QObject
{
    Q_OBJECT
private slots:
    void values_data()
    {
        QTest::addColumn<bool>("bf16");
        QTest::addColumn<int>("M");
        QTest::addColumn<int>("N");
        QTest::addColumn<int>("K");
        for (const bool bf16 : {false, true})
            for (const auto& [M, N, K] :
                 {std::array{16, 16, 32}, {48, 16, 64}, {16, 48, 32}, {64, 64, 64}, {80, 112, 96}})
                QTest::addRow("%s %d x %d x %d", bf16 ? "bf16" : "fp32", M, N, K)
                    << bf16 << M << N << K;
    }
    void values()
    {
        QFETCH(bool, bf16);
        QFETCH(int, M);
        QFETCH(int, N);
        QFETCH(int, K);
        if (bf16 && !tile::bf16Available())
            QSKIP("this processor has neither AMX nor a fast AVX512_BF16");
        const int lda = K + 32, ldc = N + 16;
        const Values a = randomValues(std::size_t(M * lda), 1),
                     b = randomValues(std::size_t(K * N), 2),
                     before = randomValues(std::size_t(M * ldc), 3);
        const DType type = bf16 ? DType::BF16 : DType::F32;
        const Buffer A(type, a), B(type, b), paired(type, b.size());
        const tile::AmxScope scope(bf16);
        if (bf16)
            tile::pairRows(static_cast<const bf16_t*>(B.data()), N, K, N,
                           static_cast<bf16_t*>(paired.data()));
        for (const bool accumulate : {false, true}) {
            const Buffer C(DType::F32, before);
            if (bf16)
                tile::multiply(M, N, K, static_cast<const bf16_t*>(A.data()), lda,
                               static_cast<const bf16_t*>(paired.data()), N, C.f32(), ldc,
                               accumulate);
            else
                tile::multiply(M, N, K, A.f32(), lda, B.f32(), N, C.f32(), ldc, accumulate);
            for (int m = 0; m < M; ++m)
                for (int n = 0; n < ldc; ++n) {
                    const auto at = std::size_t(m * ldc + n);
                    double expected = n >= N || accumulate ? before[at] : 0.0;
                    for (int k = 0; k < K && n < N; ++k)
                        expected += a[std::size_t(m * lda + k)] * b[std::size_t(k * N + n)];
                    QVERIFY2(std::abs(double(C.f32()[at]) - expected) < 1e-6 * double(K + 10),
                             qPrintable(QStringLiteral("%1,%2: %3 instead of %4")
                                            .arg(m)
                                            .arg(n)
                                            .arg(double(C.f32()[at]))
                                            .arg(expected)));
                }
        }
    }
};

QTEST_APPLESS_MAIN(TileGemmTest)
#include "tile_gemm_test.moc"
