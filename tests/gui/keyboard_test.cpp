// SPDX-License-Identifier: GPL-3.0-or-later
// A real window and a keyboard, no mouse: from a plan to its results, put away and taken back,
// help, settings and keys, and the window as it was after a restart.
#include "gui/virtual_display.h"
#include "library/trash.h"

#include <QSettings>

using namespace scalebench;
using namespace scalebench::test;

class KeyboardTest : public QObject
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

    void planRunResultsAndBack()
    {
        start({writePlan()});
        const auto window = [this](const char* title) {
            return !m_display.windowNamed(m_program, QString::fromLatin1(title)).isEmpty();
        };
        // Start.
        QString dir;
        QVERIFY2(m_display.keyUntil(m_program, QStringLiteral("ctrl+r"),
                                    [&] {
                                        const auto found = m_library.library->findStudyDir(
                                            QStringLiteral("latest"));
                                        dir = found ? found.value() : QString();
                                        return !dir.isEmpty();
                                    }),
                 "Ctrl+R starts the plan");
        QTRY_VERIFY_WITH_TIMEOUT(allCompleted(dir), kHangMs);
        const QString picture = m_config.filePath(QStringLiteral("chart.svg"));
        QVERIFY2(m_display.exportChart(m_program, picture), "Ctrl+E exports the chart");
        // Every page by its number, help and keys by the palette.
        QVERIFY2(
            m_display.keyUntil(m_program, QStringLiteral("F1"), [&] { return window("^Help$"); }),
            "F1 opens the help");
        escape("^Help$");
        command("keyboard shortcuts", "^Keyboard shortcuts$");
        escape("^Keyboard shortcuts$");
        // Into the trash and back.
        m_display.key(m_display.mainWindow(m_program), QStringLiteral("ctrl+5"));
        const auto trashed = [&] { return trashedStudies(*m_library.library).size(); };
        QVERIFY2(m_display.keyUntil(m_program, QStringLiteral("ctrl+f"),
                                    [&] {
                                        QTest::qWait(700);
                                        for (const char* key : {"Return", "Delete"})
                                            m_display.key(m_display.mainWindow(m_program),
                                                          QString::fromLatin1(key));
                                        return QTest::qWaitFor([&] { return trashed() == 1; },
                                                               3000);
                                    }),
                 "Delete puts the study away");
        QVERIFY2(
            m_display.keyUntil(m_program, QStringLiteral("ctrl+z"), [&] { return trashed() == 0; }),
            "Ctrl+Z takes it back");
        QVERIFY(allCompleted(dir));
        m_display.key(m_display.mainWindow(m_program), QStringLiteral("ctrl+comma"));
        QTest::qWait(500);
        QVERIFY(m_display.quit(m_program));
        // As it was left.
        QSettings kept(m_config.filePath(QStringLiteral("Scalebench/Workbench.conf")),
                       QSettings::IniFormat);
        QCOMPARE(kept.value(QStringLiteral("window/page")).toString(), QStringLiteral("settings"));
        QCOMPARE(kept.value(QStringLiteral("session/run")).toString(), dir);
        QCOMPARE(kept.value(QStringLiteral("session/selected")).toStringList().isEmpty(), false);
        start({});
        QVERIFY(m_display.quit(m_program));
        kept.sync();
        QCOMPARE(kept.value(QStringLiteral("session/run")).toString(), dir); // shown again
    }

private:
    QString writePlan()
    {
        QFile plan(m_config.filePath(QStringLiteral("study.json")));
        if (plan.open(QIODevice::WriteOnly))
            plan.write(R"({"format":"scalebench.study","version":1,"workload":"resnet",)"
                       R"("scale":"desk","workers":[1],"target":0.8,"oversubscribe":true})");
        return plan.fileName();
    }

    void start(const QStringList& files)
    {
        m_program.setProcessEnvironment(m_display.environment(m_config.path()));
        m_program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_program.start(QStringLiteral(SB_BIN_DIR "/scalebench-gui"),
                        files + QStringList{QStringLiteral("--library"), m_library.folder.path(),
                                            QStringLiteral("--size"), QStringLiteral("1200x800")});
        QVERIFY(m_program.waitForStarted(kHangMs));
        QVERIFY2(!m_display.waitForWindow(m_program).isEmpty(), "the window did not appear");
        QTest::qWait(2000); // library and computer are read
    }

    /// By the command palette.
    void command(const char* words, const char* opens)
    {
        const auto isOpen = [&] {
            return !m_display.windowNamed(m_program, QString::fromLatin1(opens)).isEmpty();
        };
        QVERIFY2(m_display.keyUntil(
                     m_program, QStringLiteral("ctrl+k"),
                     [&] {
                         QTest::qWait(700);
                         m_display.type(QString::fromLatin1(words));
                         m_display.xdotool({QStringLiteral("key"), QStringLiteral("Return")});
                         return QTest::qWaitFor(isOpen, 3000);
                     }),
                 words);
    }

    void escape(const char* title)
    {
        const QString name = QString::fromLatin1(title);
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                const QString dialog = m_display.windowNamed(m_program, name);
                if (!dialog.isEmpty())
                    m_display.key(dialog, QStringLiteral("Escape"));
                return m_display.windowNamed(m_program, name).isEmpty();
            }(),
            kHangMs);
    }

    VirtualDisplay m_display;
    TemporaryLibrary m_library;
    QTemporaryDir m_config;
    QProcess m_program;
};

QTEST_GUILESS_MAIN(KeyboardTest)
#include "keyboard_test.moc"
