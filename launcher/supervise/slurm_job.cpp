// SPDX-License-Identifier: GPL-3.0-or-later
// A run as a Slurm job. The job goes on without its supervisor: one that died is replaced by
// another that finds the job's number in status.json and watches it to its end.
#include "base/checked_names.h"
#include "base/file_io.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "run/attempt_logs.h"
#include "run/own_studies.h"
#include "run/resume.h"
#include "supervise/forgotten_job.h"
#include "supervise/run_job.h"
#include "supervise/slurm_command.h"
#include "supervise/slurm_processes.h"
#include "supervise/slurm_script.h"
#include "supervise/slurm_state.h"

#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>

#include <unistd.h>
#include <utility>
#include <vector>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kAskMs = 2000;    ///< between two questions: Slurm serves many users
constexpr int kAskSoonMs = 400; ///< at the beginning, and once the script has left its exit code
constexpr int kSoonAsked = 10;
constexpr int kTellMs = 5000;     ///< for Slurm to tell how a job ended that is not off all nodes
constexpr int kLeaveMs = 20'000;  ///< for the nodes to be free of the job
constexpr int kGiveUpMs = 45'000; ///< a stop that nobody answers

QString expanded(const QString& path)
{
    if (path == "~"_L1)
        return QDir::homePath();
    return path.startsWith("~/"_L1) ? QDir::homePath() + path.mid(1) : path;
}

class SlurmJob : public RunJob
{
public:
    explicit SlurmJob(const RunPlace& place) : m_place(place)
    {
        m_place.machine.folder = expanded(m_place.machine.folder);
        m_place.machine.mpiPrefix = expanded(m_place.machine.mpiPrefix);
    }

    bool start(StatusSink& sink, RunEnd& end) override
    {
        m_id = sink.status().slurmJob;
        if (!m_id.isEmpty()) { // goes on already; a stop must know whether it runs or waits
            learn(readQueueState(askSlurm(u"squeue"_s, queueQuestion())), sink);
            return true;
        }
        if (sink.status().attempt > 0) // two jobs would write into one folder
            endForgottenJobs(m_place.runDir);
        end.launchFailure = prepare();
        if (end.launchFailure.code.isEmpty())
            end.launchFailure = submit(sink);
        return end.launchFailure.code.isEmpty();
    }

    bool poll(StatusSink& sink, RunEnd& end) override
    {
        if (const std::optional<SlurmAnswer> answer = m_queue.take())
            learn(readQueueState(*answer), sink);
        if (m_left) {
            conclude(sink, end);
            return true;
        }
        if (m_stopClock.isValid() && !m_known && m_stopClock.elapsed() > kGiveUpMs) {
            end.exitCode = 1;
            m_unreachable = true;
            return true; // cleanUp() says what is not known
        }
        const bool soon = m_asked < kSoonAsked || QFile::exists(exitFile());
        const int pause = soon ? kAskSoonMs : kAskMs;
        if (!m_queue.isBusy() && (!m_sinceAsked.isValid() || m_sinceAsked.elapsed() >= pause)) {
            m_sinceAsked.start();
            ++m_asked;
            m_queue.start(u"squeue"_s, queueQuestion());
        }
        return false;
    }

    bool isGoingOn() const override { return m_state == "RUNNING"_L1; }
    /// Network file systems show other nodes' writes late, up to a minute.
    int slackSeconds() const override { return 60; }
    QList<SuspendedProcess> suspended() override { return m_processes.suspended(m_id, m_nodes); }

    /// USR1 to the script alone (the engine ends cleanly), then TERM (mpirun ends its ranks): Slurm
    /// would signal all at once, and ranks that lost mpirun's daemon can escape it. Then Slurm
    /// itself.
    void escalate(int step) override
    {
        if (!m_stopClock.isValid())
            m_stopClock.start();
        QStringList words{m_id};
        if (step == 0 && isGoingOn())
            words = QStringList{u"--batch"_s, u"--signal=USR1"_s, m_id};
        else if (step == 1 && isGoingOn())
            words = QStringList{u"--batch"_s, u"--signal=TERM"_s, m_id};
        else if (step >= 3 && isGoingOn())
            words = QStringList{u"--signal=KILL"_s, u"--full"_s, m_id};
        m_cancels.push_back(std::make_unique<SlurmCall>());
        m_cancels.back()->start(u"scancel"_s, words);
        m_sinceAsked.invalidate();
    }

