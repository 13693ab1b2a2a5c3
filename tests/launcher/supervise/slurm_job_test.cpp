// SPDX-License-Identifier: GPL-3.0-or-later
// Slurm jobs with stand-ins for Slurm's programs: what a test cluster cannot do.
#include "machine/study_machine.h"
#include "run/own_studies.h"
#include "run/run_status.h"
#include "run/study_lock.h"
#include "supervise/forgotten_job.h"
#include "supervise/slurm_processes.h"
#include "supervise/supervisor.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"
#include "support/slurm_stand_ins.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QTest>
#include <QThread>

#include <csignal>
#include <memory>
#include <sys/stat.h>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class SlurmJobTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QByteArray m_path = qgetenv("PATH");

    /// Stand-ins for Slurm's programs: their folder.
    QString fakeSlurm()
    {
        const QString folder = m_folder.filePath(u"slurm"_s);
        makeSlurmStandIns(folder);
        qputenv("PATH", folder.toUtf8() + ':' + m_path);
        return folder;
    }

    struct Job {
        Study study;
        QString runDir;
        RunStatus status() const { return readRunStatus(runDir).value(); }
    };
    Job startJob(TemporaryLibrary& library)
    {
        const QString folder = library.folder.filePath(u"sb"_s);
        QDir().mkpath(folder + u"/engine/current/bin"_s);
        writeProgram(folder + u"/engine/current/bin/scalebench-engine"_s, "#!/bin/sh\n");
        const Study study = library.create({1});
        if (!writeStudyMachine(study.dir, slurmMachine(folder)))
            qFatal("not written");
        if (!rememberOwnStudy(study.dir)) // with its machine
            qFatal("not remembered");
        if (!startSupervisor(study.dir))
            qFatal("not started");
        return {study, study.runs[0].runDir};
    }

