// SPDX-License-Identifier: GPL-3.0-or-later
// A study in the terminal: stopped, stopped again, paused, resumed. Real mpirun, fake engine.
#include "run/study_queue.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTest>

#include <csignal>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class SessionTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<TemporaryLibrary> m_library;
    QString m_out;

    void begin(QProcess& process, const QStringList& arguments)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"SCALEBENCH_GUI"_s, u"/does/not/exist"_s);
        environment.insert(u"XDG_DATA_HOME"_s, m_library->folder.path());
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QStringLiteral(SB_BIN_DIR "/scalebench"), arguments);
        QVERIFY(process.waitForStarted());
    }
    bool saidIn(QProcess& process, const QString& text)
    {
        return QTest::qWaitFor(
            [&] {
                m_out += QString::fromUtf8(process.readAll());
                return m_out.contains(text);
            },
            kHangMs);
    }
    int codeOf(QProcess& process)
    {
        (void)QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, kHangMs);
        m_out += QString::fromUtf8(process.readAll());
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    }
    QString out() const { return m_library->folder.filePath(u"out"_s); }
    QStringList ofTwoRuns() const
    {
        return {u"run"_s, u"resnet"_s,    u"--workers"_s, u"1"_s,     u"--target"_s,
                u"0.8"_s, u"--repeats"_s, u"2"_s,         u"--out"_s, out()};
    }

private Q_SLOTS:
    void init()
    {
        m_library = std::make_unique<TemporaryLibrary>();
        m_out.clear();
    }
    void cleanup()
    {
        const bool clean =
            QTest::qWaitFor([&] { return m_library->processesLeft().isEmpty(); }, kHangMs);
        m_library.reset();
        QVERIFY2(clean, "a process was left behind");
    }

    /// The engine takes a minute a step: only the second stop can end it before.
    void stoppingTwiceIsAtOnce()
    {
        useFakeEngine("ok", 100, 60'000);
        QProcess process;
        begin(process, ofTwoRuns());
        const QString stream = u"/runs/resnet-desk-cpu-fp32-1x1-b128-s1-r1/result_0.txt"_s;
        QVERIFY2(QTest::qWaitFor([&] { return QFileInfo(out() + stream).size() > 100; }, kHangMs),
                 qPrintable(out() + stream));
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(saidIn(process, u"Stopping"_s));
        QTest::qWait(1500);
        QElapsedTimer since;
        since.start();
        ::kill(pid_t(process.processId()), SIGINT);
        QCOMPARE(codeOf(process), 130);
        QVERIFY2(since.elapsed() < 30'000, qPrintable(m_out)); // of the step's 60
    }

    /// The run ends all the same, as one that nobody stopped.
    void aStopThatComesTooLate()
    {
        useFakeEngine("deaf", 3, 200);
        QProcess process;
        begin(process, {u"run"_s, u"resnet"_s, u"--workers"_s, u"1"_s, u"--target"_s, u"0.8"_s,
                        u"--out"_s, out()});
        const QString stream = out() + u"/runs/resnet-desk-cpu-fp32-1x1-b128-s1-r1/result_0.txt"_s;
        QVERIFY(QTest::qWaitFor([&] { return QFileInfo(stream).size() > 100; }, kHangMs));
        ::kill(pid_t(process.processId()), SIGINT);
        QCOMPARE(codeOf(process), 0);
        QVERIFY2(m_out.contains(u"Stopping"_s) && m_out.contains(u"completed"_s),
                 qPrintable(m_out));
    }

    void aPauseIsTold()
    {
        useFakeEngine("ok", 3, 200);
        QProcess process;
        begin(process, ofTwoRuns());
        QVERIFY(QTest::qWaitFor([&] { return queuedRuns(out()).size() == 1; }, kHangMs));
        setQueuePaused(out(), true);
        QVERIFY2(saidIn(process, u"Paused: no further run starts until"_s), qPrintable(m_out));
        QProcess other;
        begin(other, {u"follow"_s, out(), u"--continue"_s});
        QCOMPARE(codeOf(process), 0);
        QCOMPARE(codeOf(other), 0);
        QVERIFY2(m_out.contains(u"The queue goes on."_s), qPrintable(m_out));
        // Of a run that has ended, how far it was once is no news.
        m_out.clear();
        QProcess late;
        begin(late, {u"follow"_s, out()});
        QCOMPARE(codeOf(late), 0);
        QVERIFY2(!m_out.contains(u"epoch "_s), qPrintable(m_out));
    }

    void aWishIsAnswered()
    {
        useFakeEngine("ok", 20, 200);
        QProcess process;
        begin(process, ofTwoRuns());
        QVERIFY(QTest::qWaitFor([&] { return queuedRuns(out()).size() == 1; }, kHangMs));
        QProcess pause;
        begin(pause, {u"follow"_s, out(), u"--pause"_s});
        QVERIFY2(saidIn(pause, u"Paused: no further run starts until"_s), qPrintable(m_out));
        ::kill(pid_t(pause.processId()), SIGINT);
        QCOMPARE(codeOf(pause), 130);
        QVERIFY2(m_out.contains(u"Left alone; it stays paused."_s), qPrintable(m_out));
        QProcess stop;
        begin(stop, {u"follow"_s, out(), u"--stop"_s});
        QVERIFY2(saidIn(stop, u"Stopping"_s), qPrintable(m_out));
        QCOMPARE(codeOf(stop), 130);
        QCOMPARE(codeOf(process), 130);
    }

    /// A run that the study itself left out was cancelled by nobody.
    void leftOutIsNoCancelling()
    {
        useFakeEngine("ok");
        QProcess process;
        begin(process, ofTwoRuns() + QStringList{u"--stop-after-target"_s});
        QCOMPARE(codeOf(process), 0);
        QVERIFY2(m_out.contains(u"had reached the target already"_s), qPrintable(m_out));
    }

    void wishes()
    {
        useFakeEngine("ok");
        QProcess both;
        begin(both, {u"follow"_s, out(), u"--stop"_s, u"--pause"_s});
        QCOMPARE(codeOf(both), 2);
        QVERIFY2(m_out.contains(u"Give one of --stop and --pause."_s), qPrintable(m_out));
        QProcess run;
        begin(run, {u"run"_s, u"resnet"_s, u"--workers"_s, u"1"_s, u"--out"_s, out()});
        QCOMPARE(codeOf(run), 0);
        QProcess late;
        begin(late, {u"follow"_s, out(), u"--stop"_s});
        QCOMPARE(codeOf(late), 0);
        QVERIFY2(m_out.contains(u"The study has ended"_s), qPrintable(m_out));
        QProcess elsewhere;
        begin(elsewhere, {u"resume"_s, out(), u"--out"_s, out() + u'2'});
        QCOMPARE(codeOf(elsewhere), 2); // its files go into the study's folder
    }
};

QTEST_GUILESS_MAIN(SessionTest)
#include "session_test.moc"
