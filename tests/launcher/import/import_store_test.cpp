// SPDX-License-Identifier: GPL-3.0-or-later
// Imported runs in a library: listed, shown and exported beside own ones, never twice, never acted
// on.
#include "analysis/speedup_table.h"
#include "base/file_io.h"
#include "import/import_files.h"
#include "import/import_store.h"
#include "run/own_studies.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;
using namespace scalebench::imports;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString kFixtures = QStringLiteral(SB_SOURCE_DIR "/tests/launcher/import/fixtures/");
const QString kRound2 = kFixtures + u"tree/training_results_v2.0"_s;

} // namespace

class ImportStoreTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::shared_ptr<Library> m_library;
    QByteArray m_out, m_err;

    int run(const QStringList& arguments)
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"XDG_DATA_HOME"_s, m_dir->path());
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(SB_BIN_DIR "/scalebench"),
                      arguments + QStringList{u"--library"_s, m_dir->filePath(u"library"_s)});
        process.waitForFinished(60'000);
        m_out = process.readAllStandardOutput();
        m_err = process.readAllStandardError();
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    }

    QByteArray recordOf(const QString& id) const
    {
        QFile file(m_library->dir() + u"/imported/"_s + id + u"/record.json"_s);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_library = Library::open(m_dir->filePath(u"library"_s)).value();
    }

    void listsAndLoads()
    {
        const auto stored = storeImports(*m_library, importFiles({kRound2}));
        QVERIFY(stored);
        QCOMPARE(stored.value().stored, 10);
        QCOMPARE(stored.value().studies,
                 (QStringList{u"mlperf-v2.0-example-dlrm"_s, u"mlperf-v2.0-example-maskrcnn"_s,
                              u"mlperf-v2.0-example-resnet"_s, u"mlperf-v2.0-example-ssd"_s}));
        const auto studies = m_library->studies();
        QVERIFY(studies);
        QCOMPARE(studies.value().size(), 4);
        for (const StudySummary& study : studies.value()) {
            QCOMPARE(study.origin, u"imported: MLPerf log"_s);
            QVERIFY(!study.active);
        }
        const QString dir = m_library->findStudyDir(u"mlperf-v2.0-example-mask"_s).value();
        const auto study = loadStudy(dir);
        QVERIFY(study);
        QCOMPARE(study.value().runs.size(), 5);
        const RunRecord& first = study.value().runs.first();
        QCOMPARE(first.config.workers, 8);
        QCOMPARE(first.config.globalBatch, 96);
        QCOMPARE(first.state, RunState::Completed);
        QCOMPARE(study.value().runs[3].state, RunState::NotConverged);
        QCOMPARE(study.value().runs[4].config.repeat, 5);
        QVERIFY(first.setup.value("source"_L1).toString().endsWith("maskrcnn/result_0.txt"_L1));
        const auto rows = speedupTable(study.value().runs);
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0].runs, 4);
        QCOMPARE(rows[0].notConverged, 1);
        // The window looks at one run by its folder's name.
        const auto alone = loadRun(first.runDir);
        QVERIFY(alone);
        QCOMPARE(alone.value().evals.size(), 2);
    }

    void twiceIsOnce()
    {
        QVERIFY(storeImports(*m_library, importFiles({kRound2})));
        const QByteArray before = recordOf(u"mlperf-v2.0-example-resnet"_s);
        QVERIFY(!before.isEmpty());
        const auto again = storeImports(*m_library, importFiles({kRound2}));
        QCOMPARE(again.value().stored, 0);
        QCOMPARE(again.value().known, 10);
        QCOMPARE(recordOf(u"mlperf-v2.0-example-resnet"_s), before);
        // The same file elsewhere is the same run.
        QTemporaryDir other;
        QVERIFY(QFile::copy(kRound2 + u"/Example/results/box8/resnet/result_0.txt"_s,
                            other.filePath(u"copy.txt"_s)));
        QCOMPARE(storeImports(*m_library, importFiles({other.path()})).value().known, 1);
    }

    void readAnotherWay()
    {
        const QString log =
            kFixtures + u"tree/v0.5.0/example/submission/results/box_multi/resnet/result_0.txt"_s;
        QVERIFY(storeImports(*m_library, importFiles({log})));
        QVERIFY(!recordOf(u"mlperf-v0.5-example-resnet-scale-unknown"_s).isEmpty());
        ImportOptions options;
        options.accelerators = 128;
        const auto again = storeImports(*m_library, importFiles({log}, options), true);
        QCOMPARE(again.value().updated, 1);
        QVERIFY(recordOf(u"mlperf-v0.5-example-resnet-scale-unknown"_s).isEmpty());
        const Study study =
            loadStudy(m_library->findStudyDir(u"mlperf-v0.5-example-resnet"_s).value()).value();
        QCOMPARE(study.runs.size(), 1);
        QCOMPARE(study.runs[0].config.workers, 128);
        QCOMPARE(m_library->studies().value().size(), 1);
    }

    void nobodyMayActInIt()
    {
        QVERIFY(storeImports(*m_library, importFiles({kRound2})));
        const QString dir = m_library->findStudyDir(u"mlperf-v2.0-example-dlrm"_s).value();
        QVERIFY(!isOwnStudy(dir));
        QVERIFY(run({u"resume"_s, u"mlperf-v2.0-example-dlrm"_s}) != 0);
        QCOMPARE(QDir(dir).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden),
                 QStringList{u"record.json"_s});
    }

    void command()
    {
        QCOMPARE(run({u"import"_s, kRound2, u"--json"_s}), 0);
        const QJsonObject report = QJsonDocument::fromJson(m_out).object();
        const QJsonObject counts = report.value("counts"_L1).toObject();
        QCOMPARE(counts.value("read"_L1).toInt(), 10);
        QCOMPARE(counts.value("converged"_L1).toInt(), 8);
        QCOMPARE(counts.value("not_converged"_L1).toInt(), 2);
        QCOMPARE(counts.value("damaged"_L1).toInt(), 0);
        QCOMPARE(report.value("library"_L1).toObject().value("stored"_L1).toInt(), 10);
        QCOMPARE(run({u"results"_s, u"list"_s}), 0);
        QVERIFY(m_out.contains("imported: MLPerf log"));
        QCOMPARE(run({u"results"_s, u"show"_s, u"mlperf-v2.0-example-ssd"_s, u"--json"_s}), 0);
        const QJsonObject shown = QJsonDocument::fromJson(m_out).object();
        const QJsonObject first = shown.value("runs"_L1).toArray().at(0).toObject();
        QCOMPARE(first.value("origin"_L1).toString(), u"imported: MLPerf log"_s);
        QVERIFY(qAbs(first.value("time_to_train_s"_L1).toDouble() - 60.6) < 1e-9);
        const QString out = m_dir->filePath(u"export"_s);
        QCOMPARE(run({u"results"_s, u"export"_s, u"mlperf-v2.0-example-maskrcnn"_s, u"--out"_s, out,
                      u"--no-pictures"_s}),
                 0);
        QFile csv(out + u"/runs.csv"_s);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll().count('\n'), 6);
        QFile notice(out + u"/notice.txt"_s);
        QVERIFY(notice.open(QIODevice::ReadOnly));
        QVERIFY(notice.readAll().contains("not verified by MLCommons"));
        QCOMPARE(run({u"results"_s, u"rebuild"_s}), 0);
        QVERIFY(m_out.contains("4 studies"));
        QCOMPARE(run({u"import"_s, kFixtures + u"defects/no_record.txt"_s}), 2);
        QCOMPARE(run({u"import"_s, u"/does/not/exist"_s}), 2);
        QVERIFY(m_out.contains("does not exist"));
        QCOMPARE(run({u"import"_s}), 2);
    }

    void dryRunStoresNothing()
    {
        QCOMPARE(run({u"import"_s, kRound2, u"--dry-run"_s}), 0);
        QVERIFY(m_library->studies().value().isEmpty());
    }

    void hostileRecord_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::newRow("an id that leads out")
            << QByteArray("\"run_id\":\"") << QByteArray("\"run_id\":\"../../");
        QTest::newRow("workers") << QByteArray("\"accelerators\":8")
                                 << QByteArray("\"accelerators\":8e12");
        QTest::newRow("a text for a number")
            << QByteArray("\"start_ms\":") << QByteArray("\"start_ms\":\"x\",\"y\":");
        QTest::newRow("points") << QByteArray("\"evals\":[[") << QByteArray("\"evals\":[1,[");
        QTest::newRow("a newer version")
            << QByteArray("\"version\":1") << QByteArray("\"version\":9");
        QTest::newRow("line break")
            << QByteArray("\"submitter\":\"") << QByteArray("\"submitter\":\"\\n");
        QTest::newRow("cut") << QByteArray("\"runs\":") << QByteArray("\"runs\":[");
    }
    void hostileRecord()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QVERIFY(storeImports(*m_library, importFiles({kRound2})));
        const QString id = u"mlperf-v2.0-example-resnet"_s;
        const QString dir = m_library->findStudyDir(id).value();
        const QByteArray whole = recordOf(id);
        QByteArray bytes = whole;
        QVERIFY(bytes.contains(from));
        bytes.replace(from, to);
        QVERIFY(writeFileAtomically(dir + u"/record.json"_s, bytes));
        const auto study = loadStudy(dir);
        QVERIFY(!study);
        QVERIFY(study.failure().message.contains(u"record.json"_s));
        // Nothing is written over what could not be read, and it keeps nothing else out.
        const auto again = storeImports(*m_library, importFiles({kRound2}));
        QVERIFY(again);
        QCOMPARE(again.value().unread.size(), 1);
        QVERIFY(again.value().unread.first().contains(u"record.json"_s));
        QCOMPARE(again.value().studies, QStringList{id + u"-2"_s});
        QCOMPARE(recordOf(id), bytes);
        QVERIFY(!recordOf(id + u"-2"_s).isEmpty());
        // The others are still listed after a rebuild.
        QCOMPARE(m_library->rebuild().value(), 4);
        QVERIFY(writeFileAtomically(dir + u"/record.json"_s, whole));
        QCOMPARE(m_library->rebuild().value(), 5);
    }

    /// A good record stays where the new one could not be read again; others are stored.
    void refusesWhatCannotBeReadAgain()
    {
        ImportReport report = importFiles({kRound2});
        QVERIFY(storeImports(*m_library, report));
        const QString id = u"mlperf-v2.0-example-resnet"_s;
        const QByteArray before = recordOf(id);
        ImportedFile file = report.files.first();
        for (const ImportedFile& other : report.files)
            if (!other.runs.isEmpty() && other.runs.first().benchmark == "resnet"_L1)
                file = other;
        ImportedRun& run = file.runs.first();
        run.source = {u"/logs/huge.txt"_s, u"00"_s, 1, 1};
        run.evals.last().value = 1e20;
        ImportedFile good = file;
        good.runs.first().benchmark = u"other"_s;
        good.runs.first().source.sha256 = u"01"_s;
        good.runs.first().evals.clear();
        for (int attempt = 0; attempt < 2; ++attempt) {
            report.files = {file, good};
            const auto stored = storeImports(*m_library, report);
            QVERIFY(!stored);
            QCOMPARE(stored.failure().code, u"import_refused"_s);
            QVERIFY2(stored.failure().message.contains(u"/logs/huge.txt"_s),
                     qPrintable(stored.failure().message));
            QCOMPARE(recordOf(id), before);
            QVERIFY(recordOf(id + u"-2"_s).isEmpty());
            QVERIFY(!recordOf(u"mlperf-v2.0-example-other"_s).isEmpty());
        }
        QCOMPARE(m_library->rebuild().value(), 5);
    }

    void folderNames()
    {
        QCOMPARE(folderName(u"../../etc"_s), u"etc"_s);
        QCOMPARE(folderName(u"Tôkyô / 8x"_s), u"t-ky-8x"_s);
        QCOMPARE(folderName(u"\n"_s), u"x"_s);
    }
};

QTEST_GUILESS_MAIN(ImportStoreTest)
#include "import_store_test.moc"