    void cleanUp(StatusSink& sink, RunEnd& end) override
    {
        if (m_id.isEmpty())
            return;
        QStringList busy;
        const bool gone = m_unreachable ? false : waitUntilGone(busy);
        sink.status().nodeEnds.clear();
        for (const QString& host : sink.status().hosts) {
            NodeEnd node{host, true, Launcher::tr("nothing is left")};
            if (m_lostNodes.contains(host))
                node = {
                    host, false,
                    Launcher::tr("is down, so it is not known whether something is left there")};
            else if (m_unreachable)
                node = {
                    host, false,
                    Launcher::tr("may still run Slurm job %1; Slurm does not answer").arg(m_id)};
            else if (!gone && busy.contains(host))
                node = {host, false,
                        Launcher::tr("has not yet told Slurm that nothing of job %1 is left")
                            .arg(m_id)};
            sink.status().nodeEnds << node;
        }
        if (m_unreachable && sink.status().hosts.isEmpty())
            sink.status().nodeEnds
                << NodeEnd{u"Slurm"_s, false,
                           Launcher::tr("does not answer; job %1 may still run or wait").arg(m_id)};
        end.nodeEnds = sink.status().nodeEnds;
    }

private:
    QString exitFile() const { return m_place.runDir + u"/job_exit"_s; }
    QStringList queueQuestion() const
    {
        return {u"--noheader"_s,   u"--jobs"_s,   m_id,
                u"--states=all"_s, u"--format"_s, QString::fromLatin1(kSqueueFormat)};
    }

    Failure prepare()
    {
        const QString engine = m_place.machine.folder + u"/engine/current/bin/scalebench-engine"_s;
        if (!QFileInfo(engine).isExecutable())
            return {
                u"engine_missing"_s,
                Launcher::tr(
                    "%1 does not exist. Install the engine there: scalebench machines deploy %2.")
                    .arg(engine, m_place.machine.name)};
        // "~/" is the home folder here, which the nodes are to share.
        const RunConfig& run = m_place.record.config;
        if (run.dataPath.startsWith("~/"_L1))
            if (const Result<void> written = rewriteOwnRun(
                    m_place.runDir, withDataPath(run, QDir::homePath() + run.dataPath.mid(1)));
                !written)
                return written.failure();
        QFile::remove(exitFile());
        // Its environment may hold tokens.
        const Result<void> written = writeFileAtomically(
            m_place.runDir + u"/job.sh"_s, slurmScript(launch()).toUtf8(), Readers::OwnerOnly);
        return written ? Failure() : written.failure();
    }

    SlurmLaunch launch() const
    {
        return {m_place.record.config, m_place.machine, m_place.runDir,
                hasCheckpoint(m_place.runDir), ::geteuid() == 0};
    }

    Failure submit(StatusSink& sink)
    {
        const QStringList words = sbatchArguments(launch());
        sink.status().command = QStringList(u"sbatch"_s) + words;
        const SlurmAnswer answer = askSlurm(u"sbatch"_s, words);
        // "17" or "17;cluster"; plugins of a cluster may print before it.
        const QString id = answer.output.section(u'\n', -1).section(u';', 0, 0).trimmed();
        if (!answer.ok() || !JobId::parse(id))
            return submitFailure(answer);
        m_id = id;
        sink.status().slurmJob = id;
        sink.status().waiting = Launcher::tr("Submitted to Slurm as job %1").arg(id);
        sink.publish(RunState::Starting);
        return {};
    }

    void learn(const SlurmQueueState& now, StatusSink& sink)
    {
        m_known = now.known;
        if (now.hasEnded() || now.state == "COMPLETING"_L1) {
            m_left = true;
            return;
        }
        if (!now.known && isGoingOn())
            return; // the stream shows that it goes on
        if (now.known)
            m_state = now.state;
        SlurmQueueState told = now;
        if (std::exchange(m_reason, now.reason) != now.reason)
            told.reason.clear(); // Slurm's first reason is often not the one that stays
        const bool begun = isGoingOn() || m_state == "SUSPENDED"_L1;
        const QString waiting =
            isGoingOn() ? QString() : waitingText(told, QDateTime::currentDateTime());
        RunStatus& status = sink.status();
        if (m_published == m_state && waiting == status.waiting)
            return;
        m_published = m_state;
        status.waiting = waiting;
        if (begun)
            status.hosts = now.nodes;
        m_nodes = status.hosts.size();
        sink.publish(begun ? RunState::Running : RunState::Starting);
    }

