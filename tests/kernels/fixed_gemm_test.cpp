// SPDX-License-Identifier: GPL-3.0-or-later
// Products of 16-bit fixed-point numbers against sums in double, with rows as large and as small as
// fp32 holds, rows that nearly fill 32 bits, zeros, NaN and infinity.
#include <QTest>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/cpu/fixed_gemm.h"
#include "op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace fixed = scalebench::kernels::cpu::fixed;

namespace {

/// A (M x K, rows) times B (K x N), packed as the products read them.
struct Product {
    std::int64_t M, N, K;
    std::vector<float> a, b;

    Product(std::int64_t rows, std::int64_t columns, std::int64_t depth)
        : M(rows), N(columns), K(depth), a(std::size_t(M * K)), b(std::size_t(K * N))
    {
        const Values x = randomValues(a.size(), 1), y = randomValues(b.size(), 2);
        std::copy(x.begin(), x.end(), a.begin());
        std::copy(y.begin(), y.end(), b.begin());
    }
    float& A(std::int64_t m, std::int64_t k) { return a[std::size_t(m * K + k)]; }
    float& B(std::int64_t k, std::int64_t n) { return b[std::size_t(k * N + n)]; }

    /// By rows of A, or by panels of A transposed; added to ones or not.
    std::vector<float> run(bool panels, bool accumulate) const
    {
        const std::int64_t ldc = fixed::inPanels(N), lda = fixed::inPanels(K);
        const std::int64_t pairs = fixed::pairsOf(K), rows = fixed::inPanels(M);
        const auto several = [](std::int64_t n) {
            return std::vector<float>(std::size_t(n), 1.0f);
        };
        std::vector<std::uint32_t> packedB(std::size_t(pairs * ldc));
        std::vector<std::uint32_t> packedA(std::size_t(pairs * rows));
        std::vector<std::int16_t> rowsOfA(std::size_t(rows * lda));
        std::vector<float> inverse = several(std::max(ldc, rows)), ofB = several(ldc),
                           ofA = several(rows), C = several(rows * ldc);
        fixed::columnScales(b.data(), N, K, N, inverse.data(), ofB.data());
        fixed::pack(b.data(), N, K, N, inverse.data(), packedB.data());
        const fixed::Scales scales{ofA.data(), ofB.data()};
        if (panels) {
            std::vector<float> turned(a.size());
            for (std::int64_t m = 0; m < M; ++m)
                for (std::int64_t k = 0; k < K; ++k)
                    turned[std::size_t(k * M + m)] = a[std::size_t(m * K + k)];
            fixed::columnScales(turned.data(), M, K, M, inverse.data(), ofA.data());
            fixed::pack(turned.data(), M, K, M, inverse.data(), packedA.data());
            fixed::multiply(rows, ldc, pairs, fixed::Panels{packedA.data()}, packedB.data(), scales,
                            C.data(), ldc, accumulate);
        } else {
            fixed::quantise(a.data(), K, M, K, rowsOfA.data(), lda, ofA.data(), 1);
            fixed::multiply(rows, ldc, pairs, fixed::Rows{rowsOfA.data(), lda}, packedB.data(),
                            scales, C.data(), ldc, accumulate);
        }
        std::vector<float> result;
        for (std::int64_t m = 0; m < M; ++m)
            result.insert(result.end(), C.begin() + m * ldc, C.begin() + m * ldc + N);
        return result;
    }

    /// Empty when all are within what rounding by half a unit each makes at worst of the product of
    /// the lengths of row and column.
    std::string disagreement(const std::vector<float>& result, bool accumulate) const
    {
        for (std::int64_t m = 0; m < M; ++m)
            for (std::int64_t n = 0; n < N; ++n) {
                double sum = 0, row = 0, column = 0;
                for (std::int64_t k = 0; k < K; ++k) {
                    const double x = double(a[std::size_t(m * K + k)]),
                                 y = double(b[std::size_t(k * N + n)]);
                    sum += x * y, row += x * x, column += y * y;
                }
                const double off =
                    double(result[std::size_t(m * N + n)]) - sum - (accumulate ? 1.0 : 0.0);
                if (!(std::abs(off) <=
                      std::sqrt(double(K) * row * column) / 32767.0 + (accumulate ? 1e-6 : 1e-36)))
                    return "row " + std::to_string(m) + ", column " + std::to_string(n) +
                           ": off by " + std::to_string(off) + " of " + std::to_string(sum);
            }
        return {};
    }
};

} // namespace

class FixedGemmTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        if (!fixed::available())
            QSKIP("this processor has no AVX512_VNNI");
    }
    void values_data()
    {
        QTest::addColumn<int>("M");
        QTest::addColumn<int>("N");
        QTest::addColumn<int>("K");
        for (const auto& [M, N, K] :
             {std::array{1, 1, 1}, {8, 16, 2}, {13, 40, 77}, {24, 100, 64}, {40, 81, 300}})
            QTest::addRow("%d x %d x %d", M, N, K) << M << N << K;
    }
    void values()
    {
        QFETCH(int, M);
        QFETCH(int, N);
        QFETCH(int, K);
        const Product p(M, N, K);
        for (const bool panels : {false, true})
            for (const bool accumulate : {false, true})
                SB_AGREE(p.disagreement(p.run(panels, accumulate), accumulate));
    }
    /// The ends of fp32, a row of one number, rows of zeros, and rows along their columns, whose
    /// sums nearly leave 32 bits.
    void extremes()
    {
        Product p(24, 40, 200);
        for (std::int64_t k = 0; k < p.K; ++k) {
            p.A(0, k) *= 1e-19f, p.A(1, k) *= 1e-25f, p.A(2, k) *= 1e18f, p.A(3, k) *= 1e25f;
            p.A(4, k) = k == 7 ? 3.0f : 0.0f;
            p.A(5, k) = 0.0f;
            p.A(6, k) = p.B(k, 6);
            p.A(7, k) = -p.B(k, 7);
            p.A(8, k) = 1.0f, p.B(k, 8) = 1.0f;
            p.B(k, 0) *= 1e-10f, p.B(k, 1) *= 1e10f, p.B(k, 2) = 0.0f, p.B(k, 3) *= 1e-22f;
        }
        for (const bool panels : {false, true})
            SB_AGREE(p.disagreement(p.run(panels, false), false));
    }
    /// They spoil their own row or column and no other.
    void notNumbers()
    {
        for (const float bad :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
            for (const bool panels : {false, true}) {
                Product p(16, 32, 50);
                p.A(3, 20) = bad;
                p.B(11, 5) = bad;
                const std::vector<float> result = p.run(panels, false);
                for (std::int64_t m = 0; m < p.M; ++m)
                    for (std::int64_t n = 0; n < p.N; ++n)
                        QCOMPARE(std::isfinite(result[std::size_t(m * p.N + n)]), m != 3 && n != 5);
            }
    }
};

QTEST_GUILESS_MAIN(FixedGemmTest)
#include "fixed_gemm_test.moc"
