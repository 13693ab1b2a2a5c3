// SPDX-License-Identifier: GPL-3.0-or-later
// Products in bf16 by panels: every form against sums in double, the same bits for several threads
// and for a row among others, and linear layers whose data gradients are summed in pieces. With AMX
// the forms that are made of whole tiles.
#include <QTest>

#include <cstring>

#include <omp.h>

#include "kernels/cpu/panel_amx.h"
#include "kernels/cpu/panel_gemm.h"
#include "kernels/cpu/panel_linear.h"
#include "kernels/cpu/panel_matmul.h"
#include "kernels/linear.h"
#include "tests/kernels/op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;

namespace {

constexpr std::int64_t kWhole = 160; ///< deep: whole tiles

MatmulParams form(std::int64_t M, std::int64_t N, std::int64_t K)
{
    MatmulParams p;
    p.M = M, p.N = N, p.K = K;
    p.inputType = DType::BF16, p.outputType = DType::F32;
    return p;
}

std::int64_t step(std::int64_t ld, std::int64_t dense)
{
    return ld != 0 ? ld : dense;
}

/// Operands of a product, and the result that double gives.
struct Problem {
    MatmulParams p;
    std::int64_t lda = step(p.lda, p.transA ? p.M : p.K), ldb = step(p.ldb, p.transB ? p.K : p.N),
                 ldc = step(p.ldc, p.N);
    Values a = randomValues(std::size_t(lda * (p.transA ? p.K : p.M)), 1),
           b = randomValues(std::size_t(ldb * (p.transB ? p.N : p.K)), 2),
           bias = randomValues(std::size_t(p.N), 3),
           before = randomValues(std::size_t(ldc * p.M), 4);

    Values expected() const
    {
        Values c = before;
        Values row(std::size_t(p.N));
        for (std::int64_t m = 0; m < p.M; ++m) {
            std::fill(row.begin(), row.end(), 0.0);
            for (std::int64_t k = 0; k < p.K; ++k) {
                const double left = a[std::size_t(p.transA ? k * lda + m : m * lda + k)];
                for (std::int64_t n = 0; n < p.N; ++n)
                    row[std::size_t(n)] +=
                        left * b[std::size_t(p.transB ? n * ldb + k : k * ldb + n)];
            }
            for (std::int64_t n = 0; n < p.N; ++n) {
                double& at = c[std::size_t(m * ldc + n)];
                const double sum = row[std::size_t(n)] + (p.bias ? bias[std::size_t(n)] : 0.0) +
                                   (p.accumulate ? at : 0.0);
                at = p.activation == Activation::Relu ? std::max(sum, 0.0) : sum;
            }
        }
        return c;
    }

    /// What the product makes of what C held before.
    Buffer result(int threads) const
    {
        omp_set_num_threads(threads);
        const cpu::PanelMatmul product(p);
        const Buffer A(DType::BF16, a), B(DType::BF16, b), master(DType::F32, b),
            added(DType::F32, bias), packed(DType::U8, product.packedBytes()),
            scratch(DType::U8, product.workspaceBytes());
        Buffer c(p.outputType, before);
        if (p.packedB)
            product.packB(master.f32(), packed.data());
        product.run(A.data(), p.packedB ? packed.data() : B.data(), added.f32(), c.data(),
                    scratch.data());
        omp_set_num_threads(1);
        return c;
    }
    std::size_t bytes() const { return before.size() * dtypeBytes(p.outputType); }
};

} // namespace

class PanelMatmulTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        if (!cpu::panels::available(DType::BF16) && !cpu::panels::amxMultiplies(kWhole))
            QSKIP("this processor multiplies no panels in bf16");
    }

    void values_data()
    {
        QTest::addColumn<MatmulParams>("p");
        const auto add = [](const char* name, MatmulParams p) { QTest::newRow(name) << p; };
        MatmulParams p = form(37, 70, 35);
        add("odd depth", p);
        p.lda = 41, p.ldb = 75, p.ldc = 79;
        add("wide rows", p);
        p.bias = true, p.activation = Activation::Relu;
        add("bias and ReLU", p);
        p.outputType = DType::BF16;
        add("the same to bf16", p);
        p = form(13, 150, 66);
        p.accumulate = true;
        add("added", p);
        p.outputType = DType::BF16, p.ldc = 153;
        add("added in bf16", p);
        p = form(33, 100, 77);
        p.transB = true;
        add("B transposed", p);
        p.ldb = 80, p.bias = true;
        add("wide B transposed", p);
        p = form(32, 130, 67);
        p.packedB = true;
        add("packed", p);
        p.transB = true, p.bias = true, p.outputType = DType::BF16;
        add("packed from its transpose", p);
        p = form(100, 41, 333);
        p.transA = true;
        add("A transposed", p);
        p.lda = 103, p.ldb = 50, p.accumulate = true;
        add("A transposed, wide rows, added", p);
        p = form(40, 24, 1101);
        p.transA = true;
        add("A transposed, several pieces", p);
        p = form(200, 90, 2000);
        p.transA = true;
        add("A transposed, rows apart", p);
        p.lda = 203, p.ldb = 95, p.ldc = 99, p.accumulate = true;
        add("A transposed, wide rows apart", p);
        p = form(70, 210, 2001);
        p.transA = true;
        add("A transposed, columns apart", p);
        p = form(400, 20, 60);
        add("several blocks of rows", p);
        p = form(3, 1100, 1030);
        add("several blocks of columns", p);
        p = form(7, 20, 8301);
        p.bias = true;
        add("deep", p);
        p.outputType = DType::BF16, p.ldc = 23;
        add("deep, to bf16", p);
        p = form(37, 70, kWhole);
        add("tiles", p);
        p.lda = 200, p.ldb = 75, p.ldc = 79;
        p.bias = true, p.activation = Activation::Relu;
        add("tiles, wide rows, bias and ReLU", p);
        p.outputType = DType::BF16;
        add("tiles to bf16", p);
        p = form(15, 41, kWhole);
        p.accumulate = true;
        add("tiles, added", p);
        p.outputType = DType::BF16, p.ldc = 53;
        add("tiles, added in bf16", p);
        p = form(49, 100, 128);
        p.transB = true, p.bias = true;
        add("tiles, B transposed", p);
        p.packedB = true, p.outputType = DType::BF16;
        add("tiles, packed from its transpose", p);
        p = form(400, 16, 256);
        p.packedB = true;
        add("tiles, packed, one panel", p);
        p = form(150, 40, 4096);
        add("tiles, several blocks of rows", p);
        p = form(7, 20, 8448);
        p.bias = true;
        add("tiles, deep", p);
        p.outputType = DType::BF16, p.ldc = 23;
        add("tiles, deep, to bf16", p);
    }

    void values()
    {
        QFETCH(MatmulParams, p);
        const bool byAmx = p.K >= 128 && (p.transA ? !p.transB : p.K % 32 == 0);
        if (!cpu::panels::available(DType::BF16) && !byAmx)
            QSKIP("AMX multiplies whole tiles only");
        QVERIFY(cpu::PanelMatmul::suits(p));
        const Problem problem{p};
        const Buffer one = problem.result(1);
        // Sums of random signs: a larger one for more terms.
        SB_AGREE(compare(one.values(), problem.expected(), tolerance(p.outputType)));
        for (const int threads : {2, 5})
            QVERIFY(std::memcmp(problem.result(threads).data(), one.data(), problem.bytes()) == 0);
    }

    void aRowDoesNotDependOnOthers()
    {
        const Problem all{form(50, 80, kWhole)};
        const Buffer sums = all.result(1);
        for (const std::int64_t rows : {1, 4, 7, 16, 33}) {
            Problem some{form(rows, 80, kWhole)};
            some.b = all.b;
            std::copy_n(all.a.begin(), some.a.size(), some.a.begin());
            QVERIFY(std::memcmp(some.result(1).data(), sums.data(), some.bytes()) == 0);
        }
    }

    void whatItCannotDoIsNoneOfIt()
    {
        MatmulParams p = form(8, 32, 9000);
        p.packedB = true;
        QVERIFY(!cpu::PanelMatmul::suits(p)); // its pieces would lie apart
        p.packedB = false, p.activation = Activation::Relu;
        QVERIFY(!cpu::PanelMatmul::suits(p));
        p.activation = Activation::None, p.accumulate = true, p.outputType = DType::BF16;
        QVERIFY(!cpu::PanelMatmul::suits(p));
        p = form(8, 32, 64);
        p.inputType = DType::F32;
        QVERIFY(!cpu::PanelMatmul::suits(p));
        p = form(8, 32, 64), p.innerBatch = 2;
        QVERIFY(!cpu::PanelMatmul::suits(p));
    }

    void deepDataGradients()
    {
        const std::size_t N = 45, in = 70, out = 8300;
        const LinearParams p{std::int64_t(N), std::int64_t(in), std::int64_t(out), DType::BF16,
                             DType::BF16};
        if (!cpu::panels::available(DType::BF16))
            QSKIP("without AVX512_BF16 of its own rate linear layers are no products of panels");
        QVERIFY(cpu::PanelLinear::suits(p));
        const Values w = randomValues(in * out, 1), dy = randomValues(N * out, 2);
        Values expected(N * in);
        for (std::size_t n = 0; n < N; ++n)
            for (std::size_t o = 0; o < out; ++o)
                for (std::size_t i = 0; i < in; ++i)
                    expected[n * in + i] += dy[n * out + o] * w[o * in + i];
        for (const int threads : {1, 3}) {
            omp_set_num_threads(threads);
            const cpu::LinearPlan plan(p);
            const Buffer x(DType::BF16, randomValues(N * in, 3)), master(DType::F32, w),
                gradient(DType::BF16, dy), packed(DType::U8, plan.packedWeightBytes()),
                scratch(DType::U8, plan.workspaceBytes()), dx(DType::BF16, N * in),
                dw(DType::F32, in * out);
            plan.pack(master.f32(), packed.data());
            cpu::LinearBackward b;
            b.x = x.data(), b.w = master.f32(), b.packed = packed.data(), b.dy = gradient.data();
            b.dx = dx.data(), b.dw = dw.f32();
            plan.backward(b, scratch.data());
            omp_set_num_threads(1);
            SB_AGREE(compare(dx.values(), expected, tolerance(DType::BF16)));
        }
    }
};

QTEST_APPLESS_MAIN(PanelMatmulTest)
#include "panel_matmul_test.moc"
