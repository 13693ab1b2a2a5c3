// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine/machines.h"
#include "study/run_config.h"
#include "supervise/launch_command.h"
#include "support/launcher_fixture.h"

#include <QProcess>
#include <QTest>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::test;

class LaunchCommandTest : public QObject
{
    Q_OBJECT
private slots:
    void goldenLine()
    {
        RunConfig run;
        run.workers = 2;
        run.threadsPerWorker = 3;
        const LaunchCommand command =
            localMpirunCommand(run, goodMachine(), QStringLiteral("/r/run 1"));
        const QStringList expected =
            QStringLiteral("--np 2 --bind-to none --use-hwthread-cpus --mca plm "
                           "isolated -x OMP_NUM_THREADS "
                           "/opt/sb/scalebench-engine --run")
                .split(QLatin1Char(' '));
        QCOMPARE(command.program, QStringLiteral("/usr/bin/mpirun"));
        QCOMPARE(command.arguments, expected + QStringList(QStringLiteral("/r/run 1")));
        QCOMPARE(command.environment.value(QStringLiteral("OMP_NUM_THREADS")), QStringLiteral("3"));
        const bool root = ::geteuid() == 0;
        QCOMPARE(command.environment.contains(QStringLiteral("OMPI_ALLOW_RUN_AS_ROOT")), root);
        QCOMPARE(command.environment.contains(QStringLiteral("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")),
                 root);
    }

    void oversubscribedLine()
    {
        RunConfig run;
        run.workers = 8;
        run.oversubscribed = true;
        const QStringList arguments =
            localMpirunCommand(run, goodMachine(), QStringLiteral("/r")).arguments;
        QVERIFY(arguments.contains(QStringLiteral("--oversubscribe")));
        QVERIFY(arguments.join(QLatin1Char(' '))
                    .contains(QStringLiteral("--mca mpi_yield_when_idle 1")));
    }

    /// What mpirun gets for hosts: names, folders and values with blanks and quotes are one word.
    void hostsLine()
    {
        QTemporaryDir folder;
        const QString runDir = folder.filePath(QStringLiteral("my \"runs\" it's"));
        QDir().mkpath(runDir);
        RunConfig run;
        run.nodes = 2;
        run.workers = 4;
        run.hosts = {QStringLiteral("node1.a.org"), QStringLiteral("node2.a.org")};
        run.device = QStringLiteral("cpu");
        run.threadsPerWorker = 3;
        TargetMachine machine;
        machine.kind = TargetMachine::Kind::Ssh;
        machine.environment = {{QStringLiteral("SITE"), QStringLiteral("a 'b' $(c)")}};
        machine.nccl = {{QStringLiteral("SOCKET_IFNAME"), QStringLiteral("ib0")}};
        machine.ucx = {{QStringLiteral("TLS"), QStringLiteral("rc,self")}};
        const MachineInfo here = goodMachine();
        const QString nodeDir = QStringLiteral("/home/a b/r");
        const Result<LaunchCommand> command = hostsMpirunCommand(
            {run, machine, here, nodeDir, QStringLiteral("/e n"), QStringLiteral("10.0.0.0/24")},
            QStringLiteral("/s t"), runDir);
        QVERIFY(command);
        const QStringList expected =
            QStringList{QStringLiteral("--hostfile"), runDir + QStringLiteral("/hosts.txt")} +
            QStringLiteral("--map-by ppr:2:node --bind-to none --mca plm rsh --mca plm_rsh_agent")
                .split(QLatin1Char(' ')) +
            QStringList(QStringLiteral("scalebench rsh")) +
            QStringLiteral(
                "--mca orte_keep_fqdn_hostnames 1 --mca "
                "oob_tcp_keepalive_time 6 --mca oob_tcp_keepalive_intvl 3 --mca "
                "oob_tcp_keepalive_probes 3 --mca btl_tcp_if_include 10.0.0.0/24 --mca "
                "mpi_yield_when_idle 1 --noprefix --mca orte_launch_agent scalebench-daemon -x "
                "NCCL_SOCKET_IFNAME -x OMP_NUM_THREADS -x SITE -x UCX_TLS")
                .split(QLatin1Char(' ')) +
            QStringList{QStringLiteral("/e n/bin/scalebench-engine"), QStringLiteral("--run"),
                        nodeDir};
        QCOMPARE(command.value().program, QStringLiteral("/usr/bin/mpirun"));
        QCOMPARE(command.value().arguments, expected);
        const auto value = [&](const char* name) {
            return command.value().environment.value(QLatin1String(name));
        };
        QCOMPARE(value("SITE"), QStringLiteral("a 'b' $(c)"));
        QCOMPARE(value("NCCL_SOCKET_IFNAME"), QStringLiteral("ib0"));
        QCOMPARE(value("UCX_TLS"), QStringLiteral("rc,self"));
        QCOMPARE(value("OMP_NUM_THREADS"), QStringLiteral("3"));
        QCOMPARE(value("SCALEBENCH_RUN"), nodeDir);
        QCOMPARE(value("SCALEBENCH_RSH_DAEMON"), QStringLiteral("/e n/bin/orted"));
        QCOMPARE(value("SCALEBENCH_RSH_MACHINE"), QStringLiteral("/s t/machine.json"));
        QVERIFY(value("PATH").startsWith(QFileInfo(QStringLiteral(SB_BIN_DIR)).canonicalFilePath() +
                                         QLatin1Char(':')));
        QFile hosts(runDir + QStringLiteral("/hosts.txt"));
        QVERIFY(hosts.open(QIODevice::ReadOnly));
        QCOMPARE(hosts.readAll(), "node1.a.org slots=2\nnode2.a.org slots=2\n");

        // An Open MPI that is installed there, a GPU for each, going on from a checkpoint.
        machine = {};
        machine.mpiPrefix = QStringLiteral("/opt/open mpi");
        run.device = QStringLiteral("cuda");
        const QStringList other =
            hostsMpirunCommand({run, machine, here, nodeDir, QStringLiteral("/e"), {}, false, true},
                               QStringLiteral("/s"), runDir)
                .value()
                .arguments;
        const QString text = other.join(QLatin1Char('|'));
        QVERIFY(text.contains(QStringLiteral("--prefix|/opt/open mpi|")));
        QVERIFY(!text.contains(QStringLiteral("noprefix")));
        QVERIFY(!text.contains(QStringLiteral("mpi_yield_when_idle")));
        QVERIFY(!text.contains(QStringLiteral("if_include")));
        QCOMPARE(other.last(), QStringLiteral("--resume"));
    }

