// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/effects.h"
#include "analysis/result_files.h"
#include "support/launcher_fixture.h"

#include <QLocale>
#include <QTemporaryDir>
#include <QTest>

#include <clocale>

using namespace scalebench;

static Study sample()
{
    Study study;
    study.id = QStringLiteral("demo, \"quoted\"");
    for (int workers : {1, 2}) {
        RunRecord r;
        r.config.runId = QStringLiteral("run-%1").arg(workers);
        r.config.workload = QStringLiteral("resnet");
        r.config.scale = QStringLiteral("desk");
        r.config.device = QStringLiteral("cpu");
        r.config.precision = QStringLiteral("fp32");
        r.config.workers = workers;
        r.config.globalBatch = 128;
        r.config.target = 0.8;
        r.config.epochs = 12;
        r.state = RunState::Completed;
        r.runStartMs = 1'700'000'000'000.0;
        r.runStopMs = r.runStartMs + 60'000.0 / workers + 1;
        r.throughput = 1000.0 / 3 * workers;
        EvalPoint point;
        point.epoch = 7;
        point.samples = 35840;
        point.seconds = 1.0 / 3;
        point.value = 0.1 + 0.2 + 0.5;
        r.evals << point;
        study.runs << r;
    }
    study.runs[1].failure = {QStringLiteral("x"), QStringLiteral("line one\nline \"two\"")};
    return study;
}

/// RFC 4180 reader: rows of fields.
static QList<QStringList> parseCsv(const QByteArray& text)
{
    QList<QStringList> rows{{}};
    QByteArray field;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '"' && i + 1 < text.size() && text[i + 1] == '"')
                field += text[++i];
            else if (c == '"')
                quoted = false;
            else
                field += c;
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',' || c == '\n') {
            rows.last() << QString::fromUtf8(field);
            field.clear();
            if (c == '\n')
                rows << QStringList();
        } else if (c != '\r') {
            field += c;
        }
    }
    rows.removeLast();
    return rows;
}

static QMap<QString, QString> rowOf(const QList<QStringList>& rows, int index)
{
    QMap<QString, QString> row;
    for (int i = 0; i < rows[0].size(); ++i)
        row.insert(rows[0][i], rows[index].value(i));
    return row;
}

class ResultFilesTest : public QObject
{
    Q_OBJECT
private slots:
    void numbersReadBackExactly()
    {
        const Study study = sample();
        const auto rows = parseCsv(runsCsv(study));
        QCOMPARE(rows.size(), 3);
        QVERIFY(rows[0]
                    .join(QLatin1Char(','))
                    .startsWith(QStringLiteral(
                        "study,run_id,workload,scale,device,precision,nodes,workers,global_batch,"
                        "seed,repeat,"
                        "status,quality,target,epochs,time_to_train_s,samples_per_s")));
        for (int i : {0, 1}) {
            const auto row = rowOf(rows, i + 1);
            QCOMPARE(rows[i + 1].size(), rows[0].size());
            QCOMPARE(row[QStringLiteral("study")], study.id);
            QVERIFY(row[QStringLiteral("time_to_train_s")].toDouble() ==
                    study.runs[i].timeToTrainS());
            QVERIFY(row[QStringLiteral("samples_per_s")].toDouble() == study.runs[i].throughput);
            QVERIFY(row[QStringLiteral("quality")].toDouble() == study.runs[i].bestQuality());
        }
        QCOMPARE(rowOf(rows, 2)[QStringLiteral("error_message")],
                 QStringLiteral("line one\nline \"two\""));
        const auto curve = rowOf(parseCsv(curvesCsv(study)), 1);
        QVERIFY(curve[QStringLiteral("seconds")].toDouble() == 1.0 / 3);
        QCOMPARE(curve[QStringLiteral("metric")], QStringLiteral("top1_accuracy"));
    }

    /// The clock leaves out what lies between a checkpoint and going on; the table says so.
    void resumedRunsAreMarked()
    {
        Study study = sample();
        const double trained = study.runs[0].timeToTrainS();
        QVERIFY(trained > 0);
        study.runs[0].resumes = 2;
        study.runs[0].pausedMs = 18500;
        const auto rows = parseCsv(runsCsv(study));
        QCOMPARE(rowOf(rows, 1)[QStringLiteral("resumed")], QStringLiteral("2"));
        QCOMPARE(rowOf(rows, 1)[QStringLiteral("time_to_train_s")].toDouble(), trained);
        QCOMPARE(rowOf(rows, 1)[QStringLiteral("elapsed_s")].toDouble(), trained + 18.5);
        QCOMPARE(rowOf(rows, 2)[QStringLiteral("resumed")], QStringLiteral("0"));
        // In every file.
        const QString marks = QStringLiteral("marks");
        QCOMPARE(rowOf(rows, 1)[marks], QStringLiteral("resumed"));
        for (const QStringList& row : parseCsv(curvesCsv(study)).mid(1))
            QCOMPARE(row.last(), row.first() == QStringLiteral("run-1") ? QStringLiteral("resumed")
                                                                        : QString());
        QCOMPARE(rowOf(parseCsv(speedupCsv(study)), 1)[QStringLiteral("remark")],
                 QStringLiteral("resumed"));
        Effect effect;
        effect.marks = QStringList{QStringLiteral("resumed")};
        QCOMPARE(rowOf(parseCsv(effectsCsv({effect})), 1)[marks], QStringLiteral("resumed"));
    }

