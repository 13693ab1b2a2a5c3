// SPDX-License-Identifier: GPL-3.0-or-later
// Training on the CUDA backend, its kernels run by the emulation: networks of every family against
// the CPU, several workers (NCCL's stand-in, and staged) against one, faults among them.

#include "engine/dist/communicator.h"
#include "engine/train/families.h"
#include "support/cuda_emulation/emulation.h"
#include "support/emulated_devices.h"
#include "support/mpi_runner.h"
#include "support/replica_steps.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <map>

using namespace scalebench;
using test::largestGap;

class CudaTrainingTest : public QObject
{
    Q_OBJECT

    QTemporaryDir dir_;
    std::map<std::string, test::FamilyResult> onDevice_;

    /// As the emulated GPU trains this family where nothing else is asked: once for all tests.
    const test::FamilyResult& onDevice(const std::string& family)
    {
        const auto known = onDevice_.find(family);
        if (known != onDevice_.end())
            return known->second;
        const auto comm = dist::makeSelfCommunicator();
        test::FamilySetting setting;
        setting.family = family;
        setting.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        const long before = emulation::kernelsRun();
        const test::FamilyResult result = test::trainFamily(*comm, setting);
        if (emulation::kernelsRun() == before)
            QTest::qFail("no kernel was run", __FILE__, __LINE__);
        return onDevice_[family] = result;
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
        const test::FamilyResult& cuda = onDevice(setting.family);
        QCOMPARE(cuda.initial, cpu.initial);
        QVERIFY2(largestGap(cuda.losses, cpu.losses) < 2e-3,
                 qPrintable(QString::number(largestGap(cuda.losses, cpu.losses))));
        const double gap = largestGap(cuda.parameters, cpu.parameters);
        QVERIFY2(gap < 2e-3, qPrintable(QString::number(gap)));
        const double moved = largestGap(cpu.initial, cpu.parameters);
        QVERIFY2(moved > 10 * gap, "the comparison could not see a wrong step");
    }

    /// Every replay has the masks of its own step: those of steps that are issued, and the CPU's.
    void replayedDropout()
    {
        const auto comm = dist::makeSelfCommunicator();
        test::FamilySetting setting;
        setting.family = "lstm";
        const test::FamilyResult without = test::trainFamily(*comm, setting);
        setting.dropout = 0.3f;
        const test::FamilyResult cpu = test::trainFamily(*comm, setting);
        setting.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        setting.whole = true;
        const long before = emulation::kernelsIssued();
        const test::FamilyResult issued = test::trainFamily(*comm, setting);
        const long between = emulation::kernelsIssued();
        setting.graphs = true;
        const test::FamilyResult replayed = test::trainFamily(*comm, setting);
        const long after = emulation::kernelsIssued();
        QVERIFY2(2 * (after - between) < between - before, "nothing was replayed");
        QCOMPARE(replayed.losses, issued.losses);
        QCOMPARE(replayed.parameters, issued.parameters);
        const double gap = largestGap(replayed.parameters, cpu.parameters);
        const double masks = largestGap(without.parameters, cpu.parameters);
        QVERIFY2(gap < 2e-3 && masks > 10 * gap,
                 qPrintable(QStringLiteral("%1, by dropout %2").arg(gap).arg(masks)));
    }

    void lateLoss_data()
    {
        QTest::addColumn<QString>("family");
        for (const char* family : {"resnet", "mlp", "lstm", "bert", "ncf"})
            QTest::newRow(family) << family;
    }
    /// A step whose loss is read when the next one is on its way: the losses and weights of steps
    /// that are waited for, bit for bit.
    void lateLoss()
    {
        QFETCH(QString, family);
        const auto comm = dist::makeSelfCommunicator();
        test::FamilySetting setting;
        setting.family = family.toStdString();
        setting.devices = test::emulatedDevices(dist::AllReduceKind::Staged);
        const test::FamilyResult& waited = onDevice(setting.family);
        setting.whole = true;
        const test::FamilyResult late = test::trainFamily(*comm, setting);
        QCOMPARE(late.late, family != "ncf"); // its tables are not updated before it is known
        QCOMPARE(late.losses, waited.losses);
        QCOMPARE(late.parameters, waited.parameters);
    }

    void workers_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("way");
        QTest::addColumn<bool>("shard");
        QTest::addColumn<bool>("overlap");
        for (const char* way : {"nccl", "staged"})
            for (const char* family : {"mlp", "ncf", "dlrm"})
                QTest::addRow("%s %s", family, way) << family << way << false << true;
        QTest::newRow("mlp nccl sharded") << "mlp"
                                          << "nccl" << true << true;
        QTest::newRow("dlrm nccl, no overlap") << "dlrm"
                                               << "nccl" << false << false;
    }
    /// Two processes with a GPU each give the update of one worker on the CPU; rows of DLRM's
    /// tables go from device to device.
    void workers()
    {
        if (!test::haveMpirun())
            QSKIP("mpirun is not installed");
        QFETCH(QString, family);
        QFETCH(QString, way);
        QFETCH(bool, shard);
        QFETCH(bool, overlap);
        const QString out = dir_.filePath(QString::fromLatin1(QTest::currentDataTag()));
        const auto run =
            test::runUnderMpi(2, QStringLiteral(SB_CUDA_FAMILY_CHECKS),
                              {out, family, QStringLiteral("1"), QString::number(overlap),
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

    void faults_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QStringList>("words");
        const QString told = QStringLiteral("data_damaged | a fault of the test");
        QTest::newRow("nothing wrong") << "same" << QStringList{"same bits", "same bits"};
        for (const char* kind : {"record-forward", "record-backward", "backward"})
            QTest::newRow(kind) << kind << QStringList{told, told};
        const QString graph = QStringLiteral("device_error | instantiating a CUDA graph");
        QTest::newRow("record-end") << "record-end" << QStringList{graph, graph};
        QTest::newRow("hang") << "hang" << QStringList{"collective_timeout | "};
    }
    /// What one of two workers cannot do the other learns at once, wherever it happened, and nobody
    /// waits for buckets that were recorded and never sent: who had waited in vain would say so.
    void faults()
    {
        if (!test::haveMpirun())
            QSKIP("mpirun is not installed");
        QFETCH(QString, kind);
        QFETCH(QStringList, words);
        const QString out = dir_.filePath("faults-" + kind);
        const auto run =
            test::runOnceUnderMpi(2, QStringLiteral(SB_CUDA_FAULT_CHECKS), {kind, out});
        QVERIFY2(run.finished, "a worker waits for ever");
        QFile file(out);
        QVERIFY2(file.open(QIODevice::ReadOnly), run.output.constData());
        QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
        lines.sort();
        QVERIFY2(lines.size() == words.size(), qPrintable(lines.join('\n') + run.output));
        for (qsizetype i = 0; i < lines.size(); ++i)
            QVERIFY2(lines[i].startsWith(QStringLiteral("rank %1: ").arg(i) + words[i]),
                     qPrintable(lines[i]));
    }
};

QTEST_GUILESS_MAIN(CudaTrainingTest)
#include "cuda_training_test.moc"