    /// The job has ended: what Slurm, its script and the stream tell about it.
    void conclude(StatusSink& sink, RunEnd& end)
    {
        SlurmEnding ending;
        ending.jobId = m_id;
        ending.runDir = m_place.runDir;
        ending.end = askHow();
        if (sink.status().hosts.isEmpty()) // it came and went between two questions
            sink.status().hosts = ending.end.nodes;
        if (const Result<QByteArray> text = readRunFile(m_place.runDir, u"job_exit"_s, 1 << 16))
            ending.jobExit = visibleLine(QString::fromUtf8(text.value()).trimmed());
        ending.launcherText = tailOfAttempt(m_place.runDir, u"launcher.txt"_s, 60);
        if (ending.end.state == "NODE_FAIL"_L1 || ending.end.reason == "NodeDown"_L1)
            ending.lostNodes = m_lostNodes = downAmong(sink.status().hosts);
        end.exited = true;
        end.exitCode = ending.jobExit.isEmpty() ? ending.end.exitCode
                                                : ending.jobExit.section(u' ', 0, 0).toInt();
        if (ending.jobExit.isEmpty() && ending.end.signal > 0) // of the script, not of mpirun
            end.exitCode = 128 + ending.end.signal;
        end.slurm = std::move(ending);
    }

    /// While the job completes its state is COMPLETING, and says nothing about how.
    SlurmJobEnd askHow() const
    {
        SlurmJobEnd end;
        QElapsedTimer clock;
        clock.start();
        do {
            end = readJobEnd(askSlurm(u"scontrol"_s, {u"-o"_s, u"show"_s, u"job"_s, m_id}));
            if (end.known && end.state != "COMPLETING"_L1 && end.state != "RUNNING"_L1)
                return end;
            if (!end.known)
                break;
            ::usleep(200'000);
        } while (clock.elapsed() < kTellMs);
        const SlurmJobEnd accounted = readAccounting(askSlurm(
            u"sacct"_s, {u"-n"_s, u"-X"_s, u"-P"_s, u"-j"_s, m_id, u"-o"_s, u"State,ExitCode"_s}));
        return accounted.known ? accounted : end;
    }

    static QStringList downAmong(const QStringList& hosts)
    {
        QStringList down;
        const SlurmAnswer answer = askSlurm(
            u"sinfo"_s, {u"-h"_s, u"-N"_s, u"-n"_s, hosts.join(u','), u"-o"_s, u"%N %T"_s});
        for (const QString& line : answer.output.split(u'\n'))
            if (line.section(u' ', 1).startsWith("down"_L1))
                down << line.section(u' ', 0, 0);
        down.removeDuplicates();
        return down;
    }

    /// Slurm keeps a job in its queue until every node has reported that nothing of it runs.
    bool waitUntilGone(QStringList& busy) const
    {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < kLeaveMs) {
            const SlurmQueueState state = readQueueState(askSlurm(u"squeue"_s, queueQuestion()));
            if (state.hasEnded())
                return true;
            busy = state.nodes;
            ::usleep(300'000);
        }
        return false;
    }

    RunPlace m_place;
    QString m_id;
    QString m_state;  ///< Slurm's word
    QString m_reason; ///< why it waits, as last told by Slurm
    QString m_published;
    int m_asked = 0;
    bool m_known = false;
    bool m_left = false;
    bool m_unreachable = false;
    QStringList m_lostNodes;
    qsizetype m_nodes = 0;
    SlurmProcesses m_processes;
    SlurmCall m_queue;
    std::vector<std::unique_ptr<SlurmCall>> m_cancels;
    QElapsedTimer m_sinceAsked, m_stopClock;
};

} // namespace

std::unique_ptr<RunJob> makeSlurmJob(const RunPlace& place)
{
    return std::make_unique<SlurmJob>(place);
}

} // namespace scalebench
