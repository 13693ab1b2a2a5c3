// SPDX-License-Identifier: GPL-3.0-or-later
// What counts as movement of a run, how long a stop waits for it, and who was suspended.
#include "run/suspension_watch.h"
#include "supervise/run_pulse.h"
#include "supervise/stall_text.h"

#include <QTest>

using namespace scalebench;

static RunDelta step(double ms)
{
    RunDelta delta;
    StepPoint point;
    point.stepMs = ms;
    delta.steps << point;
    delta.phase = QStringLiteral("train");
    return delta;
}

static RunDelta progress(const char* phase, qint64 done)
{
    RunDelta delta;
    delta.phase = QString::fromLatin1(phase);
    delta.phaseDone = done;
    return delta;
}

class RunPulseTest : public QObject
{
    Q_OBJECT
private slots:
    void oneWasTwoWere()
    {
        const QList<SuspendedProcess> two{{QStringLiteral("a"), 7}, {QStringLiteral("b"), 8}};
        const QString one = suspensionText({}, {}, {two.first()});
        QVERIFY2(one.startsWith(QStringLiteral("A process of the run on a (process 7) was ")),
                 qPrintable(one));
        const QString both = suspensionText({}, {}, two);
        QVERIFY2(both.contains(QStringLiteral("(process 7) and a process")), qPrintable(both));
        QVERIFY2(both.contains(QStringLiteral("(process 8) were suspended")), qPrintable(both));
    }

    void repeatedHeartbeatsAreNoMovement()
    {
        RunPulse pulse;
        pulse.restart(0);
        pulse.learn(step(100), 1000);
        pulse.learn(progress("train", 7), 2000);
        pulse.learn(progress("train", 7), 3000);
        QCOMPARE(pulse.quietFor(5000), qint64(3000));
        pulse.learn(progress("train", 8), 6000);
        QCOMPARE(pulse.quietFor(6000), qint64(0));
        pulse.learn(progress("eval", 8), 7000);
        QCOMPARE(pulse.quietFor(7000), qint64(0));
        pulse.learn({}, 8000);
        QCOMPARE(pulse.quietFor(8000), qint64(1000));
    }

    void longStepsGiveTime()
    {
        RunPulse pulse;
        pulse.restart(0);
        const qint64 margin = pulse.stopLimit();
        QVERIFY(pulse.isSuspicious(margin));
        pulse.learn(step(6000), 0);
        pulse.learn(step(200), 0); // a short one after it takes nothing away
        QCOMPARE(pulse.stopLimit(), margin + 18'000);
        QVERIFY(!pulse.isSuspicious(17'000));
        QVERIFY(pulse.isSuspicious(18'000));
        pulse.learn(step(1e300), 0); // nobody waits for ever
        QVERIFY(pulse.stopLimit() < 3'600'000);
    }

    /// Nobody knows yet how long a step takes; what comes before it has no such excuse.
    void theFirstStepMayBeSlow()
    {
        RunPulse pulse;
        const qint64 before = pulse.stopLimit();
        pulse.learn(progress("data", 1), 0);
        QCOMPARE(pulse.stopLimit(), before);
        RunDelta began;
        began.runStartMs = 1.0;
        pulse.learn(began, 0);
        QCOMPARE(pulse.stopLimit(), qint64(120'000));
        pulse.learn(step(200), 0);
        QCOMPARE(pulse.stopLimit(), before + 600);
    }

    void aCheckpointMayBlock()
    {
        RunPulse pulse;
        pulse.learn(step(10), 0);
        const qint64 usual = pulse.stopLimit();
        pulse.learn(progress("checkpoint", 0), 0);
        QVERIFY(pulse.stopLimit() >= 60'000 && pulse.stopLimit() > usual);
        pulse.learn(step(10), 1);
        QCOMPARE(pulse.stopLimit(), usual);
    }

    void onlyWhoStaysSuspendedIsNamed()
    {
        SuspensionWatch watch;
        const SuspendedProcess one{QStringLiteral("a"), 1}, two{QStringLiteral("b"), 1};
        QList<SuspendedProcess> now{one};
        int asked = 0;
        const auto ask = [&] {
            ++asked;
            return now;
        };
        QVERIFY(watch.lasting(0, ask).isEmpty());
        QVERIFY(watch.lasting(100, ask).isEmpty());
        QCOMPARE(asked, 1);
        now = {two, one};
        QVERIFY(watch.lasting(6000, ask).isEmpty());
        QCOMPARE(watch.lasting(SuspensionWatch::kPatienceMs, ask), QList{one});
        now = {two}; // the other was continued
        QCOMPARE(watch.lasting(SuspensionWatch::kPatienceMs + 6000, ask), QList{two});
        watch.reset();
        QVERIFY(watch.lasting(100'000, ask).isEmpty());
    }
};

QTEST_GUILESS_MAIN(RunPulseTest)
#include "run_pulse_test.moc"