private slots:
    void cleanup() { qputenv("PATH", m_path); }

    /// The script holds the values of the machine's environment.
    void scriptIsPrivate()
    {
        fakeSlurm();
        const mode_t before = ::umask(0);
        TemporaryLibrary library;
        const Job job = startJob(library);
        ::umask(before);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(job.runDir + u"/job.sh"_s), kHangMs);
        for (const QString& path :
             {job.runDir + u"/job.sh"_s, job.study.dir + u"/machine.json"_s}) {
            struct stat info {
            };
            QCOMPARE(::stat(path.toUtf8().constData(), &info), 0);
            QCOMPARE(info.st_mode & 0777, mode_t(0600));
        }
        QTRY_VERIFY_WITH_TIMEOUT(lockHolder(job.study.dir).value_or(0) > 1, kHangMs);
        ::kill(pid_t(*lockHolder(job.study.dir)), SIGTERM);
        writeFile(m_folder.filePath(u"slurm/squeue.says"_s), "CANCELLED|None|N/A|\n");
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
    }

    /// sbatch's answer becomes a word of scancel.
    void numberOfTheJobIsDigits()
    {
        const QString slurm = fakeSlurm();
        for (const char* answer : {"--user=anna\n", "-5\n", "+5\n", "5 6\n"}) {
            writeFile(slurm + u"/sbatch.says"_s, answer);
            TemporaryLibrary library;
            const Job job = startJob(library);
            QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
            QVERIFY2(job.status().state == RunState::Failed, answer);
            QCOMPARE(job.status().slurmJob, QString());
        }
        QVERIFY(!QFile::exists(slurm + u"/scancel.words"_s));
    }

    void outOfMemory()
    {
        const QString slurm = fakeSlurm();
        TemporaryLibrary library;
        const Job job = startJob(library);
        QTRY_COMPARE_WITH_TIMEOUT(job.status().waiting,
                                  u"Waiting in Slurm's queue: other jobs come first (Priority)"_s,
                                  kHangMs);
        QVERIFY(job.status().state == RunState::Starting);
        QCOMPARE(job.status().slurmJob, u"17"_s);
        writeFile(slurm + u"/squeue.says"_s, "RUNNING|None|N/A|sb[1-2]\n");
        QTRY_VERIFY_WITH_TIMEOUT(job.status().state == RunState::Running, kHangMs);
        QCOMPARE(job.status().hosts, (QStringList{u"sb1"_s, u"sb2"_s}));
        writeFile(slurm + u"/scontrol.says"_s,
                  "JobId=17 JobState=OUT_OF_MEMORY Reason=OutOfMemory ExitCode=0:125\n");
        writeFile(slurm + u"/squeue.says"_s, "OUT_OF_MEMORY|OutOfMemory|N/A|sb[1-2]\n");
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
        QCOMPARE(job.status().error.code, u"slurm_out_of_memory"_s);
        QVERIFY(job.status().error.details.contains(u"ExitCode=0:125"_s));
    }

    /// Slurm's first reason is often not the one that stays.
    void neverIsSaidOfASettledReason()
    {
        const QString slurm = fakeSlurm();
        writeFile(slurm + u"/squeue.says"_s, "PENDING|PartitionConfig|N/A|\n");
        TemporaryLibrary library;
        const Job job = startJob(library);
        QStringList said;
        QTRY_VERIFY_WITH_TIMEOUT((said << job.status().waiting).last().contains(u"never start"_s),
                                 kHangMs);
        QVERIFY2(said.contains(u"Waiting in Slurm's queue"_s), qPrintable(said.join(u'\n')));
        writeFile(slurm + u"/squeue.says"_s, "CANCELLED|None|N/A|\n");
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
    }

    void jobByItsFolder()
    {
        const auto squeue = said("5|/s/runs/r10\n6 |/s/runs/r1\n7|/s/runs/r1");
        QCOMPARE(jobOfFolder(squeue, u"/s/runs/r1"_s), u"6"_s);
        QVERIFY(jobOfFolder(squeue, u"/s/runs/r2"_s).isEmpty());
        QVERIFY(jobOfFolder(said("--user=anna|/s/r1"), u"/s/r1"_s).isEmpty());
        QVERIFY(jobOfFolder(said("6|/s/r1", "", 1), u"/s/r1"_s).isEmpty());
    }

    void suspendedProcesses()
    {
        const auto found = readSuspended(said("warning: be nice\nsuspended=sb1 77\nsuspended=-o 5\n"
                                              "suspended=sb2 1\nsuspended=sb2 x\nsuspended=sb2\n"
                                              "suspended=sb2 78"));
        QCOMPARE(found, (QList<SuspendedProcess>{{u"sb1"_s, 77}, {u"sb2"_s, 78}}));
        const QString slurm = fakeSlurm();
        writeFile(slurm + u"/srun.says"_s, "suspended=sb1 77\n");
        SlurmProcesses processes;
        QVERIFY(processes.suspended(u"17"_s, 0).isEmpty()); // it waits
        QCOMPARE(processes.suspended(u"17"_s, 2), (QList<SuspendedProcess>{{u"sb1"_s, 77}}));
        QVERIFY(contentOf(slurm + u"/srun.words"_s).startsWith("--jobid=17 --overlap "));
        // Each is a step to Slurm: there are not a thousand of them in a long quiet phase.
        writeFile(slurm + u"/srun.says"_s, "");
        for (int i = 0; i < 100; ++i)
            QVERIFY(processes.suspended(u"17"_s, 2).isEmpty());
        QVERIFY(contentOf(slurm + u"/srun.words"_s).count("--jobid=17") < 20);
    }

    /// What the nodes write is seen late here, so that the run seems to stand still.
    void stopWaitsForTheNetworkFileSystem()
    {
        const QString slurm = fakeSlurm();
        TemporaryLibrary library;
        const Job job = startJob(library);
        writeFile(slurm + u"/squeue.says"_s, "RUNNING|None|N/A|sb[1-2]\n");
        QTRY_VERIFY_WITH_TIMEOUT(job.status().state == RunState::Running, kHangMs);
        const QByteArray golden = contentOf(
            QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/reached_2_workers.txt"));
        const qsizetype step = golden.indexOf('\n', golden.indexOf("\"key\":\"step\""));
        writeFile(job.runDir + u"/result_0.txt"_s, golden.first(step + 1));
        QTest::qWait(500);
        const pid_t supervisor = pid_t(*lockHolder(job.study.dir));
        ::kill(supervisor, SIGTERM);
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(slurm + u"/scancel.words"_s),
                                  QByteArray("--batch --signal=USR1 17\n"), kHangMs);
        QTest::qWait(14'000); // a run on this computer has 10 s and some steps
        const QByteArray asked =
            contentOf(slurm + u"/scancel.words"_s); // again, but no more than that
        QCOMPARE(asked.count("--batch --signal=USR1 17\n"), asked.count('\n'));
        ::kill(supervisor, SIGTERM); // who asks again does not wait
        QTRY_VERIFY_WITH_TIMEOUT(
            contentOf(slurm + u"/scancel.words"_s).contains("--batch --signal=TERM 17\n"), 30'000);
        writeFile(slurm + u"/squeue.says"_s, "CANCELLED|None|N/A|\n");
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
    }

    void controllerThatIsAwayForAWhile()
    {
        const QString slurm = fakeSlurm();
        TemporaryLibrary library;
        const Job job = startJob(library);
        QTRY_VERIFY_WITH_TIMEOUT(job.status().waiting.contains("Priority"_L1), kHangMs);
        writeFile(slurm + u"/squeue.errors"_s, "Unable to contact slurm controller\n");
        QTRY_COMPARE_WITH_TIMEOUT(job.status().waiting,
                                  u"Waiting: Slurm does not answer at the moment"_s, kHangMs);
        QFile::remove(slurm + u"/squeue.errors"_s);
        QTRY_VERIFY_WITH_TIMEOUT(job.status().waiting.contains("Priority"_L1), kHangMs);
        ::kill(pid_t(*lockHolder(job.study.dir)), SIGTERM);
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(slurm + u"/scancel.words"_s), QByteArray("17\n"),
                                  kHangMs); // no signal: it waits
        writeFile(slurm + u"/squeue.says"_s, "CANCELLED|None|N/A|\n");
        QTRY_VERIFY_WITH_TIMEOUT(job.status().state == RunState::Cancelled, kHangMs);
    }

    void forgottenJob()
    {
        const QString slurm = fakeSlurm();
        TemporaryLibrary library;
        const Job job = startJob(library);
        QTRY_VERIFY_WITH_TIMEOUT(!job.status().slurmJob.isEmpty(), kHangMs);
        writeFile(slurm + u"/sacct.says"_s, "CANCELLED by 1000|0:15\n");
        writeFile(slurm + u"/scontrol.errors"_s,
                  "slurm_load_jobs error: Invalid job id specified\n");
        writeFile(slurm + u"/squeue.errors"_s, "slurm_load_jobs error: Invalid job id specified\n");
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
        QCOMPARE(job.status().error.code, u"slurm_cancelled"_s);
    }

    /// The follower asks; the window that closes does not wait for it.
    void lookingForAForgottenJobEndsWithItsThread()
    {
        const QString slurm = fakeSlurm();
        writeFile(slurm + u"/squeue.says"_s, "");
        TemporaryLibrary library;
        const Job job = startJob(library);
        QTRY_VERIFY_WITH_TIMEOUT(!job.status().slurmJob.isEmpty(), kHangMs);
        ::kill(pid_t(*lockHolder(job.study.dir)), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(!lockHolder(job.study.dir), kHangMs);
        RunStatus status = job.status(); // as it was before sbatch answered
        status.slurmJob.clear();
        status.state = RunState::Starting;
        QVERIFY(writeRunStatus(job.runDir, status));
        writeFile(slurm + u"/squeue.words"_s, "");
        bool recovered = true;
        const std::unique_ptr<QThread> thread(
            QThread::create([&] { recovered = recoverRun(job.runDir); }));
        QElapsedTimer clock;
        clock.start();
        thread->start();
        QTRY_VERIFY_WITH_TIMEOUT(!contentOf(slurm + u"/squeue.words"_s).isEmpty(), kHangMs);
        thread->requestInterruption();
        QVERIFY(thread->wait(kHangMs));
        QVERIFY(!recovered);
        QVERIFY(job.status().state == RunState::Starting); // nothing was concluded
        QVERIFY(recoverRun(job.runDir));                   // the next one does
        QCOMPARE(job.status().error.code, u"supervisor_lost"_s);
    }

    void hangingController()
    {
        const QString slurm = fakeSlurm();
        writeFile(slurm + u"/hang"_s, "");
        TemporaryLibrary library;
        const Job job = startJob(library);
        QElapsedTimer clock;
        clock.start();
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
        QVERIFY(clock.elapsed() > 8000);
        QCOMPARE(job.status().error.code, u"slurm_unreachable"_s);
    }

    void withoutSlurm()
    {
        const QString bin = m_folder.filePath(u"bin"_s);
        QDir().mkpath(bin);
        qputenv("PATH", bin.toUtf8());
        TemporaryLibrary library;
        const Job job = startJob(library);
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(job.status().state), kHangMs);
        QCOMPARE(job.status().error.code, u"slurm_missing"_s);
    }

    void homeFolderInTheDataPath()
    {
        const QString slurm = fakeSlurm();
        TemporaryLibrary library;
        const QString folder = library.folder.filePath(u"sb"_s);
        QDir().mkpath(folder + u"/engine/current/bin"_s);
        writeProgram(folder + u"/engine/current/bin/scalebench-engine"_s, "#!/bin/sh\n");
        const Study study = library.create({1});
        const QString runJson = study.runs[0].runDir + u"/run.json"_s;
        QByteArray text = contentOf(runJson);
        const QByteArray path = library.library->generatedDataDir().toUtf8();
        QVERIFY(text.contains('"' + path));
        writeFile(runJson, text.replace('"' + path, "\"~/data"));
        QVERIFY(writeStudyMachine(study.dir, slurmMachine(folder)));
        QVERIFY(rememberOwnStudy(study.dir).ok());
        QVERIFY(startSupervisor(study.dir));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(slurm + u"/sbatch.words"_s), kHangMs);
        QVERIFY(contentOf(runJson).contains('"' + QDir::homePath().toUtf8() + "/data"));
        QVERIFY(isOwnStudy(study.dir)); // changed by ourselves
        ::kill(pid_t(*lockHolder(study.dir)), SIGTERM);
        writeFile(slurm + u"/squeue.says"_s, "CANCELLED|None|N/A|\n");
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(readRunStatus(study.runs[0].runDir).value().state),
                                 kHangMs);
    }
};

QTEST_GUILESS_MAIN(SlurmJobTest)
#include "slurm_job_test.moc"
