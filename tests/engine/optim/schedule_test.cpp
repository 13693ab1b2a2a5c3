// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cmath>

#include "engine/optim/schedule.h"
#include "kernels/check.h"

using namespace scalebench;

namespace {

bool near(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
}

} // namespace

class ScheduleTest : public QObject
{
    Q_OBJECT
private slots:
    void warmUpAndConstant()
    {
        ScheduleConfig c;
        c.baseLearningRate = 0.4;
        c.totalSteps = 10;
        c.warmupSteps = 4;
        for (int s = 0; s < 4; ++s)
            QVERIFY(near(learningRateAt(c, s), 0.1 * (s + 1)));
        QVERIFY(near(learningRateAt(c, 9), 0.4));
        c.warmupStartFactor = 0.5;
        QVERIFY(near(learningRateAt(c, 0), 0.4 * (0.5 + 0.5 / 4)));
        QVERIFY(near(learningRateAt(c, 3), 0.4));
    }

    void step()
    {
        // The paper's CIFAR schedule: 0.1, divided by 10 at 32k and 48k of 64k iterations.
        ScheduleConfig c;
        c.kind = ScheduleKind::Step;
        c.totalSteps = 64000;
        c.milestones = {32000, 48000};
        QVERIFY(near(learningRateAt(c, 31999), 0.1));
        QVERIFY(near(learningRateAt(c, 32000), 0.01));
        QVERIFY(near(learningRateAt(c, 47999), 0.01));
        QVERIFY(near(learningRateAt(c, 48000), 0.001));
        QVERIFY(near(learningRateAt(c, 100000), 0.001));
    }

    void cosine()
    {
        ScheduleConfig c;
        c.kind = ScheduleKind::Cosine;
        c.baseLearningRate = 1.0;
        c.totalSteps = 110;
        c.warmupSteps = 10;
        QVERIFY(near(learningRateAt(c, 10), 1.0));
        QVERIFY(near(learningRateAt(c, 60), 0.5));
        QVERIFY(near(learningRateAt(c, 35), 0.5 + std::sqrt(0.5) / 2)); // a quarter of the way
        c.endLearningRate = 0.2;
        QVERIFY(near(learningRateAt(c, 60), 0.6));
    }

    void polynomial()
    {
        ScheduleConfig c;
        c.kind = ScheduleKind::Polynomial;
        c.baseLearningRate = 8.0;
        c.totalSteps = 100;
        c.endLearningRate = 0.0001;
        QVERIFY(near(learningRateAt(c, 0), 8.0));
        QVERIFY(near(learningRateAt(c, 50), 0.0001 + 7.9999 * 0.25));
        c.power = 1.0;
        QVERIFY(near(learningRateAt(c, 75), 0.0001 + 7.9999 * 0.25));
    }

    void oneCycle()
    {
        // torch: OneCycleLR(max_lr=1, total_steps=100): peak at step 0.3 * 100 - 1 = 29, then down
        // to 1 / 25 / 1e4 at step 99; half way down at step 64.
        ScheduleConfig c;
        c.kind = ScheduleKind::OneCycle;
        c.baseLearningRate = 1.0;
        c.totalSteps = 100;
        QVERIFY(near(learningRateAt(c, 0), 0.04));
        QVERIFY(near(learningRateAt(c, 29), 1.0));
        QVERIFY(near(learningRateAt(c, 64), (1.0 + 4e-6) / 2));
        QVERIFY(near(learningRateAt(c, 99), 4e-6));
        c.totalSteps = 3; // no step left to climb
        for (int s = 0; s < 3; ++s)
            QVERIFY(std::isfinite(learningRateAt(c, s)));
    }

    void inverseSqrtIsTheTransformers()
    {
        // arXiv 1706.03762, eq. 3: d^-0.5 * min(n^-0.5, n * W^-1.5), n from 1, d 1024, W 4000.
        ScheduleConfig c;
        c.kind = ScheduleKind::InverseSqrt;
        c.totalSteps = 100000;
        c.warmupSteps = 4000;
        c.baseLearningRate = 1.0 / std::sqrt(1024.0 * 4000.0);
        validate(c);
        for (std::int64_t n : {1, 100, 3999, 4000, 4001, 16000, 99999}) {
            const double expected =
                std::pow(1024.0, -0.5) *
                std::min(std::pow(double(n), -0.5), double(n) * std::pow(4000.0, -1.5));
            QVERIFY(std::abs(learningRateAt(c, n - 1) / expected - 1.0) < 1e-12);
        }
    }

