// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/optim/loss_scaler.h"
#include "kernels/check.h"

using namespace scalebench;

class LossScalerTest : public QObject
{
    Q_OBJECT
private slots:
    void growsAfterGoodStepsAndHalvesOnOverflow()
    {
        LossScalerConfig c;
        c.initialScale = 1024.0;
        c.growthInterval = 3;
        c.largest = 4096.0;
        LossScaler s(c);
        QCOMPARE(s.gradientScale(), 1.0 / 1024.0);
        for (int i = 0; i < 2; ++i)
            QVERIFY(s.update(true));
        QCOMPARE(s.scale(), 1024.0);
        QVERIFY(s.update(true));
        QCOMPARE(s.scale(), 2048.0);
        QVERIFY(s.update(true));
        QVERIFY(s.update(false)); // starts the count again
        QCOMPARE(s.scale(), 1024.0);
        for (int i = 0; i < 2; ++i)
            s.update(true);
        QCOMPARE(s.scale(), 1024.0);
        for (int i = 0; i < 30; ++i)
            s.update(true);
        QCOMPARE(s.scale(), 4096.0);
        QCOMPARE(s.state().skipped, std::int64_t(1));
    }

    void endsWhenItCannotShrink()
    {
        LossScalerConfig c;
        c.initialScale = 2.0;
        LossScaler s(c);
        QVERIFY(s.update(false));
        QCOMPARE(s.scale(), 1.0);
        QVERIFY(!s.update(false));
        QCOMPARE(s.scale(), 1.0);
    }

    void staticScaleStays()
    {
        LossScalerConfig c;
        c.initialScale = 8192.0;
        c.dynamic = false;
        c.growthInterval = 1;
        LossScaler s(c);
        QVERIFY(s.update(true));
        QVERIFY(s.update(false));
        QCOMPARE(s.scale(), 8192.0);
    }

    void stateContinues()
    {
        LossScalerConfig c;
        c.growthInterval = 4;
        LossScaler straight(c), resumed(c);
        for (int i = 0; i < 9; ++i) {
            straight.update(i != 2);
            resumed.update(i != 2);
            LossScaler fresh(c);
            fresh.setState(resumed.state());
            resumed = fresh;
        }
        QCOMPARE(resumed.scale(), straight.scale());
        QCOMPARE(resumed.scale(), 65536.0); // halved once, grown once
    }

    void refusesNonsense()
    {
        auto bad = [](auto change) {
            LossScalerConfig c;
            change(c);
            QVERIFY_EXCEPTION_THROWN(LossScaler{c}, InvalidArgument);
        };
        bad([](auto& c) { c.growth = 1.0; });
        bad([](auto& c) { c.backoff = 1.0; });
        bad([](auto& c) { c.growthInterval = 0; });
        bad([](auto& c) { c.initialScale = 0.5; });
    }
};

QTEST_APPLESS_MAIN(LossScalerTest)
#include "loss_scaler_test.moc"
