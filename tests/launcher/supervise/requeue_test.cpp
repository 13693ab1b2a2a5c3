// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs are resumed, what a person is told where none is, and what a run's time begins with.
#include "run/run_status.h"
#include "run/study_queue.h"
#include "supervise/machine_lock.h"
#include "supervise/requeue.h"
#include "supervise/supervisor.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include <QDateTime>
#include <QTest>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

namespace {

RunStatus statusOf(const Study& study, int run)
{
    return readRunStatus(study.runs[run].runDir).value();
}

void end(const Study& study, int run, RunState state, const QString& code = {})
{
    RunStatus status = statusOf(study, run);
    status.state = state;
    status.error.code = code;
    QVERIFY(writeRunStatus(study.runs[run].runDir, status).ok());
}

} // namespace

class RequeueTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    /// What the limits left out is named, with the way to run it.
    void leftOutByLimits()
    {
        TemporaryLibrary library;
        const Study study = library.create({1, 2});
        end(study, 0, RunState::Completed);
        end(study, 1, RunState::Cancelled, u"time_limit"_s);
        const Failure why = requeueRuns(study.dir).failure();
        QVERIFY2(why.message.contains(study.runs[1].config.runId), qPrintable(why.message));
        QCOMPARE(requeueRuns(study.dir, {study.runs[1].config.runId}).value().size(), 1);
    }

    /// Or what is resumed would wait for a "continue" that nobody was told of.
    void resumingLiftsAPause()
    {
        TemporaryLibrary library;
        const Study study = library.create({1, 2});
        setQueuePaused(study.dir, true);
        QCOMPARE(requeueRuns(study.dir).value().size(), 2);
        QVERIFY(!queuePaused(study.dir));
    }

    void aFolderThatCannotBeLockedIsNotRunning()
    {
        TemporaryLibrary library;
        const Study study = library.create({1});
        const QString lock = study.dir + u"/supervisor.lock"_s;
        QFile::remove(lock);
        QVERIFY(QDir().mkpath(lock)); // where no file can be
        const Failure why = requeueRuns(study.dir).failure();
        QCOMPARE(why.code, u"not_writable"_s);
        QVERIFY2(why.message.contains(lock), qPrintable(why.message));
    }

    /// --max-minutes is of runs, not of waiting for other studies.
    void waitingIsNoTime()
    {
        if (!MachineLock::isWanted())
            QSKIP("SCALEBENCH_MACHINE_LOCKS=off: nothing waits");
        useFakeEngine("ok");
        TemporaryLibrary library;
        const Study study = library.create({1});
        auto other = std::make_unique<MachineLock>(TargetMachine());
        QVERIFY(QTest::qWaitFor([&] { return other->tryAcquire(u"test"_s); }, kHangMs));
        QVERIFY(startSupervisor(study.dir).ok());
        QVERIFY(QTest::qWaitFor([&] { return !statusOf(study, 0).waiting.isEmpty(); }, kHangMs));
        QTest::qWait(500);
        const qint64 released = QDateTime::currentMSecsSinceEpoch();
        QVERIFY(statusOf(study, 0).startedMs < released - 400);
        other.reset();
        QVERIFY(QTest::qWaitFor([&] { return isFinal(statusOf(study, 0).state); }, kHangMs));
        QCOMPARE(statusOf(study, 0).state, RunState::Completed);
        QVERIFY(statusOf(study, 0).startedMs >= released);
        QVERIFY(QTest::qWaitFor([&] { return library.processesLeft().isEmpty(); }, kHangMs));
    }
};

QTEST_GUILESS_MAIN(RequeueTest)
#include "requeue_test.moc"
