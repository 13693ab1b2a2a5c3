// SPDX-License-Identifier: GPL-3.0-or-later
// Every way a run can end, as mpirun 4.1.4 really words it, and the sentence it becomes.
#include "supervise/run_end.h"
#include "supervise/stall_text.h"

#include <QTest>

using namespace scalebench;

static RunRecord trained(double epoch, int complete)
{
    RunRecord r;
    r.config.workers = 2;
    r.config.target = 0.8;
    StepPoint p;
    p.epoch = epoch;
    r.steps << p;
    for (int i = 1; i <= complete; ++i) {
        EpochSummary e;
        e.epoch = i;
        r.epochs << e;
        EvalPoint point;
        point.epoch = i;
        point.value = 0.1 * i;
        r.evals << point;
    }
    for (int rank = 0; rank < 2; ++rank) {
        WorkerInfo worker;
        worker.rank = rank;
        worker.host = QStringLiteral("box");
        r.workers << worker;
    }
    return r;
}

static RunEnd exited(int code, const char* text = "")
{
    RunEnd end;
    end.exitCode = code;
    end.launcherText = QString::fromLatin1(text);
    return end;
}

/// What mpirun says at once; which process it was comes seconds later, and is lost at times.
static constexpr const char* kAtOnce =
    "Primary job  terminated normally, but 1 process returned\n"
    "a non-zero exit code. Per user-direction, the job has been aborted.\n";

class RunEndTest : public QObject
{
    Q_OBJECT
private slots:
    /// The shell of a Slurm job's script has one number for both.
    void mpirunOfAJobKilled()
    {
        RunEnd end = exited(137, "Killed");
        QCOMPARE(judgeRunEnd(end, trained(3.4, 3)).failure.code, QStringLiteral("engine_failed"));
        end.slurm = SlurmEnding();
        end.slurm->jobExit = QStringLiteral("137");
        end.slurm->end.known = true;
        end.slurm->end.state = QStringLiteral("FAILED");
        const RunVerdict v = judgeRunEnd(end, trained(3.4, 3));
        QCOMPARE(v.failure.code, QStringLiteral("mpirun_killed"));
        QVERIFY(v.failure.message.startsWith(QStringLiteral("mpirun was killed (signal 9")));
        end.launcherText =
            QStringLiteral("mpirun noticed that process rank 1 with PID 0 on node box exited on "
                           "signal 9 (Killed).");
        QCOMPARE(judgeRunEnd(end, trained(3.4, 3)).failure.code, QStringLiteral("rank_killed"));
        end.launcherText = QString::fromLatin1(kAtOnce);
        const RunVerdict lost = judgeRunEnd(end, trained(3.4, 3));
        QCOMPARE(lost.failure.code, QStringLiteral("rank_killed"));
        QVERIFY(lost.failure.message.startsWith(QStringLiteral("One rank was killed (signal 9")));
        // The script itself, which then left no code; what goes with it has its own words.
        end.launcherText = QStringLiteral("ORTE has lost communication with a remote daemon.\n\n"
                                          "  HNP daemon   : [[2,0],0] on node sb1\n"
                                          "  Remote daemon: [[2,0],1] on node sb2\n");
        end.slurm->jobExit.clear();
        end.slurm->end.signal = 9;
        end.slurm->end.reason = QStringLiteral("JobLaunchFailure");
        QCOMPARE(judgeRunEnd(end, trained(3.4, 3)).failure.code, QStringLiteral("slurm_failed"));
    }

    void rankKilled()
    {
        RunEnd end = exited(
            137, R"(--------------------------------------------------------------------------
Primary job  terminated normally, but 1 process returned
a non-zero exit code. Per user-direction, the job has been aborted.
--------------------------------------------------------------------------
--------------------------------------------------------------------------
mpirun noticed that process rank 1 with PID 0 on node box exited on signal 9 (Killed).
--------------------------------------------------------------------------)");
        end.rankTexts = {{1, QStringLiteral("first\nthe last words\n")}};
        const RunVerdict v = judgeRunEnd(end, trained(3.4, 3));
        QVERIFY(v.state == RunState::Failed);
        QCOMPARE(v.failure.code, QStringLiteral("rank_killed"));
        QCOMPARE(
            v.failure.message,
            QStringLiteral(
                "Rank 1 on box was killed (signal 9, for example by the system when memory is "
                "full) at epoch 3.4; 3 complete epochs are kept. Its last line: the last words"));
        QVERIFY(
            v.failure.details.contains(QStringLiteral("stderr of rank 1:\nfirst\nthe last words")));
        QVERIFY(v.failure.details.contains(QStringLiteral("mpirun noticed")));
    }

