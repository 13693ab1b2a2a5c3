// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products and linear layers: every form of a product against a triple loop in double, the
// gradients of a linear layer against finite differences, what is refused, and which
// implementations oneDNN gives.
#include <QTest>

#include <cstring>

#include "kernels/check.h"
#include "kernels/cpu_features.h"
#include "kernels/linear.h"
#include "kernels/matmul.h"
#include "tests/kernels/op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;
namespace ref = scalebench::kernels::ref;

namespace {

std::vector<DType> types()
{
    return cpu::cpuFeatures().bf16Fast ? std::vector<DType>{DType::F32, DType::BF16}
                                       : std::vector<DType>{DType::F32};
}

double activated(Activation a, double x)
{
    const double pi = 3.14159265358979323846;
    switch (a) {
    case Activation::Relu:
        return std::max(x, 0.0);
    case Activation::GeluErf:
        return 0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0)));
    case Activation::GeluTanh:
        return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / pi) * (x + 0.044715 * x * x * x)));
    case Activation::Tanh:
        return std::tanh(x);
    case Activation::Sigmoid:
        return 1.0 / (1.0 + std::exp(-x));
    case Activation::None:
        break;
    }
    return x;
}

const std::vector<Activation> kActivations = {Activation::None,    Activation::Relu,
                                              Activation::GeluErf, Activation::GeluTanh,
                                              Activation::Tanh,    Activation::Sigmoid};

struct Extent {
    std::int64_t a, b, c; // elements of the stored arrays
};

Extent extent(const MatmulParams& p)
{
    auto size = [&](std::int64_t rows, std::int64_t columns, std::int64_t ld, BatchStride s) {
        if (rows == 0 || columns == 0)
            return std::int64_t(0);
        return (rows - 1) * (ld ? ld : columns) + columns + (p.outerBatch - 1) * s.outer +
               (p.innerBatch - 1) * s.inner;
    };
    return {p.transA ? size(p.K, p.M, p.lda, p.strideA) : size(p.M, p.K, p.lda, p.strideA),
            p.transB ? size(p.N, p.K, p.ldb, p.strideB) : size(p.K, p.N, p.ldb, p.strideB),
            size(p.M, p.N, p.ldc, p.strideC)};
}

/// c is read where accumulated, and elements between the rows stay.
Values expected(const MatmulParams& p, const Values& a, const Values& b, const Values& bias,
                Values c)
{
    const std::int64_t lda = p.lda      ? p.lda
                             : p.transA ? p.M
                                        : p.K,
                       ldb = p.ldb      ? p.ldb
                             : p.transB ? p.K
                                        : p.N,
                       ldc = p.ldc ? p.ldc : p.N;
    for (std::int64_t o = 0; o < p.outerBatch; ++o)
        for (std::int64_t i = 0; i < p.innerBatch; ++i)
            for (std::int64_t m = 0; m < p.M; ++m)
                for (std::int64_t n = 0; n < p.N; ++n) {
                    double sum = p.bias ? bias[std::size_t(n)] : 0.0;
                    for (std::int64_t k = 0; k < p.K; ++k)
                        sum += a[std::size_t(o * p.strideA.outer + i * p.strideA.inner +
                                             (p.transA ? k * lda + m : m * lda + k))] *
                               b[std::size_t(o * p.strideB.outer + i * p.strideB.inner +
                                             (p.transB ? n * ldb + k : k * ldb + n))];
                    double& at =
                        c[std::size_t(o * p.strideC.outer + i * p.strideC.inner + m * ldc + n)];
                    at = (p.accumulate ? at : 0.0) + activated(p.activation, sum);
                }
    return c;
}

std::string check(const MatmulParams& p)
{
    const cpu::MatmulPlan plan(p);
    if (plan.implementation().starts_with("ref"))
        return "implementation " + plan.implementation();
    const Extent e = extent(p);
    const Values a = randomValues(std::size_t(e.a), 1), b = randomValues(std::size_t(e.b), 2),
                 bias = randomValues(std::size_t(p.N), 3), c = randomValues(std::size_t(e.c), 4);
    const Buffer ba(p.inputType, a), bb(p.packedB ? DType::F32 : p.inputType, b),
        bBias(DType::F32, bias), bc(p.outputType, c), packed(DType::U8, plan.packedBytes()),
        scratch(DType::U8, plan.workspaceBytes());
    if (p.packedB)
        plan.packB(bb.f32(), packed.data(), scratch.data());
    plan.run(ba.data(), p.packedB ? packed.data() : bb.data(), bBias.f32(), bc.data(),
             scratch.data());
    const std::string text =
        compare(bc.values(), expected(p, a, b, bias, c), tolerance(p.outputType));
    return text.empty() ? text : p.describe() + ": " + text;
}

} // namespace

