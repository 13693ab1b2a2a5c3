// SPDX-License-Identifier: GPL-3.0-or-later
// Pre-flight of Slurm clusters: what sbatch would refuse, or accept and never run.
#include "deploy/deployment.h"
#include "preflight/preflight.h"
#include "support/campaign.h"
#include "support/cluster.h"
#include "support/fake_bundle.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class SlurmPreflightTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Cluster> m_cluster;
    QList<HostReport> m_reports;

    TargetMachine machine() const
    {
        TargetMachine m;
        m.name = u"slurm"_s;
        m.kind = TargetMachine::Kind::Slurm;
        m.login = u"sb1"_s;
        m.sshConfig = m_cluster->sshConfig();
        m.folder = m_cluster->shared() + u"/it's here"_s;
        return m;
    }
    HostCheck check(const TargetMachine& m)
    {
        Preflight preflight(m);
        QSignalSpy finished(&preflight, &Preflight::finished);
        preflight.start();
        finished.wait(60'000);
        m_reports = preflight.reports();
        for (const HostCheck& c : m_reports.value(0).checks)
            if (c.test == "slurm"_L1)
                return c;
        return {};
    }

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        m_cluster = std::make_unique<Cluster>(
            QStringList{u"--hosts"_s, u"3"_s, u"--slurm"_s, u"--shared"_s, m_folder.path()});
    }
    void init() { SB_NEED_CLUSTER(*m_cluster); }
    void cleanupTestCase() { m_cluster.reset(); }

    void fine()
    {
        FakeBundle bundle;
        DeployOptions options;
        const QTemporaryDir folder;
        options.archive = bundle.make(folder.path());
        qputenv("SCALEBENCH_BUNDLE", options.archive.toUtf8());
        Deployment deployment(machine(), options);
        QSignalSpy finished(&deployment, &Deployment::finished);
        deployment.start();
        QVERIFY(finished.wait(60'000));
        QCOMPARE(deployment.reports().size(), 1);
        QVERIFY2(deployment.reports()[0].ok, qPrintable(deployment.reports()[0].failure.message));
        const HostCheck slurm = check(machine());
        // The emulated shared folder is a local disk underneath, which is worth a warning.
        QVERIFY2(slurm.level == HostCheck::Level::Ok || slurm.code == "slurm_folder_local"_L1,
                 qPrintable(slurm.text));
        QCOMPARE(m_reports.size(), 1);
        QVERIFY(m_reports[0].ok());
        QCOMPARE(m_reports[0].checks.size(), preflightTests().size());
        const QJsonObject facts = knownFacts(u"slurm"_s)["slurm"_L1].toObject();
        QCOMPARE(facts["nodes"_L1].toInt(), 3);
        QCOMPARE(facts["cores_per_node"_L1].toInt(), 2);
        QCOMPARE(planningInfo(machine()).value().cores, 2); // per node; Slurm chooses how many
    }

    void wrongSettings_data()
    {
        QTest::addColumn<QString>("partition");
        QTest::addColumn<QString>("time");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("text");
        QTest::newRow("partition") << u"al"_s << u""_s << 0 << u"slurm_partition"_s
                                   << u"There is no partition \"al\" (did you mean \"all\"?)."_s;
        QTest::newRow("time") << u"short"_s << u"5:00"_s << 0 << u"slurm_time_limit"_s
                              << u"Partition \"short\" allows 00:01:00, you ask 5:00"_s;
        QTest::newRow("days") << u"all"_s << u"1-0"_s << 0 << u"slurm_time_limit"_s
                              << u"allows 01:00:00"_s;
        QTest::newRow("gpus") << u"all"_s << u"30"_s << 4 << u"slurm_gpus"_s
                              << u"have 2 GPUs, you ask 4"_s;
    }
    void wrongSettings()
    {
        QFETCH(QString, partition);
        QFETCH(QString, time);
        QFETCH(int, gpus);
        QFETCH(QString, code);
        QFETCH(QString, text);
        TargetMachine m = machine();
        m.slurm.partition = partition;
        m.slurm.timeLimit = time;
        m.slurm.gpusPerNode = gpus;
        const HostCheck slurm = check(m);
        QCOMPARE(slurm.code, code);
        QCOMPARE(slurm.level, HostCheck::Level::Problem);
        QVERIFY2(slurm.text.contains(text), qPrintable(slurm.text));
        QVERIFY(!slurm.fix.isEmpty());
    }

    void nodesDown()
    {
        for (const char* host : {"sb1", "sb2"})
            m_cluster->command({u"slurm-node"_s, QString::fromLatin1(host), u"drain"_s});
        const HostCheck some = check(machine());
        HostCheck none; // Slurm hears of it in its own time
        const bool heard = QTest::qWaitFor(
            [&] {
                // Each time: one that registers only now comes back by itself.
                m_cluster->command({u"slurm-node"_s, u"sb3"_s, u"down"_s});
                none = check(machine());
                return none.code == u"slurm_nodes_down"_s;
            },
            kHangMs);
        for (const QString& host : m_cluster->hosts())
            m_cluster->command({u"slurm-node"_s, host, u"resume"_s});
        QVERIFY(some.level != HostCheck::Level::Problem);
        QVERIFY2(heard, qPrintable(none.code));
        QVERIFY2(none.text.contains(u"all 3"_s), qPrintable(none.text));
    }

    void withoutLoginNode()
    {
        if (QStandardPaths::findExecutable(u"sbatch"_s).isEmpty())
            QSKIP("this computer has no sbatch");
        TargetMachine m = machine();
        m.login.clear();
        m.sshConfig.clear();
        qputenv("SLURM_CONF", m_cluster->slurmConfig().toUtf8());
        HostCheck fine;
        for (int i = 0; i < 30; ++i) { // nodes that were just resumed are asked by Slurm first
            fine = check(m);
            if (fine.level != HostCheck::Level::Problem)
                break;
            QTest::qWait(1000);
        }
        qputenv("SLURM_CONF", "/does/not/exist");
        const HostCheck lost = check(m);
        qunsetenv("SLURM_CONF");
        QVERIFY2(fine.level != HostCheck::Level::Problem, qPrintable(fine.text + fine.details));
        QCOMPARE(lost.code, u"slurm_unreachable"_s);
        QVERIFY(m_reports[0].seconds < 30);
    }
};

QTEST_GUILESS_MAIN(SlurmPreflightTest)
#include "slurm_preflight_test.moc"
