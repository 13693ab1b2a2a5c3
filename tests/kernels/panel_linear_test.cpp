// SPDX-License-Identifier: GPL-3.0-or-later
// Linear layers in fp32 that are large enough for products of panels, against sums in double, and
// the same bits for two threads. Of each product some rows and columns are summed, over all their
// depth, so that the test stays quick.
#include <QTest>

#include <cstring>
#include <random>
#include <set>

#include <omp.h>

#include "kernels/cpu/panel_gemm.h"
#include "kernels/cpu/panel_linear.h"
#include "kernels/linear.h"
#include "tests/kernels/op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;

namespace {

/// A matrix as it is stored, or its transpose.
struct View {
    const float* at;
    std::int64_t down, across; ///< elements between rows and between columns

    View transposed() const { return {at, across, down}; }
};

View matrix(const Buffer& of, std::int64_t columns)
{
    return {of.f32(), columns, 1};
}

/// The first, the last and some between.
std::set<std::int64_t> someOf(std::int64_t n)
{
    std::mt19937 random{unsigned(n)};
    std::set<std::int64_t> some{0, n - 1};
    for (int i = 0; i < 8; ++i)
        some.insert(std::int64_t(random()) % n);
    return some;
}

/// C [M,N] = A [M,K] B [K,N] + bias, and nothing below 0 with relu.
struct Product {
    std::int64_t M, N, K;
    View A, B, C;
    const float* bias = nullptr;
    bool relu = false;

    std::string disagreement() const
    {
        std::string text;
        for (const std::int64_t m : someOf(M))
            for (std::int64_t n = 0; n < N && text.empty(); ++n)
                text = disagreement(m, n);
        for (const std::int64_t n : someOf(N))
            for (std::int64_t m = 0; m < M && text.empty(); ++m)
                text = disagreement(m, n);
        return text;
    }

    /// What is allowed for rounding is less than one term in most sums.
    std::string disagreement(std::int64_t m, std::int64_t n) const
    {
        const float *a = A.at + m * A.down, *b = B.at + n * B.across;
        double sum = 0.0, size = 1.0;
        for (std::int64_t k = 0; k < K; ++k, a += A.across, b += B.down) {
            const double term = double(*a) * double(*b);
            sum += term;
            size += term < 0.0 ? -term : term;
        }
        sum += bias ? double(bias[n]) : 0.0;
        if (relu)
            sum = std::max(sum, 0.0);
        const double got = double(C.at[m * C.down + n * C.across]);
        if (std::abs(got - sum) <= 2e-6 * size)
            return {};
        return "row " + std::to_string(m) + ", column " + std::to_string(n) + ": " +
               std::to_string(got) + " instead of " + std::to_string(sum);
    }
};

bool sameBits(const Buffer& a, const Buffer& b, std::size_t n)
{
    return std::memcmp(a.data(), b.data(), n * sizeof(float)) == 0;
}

/// What one layer is given.
struct Layer {
    LinearParams p;
    std::size_t N = std::size_t(p.N), in = std::size_t(p.in), out = std::size_t(p.out);
    Buffer x = values(N * in, 1), w = values(in * out, 2), b = values(out, 3),
           dy = values(N * out, 4);
    static Buffer values(std::size_t n, unsigned seed)
    {
        return {DType::F32, randomValues(n, seed)};
    }
    bool relu() const { return p.activation == Activation::Relu; }
};

/// What it makes of that. dwTwice, dbTwice: the same gradients added to what dw and db hold.
struct Results {
    const Layer& of;
    Buffer y = room(of.N * of.out), dx = room(of.N * of.in), dw = room(of.in * of.out),
           db = room(of.out), dwTwice = room(of.in * of.out), dbTwice = room(of.out);

    static Buffer room(std::size_t n) { return {DType::F32, n}; }