    void gnmt()
    {
        // Exponential warm-up from a hundredth over 200 steps, halved four times from step 6000 on.
        ScheduleConfig c;
        c.kind = ScheduleKind::Step;
        c.baseLearningRate = 1.25e-3;
        c.totalSteps = 10000;
        c.warmupSteps = 200;
        c.warmupCurve = WarmupCurve::Exponential;
        c.warmupStartFactor = 0.01;
        c.milestones = {6000, 6500, 7000, 7500};
        c.stepGamma = 0.5;
        validate(c);
        auto is = [&](std::int64_t step, double factor) {
            return std::abs(learningRateAt(c, step) / (1.25e-3 * factor) - 1.0) < 1e-12;
        };
        QVERIFY(is(0, 0.01) && is(100, 0.1) && is(200, 1.0) && is(5999, 1.0));
        QVERIFY(is(6000, 0.5) && is(6499, 0.5) && is(6500, 0.25) && is(9999, 0.0625));
    }

    void bertWarmupStartsBeforeTheRun()
    {
        // MLPerf v2.0, 1024 GPUs: power 1, warm-up 256 of which 76 steps are over.
        ScheduleConfig c;
        c.kind = ScheduleKind::Polynomial;
        c.power = 1.0;
        c.baseLearningRate = 2.56;
        c.totalSteps = 1000;
        c.warmupSteps = 256;
        c.startWarmupStep = -76;
        c.decayFromStart = true;
        validate(c);
        QVERIFY(near(learningRateAt(c, 0), 0.77));
        QVERIFY(near(learningRateAt(c, 179), 2.56));
        QVERIFY(near(learningRateAt(c, 180), 2.56 * 0.82));
        QVERIFY(near(learningRateAt(c, 999), 2.56 * 0.001));
    }

    void dlrmWaitsBeforeItDecays()
    {
        // MLPerf v2.0, 8 GPUs: 24, warm-up 2750, decay from 49315 over 27772 steps, power 2.
        ScheduleConfig c;
        c.kind = ScheduleKind::ConstantPolynomial;
        c.baseLearningRate = 24.0;
        c.totalSteps = 80000;
        c.warmupSteps = 2750;
        c.decayStartStep = 49315;
        c.decaySteps = 27772;
        validate(c);
        QVERIFY(near(learningRateAt(c, 1374), 12.0));
        QVERIFY(near(learningRateAt(c, 2750), 24.0));
        QVERIFY(near(learningRateAt(c, 49315), 24.0));
        QVERIFY(near(learningRateAt(c, 49315 + 13886), 6.0));
        QVERIFY(near(learningRateAt(c, 79999), 0.0));
    }

    void namesAndNonsense()
    {
        for (auto k : {ScheduleKind::Constant, ScheduleKind::Step, ScheduleKind::Cosine,
                       ScheduleKind::Polynomial, ScheduleKind::OneCycle, ScheduleKind::InverseSqrt,
                       ScheduleKind::ConstantPolynomial})
            QVERIFY(parseScheduleKind(scheduleName(k)) == k);
        QVERIFY_EXCEPTION_THROWN(parseScheduleKind("linear"), InvalidArgument);
        ScheduleConfig good;
        validate(good);
        auto bad = [&](auto&& change) {
            ScheduleConfig c = good;
            change(c);
            QVERIFY_EXCEPTION_THROWN(validate(c), InvalidArgument);
        };
        bad([](auto& c) { c.baseLearningRate = 0; });
        bad([](auto& c) { c.baseLearningRate = NAN; });
        bad([](auto& c) { c.warmupSteps = 5; });
        bad([](auto& c) { c.milestones = {5, 3}; });
        bad([](auto& c) { c.kind = ScheduleKind::InverseSqrt; });
        bad([](auto& c) { c.warmupCurve = WarmupCurve::Exponential; });
        bad([](auto& c) { c.kind = ScheduleKind::ConstantPolynomial, c.decaySteps = 0; });
        bad([](auto& c) {
            c.kind = ScheduleKind::OneCycle;
            c.totalSteps = 10;
            c.warmupSteps = 5;
        });
    }
};

QTEST_APPLESS_MAIN(ScheduleTest)
#include "schedule_test.moc"
