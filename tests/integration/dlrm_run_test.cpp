// SPDX-License-Identifier: GPL-3.0-or-later
// DLRM under the real mpirun, its tables shared out: a worker that is killed, and the run that one
// worker goes on with; rows that travel beside the computing.

#include "support/file_content.h"
#include "support/mpi_runner.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <csignal>

using scalebench::test::contentOf;
using scalebench::test::MpiRun;

namespace {

const QString kEngine = QStringLiteral(SB_BIN_DIR "/scalebench-engine");

QList<QJsonObject> recordsOf(const QString& folder, const char* key)
{
    QList<QJsonObject> records;
    const QByteArray text = contentOf(folder + QStringLiteral("/result_0.txt"));
    for (const QByteArray& line : text.left(text.lastIndexOf('\n') + 1).split('\n')) {
        const QJsonObject record = QJsonDocument::fromJson(line.mid(9)).object();
        if (line.startsWith(":::MLLOG ") &&
            record[QStringLiteral("key")].toString() == QLatin1String(key))
            records << record;
    }
    return records;
}

/// Area under the curve of each evaluation.
QList<double> curveOf(const QString& folder)
{
    QList<double> curve;
    for (const QJsonObject& record : recordsOf(folder, "eval_accuracy"))
        curve << record[QStringLiteral("value")].toDouble();
    return curve;
}

/// Processes of the engine that work in `folder`.
QList<qint64> enginesIn(const QString& folder)
{
    QList<qint64> pids;
    const QStringList processes = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
    for (const QString& name : processes) {
        const QByteArray command = contentOf(QStringLiteral("/proc/%1/cmdline").arg(name));
        if (command.startsWith(kEngine.toUtf8()) && command.contains(folder.toUtf8()))
            pids << name.toLongLong();
    }
    return pids;
}

} // namespace

class DlrmRunTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;

    /// The rate is low enough that a sum in another order stays a last digit of the curve: with
    /// 0.02 it becomes 0.003 of AUC in five epochs.
    QString makeRun(const QString& name, int workers, const QJsonObject& options = {}) const
    {
        const QString folder = m_dir.filePath(name);
        QDir().mkpath(folder);
        QJsonObject all{{"checkpoint_every", 1}};
        for (auto it = options.begin(); it != options.end(); ++it)
            all[it.key()] = it.value();
        const QJsonObject data{{"source", "generated"},
                               {"path", m_dir.filePath(QStringLiteral("clicks"))},
                               {"train_samples", 12'000},
                               {"eval_samples", 2'001},
                               {"table_rows", QJsonArray{20}}};
        const QJsonObject model{
            {"name", "dlrm"}, {"dim", 16}, {"bottom", QJsonArray{32}}, {"top", QJsonArray{64, 32}}};
        write(folder, {{"format", "scalebench.run"},
                       {"version", 1},
                       {"study", "test"},
                       {"run_id", name},
                       {"workload", "dlrm"},
                       {"scale", "desk"},
                       {"model", model},
                       {"data", data},
                       {"workers", workers},
                       {"threads_per_worker", 1},
                       {"global_batch", 600},
                       {"optimizer", QJsonObject{{"name", "adam"}}},
                       {"schedule", QJsonObject{{"name", "constant"}, {"base_lr", 0.005}}},
                       {"options", all},
                       {"epochs", 5},
                       {"target", QJsonValue::Null},
                       {"seed", 1}});
        return folder;
    }
    static void write(const QString& folder, const QJsonObject& json)
    {
        QFile file(folder + QStringLiteral("/run.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(json).toJson());
    }
    static void setWorkers(const QString& folder, int workers)
    {
        QJsonObject json =
            QJsonDocument::fromJson(contentOf(folder + QStringLiteral("/run.json"))).object();
        json[QStringLiteral("workers")] = workers;
        write(folder, json);
    }
    static MpiRun run(const QString& folder, int workers, const QStringList& more = {})
    {
        return scalebench::test::runUnderMpi(workers, kEngine,
                                             QStringList{QStringLiteral("--run"), folder} + more);
    }
    static double largestGap(const QList<double>& a, const QList<double>& b)
    {
        if (a.size() != b.size() || a.isEmpty())
            return INFINITY;
        double gap = 0;
        for (qsizetype i = 0; i < a.size(); ++i)
            gap = std::max(gap, std::abs(a[i] - b[i]));
        return gap;
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!scalebench::test::haveMpirun())
            QSKIP("mpirun is not installed");
        QVERIFY(m_dir.isValid());
    }

    /// SIGKILL after the second epoch; one worker, which has all tables then, ends the run with
    /// the curve of one that was never disturbed.
    void killedWorkerAndResumedOnOne()
    {
        const QString whole = makeRun(QStringLiteral("whole"), 1);
        const MpiRun undisturbed = run(whole, 1);
        QVERIFY2(undisturbed.exitCode == 0, undisturbed.output.constData());
        const QList<double> wanted = curveOf(whole);
        QCOMPARE(wanted.size(), 5);
        QVERIFY2(wanted.last() > 0.6, qPrintable(QString::number(wanted.last())));

        const QString folder = makeRun(QStringLiteral("killed"), 2);
        QProcess mpirun;
        scalebench::test::prepareMpirun(mpirun, 2, kEngine, {QStringLiteral("--run"), folder});
        mpirun.start();
        QElapsedTimer timer;
        timer.start();
        while (curveOf(folder).size() < 2 && timer.elapsed() < scalebench::test::kHangMs)
            QTest::qWait(5);
        const QList<qint64> ranks = enginesIn(folder);
        QCOMPARE(ranks.size(), 2);
        ::kill(pid_t(ranks.last()), SIGKILL);
        QVERIFY(mpirun.waitForFinished(scalebench::test::kHangMs));
        QVERIFY(mpirun.exitCode() != 0);
        QTRY_VERIFY_WITH_TIMEOUT(enginesIn(folder).isEmpty(), scalebench::test::kHangMs);
        QVERIFY(curveOf(folder).size() < 5);

        setWorkers(folder, 1);
        const MpiRun rest = run(folder, 1, {QStringLiteral("--resume")});
        QVERIFY2(rest.exitCode == 0, rest.output.constData());
        const double gap = largestGap(curveOf(folder), wanted);
        QVERIFY2(gap < 1e-3, qPrintable(QString::number(gap)));
    }

    /// The same curve, and the setup record says what was on.
    void overlapAndHotRows()
    {
        const QString plain = makeRun(QStringLiteral("plain"), 2);
        const QString both =
            makeRun(QStringLiteral("both"), 2, {{"overlap", true}, {"hot_rows", 100}});
        for (const QString& folder : {plain, both}) {
            const MpiRun done = run(folder, 2);
            QVERIFY2(done.exitCode == 0, done.output.constData());
        }
        const double gap = largestGap(curveOf(both), curveOf(plain));
        QVERIFY2(gap < 1e-3, qPrintable(QString::number(gap)));
        const auto switches = [](const QString& folder) {
            return recordsOf(folder, "setup")
                .value(0)[QStringLiteral("value")][QStringLiteral("switches")];
        };
        QCOMPARE(switches(both)[QStringLiteral("hot_rows")].toInt(), 100);
        QCOMPARE(switches(both)[QStringLiteral("overlap")].toString(), QStringLiteral("on"));
        QCOMPARE(switches(plain)[QStringLiteral("hot_rows")].toString(), QStringLiteral("off"));
        QVERIFY(!recordsOf(plain, "step").isEmpty());
        for (const QJsonObject& step : recordsOf(plain, "step"))
            QVERIFY(step[QStringLiteral("value")][QStringLiteral("rows_ms")].toDouble() > 0);
    }
};

QTEST_GUILESS_MAIN(DlrmRunTest)
#include "dlrm_run_test.moc"
#include "support/campaign.h"
