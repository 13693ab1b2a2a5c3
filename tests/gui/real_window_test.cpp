// SPDX-License-Identifier: GPL-3.0-or-later
// The program as a person meets it: a real window under Xvfb, real mouse and keyboard events, from
// Start to an exported picture. Skipped where Xvfb, xdotool or mpirun are missing.
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include <QImage>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;
using namespace scalebench::test;

namespace {

constexpr int kPatienceMs = 20'000; ///< then a key or click is taken for lost and made again

bool installed(const char* program)
{
    return !QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty();
}

} // namespace

class RealWindowTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        for (const char* program : {"Xvfb", "xdotool", "mpirun"}) {
            if (!installed(program))
                QSKIP(qPrintable(
                    QStringLiteral("%1 is not installed").arg(QString::fromLatin1(program))));
        }
        useFakeEngine("ok", 4, 20);
        startDisplay();
    }

    void startWatchExport()
    {
        TemporaryLibrary library;
        QTemporaryDir config;
        const QString picture = config.filePath(QStringLiteral("speed.png"));
        QProcess program;
        startProgram(program, library, config);
        const QString dir = clickStart(program, library);
        QVERIFY2(!dir.isEmpty(), "a click on Start starts a study");
        QTRY_VERIFY_WITH_TIMEOUT(allDone(dir), kHangMs);
        exportChart(program, picture);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(picture).size() > 10000, kHangMs);
        QTRY_VERIFY_WITH_TIMEOUT(!QImage(picture).isNull(), kHangMs);
        quit(program);
    }

    void killedInMidRunAndStartedAgain()
    {
        useFakeEngine("ok", 12, 60);
        TemporaryLibrary library;
        QTemporaryDir config;
        // The last epoch waits for the second program, however long that takes to start.
        QFile hold(config.filePath(QStringLiteral("hold")));
        QVERIFY(hold.open(QIODevice::WriteOnly));
        qputenv("FAKE_ENGINE_HOLD", hold.fileName().toUtf8());
        const auto withoutHold = qScopeGuard([] { qunsetenv("FAKE_ENGINE_HOLD"); });
        QProcess first;
        startProgram(first, library, config);
        const QString dir = clickStart(first, library);
        QVERIFY(!dir.isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(evaluations(dir) >= 3, kHangMs);
        first.kill(); // SIGKILL
        QVERIFY(first.waitForFinished(kHangMs));
        QVERIFY(!allDone(dir));
        QProcess second;
        startProgram(second, library, config);
        QCOMPARE(startButton(second).size(), 4);
        // The Plan page's title names its file: now it has gone to the Run page.
        QTRY_VERIFY_WITH_TIMEOUT(!windowNamed(second, QStringLiteral("^Scalebench$")).isEmpty(),
                                 kHangMs);
        QVERIFY(hold.remove());
        QTRY_VERIFY_WITH_TIMEOUT(allDone(dir), kHangMs);
        // The chart on screen, as it exports itself, holds every evaluation once and in order.
        const QString table = config.filePath(QStringLiteral("chart.csv"));
        exportChart(second, table);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(table).size() > 100, kHangMs);
        QFile file(table);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QList<QByteArray> lines = file.readAll().trimmed().split('\n');
        lines.removeFirst();
        const auto study = loadStudy(dir);
        QVERIFY(study.ok());
        qsizetype line = 0;
        for (const RunRecord& run : study.value().runs) {
            for (const EvalPoint& point : run.evals) {
                QVERIFY(line < lines.size());
                const QList<QByteArray> fields = lines[line++].split(',');
                QCOMPARE(fields.value(1).toDouble(), point.epoch);
                QCOMPARE(fields.value(2).toDouble(), point.value);
            }
        }
        QCOMPARE(line, lines.size());
        quit(second);
        useFakeEngine("ok", 4, 20);
    }

    void cleanupTestCase()
    {
        if (m_server.state() != QProcess::NotRunning) {
            m_server.terminate();
            m_server.waitForFinished(kHangMs);
        }
    }

