// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU tells through NVML, against a pretended library: numbers and their units, a library
// that is not there, and functions that a driver lacks. And the records that a run writes of it.

#include "engine/device/nvml.h"
#include "engine/train/heartbeat.h"
#include "support/campaign.h"
#include "support/mpi_runner.h"

#include <QFile>
#include <QFileInfo>
#include <QFloat16> // QCOMPARE asks whether a Json becomes one
#include <QTemporaryDir>
#include <QTest>

#include <dlfcn.h>

#include <atomic>

using namespace scalebench;
using device::GpuMonitor;
using device::GpuSample;
using report::Json;

namespace {

constexpr const char* kBus = "0000:01:00.0";

QByteArray text(const Json& json)
{
    return QByteArray::fromStdString(json.dump());
}

} // namespace

class NvmlTest : public QObject
{
    Q_OBJECT
private slots:
    void init() { qunsetenv("SB_FAKE_NVML"); }

    void sample()
    {
        qputenv("SB_FAKE_NVML", "reasons=0x44");
        const GpuMonitor gpu(kBus, SB_FAKE_NVML_NEW);
        QCOMPARE(gpu.reason(), std::string());
        QCOMPARE(text(device::toJson(gpu.sample())),
                 QByteArray(R"({"utilization":97,"memory_utilization":41,"memory_used_bytes":1000,)"
                            R"("memory_bytes":80000,"power_w":650.5,"energy_j":12345678901.25,)"
                            R"("sm_mhz":1755,"memory_mhz":3201,"temperature_c":63,)"
                            R"("throttle":["power_cap","hw_thermal"],"pcie_sent_kb_s":1100,)"
                            R"("pcie_received_kb_s":2200,"nvlink_sent_kib":5000000000,)"
                            R"("nvlink_received_kib":7,"ecc_corrected":5,"ecc_uncorrected":0})"));
    }

    void description()
    {
        const GpuMonitor gpu(kBus, SB_FAKE_NVML_NEW);
        QCOMPARE(text(gpu.describe()),
                 QByteArray(R"({"driver":"580.65.06","power_limit_w":700.0,)"
                            R"("compute_mode":"exclusive_process","mig":false,"ecc":true,)"
                            R"("max_sm_mhz":1980,"max_memory_mhz":3201,"pcie_generation":1,)"
                            R"("pcie_width":16,"max_pcie_generation":5,"nvlinks":4})"));
    }

    void reasonsHaveNames()
    {
        QCOMPARE(text(device::throttleReasons(0)), QByteArray("[]"));
        QCOMPARE(text(device::throttleReasons(0x1ff)),
                 QByteArray(R"(["idle","application_clocks","power_cap","hw_slowdown",)"
                            R"("sync_boost","thermal","hw_thermal","power_brake",)"
                            R"("display_clocks"])"));
        QCOMPARE(text(device::throttleReasons(0xa01)), QByteArray(R"(["idle","0xa00"])"));
    }

    void whatTheGpuDoesNotTellIsEmpty()
    {
        qputenv("SB_FAKE_NVML", "field=3 ecc=0");
        const GpuMonitor gpu(kBus, SB_FAKE_NVML_NEW);
        const GpuSample s = gpu.sample();
        QVERIFY(!s.nvlinkSentKib && !s.nvlinkReceivedKib && !s.eccCorrected && !s.eccUncorrected);
        QVERIFY(s.powerWatts.has_value());
        QCOMPARE(gpu.describe()["ecc"].get<bool>(), false);
        qputenv("SB_FAKE_NVML", "type=0"); // a counter that is no whole number
        QVERIFY(!gpu.sample().nvlinkSentKib);
        qputenv("SB_FAKE_NVML", "type=1");
        QCOMPARE(gpu.sample().nvlinkReceivedKib.value_or(0), std::uint64_t(7));
    }

    void oldDriver()
    {
        const GpuMonitor gpu(kBus, SB_FAKE_NVML_OLD);
        QCOMPARE(gpu.reason(), std::string());
        QCOMPARE(text(device::toJson(gpu.sample())),
                 QByteArray(R"({"memory_used_bytes":1000,"memory_bytes":80000,)"
                            R"("throttle":["power_cap","0x200"]})"));
        QCOMPARE(text(gpu.describe()), QByteArray("{}"));
    }

    void unusable_data()
    {
        QTest::addColumn<QString>("library");
        QTest::addColumn<QByteArray>("answers");
        QTest::addColumn<QByteArray>("bus");
        QTest::addColumn<QString>("words");
        const QString fake = QStringLiteral(SB_FAKE_NVML_NEW);
        const QByteArray none, bus = kBus;
        QTest::newRow("no library") << QStringLiteral("libsb-no-such.so.1") << none << bus
                                    << "no NVML: libsb-no-such.so.1 not found";
        QTest::newRow("no NVML in it") << QStringLiteral("libm.so.6") << none << bus
                                       << "NVML does not start: it lacks the function";
        QTest::newRow("does not start")
            << fake << QByteArray("init=9") << bus << "NVML does not start: Driver Not Loaded (9)";
        QTest::newRow("other GPU") << fake << none << QByteArray("0000:02:00.0")
                                   << "NVML does not know the GPU at 0000:02:00.0: Some Error (6)";
        QTest::newRow("lost") << fake << QByteArray("handle=15") << bus
                              << "NVML does not know the GPU at 0000:01:00.0: Some Error (15)";
    }
    void unusable()
    {
        QFETCH(QString, library);
        QFETCH(QByteArray, answers);
        QFETCH(QByteArray, bus);
        QFETCH(QString, words);
        qputenv("SB_FAKE_NVML", answers);
        const GpuMonitor gpu(bus.toStdString(), library.toStdString());
        QCOMPARE(QString::fromStdString(gpu.reason()), words);
        QCOMPARE(text(device::toJson(gpu.sample())), QByteArray("{}"));
        QCOMPARE(gpu.describe()["reason"].get<std::string>(), words.toStdString());
    }

