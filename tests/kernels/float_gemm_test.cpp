// SPDX-License-Identifier: GPL-3.0-or-later
// Our own fp32 products against sums in double: sizes around every block, operands stored either
// way round, packed or not, added or not, shared by several tasks. Which plans use them is a matter
// of speed; runs as the processor is and capped to AVX2 (SCALEBENCH_MAX_CPU_ISA).
#include <omp.h>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <utility>

#include "gemm_values.h"
#include "kernels/cpu/float_gemm.h"
#include "kernels/cpu/float_level.h"
#include "op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;

namespace {

struct Size {
    std::int64_t M, N, K;
};

// The last rows: one piece of K, two, three (or with AVX2 fewer), and several blocks of rows.
const Size kSizes[] = {{1, 1, 1},      {6, 16, 8},     {12, 32, 256},  {13, 33, 257},
                       {5, 31, 300},   {7, 65, 15},    {150, 48, 20},  {145, 17, 9},
                       {32, 100, 513}, {2, 3100, 5},   {75, 40, 1030}, {130, 33, 384},
                       {130, 33, 385}, {250, 70, 800}, {250, 70, 1100}};

void addSizes(std::initializer_list<std::pair<const char*, Size>> rows)
{
    QTest::addColumn<Size>("size");
    for (const auto& [name, size] : rows)
        QTest::newRow(name) << size;
}

} // namespace

