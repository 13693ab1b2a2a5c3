// SPDX-License-Identifier: GPL-3.0-or-later
// What a network takes in memory: against published sizes and the engine's own placement.

#include "study/dimensions.h"
#include "study/machine_info.h"
#include "study/memory_need.h"
#include "study/workload_catalog.h"
#include "support/launcher_fixture.h"

#include "engine/workloads/dlrm/table_placement.h"

#include <QJsonArray>
#include <QTest>

#include <algorithm>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class MemoryNeedTest : public QObject
{
    Q_OBJECT

    static QJsonObject preset(const QString& workload, const QString& scale)
    {
        QJsonObject json = WorkloadCatalog::builtin().find(workload)->scale(scale)->preset;
        json.insert(u"workload"_s, workload);
        json.insert(u"scale"_s, scale);
        return json;
    }
    static StudySpec synthetic(const QString& workload, const QString& scale)
    {
        StudySpec spec;
        spec.workload = workload;
        spec.scale = scale;
        spec.data = u"synthetic"_s;
        spec.workers = {1};
        return spec;
    }

private slots:
    /// Criteo's terabyte: 187,767,399 rows of 128 floats are 96.1 GB, and plain SGD keeps nothing.
    void publishedSizes()
    {
        const double whole = double(networkBytesPerWorker(preset(u"dlrm"_s, u"mlperf"_s), 1));
        QVERIFY2(qAbs(whole / 1e9 - 96.1) < 0.1, qPrintable(QString::number(whole)));
        // BERT-large: 336,226,108 parameters and 6 padded rows of 1,024 + 1, a gradient and LAMB's
        // two moments.
        QCOMPARE(networkBytesPerWorker(preset(u"bert"_s, u"mlperf"_s), 1),
                 qint64(336226108 + 6 * 1025) * 16);
        QCOMPARE(networkBytesPerWorker(preset(u"bert"_s, u"mlperf"_s), 8),
                 qint64(336226108 + 6 * 1025) * 16);
        QCOMPARE(networkBytesPerWorker(QJsonObject(), 1), qint64(0));
    }

    void tablesAreSharedOutAsTheEngineDoes()
    {
        for (const QString& scale : {u"desk"_s, u"lab"_s, u"mlperf"_s}) {
            const QJsonObject run = preset(u"dlrm"_s, scale);
            std::vector<int64_t> rows;
            for (const QJsonValue& value : valueAt(run, u"data.table_rows"_s).toArray())
                rows.push_back(value.toInteger());
            if (rows.size() == 1)
                rows.resize(26, rows.front());
            const bool adam = scale != u"mlperf"_s;
            const qint64 rowBytes = 4 * (adam ? 3 : 1) * valueAt(run, u"model.dim"_s).toInteger();
            const auto heldBy = [&](int workers) {
                return workloads::mostRowsHeld(workloads::placeTables(rows, workers), workers) *
                       rowBytes;
            };
            const auto cut = [&](int workers, qint64 most) {
                return workloads::mostRowsHeld(workloads::placeTables(rows, workers, most),
                                               workers) *
                       rowBytes;
            };
            const qint64 dense = networkBytesPerWorker(run, 1) - heldBy(1);
            QVERIFY(dense > 0);
            for (const int workers : {2, 3, 4, 7, 16, 40})
                QCOMPARE(networkBytesPerWorker(run, workers), dense + heldBy(workers));
            const qint64 all = heldBy(1) / rowBytes;
            for (const int workers : {2, 5, 16}) { // half of what a whole table may need
                const qint64 most = std::max<qint64>(all / workers + 600, 1);
                const qint64 said = networkBytesPerWorker(run, workers, most * rowBytes) - dense;
                QVERIFY(qAbs(said - cut(workers, most)) <= 2 * workloads::kRowBlock * rowBytes);
            }
            const QJsonObject replicated = withValueAt(run, u"model.tables"_s, u"replicated"_s);
            QCOMPARE(networkBytesPerWorker(replicated, 4), networkBytesPerWorker(run, 1));
        }
    }

    /// The arrays of the engine at desk scale: 2,048 samples of 27 vectors of 64 floats, six times,
    /// are 85 MB of it.
    void batchesCount()
    {
        const QJsonObject run = preset(u"dlrm"_s, u"desk"_s);
        const qint64 one = batchBytesPerWorker(run, 1);
        QVERIFY2(one > 85'000'000 && one < 140'000'000, qPrintable(QString::number(one)));
        QCOMPARE(batchBytesPerWorker(run, 2), one / 2);
        QVERIFY(batchBytesPerWorker(withValueAt(run, u"precision"_s, u"bf16"_s), 1) < 0.6 * one);
    }

    /// What a step of ResNet-50 took beside its network: 114 MB a sample, 15 GB of 128 samples.
    void everyRecipeTellsOfItsBatches()
    {
        MachineInfo machine;
        machine.cores = 4;
        machine.enginePath = machine.mpirunPath = u"/bin/true"_s;
        // A step of these takes longer than the measurement had.
        const QStringList unknown{u"bert mlperf"_s,        u"bert mlperf_92"_s,
                                  u"bert mlperf_3072"_s,   u"transformer lab_6"_s,
                                  u"transformer mlperf"_s, u"retinanet mlperf"_s,
                                  u"maskrcnn mlperf"_s};
        for (const Workload& workload : WorkloadCatalog::builtin().workloads())
            for (const WorkloadScale& scale : workload.scales) {
                if (unknown.contains(workload.id + u' ' + scale.id))
                    continue;
                StudySpec spec;
                spec.workload = workload.id;
                spec.scale = scale.id;
                spec.data = u"synthetic"_s;
                spec.workers = {1};
                const StudyPlan plan = planStudy(spec, machine, u"s"_s, u"/tmp"_s);
                QVERIFY2(!plan.failure() && !plan.runs.isEmpty(), qPrintable(workload.id));
                QVERIFY2(batchBytesPerWorker(plan.runs.first().json, 1) > 0,
                         qPrintable(workload.id + u' ' + scale.id));
            }
        QJsonObject run = preset(u"resnet"_s, u"mlperf"_s);
        run.insert(u"global_batch"_s, 128);
        const qint64 bytes = batchBytesPerWorker(run, 1);
        QVERIFY2(bytes > 13'000'000'000 && bytes < 17'000'000'000,
                 qPrintable(QString::number(bytes)));
        QCOMPARE(batchBytesPerWorker(withValueAt(run, u"options.grad_accum"_s, 4), 2), bytes / 8);
        // Of pictures of another size nothing was measured.
        QCOMPARE(batchBytesPerWorker(withValueAt(run, u"model.image_size"_s, 128), 1), qint64(0));
    }

    void batchesThatDoNotFitAreWarnedOf()
    {
        StudySpec spec = synthetic(u"resnet"_s, u"mlperf"_s);
        MachineInfo machine = goodMachine();
        const auto told = [&](int batch) {
            spec.globalBatch = batch;
            const StudyPlan plan = planStudy(spec, machine, u"s"_s, u"/tmp"_s);
            QStringList texts;
            for (const Problem& problem : plan.problems)
                if (problem.code == "memory_too_small"_L1 &&
                    problem.level == Problem::Level::Warning)
                    texts << problem.message;
            return plan.failure() ? plan.failure()->message : texts.join(u' ');
        };
        machine.memoryBytes = 14'000'000'000;
        QCOMPARE(told(64), QString());
        const QString much = told(512);
        const QString batch = much.section(u"A batch of about "_s, 1).section(u" fits"_s, 0, 0);
        QVERIFY2(batch.toInt() > 64 && batch.toInt() < 256, qPrintable(much));
        QCOMPARE(told(batch.toInt()), QString());
        QVERIFY2(much.contains(u"over 5 micro-batches"_s), qPrintable(much));
        machine.memoryBytes = 200'000'000; // less than the network, its gradients and momenta
        QVERIFY2(told(64).contains(u"smaller network"_s), qPrintable(told(64)));
    }

    void hotRowsCount()
    {
        const QJsonObject run = preset(u"dlrm"_s, u"desk"_s);
        const QJsonObject hot = withValueAt(run, u"options.hot_rows"_s, 1000);
        QCOMPARE(networkBytesPerWorker(hot, 1), networkBytesPerWorker(run, 1));
        QCOMPARE(networkBytesPerWorker(hot, 2) - networkBytesPerWorker(run, 2),
                 qint64(1000) * 4 * (3 * 64 + 65));
    }

    void aPlanThatCannotFitIsRefusedWithTheWorkersThatWould()
    {
        const StudySpec spec = synthetic(u"dlrm"_s, u"lab"_s);
        MachineInfo machine = goodMachine();
        machine.memoryBytes = qint64{24} << 30;
        QVERIFY(!planStudy(spec, machine, u"s"_s, u"/tmp"_s).failure());
        machine.memoryBytes = 300'000'000; // tables and Adam's moments are 500 MB
        const auto failure = planStudy(spec, machine, u"s"_s, u"/tmp"_s).failure();
        QVERIFY(failure);
        QCOMPARE(failure->code, u"memory_too_small"_s);
        QVERIFY2(failure->message.contains(u"2 workers, each on a node with as much"_s),
                 qPrintable(failure->message));
        QCOMPARE(memoryText({}), QString());
    }

    void damagedNumbersDoNotHarm()
    {
        QJsonObject run = preset(u"dlrm"_s, u"desk"_s);
        for (const QJsonValue& bad :
             {QJsonValue(u"x"_s), QJsonValue(QJsonArray{1, 2}), QJsonValue(-5), QJsonValue()})
            QCOMPARE(networkBytesPerWorker(withValueAt(run, u"data.table_rows"_s, bad), 2),
                     qint64(0));
        QVERIFY(networkBytesPerWorker(withValueAt(run, u"data.table_rows"_s, QJsonArray{9e18}), 2) >
                0);
        QVERIFY(networkBytesPerWorker(run, 0) > 0);
    }
};

QTEST_GUILESS_MAIN(MemoryNeedTest)
#include "memory_need_test.moc"
