// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives and gradient buckets on 1 to 4 ranks under the real mpirun; nodes are pretended where
// the path between nodes is meant.

#include "engine/dist/communicator.h"
#include "engine/dist/gradient_reducer.h"
#include "kernels/check.h"
#include "support/mpi_runner.h"

#include <QtTest>

using namespace scalebench;
using namespace scalebench::dist;

class CommunicatorTest : public QObject
{
    Q_OBJECT
private slots:
    void selfCommunicator()
    {
        const auto comm = makeSelfCommunicator();
        QCOMPARE(comm->size(), 1);
        QVERIFY(!comm->hostName().empty());
        GradientReducer reducer(*comm, 100, {});
        reducer.gradients()[7] = 3;
        reducer.markReady(0, 100);
        StepTail tail;
        tail.lossSum = 1.5;
        tail.correct = 4;
        tail.stop = true;
        const StepTail sum = reducer.finish(tail);
        QCOMPARE(sum.lossSum, 1.5);
        QCOMPARE(sum.correct, 4);
        QVERIFY(sum.stop && !sum.nonFinite && !sum.failed);
        QCOMPARE(reducer.gradients()[7], 3.0f);
    }
    void allReduceNames()
    {
        QCOMPARE(parseAllReduceKind("shm"), AllReduceKind::SharedMemory);
        bool refused = false;
        try {
            parseAllReduceKind("ring");
        } catch (const InvalidArgument& e) {
            refused = e.code() == "usage";
        }
        QVERIFY(refused);
    }
    void underMpirun_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("perNode");
        for (const int ranks : {1, 2, 3, 4})
            QTest::addRow("%d ranks", ranks) << ranks << 0;
        QTest::newRow("2 nodes of 2") << 4 << 2;
        QTest::newRow("3 nodes of 1") << 3 << 1;
        QTest::newRow("nodes of 2 and 1") << 3 << 2;
    }
    void underMpirun()
    {
        QFETCH(int, ranks);
        QFETCH(int, perNode);
        if (!test::haveMpirun())
            QSKIP("mpirun is not installed");
        const test::MpiRun run =
            test::runUnderMpi(ranks, QStringLiteral(SB_DIST_CHECKS), {QString::number(perNode)});
        QVERIFY2(run.finished && run.exitCode == 0, run.output.constData());
    }
};

QTEST_GUILESS_MAIN(CommunicatorTest)
#include "communicator_test.moc"
