// SPDX-License-Identifier: GPL-3.0-or-later
// The program as a person meets it: a real window under Xvfb, real mouse and keyboard events, from
// Start to an exported picture. Skipped where Xvfb, xdotool or mpirun are missing.
#include "gui/virtual_display.h"

#include <QImage>

using namespace scalebench;
using namespace scalebench::test;

class RealWindowTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        const QString missing = VirtualDisplay::missing({QStringLiteral("mpirun")});
        if (!missing.isEmpty())
            QSKIP(qPrintable(QStringLiteral("%1 is not installed").arg(missing)));
        useFakeEngine("ok", 4, 20);
        QVERIFY(m_display.start());
    }

    void startWatchExport()
    {
        TemporaryLibrary library;
        QTemporaryDir config;
        const QString picture = config.filePath(QStringLiteral("speed.png"));
        QProcess program;
        startProgram(program, library, config);
        const QString dir = m_start.click(m_display, program, *library.library);
        QVERIFY2(!dir.isEmpty(), "a click on Start starts a study");
        QTRY_VERIFY_WITH_TIMEOUT(allCompleted(dir), kHangMs);
        QVERIFY2(m_display.exportChart(program, picture), "the dialog saves the chart");
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(picture).size() > 10000, kHangMs);
        QTRY_VERIFY_WITH_TIMEOUT(!QImage(picture).isNull(), kHangMs);
        QVERIFY(m_display.quit(program));
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
        const QString dir = m_start.click(m_display, first, *library.library);
        QVERIFY(!dir.isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(evaluations(dir) >= 3, kHangMs);
        first.kill(); // SIGKILL
        QVERIFY(first.waitForFinished(kHangMs));
        QVERIFY(!allCompleted(dir));
        QProcess second;
        startProgram(second, library, config, {}); // a page asked for would stay
        QCOMPARE(m_start.words(second).size(), 4);
        // The Plan page's title names its file: now it has gone to the Run page.
        QTRY_VERIFY_WITH_TIMEOUT(
            !m_display.windowNamed(second, QStringLiteral("^Scalebench$")).isEmpty(), kHangMs);
        QVERIFY(hold.remove());
        QTRY_VERIFY_WITH_TIMEOUT(allCompleted(dir), kHangMs);
        // The chart on screen, as it exports itself, holds every evaluation once and in order.
        const QString table = config.filePath(QStringLiteral("chart.csv"));
        QVERIFY2(m_display.exportChart(second, table), "the dialog saves the chart");
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
        QVERIFY(m_display.quit(second));
        useFakeEngine("ok", 4, 20);
    }

private:
    void startProgram(QProcess& program, const TemporaryLibrary& library,
                      const QTemporaryDir& config,
                      const QStringList& page = {QStringLiteral("--page"), QStringLiteral("plan")})
    {
        QProcessEnvironment env = m_display.environment(config.path());
        env.insert(QStringLiteral("SCALEBENCH_TEST_GEOMETRY"), QStringLiteral("1"));
        program.setProcessEnvironment(env);
        program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        // As small a plan as the machine allows: one core suffices.
        QFile plan(config.filePath(QStringLiteral("study.json")));
        QVERIFY(plan.open(QIODevice::WriteOnly));
        plan.write(R"({"format":"scalebench.study","version":1,"workload":"resnet","scale":"desk",)"
                   R"("workers":[1,2],"target":0.8,"oversubscribe":true})");
        plan.close();
        m_start = {};
        program.start(QStringLiteral(SB_BIN_DIR "/scalebench-gui"),
                      QStringList{plan.fileName(), QStringLiteral("--library"),
                                  library.folder.path(), QStringLiteral("--size"),
                                  QStringLiteral("1200x800")}
                          << page);
        QVERIFY(program.waitForStarted(kHangMs));
        QVERIFY2(!m_display.waitForWindow(program).isEmpty(), "the window did not appear");
    }

    static qsizetype evaluations(const QString& dir)
    {
        const auto study = loadStudy(dir);
        return study ? study.value().runs.first().evals.size() : 0;
    }

    VirtualDisplay m_display;
    StartButton m_start;
};

QTEST_GUILESS_MAIN(RealWindowTest)
#include "real_window_test.moc"
