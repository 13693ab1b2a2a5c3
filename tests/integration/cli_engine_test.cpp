// SPDX-License-Identifier: GPL-3.0-or-later
// The command with the real engine under the real mpirun, on a tiny data set written here: whole
// studies, and each way a run can be killed.
#include "run/study.h"
#include "supervise/supervisor.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"
#include "support/small_cifar.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTest>

#include <csignal>

using namespace scalebench;
using namespace scalebench::test;

class CliEngineTest : public QObject
{
    Q_OBJECT

    static constexpr int kPictures = 160;

    std::unique_ptr<TemporaryLibrary> m_library;
    QProcess m_process;

    QString path(const char* name) const
    {
        return m_library->folder.filePath(QLatin1StringView(name));
    }

    void start(const QByteArray& options)
    {
        QStringList arguments{QStringLiteral("run"),
                              QStringLiteral("resnet"),
                              QStringLiteral("--library"),
                              path("library"),
                              QStringLiteral("--out"),
                              path("out"),
                              QStringLiteral("--data"),
                              path("data"),
                              QStringLiteral("--batch"),
                              QStringLiteral("16"),
                              QStringLiteral("--oversubscribe"),
                              QStringLiteral("--no-pictures")};
        for (const QByteArray& option : options.split(' '))
            arguments << QString::fromLatin1(option);
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.start(QStringLiteral(SB_BIN_DIR "/scalebench"), arguments);
    }
    void startResume()
    {
        m_process.start(QStringLiteral(SB_BIN_DIR "/scalebench"),
                        {QStringLiteral("resume"), path("out"), QStringLiteral("--library"),
                         path("library"), QStringLiteral("--no-pictures")});
    }
    int finish()
    {
        if (!m_process.waitForFinished(kHangMs))
            return -1;
        m_output = QString::fromUtf8(m_process.readAll());
        return m_process.exitCode();
    }
    Study study() const
    {
        const auto loaded = loadStudy(path("out"));
        return loaded ? loaded.value() : Study();
    }
    bool waitForSteps(int count)
    {
        return QTest::qWaitFor(
            [&] {
                const Study s = study();
                return !s.runs.isEmpty() && s.runs[0].steps.size() >= count;
            },
            kHangMs);
    }
    bool nothingLeft() const
    {
        return QTest::qWaitFor([&] { return m_library->processesLeft().isEmpty(); }, kHangMs);
    }

    QString m_output;

private slots:
    void initTestCase() { qunsetenv("SCALEBENCH_ENGINE"); }
    void init()
    {
        m_library = std::make_unique<TemporaryLibrary>();
        QDir().mkpath(path("data"));
        writeCifar(path("data/data_batch_1.bin"), kPictures); // ten steps an epoch
        writeCifar(path("data/test_batch.bin"), 20);
    }
    void cleanup()
    {
        const bool clean = nothingLeft();
        m_library.reset();
        QVERIFY2(clean, "a process was left behind");
    }

    void wholeStudy()
    {
        start("--workers 1,2 --epochs 2 --target none");
        QCOMPARE(finish(), 0);
        const Study s = study();
        QCOMPARE(s.runs.size(), 2);
        for (const RunRecord& run : s.runs) {
            QVERIFY2(run.state == RunState::Completed, qPrintable(run.failure.message));
            QCOMPARE(run.evals.size(), 2);
            QCOMPARE(run.workers.size(), run.config.workers);
            QCOMPARE(run.foreignLines + run.unknownKeys + run.sequenceGaps + run.sequenceRepeats,
                     0);
            QVERIFY(run.throughput > 0 && run.timeToTrainS() > 0);
            QVERIFY(QFile::exists(run.runDir + QStringLiteral("/system.json")));
        }
        QVERIFY(QFile::exists(path("out/speedup.csv")));
    }

    void targetNotReached()
    {
        start("--workers 1 --epochs 1 --target 0.999 --lr 0.000001");
        QCOMPARE(finish(), 4);
        QVERIFY(study().runs[0].state == RunState::NotConverged);
    }

    void divergedTraining()
    {
        start("--workers 2 --epochs 3 --target none --lr 1e12");
        QCOMPARE(finish(), 3);
        QCOMPARE(study().runs[0].failure.code, QStringLiteral("diverged"));
        QVERIFY2(m_output.contains(QStringLiteral("diverged")), qPrintable(m_output));
    }

    void truncatedFile()
    {
        writeCifar(path("data/data_batch_1.bin"), kPictures, 100);
        start("--workers 2 --epochs 1 --target none");
        QCOMPARE(finish(), 3);
        QVERIFY2(study().runs[0].failure.code.startsWith(QStringLiteral("data_")),
                 qPrintable(m_output));
        QVERIFY2(m_output.contains(QStringLiteral("data_batch_1.bin")), qPrintable(m_output));
    }

