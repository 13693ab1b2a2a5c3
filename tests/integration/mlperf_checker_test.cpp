// SPDX-License-Identifier: GPL-3.0-or-later
// The public MLPerf compliance checker reads the logs of finished runs (open division, the last
// ruleset that knows the workload as ours), and the public result summariser the same submissions
// as `scalebench import`. packaging/check fetches both and names their folder in SB_MLPERF_PATH.

#include "support/campaign.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QProcessEnvironment>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <functional>

class MlperfCheckerTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    QSet<QString> m_refused; ///< sets of rules

    /// Trains an epoch with the real command and returns the stream's path.
    QString finishedLog(const QString& workload, const QStringList& settings)
    {
        const QString out = m_dir.filePath(workload);
        QStringList arguments{QStringLiteral("run"),
                              workload,
                              QStringLiteral("--workers"),
                              QStringLiteral("1"),
                              QStringLiteral("--epochs"),
                              QStringLiteral("1"),
                              QStringLiteral("--target"),
                              QStringLiteral("none"),
                              QStringLiteral("--no-pictures"),
                              QStringLiteral("--library"),
                              m_dir.filePath(QStringLiteral("library")),
                              QStringLiteral("--out"),
                              out};
        for (const QString& setting : settings)
            arguments << QStringLiteral("--set") << setting;
        QProcess run;
        run.setProcessChannelMode(QProcess::MergedChannels);
        run.start(QStringLiteral(SB_BIN_DIR "/scalebench"), arguments);
        if (!run.waitForFinished(scalebench::test::kHangMs) || run.exitCode() != 0) {
            qWarning().noquote() << run.readAll();
            return {};
        }
        const QDir runs(out + QStringLiteral("/runs"));
        const QStringList names = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        return names.size() == 1 ? runs.filePath(names.first() + QStringLiteral("/result_0.txt"))
                                 : QString();
    }

    /// The log with every record of a key changed, or left out where the change says false.
    QString changed(const QString& log, const QString& key,
                    const std::function<bool(QJsonObject&)>& change)
    {
        QFile whole(log);
        QFile other(m_dir.filePath(QStringLiteral("changed.txt")));
        if (!whole.open(QIODevice::ReadOnly) || !other.open(QIODevice::WriteOnly))
            return {};
        constexpr char kPrefix[] = ":::MLLOG ";
        for (const QByteArray& line : whole.readAll().split('\n')) {
            QJsonObject record =
                QJsonDocument::fromJson(line.mid(qsizetype(sizeof kPrefix) - 1)).object();
            if (record[QStringLiteral("key")].toString() != key)
                other.write(line + '\n');
            else if (change(record))
                other.write(kPrefix + QJsonDocument(record).toJson(QJsonDocument::Compact) + '\n');
        }
        return other.fileName();
    }
    /// Also of the parts of an object.
    QString withQuality(const QString& log, double quality)
    {
        return changed(log, QStringLiteral("eval_accuracy"), [quality](QJsonObject& record) {
            const QJsonObject parts = record[QStringLiteral("value")].toObject();
            QJsonObject other;
            for (const QString& name : parts.keys())
                other[name] = quality;
            record[QStringLiteral("value")] = parts.isEmpty() ? QJsonValue(quality) : other;
            return true;
        });
    }

    /// The checker's exit code; its output in `text`.
    int check(const QString& log, const QString& ruleset, QByteArray& text)
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
                       QStringLiteral("--ruleset"), ruleset, QStringLiteral("--log_output"),
                       QStringLiteral("checker.log"), log});
        if (!checker.waitForFinished(scalebench::test::kHangMs))
            return -1;
        text = checker.readAll();
        return checker.exitCode();
    }

    /// What a program prints as JSON; nothing where it fails.
    QJsonObject answerOf(const QString& program, const QStringList& arguments)
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PYTHONPATH"),
                           environment.value(QStringLiteral("SB_MLPERF_PATH")));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_dir.path());
        process.start(program, arguments);
        if (!process.waitForFinished(scalebench::test::kHangMs) ||
            process.exitStatus() != QProcess::NormalExit)
            return {};
        return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
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

    void finishedRunPasses_data()
    {
        QTest::addColumn<QString>("ruleset");
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<double>("asked");
        const auto row = [](const char* workload, const char* ruleset, int train, int eval,
                            double asked = 0) {
            QTest::newRow(workload)
                << QString::fromLatin1(ruleset)
                << QStringList{QStringLiteral("data.train_samples=%1").arg(train),
                               QStringLiteral("data.eval_samples=%1").arg(eval)}
                << asked;
        };
        row("resnet", "2.0.0", 640, 200);
        row("dlrm", "2.0.0", 8192, 2000);
        row("ssd", "1.1.0", 64, 16);
        row("retinanet", "2.0.0", 32, 16);
        row("maskrcnn", "2.0.0", 16, 8);
        row("bert", "5.0.0", 400, 40);
        row("gnmt", "0.7.0", 400, 40, 0.24); // BLEU as a share: rules of old ask for a quality
        row("transformer", "0.7.0", 400, 40, 0.25);
    }
    void finishedRunPasses()
    {
        QFETCH(QString, ruleset);
        QFETCH(QStringList, settings);
        QFETCH(double, asked);
        const QString log = finishedLog(QString::fromLatin1(QTest::currentDataTag()), settings);
        QVERIFY(!log.isEmpty());
        QByteArray text;
        if (asked > 0) { // which so short a run has not
            QVERIFY(check(log, ruleset, text) != 0);
            QVERIFY2(text.contains("eval_accuracy"), text.constData());
        }
        const int code = check(asked > 0 ? withQuality(log, asked) : log, ruleset, text);
        QVERIFY2(code == 0 && text.contains("SUCCESS"), text.constData());
        QVERIFY2(text.contains("open_common"), text.constData());

        // Under each set of rules the checker must be able to refuse: a quality that is none of the
        // field's, as BLEU in points or a loss, and a log without its end.
        if (m_refused.contains(ruleset))
            return;
        m_refused.insert(ruleset);
        QVERIFY(check(withQuality(log, 27.3), ruleset, text) != 0);
        QVERIFY2(text.contains("eval_accuracy"), text.constData());
        const auto leaveOut = [](QJsonObject&) { return false; };
        QVERIFY(check(changed(log, QStringLiteral("run_stop"), leaveOut), ruleset, text) != 0);
    }

    /// Submissions of v0.7, v2.0 and v4.0 with one and two files of three gone wrong in 19 ways.
    void summariserAgrees()
    {
        const QString logs =
            qEnvironmentVariable("SCALEBENCH_MLPERF_LOGS",
                                 QStringLiteral(SB_SOURCE_DIR "/../shared/reference/mlperf_logs"));
        if (!QDir(logs).exists())
            QSKIP("the public logs are not beside this checkout (SCALEBENCH_MLPERF_LOGS names "
                  "their folder)");
        const QString script = QStringLiteral(SB_SOURCE_DIR "/tests/integration/mlperf_summary.py");
        const QString tree = m_dir.filePath(QStringLiteral("submissions"));
        QCOMPARE(QProcess::execute(QStringLiteral("python3"),
                                   {script, QStringLiteral("make"), logs, tree}),
                 0);
        const QJsonObject theirs =
            answerOf(QStringLiteral("python3"), {script, QStringLiteral("score"), tree});
        QCOMPARE(theirs.size(), 3 * 19 * 2);
        const QJsonObject ours = answerOf(QStringLiteral(SB_BIN_DIR "/scalebench"),
                                          {QStringLiteral("import"), tree,
                                           QStringLiteral("--dry-run"), QStringLiteral("--json")});
        // The minutes of each file that counts, and of each folder.
        QMap<QString, QMap<QString, double>> files;
        for (const QJsonValue& value : ours.value(QStringLiteral("files")).toArray()) {
            const QJsonObject file = value.toObject();
            const QString path = file.value(QStringLiteral("path")).toString();
            if (file.value(QStringLiteral("outcome")).toString() == QLatin1String("converged"))
                files[path.section(u'/', 0, -2)][path.section(u'/', -1)] =
                    file.value(QStringLiteral("runs"))[0][QStringLiteral("minutes")].toDouble();
        }
        QMap<QString, QJsonValue> scores;
        for (const QJsonValue& value : ours.value(QStringLiteral("scores")).toArray())
            scores.insert(QStringLiteral("%1/%2").arg(value[QStringLiteral("version")].toString(),
                                                      value[QStringLiteral("system")].toString()),
                          value[QStringLiteral("minutes")]);
        int compared = 0;
        for (auto it = theirs.begin(); it != theirs.end(); ++it) {
            const QString system = it.key().section(u'/', -2, -2);
            const QString version = it.key().section(u'/', -5, -5).section(u'_', -1);
            // Up to v2.1 the list of a network's weights may stand there once only: a rule of
            // compliance, which an importer of results does not hold runs to.
            if (system.startsWith(QLatin1String("doubled")) && version == QLatin1String("v2.0"))
                continue;
            QMap<QString, double> valid;
            const QJsonObject named = it.value()[QStringLiteral("files")].toObject();
            for (auto file = named.begin(); file != named.end(); ++file)
                valid.insert(file.key().section(u'/', -1), file.value().toDouble());
            const QMap<QString, double> mine = files.value(it.key());
            QVERIFY2(mine.keys() == valid.keys(), qPrintable(it.key()));
            for (auto file = valid.begin(); file != valid.end(); ++file)
                QVERIFY2(std::abs(mine.value(file.key()) - file.value()) < 1e-6,
                         qPrintable(it.key() + u'/' + file.key()));
            const QJsonValue score = scores.value(version + u'/' + system);
            const QJsonValue minutes = it.value()[QStringLiteral("minutes")];
            QVERIFY2(score.isDouble() == minutes.isDouble(), qPrintable(it.key()));
            QVERIFY2(std::abs(score.toDouble() - minutes.toDouble()) < 1e-6, qPrintable(it.key()));
            ++compared;
        }
        QCOMPARE(compared, 3 * 19 * 2 - 2);
    }
};

QTEST_GUILESS_MAIN(MlperfCheckerTest)
#include "mlperf_checker_test.moc"
