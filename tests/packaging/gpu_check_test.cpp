// SPDX-License-Identifier: GPL-3.0-or-later
// packaging/gpu-check where there is no GPU: it says why, for every part, and leaves a whole
// report.

#include "support/campaign.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <dlfcn.h>

class GpuCheckTest : public QObject
{
    Q_OBJECT

    static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    void saysWhyNothingRan()
    {
        if (::dlopen("libcuda.so.1", RTLD_NOW) != nullptr)
            QSKIP("this machine has an NVIDIA driver: run packaging/gpu-check itself");
        QTemporaryDir out;
        QProcess process;
        process.setWorkingDirectory(out.path());
        process.start(
            QStringLiteral(SB_SOURCE_DIR "/packaging/gpu-check"),
            {QStringLiteral("--engine"), QStringLiteral(SB_BIN_DIR "/scalebench-engine")});
        QVERIFY(process.waitForFinished(scalebench::test::kHangMs));
        QCOMPARE(process.exitCode(), 3);
        const QJsonObject report =
            QJsonDocument::fromJson(contentOf(out.filePath(QStringLiteral("gpu-check.json"))))
                .object();
        QCOMPARE(report[QStringLiteral("format")].toString(),
                 QStringLiteral("scalebench.gpu-check"));
        const QJsonArray parts = report[QStringLiteral("parts")].toArray();
        QCOMPARE(parts.size(), 4);
        for (const QJsonValue& part : parts) {
            QCOMPARE(part[QStringLiteral("status")].toString(), QStringLiteral("not run"));
            QVERIFY(part[QStringLiteral("text")].toString().startsWith(
                QStringLiteral("CUDA cannot be used here: ")));
        }
        QVERIFY(contentOf(out.filePath(QStringLiteral("gpu-check.md"))).contains("| not run |"));
    }

    /// The parts themselves, on the processors: the self-test's result is in the report.
    void selfTestOnTheProcessors()
    {
        QTemporaryDir out;
        QProcess process;
        process.setWorkingDirectory(out.path());
        process.start(QStringLiteral(SB_SOURCE_DIR "/packaging/gpu-check"),
                      {QStringLiteral("--engine"), QStringLiteral(SB_BIN_DIR "/scalebench-engine"),
                       QStringLiteral("--device"), QStringLiteral("cpu"), QStringLiteral("--part"),
                       QStringLiteral("correctness"), QStringLiteral("--family"),
                       QStringLiteral("loss"), QStringLiteral("--minutes"), QStringLiteral("0.2")});
        QVERIFY(process.waitForFinished(scalebench::test::kHangMs));
        const QJsonObject report =
            QJsonDocument::fromJson(contentOf(out.filePath(QStringLiteral("gpu-check.json"))))
                .object();
        const QJsonObject selftest = report[QStringLiteral("selftest")].toObject();
        QVERIFY2(selftest[QStringLiteral("cases")].toInt() > 20,
                 process.readAllStandardOutput().constData());
        QVERIFY(selftest[QStringLiteral("failed")].toArray().isEmpty());
    }
};

QTEST_GUILESS_MAIN(GpuCheckTest)
#include "gpu_check_test.moc"