    void killedRank()
    {
        start("--workers 2 --epochs 1000 --target none");
        QVERIFY(waitForSteps(2));
        const Study before = study();
        QCOMPARE(before.runs[0].workers.size(), 2);
        ::kill(pid_t(before.runs[0].workers[1].pid), SIGKILL);
        QElapsedTimer clock;
        clock.start();
        const QString runDir = before.runs[0].runDir;
        QVERIFY(QTest::qWaitFor([&] { return processesMentioning(runDir).isEmpty(); }, kHangMs));
        qInfo("the others ended after %lld ms", clock.elapsed());
        QCOMPARE(finish(), 3);
        const RunRecord run = study().runs[0];
        // The other rank's words where mpirun's own are lost (ending_text.h), as in
        // kill_campaign_test.
        if (run.failure.code != QLatin1String("rank_lost"))
            QCOMPARE(run.failure.code, QStringLiteral("rank_killed"));
        QVERIFY2(run.failure.message.startsWith(QStringLiteral("Rank 1 on ")),
                 qPrintable(run.failure.message));
        QVERIFY(run.steps.size() >= before.runs[0].steps.size());
    }

    void killedMpirun()
    {
        start("--workers 2 --epochs 1000 --target none");
        QVERIFY(waitForSteps(2));
        for (qint64 pid : processesMentioning(study().runs[0].runDir)) {
            QFile name(QStringLiteral("/proc/%1/comm").arg(pid));
            if (!name.open(QIODevice::ReadOnly))
                continue;
            const QByteArray program = name.readAll().trimmed();
            if (program == "mpirun" || program == "prterun") // of Open MPI 4, 5
                ::kill(pid_t(pid), SIGKILL);
        }
        QCOMPARE(finish(), 3);
        QCOMPARE(study().runs[0].failure.code, QStringLiteral("mpirun_killed"));
    }

    void killedSupervisor()
    {
        start("--workers 2 --epochs 1000 --target none");
        QVERIFY(waitForSteps(2));
        for (qint64 pid : processesMentioning(QStringLiteral("supervise")))
            if (processesMentioning(path("out")).contains(pid))
                ::kill(pid_t(pid), SIGKILL);
        QCOMPARE(finish(), 3);
        QCOMPARE(study().runs[0].failure.code, QStringLiteral("supervisor_lost"));
    }

    void controlC()
    {
        start("--workers 2,1 --epochs 1000 --target none");
        QVERIFY(waitForSteps(2));
        QElapsedTimer clock;
        clock.start();
        ::kill(pid_t(m_process.processId()), SIGINT);
        QCOMPARE(finish(), 130);
        qInfo("ended after %lld ms", clock.elapsed());
        const Study s = study();
        QVERIFY(s.runs[0].state == RunState::Cancelled);
        QVERIFY(s.runs[1].state == RunState::Cancelled);
        QCOMPARE(s.runs[0].stopReason, QStringLiteral("stopped")); // the engine closed its stream
    }

    /// The curve of a run that was killed and resumed is that of one that was left alone.
    void killedAndResumed()
    {
        start("--workers 2 --epochs 8 --target none");
        QVERIFY(QTest::qWaitFor(
            [&] {
                const Study s = study();
                return !s.runs.isEmpty() && s.runs[0].evals.size() >= 3;
            },
            kHangMs));
        ::kill(pid_t(study().runs[0].workers[1].pid), SIGKILL);
        QCOMPARE(finish(), 3);
        const RunRecord killed = study().runs[0];
        startResume();
        QVERIFY2(finish() == 0, qPrintable(m_output));
        const RunRecord resumed = study().runs[0];
        QVERIFY2(resumed.state == RunState::Completed, qPrintable(resumed.failure.message));
        QCOMPARE(resumed.foreignLines + resumed.unknownKeys + resumed.sequenceGaps +
                     resumed.sequenceRepeats,
                 0);
        QVERIFY(QFile::exists(resumed.runDir + QStringLiteral("/result_0.txt.attempt1")));
        QVERIFY(resumed.timeToTrainS() > killed.evals.last().seconds);

        startResume();
        QCOMPARE(finish(), 2); // nothing is left to resume
        QDir(path("out")).removeRecursively();
        start("--workers 2 --epochs 8 --target none");
        QCOMPARE(finish(), 0);
        const RunRecord whole = study().runs[0];
        QCOMPARE(resumed.evals.size(), whole.evals.size());
        for (qsizetype i = 0; i < whole.evals.size(); ++i) {
            QCOMPARE(resumed.evals[i].epoch, whole.evals[i].epoch);
            QCOMPARE(resumed.evals[i].value, whole.evals[i].value);
        }
        for (qsizetype i = 1; i < resumed.evals.size(); ++i)
            QVERIFY(resumed.evals[i].seconds > resumed.evals[i - 1].seconds);
    }

