// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions and their gradients at batch sizes at which the layouts of this engine (tiles,
// strided products) work in several rounds, with channel counts that fill no tile, on one thread
// and more. The self-test has the layers of the real networks, with batches too small for that.
#include <omp.h>

#include <QTest>

#include <algorithm>
#include <string>

#include "conv_definition.h"
#include "kernels/conv2d.h"
#include "kernels/cpu/conv_winograd.h"
#include "kernels/cpu_features.h"
#include "kernels/cpu_level.h"
#include "op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;

namespace {

struct Case {
    const char* name;
    std::int64_t N, H, W, C, K, R, stride = 1, padding = 0, dilation = 1;
};

const Case kCases[] = {
    {"1x1", 5, 9, 7, 24, 40, 1},
    {"1x1, stride 2", 3, 7, 10, 17, 33, 1, 2},
    {"1x1, stride 3, one row", 2, 1, 11, 8, 16, 1, 3},
    {"1x1, wide", 3, 9, 11, 130, 260, 1},
    {"1x1, wide, stride 2", 5, 9, 12, 264, 136, 1, 2},
    {"3x3", 9, 14, 14, 64, 32, 3, 1, 1},
    {"3x3, several rounds", 7, 28, 30, 64, 64, 3, 1, 1},
    {"3x3, few pixels", 4, 7, 8, 96, 80, 3, 1, 1},
    {"3x3, odd picture, no padding", 3, 13, 11, 72, 100, 3},
    {"3x3, much padding", 4, 7, 10, 64, 64, 3, 1, 2},
    {"3x3, narrow", 9, 12, 15, 32, 64, 3, 1, 1},
    {"3x3, 16 channels", 33, 15, 17, 16, 16, 3, 1, 1},
    {"3x3, 16 to 48 channels", 4, 13, 14, 16, 48, 3, 1, 2},
    {"3x3, 48 to 32 channels, no padding", 5, 14, 13, 48, 32, 3},
    {"3x3, 96 to 16 channels", 2, 15, 15, 96, 16, 3, 1, 1},
    {"3x3, 64 to 128 channels", 4, 11, 12, 64, 128, 3, 1, 1},
    {"3x3, 128 channels, many tiles", 6, 27, 28, 128, 128, 3, 1, 1},
    {"3x3, tiles cut, odd channels", 5, 15, 16, 72, 100, 3, 1, 1},
    {"3x3, tiles cut, no padding", 4, 17, 18, 68, 90, 3},
    {"3x3, tiles cut, much padding", 3, 17, 13, 80, 64, 3, 1, 2},
    {"3x3, wide", 3, 9, 8, 140, 66, 3, 1, 1},
    {"3x3, more windows than a cache holds", 2, 15, 15, 350, 340, 3, 1, 1},
    {"3x3, stride 2, several rounds", 6, 29, 28, 64, 96, 3, 2, 1},
    {"3x3, stride 2, dilated, wide", 3, 17, 16, 72, 64, 3, 2, 2, 2},
    {"3x3, stride 3, part of a slice", 4, 8, 9, 80, 40, 3, 3, 1},
    {"3x3, dilated", 5, 12, 13, 48, 64, 3, 1, 2, 2},
    {"3x3, dilated, wide", 3, 12, 13, 64, 96, 3, 1, 2, 2},
    {"3x3, dilated, stride 2", 2, 13, 12, 64, 48, 3, 2, 2, 2},
    {"5x5, no padding", 3, 9, 11, 33, 65, 5},
    {"7x7, stride 2", 2, 16, 15, 64, 32, 7, 2, 3},
    {"one pixel", 37, 1, 1, 32, 64, 3, 1, 1},
};

Conv2dParams paramsOf(const Case& c)
{
    Conv2dParams p;
    p.N = c.N, p.H = c.H, p.W = c.W, p.C = c.C, p.K = c.K, p.R = p.S = c.R;
    p.stride = c.stride, p.padding = c.padding, p.dilation = c.dilation;
    return p;
}

Gradients computedGradients(const Conv2dParams& p, const Values& x, const Values& w,
                            const Values& dy)
{
    const cpu::Conv2dPlan plan(p, true);
    const Buffer bx(p.dtype, x), bdy(p.dtype, dy), bw(DType::F32, w), dx(p.dtype, x.size()),
        dw(DType::F32, w.size()), packed(DType::U8, plan.dataWeightBytes()),
        scratch(DType::U8, plan.workspaceBytes());
    plan.packData(bw.f32(), packed.data(), scratch.data());
    const void* const weight = plan.dataWeightBytes() > 0 ? packed.data() : bw.data();
    plan.backwardData(bdy.data(), weight, dx.data(), scratch.data());
    plan.backwardWeight(bx.data(), bdy.data(), dw.f32(), false, scratch.data());
    return {dx.values(), dw.values()};
}

} // namespace

