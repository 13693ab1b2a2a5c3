// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "supervise/stop_steps.h"

using namespace scalebench;

class StopStepsTest : public QObject
{
    Q_OBJECT

    /// What is done in a minute, looked at ten times a second: "0@0 1@3000 ...".
    static QString doneBy(bool stalled, bool patient, qint64 quietFrom)
    {
        StopSteps steps;
        QStringList done;
        for (qint64 now = 0; now <= 60'000 && done.size() < 10; now += 100)
            if (const auto step = steps.next(now, stalled, patient, now >= quietFrom))
                done << QStringLiteral("%1@%2").arg(*step).arg(now);
        return done.join(u' ');
    }

private Q_SLOTS:
    void asksAgainWhileTheRunMoves()
    {
        QCOMPARE(doneBy(false, true, 1'000'000),
                 QStringLiteral("0@0 0@3000 0@6000 0@9000 0@12000 0@15000"));
    }
    void goesOnOnceItIsQuiet()
    {
        QCOMPARE(doneBy(false, true, 4'500).section(u' ', 0, 4),
                 QStringLiteral("0@0 0@3000 1@4500 2@7500 3@10500"));
    }
    void doesNotWaitForWhoStopsAgain()
    {
        QCOMPARE(doneBy(false, false, 0).section(u' ', 0, 3),
                 QStringLiteral("0@0 1@3000 2@6000 3@9000"));
    }
    void doesNotAskWhoStalls()
    {
        QCOMPARE(doneBy(true, false, 0).section(u' ', 0, 2), QStringLiteral("1@0 2@3000 3@6000"));
    }
};

QTEST_GUILESS_MAIN(StopStepsTest)
#include "stop_steps_test.moc"