    /// One curve must not mix two sets; the same set may lie elsewhere and be of another time.
    void changedDataIsNotGoneOnWith()
    {
        start("--workers 1 --epochs 1000 --target none");
        QVERIFY(waitForSteps(2));
        ::kill(pid_t(m_process.processId()), SIGINT);
        QCOMPARE(finish(), 130);
        QFile batch(path("data/data_batch_1.bin"));
        QVERIFY(batch.open(QIODevice::ReadWrite));
        const QByteArray whole = batch.readAll();
        const auto refusal = [&](const QByteArray& content) {
            batch.resize(0);
            batch.seek(0);
            batch.write(content);
            batch.flush();
            startResume();
            return finish() == 3 ? m_output : QStringLiteral("it went on: ") + m_output;
        };
        const QString fewer = refusal(whole.first(whole.size() / 2));
        QVERIFY2(fewer.contains(QStringLiteral(
                     "it had 160 samples to train on and 20 to evaluate, and has 80")),
                 qPrintable(fewer));
        QByteArray labelled = whole;
        for (qsizetype record = 0; record < labelled.size(); record += 3073)
            labelled[record] = char((labelled[record] + 1) % 10);
        const QString others = refusal(labelled);
        QVERIFY2(others.contains(QStringLiteral("it holds as many samples, but others")),
                 qPrintable(others));
        batch.resize(0);
        batch.seek(0);
        batch.write(whole);
        batch.close();
        const qsizetype steps = study().runs[0].steps.size();
        startResume();
        QVERIFY(waitForSteps(int(steps) + 2));
        ::kill(pid_t(m_process.processId()), SIGINT);
        QCOMPARE(finish(), 130);
    }

    /// Neither checkpoint can be used: the run starts again by itself, and says so.
    void damagedCheckpointsStartTheRunAgain()
    {
        const QByteArray words = "--workers 2 --epochs 4 --target none";
        start(words);
        QVERIFY(QTest::qWaitFor(
            [&] {
                const Study s = study();
                return !s.runs.isEmpty() && s.runs[0].evals.size() >= 2;
            },
            kHangMs));
        ::kill(pid_t(study().runs[0].workers[1].pid), SIGKILL);
        QCOMPARE(finish(), 3);
        const QString folder = study().runs[0].runDir + QStringLiteral("/checkpoint/");
        const QString latest = folder + QStringLiteral("latest.sbckpt");
        const QString previous = folder + QStringLiteral("previous.sbckpt");
        QFile::copy(latest, previous); // where only one was written so far
        QVERIFY(QFile::resize(previous, QFile(previous).size() / 2));
        QVERIFY(QFile::resize(latest, 0));
        startResume();
        QVERIFY2(finish() == 0, qPrintable(m_output));
        const RunRecord again = study().runs[0];
        QVERIFY2(again.state == RunState::Completed, qPrintable(again.failure.message));
        QCOMPARE(again.sequenceGaps + again.sequenceRepeats, 0);
        QVERIFY(QFile::exists(again.runDir + QStringLiteral("/result_0.txt.attempt1")));
        QFile stream(again.runDir + QStringLiteral("/result_0.txt"));
        QVERIFY(stream.open(QIODevice::ReadOnly));
        const QByteArray text = stream.readAll();
        QCOMPARE(text.count("\"run_start\""), 1);
        for (const char* said :
             {"starts again from the beginning", "latest.sbckpt: ", "previous.sbckpt: "})
            QVERIFY2(text.contains(said), said);

        QDir(path("out")).removeRecursively();
        start(words);
        QCOMPARE(finish(), 0);
        const RunRecord whole = study().runs[0];
        QCOMPARE(again.evals.size(), whole.evals.size());
        for (qsizetype i = 0; i < whole.evals.size(); ++i)
            QCOMPARE(again.evals[i].value, whole.evals[i].value);
    }

    void closedSessionGoesOn()
    {
        start("--workers 2 --epochs 3 --target none");
        QVERIFY(waitForSteps(1));
        m_process.kill();
        m_process.waitForFinished();
        QVERIFY(QTest::qWaitFor([&] { return isFinal(study().runs[0].state); }, kHangMs));
        const RunRecord run = study().runs[0];
        QVERIFY(run.state == RunState::Completed);
        QCOMPARE(run.evals.size(), 3);
        QCOMPARE(run.sequenceGaps + run.sequenceRepeats, 0);
    }
};

QTEST_GUILESS_MAIN(CliEngineTest)
#include "cli_engine_test.moc"