    void rankKilledAndNobodySaidWhich()
    {
        const RunVerdict v = judgeRunEnd(exited(137, kAtOnce), trained(3.4, 3));
        QCOMPARE(v.failure.code, QStringLiteral("rank_killed"));
        QCOMPARE(v.failure.message,
                 QStringLiteral("One rank was killed (signal 9, for example by the system when "
                                "memory is full) at epoch 3.4; 3 complete epochs are kept."));
        QCOMPARE(judgeRunEnd(exited(1, kAtOnce), trained(3.4, 3)).failure.code,
                 QStringLiteral("engine_failed"));
        QCOMPARE(judgeRunEnd(exited(137, "Killed"), trained(3.4, 3)).failure.code,
                 QStringLiteral("engine_failed"));
    }

    void rankExited()
    {
        const RunVerdict v = judgeRunEnd(
            exited(
                7,
                R"(mpirun detected that one or more processes exited with non-zero status, thus causing
the job to be terminated. The first process to do so was:

  Process name: [[38817,1],1]
  Exit code:    7)"),
            trained(0.5, 0));
        QCOMPARE(v.failure.code, QStringLiteral("rank_failed"));
        QCOMPARE(
            v.failure.message,
            QStringLiteral(
                "Rank 1 on box ended with exit code 7 at epoch 0.5; 0 complete epochs are kept."));
    }

    void abort()
    {
        const RunVerdict v = judgeRunEnd(
            exited(42, "MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD\n"
                       "with errorcode 42."),
            trained(1, 1));
        QCOMPARE(v.failure.message,
                 QStringLiteral("Rank 2 gave up (code 42) at epoch 1; 1 complete epoch is kept."));
    }

    void engineErrorWins()
    {
        RunRecord record = trained(2.5, 2);
        record.streamError =
            Failure{QStringLiteral("diverged"), QStringLiteral("the loss is not a number")};
        record.streamErrorRank = 1;
        record.stopStatus = QStringLiteral("aborted");
        record.stopReason = QStringLiteral("error");
        const RunVerdict v =
            judgeRunEnd(exited(3, "Process name: [[1,1],1]\nExit code: 3"), record);
        QCOMPARE(v.failure.code, QStringLiteral("diverged"));
        QCOMPARE(v.failure.message,
                 QStringLiteral("The training diverged: Rank 1: the loss is not a number"));
    }

