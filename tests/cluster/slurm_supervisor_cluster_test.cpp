// SPDX-License-Identifier: GPL-3.0-or-later
// Slurm jobs of which the supervisor is killed.
#include "follow/queue_keeper.h"
#include "supervise/requeue.h"
#include "support/slurm_studies.h"

using namespace scalebench;
using namespace scalebench::test;

class SlurmSupervisorClusterTest : public QObject, private SlurmStudies
{
    Q_OBJECT

private slots:
    void initTestCase() { bringUp(); }
    void init() { SB_NEED_CLUSTER(*m_cluster); }
    void cleanup() { cancelAll(); }

    void killedSupervisorIsReplaced()
    {
        const Study study = start(fake(8, 200), {{2, 1}, {1, 1}});
        QVERIFY(trains(study));
        const RunStatus before = statusOf(study);
        ::kill(pid_t(before.supervisor.pid), SIGKILL);
        QVERIFY(waitFor([&] { return !lockHolder(study.dir); }, 5));
        QTest::qWait(1000); // the job goes on meanwhile
        QueueKeeper keeper(study.dir, false);
        const QStringList open{QFileInfo(study.runs[0].runDir).fileName(),
                               QFileInfo(study.runs[1].runDir).fileName()};
        QVERIFY(waitFor([&] {
            keeper.tick(open);
            return isFinal(statusOf(study, 1).state);
        }));
        const RunStatus after = statusOf(study);
        QVERIFY2(after.state == RunState::Completed, qPrintable(after.error.message));
        QCOMPARE(after.slurmJob, before.slurmJob);
        QCOMPARE(after.startedMs, before.startedMs);
        QVERIFY(after.supervisor.pid != before.supervisor.pid);
        QCOMPARE(after.nodeEnds.size(), 2);
        QCOMPARE(loadRun(study.runs[0].runDir).value().steps.size(), 40);
        QVERIFY(statusOf(study, 1).state == RunState::Completed); // and the queue went on
        QVERIFY(statusOf(study, 1).slurmJob != before.slurmJob);
    }

    void killedSupervisorAndAJobThatEndedMeanwhile()
    {
        // Long enough to be seen training, on a full machine too.
        const Study study = start(fake(25, 100));
        QVERIFY(trains(study));
        ::kill(pid_t(statusOf(study).supervisor.pid), SIGKILL);
        QVERIFY(waitFor([&] { return QFile::exists(study.runs[0].runDir + u"/job_exit"_s); }));
        QVERIFY(recoverRun(study.runs[0].runDir));
        QVERIFY(ends(study, 15));
        QVERIFY(statusOf(study).state == RunState::Completed);
    }

    /// Slurm has the job, and nobody noted its number.
    void supervisorKilledWhileItSubmits_data()
    {
        QTest::addColumn<bool>("resumed");
        QTest::newRow("the job is found") << false;
        QTest::newRow("another is begun") << true;
    }
    void supervisorKilledWhileItSubmits()
    {
        QFETCH(bool, resumed);
        const QByteArray path = qgetenv("PATH");
        const QString bin = m_folder.filePath(u"bin"_s);
        QDir().mkpath(bin);
        writeProgram(bin + u"/sbatch"_s, "#!/bin/sh\n/usr/bin/sbatch \"$@\" > /dev/null\n"
                                         "kill -KILL $PPID\n");
        qputenv("PATH", bin.toUtf8() + ':' + path);
        const Study study = start(resumed ? slow() : fake(4, 200));
        qputenv("PATH", path);
        const auto jobs = [] {
            return slurm({u"squeue"_s, u"-h"_s, u"-o"_s, u"%i"_s}).output.simplified();
        };
        QVERIFY(waitFor([&] { return !jobs().isEmpty() && !lockHolder(study.dir); }));
        const QByteArray first = jobs();
        QVERIFY(statusOf(study).slurmJob.isEmpty());
        if (resumed) { // somebody gave it up while Slurm did not answer
            RunStatus status = statusOf(study);
            status.state = RunState::Failed;
            QVERIFY(writeRunStatus(study.runs[0].runDir, status));
            QVERIFY(requeueRuns(study.dir, {}));
            QVERIFY(startSupervisor(study.dir));
            QVERIFY(trains(study));
            QVERIFY(jobs() != first && !jobs().contains(' '));
            stop(study);
        } else {
            QVERIFY(recoverRun(study.runs[0].runDir));
        }
        QVERIFY(ends(study));
        const RunStatus status = statusOf(study);
        QVERIFY2(status.state == (resumed ? RunState::Cancelled : RunState::Completed),
                 qPrintable(status.error.message));
        QCOMPARE(status.slurmJob == QString::fromLatin1(first), !resumed);
        QVERIFY(nothingLeft());
    }

    void stopWithoutSupervisor()
    {
        const Study study = start(slow(), {{2, 1}, {1, 1}});
        QVERIFY(trains(study));
        ::kill(pid_t(statusOf(study).supervisor.pid), SIGKILL);
        QVERIFY(waitFor([&] { return !lockHolder(study.dir); }, 5));
        QueueKeeper keeper(study.dir, false);
        keeper.stopNow();
        const QStringList open{QFileInfo(study.runs[0].runDir).fileName(),
                               QFileInfo(study.runs[1].runDir).fileName()};
        QVERIFY(waitFor([&] {
            keeper.tick(open);
            return isFinal(statusOf(study, 1).state);
        }));
        QVERIFY2(statusOf(study).state == RunState::Cancelled,
                 qPrintable(statusOf(study).error.code + u": "_s + statusOf(study).error.message));
        QVERIFY(statusOf(study, 1).state == RunState::Cancelled);
        QVERIFY(nothingLeft());
    }

    /// Nobody says "cancelled" while the job goes on.
    void supervisorKilledWhileItStops()
    {
        const Study study = start(fake(100, 20, "stubborn"));
        QVERIFY(trains(study));
        stop(study);
        QVERIFY(waitFor([&] { return statusOf(study).state == RunState::Stopping; }));
        ::kill(pid_t(statusOf(study).supervisor.pid), SIGKILL);
        QVERIFY(waitFor([&] { return !lockHolder(study.dir); }, 5));
        const QString job = statusOf(study).slurmJob;
        QVERIFY(slurm({u"squeue"_s, u"-h"_s, u"-j"_s, job}).output.contains(job.toUtf8()));
        QVERIFY(recoverRun(study.runs[0].runDir));
        QVERIFY(ends(study, 60));
        QVERIFY(statusOf(study).state == RunState::Cancelled);
        QVERIFY(!slurm({u"squeue"_s, u"-h"_s, u"-j"_s, job}).output.contains(job.toUtf8()));
        QVERIFY(nothingLeft());
    }
};

QTEST_GUILESS_MAIN(SlurmSupervisorClusterTest)
#include "slurm_supervisor_cluster_test.moc"
