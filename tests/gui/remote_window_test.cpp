// SPDX-License-Identifier: GPL-3.0-or-later
// A study on four other hosts, from a click in the real window to the chart: the hosts are those of
// the test cluster, reached by the real ssh and mpirun; the engine is the fake one.
#include "gui/virtual_display.h"
#include "support/remote_fixture.h"

using namespace scalebench;
using namespace scalebench::test;

class RemoteWindowTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void startedAndFollowed()
    {
        const QString missing = VirtualDisplay::missing({QStringLiteral("mpirun")});
        if (!missing.isEmpty())
            QSKIP(qPrintable(QStringLiteral("%1 is not installed").arg(missing)));
        RemoteCluster remote;
        if (!remote.cluster.skipReason().isEmpty())
            QSKIP(qPrintable(remote.cluster.skipReason()));
        QVERIFY2(remote.cluster.error().isEmpty(), qPrintable(remote.cluster.error()));
        const TargetMachine machine = remote.machine(TargetMachine::Kind::Ssh, 4, 20);
        auto machines = MachineFile::open();
        QVERIFY(machines.ok());
        const auto saved = machines.value().save(machine);
        QVERIFY2(saved.ok(), saved ? "" : qPrintable(saved.failure().message));
        VirtualDisplay display;
        QVERIFY(display.start());
        const QString plan = remote.folder.filePath(QStringLiteral("study.json"));
        RemoteCluster::write(plan,
                             R"({"format":"scalebench.study","version":1,"workload":"resnet",)"
                             R"("scale":"desk","machine":"c","shapes":["1x1","4x1"],)"
                             R"("target":0.8,"oversubscribe":true})");
        QProcessEnvironment env =
            display.environment(remote.folder.filePath(QStringLiteral("config")));
        env.insert(QStringLiteral("SCALEBENCH_TEST_GEOMETRY"), QStringLiteral("1"));
        QProcess program;
        program.setProcessEnvironment(env);
        program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        program.start(QStringLiteral(SB_BIN_DIR "/scalebench-gui"),
                      {plan, QStringLiteral("--library"), remote.library->dir(),
                       QStringLiteral("--page"), QStringLiteral("plan"), QStringLiteral("--size"),
                       QStringLiteral("1200x800")});
        QVERIFY(program.waitForStarted(kHangMs));
        StartButton start;
        const QString dir = start.click(display, program, *remote.library);
        QVERIFY2(!dir.isEmpty(), "a click on Start starts the study");
        QTRY_VERIFY_WITH_TIMEOUT(allCompleted(dir), kHangMs);
        // The chart of the window holds what the hosts measured.
        const QString table = remote.folder.filePath(QStringLiteral("chart.csv"));
        QVERIFY2(display.exportChart(program, table), "the dialog saves the chart");
        const auto study = loadStudy(dir);
        QVERIFY(study.ok());
        qsizetype points = 0;
        for (const RunRecord& run : study.value().runs)
            points += run.evals.size();
        QTRY_COMPARE_WITH_TIMEOUT(RemoteCluster::read(table).trimmed().count('\n'), points,
                                  kHangMs);
        QVERIFY(points >= 2);
        QVERIFY(display.quit(program));
        QVERIFY(remote.nothingLeft());
    }
};

QTEST_GUILESS_MAIN(RemoteWindowTest)
#include "remote_window_test.moc"
