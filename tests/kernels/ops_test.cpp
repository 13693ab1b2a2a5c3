// SPDX-License-Identifier: GPL-3.0-or-later
// The hand-written ops: values against the reference, gradients against its finite differences.
#include <QTest>

#include <cstring>
#include <limits>

#include "kernels/batch_norm.h"
#include "kernels/softmax_ce.h"
#include "tests/kernels/op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;
namespace ref = scalebench::kernels::ref;

namespace {

constexpr double kEpsilon = 1e-5;
constexpr DType kTypes[] = {DType::F32, DType::BF16};

/// Forward and backward of batch norm through the kernels.
struct NormRun {
    Values y, dx, dz, dgamma, dbeta;
    std::vector<float> runningMean, runningVar;
};

NormRun runNorm(const BatchNormParams& p, const Values& x, const Values& z, const Values& gamma,
                const Values& beta, const Values& dy, const Values& dyMore)
{
    const auto C = std::size_t(p.C);
    Buffer bx(p.dtype, x), bz(p.dtype, z), y(p.dtype, x.size()), bdy(p.dtype, dy),
        bmore(p.dtype, dyMore), dx(p.dtype, x.size()), g(DType::F32, gamma), b(DType::F32, beta),
        mean(DType::F32, C), invStd(DType::F32, C),
        scratch(DType::U8, cpu::batchNormWorkspaceBytes(p));
    NormRun r;
    r.runningMean.assign(C, 0.0f);
    r.runningVar.assign(C, 1.0f);
    std::vector<double> sums(2 * C);
    cpu::batchNormStatistics(p, bx.data(), sums.data(), scratch.data());
    cpu::batchNormFinish(p.C, double(p.rows), kEpsilon, 0.1, sums.data(), mean.f32(), invStd.f32(),
                         r.runningMean.data(), r.runningVar.data());
    cpu::batchNormApply(p, bx.data(), z.empty() ? nullptr : bz.data(), mean.f32(), invStd.f32(),
                        g.f32(), b.f32(), y.data());
    r.y = y.values();
    cpu::BatchNormBackward k;
    k.x = bx.data();
    k.y = y.data();
    k.dy = bdy.data();
    k.dyMore = dyMore.empty() ? nullptr : bmore.data();
    k.mean = mean.f32();
    k.invStd = invStd.f32();
    k.gamma = g.f32();
    k.beta = b.f32();
    k.dz = z.empty() ? nullptr : bdy.data(); // in place, as the backend does
    cpu::batchNormBackwardSums(p, k, sums.data(), scratch.data());
    cpu::batchNormBackwardApply(p, k, sums.data(), double(p.rows), dx.data());
    r.dx = dx.values();
    if (!z.empty())
        r.dz = bdy.values();
    r.dbeta.assign(sums.begin(), sums.begin() + std::ptrdiff_t(C));
    r.dgamma.assign(sums.begin() + std::ptrdiff_t(C), sums.end());
    return r;
}

} // namespace

