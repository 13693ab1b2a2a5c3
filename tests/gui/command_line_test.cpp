// SPDX-License-Identifier: GPL-3.0-or-later
// What scalebench-gui is started with.
#include "app/command_line.h"

#include <QTest>

using namespace scalebench;

class CommandLineTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void ours()
    {
        const auto line = CommandLine::parse(
            {QStringLiteral("scalebench-gui"), QStringLiteral("--page"), QStringLiteral("compare"),
             QStringLiteral("--size"), QStringLiteral("800x600"), QStringLiteral("plan.json")});
        QVERIFY2(line.ok(), line ? "" : qPrintable(line.failure().message));
        QCOMPARE(line.value().page, QStringLiteral("compare"));
        QCOMPARE(line.value().size, QSize(800, 600));
        QCOMPARE(line.value().files, QStringList{QStringLiteral("plan.json")});
    }

    /// What Qt's documentation lists for QGuiApplication and QApplication is Qt's.
    void qtOptions()
    {
        const auto line = CommandLine::parse(
            {QStringLiteral("scalebench-gui"), QStringLiteral("-reverse"), QStringLiteral("-style"),
             QStringLiteral("fusion"), QStringLiteral("--platform"), QStringLiteral("offscreen"),
             QStringLiteral("-stylesheet=x.qss"), QStringLiteral("--theme"), QStringLiteral("dark"),
             QStringLiteral("study")});
        QVERIFY2(line.ok(), line ? "" : qPrintable(line.failure().message));
        QVERIFY(line.value().theme.has_value());
        QCOMPARE(line.value().files, QStringList{QStringLiteral("study")});
    }

    void wrong_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message");
        QTest::newRow("page") << QStringList{QStringLiteral("--page"), QStringLiteral("hom")}
                              << QStringLiteral("There is no page “hom”: home, machines");
        QTest::newRow("theme") << QStringList{QStringLiteral("--theme"), QStringLiteral("gray")}
                               << QStringLiteral("system, light, dark, contrast");
        QTest::newRow("option") << QStringList{QStringLiteral("--teme=dark")}
                                << QStringLiteral("teme");
        QTest::newRow("two") << QStringList{QStringLiteral("--start"), QStringLiteral("a"),
                                            QStringLiteral("b")}
                             << QStringLiteral("One study at a time");
        QTest::newRow("speed") << QStringList{QStringLiteral("--replay=x"),
                                              QStringLiteral("--speed=0")}
                               << QStringLiteral("a number above 0");
        for (const char* replayed : {"/no/such/study", "/proc"})
            QTest::newRow(replayed)
                << QStringList{QStringLiteral("--replay"), QString::fromLatin1(replayed)}
                << QStringLiteral("There is no study or bundle %1 that can be read")
                       .arg(QString::fromLatin1(replayed));
    }
    void wrong()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, message);
        const auto line =
            CommandLine::parse(QStringList{QStringLiteral("scalebench-gui")} + arguments);
        QVERIFY(!line.ok());
        QVERIFY2(line.failure().message.contains(message), qPrintable(line.failure().message));
    }
};

QTEST_GUILESS_MAIN(CommandLineTest)
#include "command_line_test.moc"