class MatmulTest : public QObject
{
    Q_OBJECT
private slots:
    void forms_data()
    {
        QTest::addColumn<int>("M");
        QTest::addColumn<int>("N");
        QTest::addColumn<int>("K");
        QTest::newRow("one") << 1 << 1 << 1;
        QTest::newRow("row") << 1 << 37 << 16;
        QTest::newRow("column") << 29 << 1 << 8;
        QTest::newRow("outer") << 9 << 11 << 1;
        QTest::newRow("odd") << 33 << 65 << 17;
        QTest::newRow("even") << 64 << 96 << 128;
        QTest::newRow("no sum") << 3 << 5 << 0;
        QTest::newRow("no rows") << 0 << 5 << 4;
        QTest::newRow("no columns") << 3 << 0 << 4;
    }

    void forms()
    {
        QFETCH(int, M);
        QFETCH(int, N);
        QFETCH(int, K);
        for (DType t : types())
            for (DType out : types()) {
                if (t == DType::F32 && out == DType::BF16)
                    continue;
                MatmulParams p;
                p.M = M, p.N = N, p.K = K, p.inputType = t, p.outputType = out;
                for (int form = 0; form < 4; ++form) {
                    p.transA = form & 1, p.transB = form & 2;
                    SB_AGREE(check(p));
                    MatmulParams wide = p; // rows with a gap
                    wide.lda = (p.transA ? M : K) + 3, wide.ldb = (p.transB ? K : N) + 5;
                    wide.ldc = N + 2;
                    SB_AGREE(check(wide));
                    wide.accumulate = true;
                    SB_AGREE(check(wide));
                }
                for (Activation a : kActivations)
                    for (bool bias : {false, true}) {
                        p.activation = a, p.bias = bias;
                        SB_AGREE(check(p));
                        MatmulParams weight = p;
                        weight.packedB = true;
                        SB_AGREE(check(weight));
                        weight.transB = false;
                        SB_AGREE(check(weight));
                    }
            }
    }

    /// The products of attention, read in place from [B,S,H,D].
    void heads()
    {
        for (DType t : types())
            for (std::int64_t D : {64, 33, 1}) {
                const std::int64_t B = 2, S = 13, H = 3;
                MatmulParams scores;
                scores.inputType = t, scores.outerBatch = B, scores.innerBatch = H;
                scores.M = scores.N = S, scores.K = D, scores.transB = true;
                scores.lda = scores.ldb = H * D;
                scores.strideA = scores.strideB = {S * H * D, D};
                scores.strideC = {H * S * S, S * S};
                SB_AGREE(check(scores));
                MatmulParams values = scores;
                values.K = S, values.N = D, values.lda = 0, values.transB = false;
                values.strideA = scores.strideC, values.strideC = scores.strideB;
                values.ldc = H * D;
                SB_AGREE(check(values));
                values.transA = true, values.accumulate = true;
                SB_AGREE(check(values));
            }
    }

    void wrongOnesAreRefused()
    {
        MatmulParams p;
        p.M = 4, p.N = 4, p.K = 4, p.lda = 3;
        QVERIFY_EXCEPTION_THROWN(cpu::MatmulPlan{p}, InvalidArgument);
        p.lda = 0, p.accumulate = true, p.bias = true;
        QVERIFY_EXCEPTION_THROWN(cpu::MatmulPlan{p}, InvalidArgument);
        p.accumulate = false, p.outputType = DType::BF16; // f32 in
        QVERIFY_EXCEPTION_THROWN(cpu::MatmulPlan{p}, InvalidArgument);
        p.outputType = DType::F32, p.innerBatch = 2; // results would overlap
        QVERIFY_EXCEPTION_THROWN(cpu::MatmulPlan{p}, InvalidArgument);
        p.innerBatch = 1, p.inputType = DType::I32;
        QVERIFY_EXCEPTION_THROWN(cpu::MatmulPlan{p}, InvalidArgument);
    }

