// SPDX-License-Identifier: GPL-3.0-or-later
// A run takes what it takes, though somebody sets the computer's clock.
#include "supervise/run_clock.h"

#include <QTest>

using namespace scalebench;

class RunClockTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theDateIsSet()
    {
        constexpr qint64 kHour = 3'600'000;
        qint64 date = 1000 * kHour;
        RunClock clock([&] { return date; });
        QCOMPARE(clock.now(), date); // of what began elsewhere
        const qint64 began = clock.begin();
        QCOMPARE(began, date);
        date -= 2 * kHour;
        const qint64 took = clock.now() - began;
        QVERIFY2(took >= 0 && took < kHour, qPrintable(QString::number(took)));
        QCOMPARE(clock.begin(), date);
    }
};

QTEST_GUILESS_MAIN(RunClockTest)
#include "run_clock_test.moc"