    Results(const Layer& layer, int threads) : of(layer)
    {
        const int before = omp_get_max_threads();
        omp_set_num_threads(threads);
        const cpu::LinearPlan plan(of.p);
        const Buffer packed(DType::U8, plan.packedWeightBytes()),
            scratch(DType::U8, plan.workspaceBytes());
        plan.pack(of.w.f32(), packed.data());
        plan.forward(of.x.data(), of.w.f32(), packed.data(), of.b.f32(), nullptr, y.data(),
                     scratch.data());
        cpu::LinearBackward back;
        back.x = of.x.data(), back.w = of.w.f32(), back.packed = packed.data();
        back.kept = y.data(), back.dy = of.dy.data();
        back.dx = dx.data(), back.dw = dw.f32(), back.db = db.f32();
        plan.backward(back, scratch.data());
        std::copy_n(dw.f32(), of.in * of.out, dwTwice.f32());
        std::copy_n(db.f32(), of.out, dbTwice.f32());
        back.dw = dwTwice.f32(), back.db = dbTwice.f32();
        back.accumulateWeight = back.accumulateBias = true;
        plan.backward(back, scratch.data());
        omp_set_num_threads(before);
    }

    bool operator==(const Results& o) const
    {
        return sameBits(y, o.y, of.N * of.out) && sameBits(dx, o.dx, of.N * of.in) &&
               sameBits(dw, o.dw, of.in * of.out) && sameBits(db, o.db, of.out) &&
               sameBits(dwTwice, o.dwTwice, of.in * of.out) && sameBits(dbTwice, o.dbTwice, of.out);
    }

    Product forward() const
    {
        return {of.p.N,
                of.p.out,
                of.p.in,
                matrix(of.x, of.p.in),
                matrix(of.w, of.p.in).transposed(),
                matrix(y, of.p.out),
                of.b.f32(),
                of.relu()};
    }
    /// The gradient before the activation.
    Buffer g() const
    {
        Buffer result = room(of.N * of.out);
        for (std::size_t i = 0; i < of.N * of.out; ++i)
            result.f32()[i] = of.relu() && y.f32()[i] <= 0.0f ? 0.0f : of.dy.f32()[i];
        return result;
    }
    Product data(const Buffer& g) const
    {
        return {of.p.N,
                of.p.in,
                of.p.out,
                matrix(g, of.p.out),
                matrix(of.w, of.p.in),
                matrix(dx, of.p.in)};
    }
    Product weight(const Buffer& g) const
    {
        return {of.p.out,
                of.p.in,
                of.p.N,
                matrix(g, of.p.out).transposed(),
                matrix(of.x, of.p.in),
                matrix(dw, of.p.in)};
    }
    std::string bias(const Buffer& g) const
    {
        Values sums(of.out);
        const float* at = g.f32();
        for (std::size_t n = 0; n < of.N; ++n)
            for (std::size_t o = 0; o < of.out; ++o)
                sums[o] += double(*at++);
        return compare(db.values(), sums, tolerance(DType::F32));
    }
};

std::string notTwice(const Buffer& once, const Buffer& twice)
{
    Values expected = once.values();
    for (double& v : expected)
        v *= 2.0;
    return compare(twice.values(), expected, tolerance(DType::F32));
}

} // namespace

class PanelLinearTest : public QObject
{
    Q_OBJECT
private slots:
    void values_data()
    {
        QTest::addColumn<int>("N");
        QTest::addColumn<int>("in");
        QTest::addColumn<int>("out");
        QTest::addColumn<bool>("relu");
        for (const bool relu : {false, true}) {
            const char* const name = relu ? "ReLU" : "no activation";
            QTest::addRow("fewest rows, %s", name) << 512 << 512 << 520 << relu;
            QTest::addRow("pieces and edges, %s", name) << 1101 << 523 << 517 << relu;
        }
    }

    void values()
    {
        QFETCH(int, N);
        QFETCH(int, in);
        QFETCH(int, out);
        QFETCH(bool, relu);
        if (!cpu::panels::available(DType::F32))
            QSKIP("linear layers in fp32 are no products of panels on this processor");
        const LinearParams p{N,          in,         out,
                             DType::F32, DType::F32, relu ? Activation::Relu : Activation::None};
        QVERIFY2(cpu::PanelLinear::suits(p), "too small for what is checked here");
        const Layer layer{p};
        const Results got(layer, 1);
        SB_AGREE(got.forward().disagreement());
        const Buffer g = got.g();
        SB_AGREE(got.data(g).disagreement());
        SB_AGREE(got.weight(g).disagreement());
        SB_AGREE(got.bias(g));
        SB_AGREE(notTwice(got.dw, got.dwTwice));
        SB_AGREE(notTwice(got.db, got.dbTwice));
        QVERIFY(Results(layer, 2) == got);
    }
};

QTEST_APPLESS_MAIN(PanelLinearTest)
#include "panel_linear_test.moc"
