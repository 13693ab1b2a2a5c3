// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of others and our own: how they are read, and what makes a series of their runs.
#include "analysis/effects.h"
#include "analysis/result_files.h"
#include "analysis/speedup_table.h"
#include "import/csv_runs.h"
#include "import/import_files.h"
#include "import/import_store.h"
#include "library/library.h"
#include "run/study.h"

#include <QFile>
#include <QJsonDocument>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;
using namespace scalebench::imports;
using namespace Qt::Literals::StringLiterals;

static QString put(const QTemporaryDir& dir, const QString& name, const QByteArray& bytes)
{
    QFile file(dir.filePath(name));
    if (file.open(QIODevice::WriteOnly))
        file.write(bytes);
    return file.fileName();
}

class CsvRunsTest : public QObject
{
    Q_OBJECT

private slots:
    void csvDialects_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("comma") << QByteArray("GPUs,\"Time (min)\",note\r\n"
                                             "1,\"1,234.5\",\"a \"\"b\"\"\nc\"\r\n8,160.25,x\r\n");
        QTest::newRow("semicolon and decimal comma")
            << QByteArray("\xef\xbb\xbfGPUs;Time (min);note\n1;1.234,5;a\n8;160,25;\n");
        QTest::newRow("tab") << QByteArray(
            "GPUs\tTime (min)\tnote\n1\t1234.5\tk\xf6ln\n8\t160.25\t\n");
        QTest::newRow("bar, a comment before, blank lines")
            << QByteArray("# results\nGPUs|Time (min)|note\n\n1|1234.5|\n\n8|160.25|");
    }
    void csvDialects()
    {
        QFETCH(QByteArray, text);
        const auto table = parseCsv(text, u"x.csv"_s);
        QVERIFY2(table, table ? "" : qPrintable(table.failure().message));
        const auto runs = runsOfCsv(table.value(), {}, u"x.csv"_s);
        QVERIFY2(runs, runs ? "" : qPrintable(runs.failure().message));
        QCOMPARE(runs.value().runs.size(), 2);
        QCOMPARE(runs.value().defectCount, 0);
        QCOMPARE(runs.value().runs[0].accelerators, 1);
        QVERIFY(qAbs(*runs.value().runs[0].minutes() - 1234.5) < 1e-6);
        QVERIFY(qAbs(*runs.value().runs[1].minutes() - 160.25) < 1e-6);
    }

    void csvDefects()
    {
        const auto table = parseCsv("workers,seconds\n1,10\n2\n4,x\n,3\n8,2\n", u"x"_s);
        const auto runs = runsOfCsv(table.value(), {}, u"x"_s);
        QCOMPARE(runs.value().runs.size(), 2);
        QCOMPARE(runs.value().defectCount, 3);
        QList<int> lines;
        for (const LogDefect& defect : runs.value().defects)
            lines << defect.line;
        QCOMPARE(lines, (QList<int>{3, 4, 5}));
        QVERIFY(parseCsv("a,b\n1,\"no end", u"x"_s).failure().message.contains(u"x:2"_s));
        QVERIFY(!parseCsv("", u"x"_s));
        const auto missing = runsOfCsv(parseCsv("a,b\n1,2\n", u"x"_s).value(), {}, u"x"_s);
        QCOMPARE(missing.failure().code, u"columns_missing"_s);
        const auto german =
            runsOfCsv(parseCsv("GPUs;Zeit (min)\n1;2\n", u"x"_s).value(), {}, u"x"_s);
        QVERIFY(german.failure().message.contains(u"minutes=COLUMN or seconds=COLUMN"_s));
        QVERIFY(!parseCsvMapping(u"wrokers=GPUs"_s));
        const auto mapped =
            runsOfCsv(parseCsv("cards,took\n2,60\n", u"x"_s).value(),
                      parseCsvMapping(u"workers=cards,seconds=took"_s).value(), u"x"_s);
        QCOMPARE(mapped.value().runs.size(), 1);
        QCOMPARE(*mapped.value().runs[0].minutes(), 1.0);
    }

    /// Decimals of two countries: thousands tell of them only where nothing else does.
    void decimalComma()
    {
        const auto first = [](const char* text) {
            return parseCsv(text, u"x"_s).value().number(0, 0).value_or(-1);
        };
        QCOMPARE(first("a;b\n31,5;1.000\n"), 31.5);
        QCOMPARE(parseCsv("a;b\n31,5;1.000\n", u"x"_s).value().number(0, 1), 1000.0);
        QCOMPARE(first("a;b\n31,500;7\n"), 31.5);
        QCOMPARE(first("a;b\n1,500;2.5\n"), 1500.0);
        QCOMPARE(first("a;b\n2.5;31,25\n"), 2.5); // a decimal point among commas stays one
        QCOMPARE(first("a,b\n\"31,500\",2\n"), 31500.0);
    }

    /// A table's row says why its run does not count; nothing is made up for what it does not tell.
    void whatATableDoesNotTell()
    {
        const auto table = parseCsv("workers,time_to_train_s,status,samples_per_s,target,epochs\n"
                                    "1,-5,completed,1000,0.7,\n"
                                    "2,60,ok,2000,0.7,10\n"
                                    "2,1:30,completed,2000,0.7,10\n"
                                    "2,,,2000,0.7,10\n"
                                    "2,60,,2000,0.7,10\n"
                                    "2,1e400,completed,,0.7,10\n",
                                    u"x"_s);
        const CsvRuns runs = runsOfCsv(table.value(), {}, u"x"_s).value();
        QStringList why;
        for (const ImportedRun& run : runs.runs) {
            QVERIFY(run.evals.isEmpty()); // no quality is told
            why << run.failure.message;
        }
        QCOMPARE(
            why,
            (QStringList{
                u"Line 2: \"-5\" is no time: a number above 0 is expected, of seconds or minutes."_s,
                u"Line 3 does not call this run completed, but \"ok\"."_s,
                u"Line 4: \"1:30\" is no time: a number above 0 is expected, of seconds or minutes."_s,
                u"Line 5 tells samples/s, but no time to train."_s, QString()}));
        QCOMPARE(runs.runs[4].converged, true);
        QCOMPARE(toRunRecord(runs.runs[4], {}, {}).epochsToTarget(), 10.0);
        QCOMPARE(toRunRecord(runs.runs[0], {}, {}).epochsToTarget(), 0.0);
        QCOMPARE(runs.defects.size(), 1);
        QCOMPARE(runs.defects[0].line, 7);
        QVERIFY(runs.defects[0].text.startsWith(u"\"1e400\" is no time"_s));
        const auto below = parseCsv("workers,seconds,quality,target\n1,5,0.6,0.7\n", u"x"_s);
        QCOMPARE(runsOfCsv(below.value(), {}, u"x"_s).value().runs[0].failure.message,
                 u"Line 2: the quality is below the target."_s);
    }

    /// What is exported and imported again gives the same chart.
    void csvThereAndBack()
    {
        Study study;
        study.id = u"demo"_s;
        for (int i = 0; i < 6; ++i) {
            RunRecord run;
            run.config.runId = u"r%1"_s.arg(i);
            run.config.workload = u"resnet"_s;
            run.config.scale = u"desk"_s;
            run.config.workers = 1 << (i / 2);
            run.config.globalBatch = 128;
            run.config.target = 0.8;
            run.config.repeat = i % 2 + 1;
            run.state = i == 5 ? RunState::NotConverged : RunState::Completed;
            run.runStartMs = 1000;
            run.runStopMs = 1000 + 100'000.0 / run.config.workers + 777 * i;
            run.throughput = 900.5 * run.config.workers;
            run.evals << EvalPoint{5.0 + i % 2, 0, 1, i == 5 ? 0.7 : 0.81, {}};
            study.runs << run;
        }
        QTemporaryDir dir;
        put(dir, u"runs.csv"_s, runsCsv(study));
        const auto library = Library::open(dir.filePath(u"library"_s)).value();
        const ImportReport report = importFiles({dir.filePath(u"runs.csv"_s)});
        QCOMPARE(report.read(), 1);
        const auto stored = storeImports(*library, report);
        QVERIFY(stored);
        QCOMPARE(stored.value().stored, 6);
        const auto back = loadStudy(library->findStudyDir(stored.value().studies.value(0)).value());
        QVERIFY(back);
        const auto before = speedupTable(study.runs), after = speedupTable(back.value().runs);
        QCOMPARE(after.size(), before.size());
        for (qsizetype i = 0; i < before.size(); ++i) {
            QCOMPARE(after[i].workers, before[i].workers);
            QCOMPARE(after[i].runs, before[i].runs);
            QCOMPARE(after[i].notConverged, before[i].notConverged);
            QVERIFY(qAbs(after[i].meanTimeS - before[i].meanTimeS) < 1e-6);
            QVERIFY(qAbs(after[i].speedup - before[i].speedup) < 1e-9);
            QVERIFY(qAbs(after[i].epochsRatio - before[i].epochsRatio) < 1e-9);
        }
    }

    /// Systems, submitters, series, settings and files of tables are never averaged.
    void whatTellsTablesRunsApart_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("series");
        const auto row = [](const char* name, const char* text, const QStringList& series) {
            QTest::newRow(name) << QByteArray(text) << series;
        };
        row("system",
            "workload,system,workers,minutes\nnet,Alpha,1,100\nnet,Alpha,4,30\n"
            "net,Beta,1,200\nnet,Beta,4,40\n",
            {u"Alpha 3.33"_s, u"Beta 5.00"_s});
        row("submitter",
            "workload,submitter,workers,minutes\nnet,A,1,100\nnet,B,1,80\nnet,A,4,50\n"
            "net,B,4,20\n",
            {u"A 2.00"_s, u"B 4.00"_s});
        row("settings",
            "workload,workers,batch,learning_rate,optimizer,minutes\nnet,1,256,0.1,adam,100\n"
            "net,1,256,0.2,sgd,50\nnet,2,256,1e-1,adam,50\nnet,2,256,0.2,sgd,40\n",
            {u"lr 0.1, adam 2.00"_s, u"lr 0.2, sgd 1.25"_s});
        row("words of its own, and numbers that were measured",
            "workload,workers,minutes,cloud,loss\nnet,1,100,near,0.5\nnet,2,50,near,0.5\n"
            "net,1,90,far,0.4\nnet,2,60,far,0.6\n",
            {u"cloud near 2.00"_s, u"cloud far 1.50"_s});
        row("series beside a network",
            "workload,model,series,workers,minutes\nnet,m,a,1,100\nnet,m,a,2,50\n"
            "net,m,b,1,90\nnet,m,b,2,60\n",
            {u"a 2.00"_s, u"b 1.50"_s});
    }
    void whatTellsTablesRunsApart()
    {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, series);
        const CsvRuns runs = runsOfCsv(parseCsv(text, u"x"_s).value(), {}, u"x"_s).value();
        ImportedStudy study{u"x"_s, u"x"_s, u"csv"_s, runs.runs};
        for (int i = 0; i < study.runs.size(); ++i)
            study.runs[i].runId = u"r%1"_s.arg(i);
        const QByteArray json = QJsonDocument(toJson(study)).toJson();
        const ImportedStudy read = parseImportedStudy(json, u"record.json"_s).value();
        QList<RunRecord> records;
        for (const ImportedRun& run : read.runs)
            records << toRunRecord(run, read, {});
        QStringList told;
        for (const SpeedupRow& row : speedupTable(records)) {
            QCOMPARE(row.runs, 1);
            if (!row.baseline)
                told << row.group + u' ' + QString::number(row.speedup, 'f', 2);
        }
        QCOMPARE(told, series);
    }

    void filesAreSeries()
    {
        QTemporaryDir dir;
        const QStringList files{
            put(dir, u"one.csv"_s, "workload,workers,minutes\nn,1,100\nn,2,60\n"),
            put(dir, u"two.csv"_s, "workload,workers,minutes\nn,1,10\nn,4,3\n")};
        const auto library = Library::open(dir.filePath(u"library"_s)).value();
        const auto stored = storeImports(*library, importFiles(files));
        const auto study =
            loadStudy(library->findStudyDir(stored.value().studies.value(0)).value()).value();
        QStringList told;
        for (const SpeedupRow& row : speedupTable(study.runs))
            told << u"%1 %2 %3"_s.arg(row.group).arg(row.workers).arg(row.speedup, 0, 'f', 2);
        QCOMPARE(told, (QStringList{u"one.csv 1 1.00"_s, u"one.csv 2 1.67"_s, u"two.csv 1 1.00"_s,
                                    u"two.csv 4 3.33"_s}));
    }

    /// Marks, oversubscription and series of an export are there again.
    void ownTableThereAndBack()
    {
        Study study;
        study.id = u"demo"_s;
        for (int i = 0; i < 8; ++i) {
            RunRecord run;
            run.config.runId = u"r%1"_s.arg(i);
            run.config.workload = u"resnet"_s;
            run.config.scale = u"desk"_s;
            run.config.precision = u"bf16"_s;
            run.config.workers = 1 << (i / 2);
            run.config.batchPolicy = u"weak"_s;
            run.config.globalBatch = 128 * run.config.workers;
            run.config.learningRate = 0.1 * run.config.workers;
            run.config.epochs = 2;
            run.config.oversubscribed = run.config.workers == 8;
            run.config.json = {{u"options"_s, QJsonObject{{u"overlap"_s, i % 2 == 1}}},
                               {u"epochs"_s, 2}};
            run.setup = {{u"compute_precision"_s, u"fp32"_s}};
            run.state = RunState::Completed;
            run.resumes = i == 2 ? 1 : 0;
            run.runStartMs = 1000;
            run.runStopMs = 1000 + 100'000.0 / run.config.workers + 777 * i;
            run.throughput = 900.5 * run.config.workers;
            run.evals << EvalPoint{2, 0, 1, 0.7, {}};
            study.runs << run;
        }
        QTemporaryDir dir;
        const QString file = put(dir, u"runs.csv"_s, runsCsv(study));
        const auto library = Library::open(dir.filePath(u"library"_s)).value();
        const auto stored = storeImports(*library, importFiles({file}));
        const auto back =
            loadStudy(library->findStudyDir(stored.value().studies.value(0)).value()).value();
        const auto before = speedupTable(study.runs), after = speedupTable(back.runs);
        QCOMPARE(after.size(), before.size());
        for (qsizetype i = 0; i < before.size(); ++i) {
            QCOMPARE(after[i].group, before[i].group);
            QCOMPARE(after[i].workers, before[i].workers);
            QCOMPARE(after[i].oversubscribed, before[i].oversubscribed);
            QCOMPARE(QSet<QString>(after[i].marks.begin(), after[i].marks.end()),
                     QSet<QString>(before[i].marks.begin(), before[i].marks.end()));
            if (!before[i].oversubscribed)
                QVERIFY(qAbs(after[i].speedup - before[i].speedup) < 1e-9);
        }
        QVERIFY(before.last().oversubscribed);
        const auto effects = mainEffects(back.runs);
        QCOMPARE(effects.size(), 1);
        QCOMPARE(effects[0].path, u"options.overlap"_s);
        QCOMPARE(effects[0].ratio, mainEffects(study.runs)[0].ratio);
    }
};

QTEST_GUILESS_MAIN(CsvRunsTest)
#include "csv_runs_test.moc"
