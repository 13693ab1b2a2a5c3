// SPDX-License-Identifier: GPL-3.0-or-later
// What the scalebench command ends with where the cause lies outside of it: another program, a
// folder, a pipe.
#include "support/launcher_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <thread>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class ExitCodesTest : public QObject
{
    Q_OBJECT

    QByteArray m_out;
    QString m_err;

    static QString scalebench() { return QStringLiteral(SB_BIN_DIR "/scalebench"); }
    int run(const QString& program, const QStringList& arguments)
    {
        QProcess process;
        process.start(program, arguments);
        process.waitForFinished(kHangMs);
        m_out = process.readAllStandardOutput();
        m_err = QString::fromUtf8(process.readAllStandardError());
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    }

private Q_SLOTS:
    /// The loader's, a signal's or another program's code is none of ours.
    void aForeignExitCode_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("told");
        QTest::newRow("the loader's") << QByteArray("exit 127") << 3 << u"code 127"_s;
        QTest::newRow("mpirun's") << QByteArray("exit 255") << 3 << u"signal 127"_s;
        QTest::newRow("killed") << QByteArray("kill -9 $$") << 3 << u"signal 9"_s;
        QTest::newRow("its own") << QByteArray("exit 2") << 2 << QString();
        QTest::newRow("good") << QByteArray("exit 0") << 0 << QString();
    }
    void aForeignExitCode()
    {
        QFETCH(QByteArray, script);
        QFETCH(int, code);
        QFETCH(QString, told);
        const QTemporaryDir dir;
        QFile engine(dir.filePath(u"engine"_s));
        QVERIFY(engine.open(QIODevice::WriteOnly) && engine.write("#!/bin/sh\n" + script) > 0);
        engine.close();
        QVERIFY(engine.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        qputenv("SCALEBENCH_ENGINE", engine.fileName().toUtf8());
        for (const QStringList& words :
             {QStringList{u"selftest"_s}, QStringList{u"bench"_s, u"gemm"_s},
              QStringList{u"bench"_s, u"allreduce"_s}}) {
            if (code == 0 && words.size() == 2) // needs mpirun
                continue;
            QCOMPARE(run(scalebench(), words), code);
            QVERIFY2(m_err.contains(told), qPrintable(m_err));
        }
        qunsetenv("SCALEBENCH_ENGINE");
    }

    /// One worker more than there are processors: not two other runs instead.
    void noShapeHoldsAllWorkers()
    {
        useFakeEngine("ok");
        const QTemporaryDir dir;
        const int workers = int(std::thread::hardware_concurrency()) + 1;
        const QStringList words{
            u"run"_s,    u"resnet"_s,    u"--shapes"_s, u"all:%1"_s.arg(workers),
            u"--plan"_s, u"--library"_s, dir.path(),    u"--batch-policy"_s,
            u"weak"_s};
        QCOMPARE(run(scalebench(), words), 2);
        QVERIFY2(m_err.contains(u"%1 workers cannot be spread"_s.arg(workers)), qPrintable(m_err));
        QCOMPARE(run(scalebench(), words + QStringList{u"--oversubscribe"_s}), 0);
    }

    /// Of a code, of a command, of itself.
    void help()
    {
        QCOMPARE(run(scalebench(), {u"help"_s, u"disk_full"_s}), 0);
        QVERIFY(m_out.contains("disk_full"));
        QCOMPARE(run(scalebench(), {u"help"_s, u"run"_s}), 0);
        QVERIFY2(m_out.startsWith("Usage: scalebench run"), m_out.constData());
        QCOMPARE(run(scalebench(), {u"help"_s, u"--help"_s}), 0);
        QVERIFY2(m_out.startsWith("Usage: scalebench COMMAND"), m_out.constData());
        QCOMPARE(run(scalebench(), {u"help"_s, u"nothing"_s}), 2);
    }

    /// --json is JSON of one workload too.
    void theSettingsOfAWorkload()
    {
        QCOMPARE(run(scalebench(), {u"workloads"_s, u"resnet"_s, u"--json"_s}), 0);
        const QJsonObject resnet = QJsonDocument::fromJson(m_out).object();
        QCOMPARE(resnet[u"id"_s].toString(), u"resnet"_s);
        bool found = false;
        for (const QJsonValue& setting : resnet[u"settings"_s].toArray())
            found |= setting[u"path"_s].toString() == u"schedule.base_lr"_s &&
                     setting[u"value"_s].toDouble() > 0;
        QVERIFY(found);
    }

    /// "scalebench results list | head": no disk is full.
    void aPipeThatNobodyReads()
    {
        const QString line =
            u"trap '' PIPE; { %1 workloads; echo code $? >&2; } | true"_s.arg(scalebench());
        QCOMPARE(run(u"sh"_s, {u"-c"_s, line}), 0);
        QVERIFY2(!m_err.contains(u"disk"_s), qPrintable(m_err));
        QCOMPARE(run(u"sh"_s, {u"-c"_s, scalebench() + u" workloads > /dev/full"_s}), 3);
        QVERIFY2(m_err.contains(u"disk"_s), qPrintable(m_err));
    }

    /// Who looks for results in a folder makes none.
    void aLibraryThatIsNotThere()
    {
        const QTemporaryDir dir;
        const QString missing = dir.filePath(u"typo"_s);
        QCOMPARE(run(scalebench(), {u"results"_s, u"list"_s, u"--library"_s, missing}), 2);
        QVERIFY2(m_err.contains(missing), qPrintable(m_err));
        QVERIFY(!QFileInfo::exists(missing));
        QCOMPARE(run(scalebench(), {u"results"_s, u"list"_s, u"--library"_s, dir.path()}), 0);
    }
};

QTEST_GUILESS_MAIN(ExitCodesTest)
#include "exit_codes_test.moc"