    void curvesHaveEveryMetric()
    {
        Study study = sample();
        study.runs.removeLast();
        study.runs[0].config.workload = QStringLiteral("ncf");
        study.runs[0].evals[0].metrics = {
            {QStringLiteral("hit_rate"), study.runs[0].evals[0].value},
            {QStringLiteral("ndcg"), 0.5}};
        const auto rows = parseCsv(curvesCsv(study));
        QCOMPARE(rowOf(rows, 1)[QStringLiteral("metric")], QStringLiteral("hit_rate"));
        QCOMPARE(rowOf(rows, 2)[QStringLiteral("metric")], QStringLiteral("ndcg"));
        QCOMPARE(rowOf(rows, 2)[QStringLiteral("value")], QStringLiteral("0.5"));
    }

    void curvesHaveWhatEvaluationsCost()
    {
        Study study = sample();
        study.runs.removeLast();
        study.runs[0].epochs = {EpochSummary{1, 640, 2.0, 1.5, 0.25},
                                EpochSummary{2, 1280, 4.0, 1.5}};
        QStringList costs;
        const auto rows = parseCsv(curvesCsv(study));
        for (int i = 1; i < rows.size(); ++i)
            if (const auto row = rowOf(rows, i);
                row[QStringLiteral("metric")] == QStringLiteral("epoch_eval_s"))
                costs << row[QStringLiteral("epoch")] + QLatin1Char(' ') +
                             row[QStringLiteral("value")];
        QCOMPARE(costs, QStringList{QStringLiteral("1 0.25")}); // the second one was hidden
    }

    void speedupEqualsTheRatioOfTheRuns()
    {
        const Study study = sample();
        const auto runs = parseCsv(runsCsv(study));
        const auto speedup = parseCsv(speedupCsv(study));
        const double ratio = rowOf(runs, 1)[QStringLiteral("time_to_train_s")].toDouble() /
                             rowOf(runs, 2)[QStringLiteral("time_to_train_s")].toDouble();
        QVERIFY(rowOf(speedup, 2)[QStringLiteral("speedup")].toDouble() == ratio);
        QCOMPARE(rowOf(speedup, 1)[QStringLiteral("time_low_s")], QString()); // n = 1: no interval
    }

    void pointWhateverTheLocale()
    {
        const QByteArray before = runsCsv(sample()) + curvesCsv(sample()) + speedupCsv(sample());
        QLocale::setDefault(QLocale(QLocale::German));
        const bool available = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
        QCOMPARE(runsCsv(sample()) + curvesCsv(sample()) + speedupCsv(sample()), before);
        QLocale::setDefault(QLocale::c());
        std::setlocale(LC_ALL, "C");
        if (!available)
            qInfo("de_DE.UTF-8 is not installed; only Qt's locale was switched");
    }

    void emptyStudy()
    {
        QCOMPARE(parseCsv(runsCsv(Study())).size(), 1);
        QCOMPARE(parseCsv(speedupCsv(Study())).size(), 1);
    }

    void written()
    {
        QTemporaryDir dir;
        QVERIFY(writeCsvFiles(sample(), dir.filePath(QStringLiteral("new/folder"))));
        const QStringList names =
            QDir(dir.filePath(QStringLiteral("new/folder"))).entryList(QDir::Files);
        QCOMPARE(names, (QStringList{QStringLiteral("curves.csv"), QStringLiteral("runs.csv"),
                                     QStringLiteral("speedup.csv")}));
        const auto refused = writeCsvFiles(sample(), QStringLiteral("/proc/x"));
        QCOMPARE(refused.failure().code, QStringLiteral("not_writable"));
    }

    void picturesWithoutWorkbench()
    {
        qputenv("SCALEBENCH_GUI", "/does/not/exist");
        QCOMPARE(writePictures(QStringLiteral("/s"), QStringLiteral("/o")).failure().code,
                 QStringLiteral("gui_missing"));
        QTemporaryDir dir;
        const auto script = [&](const char* text) {
            QFile file(dir.filePath(QStringLiteral("gui")));
            if (file.open(QIODevice::WriteOnly | QIODevice::Truncate))
                file.write(text);
            file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            file.close();
            qputenv("SCALEBENCH_GUI", file.fileName().toUtf8());
        };
        script("#!/bin/sh\n[ \"$1 $2 $3 $4 $QT_QPA_PLATFORM\" = '--export /a b --out /c offscreen' "
               "]\n");
        QVERIFY(writePictures(QStringLiteral("/a b"), QStringLiteral("/c")));
        script("#!/bin/sh\necho no fonts\nexit 5\n");
        const auto failed = writePictures(QStringLiteral("/a"), QStringLiteral("/c"));
        QCOMPARE(failed.failure().code, QStringLiteral("pictures_failed"));
        QCOMPARE(failed.failure().details, QStringLiteral("no fonts\n"));
        qunsetenv("SCALEBENCH_GUI");
    }
};

QTEST_GUILESS_MAIN(ResultFilesTest)
#include "result_files_test.moc"
