// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow/study_controller.h"
#include "machine/study_machine.h"
#include "run/run_status.h"
#include "run/study_lock.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

using namespace scalebench;
using namespace scalebench::test;

/// Every point of the record exactly once and in order.
static bool isComplete(const RunRecord& run, int steps)
{
    if (run.steps.size() != steps || run.sequenceGaps != 0 || run.sequenceRepeats != 0)
        return false;
    for (int i = 0; i < steps; ++i)
        if (run.steps[i].step != i + 1)
            return false;
    return true;
}

class StudyControllerTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<TemporaryLibrary> m_library;

    Study make(const char* mode, const QList<int>& workers, int epochs = 3, int stepMs = 10)
    {
        useFakeEngine(mode, epochs, stepMs);
        m_library = std::make_unique<TemporaryLibrary>();
        return m_library->create(workers);
    }
    static bool ended(StudyController& controller, QSignalSpy& finished)
    {
        return QTest::qWaitFor([&] { return finished.count() > 0 && !controller.isActive(); },
                               kHangMs);
    }

private slots:
    void cleanup()
    {
        const bool clean = QTest::qWaitFor(
            [&] { return !m_library || m_library->processesLeft().isEmpty(); }, kHangMs);
        m_library.reset();
        QVERIFY2(clean, "a process was left behind");
        qunsetenv("SCALEBENCH_CLI");
    }

    void followsToTheEnd()
    {
        const Study study = make("split", {1, 2});
        StudyController controller;
        QSignalSpy finished(&controller, &StudyController::finished);
        QSignalSpy states(&controller, &StudyController::runStateChanged);
        int steps = 0;
        connect(&controller, &StudyController::runAdvanced, this,
                [&](int, const RunDelta& delta) { steps += int(delta.steps.size()); });
        QVERIFY(controller.start(study.dir));
        QCOMPARE(steps, 0); // does not wait for anything
        QVERIFY(controller.isActive());
        QVERIFY(ended(controller, finished));
        QCOMPARE(finished.count(), 1);
        QCOMPARE(steps, 30);
        QCOMPARE(controller.currentRun(), -1);
        for (const RunRecord& run : controller.study().runs) {
            QVERIFY(run.state == RunState::Completed);
            QVERIFY(isComplete(run, 15));
            QCOMPARE(run.stopReason, QStringLiteral("target_reached"));
        }
        // A final state is the last thing heard of a run.
        QVERIFY(states.count() >= 4);
    }

    void logsArrive()
    {
        const Study study = make("exit", {2});
        StudyController controller;
        QSignalSpy finished(&controller, &StudyController::finished);
        QMap<QString, QString> logs;
        connect(&controller, &StudyController::logText, this,
                [&](int, const QString& source, const QString& text) { logs[source] += text; });
        QVERIFY(controller.start(study.dir));
        QVERIFY(ended(controller, finished));
        QCOMPARE(logs.value(QStringLiteral("stderr_1.txt")), QStringLiteral("cannot go on\n"));
        QVERIFY(logs.value(QStringLiteral("launcher.txt")).contains(QStringLiteral("Exit code")));
        QCOMPARE(controller.study().runs[0].failure.code, QStringLiteral("rank_failed"));
    }

    void reattachedTwiceNothingIsMissingOrDoubled()
    {
        const Study study = make("split", {1, 2}, 10, 15);
        {
            StudyController first;
            QVERIFY(first.start(study.dir));
            QVERIFY(
                QTest::qWaitFor([&] { return first.study().runs[0].steps.size() > 5; }, kHangMs));
        } // as if the window was closed
        {
            StudyController second;
            QVERIFY(second.attach(study.dir));
            QVERIFY(
                QTest::qWaitFor([&] { return second.study().runs[0].steps.size() > 15; }, kHangMs));
        }
        StudyController third;
        QSignalSpy finished(&third, &StudyController::finished);
        QVERIFY(third.attach(study.dir));
        QVERIFY(ended(third, finished));
        for (const RunRecord& run : third.study().runs)
            QVERIFY(isComplete(run, 50));
        // And once more when all is over.
        StudyController late;
        QSignalSpy again(&late, &StudyController::finished);
        QVERIFY(late.attach(study.dir));
        QVERIFY(ended(late, again));
        for (const RunRecord& run : late.study().runs)
            QVERIFY(isComplete(run, 50));
    }

    void stopNowEmptiesTheQueue()
    {
        const Study study = make("ok", {1, 2, 4}, 200, 20);
        StudyController controller;
        QSignalSpy finished(&controller, &StudyController::finished);
        QVERIFY(controller.start(study.dir));
        QVERIFY(
            QTest::qWaitFor([&] { return controller.study().runs[0].steps.size() > 3; }, kHangMs));
        QCOMPARE(controller.currentRun(), 0);
        controller.stopNow();
        QVERIFY(ended(controller, finished));
        for (const RunRecord& run : controller.study().runs)
            QVERIFY(run.state == RunState::Cancelled);
        QVERIFY(controller.study().runs[0].steps.size() > 3);
    }

    void stopBeforeAnythingRuns()
    {
        const Study study = make("ok", {1, 2}, 200, 20);
        StudyController controller;
        QSignalSpy finished(&controller, &StudyController::finished);
        QVERIFY(controller.start(study.dir));
        controller.stopNow();
        QVERIFY(ended(controller, finished));
        for (const RunRecord& run : controller.study().runs)
            QVERIFY(run.state == RunState::Cancelled);
    }

    void stopAfterRunLetsItEnd()
    {
        const Study study = make("ok", {1, 2}, 4, 30);
        StudyController controller;
        QSignalSpy finished(&controller, &StudyController::finished);
        QVERIFY(controller.start(study.dir));
        QVERIFY(
            QTest::qWaitFor([&] { return !controller.study().runs[0].steps.isEmpty(); }, kHangMs));
        controller.stopAfterRun();
        QVERIFY(ended(controller, finished));
        QVERIFY(controller.study().runs[0].state == RunState::Completed);
        QVERIFY(controller.study().runs[1].state == RunState::Cancelled);
    }

    void killedSupervisorIsReplaced()
    {
        const Study study = make("ok", {1, 2}, 20, 20);
        StudyController controller;
        QSignalSpy finished(&controller, &StudyController::finished);
        QVERIFY(controller.start(study.dir));
        QVERIFY(
            QTest::qWaitFor([&] { return controller.study().runs[0].steps.size() > 3; }, kHangMs));
        ::kill(pid_t(*lockHolder(study.dir)), SIGKILL);
        QVERIFY(ended(controller, finished));
        QCOMPARE(controller.study().runs[0].failure.code, QStringLiteral("supervisor_lost"));
        QVERIFY(controller.study().runs[1].state == RunState::Completed);
        QVERIFY(isComplete(controller.study().runs[1], 100));
    }

    void folderRemovedInMidRun()
    {
        const Study study = make("ok", {1}, 20, 20);
        StudyController controller;
        QSignalSpy finished(&controller, &StudyController::finished);
        QVERIFY(controller.start(study.dir));
        QVERIFY(
            QTest::qWaitFor([&] { return controller.study().runs[0].steps.size() > 3; }, kHangMs));
        QVERIFY(QDir(study.dir).removeRecursively());
        QVERIFY(ended(controller, finished)); // does not wait for ever
        QCOMPARE(controller.study().runs[0].failure.code, QStringLiteral("state_lost"));
    }

    /// What other people planned: opening it starts nothing, and it connects to nobody.
    void foreignStudyIsOnlyRead()
    {
        const Study study = make("ok", {1, 2}, 3, 10);
        RunStatus status = readRunStatus(study.runs[0].runDir).value();
        status.state = RunState::Failed; // begun somewhere, the rest still queued
        QVERIFY(writeRunStatus(study.runs[0].runDir, status).ok());
        qputenv("XDG_DATA_HOME", m_library->folder.filePath(QStringLiteral("other")).toUtf8());
        {
            StudyController reader;
            QSignalSpy finished(&reader, &StudyController::finished);
            QVERIFY(reader.attach(study.dir));
            QVERIFY(ended(reader, finished));
            QVERIFY(readRunStatus(study.runs[1].runDir).value().state == RunState::Queued);
            QVERIFY(!lockHolder(study.dir));
        }
        TargetMachine machine;
        machine.name = QStringLiteral("theirs");
        machine.kind = TargetMachine::Kind::Login;
        machine.login = QStringLiteral("host");
        machine.sshConfig = m_library->folder.filePath(QStringLiteral("ssh_config"));
        QVERIFY(writeStudyMachine(study.dir, machine).ok());
        StudyController starter;
        const Result<void> started = starter.start(study.dir);
        qunsetenv("XDG_DATA_HOME");
        QVERIFY(!started);
        QCOMPARE(started.failure().code, QStringLiteral("study_foreign"));
    }

    void failedRunIsTriedAgain_data()
    {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<bool>("succeeds");
        QTest::newRow("second attempt") << QByteArray("kill_once") << true;
        QTest::newRow("every attempt fails") << QByteArray("kill") << false;
    }
    void failedRunIsTriedAgain()
    {
        QFETCH(QByteArray, mode);
        QFETCH(bool, succeeds);
        useFakeEngine(mode.constData());
        m_library = std::make_unique<TemporaryLibrary>();
        const Study study = m_library->create({1, 2}, QStringLiteral("s"), {}, 1);
        StudyController controller;
        QSignalSpy finished(&controller, &StudyController::finished);
        QSignalSpy restarted(&controller, &StudyController::runRestarted);
        QVERIFY(controller.start(study.dir));
        QVERIFY(ended(controller, finished));
        // One retry each; told again where the last attempt's stream was still there at first.
        QVERIFY(restarted.count() >= 2);
        for (const RunRecord& run : controller.study().runs) {
            QVERIFY(QFileInfo::exists(run.runDir + QStringLiteral("/result_0.txt.attempt1")));
            QVERIFY(run.state == (succeeds ? RunState::Completed : RunState::Failed));
            QVERIFY(!succeeds || isComplete(run, 15));
            QCOMPARE(readRunStatus(run.runDir).value().attempt, 1);
        }
    }

    void pausedQueueWaits()
    {
        const Study study = make("ok", {1, 2}, 5, 30);
        StudyController controller;
        QSignalSpy finished(&controller, &StudyController::finished);
        QVERIFY(controller.start(study.dir));
        QVERIFY(
            QTest::qWaitFor([&] { return controller.study().runs[0].steps.size() > 2; }, kHangMs));
        controller.pauseQueue();
        QVERIFY(
            QTest::qWaitFor([&] { return isFinal(controller.study().runs[0].state); }, kHangMs));
        QTest::qWait(1500);
        QVERIFY(controller.isPaused() && controller.isActive());
        QVERIFY(controller.study().runs[1].state == RunState::Queued);
        QVERIFY(!lockHolder(study.dir));
        controller.continueQueue();
        QVERIFY(ended(controller, finished));
        QVERIFY(controller.study().runs[1].state == RunState::Completed);
    }

    void studiesOnOneMachineTakeTurns()
    {
        useFakeEngine("ok", 20, 30); // long enough to be waited for
        qunsetenv("SCALEBENCH_MACHINE_LOCKS");
        m_library = std::make_unique<TemporaryLibrary>();
        const Study one = m_library->create({1}, QStringLiteral("one"));
        const Study two = m_library->create({1}, QStringLiteral("two"));
        StudyController first, second;
        QSignalSpy firstEnd(&first, &StudyController::finished);
        QSignalSpy secondEnd(&second, &StudyController::finished);
        QVERIFY(first.start(one.dir));
        QVERIFY(QTest::qWaitFor([&] { return first.study().runs[0].steps.size() > 1; }, kHangMs));
        QVERIFY(second.start(two.dir));
        QVERIFY(QTest::qWaitFor(
            [&] { return second.study().runs[0].waiting.contains(QStringLiteral("one")); },
            kHangMs));
        QVERIFY(ended(first, firstEnd) && ended(second, secondEnd));
        qputenv("SCALEBENCH_MACHINE_LOCKS", "off");
        const RunRecord& a = first.study().runs[0];
        const RunRecord& b = second.study().runs[0];
        QVERIFY(a.state == RunState::Completed && b.state == RunState::Completed);
        QVERIFY(b.runStartMs >= a.runStopMs); // never both at once
        QVERIFY(b.waiting.isEmpty());
    }

    void programMissing()
    {
        const Study study = make("ok", {1});
        qputenv("SCALEBENCH_CLI", "/does/not/exist");
        StudyController controller;
        QSignalSpy finished(&controller, &StudyController::finished);
        QVERIFY(controller.start(study.dir));
        QVERIFY(ended(controller, finished));
        QCOMPARE(controller.study().runs[0].failure.code, QStringLiteral("scalebench_missing"));
        QVERIFY(!controller.start(QStringLiteral("/does/not/exist")));
    }
};

QTEST_GUILESS_MAIN(StudyControllerTest)
#include "study_controller_test.moc"
