// SPDX-License-Identifier: GPL-3.0-or-later
// fp32 products by bf16 instructions against sums in double, and against fp32's own error. Runs
// with AMX where that is there, else with AVX512_BF16, which reads the same tiles.
#include <omp.h>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gemm_values.h"
#include "kernels/cpu/split_block.h"
#include "kernels/cpu/split_gemm.h"
#include "kernels/cpu/tile_gemm.h"
#include "op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;

namespace {

struct Size {
    std::int64_t M, N, K;
};

// The last rows: two pieces of K, three, several blocks of columns.
const Size kSizes[] = {{1, 1, 1},      {32, 32, 32},   {33, 31, 33},  {5, 31, 300},
                       {150, 48, 20},  {145, 17, 193}, {64, 64, 400}, {40, 1100, 200},
                       {75, 40, 1030}, {3, 2100, 7}};

/// Normal numbers of many magnitudes, all 24 bits in use.
Values wideValues(std::size_t count, int seed)
{
    Values x = randomValues(count, std::uint64_t(seed));
    for (std::size_t i = 0; i < count; ++i)
        x[i] = double(float(std::ldexp(x[i], int(i * 7 % 41) - 20)));
    return x;
}

/// C = A B of M x K by K x N, as stored.
Values product(std::int64_t M, std::int64_t N, std::int64_t K, const Values& a, const Values& b)
{
    const Buffer ba(DType::F32, a), bb(DType::F32, b), c(DType::F32, M * N),
        scratch(DType::U8, cpu::splitGemmWorkspace(N, 1));
    cpu::splitGemm(M, N, K, matrix(ba, false, M, K), matrix(bb, false, K, N), c.f32(), N, false, 1,
                   scratch.data());
    return c.values();
}

Values identity(std::int64_t n)
{
    Values x(std::size_t(n * n));
    for (std::int64_t i = 0; i < n; ++i)
        x[std::size_t(i * n + i)] = 1;
    return x;
}

} // namespace

#define SKIP_WITHOUT_BF16()                                                                        \
    if (!cpu::splitGemmAvailable())                                                                \
    QSKIP("neither AMX nor a fast AVX512_BF16 here")