private:
    void startProgram(QProcess& program, const TemporaryLibrary& library,
                      const QTemporaryDir& config)
    {
        QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
        env.insert(QStringLiteral("DISPLAY"), m_display);
        env.insert(QStringLiteral("XDG_CONFIG_HOME"), config.path());
        env.insert(QStringLiteral("SCALEBENCH_TEST_GEOMETRY"), QStringLiteral("1"));
        env.remove(QStringLiteral("QT_QPA_PLATFORM"));
        // Then an event that keeps the window for longer makes quit() see another exit code.
        env.insert(QStringLiteral("SCALEBENCH_EVENT_LIMIT_MS"),
                   qEnvironmentVariable("SCALEBENCH_EVENT_LIMIT_MS", QStringLiteral("5000")));
        program.setProcessEnvironment(env);
        program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        // As small a plan as the machine allows: one core suffices.
        QFile plan(config.filePath(QStringLiteral("study.json")));
        QVERIFY(plan.open(QIODevice::WriteOnly));
        plan.write(R"({"format":"scalebench.study","version":1,"workload":"resnet","scale":"desk",)"
                   R"("workers":[1,2],"target":0.8,"oversubscribe":true})");
        plan.close();
        m_said.clear();
        program.start(QStringLiteral(SB_BIN_DIR "/scalebench-gui"),
                      {plan.fileName(), QStringLiteral("--library"), library.folder.path(),
                       QStringLiteral("--page"), QStringLiteral("plan"), QStringLiteral("--size"),
                       QStringLiteral("1200x800")});
        QVERIFY(program.waitForStarted());
        QVERIFY2(!waitForWindow(program).isEmpty(), "the window did not appear");
    }

    /// Once it has loaded, the program says where Start is, and again when that has moved:
    /// "start button X Y". The words of the last such line, waiting for the first.
    QList<QByteArray> startButton(QProcess& program)
    {
        (void)QTest::qWaitFor(
            [&] {
                m_said += program.readAllStandardOutput();
                return m_said.contains('\n');
            },
            kHangMs);
        return m_said.trimmed().split('\n').last().split(' ');
    }

    /// A real click on Start. The new study's folder.
    QString clickStart(QProcess& program, const TemporaryLibrary& library)
    {
        // A click that came too early is lost; one too many would hit what then lies there.
        for (int tries = 0; tries < 20; ++tries) {
            const QList<QByteArray> words = startButton(program);
            if (words.size() != 4)
                return {};
            xdotool({QStringLiteral("windowfocus"), waitForWindow(program)});
            xdotool({QStringLiteral("mousemove"), QString::fromLatin1(words[2]),
                     QString::fromLatin1(words[3]), QStringLiteral("click"), QStringLiteral("1")});
            QString dir;
            const auto isThere = [&] {
                const auto found = library.library->findStudyDir(QStringLiteral("latest"));
                dir = found ? found.value() : QString();
                return !dir.isEmpty();
            };
            if (QTest::qWaitFor(isThere, kPatienceMs))
                return dir;
        }
        return {};
    }

    /// Ctrl+E, the file's name typed over the one that is there, Enter.
    void exportChart(const QProcess& program, const QString& file)
    {
        QTest::qWait(1500); // the window has drawn the last points
        const QString title = QStringLiteral("^Export chart$");
        const auto isOpen = [&] { return !windowNamed(program, title).isEmpty(); };
        for (int tries = 0; tries < 20 && !QFileInfo::exists(file); ++tries) {
            if (!isOpen())
                key(windowNamed(program, QStringLiteral("Scalebench$")), QStringLiteral("ctrl+e"));
            if (!QTest::qWaitFor(isOpen, kPatienceMs))
                continue;
            xdotool({QStringLiteral("windowfocus"), windowNamed(program, title)});
            QTest::qWait(500);
            xdotool({QStringLiteral("key"), QStringLiteral("ctrl+a")});
            xdotool(
                {QStringLiteral("type"), QStringLiteral("--delay"), QStringLiteral("20"), file});
            xdotool({QStringLiteral("key"), QStringLiteral("Return")});
            (void)QTest::qWaitFor([&] { return QFileInfo::exists(file); }, kPatienceMs);
        }
        QVERIFY2(QFileInfo::exists(file), "the dialog saves the chart");
    }

    void quit(QProcess& program)
    {
        QTest::qWait(500);
        for (int tries = 0; tries < 20 && program.state() != QProcess::NotRunning; ++tries) {
            key(waitForWindow(program), QStringLiteral("ctrl+q"));
            program.waitForFinished(kPatienceMs);
        }
        QCOMPARE(program.state(), QProcess::NotRunning);
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 0);
    }

    static qsizetype evaluations(const QString& dir)
    {
        const auto study = loadStudy(dir);
        return study ? study.value().runs.first().evals.size() : 0;
    }

    void startDisplay()
    {
        // The server picks a free number itself and prints it.
        // Without -noreset the server restarts itself when its last client leaves, and a program
        // started in that moment finds no display.
        m_server.start(QStringLiteral("Xvfb"),
                       {QStringLiteral("-displayfd"), QStringLiteral("1"),
                        QStringLiteral("-noreset"), QStringLiteral("-screen"), QStringLiteral("0"),
                        QStringLiteral("1280x900x24")});
        QVERIFY(m_server.waitForStarted());
        QVERIFY(m_server.waitForReadyRead(20000));
        m_display = QLatin1Char(':') + QString::fromLatin1(m_server.readLine().trimmed());
    }

    QString xdotool(const QStringList& arguments)
    {
        QProcess process;
        QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
        env.insert(QStringLiteral("DISPLAY"), m_display);
        process.setProcessEnvironment(env);
        process.start(QStringLiteral("xdotool"), arguments);
        process.waitForFinished(kHangMs);
        return QString::fromLatin1(process.readAllStandardOutput()).trimmed();
    }

    void key(const QString& window, const QString& keys)
    {
        xdotool({QStringLiteral("windowfocus"), window});
        xdotool({QStringLiteral("key"), keys});
    }

    QString windowNamed(const QProcess& program, const QString& title)
    {
        return xdotool({QStringLiteral("search"), QStringLiteral("--onlyvisible"),
                        QStringLiteral("--all"), QStringLiteral("--pid"),
                        QString::number(program.processId()), QStringLiteral("--name"), title})
            .split(QLatin1Char('\n'))
            .first();
    }

    QString waitForWindow(QProcess& program)
    {
        QString found;
        (void)QTest::qWaitFor(
            [&] {
                found = xdotool({QStringLiteral("search"), QStringLiteral("--onlyvisible"),
                                 QStringLiteral("--pid"), QString::number(program.processId())});
                return !found.isEmpty() || program.state() == QProcess::NotRunning;
            },
            kHangMs);
        return found.split(QLatin1Char('\n')).last();
    }

    static bool allDone(const QString& dir)
    {
        const auto study = loadStudy(dir);
        if (!study)
            return false;
        return std::all_of(study.value().runs.begin(), study.value().runs.end(),
                           [](const RunRecord& run) { return run.state == RunState::Completed; });
    }

    QProcess m_server;
    QByteArray m_said; ///< by the program, on its standard output
    QString m_display;
};

QTEST_GUILESS_MAIN(RealWindowTest)
#include "real_window_test.moc"