class OpsTest : public QObject
{
    Q_OBJECT
private slots:
    void batchNorm_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("C");
        QTest::newRow("smallest") << 3 << 1; // of two rows the input gradient is nearly zero
        QTest::newRow("odd") << 7 << 3;
        QTest::newRow("folded, rest") << 11 << 16;
        QTest::newRow("odd channels") << 9 << 37;
        QTest::newRow("48 channels") << 6 << 48;
        QTest::newRow("128 channels") << 6 << 128;
    }

    void batchNorm()
    {
        QFETCH(int, rows);
        QFETCH(int, C);
        const auto n = std::size_t(rows) * std::size_t(C), c = std::size_t(C);
        const Values x = randomValues(n, 1), dy = randomValues(n, 3), more = randomValues(n, 9),
                     beta = randomValues(c, 5);
        Values gamma = randomValues(c, 4);
        for (double& v : gamma)
            v = v * 0.5 + 1.0;
        for (DType t : kTypes)
            for (bool relu : {false, true})
                for (bool residual : {false, true})
                    for (bool two : {false, true}) {
                        const BatchNormParams p{rows, C, t, relu};
                        const Values z = residual ? randomValues(n, 2) : Values();
                        const NormRun r = runNorm(p, x, z, gamma, beta, dy, two ? more : Values());
                        auto loss = [&](const Values& y) {
                            return dot(y, dy) + (two ? dot(y, more) : 0.0);
                        };
                        auto forward = [&](const Values& vx, const Values& vz, const Values& vg,
                                           const Values& vb) {
                            return ref::batchNormForward(rows, C, relu, kEpsilon, vx, vz, vg, vb);
                        };
                        // The mask of the ReLU is where a kink would spoil the differences.
                        Values pre =
                            ref::batchNormForward(rows, C, false, kEpsilon, x, z, gamma, beta);
                        double nearest = 1.0;
                        for (double v : pre)
                            nearest = std::min(nearest, std::abs(v));
                        const double h = std::min(1e-5, nearest * 1e-2);
                        QVERIFY(h > 1e-10);
                        const double tol = tolerance(t);
                        SB_AGREE(compare(r.y, forward(x, z, gamma, beta), tol));
                        SB_AGREE(compare(
                            r.dx,
                            finiteDifferences(
                                [&](const Values& v) { return loss(forward(v, z, gamma, beta)); },
                                x, h),
                            std::max(2.0 * tol, 5e-5)));
                        SB_AGREE(compare(
                            r.dgamma,
                            finiteDifferences(
                                [&](const Values& v) { return loss(forward(x, z, v, beta)); },
                                gamma, h),
                            std::max(tol, 5e-5)));
                        SB_AGREE(compare(
                            r.dbeta,
                            finiteDifferences(
                                [&](const Values& v) { return loss(forward(x, z, gamma, v)); },
                                beta, h),
                            std::max(tol, 5e-5)));
                        if (residual)
                            SB_AGREE(compare(r.dz,
                                             finiteDifferences(
                                                 [&](const Values& v) {
                                                     return loss(forward(x, v, gamma, beta));
                                                 },
                                                 z, h),
                                             std::max(tol, 5e-5)));
                    }
    }

    void batchNormLargeAndShifted()
    {
        // Many rows (several partial sums), a mean a thousand times the deviation.
        const BatchNormParams p{20000, 16, DType::F32, false};
        Values x = randomValues(20000 * 16, 7);
        for (double& v : x)
            v = double(float(v + 1000.0));
        const Values gamma(16, 1.0), beta(16, 0.0), dy = randomValues(x.size(), 8);
        const NormRun r = runNorm(p, x, {}, gamma, beta, dy, {});
        SB_AGREE(compare(r.y,
                         ref::batchNormForward(p.rows, p.C, false, kEpsilon, x, {}, gamma, beta),
                         2e-3)); // fp32 resolves 1000 +- 1 to 6e-5
        for (int c = 0; c < 16; ++c) {
            QVERIFY(std::abs(r.runningMean[std::size_t(c)] - 100.0f) < 0.01f);
            // 0.9 * 1 + 0.1 * variance of a uniform number in (-1, 1)
            QVERIFY(std::abs(r.runningVar[std::size_t(c)] - (0.9f + 0.1f / 3.0f)) < 0.001f);
        }
    }

    void nanIsNotHidden()
    {
        for (DType t : kTypes) {
            Values x = randomValues(64, 1);
            x[5] = std::numeric_limits<double>::quiet_NaN();
            Buffer b(t, x), y(t, x.size());
            cpu::reluForward(t, 64, b.data(), y.data());
            QVERIFY(std::isnan(y.values()[5]));
            const NormRun r = runNorm({4, 16, t, true}, x, {}, Values(16, 1.0), Values(16, 0.0),
                                      randomValues(64, 2), {});
            QVERIFY(std::isnan(r.y[5]));
            const MaxPoolParams p{1, 2, 2, 16, 2, 2, 0, t};
            Buffer pooled(t, std::size_t(16));
            cpu::maxPoolForward(p, b.data(), pooled.data(), nullptr);
            QVERIFY(std::isnan(pooled.values()[5]));
        }
        const float logits[] = {1.0f, std::numeric_limits<float>::quiet_NaN(), 0.0f};
        const std::int32_t label = 0;
        QVERIFY(std::isnan(
            cpu::softmaxCrossEntropy({1, 3, 0.0f, 1.0f}, logits, &label, nullptr).lossSum));
    }

    void maxPool()
    {
        for (DType t : kTypes)
            for (const MaxPoolParams& p :
                 {MaxPoolParams{1, 1, 1, 1, 3, 2, 1, t}, MaxPoolParams{2, 7, 5, 3, 3, 2, 1, t},
                  MaxPoolParams{1, 6, 6, 64, 3, 2, 1, t}, MaxPoolParams{1, 5, 5, 20, 3, 1, 1, t},
                  MaxPoolParams{1, 4, 4, 16, 2, 2, 0, t}}) {
                // all different, so that differences meet no kink
                Values x(std::size_t(p.N * p.H * p.W * p.C));
                for (std::size_t i = 0; i < x.size(); ++i)
                    x[i] = double((i * 97) % 251) / 256.0 - 0.5;
                const Values dy = randomValues(std::size_t(p.N * p.outH() * p.outW() * p.C), 2);
                Buffer bx(t, x), bdy(t, dy), y(t, dy.size()), dx(t, x.size());
                std::vector<std::uint8_t> argmax(dy.size());
                cpu::maxPoolForward(p, bx.data(), y.data(), argmax.data());
                SB_AGREE(compare(y.values(), ref::maxPoolForward(p, x), 1e-12));
                cpu::maxPoolBackward(p, bdy.data(), argmax.data(), dx.data());
                if (x.size() < 251 * 4)
                    SB_AGREE(compare(
                        dx.values(),
                        finiteDifferences(
                            [&](const Values& v) { return dot(ref::maxPoolForward(p, v), dy); }, x,
                            1e-6),
                        tolerance(t)));
            }
    }

    void globalAvgPool()
    {
        for (DType t : kTypes)
            for (const GlobalAvgPoolParams& p :
                 {GlobalAvgPoolParams{1, 1, 1, 1, t}, GlobalAvgPoolParams{2, 8, 8, 64, t},
                  GlobalAvgPoolParams{3, 7, 5, 9, t}}) {
                const Values x = randomValues(std::size_t(p.N * p.H * p.W * p.C), 1);
                const Values dy = randomValues(std::size_t(p.N * p.C), 2);
                Buffer bx(t, x), bdy(t, dy), y(t, dy.size()), dx(t, x.size());
                cpu::globalAvgPoolForward(p, bx.data(), y.data());
                SB_AGREE(compare(y.values(), ref::globalAvgPoolForward(p, x), tolerance(t)));
                cpu::globalAvgPoolBackward(p, bdy.data(), dx.data());
                // <dx, x> = <dy, y> for every x of a linear map
                Values expected(x.size());
                for (std::size_t i = 0; i < x.size(); ++i)
                    expected[i] = dy[i / std::size_t(p.H * p.W * p.C) * std::size_t(p.C) +
                                     i % std::size_t(p.C)] /
                                  double(p.H * p.W);
                SB_AGREE(compare(dx.values(), expected, tolerance(t)));
            }
    }

    void shortcutPad()
    {
        for (DType t : kTypes)
            for (const ShortcutPadParams& p :
                 {ShortcutPadParams{1, 1, 1, 1, 1, 2, t},
                  ShortcutPadParams{2, 32, 32, 16, 32, 2, t},
                  ShortcutPadParams{2, 5, 7, 3, 7, 2, t}, ShortcutPadParams{1, 4, 4, 2, 3, 1, t}}) {
                const Values x = randomValues(std::size_t(p.N * p.H * p.W * p.C), 1);
                const Values dy = randomValues(std::size_t(p.N * p.outH() * p.outW() * p.K), 2);
                Buffer bx(t, x), bdy(t, dy), y(t, dy.size()), dx(t, x.size());
                cpu::shortcutPadForward(p, bx.data(), y.data());
                const Values expected = ref::shortcutPadForward(p, x);
                SB_AGREE(compare(y.values(), expected, 1e-12));
                cpu::shortcutPadBackward(p, bdy.data(), dx.data());
                QVERIFY(std::abs(dot(dx.values(), x) - dot(dy, expected)) < 1e-9);
                if (x.size() < 1000)
                    SB_AGREE(compare(
                        dx.values(),
                        finiteDifferences(
                            [&](const Values& v) { return dot(ref::shortcutPadForward(p, v), dy); },
                            x),
                        1e-8));
            }
    }

    void softmaxCrossEntropy()
    {
        for (float smoothing : {0.0f, 0.1f})
            for (int classes : {2, 10, 1000}) {
                const std::vector<std::int32_t> labels{1, -1, 0, std::int32_t(classes - 1)};
                const auto n = labels.size() * std::size_t(classes);
                Values logits = randomValues(n, 1);
                for (double& v : logits)
                    v *= 8.0;
                const Buffer z(DType::F32, logits), dz(DType::F32, n);
                const SoftmaxCeResult r = cpu::softmaxCrossEntropy(
                    {std::int64_t(labels.size()), classes, smoothing, 0.25f}, z.f32(),
                    labels.data(), dz.f32());
                const double e = double(smoothing);
                const double expected = ref::softmaxCrossEntropy(4, classes, e, logits, labels);
                QVERIFY(std::abs(r.lossSum - expected) < 1e-5 * expected);
                QCOMPARE(r.counted, std::int64_t(3));
                std::int64_t correct = 0;
                for (std::size_t i = 0; i < labels.size(); ++i) {
                    const auto* row = logits.data() + i * std::size_t(classes);
                    correct +=
                        labels[i] >= 0 && std::max_element(row, row + classes) - row == labels[i];
                }
                QCOMPARE(r.correct, correct);
                if (classes > 100)
                    continue;
                SB_AGREE(compare(dz.values(),
                                 finiteDifferences(
                                     [&](const Values& v) {
                                         return 0.25 *
                                                ref::softmaxCrossEntropy(4, classes, e, v, labels);
                                     },
                                     logits),
                                 tolerance(DType::F32)));
            }
    }

    void softmaxSurvivesLargeLogits()
    {
        const float logits[] = {1e4f, -1e4f};
        const std::int32_t label = 1;
        float grad[2];
        const auto r = cpu::softmaxCrossEntropy({1, 2, 0.0f, 1.0f}, logits, &label, grad);
        QCOMPARE(r.lossSum, 2e4);
        QCOMPARE(grad[0], 1.0f);
        QCOMPARE(grad[1], -1.0f);
    }

    void elementwise()
    {
        for (DType t : kTypes)
            for (std::size_t n : {std::size_t(1), std::size_t(31), std::size_t(70001)}) {
                const Values x = randomValues(n, 1), y = randomValues(n, 2);
                Values sum(n), relu(n), grad(n);
                for (std::size_t i = 0; i < n; ++i) {
                    sum[i] = x[i] + y[i];
                    relu[i] = std::max(x[i], 0.0);
                    grad[i] = x[i] > 0.0 ? y[i] : 0.0;
                }
                Buffer bx(t, x), by(t, y), out(t, n), dx(t, n);
                const auto count = std::int64_t(n);
                cpu::reluForward(t, count, bx.data(), out.data());
                SB_AGREE(compare(out.values(), relu, 1e-12));
                cpu::reluBackward(t, count, out.data(), by.data(), dx.data());
                SB_AGREE(compare(dx.values(), grad, 1e-12));
                cpu::addInPlace(t, count, bx.data(), by.data());
                SB_AGREE(compare(by.values(), sum, tolerance(t)));
            }
    }

    void columnSums()
    {
        for (DType t : kTypes)
            for (auto [rows, C] : {std::pair{1, 1}, std::pair{9001, 5}, std::pair{300, 64}}) {
                const Values x = randomValues(std::size_t(rows) * std::size_t(C), 1);
                Values expected(static_cast<std::size_t>(C));
                for (std::size_t i = 0; i < x.size(); ++i)
                    expected[i % std::size_t(C)] += x[i];
                Buffer bx(t, x), sums(DType::F32, std::size_t(C));
                cpu::columnSums(t, rows, C, bx.data(), sums.f32(), false);
                SB_AGREE(compare(sums.values(), expected, tolerance(DType::F32)));
                cpu::columnSums(t, rows, C, bx.data(), sums.f32(), true);
                for (double& v : expected)
                    v *= 2.0;
                SB_AGREE(compare(sums.values(), expected, tolerance(DType::F32)));
            }
    }

    void castRoundsToNearestEvenAndKeepsNan()
    {
        auto bits = [](std::uint32_t u) {
            float f;
            std::memcpy(&f, &u, 4);
            return f;
        };
        const std::pair<std::uint32_t, unsigned> cases[] = {
            {0x3f800000u, 0x3f80u}, // 1
            {0x3f808000u, 0x3f80u}, // half way: to even, down
            {0x3f818000u, 0x3f82u}, // half way: to even, up
            {0x3f808001u, 0x3f81u}, // above half way
            {0x3f807fffu, 0x3f80u}, // below half way
            {0x7f7fffffu, 0x7f80u}, // largest float rounds to infinity
            {0x7f800000u, 0x7f80u}, // infinity
            {0xff800000u, 0xff80u}, // -infinity
            {0x7f800001u, 0x7fc0u}, // signalling NaN with low bits only
            {0x7fffffffu, 0x7fffu}, // NaN that a plain rounding add overflows
            {0xffffffffu, 0xffffu}, //
            {0x80000000u, 0x8000u}, // -0
            {0x00008000u, 0x0000u}, // denormal, half way to even
        };
        std::vector<float> in;
        for (int repeat = 0; repeat < 5; ++repeat) // through the vector loop and its rest
            for (const auto& c : cases)
                in.push_back(bits(c.first));
        std::vector<bf16_t> out(in.size());
        cpu::castF32ToBf16(std::int64_t(in.size()), in.data(), out.data());
        for (std::size_t i = 0; i < in.size(); ++i)
            QCOMPARE(unsigned(out[i]), cases[i % std::size(cases)].second);
        std::vector<float> back(in.size());
        cpu::castBf16ToF32(std::int64_t(out.size()), out.data(), back.data());
        for (std::size_t i = 0; i < in.size(); ++i) {
            std::uint32_t u;
            std::memcpy(&u, &back[i], 4);
            QCOMPARE(u, std::uint32_t(out[i]) << 16);
        }
    }
};

QTEST_APPLESS_MAIN(OpsTest)
#include "ops_test.moc"
