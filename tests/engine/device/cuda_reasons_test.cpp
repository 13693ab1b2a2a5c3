// SPDX-License-Identifier: GPL-3.0-or-later
// Why CUDA cannot be used: the engine's words for what a driver answers (a pretended one, and this
// machine's), and the real plug-in loaded and left again.

#include "engine/device/cuda_devices.h"
#include "engine/device/cuda_driver.h"
#include "kernels/check.h"
#include "support/campaign.h"
#include "support/thread_communicator.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <dlfcn.h>

using namespace scalebench;

class CudaReasonsTest : public QObject
{
    Q_OBJECT

    QTemporaryDir dir_;

    /// `--probe` of the engine with the pretended driver; "cuda" of the answer.
    QJsonObject probe(const QString& driver, const QString& visible = {},
                      const QString& engine = QStringLiteral(SB_BIN_DIR "/scalebench-engine"))
    {
        QProcess process;
        QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
        env.insert(QStringLiteral("LD_LIBRARY_PATH"), QStringLiteral(SB_FAKE_DRIVER));
        env.insert(QStringLiteral("SB_FAKE_CUDA"), driver);
        env.remove(QStringLiteral("CUDA_VISIBLE_DEVICES"));
        if (!visible.isNull())
            env.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), visible);
        process.setProcessEnvironment(env);
        process.start(engine, {QStringLiteral("--probe")});
        if (!process.waitForFinished(test::kHangMs) || process.exitCode() != 0)
            return {};
        return QJsonDocument::fromJson(process.readAllStandardOutput())
            .object()[QStringLiteral("cuda")]
            .toObject();
    }

    static QString reason(const QJsonObject& cuda)
    {
        return cuda[QStringLiteral("available")].toBool(true)
                   ? QStringLiteral("available")
                   : cuda[QStringLiteral("reason")].toString();
    }

