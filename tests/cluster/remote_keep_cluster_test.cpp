// SPDX-License-Identifier: GPL-3.0-or-later
// What a run over hosts has measured when its supervisor, its link or its hosts are lost: what is
// here, what lies there, and that a resumed run goes on from it without a gap in its curve.
#include "run/checkpoints.h"
#include "run/own_studies.h"
#include "supervise/requeue.h"
#include "supervise/supervisor.h"
#include "support/campaign.h"
#include "support/remote_fixture.h"

#include <memory>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

using Kind = TargetMachine::Kind;

class RemoteKeepClusterTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<RemoteCluster> m;

    /// `kib` of a checkpoint after each epoch, which takes half a second.
    TargetMachine machine(int kib, int epochs = 1000) const
    {
        TargetMachine machine = m->machine(Kind::Ssh, epochs, 100);
        machine.environment.insert(u"FAKE_ENGINE_CHECKPOINT_KB"_s, QString::number(kib));
        return machine;
    }
    QString nodeFile(const Study& study, const QString& name, int host = 0) const
    {
        return m->remoteStudy(m->cluster.host(host), study.id) + u"/runs/"_s +
               study.runs[0].config.runId + u'/' + name;
    }
    static std::optional<CheckpointHead> headHere(const Study& study)
    {
        return newestCheckpoint(study.runs[0].runDir);
    }
    std::optional<CheckpointHead> headThere(const Study& study) const
    {
        return newestCheckpoint(nodeFile(study, u"."_s));
    }
    static bool killSupervisor(const Study& study)
    {
        const ProcessIdentity supervisor = readRunStatus(study.runs[0].runDir).value().supervisor;
        return supervisor.isAlive() && ::kill(pid_t(supervisor.pid), SIGKILL) == 0;
    }
    /// Resumed with `epochs` in all: completed, every epoch once and in order.
    static QByteArray resumedFault(const Study& study, int epochs)
    {
        Followed f(study.dir);
        if (!f.begin() || !f.ends())
            return "not run";
        const RunRecord& run = f.run();
        if (run.state != RunState::Completed)
            return (runStateName(run.state) + u": "_s + run.failure.message + run.failure.details)
                .toUtf8();
        if (run.sequenceGaps || run.sequenceRepeats || run.foreignLines)
            return "gaps or repeats in the stream";
        if (run.epochs.size() != epochs)
            return QByteArray::number(run.epochs.size()) + " epochs";
        for (int i = 0; i < epochs; ++i)
            if (run.epochs[i].epoch != i + 1)
                return "epoch " + QByteArray::number(run.epochs[i].epoch) + " at " +
                       QByteArray::number(i);
        return {};
    }
    /// The epoch in which the last attempt went on; 0: it began anew.
    static int resumedIn(const Study& study)
    {
        const QByteArray text = RemoteCluster::read(study.runs[0].runDir + u"/result_0.txt"_s);
        const qsizetype at = text.lastIndexOf("\"key\":\"resume\"");
        return at < 0 ? 0 : text.mid(text.indexOf("\"epoch\":", at) + 8, 9).split(',')[0].toInt();
    }
    /// As if the run were shorter, so that a resumed one comes to its end: the epochs are the
    /// engine's environment, which is in the study's machine.
    static void endAfter(const Study& study, int epochs)
    {
        const QString path = study.dir + u"/machine.json"_s;
        QByteArray text = RemoteCluster::read(path);
        text.replace("\"FAKE_ENGINE_EPOCHS\": \"1000\"",
                     "\"FAKE_ENGINE_EPOCHS\": \"" + QByteArray::number(epochs) + '"');
        RemoteCluster::write(path, text);
        QVERIFY(rememberOwnStudy(study.dir).ok());
    }
    bool foldersAreGone(const Study& study) const
    {
        for (const QString& host : m->cluster.hosts())
            if (QFile::exists(m->remoteStudy(host, study.id)))
                return false;
        return true;
    }

    /// Its first checkpoint is on rank 0's host, and not here, when the link goes down for good.
    bool losesItsHost(const Study& study)
    {
        Followed f(study.dir);
        if (!f.begin() || !Followed::waitFor([&] { return headThere(study).has_value(); }) ||
            !m->fault("link sb1 down"))
            return false;
        const bool ended = f.ends();
        return m->fault("link sb1 up") && ended && m->nothingLeft({}, m->kAfterCut);
    }