class ConvGradientTest : public QObject
{
    Q_OBJECT
private slots:
    void matchesDefinition_data();
    void matchesDefinition();
    void forwardMatchesDefinition_data();
    void forwardMatchesDefinition();
    void manyThreads_data();
    void manyThreads();
};

void ConvGradientTest::matchesDefinition_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<bool>("bf16");
    for (int i = 0; i < int(std::size(kCases)); ++i)
        for (bool bf16 : {false, true})
            QTest::addRow("%s %s", bf16 ? "bf16" : "f32", kCases[i].name) << i << bf16;
}

void ConvGradientTest::matchesDefinition()
{
    QFETCH(int, index);
    QFETCH(bool, bf16);
    if (bf16 && !cpu::cpuFeatures().bf16Fast)
        QSKIP("no bf16 arithmetic on this processor");
    Conv2dParams p = paramsOf(kCases[index]);
    p.dtype = bf16 ? DType::BF16 : DType::F32;
    const Values x = randomValues(std::size_t(p.N * p.H * p.W * p.C), 1),
                 w = randomValues(std::size_t(p.weightCount()), 2),
                 dy = randomValues(std::size_t(p.N * p.outH() * p.outW() * p.K), 3);
    const Gradients expected = convGradients(p, x, w, dy);
    omp_set_num_threads(1);
    const Gradients one = computedGradients(p, x, w, dy);
    SB_AGREE(compare(one.input, expected.input, tolerance(p.dtype)));
    // The operands are exact in bf16 and the sums fp32: no rounding to bf16 on the way. Winograd's
    // convolution rounds what it multiplies to 16 bits.
    const bool rounds = bf16 && cpu::WinogradConvolution::suits(p);
    const double ofWeight = rounds ? 1.5e-3 : tolerance(DType::F32);
    SB_AGREE(compare(one.weight, expected.weight, ofWeight));
    omp_set_num_threads(2);
    const Gradients two = computedGradients(p, x, w, dy);
    omp_set_num_threads(1);
    SB_AGREE(compare(two.weight, expected.weight, ofWeight));
    SB_AGREE(compare(two.input, expected.input, tolerance(p.dtype)));
}

void ConvGradientTest::forwardMatchesDefinition_data()
{
    matchesDefinition_data();
}

