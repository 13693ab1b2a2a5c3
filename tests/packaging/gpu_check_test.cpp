// SPDX-License-Identifier: GPL-3.0-or-later
// packaging/gpu-check where there is no GPU: it says why, for every part, and leaves a whole
// report.

#include "support/campaign.h"
#include "support/file_content.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <dlfcn.h>

using scalebench::test::contentOf;

class GpuCheckTest : public QObject
{
    Q_OBJECT

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
        QCOMPARE(parts.size(), 8);
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
                       QStringLiteral("loss"), QStringLiteral("--minutes"), QStringLiteral("0.1")});
        QVERIFY(process.waitForFinished(scalebench::test::kHangMs));
        const QJsonObject report =
            QJsonDocument::fromJson(contentOf(out.filePath(QStringLiteral("gpu-check.json"))))
                .object();
        const QJsonObject selftest = report[QStringLiteral("selftest")].toObject();
        QVERIFY2(selftest[QStringLiteral("cases")].toInt() > 20,
                 process.readAllStandardOutput().constData());
        QVERIFY(selftest[QStringLiteral("failed")].toArray().isEmpty());
    }

    /// What the time does not reach is not called failed, and the report is there all the same.
    void timeIsNoFailure()
    {
        QTemporaryDir out;
        QProcess process;
        process.setWorkingDirectory(out.path());
        process.start(QStringLiteral(SB_SOURCE_DIR "/packaging/gpu-check"),
                      {QStringLiteral("--engine"), QStringLiteral(SB_BIN_DIR "/scalebench-engine"),
                       QStringLiteral("--device"), QStringLiteral("cpu"),
                       QStringLiteral("--minutes"), QStringLiteral("0.05")});
        QVERIFY(process.waitForFinished(scalebench::test::kHangMs));
        QCOMPARE(process.exitCode(), 3); // not everything ran
        const QJsonArray parts =
            QJsonDocument::fromJson(contentOf(out.filePath(QStringLiteral("gpu-check.json"))))
                .object()[QStringLiteral("parts")]
                .toArray();
        int forTime = 0;
        for (const QJsonValue& part : parts) {
            QVERIFY2(part[QStringLiteral("status")].toString() != QStringLiteral("failed"),
                     qPrintable(part[QStringLiteral("part")].toString() + QStringLiteral(": ") +
                                part[QStringLiteral("text")].toString()));
            forTime += part[QStringLiteral("text")].toString().startsWith(QStringLiteral("time: "));
        }
        QVERIFY(forTime > 5);
        QVERIFY(contentOf(out.filePath(QStringLiteral("gpu-check.md"))).contains("| time: "));
    }

    /// Every family of the self-test is in the list of the parts.
    void everyFamilyIsAsked()
    {
        QProcess process;
        process.start(QStringLiteral(SB_BIN_DIR "/scalebench-engine"),
                      {QStringLiteral("selftest"), QStringLiteral("--list")});
        QVERIFY(process.waitForFinished(scalebench::test::kHangMs));
        const QByteArray script = contentOf(QStringLiteral(SB_SOURCE_DIR "/packaging/gpu-check"));
        const qsizetype from = script.indexOf("FAMILIES = ");
        QVERIFY(from > 0);
        const QByteArray list = script.mid(from, script.indexOf(')', from) - from);
        QSet<QByteArray> families;
        for (const QByteArray& line : process.readAllStandardOutput().split('\n'))
            if (!line.isEmpty())
                families.insert(line.left(line.indexOf(' ')));
        QVERIFY(families.size() > 8);
        for (const QByteArray& family : families)
            QVERIFY2(list.contains('"' + family + '"'), family.constData());
    }
};

QTEST_GUILESS_MAIN(GpuCheckTest)
#include "gpu_check_test.moc"
