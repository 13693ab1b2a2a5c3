// SPDX-License-Identifier: GPL-3.0-or-later
// How long a line takes between two processors: a time that can be, where there are two, and
// nothing of the process is changed by asking.

#include "engine/bench/handover.h"

#include <QTest>

#include <sched.h>
#include <unistd.h>

using namespace scalebench::bench;

class HandoverTest : public QObject
{
    Q_OBJECT
private slots:
    void isATimeThatCanBe()
    {
        double ns = 0; // both processors must be free at once for some of these
        for (int i = 0; i < 100 && ns == 0; ++i)
            ns = measureHandover();
        if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
            QCOMPARE(ns, 0.0);
        else if (ns == 0)
            QSKIP("no second processor was free");
        else // two ways of some cycles at least; a millisecond would be a scheduler's
            QVERIFY2(ns > 2 && ns < 1e6, qPrintable(QString::number(ns)));
    }

    void leavesTheThreadWhereItMayRun()
    {
        cpu_set_t before, one, after;
        QCOMPARE(sched_getaffinity(0, sizeof before, &before), 0);
        CPU_ZERO(&one);
        for (int i = CPU_SETSIZE - 1; i >= 0 && CPU_COUNT(&one) == 0; --i)
            if (CPU_ISSET(i, &before))
                CPU_SET(i, &one);
        for (const cpu_set_t* allowed : {&before, &one}) {
            QCOMPARE(sched_setaffinity(0, sizeof *allowed, allowed), 0);
            measureHandover();
            QCOMPARE(sched_getaffinity(0, sizeof after, &after), 0);
            QVERIFY(CPU_EQUAL(&after, allowed));
        }
        QCOMPARE(sched_setaffinity(0, sizeof before, &before), 0);
    }
};

QTEST_APPLESS_MAIN(HandoverTest)
#include "handover_test.moc"