    void unloadableLibrary()
    {
        QTemporaryDir dir;
        QFile file(dir.filePath(QStringLiteral("libnvidia-ml.so.1")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no library") > 0);
        file.close();
        const GpuMonitor gpu(kBus, file.fileName().toStdString());
        QVERIFY2(gpu.reason().starts_with("NVML cannot be loaded: "), gpu.reason().c_str());
    }

    /// Two ranks that share a pretended GPU, up to where the plug-in meets it.
    void systemJson()
    {
#if !defined(SB_HAVE_CUDA)
        QSKIP("this build has no CUDA plug-in");
#endif
        if (!test::haveMpirun())
            QSKIP("mpirun is not installed");
        if (::dlopen("libcuda.so.1", RTLD_NOW) != nullptr)
            QSKIP("this machine has an NVIDIA driver");
        QTemporaryDir dir;
        QFile run(dir.filePath(QStringLiteral("run.json")));
        const Json config = {
            {"format", "scalebench.run"},
            {"version", 1},
            {"study", "test"},
            {"run_id", "tiny"},
            {"workload", "resnet"},
            {"scale", "desk"},
            {"model", {{"name", "resnet8"}, {"classes", 10}, {"image_size", 32}}},
            {"data",
             {{"source", "generated"},
              {"path", dir.filePath(QStringLiteral("data")).toStdString()},
              {"train_samples", 64},
              {"eval_samples", 32},
              {"augment", {{"pad_crop", 4}, {"flip", true}}}}},
            {"device", "cuda"},
            {"precision", "fp32"},
            {"nodes", 1},
            {"workers", 2},
            {"threads_per_worker", 1},
            {"batch_policy", "strong"},
            {"global_batch", 32},
            {"optimizer", {{"name", "sgd"}, {"momentum", 0.9}, {"weight_decay", 0.0005}}},
            {"schedule", {{"name", "cosine"}, {"base_lr", 0.05}, {"warmup_epochs", 0.5}}},
            {"epochs", 1},
            {"target", nullptr},
            {"seed", 1},
            {"options", {{"allreduce", "staged"}}}};
        QVERIFY(run.open(QIODevice::WriteOnly) && run.write(text(config)) > 0);
        run.close();
        const QString libraries = QStringLiteral(SB_FAKE_DRIVER) + u':' +
                                  QFileInfo(QStringLiteral(SB_FAKE_NVML_NEW)).absolutePath() +
                                  u':' + qEnvironmentVariable("LD_LIBRARY_PATH");
        const QByteArray before = qgetenv("LD_LIBRARY_PATH");
        qputenv("LD_LIBRARY_PATH", libraries.toUtf8());
        const test::MpiRun ended =
            test::runUnderMpi(2, QStringLiteral(SB_BIN_DIR "/scalebench-engine"),
                              {QStringLiteral("--run"), dir.path()});
        qputenv("LD_LIBRARY_PATH", before);
        QVERIFY(ended.finished && ended.exitCode != 0);
        QFile system(dir.filePath(QStringLiteral("system.json")));
        QVERIFY(system.open(QIODevice::ReadOnly));
        const Json gpus = Json::parse(system.readAll().toStdString())["nodes"][0]["gpus"];
        QCOMPARE(gpus.size(), size_t(1));
        QCOMPARE(gpus[0]["pci_bus"].get<std::string>(), std::string(kBus));
        QCOMPARE(gpus[0]["ranks"], Json::array({0, 1}));
        QCOMPARE(gpus[0]["nvml"]["power_limit_w"].get<double>(), 700.0);
    }

    /// One soon after the start, no second one within 5 s, and none where there is nothing to tell.
    void recordsInTheStream()
    {
        QTemporaryDir dir;
        QFile file(dir.filePath(QStringLiteral("result_0.txt")));
        report::ResultsWriter writer(file.fileName().toStdString());
        const train::Activity activity;
        std::atomic<int> asked{0};
        {
            const GpuMonitor gpu(kBus, SB_FAKE_NVML_NEW);
            const train::Heartbeat heartbeat(writer, activity, [&] {
                ++asked;
                return device::toJson(gpu.sample());
            });
            QTRY_VERIFY_WITH_TIMEOUT(writer.position().records > 0, test::kHangMs);
            QTest::qWait(700);
        }
        QCOMPARE(asked.load(), 1);
        {
            const train::Heartbeat heartbeat(writer, activity, [&] {
                ++asked;
                return Json();
            });
            QTRY_COMPARE_WITH_TIMEOUT(asked.load(), 2, test::kHangMs);
        }
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray stream = file.readAll();
        QCOMPARE(stream.count(R"("key":"gpu","value":{"utilization":97,)"), 1);
        QCOMPARE(stream.count(R"("key":"gpu")"), 1);
    }
};

QTEST_GUILESS_MAIN(NvmlTest)
#include "nvml_test.moc"
