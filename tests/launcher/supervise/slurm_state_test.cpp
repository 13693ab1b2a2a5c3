// SPDX-License-Identifier: GPL-3.0-or-later
// What Slurm's programs say of a job, and what becomes of it.
#include "supervise/run_end.h"
#include "supervise/slurm_state.h"
#include "support/slurm_stand_ins.h"

#include <QTest>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class SlurmStateTest : public QObject
{
    Q_OBJECT

private slots:
    void queue()
    {
        SlurmQueueState state =
            readQueueState(said("RUNNING|None|2026-03-01T14:05:00|gpu[01-02,07],login"));
        QVERIFY(state.known && !state.hasEnded());
        QCOMPARE(state.nodes, (QStringList{u"gpu01"_s, u"gpu02"_s, u"gpu07"_s, u"login"_s}));
        QVERIFY(readQueueState(said("")).hasEnded());
        QVERIFY(readQueueState(said("COMPLETED|None|N/A|sb1")).hasEnded());
        QVERIFY(!readQueueState(said("COMPLETING|None|N/A|sb1")).hasEnded());
        QVERIFY(readQueueState(said("", "slurm_load_jobs error: Invalid job id specified", 1))
                    .hasEnded());
        // No answer is not the end of a job.
        const SlurmAnswer silent =
            said("", "slurm_load_jobs error: Unable to contact slurm controller", 1);
        QVERIFY(!readQueueState(silent).known);
        QVERIFY(!readQueueState(silent).hasEnded());
    }

    void waiting_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* line, const char* text) {
            QTest::newRow(line) << QByteArray(line) << QString::fromLatin1(text);
        };
        row("PENDING|Priority|2026-03-01T14:05:00|",
            "Waiting in Slurm's queue: other jobs come first (Priority); estimated start 14:05");
        row("PENDING|Resources|2026-03-03T04:05:00|",
            "Waiting in Slurm's queue: the nodes it needs are busy (Resources); estimated start "
            "2026-03-03 04:05");
        row("PENDING|None|N/A|(null)", "Waiting in Slurm's queue");
        row("PENDING|QOSMaxJobsPerUserLimit|N/A|",
            "Waiting in Slurm's queue: you may not use more at once in your quality of service "
            "(QOSMaxJobsPerUserLimit)");
        row("PENDING|ReqNodeNotAvail, UnavailableNodes:sb2|N/A|",
            "Waiting in Slurm's queue: nodes it needs are down or reserved (ReqNodeNotAvail, "
            "UnavailableNodes:sb2)");
        row("PENDING|SomethingNew|N/A|", "Waiting in Slurm's queue: SomethingNew");
        row("PENDING|PartitionTimeLimit|N/A|",
            "This job can never start: its time limit is above that of the partition "
            "(PartitionTimeLimit). Stop it and change the target machine or the plan");
        row("CONFIGURING|None|N/A|sb1", "Slurm prepares the nodes");
        row("SUSPENDED|None|N/A|sb1", "Slurm has suspended the job");
    }
    void waiting()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, text);
        const QDateTime now(QDate(2026, 3, 1), QTime(12, 0));
        QCOMPARE(waitingText(readQueueState(said(line.constData())), now), text);
    }

    void refusals_data()
    {
        QTest::addColumn<QByteArray>("errors");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* errors, const char* code) {
            QTest::newRow(errors) << QByteArray(errors) << QString::fromLatin1(code);
        };
        // In Slurm's own words (22.05 and 23.11).
        row("sbatch: error: invalid partition specified: foo\nsbatch: error: Batch job submission "
            "failed: Invalid partition name specified",
            "slurm_partition");
        row("sbatch: error: Batch job submission failed: Invalid account or account/partition "
            "combination specified",
            "slurm_account");
        row("sbatch: error: Batch job submission failed: User's group not permitted to use this "
            "partition",
            "slurm_account");
        row("sbatch: error: Batch job submission failed: Invalid generic resource (gres) "
            "specification",
            "slurm_gres");
        row("sbatch: error: Batch job submission failed: Requested time limit is invalid (missing "
            "or exceeds some limit)",
            "slurm_time_limit");
        row("sbatch: error: Invalid --time specification", "slurm_time_limit");
        row("sbatch: error: Batch job submission failed: Requested node configuration is not "
            "available",
            "slurm_nodes");
        row("sbatch: error: Batch job submission failed: Unable to contact slurm controller "
            "(connect failure)",
            "slurm_unreachable");
        row("sbatch: error: Batch job submission failed: Socket timed out on send/recv operation",
            "slurm_unreachable");
        row("sbatch: fatal: Could not establish a configuration source", "slurm_unreachable");
        row("sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job "
            "submit limit, user's size and/or time limits)",
            "slurm_refused");
    }
    void refusals()
    {
        QFETCH(QByteArray, errors);
        QFETCH(QString, code);
        const Failure failure = submitFailure(said("", errors.constData(), 1));
        QCOMPARE(failure.code, code);
        QCOMPARE(failure.details, QString::fromLatin1(errors));
    }

    void endings_data()
    {
        QTest::addColumn<QByteArray>("shown");
        QTest::addColumn<QByteArray>("jobExit");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* shown, const char* jobExit, const char* code) {
            QTest::addRow("%s|%s", shown, jobExit)
                << QByteArray(shown) << QByteArray(jobExit) << QString::fromLatin1(code);
        };
        row("JobState=COMPLETED Reason=None ExitCode=0:0", "0", "");
        row("JobState=FAILED Reason=NonZeroExitCode ExitCode=137:0", "137", "");
        row("JobState=TIMEOUT Reason=TimeLimit ExitCode=0:0", "143", "slurm_timeout");
        row("JobState=COMPLETING Reason=TimeLimit ExitCode=0:0", "", "slurm_timeout");
        row("JobState=PREEMPTED Reason=None ExitCode=0:0", "143", "slurm_preempted");
        row("JobState=OUT_OF_MEMORY Reason=OutOfMemory ExitCode=0:125", "", "slurm_out_of_memory");
        row("JobState=NODE_FAIL Reason=NodeDown ExitCode=0:0", "", "slurm_node_fail");
        row("JobState=CANCELLED Reason=None ExitCode=0:15", "143", "slurm_cancelled");
        row("JobState=FAILED Reason=JobLaunchFailure ExitCode=0:53", "", "folder_not_shared");
        row("JobState=FAILED Reason=JobLaunchFailure ExitCode=0:9", "", "slurm_failed");
        row("JobState=COMPLETED Reason=None ExitCode=0:0", "", "folder_not_shared");
        row("JobState=FAILED Reason=NonZeroExitCode ExitCode=127:0", "", "folder_not_shared");
        row("JobState=FAILED Reason=NonZeroExitCode ExitCode=127:0", "127 engine_missing sb2",
            "engine_missing");
        row("", "", "slurm_failed");
        row("", "0", "");
    }
    void endings()
    {
        QFETCH(QByteArray, shown);
        QFETCH(QByteArray, jobExit);
        QFETCH(QString, code);
        SlurmEnding ending;
        ending.jobId = u"17"_s;
        ending.end = readJobEnd(said(("JobId=17 " + shown).constData()));
        ending.jobExit = QString::fromLatin1(jobExit);
        ending.runDir = u"/s/r1"_s;
        const Failure failure = endingFailure(ending, u"in epoch 3, \"%1\""_s);
        QCOMPARE(failure.code, code);
        if (code.startsWith("slurm_"_L1))
            QVERIFY2(failure.message.contains(u" in epoch 3, \"%1\""_s),
                     qPrintable(failure.message));
    }

    /// Slurm's nodes say it in several lines, of which any may be the last before the kill.
    void memoryByTheJobsOwnWords_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("the first line")
            << u"slurmstepd-sb1: error: StepId=1.batch exceeded memory limit (427020288 > "
               "157286400), being killed"_s;
        QTest::newRow("the second") << u"slurmstepd-sb1: error: Exceeded job memory limit"_s;
        QTest::newRow("control groups") << u"slurmstepd: error: Detected 1 oom_kill event in "
                                           "StepId=9.0. Some of the step tasks have been OOM "
                                           "Killed."_s;
    }
    void memoryByTheJobsOwnWords()
    {
        QFETCH(QString, text);
        SlurmEnding ending;
        ending.end =
            readJobEnd(said("JobId=17 JobState=FAILED Reason=JobLaunchFailure ExitCode=0:9"));
        ending.launcherText = text;
        QCOMPARE(endingFailure(ending, u"in epoch 3"_s).code, u"slurm_out_of_memory"_s);
    }

    void schedulerInTheVerdict()
    {
        RunRecord record;
        StepPoint point;
        point.epoch = 3.2;
        record.steps << point;
        record.epochs = QList<EpochSummary>(3);
        RunEnd end;
        end.exitCode = 143;
        SlurmEnding timeout, other;
        timeout.end = readJobEnd(said("JobId=17 JobState=TIMEOUT Reason=TimeLimit ExitCode=0:15"));
        other.end =
            readJobEnd(said("JobId=17 JobState=FAILED Reason=JobLaunchFailure ExitCode=0:9"));
        end.slurm = timeout;
        QVERIFY2(judgeRunEnd(end, record)
                     .failure.message.contains(
                         u"time limit in Slurm at epoch 3.2; 3 complete epochs are kept."_s),
                 qPrintable(judgeRunEnd(end, record).failure.message));
        record.streamError = Failure{u"rank_lost"_s, u"Rank 1 is lost."_s, {}};
        QCOMPARE(judgeRunEnd(end, record).failure.code, u"slurm_timeout"_s);
        end.slurm = other;
        QCOMPARE(judgeRunEnd(end, record).failure.code, u"rank_lost"_s);
        end.slurm = timeout;
        record.stopStatus = u"success"_s;
        QVERIFY(judgeRunEnd(end, record).state == RunState::Completed);
        record.stopStatus.clear();
        end.stopRequested = true;
        QVERIFY(judgeRunEnd(end, record).state == RunState::Cancelled);
    }
};

QTEST_GUILESS_MAIN(SlurmStateTest)
#include "slurm_state_test.moc"