class SplitGemmTest : public QObject
{
    Q_OBJECT
private slots:
    void values_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("transA");
        QTest::addColumn<bool>("transB");
        for (int size = 0; size < int(std::size(kSizes)); ++size)
            for (const bool transA : {false, true})
                for (const bool transB : {false, true})
                    QTest::addRow("%d x %d x %d%s%s", int(kSizes[size].M), int(kSizes[size].N),
                                  int(kSizes[size].K), transA ? " A^T" : "", transB ? " B^T" : "")
                        << size << transA << transB;
    }
    void values()
    {
        SKIP_WITHOUT_BF16();
        QFETCH(int, size);
        QFETCH(bool, transA);
        QFETCH(bool, transB);
        const auto [M, N, K] = kSizes[size];
        checkValues({cpu::splitGemmWorkspace, cpu::splitGemm, cpu::splitGemmPackedBytes,
                     cpu::splitGemmPack, cpu::splitGemmPacked},
                    M, N, K, transA, transB);
    }

    /// All 24 bits of an operand arrive: multiplied by one it stays what it is.
    void operandsAreWhole()
    {
        SKIP_WITHOUT_BF16();
        constexpr std::int64_t n = 70;
        const Values x = wideValues(n * n, 4), one = identity(n);
        QVERIFY(product(n, n, n, x, one) == x);
        QVERIFY(product(n, n, n, one, x) == x);
    }

    /// Errors against double, relative to the sum of all |a b|, are no larger than those of fp32's
    /// multiply-adds in a row.
    void errsNoMoreThanFp32()
    {
        SKIP_WITHOUT_BF16();
        constexpr std::int64_t M = 64, N = 64;
        for (const std::int64_t K : {1, 2, 16, 300, 2000}) {
            const Values a = wideValues(std::size_t(M * K), 5),
                         b = wideValues(std::size_t(K * N), 6);
            const Values c = product(M, N, K, a, b);
            double ours = 0, fp32 = 0, worst = 0, worstFp32 = 0;
            for (std::int64_t m = 0; m < M; ++m)
                for (std::int64_t n = 0; n < N; ++n) {
                    double sum = 0, size = 0;
                    float inFp32 = 0;
                    for (std::int64_t k = 0; k < K; ++k) {
                        const double x = a[std::size_t(m * K + k)], y = b[std::size_t(k * N + n)];
                        sum += x * y;
                        size += std::abs(x * y);
                        inFp32 = std::fma(float(x), float(y), inFp32);
                    }
                    const double error = std::abs(c[std::size_t(m * N + n)] - sum) / size;
                    ours += error;
                    worst = std::max(worst, error);
                    const double errorFp32 = std::abs(double(inFp32) - sum) / size;
                    fp32 += errorFp32;
                    worstFp32 = std::max(worstFp32, errorFp32);
                }
            const QString both = QStringLiteral("K %1: mean %2, worst %3; fp32 %4, %5")
                                     .arg(K)
                                     .arg(ours / (M * N))
                                     .arg(worst)
                                     .arg(fp32 / (M * N))
                                     .arg(worstFp32);
            qInfo("%s", qPrintable(both));
            // Few products are rounded once each by fp32, here in more steps.
            const double allowed = K > 16 ? 1 : 1.5;
            QVERIFY2(ours <= fp32 * allowed && worst <= worstFp32 * allowed, qPrintable(both));
        }
    }

    /// Bias and ReLU come once, behind the last piece of K, at edges too; no number stays none.
    void finish()
    {
        SKIP_WITHOUT_BF16();
        constexpr std::int64_t M = 37, N = 53, K = 500;
        const Values a = randomValues(M * K, 6), b = randomValues(K * N, 7),
                     bias = randomValues(N, 8);
        Values spoiled = a;
        spoiled[3 * K] = std::numeric_limits<double>::quiet_NaN();
        spoiled[5 * K + 1] = std::numeric_limits<double>::infinity();
        const Buffer ba(DType::F32, spoiled), bb(DType::F32, b), bc(DType::F32, bias),
            scratch(DType::U8, cpu::splitGemmWorkspace(N, 1));
        for (const bool withBias : {false, true})
            for (const bool relu : {false, true}) {
                const Buffer c(DType::F32, M * N);
                cpu::splitGemm(M, N, K, matrix(ba, false, M, K), matrix(bb, false, K, N), c.f32(),
                               N, false, 1, scratch.data(), {withBias ? bc.f32() : nullptr, relu});
                for (std::int64_t m = 0; m < M; ++m)
                    for (std::int64_t n = 0; n < N; ++n) {
                        double expected = withBias ? bias[std::size_t(n)] : 0;
                        for (std::int64_t k = 0; k < K; ++k)
                            expected +=
                                element(a, false, M, K, m, k) * element(b, false, K, N, k, n);
                        expected = relu ? std::max(expected, 0.0) : expected;
                        const double got = double(c.f32()[m * N + n]);
                        QVERIFY(m == 3 || m == 5 ? std::isnan(got)
                                                 : std::abs(got - expected) < 1e-6 * double(K));
                    }
            }
    }

    /// A row's sums depend on that row alone, and not on how many tasks share the work.
    void rowsAreSummedAlike()
    {
        SKIP_WITHOUT_BF16();
        constexpr std::int64_t M = 301, N = 70, K = 800;
        const Buffer a(DType::F32, randomValues(M * K, 9)), b(DType::F32, randomValues(K * N, 10)),
            scratch(DType::U8, cpu::splitGemmWorkspace(N, 5)), all(DType::F32, M * N),
            some(DType::F32, M * N);
        const cpu::FloatMatrix A = matrix(a, false, M, K), B = matrix(b, false, K, N);
        cpu::splitGemm(M, N, K, A, B, all.f32(), N, false, 1, scratch.data());
        for (const int tasks : {1, 2, 5})
            for (const std::int64_t rows : {1, 2, 31, 32, 33, 145}) {
                omp_set_num_threads(tasks);
                cpu::splitGemm(rows, N, K, {A.at + (M - rows) * K, K, 1}, B, some.f32(), N, false,
                               tasks, scratch.data());
                QVERIFY(std::equal(some.f32(), some.f32() + rows * N, all.f32() + (M - rows) * N));
            }
        omp_set_num_threads(1);
    }

    /// With AMX: the same sums as AVX512_BF16 makes of the same tiles, but for their order.
    void tilesAndPairsAgree()
    {
        SKIP_WITHOUT_BF16();
        if (!cpu::tile::amxAvailable())
            QSKIP("no AMX here");
        constexpr std::int64_t K = 160, n = cpu::split::kEdge;
        const Buffer a(DType::F32, wideValues(n * K, 11)), b(DType::F32, wideValues(K * n, 12)),
            tilesA(DType::BF16, cpu::split::blockSize(K)),
            tilesB(DType::BF16, cpu::split::blockSize(K)), amx(DType::F32, n * n),
            pairs(DType::F32, n * n);
        auto* const at = static_cast<bf16_t*>(tilesA.data());
        auto* const bt = static_cast<bf16_t*>(tilesB.data());
        cpu::split::RowBlock rows{matrix(a, false, n, K), n, K, at};
        cpu::split::makePieces(rows, rows.pieces());
        cpu::split::splitPanel(b.f32(), K, bt);
        {
            const cpu::tile::AmxScope scope(true);
            cpu::split::sumBlock(K / cpu::split::kStep, at, bt, amx.f32());
        }
        cpu::split::sumBlockInPairs(K / cpu::split::kStep, at, bt, pairs.f32());
        double largest = 0;
        for (std::int64_t i = 0; i < n * n; ++i)
            largest = std::max(largest, double(std::abs(pairs.f32()[i])));
        for (std::int64_t i = 0; i < n * n; ++i)
            QVERIFY(std::abs(double(amx.f32()[i]) - double(pairs.f32()[i])) < 1e-6 * largest);
    }
};

QTEST_APPLESS_MAIN(SplitGemmTest)
#include "split_gemm_test.moc"
