// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution: values and gradients against the reference, and which
// implementations oneDNN gives for the shapes of the real networks.
#include <QTest>

#include "kernels/check.h"
#include "kernels/cpu_features.h"
#include "tests/kernels/op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;
namespace ref = scalebench::kernels::ref;

namespace {

struct Shape {
    int N, H, W, C, K, R, stride, padding, dilation = 1, groups = 1;
};

const Shape kResNet20[] = {{2, 32, 32, 3, 16, 3, 1, 1},  {2, 32, 32, 16, 16, 3, 1, 1},
                           {2, 32, 32, 16, 32, 3, 2, 1}, {2, 16, 16, 32, 32, 3, 1, 1},
                           {2, 16, 16, 32, 64, 3, 2, 1}, {2, 8, 8, 64, 64, 3, 1, 1}};
const Shape kResNet50[] = {{1, 224, 224, 3, 64, 7, 2, 3},    {1, 56, 56, 64, 64, 1, 1, 0},
                           {1, 56, 56, 64, 64, 3, 1, 1},     {1, 56, 56, 64, 256, 1, 1, 0},
                           {1, 56, 56, 256, 64, 1, 1, 0},    {1, 56, 56, 256, 128, 1, 1, 0},
                           {1, 56, 56, 128, 128, 3, 2, 1},   {1, 28, 28, 128, 512, 1, 1, 0},
                           {1, 56, 56, 256, 512, 1, 2, 0},   {1, 28, 28, 512, 128, 1, 1, 0},
                           {1, 28, 28, 128, 128, 3, 1, 1},   {1, 28, 28, 512, 256, 1, 1, 0},
                           {1, 28, 28, 256, 256, 3, 2, 1},   {1, 14, 14, 256, 1024, 1, 1, 0},
                           {1, 28, 28, 512, 1024, 1, 2, 0},  {1, 14, 14, 1024, 256, 1, 1, 0},
                           {1, 14, 14, 256, 256, 3, 1, 1},   {1, 14, 14, 1024, 512, 1, 1, 0},
                           {1, 14, 14, 512, 512, 3, 2, 1},   {1, 7, 7, 512, 2048, 1, 1, 0},
                           {1, 14, 14, 1024, 2048, 1, 2, 0}, {1, 7, 7, 2048, 512, 1, 1, 0},
                           {1, 7, 7, 512, 512, 3, 1, 1}};
const Shape kSmall[] = {{1, 1, 1, 1, 1, 1, 1, 0},
                        {1, 3, 3, 1, 1, 3, 1, 1},
                        {1, 5, 7, 3, 5, 3, 2, 1},
                        {3, 7, 5, 5, 7, 3, 1, 1},
                        {2, 9, 9, 17, 13, 3, 2, 1},
                        {1, 8, 8, 16, 32, 1, 2, 0},
                        {2, 11, 6, 4, 8, 5, 2, 2},
                        {1, 56, 56, 16, 16, 1, 1, 0},
                        {1, 9, 11, 5, 6, 3, 1, 2, 2},
                        {2, 13, 13, 32, 32, 3, 2, 2, 2},
                        {2, 9, 9, 128, 128, 3, 1, 1, 1, 32},
                        {1, 9, 9, 256, 256, 3, 2, 1, 1, 32},
                        {1, 7, 7, 512, 512, 3, 1, 1, 1, 32},
                        {1, 5, 5, 6, 9, 3, 1, 1, 1, 3},
                        {2, 6, 6, 12, 6, 1, 1, 0, 1, 6},
                        {1, 6, 6, 8, 8, 3, 1, 1, 1, 8}};

Conv2dParams params(const Shape& s, DType type)
{
    return {s.N, s.H, s.W, s.C, s.K, s.R, s.R, s.stride, s.padding, type, s.dilation, s.groups};
}

std::vector<DType> types()
{
    std::vector<DType> list{DType::F32};
    if (cpu::cpuFeatures().bf16Fast)
        list.push_back(DType::BF16);
    return list;
}

} // namespace