    void linear_data()
    {
        QTest::addColumn<int>("N");
        QTest::addColumn<int>("in");
        QTest::addColumn<int>("out");
        QTest::newRow("one") << 1 << 1 << 1;
        QTest::newRow("odd") << 3 << 5 << 7;
        QTest::newRow("empty") << 0 << 5 << 7;
        QTest::newRow("rows") << 300 << 9 << 4;                // several partial column sums
        QTest::newRow("pieces of backward") << 2051 << 9 << 4; // the last is the longest
        QTest::newRow("blocks of panels") << 700 << 37 << 83;
        QTest::newRow("pieces of panels") << 2177 << 21 << 70;
        QTest::newRow("resnet20") << 64 << 64 << 10;
        QTest::newRow("resnet50") << 4 << 2048 << 1000;
    }

    void linear()
    {
        QFETCH(int, N);
        QFETCH(int, in);
        QFETCH(int, out);
        for (DType t : types())
            for (DType o : types())
                for (Activation a : kActivations) {
                    if ((t == DType::F32 && o == DType::BF16) ||
                        (out == 1000 && a > Activation::Relu))
                        continue;
                    SB_AGREE(checkLinear({N, in, out, t, o, a}));
                }
    }

private:
    static std::string checkLinear(const LinearParams& p)
    {
        const auto N = std::size_t(p.N), in = std::size_t(p.in), out = std::size_t(p.out);
        const Values x = randomValues(N * in, 1), w = randomValues(in * out, 2),
                     b = randomValues(out, 3), dy = randomValues(N * out, 4);
        const cpu::LinearPlan plan(p);
        if (plan.implementations().find("=ref") != std::string::npos)
            return plan.implementations();
        const Buffer bx(p.dtype, x), bw(DType::F32, w), bb(DType::F32, b), bdy(p.outputType, dy),
            y(p.outputType, N * out), kept(p.outputType, N * out), dx(p.dtype, N * in),
            dw(DType::F32, in * out), db(DType::F32, out),
            packed(DType::U8, plan.packedWeightBytes()), scratch(DType::U8, plan.workspaceBytes());
        plan.pack(bw.f32(), packed.data());
        plan.forward(bx.data(), bw.f32(), packed.data(), bb.f32(), nullptr, y.data(),
                     scratch.data());
        Values z = ref::linearForward(p.N, p.in, p.out, x, w, b), ey(z), g(dy);
        for (std::size_t i = 0; i < z.size(); ++i) {
            ey[i] = activated(p.activation, z[i]);
            const double h = 1e-5;
            g[i] *= p.activation == Activation::Relu
                        ? (z[i] > 0.0 ? 1.0 : 0.0)
                        : (activated(p.activation, z[i] + h) - activated(p.activation, z[i] - h)) /
                              (2.0 * h);
        }
        std::string text = compare(y.values(), ey, tolerance(p.outputType));
        if (!text.empty())
            return p.describe() + " inference: " + text;
        plan.forward(bx.data(), bw.f32(), packed.data(), bb.f32(), kept.data(), y.data(),
                     scratch.data());
        text = compare(y.values(), ey, tolerance(p.outputType));
        if (!text.empty())
            return p.describe() + " forward: " + text;

        cpu::LinearBackward back;
        back.x = bx.data(), back.w = bw.f32(), back.packed = packed.data();
        back.kept = plan.keepsInput() ? kept.data() : y.data();
        back.dy = bdy.data(), back.dx = dx.data(), back.dw = dw.f32(), back.db = db.f32();
        Values edx(N * in), edw(in * out), edb(out);
        for (std::size_t n = 0; n < N; ++n)
            for (std::size_t o = 0; o < out; ++o) {
                const double dz = g[n * out + o];
                const double *wo = &w[o * in], *xn = &x[n * in];
                double *dxn = &edx[n * in], *dwo = &edw[o * in];
                edb[o] += dz;
                for (std::size_t i = 0; i < in; ++i) {
                    dxn[i] += dz * wo[i];
                    dwo[i] += dz * xn[i];
                }
            }
        for (bool accumulate : {false, true}) {
            back.accumulateWeight = back.accumulateBias = accumulate;
            plan.backward(back, scratch.data());
            if (accumulate)
                for (Values* sums : {&edw, &edb})
                    for (double& v : *sums)
                        v *= 2;
            // In bf16 the gradient is rounded after the activation; sums are fp32.
            const bool exact = p.activation == Activation::None || p.dtype == DType::F32;
            const double near = tolerance(exact ? DType::F32 : DType::BF16);
            for (const auto& part :
                 {compare(dx.values(), edx, tolerance(p.dtype)), compare(dw.values(), edw, near),
                  compare(db.values(), edb, near)})
                if (!part.empty())
                    return p.describe() + " backward: " + part;
        }
        return {};
    }
};

QTEST_APPLESS_MAIN(MatmulTest)
#include "matmul_test.moc"
