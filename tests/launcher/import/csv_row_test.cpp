// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of tables: what cannot be read, what contradicts itself and what is never told.
#include "analysis/result_files.h"
#include "import/csv_runs.h"
#include "import/import_files.h"
#include "import/import_store.h"
#include "library/library.h"
#include "run/study.h"

#include <QDateTime>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;
using namespace scalebench::imports;
using namespace Qt::Literals::StringLiterals;

namespace {

CsvRuns readTable(const QByteArray& text)
{
    return runsOfCsv(parseCsv(text, u"x"_s).value(), {}, u"x"_s).value();
}

QString put(const QTemporaryDir& dir, const QString& name, const QByteArray& bytes)
{
    QFile file(dir.filePath(name));
    if (file.open(QIODevice::WriteOnly))
        file.write(bytes);
    return file.fileName();
}

/// The study that a table becomes in a library.
Study imported(const QTemporaryDir& dir, const QString& file)
{
    const auto library = Library::open(dir.filePath(u"library"_s)).value();
    const auto stored = storeImports(*library, importFiles({file}));
    return loadStudy(library->findStudyDir(stored.value().studies.value(0)).value()).value();
}

} // namespace

class CsvRowTest : public QObject
{
    Q_OBJECT

private slots:
    void countsAreWhole()
    {
        const CsvRuns runs = readTable("workers,minutes\n1.5,20\n2.4,50\n2,30\n0,3\n");
        QCOMPARE(runs.runs.size(), 1);
        QCOMPARE(runs.runs[0].accelerators, 2);
        QCOMPARE(runs.defectCount, 3);
        QCOMPARE(runs.defects[1].line, 3);
        QVERIFY(runs.defects[1].text.startsWith(
            u"\"2.4\" in the column \"workers\" is no number of workers"_s));
    }

    void unreadableCells_data()
    {
        QTest::addColumn<QByteArray>("column");
        QTest::addColumn<QByteArray>("cell");
        const auto row = [](const char* column, const char* cell) {
            QTest::addRow("%s %s", column, cell) << QByteArray(column) << QByteArray(cell);
        };
        row("batch", "64.7");
        row("batch", "-5");
        row("epochs", "abc");
        row("epochs", "-5");
        row("epochs", "1e300");
        row("epochs", "1e-300");
        row("accuracy", "abc");
        row("accuracy", "1e300");
        row("target", "good");
        row("nodes", "1.2");
        row("nodes", "0");
        row("seed", "x");
        row("learning_rate", "-1");
        row("threads_per_worker", "2.5");
        row("throughput", "1e300");
        row("seconds", "soon"); // beside minutes
    }
    void unreadableCells()
    {
        QFETCH(QByteArray, column);
        QFETCH(QByteArray, cell);
        const CsvRuns runs =
            readTable("workers,minutes," + column + "\n2,10," + cell + "\n4,5,\n" + "8,3,n/a\n");
        QCOMPARE(runs.runs.size(), 3);
        QCOMPARE(runs.defectCount, 1); // an empty cell says nothing
        QCOMPARE(runs.defects[0].line, 2);
        QVERIFY2(runs.defects[0].text.contains(QString::fromLatin1(cell)),
                 qPrintable(runs.defects[0].text));
        const ImportedRun& run = runs.runs[0];
        QVERIFY(run.globalBatch == 0 && !run.epochs && run.evals.isEmpty() && !run.target);
        QVERIFY(run.nodes == 0 && !run.seed && run.learningRate == 0 && run.threads == 0);
        QCOMPARE(run.throughput, 0.0);
    }

    void times()
    {
        const CsvRuns runs = readTable("workers,seconds,minutes\n1,1e-300,\n1,60,50\n"
                                       "1,60,1\n1,50,0.8\n");
        QCOMPARE(runs.runs.size(), 2);
        QVERIFY(runs.runs[0].converged && runs.runs[0].minutes().has_value());
        QCOMPARE(runs.defectCount, 2);
        QVERIFY(runs.defects[0].text.contains(u"shorter than a millisecond"_s));
        QCOMPARE(runs.defects[1].text,
                 u"\"60\" in the column \"seconds\" and \"50\" in the column "
                 "\"minutes\" are two times: which one it took is not known"_s);
    }

    void doubledColumns()
    {
        const CsvRuns same = readTable("workers,workers,minutes\n1,2,10\n");
        QCOMPARE(same.defectCount, 1);
        QCOMPARE(same.defects[0].line, 1);
        QVERIFY(same.defects[0].text.contains(u"several columns are called \"workers\""_s));
        const CsvRuns two = readTable("# note\nworkers,gpus,minutes\n1,1,10\n2,8,5\n");
        QCOMPARE(two.defectCount, 1);
        QCOMPARE(two.defects[0].line, 2);
        QVERIFY2(two.defects[0].text.contains(u"first in line 4"_s),
                 qPrintable(two.defects[0].text));
        QCOMPARE(readTable("workers,gpus,minutes\n1,1,10\n2,2,5\n").defectCount, 0);
        const auto table = parseCsv("workers,gpus,minutes\n2,8,5\n", u"x"_s).value();
        const auto told = parseCsvMapping(u"workers=gpus"_s).value();
        QCOMPARE(runsOfCsv(table, told, u"x"_s).value().defectCount, 0);
    }

