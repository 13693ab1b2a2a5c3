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

    void namesAndNonsense()
    {
        for (auto k : {ScheduleKind::Constant, ScheduleKind::Step, ScheduleKind::Cosine,
                       ScheduleKind::Polynomial, ScheduleKind::OneCycle})
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
        bad([](auto& c) {
            c.kind = ScheduleKind::OneCycle;
            c.totalSteps = 10;
            c.warmupSteps = 5;
        });
    }
};

QTEST_APPLESS_MAIN(ScheduleTest)
#include "schedule_test.moc"
