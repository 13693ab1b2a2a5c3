// SPDX-License-Identifier: GPL-3.0-or-later
// Training on the CUDA backend, its kernels run by the emulation: networks of every family against
// the CPU, several workers (NCCL's stand-in, and staged) against one, recorded steps against issued
// ones, a checkpoint resumed.

#include "engine/bench/collective_bench.h"
#include "engine/dist/communicator.h"
#include "engine/train/families.h"
#include "engine/train/load_run_config.h"
#include "engine/train/trainer.h"
#include "support/cuda_emulation/emulation.h"
#include "support/emulated_devices.h"
#include "support/mpi_runner.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>

using namespace scalebench;

namespace {

/// Synthetic pictures for a ResNet-8.
RunConfig runConfig(const std::string& options)
{
    return train::parseRunConfig(R"({"format":"scalebench.run","version":1,"run_id":"r",
        "workload":"resnet","model":{"name":"resnet8","classes":10,"image_size":16},
        "data":{"source":"synthetic","train_samples":32,"eval_samples":16},
        "device":"cuda","precision":"fp32","workers":1,"global_batch":8,"epochs":2,
        "optimizer":{"name":"sgd","momentum":0.9,"weight_decay":0.0005},
        "schedule":{"base_lr":0.05},"options":)" +
                                 options + "}");
}

double largestGap(const std::vector<float>& a, const std::vector<float>& b)
{
    if (a.empty() || a.size() != b.size())
        return 1e9;
    double gap = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        const double d = std::abs(double(a[i]) - double(b[i]));
        gap = std::isnan(d) ? 1e9 : std::max(gap, d);
    }
    return gap;
}

} // namespace

class CudaTrainingTest : public QObject
{
    Q_OBJECT

    QTemporaryDir dir_;

    static std::vector<float> trained(const std::string& options, bool onDevice)
    {
        RunConfig config = runConfig(options);
        const auto comm = dist::makeSelfCommunicator();
        train::TrainerOptions o;
        o.keepParameters = true;
        if (onDevice)
            o.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        else
            config.device = "cpu";
        train::Trainer trainer(config, *comm, nullptr, o);
        return trainer.run().parameters;
    }

private slots:
    void families_data()
    {
        QTest::addColumn<QString>("family");
        for (const std::string& name : test::familyNames())
            QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
    }
    /// Ten steps of sums in another order: as far apart as workers on the CPU may be.
    void families()
    {
        QFETCH(QString, family);
        const auto comm = dist::makeSelfCommunicator();
        test::FamilySetting setting;
        setting.family = family.toStdString();
        const test::FamilyResult cpu = test::trainFamily(*comm, setting);
        setting.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        const long before = emulation::kernelsRun();
        const test::FamilyResult cuda = test::trainFamily(*comm, setting);
        QVERIFY(emulation::kernelsRun() > before);
        QCOMPARE(cuda.initial, cpu.initial);
        QVERIFY2(largestGap(cuda.losses, cpu.losses) < 2e-3,
                 qPrintable(QString::number(largestGap(cuda.losses, cpu.losses))));
        const double gap = largestGap(cuda.parameters, cpu.parameters);
        QVERIFY2(gap < 2e-3, qPrintable(QString::number(gap)));
        const double moved = largestGap(cpu.initial, cpu.parameters);
        QVERIFY2(moved > 10 * gap, "the comparison could not see a wrong step");
    }

    /// A replayed step does what an issued one does, bit for bit.
    void graphs()
    {
        const std::vector<float> issued = trained("{}", true);
        QVERIFY(!issued.empty());
        QCOMPARE(trained(R"({"cuda_graphs":true})", true), issued);
        const double gap = largestGap(trained("{}", false), issued);
        QVERIFY2(gap < 5e-3, qPrintable(QString::number(gap)));
    }

