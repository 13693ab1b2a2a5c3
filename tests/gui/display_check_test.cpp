// SPDX-License-Identifier: GPL-3.0-or-later
// Without a display the workbench says so and ends; it does not abort.

#include "support/campaign.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>

class DisplayCheckTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void saysWhatIsMissing_data()
    {
        QTest::addColumn<QString>("display");
        QTest::addColumn<QByteArray>("names");
        QTest::newRow("none") << QString() << QByteArray("DISPLAY and WAYLAND_DISPLAY are not set");
        QTest::newRow("nobody listens") << QStringLiteral(":9871") << QByteArray("DISPLAY=:9871");
    }
    void saysWhatIsMissing()
    {
        QFETCH(QString, display);
        QFETCH(QByteArray, names);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QString::fromLatin1(name));
        if (!display.isEmpty())
            environment.insert(QStringLiteral("DISPLAY"), display);
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(SB_BIN_DIR "/scalebench-gui"), {});
        QVERIFY(process.waitForFinished(scalebench::test::kHangMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 2);
        const QByteArray text = process.readAllStandardError();
        QVERIFY2(text.contains(names), text.constData());
    }
};

QTEST_GUILESS_MAIN(DisplayCheckTest)
#include "display_check_test.moc"
