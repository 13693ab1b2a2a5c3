// SPDX-License-Identifier: GPL-3.0-or-later
// What the self-test does not cover of the hand-written ops: special values, rounding, sums.
#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>

#include <omp.h>

#include "kernels/batch_norm.h"
#include "kernels/embedding.h"
#include "kernels/softmax_ce.h"
#include "tests/kernels/op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;
namespace ref = scalebench::kernels::ref;

namespace {

constexpr DType kTypes[] = {DType::F32, DType::BF16};

} // namespace

class OpsTest : public QObject
{
    Q_OBJECT
private slots:
    void nanIsNotHidden()
    {
        for (DType t : kTypes) {
            Values x = randomValues(64, 1);
            x[5] = std::numeric_limits<double>::quiet_NaN();
            Buffer b(t, x), y(t, x.size());
            cpu::reluForward(t, 64, b.data(), y.data());
            QVERIFY(std::isnan(y.values()[5]));
        }
        const float logits[] = {1.0f, std::numeric_limits<float>::quiet_NaN(), 0.0f};
        const std::int32_t label = 0;
        QVERIFY(std::isnan(
            cpu::softmaxCrossEntropy({1, 3, 0.0f, 1.0f}, logits, &label, nullptr).lossSum));
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

    /// Wherever in a row it stands, in whole vectors or behind them.
    void softmaxOfNanHasNoCorrectClass()
    {
        constexpr std::int64_t kClasses = 37;
        const std::int32_t label = 5;
        for (DType t : kTypes)
            for (std::int64_t at = 0; at < kClasses; ++at) {
                Values logits(kClasses, 0.0);
                logits[std::size_t(label)] = 3.0;
                const auto run = [&] {
                    SoftmaxCeParams p{1, kClasses, 0.0f, 1.0f};
                    p.dtype = t;
                    return cpu::softmaxCrossEntropy(p, Buffer(t, logits).data(), &label, nullptr);
                };
                QCOMPARE(run().correct, std::int64_t(1));
                logits[std::size_t(at)] = std::numeric_limits<double>::quiet_NaN();
                const SoftmaxCeResult spoiled = run();
                QVERIFY(std::isnan(spoiled.lossSum));
                QCOMPARE(spoiled.correct, std::int64_t(0));
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

    /// Of thousands of rows, as sums in double have them: fp32 sums in one chain are off by 1e-6.
    void batchNormStatisticsOfManyRows()
    {
        for (const std::int64_t C : {16, 24, 64, 256}) {
            const std::int64_t rows = 65536 / C;
            const Values values = randomValues(std::size_t(rows * C), 1);
            Values x(values);
            for (double& v : x)
                v = 0.7310585786 * v + 1.5; // no round numbers
            const Buffer b(DType::F32, x);
            BatchNormParams p;
            p.rows = rows, p.C = C;
            const Buffer room(DType::U8, cpu::batchNormWorkspaceBytes(p));
            std::vector<double> sums(std::size_t(2 * C));
            cpu::batchNormStatistics(p, b.data(), sums.data(), room.data());
            const Values stored = b.values();
            for (std::int64_t c = 0; c < C; ++c) {
                double sum = 0, squares = 0;
                for (std::size_t i = std::size_t(c); i < stored.size(); i += std::size_t(C)) {
                    sum += stored[i];
                    squares += stored[i] * stored[i];
                }
                const double mean = sum / double(rows),
                             deviation = std::sqrt(squares / double(rows) - mean * mean);
                const double off = std::abs(sums[std::size_t(c)] - sum) / double(rows);
                QVERIFY(off < 4e-7 * deviation);
                QVERIFY(std::abs(sums[std::size_t(C + c)] / squares - 1) < 5e-7);
            }
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

    /// So large that its zeros go past the caches, and not at the beginning of a line.
    void largeTableGradient()
    {
        constexpr std::int64_t kRows = 700001, kDim = 7, kCount = kRows * kDim, kBefore = 3;
        const std::int32_t ids[] = {0, 350000, kRows - 1, 350000};
        const std::vector<float> dy(std::size(ids) * kDim, 1.5f);
        std::vector<float> memory(std::size_t(kBefore + kCount + 1), 9.0f);
        const int threads = omp_get_max_threads();
        omp_set_num_threads(1);
        EmbeddingParams p;
        p.n = std::ssize(ids);
        p.rows = kRows;
        p.dim = kDim;
        cpu::embeddingBackwardDense(p, ids, dy.data(), nullptr, nullptr, memory.data() + kBefore,
                                    false);
        omp_set_num_threads(threads);
        std::int64_t wrong = 0;
        for (std::int64_t i = -kBefore; i <= kCount; ++i) {
            const std::int64_t row = i / kDim;
            const float expected = i < 0 || i == kCount           ? 9.0f
                                   : row == 350000                ? 3.0f
                                   : row == 0 || row == kRows - 1 ? 1.5f
                                                                  : 0.0f;
            wrong += memory[std::size_t(kBefore + i)] != expected;
        }
        QCOMPARE(wrong, std::int64_t(0));
    }
};

QTEST_APPLESS_MAIN(OpsTest)
#include "ops_test.moc"
