// SPDX-License-Identifier: GPL-3.0-or-later
// The DLRM workload as the training loop sees it: shares of workers, what is measured, what is
// refused.

#include "engine/train/trainer.h"
#include "engine/workloads/dlrm/auc_evaluator.h"
#include "engine/workloads/dlrm/dlrm_workload.h"
#include "kernels/check.h"
#include "tests/engine/workloads/run_json.h"
#include "tests/engine/workloads/worker_runs.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace scalebench;
using namespace scalebench::tests;
using namespace scalebench::workloads;
using Json = nlohmann::json;

class DlrmWorkloadTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Json example() const
    {
        Json json = Json::parse(R"({"format":"scalebench.run","version":1,"run_id":"r",
 "workload":"dlrm","model":{"name":"dlrm","dim":8,"bottom":[16],"top":[32]},
 "data":{"source":"generated","train_samples":6000,"eval_samples":1001,"table_rows":[20]},
 "workers":1,"global_batch":120,"optimizer":{"name":"adam"},
 "schedule":{"name":"constant","base_lr":0.01},"epochs":2})");
        json["data"]["path"] = m_folder.filePath(QStringLiteral("set")).toStdString();
        return json;
    }

private slots:
    /// Odd shares: every row counts once, and the area is the same to the last bit when the weights
    /// are.
    void anyNumberOfWorkersMeasuresTheSame()
    {
        const RunConfig config = parsed(example());
        std::map<int, double> areas;
        for (const int workers : {1, 2, 3}) {
            int64_t rows = 0;
            const Measured measured = measuredBy(config, workers, [&](const Batch& batch) {
                rows += std::any_cast<int64_t>(batch.notes);
            });
            QCOMPARE(measured.evalSamples, 1001);
            areas[workers] = measured.result.leading();
            QCOMPARE(measured.result.metrics[0].name, std::string("auc"));
            QCOMPARE(rows, int64_t(1001));
            QCOMPARE(areas[workers], areas[1]);
        }
        QVERIFY(areas[1] > 0.3 && areas[1] < 0.7); // it has learned nothing yet
    }

    void workersShareTheRowsOfAStep()
    {
        Json json = example();
        json["data"]["shuffle_block"] = 7;
        const RunConfig config = parsed(json);
        const auto rows = [](const Batch& batch) {
            std::vector<std::vector<float>> all;
            for (size_t i = 0; i < size_t(batch.samples); ++i) {
                const auto counts = batch.tensors[0].f32().subspan(i * 13, 13);
                std::vector<float> row(counts.begin(), counts.end());
                for (size_t t = 0; t < 26; ++t)
                    row.push_back(float(batch.tensors[1].i32()[t * size_t(batch.samples) + i]));
                row.push_back(batch.tensors[2].f32()[i]);
                all.push_back(std::move(row));
            }
            return all;
        };
        const auto one = samplesBy(config, 1, 1, rows);
        QCOMPARE(one.size(), size_t(50));
        QCOMPARE(one.front().size(), size_t(120));
        QVERIFY(samplesBy(config, 2, 1, rows) == one);
        QVERIFY(samplesBy(config, 3, 1, rows) == one);
    }

    void learns()
    {
        Json json = example();
        json["data"]["train_samples"] = 30000;
        json["data"]["path"] = m_folder.filePath(QStringLiteral("larger")).toStdString();
        json["target"] = 0.75;
        json["epochs"] = 3;
        const auto comm = dist::makeSelfCommunicator();
        const train::Outcome outcome = train::Trainer(parsed(json), *comm, nullptr).run();
        QVERIFY2(outcome.lastQuality > 0.75, std::to_string(outcome.lastQuality).c_str());
        QCOMPARE(outcome.reason, std::string("target_reached"));
    }

    void rowsThatNobodyMadeTrainToo()
    {
        Json json = example();
        json["data"] = {{"source", "synthetic"},
                        {"train_samples", 600},
                        {"eval_samples", 100},
                        {"table_rows", {5}}};
        json["epochs"] = 1;
        const auto comm = dist::makeSelfCommunicator();
        QCOMPARE(train::Trainer(parsed(json), *comm, nullptr).run().reason,
                 std::string("epochs_done"));
    }

    void evaluationOfOneLabelIsRefused()
    {
        QDir(m_folder.path()).mkdir(QStringLiteral("one"));
        for (const char* name : {"one/train.txt", "one/test.txt"}) {
            QFile file(m_folder.filePath(QString::fromLatin1(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            for (int i = 0; i < 200; ++i)
                file.write((name[5] == 'r' && i % 2 ? "1" : "0") + QByteArray(39, '\t') + '\n');
        }
        Json json = example();
        json["data"] = {{"source", "files"},
                        {"table_rows", {100}},
                        {"path", m_folder.filePath(QStringLiteral("one")).toStdString()}};
        const std::string said = refusalOf(json);
        QVERIFY2(said.find("all 200 rows of the evaluation data have the label 0") !=
                     std::string::npos,
                 said.c_str());
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, AucEvaluator().merge(std::vector<std::string>{
                                                      ClickScores{{1.0f, 2.0f}, {}}.bytes()}));
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("names");
        const auto row = [](const char* name, const char* pointer, const char* value,
                            const char* names) {
            QTest::newRow(name) << QString::fromLatin1(pointer) << QString::fromLatin1(value)
                                << QString::fromLatin1(names);
        };
        row("other network", "/model/name", "\"neumf\"", "expected dlrm");
        row("25 tables", "/data/table_rows", "[1,2,3]", "has 3 numbers, expected the rows of 26");
        row("no tables", "/data/table_rows", "[]", "data.table_rows");
        row("empty table", "/data/table_rows", "[0]", "data.table_rows");
        row("no rows", "/data/train_samples", "0", "must be above 0");
        row("too many", "/data/train_samples", "20000000", "above 10,000,000");
        row("large batch", "/global_batch", "7000",
            "do not fill one global batch of 7000: there are ");
        row("tables", "/model/tables", "\"shared\"", "expected owned or replicated");
        row("dense gradients", "/model/sparse_gradients", "false", "needs \"model.tables\"");
        row("block", "/data/shuffle_block", "0", "data.shuffle_block");
        row("foreign key", "/data/negatives", "4", "data.negatives");
    }
    void refusals()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, names);
        Json json = example();
        json[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
        const QString said = QString::fromStdString(refusalOf(json));
        QVERIFY2(said.contains(names), qPrintable(said));
    }
};

QTEST_GUILESS_MAIN(DlrmWorkloadTest)
#include "dlrm_workload_test.moc"