    /// The same with Open MPI 5.0.
    void linesForOpenMpi5()
    {
        RunConfig run;
        run.workers = 2;
        MachineInfo here = goodMachine();
        here.mpirunVersion = QStringLiteral("5.0.7");
        LocalWorkers local{2, 1, true};
        local.quiet = true;
        QCOMPARE(localMpirunCommand(here, local, {}).arguments.join(QLatin1Char(' ')),
                 QStringLiteral("--prtemca prte_execute_quiet 1 --np 2 --bind-to none "
                                "--use-hwthread-cpus --mca btl_tcp_disable_family 6 "
                                "--oversubscribe --mca mpi_yield_when_idle 1 -x OMP_NUM_THREADS "
                                "/opt/sb/scalebench-engine"));
        here.mpirunVersion = QStringLiteral("4.1.4");
        QCOMPARE(localMpirunCommand(here, local, {}).arguments.first(), QStringLiteral("--quiet"));

        QTemporaryDir folder;
        for (int i = 1; i <= 65; ++i)
            run.hosts << QStringLiteral("n%1").arg(i);
        run.nodes = run.workers = 65;
        run.device = QStringLiteral("cpu");
        here.mpirunVersion = QStringLiteral("5.0.7");
        TargetMachine machine;
        const auto command = [&] {
            return hostsMpirunCommand({run, machine, here, QStringLiteral("/r"),
                                       QStringLiteral("/e"), QStringLiteral("10.0.0.0/24"), true},
                                      QStringLiteral("/s"), folder.path())
                .value();
        };
        const QString start =
            QStringLiteral("--hostfile|%1/hosts.txt|--map-by|ppr:1:node|--bind-to|none|--prtemca|"
                           "plm|ssh|--prtemca|plm_ssh_agent|scalebench rsh|--prtemca|"
                           "plm_ssh_no_tree_spawn|1|--prtemca|prte_keep_fqdn_hostnames|1|--prtemca|"
                           "oob_tcp_keepalive_time|6|--prtemca|oob_tcp_keepalive_intvl|3|--prtemca|"
                           "oob_tcp_keepalive_probes|3|--mca|btl_tcp_disable_family|6|--mca|"
                           "btl_tcp_if_include|10.0.0.0/24|--mca|mpi_yield_when_idle|1|")
                .arg(folder.path());
        const QString end = QStringLiteral("|-x|OMP_NUM_THREADS|/e/bin/scalebench-engine|--run|/r");
        QCOMPARE(command().arguments.join(QLatin1Char('|')),
                 start + QStringLiteral("--prtemca|prte_launch_agent|scalebench-daemon") + end);
        QCOMPARE(command().environment.value(QStringLiteral("SCALEBENCH_RSH_DAEMON")),
                 QStringLiteral("/e/bin/prted"));
        machine.mpiPrefix = QStringLiteral("/opt/open mpi");
        QCOMPARE(command().arguments.join(QLatin1Char('|')),
                 start + QStringLiteral("--prefix|/opt/open mpi") + end);
    }

    void displayedTextSurvivesAShell()
    {
        RunConfig run;
        const QString dir = QStringLiteral("/tmp/it's \"5 $HOME\" `x` größe\\n");
        MachineInfo machine = goodMachine();
        machine.mpirunPath = QStringLiteral("/bin/echo");
        LaunchCommand command = localMpirunCommand(run, machine, dir);
        command.arguments = {QStringLiteral("%s"), dir, QString()};
        command.program = QStringLiteral("printf");
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command.displayText()});
        QVERIFY(shell.waitForFinished(kHangMs));
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), dir);
    }
};

QTEST_GUILESS_MAIN(LaunchCommandTest)
#include "launch_command_test.moc"
#include "support/campaign.h"