private slots:
    void initTestCase() { m = std::make_unique<RemoteCluster>(); }
    void init() { SB_NEED_CLUSTER(m->cluster); }
    void cleanupTestCase() { m.reset(); }

    /// Copied as they are written, and before anybody asks.
    void checkpointsComeWhileItRuns()
    {
        const Study study = m->create(machine(16));
        Followed f(study.dir);
        QVERIFY(f.begin());
        QVERIFY(f.hasCheckpoint(2));
        QVERIFY(QFile::exists(study.runs[0].runDir + u'/' + previousCheckpoint()));
        f.controller.stopNow();
        QVERIFY(f.ends());
    }

    /// The supervisor is killed: what the next one says is kept is kept, and the run goes on.
    void supervisorKilled()
    {
        const Study study = m->create(machine(16));
        {
            Followed f(study.dir);
            QVERIFY(f.begin());
            QVERIFY(Followed::waitFor([&] { return f.run().epochs.size() >= 2; }));
            QVERIFY(killSupervisor(study));
            QVERIFY(f.ends());
            QCOMPARE(f.run().failure.code, u"supervisor_lost"_s);
            const auto here = headHere(study);
            QVERIFY(here);
            const QString said = f.run().failure.message;
            QVERIFY2(said.contains(u"%1 complete epochs are kept; resumed, the run goes on after "
                                   "step %2 (epoch %3)"_s.arg(f.run().epochs.size())
                                       .arg(here->step)
                                       .arg(here->epochs)),
                     qPrintable(said));
            QCOMPARE(here->epochs, int(f.run().epochs.size()));
        }
        QVERIFY(foldersAreGone(study)); // all of it is here
        endAfter(study, headHere(study)->epochs + 3);
        const int from = headHere(study)->epochs;
        QVERIFY(requeueRuns(study.dir).ok());
        QCOMPARE(resumedFault(study, from + 3), QByteArray());
        QCOMPARE(resumedIn(study), from + 1);
        QVERIFY(foldersAreGone(study));
        QVERIFY(m->nothingLeft());
    }

    /// Cut off from rank 0's host with a checkpoint there that takes longer to copy than the run
    /// lasted: it stays there, this is said, and a resumed run goes on from it.
    void rankZeroIsCutOff_data()
    {
        QTest::addColumn<bool>("supervisorToo");
        QTest::newRow("link") << false;
        QTest::newRow("link and supervisor") << true;
    }
    void rankZeroIsCutOff()
    {
        QFETCH(bool, supervisorToo);
        const Study study = m->create(machine(64 << 10), {{2, 1}});
        int there = 0;
        {
            Followed f(study.dir);
            QVERIFY(f.begin());
            QVERIFY(Followed::waitFor([&] {
                const auto head = headThere(study);
                return head && head->epochs >= 2 && f.run().epochs.size() >= 2;
            }));
            QVERIFY(!headHere(study)); // 64 MiB are not sent in a moment
            QVERIFY(m->fault("link sb1 down"));
            if (supervisorToo)
                QVERIFY(killSupervisor(study));
            const bool ended = f.ends();
            there = headThere(study) ? headThere(study)->epochs : 0;
            QVERIFY(m->fault("link sb1 up"));
            QVERIFY(ended);
            QVERIFY(!headHere(study));
            QVERIFY(there >= 2);
            if (supervisorToo) {
                const QString said = f.run().failure.message;
                QVERIFY2(said.contains("no checkpoint"_L1) &&
                             said.contains("sb1 cannot be reached now"_L1),
                         qPrintable(said));
            } else {
                QCOMPARE(f.run().failure.code, u"node_lost"_s);
                QVERIFY2(f.run().nodeEnds.first().text.contains("when the run is resumed"_L1),
                         qPrintable(f.run().nodeEnds.first().text));
            }
        }
        QVERIFY(m->nothingLeft({}, m->kAfterCut));
        there = headThere(study)->epochs; // what was written while it was cut off counts too
        endAfter(study, there + 2);
        QVERIFY(requeueRuns(study.dir).ok());
        QCOMPARE(resumedFault(study, there + 2), QByteArray());
        QCOMPARE(resumedIn(study), there + 1);
        QVERIFY(foldersAreGone(study));
        QVERIFY(m->nothingLeft());
    }

    /// It can be seen there but not be fetched: then it is not removed either.
    void notFetchedNotRemoved()
    {
        const Study study = m->create(machine(64 << 10), {{1, 1}});
        QVERIFY(losesItsHost(study));
        const auto before = headThere(study);
        QVERIFY(before);
        const QString program =
            m->cluster.fileOf(u"sb1"_s, u"/root/.local/share/scalebench/engine/b/bin/scalebench"_s);
        const QByteArray real = RemoteCluster::read(program);
        RemoteCluster::writeProgram(program, "exit 9");
        QVERIFY(requeueRuns(study.dir).ok());
        {
            Followed f(study.dir);
            const bool done = f.begin() && f.ends();
            RemoteCluster::writeProgram(program, real.mid(real.indexOf('\n') + 1));
            QVERIFY(done);
            QCOMPARE(f.run().failure.code, u"checkpoint_on_host"_s);
        }
        QVERIFY(headThere(study));
        QCOMPARE(headThere(study)->step, before->step);
        endAfter(study, before->epochs + 2);
        QVERIFY(requeueRuns(study.dir).ok());
        QCOMPARE(resumedFault(study, before->epochs + 2), QByteArray());
        QCOMPARE(resumedIn(study), before->epochs + 1);
    }

    /// Open MPI's daemon takes its session's folder away when it ends, but not when it is killed.
    void sessionFoldersAreRemoved()
    {
        const auto folders = [&](const QString& host) {
            // Of Open MPI 4.1 and of 5.0.
            return m->cluster
                .in(host, {u"sh"_s, u"-c"_s, u"ls -d /tmp/ompi.*/jf.* /tmp/prted.*.0"_s})
                .output;
        };
        // Somebody else's, of another job.
        QVERIFY(m->cluster.in(u"sb2"_s, {u"mkdir"_s, u"-p"_s, u"/tmp/ompi.sb2.0/jf.1"_s}).ok());
        const Study study = m->create(machine(16), {{2, 1}});
        {
            Followed f(study.dir);
            QVERIFY(f.begin());
            QVERIFY(f.trains());
            QCOMPARE(folders(u"sb2"_s).count('\n'), 2);
            // One of 5.0 is two processes, and the second may be gone when its turn comes.
            m->cluster.in(u"sb2"_s, {u"sh"_s, u"-c"_s, u"kill -9 $(pidof orted prted)"_s});
            QVERIFY(f.ends());
            QVERIFY(!f.run().failure.code.isEmpty());
        }
        QCOMPARE(folders(u"sb2"_s), QByteArray("/tmp/ompi.sb2.0/jf.1\n"));
        QCOMPARE(folders(u"sb1"_s), QByteArray());
    }

    /// Of a host that could not be reached: when the run is resumed.
    void whatALostHostKeptIsRemoved()
    {
        const Study study = m->create(machine(16), {{2, 1}});
        {
            Followed f(study.dir);
            QVERIFY(f.begin());
            QVERIFY(f.hasCheckpoint());
            QVERIFY(m->fault("link sb2 down"));
            const bool ended = f.ends();
            QVERIFY(m->fault("link sb2 up"));
            QVERIFY(ended);
        }
        QVERIFY(m->nothingLeft({}, m->kAfterCut));
        QVERIFY(!foldersAreGone(study));
        const int from = headHere(study)->epochs;
        endAfter(study, from + 2);
        QVERIFY(requeueRuns(study.dir).ok());
        QCOMPARE(resumedFault(study, from + 2), QByteArray());
        QVERIFY(foldersAreGone(study));
        QCOMPARE(
            m->cluster.in(u"sb2"_s, {u"sh"_s, u"-c"_s, u"ls -d /tmp/ompi.*/jf.[1-9]?*"_s}).output,
            QByteArray());
    }

    /// Nobody resumes it: when the host is used or checked again. It is not, while it might be
    /// needed.
    void whatALostHostKeptIsRemovedLater_data()
    {
        QTest::addColumn<bool>("check");
        QTest::newRow("next run") << false;
        QTest::newRow("machines check") << true;
    }
    void whatALostHostKeptIsRemovedLater()
    {
        QFETCH(bool, check);
        const auto useAgain = [&] {
            if (!check) {
                Followed f(m->create(machine(0, 3), {{2, 1}}).dir);
                return f.begin() && f.ends() && f.run().state == RunState::Completed;
            }
            const Said said = runProgram(QStringLiteral(SB_BIN_DIR "/scalebench"),
                                         {u"machines"_s, u"check"_s, u"--hosts"_s, u"sb1,sb2"_s,
                                          u"--ssh-config"_s, m->cluster.sshConfig()});
            return said.output.contains("sb2");
        };
        const Study study = m->create(machine(16), {{2, 1}});
        {
            Followed f(study.dir);
            QVERIFY(f.begin());
            QVERIFY(f.hasCheckpoint());
            QVERIFY(m->fault("link sb2 down"));
            const bool ended = f.ends();
            QVERIFY(m->fault("link sb2 up"));
            QVERIFY(ended);
            QCOMPARE(f.run().failure.code, u"node_lost"_s);
        }
        QVERIFY(m->nothingLeft({}, m->kAfterCut));
        QVERIFY(QFile::exists(m->remoteStudy(u"sb2"_s, study.id)));
        QVERIFY(requeueRuns(study.dir).ok()); // it waits: its folders are its own
        QVERIFY(useAgain());
        QVERIFY(QFile::exists(m->remoteStudy(u"sb2"_s, study.id)));
        RunStatus status = readRunStatus(study.runs[0].runDir).value();
        status.state = RunState::Failed;
        QVERIFY(writeRunStatus(study.runs[0].runDir, status).ok());
        QVERIFY(useAgain());
        QVERIFY(!QFile::exists(m->remoteStudy(u"sb2"_s, study.id)));
    }

    /// A checkpoint that is nowhere else stays, whoever uses the host.
    void whatIsNotHereIsNotRemovedLater()
    {
        const Study study = m->create(machine(64 << 10), {{1, 1}});
        QVERIFY(losesItsHost(study));
        Followed f(m->create(machine(0, 3), {{1, 1}}).dir);
        QVERIFY(f.begin() && f.ends());
        QVERIFY(headThere(study));
        QVERIFY(QDir(study.dir).removeRecursively()); // nobody can resume it any more
        Followed again(m->create(machine(0, 3), {{1, 1}}).dir);
        QVERIFY(again.begin() && again.ends());
        QVERIFY(!QFile::exists(m->remoteStudy(u"sb1"_s, study.id)));
    }

    /// The command's last words about a host are not said twice.
    void saysOnceThatAHostDidNotAnswer()
    {
        TargetMachine machine = this->machine(0);
        machine.name = u"once"_s;
        QVERIFY(MachineFile::open().value().save(machine));
        QProcess command;
        command.setProcessChannelMode(QProcess::MergedChannels);
        const QString out = m->folder.filePath(u"once"_s);
        command.start(
            QStringLiteral(SB_BIN_DIR "/scalebench"),
            u"run resnet --shapes 2x1 --oversubscribe --target 0.8 --no-pictures --machine once"_s
                    .split(u' ') +
                QStringList{u"--out"_s, out});
        QVERIFY(command.waitForStarted(kHangMs));
        const auto trains = [&] {
            for (const QString& run :
                 QDir(out + u"/runs"_s).entryList(QDir::NoDotAndDotDot | QDir::Dirs))
                if (RemoteCluster::read(out + u"/runs/"_s + run + u"/result_0.txt"_s)
                        .contains("\"step\":"))
                    return true;
            return false;
        };
        QVERIFY(Followed::waitFor(trains));
        QVERIFY(m->fault("link sb2 down"));
        const bool ended = command.waitForFinished(kHangMs);
        QVERIFY(m->fault("link sb2 up"));
        QVERIFY(ended);
        const QByteArray said = command.readAll();
        QVERIFY2(said.count("did not answer, so") == 1, said.constData());
        QVERIFY(m->nothingLeft({}, m->kAfterCut));
    }
};

QTEST_GUILESS_MAIN(RemoteKeepClusterTest)
#include "remote_keep_cluster_test.moc"
