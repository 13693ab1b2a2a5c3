// SPDX-License-Identifier: GPL-3.0-or-later
// mpirun here, ranks on hosts reached by ssh. Where the hosts do not share this computer's files,
// the run's folder is made on each of them and rank 0's is mirrored here while the run goes on.
#include "file_io.h"
#include "launcher/machine_info.h"
#include "launcher/resume.h"
#include "open_mpi.h"
#include "remote/folder_mirror.h"
#include "remote/nodes.h"
#include "study_files.h"
#include "supervision/mpirun_job.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kFetchMs = 60'000;
constexpr int kReachMs = 5'000; ///< where the connection was lost already

class HostsJob : public MpirunJob
{
public:
    explicit HostsJob(const RunPlace& place) : MpirunJob(place) {}

    bool start(StatusSink& sink, RunEnd& end) override
    {
        const RunConfig& config = place().record.config;
        sink.status().hosts = config.hosts;
        const bool resume = hasCheckpoint(place().runDir);
        const Result<NodeRun> run = NodeRun::from(place().machine, config, place().runDir, resume);
        if (!run) {
            end.launchFailure = run.failure();
            return false;
        }
        m_run = run.value();
        const Result<QList<NodeFacts>> nodes = prepareNodes(*m_run);
        if (!nodes) {
            end.launchFailure = nodes.failure();
            return false;
        }
        m_nodeDir = nodes.value().first().runDir;
        m_mirrored = !nodes.value().first().sharesRunDir;
        for (const NodeFacts& node : nodes.value())
            m_separate = m_separate || !node.sharesRunDir;
        sink.status().nodeDir = m_nodeDir;
        const Result<QString> network = chooseNetwork(place().machine, nodes.value());
        if (!network) {
            end.launchFailure = network.failure();
            return false;
        }
        const Result<LaunchCommand> command =
            hostsMpirunCommand({config, place().machine, MachineInfo::probe(false), m_nodeDir,
                                nodes.value().first().engine, network.value(),
                                hasNetworkHere(network.value()), resume},
                               place().studyDir, place().runDir);
        if (!command) {
            end.launchFailure = command.failure();
            return false;
        }
        if (sink.stopRequested() || !launch(command.value(), sink, end))
            return false;
        if (m_mirrored)
            follow();
        return true;
    }

    void cleanUp(StatusSink& sink, RunEnd& end) override
    {
        MpirunJob::cleanUp(sink, end);
        if (m_nodeDir.isEmpty() || !m_run)
            return;
        const bool fetched = !m_mirrored || fetchAll();
        m_mirror.reset(); // before the folder over there goes: what is here must stay
        // mpirun 5.0 ends with 0 where a host was lost.
        const QString said = tailOfFile(place().runDir + u"/launcher.txt"_s, 60);
        const bool failed = !end.exited || end.exitCode != 0 || !lostHostIn(said).isEmpty();
        sink.status().nodeEnds = finishNodes(*m_run, m_run->hosts, m_separate && fetched, failed);
        end.nodeEnds = sink.status().nodeEnds;
    }

private:
    void follow()
    {
        MirrorSetup setup;
        setup.kind = ServedFolder::Run;
        setup.machine = place().machine;
        setup.host = place().record.config.hosts.first();
        setup.remoteDir = m_nodeDir;
        setup.localDir = place().runDir;
        m_mirror = std::make_unique<FolderMirror>(setup);
        m_mirror->open();
    }

    /// The last bytes and the checkpoint. False when rank 0's host could not give them.
    bool fetchAll()
    {
        if (!m_mirror)
            return true;
        bool done = false, lost = false;
        QObject::connect(
            m_mirror.get(), &FolderMirror::answered, m_mirror.get(),
            [&](const QJsonObject& answer) { done = answer.value("is"_L1) == "fetched"_L1; });
        QObject::connect(m_mirror.get(), &FolderMirror::disconnected, m_mirror.get(),
                         [&](const Failure&, int tries) { lost = tries >= 2; });
        m_mirror->request({{u"do"_s, u"fetch"_s}});
        QElapsedTimer clock;
        clock.start();
        bool reached = m_mirror->isConnected();
        while (!done && !lost && clock.elapsed() < (reached ? kFetchMs : kReachMs)) {
            reached = reached || m_mirror->isConnected();
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 200);
        }
        return done;
    }

    std::optional<NodeRun> m_run;
    QString m_nodeDir;
    bool m_separate = false; ///< some host has a folder of its own for the run
    bool m_mirrored = false; ///< rank 0's has
    std::unique_ptr<FolderMirror> m_mirror;
};

} // namespace

std::unique_ptr<RunJob> makeHostsJob(const RunPlace& place)
{
    return std::make_unique<HostsJob>(place);
}

} // namespace scalebench
