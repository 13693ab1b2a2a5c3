// SPDX-License-Identifier: GPL-3.0-or-later
// Kills what belongs to a run, at any moment, again and again, and resumes it: the run is told what
// happened to it, nothing is left, and its curve and parameters end as those of one that was left
// alone. SB_KILLS says how many of each kind of machine (default: 2, in packaging/check --full 30),
// SB_KILL_SEED repeats one, SB_KILL_ONLY="supervisor 15" kills nothing else. Several may go on at
// once: tests/cluster/kill-campaign.
#include "base/process_tree.h"
#include "follow/queue_keeper.h"
#include "run/checkpoints.h"
#include "run/study_lock.h"
#include "supervise/requeue.h"
#include "supervise/supervisor.h"
#include "support/campaign.h"
#include "support/remote_fixture.h"
#include "support/small_cifar.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QTemporaryDir>

#include <algorithm>
#include <csignal>
#include <map>
#include <memory>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

using Kind = TargetMachine::Kind;

namespace {

struct Victim {
    const char* name;
    int signal;
    QStringList codes; ///< what the run may be said to have died of
};

const QList<Victim>& victims()
{
    static const QList<Victim> kAll{
        {"rank", SIGKILL, {u"rank_killed"_s, u"rank_lost"_s, u"rank_failed"_s, u"node_lost"_s}},
        // Before the engine asks for TERM the system ends it, and the words are "somebody ended
        // it".
        {"rank", SIGTERM, {u"cancelled"_s, u"rank_killed"_s}},
        {"mpirun", SIGKILL, {u"mpirun_killed"_s}},
        // Ended by TERM it says nothing, and daemons that were about to connect cannot: the same
        // words as behind a firewall.
        {"mpirun",
         SIGTERM,
         {u"cancelled"_s, u"mpirun_stopped"_s, u"mpirun_killed"_s, u"network_blocked"_s}},
        {"supervisor", SIGKILL, {u"supervisor_lost"_s}},
        {"supervisor", SIGTERM, {u"cancelled"_s}},
        {"all", SIGKILL, {u"supervisor_lost"_s}},
    };
    return kAll;
}

/// Slurm's job goes on without its supervisor, so what died of it is another thing; and Slurm can
/// end it too.
const QList<Victim>& victimsUnderSlurm()
{
    static const QStringList kRank = victims()[0].codes;
    static const QStringList kMpirun{u"mpirun_killed"_s};
    static const QList<Victim> kAll{
        victims()[0],
        victims()[1],
        victims()[2],
        victims()[3],
        {"supervisor", SIGKILL, {}},
        victims()[5],
        {"all", SIGKILL, kMpirun + kRank},
        {"script", SIGKILL, {u"slurm_failed"_s}},
        {"job", SIGKILL, {u"slurm_cancelled"_s}},
    };
    return kAll;
}

int numberFrom(const char* name, int fallback)
{
    bool ok = false;
    const int value = qEnvironmentVariableIntValue(name, &ok);
    return ok ? value : fallback;
}

QByteArray procFile(qint64 pid, const char* name)
{
    QFile file(u"/proc/%1/%2"_s.arg(pid).arg(QLatin1StringView(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class KillCampaignTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<RemoteCluster> m;
    std::unique_ptr<Followed> m_followed; ///< of a study on a login node
    bool m_reached = false;               ///< it was
    QTemporaryDir m_folder{               ///< where the hosts see it
                           QDir::cleanPath(QStringLiteral(SB_BIN_DIR "/../tests/kill-XXXXXX"))};
    QString m_data = m_folder.filePath(u"data"_s);
    QRandomGenerator m_random;
    TargetMachine m_machine;
    QList<Victim> m_victims;
    QByteArray m_expected[2];             ///< without and with a target that can be reached
    std::map<int, QJsonArray> m_arrays;   ///< of checkpoints, by step
    qint64 m_runMs = 0;                   ///< of one that is left alone
    static constexpr int kMostWrong = 10; ///< then it is enough to see why
    /// What is killed is told apart, not how fast a busy machine starts it.
    const QByteArrayList kLimits{"SCALEBENCH_START_S=120", "SCALEBENCH_STALL_S=120"};

    Study create(const TargetMachine& machine, bool reachable)
    {
        StudySpec spec;
        spec.machine = machine.kind == Kind::Local ? QString() : machine.name;
        spec.shapes = {machine.kind == Kind::Local ? Shape{1, 2} : Shape{2, 1}};
        spec.data = m_data;
        // A second of work: most of a campaign is waiting, so that several share a processor.
        spec.settings = {{u"model.image_size"_s, {16}}};
        spec.globalBatch = 16;
        spec.epochs = 6;
        spec.exclusive = false; // other campaigns go on here
        spec.noTarget = reachable;
        if (!reachable)
            spec.target = 0.9999;
        spec.learningRate = 0.05;
        spec.threadsPerWorker = 1;
        spec.oversubscribe = true;
        return m->createFrom(machine, spec, m_data);
    }

    static RunStatus statusOf(const Study& study)
    {
        const auto status = readRunStatus(study.runs[0].runDir);
        return status ? status.value() : RunStatus();
    }

    /// Processes of the study on this computer and in its namespaces; `what`: of the run's storeys.
    static QList<qint64> processesOf(const Study& study, const QByteArray& what)
    {
        const QByteArray mark = "/" + study.dir.section(u'/', -1).toUtf8() + "/";
        QList<qint64> found;
        for (const QString& entry : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
            bool isPid = false;
            const qint64 pid = entry.toLongLong(&isPid);
            const QByteArray line = isPid ? procFile(pid, "cmdline") + '/' : QByteArray();
            if (!line.contains(mark) && !line.contains(mark.chopped(1) + '\0'))
                continue;
            const QByteArray program = procFile(pid, "comm").trimmed();
            const bool rank = line.contains("--run") && program == "scalebench-engi";
            const bool launcher = program == "mpirun" || program == "prterun";
            const bool supervisor = line.contains("supervise");
            if (what == "all" || (what == "rank" && rank) || (what == "mpirun" && launcher) ||
                (what == "supervisor" && supervisor))
                found << pid;
        }
        // One that was forked for another program has its parent's names until it is that one.
        if (what != "all")
            found.removeIf([before = found](qint64 pid) {
                ProcessStat stat;
                return readProcessStat(pid, stat) && before.contains(stat.parent);
            });
        return found;
    }

    bool begins(const TargetMachine& machine, const Study& study)
    {
        if (machine.kind != Kind::Login)
            return startSupervisor(study.dir).ok();
        m_followed = std::make_unique<Followed>(study.dir);
        return m_followed->begin();
    }

    /// The supervisor is replaced where it died; until the run has ended.
    bool ends(const Study& study)
    {
        if (m_followed) {
            const bool ended = m_followed->ends() && isFinal(statusOf(study).state);
            m_reached = std::any_of(m_followed->connections.begin(), m_followed->connections.end(),
                                    [](const ConnectionState& state) { return state.connected; });
            m_followed.reset();
            return ended;
        }
        QueueKeeper keeper(study.dir, true); // it may have died before it noted anything
        const QStringList open{QFileInfo(study.runs[0].runDir).fileName()};
        return QTest::qWaitFor(
            [&] {
                keeper.tick(open);
                return isFinal(statusOf(study).state) && !lockHolder(study.dir);
            },
            kHangMs);
    }

    bool isTold(const Victim& victim, const RunStatus& status) const
    {
        // A supervisor may die before it has submitted anything to Slurm.
        const bool neverBegan = m_machine.kind == Kind::Slurm && status.slurmJob.isEmpty() &&
                                victim.signal == SIGKILL &&
                                status.error.code == "supervisor_lost"_L1;
        // And this computer's ssh before it was connected to the login node.
        const bool neverGotThere = m_machine.kind == Kind::Login && !m_reached &&
                                   QByteArray(victim.name) == "all" &&
                                   status.error.code == "ssh_failed"_L1;
        return neverBegan || neverGotThere || victim.codes.contains(status.error.code);
    }

    static QByteArray curveOf(const Study& study)
    {
        const auto run = loadRun(study.runs[0].runDir);
        if (!run)
            return run.failure().message.toUtf8();
        QByteArray text = runStateName(run.value().state).toUtf8();
        for (const EvalPoint& point : run.value().evals)
            text += " " + QByteArray::number(point.epoch) + ":" +
                    QByteArray::number(point.value, 'g', 17);
        text += " splits " + QByteArray::number(run.value().splits.size());
        if (run.value().sequenceGaps + run.value().sequenceRepeats > 0)
            text += ", records missing or twice";
        if (!run.value().epochs.isEmpty())
            text += " loss " + QByteArray::number(run.value().epochs.last().trainLoss, 'g', 17);
        return text;
    }

    /// The parameters and the optimizer's state after some step are the same in every run, by the
    /// checksums that checkpoints have. False: those of this one are others than before.
    bool hasKnownParameters(const Study& study)
    {
        constexpr int kBefore = 16, kAfter = 4; // magic and length, checksum
        for (const QString& name : {latestCheckpoint(), previousCheckpoint()}) {
            const QByteArray header = checkpointHeader(study.runs[0].runDir + u'/' + name);
            if (header.isEmpty())
                continue;
            const QJsonObject values =
                QJsonDocument::fromJson(header.mid(kBefore).chopped(kAfter)).object();
            const QJsonArray arrays = values[u"arrays"_s].toArray();
            if (m_arrays.emplace(values[u"step"_s].toInt(-1), arrays).first->second != arrays)
                return false;
        }
        return true;
    }

    /// Waits for a random moment of the run and kills. What it did; empty when there was nobody any
    /// more.
    QByteArray strike(const Study& study, const Victim& victim)
    {
        QTest::qWait(int(m_random.bounded(m_runMs)));
        const QString job = statusOf(study).slurmJob;
        if (QByteArray(victim.name) == "job")
            return !job.isEmpty() && runProgram(u"scancel"_s, {job}).ok() ? QByteArray("scancel")
                                                                          : QByteArray();
        const QList<qint64> pids =
            QByteArray(victim.name) == "script" ? scriptOf(job) : processesOf(study, victim.name);
        if (pids.isEmpty())
            return {};
        if (QByteArray(victim.name) == "all") {
            // At once: on a full machine the supervisor else sees the others die, and says so.
            for (const int signal : {SIGSTOP, victim.signal})
                for (const qint64 pid : pids)
                    ::kill(pid_t(pid), signal);
        } else {
            ::kill(pid_t(pids[m_random.bounded(pids.size())]), victim.signal);
        }
        return QByteArray(victim.name) + " by signal " + QByteArray::number(victim.signal);
    }

    static QList<qint64> scriptOf(const QString& job)
    {
        const QString script = u"/job%1/slurm_script"_s.arg(job, 5, u'0');
        return job.isEmpty() ? QList<qint64>() : processesMentioning(script);
    }

    /// Kills and resumes one study until it is left alone: what went wrong, else nothing.
    QByteArray chain(int wanted, int& kills)
    {
        const bool reachable = m_random.bounded(2) == 1;
        const Study study = create(m_machine, reachable);
        QByteArray history = study.dir.toUtf8();
        for (;;) {
            if (!begins(m_machine, study))
                return history + ": does not begin";
            const Victim& victim = m_victims[m_random.bounded(m_victims.size())];
            // Else a chain of faults goes on for ever.
            const bool leave = kills >= wanted || m_random.bounded(4) == 0;
            const QByteArray struck = leave ? QByteArray() : strike(study, victim);
            kills += struck.isEmpty() ? 0 : 1;
            history += "; " + (struck.isEmpty() ? QByteArray("left alone") : struck);
            if (!ends(study))
                return history + ": does not end";
            const RunStatus status = statusOf(study);
            history += " -> " + status.error.code.toUtf8();
            const bool open =
                status.state == RunState::Failed || status.state == RunState::Cancelled;
            if (!struck.isEmpty())
                qInfo("killed: %s: %s", struck.constData(),
                      open ? qPrintable(status.error.code) : "went on to its end");
            if (open && (struck.isEmpty() || !isTold(victim, status)))
                return history + ": " + status.error.message.toUtf8() + '\n' +
                       status.error.details.toUtf8();
            if (!QTest::qWaitFor([&] { return processesOf(study, "all").isEmpty(); }, kHangMs))
                return history + ": processes are left";
            if (!hasKnownParameters(study))
                return history + ": other parameters";
            if (!open) { // one that nobody stopped tells how long they take by now
                if (history.count(';') == 1 && struck.isEmpty())
                    m_runMs = status.finishedMs - status.startedMs;
                break;
            }
            if (!requeueRuns(study.dir, {}).ok())
                return history + ": cannot be resumed";
        }
        const QByteArray curve = curveOf(study);
        if (curve != m_expected[reachable])
            return history + '\n' + curve;
        QDir(study.dir).removeRecursively();
        return {};
    }

    TargetMachine machineOf(Kind kind) const
    {
        TargetMachine machine = kind == Kind::Local ? TargetMachine() : m->machine(kind);
        machine.kind = kind;
        machine.environment.clear();
        if (kind == Kind::Slurm) {
            machine.hosts.clear();
            machine.folder = m->folder.filePath(u"sb"_s);
            machine.slurm.extraOptions << u"--mem-per-cpu=1000"_s;
        }
        return machine;
    }

    /// The real engine in the place of the fake one.
    void bringUp(bool slurm)
    {
        m = std::make_unique<RemoteCluster>(slurm ? QStringList{u"--slurm"_s} : QStringList());
        QStringList folders{m->folder.filePath(u"sb"_s)};
        if (slurm) {
            qputenv("SLURM_CONF", m->cluster.slurmConfig().toUtf8());
            RemoteCluster::installHere(folders[0]);
        }
        for (const QString& host : m->cluster.hosts())
            folders << m->cluster.fileOf(host, RemoteCluster::engineFolder());
        const QByteArray limits = kLimits.join(' ');
        for (const QString& folder : slurm ? folders : folders.mid(1)) {
            RemoteCluster::writeProgram(folder + u"/engine/b/bin/scalebench-engine"_s,
                                        "exec '" SB_BIN_DIR "/scalebench-engine' \"$@\"\n");
            // ssh hands no environment on to the supervisor of a login node
            RemoteCluster::writeProgram(folder + u"/engine/b/bin/scalebench"_s,
                                        "exec env " + limits +
                                            " '" SB_BIN_DIR "/scalebench' \"$@\"\n");
        }
    }

private Q_SLOTS:
    void initTestCase()
    {
        qunsetenv("SCALEBENCH_ENGINE");
        for (const QByteArray& limit : kLimits)
            qputenv(limit.split('=').first(), limit.split('=').last());
        QDir().mkpath(m_data);
        writeCifar(m_data + u"/data_batch_1.bin"_s, 64);
        writeCifar(m_data + u"/test_batch.bin"_s, 32);
        const quint32 seed =
            quint32(numberFrom("SB_KILL_SEED", int(QRandomGenerator::global()->bounded(1 << 30))));
        m_random.seed(seed);
        qInfo("SB_KILL_SEED=%u repeats this campaign", seed);
    }
    void cleanupTestCase() { m.reset(); }

    void killedAndResumed_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("local") << int(Kind::Local);
        QTest::newRow("ssh") << int(Kind::Ssh);
        QTest::newRow("login node") << int(Kind::Login);
        QTest::newRow("Slurm") << int(Kind::Slurm);
    }
    void killedAndResumed()
    {
        QFETCH(int, kind);
        const bool slurm = kind == int(Kind::Slurm);
        const Said possible = runProgram(Cluster::script(), {u"possible"_s, u"--slurm"_s});
        if (slurm && possible.exitCode == 77)
            QSKIP(possible.output.constData());
        if (!m || slurm)
            bringUp(slurm);
        const TargetMachine machine = machineOf(Kind(kind));
        if (machine.kind != Kind::Local)
            SB_NEED_CLUSTER(m->cluster);
        m_machine = machine;
        m_victims = slurm ? victimsUnderSlurm() : victims();
        if (const QByteArray only = qgetenv("SB_KILL_ONLY"); !only.isEmpty())
            m_victims.removeIf([&](const Victim& victim) {
                return QByteArray(victim.name) + ' ' + QByteArray::number(victim.signal) != only;
            });
        QVERIFY(!m_victims.isEmpty());
        for (const bool reachable : {false, true}) {
            const Study study = create(machine, reachable);
            QVERIFY(begins(machine, study));
            QVERIFY(ends(study));
            m_expected[reachable] = curveOf(study);
            QVERIFY(hasKnownParameters(study));
            const RunStatus status = statusOf(study);
            m_runMs = status.finishedMs - status.startedMs;
            qInfo("left alone, %.1f s: %s", double(m_runMs) / 1000,
                  m_expected[reachable].constData());
            QVERIFY2(m_expected[reachable].startsWith(reachable ? "completed" : "not_converged"),
                     qPrintable(status.error.message));
        }
        const int wanted = numberFrom("SB_KILLS", fullCampaign() ? 30 : 2);
        int kills = 0, wrong = 0;
        while (kills < wanted && wrong < kMostWrong) {
            const QByteArray complaint = chain(wanted, kills);
            wrong += complaint.isEmpty() ? 0 : 1;
            if (!complaint.isEmpty()) {
                m->folder.setAutoRemove(false); // there to be looked at
                qWarning("WRONG: %s", complaint.constData());
            }
            qInfo("%d of %d kills, %d wrong", kills, wanted, wrong);
        }
        QCOMPARE(wrong, 0);
    }
};

QTEST_GUILESS_MAIN(KillCampaignTest)
#include "kill_campaign_test.moc"
