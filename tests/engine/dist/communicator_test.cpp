// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite on every implementation: one worker, threads, and 1 to 4 ranks under the
// real mpirun, where nodes are pretended for the path between nodes.

#include "engine/dist/comm_error.h"
#include "engine/dist/conformance.h"
#include "engine/dist/exchange.h"
#include "kernels/check.h"
#include "support/mpi_runner.h"
#include "support/thread_communicator.h"

#include <QTest>

#include <mutex>

using namespace scalebench;
using namespace scalebench::dist;

class CommunicatorTest : public QObject
{
    Q_OBJECT

    static void showFailures(const std::vector<std::string>& failures)
    {
        for (const std::string& line : failures)
            qWarning("%s", line.c_str());
        QCOMPARE(failures.size(), size_t{0});
    }

private slots:
    void oneWorker()
    {
        const auto comm = makeSelfCommunicator();
        QCOMPARE(comm->size(), 1);
        QVERIFY(!comm->hostName().empty());
        showFailures(test::Conformance(*comm).run());
    }
    void threads_data()
    {
        QTest::addColumn<int>("workers");
        for (const int workers : {1, 2, 3, 8})
            QTest::addRow("%d threads", workers) << workers;
    }
    void threads()
    {
        QFETCH(int, workers);
        std::mutex mutex;
        std::vector<std::string> failures;
        test::runThreads(workers, [&](Communicator& comm) {
            const std::vector<std::string> mine = test::Conformance(comm).run();
            const std::lock_guard lock(mutex);
            failures.insert(failures.end(), mine.begin(), mine.end());
        });
        showFailures(failures);
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
    void refusals()
    {
        QCOMPARE(parseAllReduceKind("shm"), AllReduceKind::SharedMemory);
        bool refused = false;
        try {
            parseAllReduceKind("ring");
        } catch (const InvalidArgument& e) {
            refused = e.code() == "usage";
        }
        QVERIFY(refused);
        const auto comm = makeSelfCommunicator();
        const std::vector<int32_t> twice = {3, 3}, one = {3};
        const std::vector<float> rows(4);
        QVERIFY_EXCEPTION_THROWN(sumSparseRows(*comm, twice, rows, 2), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(sumSparseRows(*comm, one, rows, 2), InvalidArgument);
    }
    void shards()
    {
        QCOMPARE(equalShards(100, 2), (ShardStarts{0, 48, 100}));
        QCOMPARE(equalShards(5, 3), (ShardStarts{0, 0, 0, 5}));
        QCOMPARE(equalShards(0, 2), (ShardStarts{0, 0, 0}));
    }
    void threadThatThrowsEndsTheOthers()
    {
        bool thrown = false;
        try {
            test::runThreads(3, [](Communicator& comm) {
                if (comm.rank() == 1)
                    throw Error("out_of_memory", "no memory");
                comm.barrier();
            });
        } catch (const Error& e) {
            thrown = e.code() == "out_of_memory";
        }
        QVERIFY(thrown);
    }
};

QTEST_GUILESS_MAIN(CommunicatorTest)
#include "communicator_test.moc"