    void whatGpusRefuse_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("words");
        QTest::newRow("device")
            << "device_error"
            << "The GPU of rank 1 on box failed at epoch 2.5; 2 complete epochs "
               "are kept. Most likely the card, its power or its driver: the "
               "kernel log there has the driver's line (dmesg | grep Xid). "
               "Resume the run, without this GPU if it fails again.";
        QTest::newRow("NCCL")
            << "nccl"
            << "The GPUs could not exchange gradients: NCCL failed on rank 1 on "
               "box at epoch 2.5; 2 complete epochs are kept. Most likely another "
               "worker ended or NCCL chose a network that does not connect the "
               "nodes: the machine's NCCL settings name one (SOCKET_IFNAME), and "
               "DEBUG=WARN tells more.";
        QTest::newRow("precision") << "precision_unavailable"
                                   << "fp16 cannot be computed on the device \"cpu\" of rank 1 on "
                                      "box. Choose fp32 or bf16, or fp16 on a GPU.";
    }
    /// The sentence is the launcher's, the vendor's words are the details.
    void whatGpusRefuse()
    {
        QFETCH(QString, code);
        QFETCH(QString, words);
        RunRecord record = trained(2.5, 2);
        record.config.precision = QStringLiteral("fp16");
        record.config.device = QStringLiteral("cpu");
        const QString raw = QStringLiteral("CUDA: cudaErrorECCUncorrectable");
        record.streamError = Failure{code, raw};
        record.streamErrorRank = 1;
        record.stopStatus = QStringLiteral("aborted");
        record.stopReason = QStringLiteral("error");
        const RunVerdict v =
            judgeRunEnd(exited(3, "Process name: [[1,1],1]\nExit code: 3"), record);
        QVERIFY(v.state == RunState::Failed);
        QCOMPARE(v.failure.code, code);
        QCOMPARE(v.failure.message, words);
        QCOMPARE(v.failure.details, raw);
    }

    void good()
    {
        RunRecord record = trained(8, 8);
        record.stopStatus = QStringLiteral("success");
        record.stopReason = QStringLiteral("target_reached");
        RunEnd end = exited(0);
        QVERIFY(judgeRunEnd(end, record).state == RunState::Completed);
        end.stopRequested = true; // too late: the result stands
        QVERIFY(judgeRunEnd(end, record).state == RunState::Completed);
        QVERIFY(judgeRunEnd(end, record).failure.code.isEmpty());
    }

    void notConverged()
    {
        RunRecord record = trained(4, 4);
        record.stopStatus = QStringLiteral("aborted");
        record.stopReason = QStringLiteral("target_not_reached");
        const RunVerdict v = judgeRunEnd(exited(0), record);
        QVERIFY(v.state == RunState::NotConverged);
        QCOMPARE(v.failure.message,
                 QStringLiteral("Ended at 40 % (best 40 %), target 80 %: kept as not converged."));
        record.config.workload = QStringLiteral("ncf");
        record.config.furtherTargets = {{QStringLiteral("ndcg"), 0.5}};
        record.evals.last().metrics = {{QStringLiteral("ndcg"), 0.3}};
        QCOMPARE(
            judgeRunEnd(exited(0), record).failure.message,
            QStringLiteral("Ended at 40 % (best 40 %), target 80 %; NDCG of the first 10: 30 % "
                           "(best 30 %), target 50 %: kept as not converged."));
    }

    void cancelled()
    {
        RunRecord record = trained(3.2, 3);
        RunEnd end = exited(1);
        end.stopRequested = true;
        RunVerdict v = judgeRunEnd(end, record);
        QVERIFY(v.state == RunState::Cancelled);
        QCOMPARE(v.failure.message,
                 QStringLiteral("Stopped at epoch 3.2; 3 complete epochs are kept. All of its "
                                "processes have ended."));
        end.processesLeft = 1;
        QVERIFY(judgeRunEnd(end, record)
                    .failure.message.endsWith(
                        QStringLiteral("1 of its processes could not be ended.")));
        end = exited(0);
        record.stopReason = QStringLiteral("stopped"); // somebody else sent USR1
        QVERIFY(judgeRunEnd(end, record).state == RunState::Cancelled);
    }

    void mpirunEnds()
    {
        RunEnd end;
        end.exited = false;
        end.signal = 9;
        RunVerdict v = judgeRunEnd(end, trained(2, 1));
        QCOMPARE(v.failure.code, QStringLiteral("mpirun_killed"));
        QVERIFY(v.failure.message.startsWith(QStringLiteral("mpirun was killed (signal 9")));
        QCOMPARE(judgeRunEnd(exited(1), trained(2, 1)).failure.code,
                 QStringLiteral("mpirun_stopped"));
        end = {};
        end.launchFailure = {
            QStringLiteral("mpirun_not_started"),
            QStringLiteral("mpirun could not be started: No such file or directory.")};
        QCOMPARE(judgeRunEnd(end, RunRecord()).failure.message,
                 QStringLiteral("mpirun could not be started: No such file or directory."));
    }

    /// Ended by TERM it says nothing; what daemons and ranks say of it is not why.
    void mpirunEndedWhileOthersTalk()
    {
        const char* const kDaemons =
            R"(--------------------------------------------------------------------------
A process or daemon was unable to complete a TCP connection
to another process:
  Local host:    sb2
  Remote host:   vm
This is usually caused by a firewall on the remote host. Please
check that any firewall (e.g., iptables) has been disabled and
try again.
--------------------------------------------------------------------------)";
        const char* const kRanks =
            R"(--------------------------------------------------------------------------
An MPI communication peer process has unexpectedly disconnected.  This
usually indicates a failure in the peer process (e.g., a crash or
otherwise exiting without calling MPI_FINALIZE first).

Although this local MPI process will likely now behave unpredictably
(it may even hang or crash), the root cause of this problem is the
failure of the peer -- that is what you need to investigate.  For
example, there may be a core file that you can examine.  More
generally: such peer hangups are frequently caused by application bugs
or other external events.

  Local host: sb1
  Local PID:  12
  Peer host:  sb2