/// With bias and ReLU; Winograd's convolution gives the same bits on one thread, on two and on
/// three, which share its work in other ways, in all passes that it makes.
void ConvGradientTest::forwardMatchesDefinition()
{
    QFETCH(int, index);
    QFETCH(bool, bf16);
    if (bf16 && !cpu::cpuFeatures().bf16Fast)
        QSKIP("no bf16 arithmetic on this processor");
    Conv2dParams p = paramsOf(kCases[index]);
    p.dtype = bf16 ? DType::BF16 : DType::F32;
    p.bias = p.relu = true;
    const Values x = randomValues(std::size_t(p.N * p.H * p.W * p.C), 1),
                 w = randomValues(std::size_t(p.weightCount()), 2),
                 bias = randomValues(std::size_t(p.K), 4),
                 dy = randomValues(std::size_t(p.N * p.outH() * p.outW() * p.K), 3);
    Values results[3];
    Gradients gradients[3];
    std::string ways;
    for (int threads : {1, 2, 3}) {
        omp_set_num_threads(threads);
        const cpu::Conv2dPlan plan(p, true);
        const Buffer bx(p.dtype, x), bw(DType::F32, w), bb(DType::F32, bias), y(p.dtype, dy.size()),
            packed(DType::U8, plan.forwardWeightBytes()), scratch(DType::U8, plan.workspaceBytes());
        plan.packForward(bw.f32(), packed.data(), scratch.data());
        const void* const weight = plan.forwardWeightBytes() > 0 ? packed.data() : bw.data();
        plan.forward(bx.data(), weight, bb.f32(), y.data(), scratch.data());
        ways = plan.implementations();
        results[threads - 1] = y.values();
        gradients[threads - 1] = computedGradients(p, x, w, dy);
    }
    omp_set_num_threads(1);
    const Values expected = convResult(p, x, w, bias);
    for (const Values& result : results)
        SB_AGREE(compare(result, expected, tolerance(p.dtype)));
    // Else the cases would not try what they are meant for.
    if (p.R == 1 && p.C * p.K >= 1 << 15 && !bf16 && cpu::cpuLevel() == cpu::CpuLevel::Avx2)
        QCOMPARE(ways,
                 std::string("forward=own:float_gemm, data=own:float_gemm, weight=own:float_gemm"));
    const bool fewer = cpu::WinogradConvolution::suits(p),
               weights = cpu::WinogradConvolution::suitsWeight(p);
    QCOMPARE(ways.starts_with("forward=own:winograd, data=own:winograd, weight="), fewer);
    QCOMPARE(ways.ends_with("weight=own:winograd"), weights);
    for (int i : {1, 2}) {
        QVERIFY(!fewer || results[0] == results[i]);
        QVERIFY(!fewer || gradients[0].input == gradients[i].input);
        QVERIFY(!weights || gradients[0].weight == gradients[i].weight);
    }
}

void ConvGradientTest::manyThreads_data()
{
    QTest::addColumn<bool>("bf16");
    QTest::newRow("f32") << false;
    QTest::newRow("bf16") << true;
}

/// More threads than there are blocks of tiles for: all passes give what one thread gives.
void ConvGradientTest::manyThreads()
{
    QFETCH(bool, bf16);
    if (bf16 && !cpu::cpuFeatures().bf16Fast)
        QSKIP("no bf16 arithmetic on this processor");
    Conv2dParams p = paramsOf({"", 8, 20, 20, 96, 80, 3, 1, 1});
    p.dtype = bf16 ? DType::BF16 : DType::F32;
    if (!cpu::WinogradConvolution::suits(p))
        QSKIP("Winograd's convolution is not used here");
    const Buffer x(p.dtype, randomValues(std::size_t(p.N * p.H * p.W * p.C), 1)),
        w(DType::F32, randomValues(std::size_t(p.weightCount()), 2)),
        dy(p.dtype, randomValues(std::size_t(p.N * p.H * p.W * p.K), 3));
    Values y[2];
    Gradients gradients[2];
    for (const int i : {0, 1}) {
        omp_set_num_threads(i == 0 ? 1 : 64);
        const cpu::Conv2dPlan plan(p, true);
        const Buffer packed(DType::U8, plan.forwardWeightBytes()),
            scratch(DType::U8, plan.workspaceBytes()),
            out(p.dtype, std::size_t(p.N * p.H * p.W * p.K));
        plan.packForward(w.f32(), packed.data(), scratch.data());
        plan.forward(x.data(), plan.forwardWeightBytes() > 0 ? packed.data() : w.data(), nullptr,
                     out.data(), scratch.data());
        y[i] = out.values();
        gradients[i] = computedGradients(p, x.values(), w.values(), dy.values());
    }
    omp_set_num_threads(1);
    QVERIFY(y[0] == y[1]);
    QVERIFY(gradients[0].input == gradients[1].input);
    QVERIFY(gradients[0].weight == gradients[1].weight);
}

QTEST_GUILESS_MAIN(ConvGradientTest)
#include "conv_gradient_test.moc"