class FloatGemmTest : public QObject
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
        QFETCH(int, size);
        QFETCH(bool, transA);
        QFETCH(bool, transB);
        if (!cpu::floatGemmAvailable())
            QSKIP("neither AVX2 nor AVX-512 here");
        const auto [M, N, K] = kSizes[size];
        checkValues({cpu::floatGemmWorkspace, cpu::floatGemm, cpu::floatGemmPackedBytes,
                     cpu::floatGemmPack, cpu::floatGemmPacked},
                    M, N, K, transA, transB);
    }

    /// Bias and ReLU come once, behind the last piece of K, at edges too; no number stays none.
    void finish()
    {
        if (!cpu::floatGemmAvailable())
            QSKIP("neither AVX2 nor AVX-512 here");
        constexpr std::int64_t M = 14, N = 53, K = 1100;
        const Values a = randomValues(M * K, 6), b = randomValues(K * N, 7),
                     bias = randomValues(N, 8);
        Values spoiled = a;
        spoiled[3 * K] = std::numeric_limits<double>::quiet_NaN();
        const Buffer ba(DType::F32, spoiled), bb(DType::F32, b), bc(DType::F32, bias),
            scratch(DType::U8, cpu::floatGemmWorkspace(N, 1)),
            packed(DType::U8, cpu::floatGemmPackedBytes(N, K));
        const cpu::FloatMatrix A = matrix(ba, false, M, K), B = matrix(bb, false, K, N);
        cpu::floatGemmPack(N, K, B, static_cast<float*>(packed.data()));
        for (const bool withBias : {false, true})
            for (const bool relu : {false, true}) {
                const cpu::FloatFinish finish{withBias ? bc.f32() : nullptr, relu};
                const Buffer plain(DType::F32, M * N), fromPacked(DType::F32, M * N);
                cpu::floatGemm(M, N, K, A, B, plain.f32(), N, false, 1, scratch.data(), finish);
                cpu::floatGemmPacked(M, N, K, A, static_cast<const float*>(packed.data()),
                                     fromPacked.f32(), N, false, 1, scratch.data(), finish);
                for (std::int64_t m = 0; m < M; ++m)
                    for (std::int64_t n = 0; n < N; ++n) {
                        double expected = withBias ? bias[std::size_t(n)] : 0;
                        for (std::int64_t k = 0; k < K; ++k)
                            expected +=
                                element(a, false, M, K, m, k) * element(b, false, K, N, k, n);
                        expected = relu ? std::max(expected, 0.0) : expected;
                        for (const Buffer* c : {&plain, &fromPacked}) {
                            const double got = double(c->f32()[m * N + n]);
                            QVERIFY(m == 3 ? std::isnan(got)
                                           : std::abs(got - expected) < 1e-6 * double(K));
                        }
                    }
            }
    }

    /// The innermost loops of other vendors' processors too, as far as this one has the
    /// instructions: every height, depths around those at which what is fetched changes.
    void innermostLoops_data()
    {
        QTest::addColumn<int>("set");
        QTest::addColumn<QString>("vendor");
        QTest::newRow("AVX2") << int(cpu::CpuLevel::Avx2) << QString();
        for (const char* vendor : {"AuthenticAMD", "GenuineIntel"})
            QTest::addRow("AVX-512, %s", vendor)
                << int(cpu::CpuLevel::Avx512) << QString::fromLatin1(vendor);
    }
    void innermostLoops()
    {
        QFETCH(int, set);
        QFETCH(QString, vendor);
        if (int(cpu::cpuLevel()) < set)
            QSKIP("this processor has no such instructions");
        const auto& level = cpu::floats::levelOf(cpu::CpuLevel(set), vendor.toStdString());
        const std::int64_t width = level.width, ldc = width + 5;
        for (int height = 1; height <= level.height; ++height)
            for (const std::int64_t depth : {1, 7, 127, 128, 131, 400}) {
                const Values a = randomValues(std::size_t(depth * height), 11),
                             b = randomValues(std::size_t(2 * depth * width), 12),
                             before = randomValues(std::size_t(height * ldc), 13);
                // A as rows, farther apart than they are long.
                const std::int64_t step = depth + 3;
                Values apart(std::size_t(height * step), NAN);
                for (std::int64_t m = 0; m < height; ++m)
                    for (std::int64_t k = 0; k < depth; ++k)
                        apart[std::size_t(m * step + k)] = a[std::size_t(k * height + m)];
                const Buffer A(DType::F32, a), rows(DType::F32, apart), B(DType::F32, b);
                cpu::floats::Lines lines;
                lines.runs[lines.count++] = {A.f32(), 16, 3};
                lines.runs[lines.count++] = {B.f32(), 16, 40};
                lines.share = depth / 3;
                for (const bool inPlace : {false, true})
                    for (const bool accumulate : {false, true}) {
                        const auto multiply = inPlace ? level.multiplyInPlace : level.multiply;
                        if (!multiply)
                            continue;
                        const Buffer C(DType::F32, before);
                        multiply(height, depth, inPlace ? rows.f32() : A.f32(), step, B.f32(),
                                 B.f32() + depth * width, lines, {C.f32(), ldc, accumulate, {}});
                        for (std::int64_t m = 0; m < height; ++m)
                            for (std::int64_t n = 0; n < ldc; ++n) {
                                const double old = before[std::size_t(m * ldc + n)];
                                double expected = n >= width || accumulate ? old : 0;
                                for (std::int64_t k = 0; n < width && k < depth; ++k)
                                    expected += a[std::size_t(k * height + m)] *
                                                b[std::size_t(k * width + n)];
                                QVERIFY(std::abs(double(C.f32()[m * ldc + n]) - expected) <
                                        1e-6 * double(depth + 1));
                            }
                    }
            }
    }

    /// A row's sums depend on that row alone: not on how many rows there are, nor on its place. So
    /// a batch that several workers share is summed as one worker sums it.
    void rowsAreSummedAlike()
    {
        if (!cpu::floatGemmAvailable())
            QSKIP("neither AVX2 nor AVX-512 here");
        constexpr std::int64_t M = 301, N = 70, K = 800;
        const Buffer a(DType::F32, randomValues(M * K, 9)), b(DType::F32, randomValues(K * N, 10)),
            scratch(DType::U8, cpu::floatGemmWorkspace(N, 1)),
            packed(DType::U8, cpu::floatGemmPackedBytes(N, K));
        const cpu::FloatMatrix A = matrix(a, false, M, K), B = matrix(b, false, K, N);
        cpu::floatGemmPack(N, K, B, static_cast<float*>(packed.data()));
        const Buffer all(DType::F32, M * N), some(DType::F32, M * N);
        cpu::floatGemm(M, N, K, A, B, all.f32(), N, false, 1, scratch.data());
        for (const std::int64_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 32, 133, 145}) {
            const cpu::FloatMatrix last{A.at + (M - rows) * K, K, 1};
            for (const bool isPacked : {false, true}) {
                if (isPacked)
                    cpu::floatGemmPacked(rows, N, K, last, static_cast<const float*>(packed.data()),
                                         some.f32(), N, false, 1, scratch.data());
                else
                    cpu::floatGemm(rows, N, K, last, B, some.f32(), N, false, 1, scratch.data());
                QVERIFY(std::equal(some.f32(), some.f32() + rows * N, all.f32() + (M - rows) * N));
            }
        }
    }

    void tasksChangeNothing_data()
    {
        addSizes({{"narrow", {100, 90, 700}}, // five threads stay together, two go apart with A^T
                  {"many rows", {277, 90, 2100}},
                  {"many columns", {70, 330, 2100}}});
    }

    /// A sum does not depend on how many tasks share the work.
    void tasksChangeNothing()
    {
        if (!cpu::floatGemmAvailable())
            QSKIP("neither AVX2 nor AVX-512 here");
        QFETCH(Size, size);
        const auto [M, N, K] = size;
        const Buffer a(DType::F32, randomValues(std::size_t(M * K), 4)),
            b(DType::F32, randomValues(std::size_t(K * N), 5)),
            bias(DType::F32, randomValues(std::size_t(N), 6));
        const Values before = randomValues(std::size_t(M * N), 7);
        const cpu::FloatFinish finish{bias.f32(), true};
        for (const bool transA : {false, true})
            for (const bool transB : {false, true}) {
                Values first;
                for (const int tasks : {1, 2, 5}) {
                    omp_set_num_threads(tasks);
                    const Buffer c(DType::F32, before),
                        scratch(DType::U8, cpu::floatGemmWorkspace(N, tasks));
                    cpu::floatGemm(M, N, K, matrix(a, transA, M, K), matrix(b, transB, K, N),
                                   c.f32(), N, true, tasks, scratch.data(), finish);
                    if (first.empty())
                        first = c.values();
                    QVERIFY(c.values() == first);
                }
            }
        omp_set_num_threads(1);
    }

    void panels_data()
    {
        addSizes({{"together", {100, 90, 700}},
                  {"apart", {70, 330, 2100}},
                  {"many columns", {20, 6200, 30}},
                  {"one number", {1, 1, 1}}});
    }

    /// A B that is copied panel by panel gives what the same matrix gives, packed ahead or not.
    void panels()
    {
        if (!cpu::floatGemmAvailable())
            QSKIP("neither AVX2 nor AVX-512 here");
        QFETCH(Size, size);
        const auto [M, N, K] = size;
        const Buffer a(DType::F32, randomValues(std::size_t(M * K), 4)),
            b(DType::F32, randomValues(std::size_t(K * N), 5)),
            bias(DType::F32, randomValues(std::size_t(N), 6));
        const Values before = randomValues(std::size_t(M * N), 7);
        const cpu::FloatFinish finish{bias.f32(), true};
        const cpu::FloatMatrix A = matrix(a, true, M, K), B = matrix(b, false, K, N);
        const auto pack = [](const void* source, std::int64_t k, std::int64_t depth, std::int64_t n,
                             std::int64_t width, std::int64_t panel, float* out) {
            const auto& m = *static_cast<const cpu::FloatMatrix*>(source);
            for (std::int64_t i = 0; i < depth; ++i)
                for (std::int64_t j = 0; j < panel; ++j)
                    out[i * panel + j] =
                        j < width ? m.at[(k + i) * m.rowStride + (n + j) * m.columnStride] : 0.0f;
        };
        const std::size_t bytes = cpu::floatGemmPackedBytes(N, K);
        const Buffer packed(DType::U8, bytes), expected(DType::U8, bytes);
        cpu::floatGemmPack(N, K, B, static_cast<float*>(expected.data()));
        for (const int tasks : {1, 2, 5}) {
            omp_set_num_threads(tasks);
            std::memset(packed.data(), 0xff, bytes);
            cpu::floatGemmPackPanels(N, K, {pack, &B}, static_cast<float*>(packed.data()));
            QCOMPARE(std::memcmp(packed.data(), expected.data(), bytes), 0);
            const Buffer c(DType::F32, before), d(DType::F32, before),
                scratch(DType::U8, cpu::floatGemmWorkspace(N, tasks));
            cpu::floatGemm(M, N, K, A, B, c.f32(), N, true, 1, scratch.data(), finish);
            cpu::floatGemmPanels(M, N, K, A, {pack, &B}, d.f32(), N, true, tasks, scratch.data(),
                                 finish);
            QVERIFY(c.values() == d.values());
        }
        omp_set_num_threads(1);
    }
};

QTEST_APPLESS_MAIN(FloatGemmTest)
#include "float_gemm_test.moc"