--------------------------------------------------------------------------)";
        for (const QByteArray& text :
             {QByteArray(kDaemons) + kDaemons, QByteArray(kRanks), QByteArray(kDaemons) + kRanks}) {
            RunEnd end = exited(1, text);
            const auto code = [&end] { return judgeRunEnd(end, trained(3, 3)).failure.code; };
            QCOMPARE(code(), QStringLiteral("mpirun_stopped"));
            end.slurm = SlurmEnding();
            end.slurm->jobExit = QStringLiteral("1");
            end.slurm->end.known = true;
            end.slurm->end.state = QStringLiteral("FAILED");
            QCOMPARE(code(), QStringLiteral("mpirun_stopped"));
            end.launcherText += QStringLiteral("\nSegmentation fault\n");
            QCOMPARE(code(), QStringLiteral("engine_failed"));
        }
    }

    /// Over hosts the daemons that lost mpirun end their ranks, which then stop cleanly.
    void mpirunKilledWhileRanksStop()
    {
        RunEnd end;
        end.exited = false;
        end.signal = 9;
        RunRecord record = trained(2, 1);
        record.stopStatus = QStringLiteral("aborted");
        record.stopReason = QStringLiteral("stopped");
        QCOMPARE(judgeRunEnd(end, record).failure.code, QStringLiteral("mpirun_killed"));
        // While daemons were still being started.
        end.launcherText = QStringLiteral(
            "A process or daemon was unable to complete a TCP connection\nto another process:");
        QCOMPARE(judgeRunEnd(end, RunRecord()).failure.code, QStringLiteral("mpirun_killed"));
    }

    /// The rank that could not go on, not the one that mpirun saw end first.
    void theRankThatSaidWhy()
    {
        RunEnd end = exited(3, "  Process name: [[38817,1],0]\n  Exit code:    3");
        end.rankTexts = {{0, QStringLiteral("rank 1 has ended\n")},
                         {1, QStringLiteral("scalebench-engine: [rank 1 on box] the disk is full: "
                                            "cannot write /data/x\n")}};
        RunRecord record = trained(2, 1);
        record.workers[1].host = QStringLiteral("node2");
        const auto check = [&] {
            const RunVerdict v = judgeRunEnd(end, record);
            QCOMPARE(v.failure.code, QStringLiteral("disk_full"));
            QVERIFY2(v.failure.message.startsWith(
                         QStringLiteral("The disk is full on node2: the run ended at epoch 2")),
                     qPrintable(v.failure.message));
        };
        check();
        record.streamError = Failure{QStringLiteral("rank_lost"), QStringLiteral("rank 1 is gone")};
        check();
        // A library's remark does not explain a signal.
        end.launcherText = QStringLiteral("mpirun noticed that process rank 0 with PID 0 on node "
                                          "box exited on signal 9 (Killed).");
        QCOMPARE(judgeRunEnd(end, record).failure.code, QStringLiteral("rank_killed"));
    }

    /// mpirun's own message about the rank was lost on its way (seen in a campaign of kills).
    void onlyAnotherRankMissedIt()
    {
        const RunVerdict v = judgeRunEnd(
            exited(3, "scalebench-engine: [rank 0 on vm] rank 0 on vm ended before the others were "
                      "done; they wait for it in the gradient all-reduce of bucket 0 (1.0 MiB) in "
                      "step 7 (process 31877, which has ended)\n[vm:31809] [[4287,0],0] "
                      "ORTE_ERROR_LOG: Data unpack had inadequate space in file "
                      "../../../orte/util/show_help.c at line 513"),
            trained(2, 1));
        QCOMPARE(v.failure.code, QStringLiteral("rank_lost"));
        QVERIFY2(v.failure.message.startsWith(QStringLiteral("Rank 0 on vm ended at epoch 2")),
                 qPrintable(v.failure.message));
        RunRecord missed = trained(2, 1);
        missed.streamError = Failure{QStringLiteral("rank_lost"),
                                     QStringLiteral("rank 1 on vm ended before the others were "
                                                    "done; they wait for it in step 3")};
        QVERIFY(judgeRunEnd(exited(1, ""), missed)
                    .failure.message.startsWith(QStringLiteral("Rank 1 on vm ended before")));
    }

    void aFullDiskThatKeptAllSilent()
    {
        RunEnd end = exited(1);
        end.fullDisks = {QStringLiteral("/tmp on node2")};
        const RunVerdict v = judgeRunEnd(end, trained(2, 1));
        QCOMPARE(v.failure.code, QStringLiteral("disk_full"));
        QVERIFY(v.failure.message.startsWith(QStringLiteral("/tmp on node2 is full")));
        end.launcherText = QStringLiteral("mpirun noticed that process rank 1 with PID 0 on node "
                                          "box exited on signal 9 (Killed).");
        QCOMPARE(judgeRunEnd(end, trained(2, 1)).failure.code, QStringLiteral("rank_killed"));
    }

    /// mpirun 5.0.7 at times ends so.
    void killedWithoutAWord()
    {
        RunEnd end;
        end.exitCode = 137;
        const RunVerdict v = judgeRunEnd(end, RunRecord());
        QCOMPARE(v.failure.code, QStringLiteral("rank_killed"));
        QVERIFY2(v.failure.message.contains(QStringLiteral("signal 9")),
                 qPrintable(v.failure.message));
    }

    void knownTexts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* text, int exitCode, const char* code) {
            QTest::newRow(code) << QString::fromLatin1(text) << exitCode
                                << QString::fromLatin1(code);
        };
        row("There are not enough slots available in the system to satisfy the 8 slots", 1,
            "not_enough_slots");
        row("/x/scalebench-engine: error while loading shared libraries: libdnnl.so.2: cannot open",
            127, "engine_libraries");
        row("mpirun was unable to launch the specified application as it could not access\nor "
            "execute an executable:",
            132, "engine_not_started");
        row("mpirun has detected an attempt to run as root.", 1, "root_refused");
        row("A call to mkdir was unable to create the desired directory:\n\n  Directory: "
            "/none/ompi.box.0\n  Error:     Permission denied\n\n  orte_session_dir failed\n"
            "  --> Returned value Error (-1) instead of ORTE_SUCCESS",
            213, "mpirun_not_started");
        row("write failed: No space left on device", 3, "disk_full");
        row("mpirun: Error: unknown option \"--foo\"", 1, "mpirun_options");
        row("something nobody has seen before", 99, "engine_failed");
        row("ORTE was unable to reliably start one or more daemons.\nThis usually is caused by:", 9,
            "mpi_daemon");
        // Open MPI 5.0.7
        row("prterun was unable to launch the specified application as it lacked\npermissions to "
            "execute an executable:",
            183, "engine_not_started");
        row("prterun has detected an attempt to run as root.", 1, "root_refused");
        row("An unrecognized option was included on the mpirun command line:\n\n  Option: --foo",
            213, "mpirun_options");
        row("A requested component was not found, or was unable to be opened.  This", 250,
            "mpirun_options");
    }
    void knownTexts()
    {
        QFETCH(QString, text);
        QFETCH(int, exitCode);
        QFETCH(QString, code);
        RunEnd end;
        end.exitCode = exitCode;
        end.launcherText = text;
        const RunVerdict v = judgeRunEnd(end, RunRecord());
        QCOMPARE(v.failure.code, code);
        QVERIFY(v.failure.message.contains(text.section(QLatin1Char('\n'), -1).left(20)) ||
                v.failure.message.contains(text.left(20)));
    }

    /// What prterun 5.0.7 printed when each of these was provoked.
    void ranksUnderOpenMpi5_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, int exitCode, const char* text, const char* message) {
            QTest::newRow(name) << QString::fromLatin1(text) << exitCode
                                << QString::fromLatin1(message);
        };
        row("killed", 137,
            "prterun noticed that process rank 1 with PID 458 on node vm exited on\n"
            "signal 9 (Killed).",
            "Rank 1 on vm was killed (signal 9, for example by the system when memory is full) at "
            "epoch 2; ");
        row("exit code", 7,
            "prterun detected that one or more processes exited with non-zero status,\nthus "
            "causing the job to be terminated. The first process to do so was:\n\n   Process "
            "name: [prterun-vm-386@1,1]\n   Exit code:    7\n",
            "Rank 1 on box ended with exit code 7 at epoch 2; ");
        row("exit code, a dotted name", 7,
            "   Process name: [prterun-a.b-c.org-386@1,1]\n   Exit code:    7\n",
            "Rank 1 on box ended with exit code 7 ");
        row("abort", 42,
            "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD\n  Proc: "
            "[[32203,1],1]\n  Errorcode: 42\n\nNOTE: invoking MPI_ABORT causes Open MPI to kill "
            "all "
            "MPI processes.\nprterun has exited due to process rank 1 with PID 0 on node vm "
            "calling\n\"abort\". This may have caused other processes",
            "Rank 1 on box gave up (code 42) at epoch 2; ");
        row("exit without an end", 1,
            "prterun has exited due to process rank 1 with PID 373 on node vm exiting\n"
            "improperly. There are three reasons this could occur:",
            "Rank 1 on vm ended in the midst of its work at epoch 2; ");
        row("hidden by another", 14,
            "[sb3:00000] *** An error occurred in Socket closed\n[sb3:00000] *** reported by "
            "process [941424641,2]\nprterun has exited due to process rank 2 with PID 416 on node "
            "sb3 calling\n\"abort\". This may have caused other processes",
            "Rank 2 on sb3 lost its connection to another one, which had ended, at epoch 2; ");
    }
    void ranksUnderOpenMpi5()
    {
        QFETCH(QString, text);
        QFETCH(int, exitCode);
        QFETCH(QString, message);
        RunEnd end;
        end.exitCode = exitCode;
        end.launcherText = text;
        const RunVerdict v = judgeRunEnd(end, trained(2, 1));
        QVERIFY2(v.failure.message.startsWith(message), qPrintable(v.failure.message));
        QVERIFY(v.failure.code == QStringLiteral("rank_failed") ||
                v.failure.code == QStringLiteral("rank_killed"));
    }

    /// 5.0.7 cannot say why, 4.1 does.
    void programOfAnotherComputer()
    {
        const char* const text =
            "prterun noticed that process rank 0 with PID 297 on node vm exited on\n"
            "signal 13 (Broken pipe).";
        RunVerdict v = judgeRunEnd(exited(141, text), RunRecord());
        QCOMPARE(v.failure.code, QStringLiteral("engine_not_started"));
        QVERIFY(v.failure.message.contains(QStringLiteral("on vm: ")));
        v = judgeRunEnd(exited(141, text), trained(2, 1));
        QCOMPARE(v.failure.code, QStringLiteral("rank_killed"));
        // A missing library: the loader's line says more than the exit code.
        v = judgeRunEnd(exited(127,
                               "/e: error while loading shared libraries: libmpi.so.40: cannot "
                               "open shared object file\nProcess name: [prterun-vm-1@1,2]\n"
                               "Exit code: 127"),
                        RunRecord());
        QCOMPARE(v.failure.code, QStringLiteral("engine_libraries"));
    }

    void stalled()
    {
        RunEnd end;
        end.stalled = true;
        const RunRecord run = trained(1, 1);
        end.stall = stallFailure(run, {}, QStringLiteral("No progress for 60 s."));
        RunVerdict v = judgeRunEnd(end, run);
        QCOMPARE(v.failure.code, QStringLiteral("stalled"));
        QCOMPARE(v.failure.message, QStringLiteral("No progress for 60 s."));
        // What mpirun says when its ranks are ended because of that is not the reason.
        end.launcherText = QStringLiteral("mpirun noticed that process rank 1 with PID 0 on node "
                                          "box exited on signal 9 (Killed).");
        QCOMPARE(judgeRunEnd(end, run).failure.code, QStringLiteral("stalled"));
        // What it said before is: it was the one that hung.
        end.stall = stallFailure(run, end.launcherText, QStringLiteral("No progress for 60 s."));
        v = judgeRunEnd(end, run);
        QCOMPARE(v.failure.code, QStringLiteral("rank_killed"));
        QVERIFY(v.failure.message.startsWith(QStringLiteral("Rank 1 on box was killed (signal 9")));
        end.launcherText = QString::fromLatin1(kAtOnce);
        end.stall = stallFailure({}, end.launcherText, QStringLiteral("Nothing for 30 s."));
        v = judgeRunEnd(end, {});
        QCOMPARE(v.failure.code, QStringLiteral("rank_failed"));
        QCOMPARE(v.failure.message,
                 QStringLiteral("One rank ended before the first step; nothing was trained. mpirun "
                                "noticed it, but did not say which, and did not end by itself."));
    }
};

QTEST_GUILESS_MAIN(RunEndTest)
#include "run_end_test.moc"