class Conv2dTest : public QObject
{
    Q_OBJECT
private slots:
    void valuesAndGradients_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<QList<int>>("shape");
        for (DType t : types()) {
            auto row = [&](const Shape& s) {
                const auto p = params(s, t);
                QTest::newRow(p.describe().c_str())
                    << int(t) << QList<int>{s.N, s.H,      s.W,       s.C,        s.K,
                                            s.R, s.stride, s.padding, s.dilation, s.groups};
            };
            for (const Shape& s : kSmall)
                row(s);
            for (const Shape& s : kResNet20)
                row(s);
            for (int i : {1, 6, 8, 16, 22}) // the reference is slow: one of each kind
                row(kResNet50[i]);
        }
    }

    void valuesAndGradients()
    {
        QFETCH(int, type);
        QFETCH(QList<int>, shape);
        const auto t = DType(type);
        const Conv2dParams p = params({shape[0], shape[1], shape[2], shape[3], shape[4], shape[5],
                                       shape[6], shape[7], shape[8], shape[9]},
                                      t);
        const Values x = randomValues(std::size_t(p.N * p.H * p.W * p.C), 1);
        const Values w = randomValues(std::size_t(p.weightCount()), 2);
        const Values dy = randomValues(std::size_t(p.N * p.outH() * p.outW() * p.K), 3);
        const cpu::Conv2dPlan plan(p, true);
        Buffer bx(t, x), bw(DType::F32, w), bdy(t, dy), y(t, dy.size()), dx(t, x.size()),
            dw(DType::F32, w.size());
        Buffer scratch(DType::U8, plan.workspaceBytes());
        Buffer packed(DType::U8, plan.forwardWeightBytes()),
            packedData(DType::U8, plan.dataWeightBytes());
        plan.packForward(bw.f32(), packed.data(), scratch.data());
        plan.packData(bw.f32(), packedData.data(), scratch.data());
        plan.forward(bx.data(), packed.data(), nullptr, y.data(), scratch.data());
        plan.backwardData(bdy.data(), packedData.data(), dx.data(), scratch.data());
        plan.backwardWeight(bx.data(), bdy.data(), dw.f32(), false, scratch.data());
        SB_AGREE(compare(y.values(), ref::conv2dForward(p, x, w), tolerance(t)));
        SB_AGREE(compare(dx.values(), ref::conv2dBackwardData(p, dy, w), tolerance(t)));
        const Values expected = ref::conv2dBackwardWeight(p, x, dy);
        SB_AGREE(compare(dw.values(), expected, tolerance(DType::F32)));
        // once more on top
        plan.backwardWeight(bx.data(), bdy.data(), dw.f32(), true, scratch.data());
        Values twice = expected;
        for (double& v : twice)
            v *= 2.0;
        SB_AGREE(compare(dw.values(), twice, tolerance(DType::F32)));
    }

    void referenceAgainstFiniteDifferences()
    {
        const Conv2dParams p = params({2, 5, 4, 3, 2, 3, 2, 1}, DType::F32);
        const Values x = randomValues(std::size_t(p.N * p.H * p.W * p.C), 4);
        const Values w = randomValues(std::size_t(p.K * p.C * p.R * p.S), 5);
        const Values dy = randomValues(std::size_t(p.N * p.outH() * p.outW() * p.K), 6);
        SB_AGREE(
            compare(ref::conv2dBackwardData(p, dy, w),
                    finiteDifferences(
                        [&](const Values& v) { return dot(ref::conv2dForward(p, v, w), dy); }, x),
                    1e-8));
        SB_AGREE(
            compare(ref::conv2dBackwardWeight(p, x, dy),
                    finiteDifferences(
                        [&](const Values& v) { return dot(ref::conv2dForward(p, x, v), dy); }, w),
                    1e-8));
    }

    void noReferenceImplementation()
    {
        // The plan refuses them; that it can be made at all for training sizes is the point.
        for (DType t : types())
            for (bool large : {false, true})
                for (const Shape& s :
                     large ? std::vector<Shape>(std::begin(kResNet50), std::end(kResNet50))
                           : std::vector<Shape>(std::begin(kResNet20), std::end(kResNet20))) {
                    Conv2dParams p = params(s, t);
                    p.N = large ? 8 : 64;
                    const std::string names = cpu::Conv2dPlan(p, s.C > 3).implementations();
                    QVERIFY2(names.find("=ref") == std::string::npos,
                             (p.describe() + ": " + names).c_str());
                }
    }

    void badSizesAreRefused()
    {
        QVERIFY_EXCEPTION_THROWN(
            cpu::Conv2dPlan(params({1, 2, 2, 3, 4, 5, 1, 0}, DType::F32), false), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(
            cpu::Conv2dPlan(params({1, 2, 2, 3, 4, 1, 1, 0, 1, 2}, DType::F32), false),
            InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(
            cpu::Conv2dPlan(params({1, 4, 4, 3, 4, 3, 1, 1}, DType::U8), false), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(Conv2dTest)
#include "conv2d_test.moc"
