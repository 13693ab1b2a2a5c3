// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher/run_config.h"
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
        QVERIFY(shell.waitForFinished());
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), dir);
    }
};

QTEST_GUILESS_MAIN(LaunchCommandTest)
#include "launch_command_test.moc"
