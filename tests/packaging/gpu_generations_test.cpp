// SPDX-License-Identifier: GPL-3.0-or-later
// What CMake asks a driver before it builds the plug-in: a pretended driver's answers, and none.

#include <QProcess>
#include <QTest>

class GpuGenerationsTest : public QObject
{
    Q_OBJECT

private slots:
    void answers_data()
    {
        QTest::addColumn<QString>("driver");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("output");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("a GPU") << "major=9 minor=0" << 0 << QByteArray("90\n") << QByteArray();
        QTest::newRow("two digits")
            << "major=12 minor=1" << 0 << QByteArray("121\n") << QByteArray();
        QTest::newRow("two GPUs") << "count=2 major=8 minor=6" << 0 << QByteArray("86\n86\n")
                                  << QByteArray();
        QTest::newRow("no GPU") << "init=100" << 1 << QByteArray()
                                << QByteArray("the NVIDIA driver shows no GPU");
        QTest::newRow("none counted")
            << "count=0" << 1 << QByteArray() << QByteArray("the NVIDIA driver shows no GPU");
    }
    void answers()
    {
        QFETCH(QString, driver);
        QProcess process;
        QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
        env.insert(QStringLiteral("LD_LIBRARY_PATH"), QStringLiteral(SB_FAKE_DRIVER));
        env.insert(QStringLiteral("SB_FAKE_CUDA"), driver);
        process.setProcessEnvironment(env);
        process.start(QStringLiteral(SB_GPU_GENERATIONS), {});
        QVERIFY(process.waitForFinished(scalebench::test::kHangMs));
        QTEST(process.exitCode(), "exitCode");
        QTEST(process.readAllStandardOutput(), "output");
        QTEST(process.readAllStandardError(), "error");
    }
};

QTEST_GUILESS_MAIN(GpuGenerationsTest)
#include "gpu_generations_test.moc"
#include "support/campaign.h"