    void workers_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("way");
        QTest::addColumn<bool>("shard");
        for (const char* way : {"nccl", "staged"}) {
            QTest::addRow("mlp %s", way) << "mlp" << way << false;
            QTest::addRow("ncf %s", way) << "ncf" << way << false;
        }
        QTest::newRow("mlp nccl sharded") << "mlp"
                                          << "nccl" << true;
    }
    /// Two processes with a GPU each give the update of one worker on the CPU.
    void workers()
    {
        if (!test::haveMpirun())
            QSKIP("mpirun is not installed");
        QFETCH(QString, family);
        QFETCH(QString, way);
        QFETCH(bool, shard);
        const QString out = dir_.filePath(family + way + QString::number(shard));
        const auto run = test::runUnderMpi(2, QStringLiteral(SB_CUDA_FAMILY_CHECKS),
                                           {out, family, QStringLiteral("1"), QStringLiteral("1"),
                                            QString::number(shard), way, QStringLiteral("0")});
        QVERIFY2(run.exitCode == 0, run.output.constData());
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        std::vector<float> numbers(size_t(bytes.size()) / sizeof(float));
        std::memcpy(numbers.data(), bytes.constData(), numbers.size() * sizeof(float));
        const auto comm = dist::makeSelfCommunicator();
        test::FamilySetting setting;
        setting.family = family.toStdString();
        const test::FamilyResult alone = test::trainFamily(*comm, setting);
        std::vector<float> expected = alone.losses;
        expected.insert(expected.end(), alone.parameters.begin(), alone.parameters.end());
        const double gap = largestGap(numbers, expected);
        QVERIFY2(gap < 2e-3, qPrintable(QString::number(gap)));
    }

    /// nccl-tests' columns, and sums that are right.
    void benchAllReduce()
    {
        const auto comm = dist::makeSelfCommunicator();
        const auto backend = cuda_backend::makeCudaBackend(0, false);
        const auto group = dist::makeDeviceGroup(*backend, *comm, dist::AllReduceKind::Staged);
        bench::Options options;
        options.sizes = "4,4K,100K";
        options.maxSeconds = 0.05;
        bench::Report report("allreduce", {}, nullptr);
        bench::runDeviceAllReduceBench(options, *comm, *backend, *group, report);
        const auto rows = report.json()["results"];
        QCOMPARE(rows.size(), size_t(3));
        QCOMPARE(report.wrong(), std::int64_t(0));
        for (const auto& row : rows)
            QVERIFY(row.at("us").get<double>() > 0 && row.at("algbw_gbs").get<double>() > 0);
    }

    /// What was asked, what is free: and the run ends with it.
    void outOfMemory()
    {
        RunConfig config = runConfig(R"({"memory_limit_mb":1})");
        const auto comm = dist::makeSelfCommunicator();
        train::TrainerOptions o;
        o.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        train::Trainer trainer(config, *comm, nullptr, o);
        try {
            trainer.run();
            QFAIL("a megabyte was enough");
        } catch (const Error& e) {
            QCOMPARE(QByteArray(e.code().c_str()), QByteArray("out_of_memory"));
            QVERIFY2(std::strstr(e.what(), "Out of memory on GPU 0") != nullptr, e.what());
        }
    }

    /// An ECC error in the middle of a step ends the run with the device's own words.
    void stickyError()
    {
        RunConfig config = runConfig("{}");
        const auto comm = dist::makeSelfCommunicator();
        train::TrainerOptions o;
        o.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        train::Trainer trainer(config, *comm, nullptr, o);
        emulation::failAfter(200, cudaErrorECCUncorrectable);
        try {
            trainer.run();
            QFAIL("the error was not seen");
        } catch (const Error& e) {
            QVERIFY2(std::strstr(e.what(), "cudaErrorECCUncorrectable") != nullptr, e.what());
            QVERIFY2(std::strstr(e.what(), "GPU 0 (emulated device)") != nullptr &&
                         std::strstr(e.what(), "last op issued: ") != nullptr,
                     e.what());
        }
        emulation::clearErrors();
    }
};

QTEST_GUILESS_MAIN(CudaTrainingTest)
#include "cuda_training_test.moc"