    /// 70 beside a target of 0.759 is 70 per cent, not a quality that was reached.
    void perCent()
    {
        const CsvRuns runs = readTable("workload,workers,minutes,accuracy,target\n"
                                       "resnet,1,10,70,0.759\nresnet,2,5,76.1,0.759\n"
                                       "gnmt,2,5,24.1,24\n");
        QCOMPARE(runs.defectCount, 0);
        QCOMPARE(runs.runs[0].evals[0].value, 0.7);
        QVERIFY(!runs.runs[0].converged);
        QVERIFY(runs.runs[1].converged);
        QCOMPARE(runs.runs[1].remarks, QStringList{u"\"76.1\" in the column \"accuracy\" "
                                                   "was read as per cent"_s});
        const CsvRuns unnamed = readTable("gpus,minutes,accuracy,target\n1,10,70,75.9\n");
        QCOMPARE(unnamed.runs[0].evals[0].value, 0.7);
        QVERIFY(!unnamed.runs[0].converged);
        // One such cell says nothing of the others.
        const CsvRuns mixed = readTable("workload,workers,minutes,quality,target\n"
                                        "resnet,1,10,70 %,0.759\nresnet,2,5,0.70,0.759\n"
                                        "resnet,4,3,0.76,75.9\n");
        QCOMPARE(mixed.defectCount, 0);
        for (const int i : {0, 1}) {
            QCOMPARE(mixed.runs[i].target, 0.759);
            QCOMPARE(mixed.runs[i].evals[0].value, 0.7);
            QVERIFY(!mixed.runs[i].converged && mixed.runs[i].remarks.isEmpty());
        }
        QCOMPARE(mixed.runs[2].target, 0.759);
        QVERIFY(mixed.runs[2].converged);
        const CsvRuns odd = readTable("workload,workers,minutes,quality\n"
                                      "resnet,1,10,700\nresnet,2,5,0.76\n");
        QCOMPARE(odd.defectCount, 1);
        QVERIFY(odd.runs[0].evals.isEmpty());
        QCOMPARE(odd.runs[1].evals[0].value, 0.76);
    }

    void utf16()
    {
        const QString text = u"workload\tGPUs\tminutes\nresnet\t2\t10\n"_s;
        const QByteArray bytes(reinterpret_cast<const char*>(text.utf16()), 2 * text.size());
        for (const QByteArray& mark : {QByteArray(), QByteArray("\xff\xfe")}) {
            const CsvRuns runs = readTable(mark + bytes);
            QCOMPARE(runs.runs.size(), 1);
            QCOMPARE(runs.runs[0].accelerators, 2);
            QCOMPARE(runs.runs[0].benchmark, u"resnet"_s);
        }
    }

    /// A table tells how long, not when: its runs are of the day of the import.
    void ofTheDayOfTheImport()
    {
        const QTemporaryDir dir;
        const qint64 before = QDateTime::currentMSecsSinceEpoch();
        const Study study =
            imported(dir, put(dir, u"a.csv"_s, "workload,workers,minutes\nresnet,1,10\n"));
        QVERIFY(study.runs[0].createdMs >= before);
        QCOMPARE(study.runs[0].startedMs, 0);
        QCOMPARE(study.runs[0].timeToTrainS(), 600.0);
    }

    /// What was never told is an empty cell, not 0.
    void notToldIsEmpty()
    {
        const QTemporaryDir dir;
        Study study = imported(
            dir, put(dir, u"a.csv"_s, "workload,workers,minutes,accuracy\nresnet,1,10,0.7\n"));
        study.runs[0].config.workers = 0; // as of an event file
        const QList<QByteArray> lines = runsCsv(study).split('\n');
        const QList<QByteArray> names = lines[0].trimmed().split(','),
                                cells = lines[1].trimmed().split(',');
        for (const char* name : {"workers", "global_batch", "seed", "epochs", "samples_per_s",
                                 "threads_per_worker", "learning_rate", "epochs_at_most"})
            QVERIFY2(cells[names.indexOf(name)].isEmpty(), name);
        StepPoint step;
        step.epoch = step.seconds = 1;
        step.loss = 0.5;
        study.runs[0].steps << step;
        const QByteArray curves = curvesCsv(study);
        QCOMPARE(curves.count('\n'), 3);
        QVERIFY2(curves.contains(",1,,1,train_loss,0.5,"), curves);
        QVERIFY2(curves.contains(",,,600,top1_accuracy,0.7,"), curves);
        QVERIFY2(speedupCsv(study).contains("\r\n,,,,1,"), speedupCsv(study));
    }

    /// Our own runs.csv keeps how many epochs were asked for, and its remarks.
    void epochsAtMostAndRemarks()
    {
        const QTemporaryDir dir;
        const QByteArray text = "workload,workers,minutes,epochs_at_most,remarks\n"
                                "resnet,1,10,2,\"Disturbed: a, b\"\n";
        const Study study = imported(dir, put(dir, u"runs.csv"_s, text));
        QCOMPARE(study.runs[0].config.epochs, 2);
        const QByteArray out = runsCsv(study);
        QVERIFY2(out.contains("Disturbed: a, b"), out);
    }
};

QTEST_GUILESS_MAIN(CsvRowTest)
#include "csv_row_test.moc"
