// SPDX-License-Identifier: GPL-3.0-or-later
// The public MLPerf compliance checker reads the log of a finished run (open division, ruleset
// 2.0.0). packaging/check fetches the checker and names its folder in SB_MLPERF_PATH.

#include "support/campaign.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

class MlperfCheckerTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;

    /// Trains one epoch with the real command and returns the stream's path.
    QString finishedLog()
    {
        const QString out = m_dir.filePath(QStringLiteral("study"));
        QProcess run;
        run.setProcessChannelMode(QProcess::MergedChannels);
        run.start(QStringLiteral(SB_BIN_DIR "/scalebench"),
                  {QStringLiteral("run"), QStringLiteral("resnet"), QStringLiteral("--workers"),
                   QStringLiteral("1"), QStringLiteral("--epochs"), QStringLiteral("1"),
                   QStringLiteral("--target"), QStringLiteral("none"),
                   QStringLiteral("--no-pictures"), QStringLiteral("--library"),
                   m_dir.filePath(QStringLiteral("library")), QStringLiteral("--out"), out});
        if (!run.waitForFinished(scalebench::test::kHangMs) || run.exitCode() != 0) {
            qWarning().noquote() << run.readAll();
            return {};
        }
        const QDir runs(out + QStringLiteral("/runs"));
        const QStringList names = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        return names.size() == 1 ? runs.filePath(names.first() + QStringLiteral("/result_0.txt"))
                                 : QString();
    }

    /// The checker's exit code; its output in `text`.
    int check(const QString& log, QByteArray& text)
    {
        QProcess checker;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PYTHONPATH"),
                           environment.value(QStringLiteral("SB_MLPERF_PATH")));
        checker.setProcessEnvironment(environment);
        checker.setProcessChannelMode(QProcess::MergedChannels);
        checker.setWorkingDirectory(m_dir.path());
        checker.start(QStringLiteral("python3"),
                      {QStringLiteral("-m"), QStringLiteral("mlperf_logging.compliance_checker"),
                       QStringLiteral("--usage"), QStringLiteral("training"),
                       QStringLiteral("--ruleset"), QStringLiteral("2.0.0"),
                       QStringLiteral("--log_output"), QStringLiteral("checker.log"), log});
        if (!checker.waitForFinished(scalebench::test::kHangMs))
            return -1;
        text = checker.readAll();
        return checker.exitCode();
    }

private Q_SLOTS:
    void initTestCase()
    {
        const QString path = qEnvironmentVariable("SB_MLPERF_PATH");
        if (path.isEmpty() || !QDir(path).exists())
            QSKIP("the public MLPerf checker is not here (SB_MLPERF_PATH); packaging/check fetches "
                  "it with pip");
        QVERIFY(m_dir.isValid());
    }

    void finishedRunPasses()
    {
        const QString log = finishedLog();
        QVERIFY(!log.isEmpty());
        QByteArray text;
        const int code = check(log, text);
        QVERIFY2(code == 0 && text.contains("SUCCESS"), text.constData());
        QVERIFY2(text.contains("open_common"), text.constData());

        // The checker must be able to refuse: the same log without its end.
        QFile whole(log);
        QVERIFY(whole.open(QIODevice::ReadOnly));
        QFile cut(m_dir.filePath(QStringLiteral("cut.txt")));
        QVERIFY(cut.open(QIODevice::WriteOnly));
        for (const QByteArray& line : whole.readAll().split('\n'))
            if (!line.contains("\"run_stop\""))
                cut.write(line + '\n');
        cut.close();
        QVERIFY(check(cut.fileName(), text) != 0);
    }
};

QTEST_GUILESS_MAIN(MlperfCheckerTest)
#include "mlperf_checker_test.moc"
