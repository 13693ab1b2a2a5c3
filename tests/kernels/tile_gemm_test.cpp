// SPDX-License-Identifier: GPL-3.0-or-later
// Products of tiles against sums in double, in fp32 and, where the processor has instructions for
// it, in bf16: sizes with and without whole blocks of registers, operands with gaps between their
// rows, added or not; and the forms of operands of which some rows are missing.
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
            for (const auto& [M, N, K] : {std::array{16, 16, 32},
                                          {48, 16, 64},
                                          {16, 48, 32},
                                          {64, 64, 64},
                                          {80, 112, 96},
                                          {1, 16, 2},
                                          {15, 32, 20},
                                          {23, 48, 22},
                                          {62, 16, 64}})
                QTest::addRow("%s %d x %d x %d", bf16 ? "bf16" : "fp32", M, N, K)
                    << bf16 << M << N << K;
    }
    void values()
    {
        QFETCH(bool, bf16);
        QFETCH(int, M);
        QFETCH(int, N);
        QFETCH(int, K);
        const tile::Edges edges = bf16 ? tile::pairEdges() : tile::kFloatEdges;
        M = int(tile::padded(M, edges.rows)), K = int(tile::padded(K, edges.depth));
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
            tile::pairRows(static_cast<const bf16_t*>(B.data()), N, K, N, K,
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

    void missingRowsAreZero_data()
    {
        QTest::addColumn<int>("rows");
        for (const int rows : {0, 1, 7, 16, 20, 31, 32})
            QTest::addRow("%d rows", rows) << rows;
    }
    void missingRowsAreZero()
    {
        QFETCH(int, rows);
        constexpr int kColumns = 32, kPadded = 32, kStride = 34;
        const Values x = randomValues(kPadded * kStride, 4);
        const auto expected = [&](int row, int column) {
            return row < rows ? x[std::size_t(row * kStride + column)] : 0.0;
        };
        const Buffer wide(DType::F32, x), narrow(DType::BF16, x);
        const auto* const words = static_cast<const bf16_t*>(narrow.data());
        const Values before(kPadded * kColumns, 7.0);

        const Buffer turned(DType::F32, before);
        tile::transposeToB(wide.f32(), kStride, rows, kColumns, kPadded, turned.f32());
        const Buffer pairs(DType::BF16, before), turnedPairs(DType::BF16, before),
            turnedBack(DType::BF16, before);
        tile::pairRows(words, kStride, rows, kColumns, kPadded, static_cast<bf16_t*>(pairs.data()));
        tile::transposeToB(words, kStride, rows, kColumns, kPadded,
                           static_cast<bf16_t*>(turnedPairs.data()));
        tile::transposeToA(static_cast<const bf16_t*>(pairs.data()), tile::padded(rows, 2),
                           kColumns, kPadded, static_cast<bf16_t*>(turnedBack.data()));
        const Values t = turned.values(), p = pairs.values(), tp = turnedPairs.values(),
                     back = turnedBack.values(), rounded = narrow.values();
        for (int r = 0; r < kPadded; ++r)
            for (int c = 0; c < kColumns; ++c) {
                QCOMPARE(t[std::size_t(c * kPadded + r)], double(float(expected(r, c))));
                const double e = r < rows ? rounded[std::size_t(r * kStride + c)] : 0.0;
                QCOMPARE(p[std::size_t((r / 2 * kColumns + c) * 2 + r % 2)], e);
                QCOMPARE(tp[std::size_t((c / 2 * kPadded + r) * 2 + c % 2)], e);
                QCOMPARE(back[std::size_t(c * kPadded + r)], e);
            }
    }
};

QTEST_APPLESS_MAIN(TileGemmTest)
#include "tile_gemm_test.moc"