private slots:
    void architectures_data()
    {
        QTest::addColumn<QString>("list");
        QTest::addColumn<int>("capability");
        QTest::addColumn<bool>("runs");
        QTest::newRow("same") << "80;90" << 90 << true;
        QTest::newRow("later minor") << "80-real;90-real" << 86 << true;
        QTest::newRow("earlier minor") << "86-real" << 80 << false;
        QTest::newRow("other generation") << "80-real;90-real" << 75 << false;
        QTest::newRow("newer by PTX") << "80-real;90" << 120 << true;
        QTest::newRow("newer without PTX") << "80-real;90-real" << 120 << false;
        QTest::newRow("PTX only") << "75-virtual" << 89 << true;
        QTest::newRow("PTX too new") << "90-virtual" << 89 << false;
    }
    void architectures()
    {
        QFETCH(QString, list);
        QFETCH(int, capability);
        QFETCH(bool, runs);
        QCOMPARE(device::builtFor(list.toStdString(), capability / 10, capability % 10), runs);
    }

    void ranksTakeTheGpusThatTheySee_data()
    {
        QTest::addColumn<QStringList>("seen"); // by rank, PCI addresses
        QTest::addColumn<QList<int>>("numbers");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("sharers");
        QTest::newRow("all see all") << QStringList{"a b", "a b"} << QList{0, 1} << 2 << 1;
        QTest::newRow("each its own")
            << QStringList{"a", "b", "c", "d"} << QList{0, 0, 0, 0} << 4 << 1;
        QTest::newRow("one for all") << QStringList{"a", "a"} << QList{0, 0} << 1 << 2;
        QTest::newRow("more ranks than GPUs")
            << QStringList{"a b", "a b", "a b"} << QList{0, 1, 0} << 2 << 2;
        QTest::newRow("by pairs") << QStringList{"a b", "c d", "a b", "c d"} << QList{0, 0, 1, 1}
                                  << 4 << 1;
        QTest::newRow("in another order") << QStringList{"a b", "b a"} << QList{0, 0} << 2 << 1;
        QTest::newRow("one sees what another has")
            << QStringList{"a b", "a"} << QList{0, 0} << 2 << 2;
    }
    void ranksTakeTheGpusThatTheySee()
    {
        QFETCH(const QStringList, seen); // read by threads: nothing is detached
        QFETCH(const QList<int>, numbers);
        QFETCH(int, gpus);
        QFETCH(int, sharers);
        std::vector<device::GpuChoice> choices(size_t(seen.size()));
        test::runThreads(int(seen.size()), [&](dist::Communicator& comm) {
            std::vector<device::CudaDevice> visible;
            for (const QString& bus : seen[comm.rank()].split(u' ')) {
                device::CudaDevice device;
                device.pciBus = bus.toStdString();
                visible.push_back(device);
            }
            choices[size_t(comm.rank())] = device::chooseGpu(comm, visible);
        });
        for (int rank = 0; rank < int(seen.size()); ++rank) {
            QCOMPARE(choices[size_t(rank)].number, numbers[rank]);
            QCOMPARE(choices[size_t(rank)].nodeGpus, gpus);
            QCOMPARE(choices[size_t(rank)].mostSharers, sharers);
        }
    }

    /// Slices of one GPU have its PCI address, and are two devices.
    void slicesAreDevices()
    {
        test::runThreads(2, [&](dist::Communicator& comm) {
            device::CudaDevice slice;
            slice.pciBus = "0000:01:00.0";
            slice.mig = true;
            slice.uuid = comm.rank() == 0 ? "00" : "01";
            const device::GpuChoice choice = device::chooseGpu(comm, {slice});
            if (choice.nodeGpus != 2 || choice.mostSharers != 1)
                throw Error("internal", "the slices were taken for one GPU");
        });
    }

    void answers_data()
    {
        QTest::addColumn<QString>("driver");
        QTest::addColumn<QString>("visible");
        QTest::addColumn<QString>("words");
        const QString none;
        QTest::newRow("too old") << "version=12020" << none
                                 << "too old: it knows CUDA 12.2, and this build needs CUDA 13 "
                                    "(driver 580.65.06 or newer)";
        QTest::newRow("hidden") << "init=100"
                                << "7"
                                << "CUDA_VISIBLE_DEVICES is \"7\", which leaves no GPU";
        QTest::newRow("hidden, none left") << "count=0"
                                           << ""
                                           << "CUDA_VISIBLE_DEVICES is \"\"";
        QTest::newRow("mismatch") << "init=803" << none
                                  << "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)): restart";
        QTest::newRow("fabric") << "init=802" << none << "nvidia-fabricmanager";
        QTest::newRow("stub") << "init=34" << none << "the CUDA toolkit's stub";
        QTest::newRow("unknown") << "init=999" << none << "cuInit says CUDA_ERROR_UNKNOWN (999)";
        QTest::newRow("not built for it")
            << "major=3 minor=5" << none << "no kernels for NVIDIA Fake 1 (compute capability 3.5)";
        QTest::newRow("prohibited") << "mode=2" << none << "compute mode \"prohibited\"";
    }
    void answers()
    {
#if !defined(SB_HAVE_CUDA)
        QSKIP("this build has no CUDA plug-in: it says so before it asks the driver");
#endif
        QFETCH(QString, driver);
        QFETCH(QString, visible);
        QFETCH(QString, words);
        const QString said = reason(probe(driver, visible));
        QVERIFY2(said.contains(words), qPrintable(said));
    }

    /// Told whether or not CUDA can be used: who installs a driver needs to know which.
    void whatTheBuildNeeds()
    {
#if !defined(SB_HAVE_CUDA)
        QSKIP("this build has no CUDA plug-in");
#endif
        const QJsonObject build =
            probe(QStringLiteral("init=100"))[QStringLiteral("build")].toObject();
        QVERIFY(!build[QStringLiteral("toolkit")].toString().isEmpty());
        QCOMPARE(build[QStringLiteral("oldest_driver")].toString(),
                 QString::fromLatin1(device::oldestDriver(
                     int(1000 * build[QStringLiteral("toolkit")].toString().toDouble()))));
        QVERIFY(!build[QStringLiteral("architectures")].toString().isEmpty());
        QCOMPARE(QByteArray(device::oldestDriver(13000)), QByteArray("580.65.06"));
        QCOMPARE(QByteArray(device::oldestDriver(12080)), QByteArray("525.60.13"));
    }

    void noDeviceFiles()
    {
#if !defined(SB_HAVE_CUDA)
        QSKIP("this build has no CUDA plug-in");
#endif
        if (QFileInfo::exists(QStringLiteral("/dev/nvidiactl")))
            QSKIP("this machine has an NVIDIA driver");
        const QString said = reason(probe(QStringLiteral("init=100")));
        QVERIFY2(said.contains(QStringLiteral("/dev/nvidiactl is not: the kernel module")),
                 qPrintable(said));
    }

    /// A copy of the engine without the plug-in beside it.
    void plugInMissing()
    {
#if !defined(SB_HAVE_CUDA)
        QSKIP("this build has no CUDA plug-in");
#endif
        const QString copy = dir_.filePath(QStringLiteral("scalebench-engine"));
        QVERIFY(QFile::copy(QStringLiteral(SB_BIN_DIR "/scalebench-engine"), copy));
        const QString said = reason(probe(QString(), {}, copy));
        QVERIFY2(said.contains(QStringLiteral("its plug-in is missing: libscalebench_cuda.so")),
                 qPrintable(said));
    }

    /// A plug-in whose vendor libraries are not there, and one that is no plug-in.
    void plugInBroken()
    {
#if !defined(SB_HAVE_CUDA)
        QSKIP("this build has no CUDA plug-in");
#endif
        const QString copy = dir_.filePath(QStringLiteral("broken-engine"));
        QVERIFY(QFile::copy(QStringLiteral(SB_BIN_DIR "/scalebench-engine"), copy));
        QFile fake(dir_.filePath(QStringLiteral("libscalebench_cuda.so")));
        QVERIFY(fake.open(QIODevice::WriteOnly) && fake.write("not a library") > 0);
        fake.close();
        QString said = reason(probe(QString(), {}, copy));
        QVERIFY2(said.contains(QStringLiteral("its plug-in cannot be loaded: ")), qPrintable(said));
        QVERIFY(fake.remove());
        // The pretended driver is a library without the entry point.
        QVERIFY(QFile::copy(QStringLiteral(SB_FAKE_DRIVER "/libcuda.so.1"), fake.fileName()));
        said = reason(probe(QString(), {}, copy));
        QVERIFY2(said.contains(QStringLiteral("is of another build of Scalebench")),
                 qPrintable(said));
        QVERIFY(fake.remove());
    }

    /// With a driver that answers well the real plug-in is loaded; its own runtime then finds that
    /// the driver is none, and an exception comes out of it as one of the engine's.
    void realPlugIn()
    {
#if !defined(SB_HAVE_CUDA)
        QSKIP("this build has no CUDA plug-in");
#endif
        if (::dlopen("libcuda.so.1", RTLD_NOW) != nullptr)
            QSKIP("this machine has an NVIDIA driver");
        const QJsonObject cuda = probe(QString());
        QCOMPARE(reason(cuda), QStringLiteral("available"));
        QVERIFY2(cuda[QStringLiteral("cudnn")].toString().startsWith(QLatin1String("9.")),
                 QJsonDocument(cuda).toJson().constData());
        QProcess process;
        QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
        env.insert(QStringLiteral("LD_LIBRARY_PATH"), QStringLiteral(SB_FAKE_DRIVER));
        process.setProcessEnvironment(env);
        process.start(
            QStringLiteral(SB_BIN_DIR "/scalebench-engine"),
            {QStringLiteral("selftest"), QStringLiteral("--device"), QStringLiteral("cuda")});
        QVERIFY(process.waitForFinished(test::kHangMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QVERIFY(process.exitCode() != 0);
        const QByteArray error = process.readAllStandardError();
        QVERIFY2(error.contains("choosing the device: CUDA error "), error.constData());
    }
};

QTEST_GUILESS_MAIN(CudaReasonsTest)
#include "cuda_reasons_test.moc"
