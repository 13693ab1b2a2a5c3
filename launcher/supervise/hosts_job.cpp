// SPDX-License-Identifier: GPL-3.0-or-later
// mpirun here, ranks on hosts reached by ssh. Where the hosts do not share this computer's files,
// the run's folder is made on each of them and rank 0's is mirrored here while the run goes on.
#include "base/file_io.h"
#include "base/translated.h"
#include "machine/open_mpi.h"
#include "machine/this_computer.h"
#include "mirror/node_fetch.h"
#include "run/attempt_logs.h"
#include "run/resume.h"
#include "run/study_files.h"
#include "ssh/left_folders.h"
#include "ssh/node_states.h"
#include "supervise/mpirun_job.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

class HostsJob : public MpirunJob
{
public:
    explicit HostsJob(const RunPlace& place) : MpirunJob(place) {}

    bool start(StatusSink& sink, RunEnd& end) override
    {
        const RunConfig& config = place().record.config;
        sink.status().hosts = config.hosts;
        const Result<NodeRun> run = NodeRun::from(place().machine, config, place().runDir, false);
        if (!run) {
            end.launchFailure = run.failure();
            return false;
        }
        m_run = run.value();
        // Before the folders over there are emptied.
        if (sink.status().attempt > 0) {
            endLeftovers(*m_run); // of hosts that could not be reached
            const Result<bool> brought =
                bringCheckpointHome(*m_run, [&sink] { return sink.stopRequested(); });
            if (sink.stopRequested())
                return false;
            if (!brought) {
                end.launchFailure = brought.failure();
                return false;
            }
        }
        const bool resume = m_run->resume = hasCheckpoint(place().runDir);
        const Result<QList<NodeFacts>> nodes = prepareNodes(*m_run);
        if (!nodes) {
            end.launchFailure = nodes.failure();
            return false;
        }
        forgetLeft(*m_run);
        removeLeft(place().machine, config.hosts);
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
            hostsMpirunCommand({config, place().machine, probeThisComputer(false), m_nodeDir,
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

    QList<SuspendedProcess> suspended() override
    {
        return m_run ? suspendedOnNodes(*m_run) : QList<SuspendedProcess>();
    }

    void cleanUp(StatusSink& sink, RunEnd& end) override
    {
        MpirunJob::cleanUp(sink, end);
        if (m_nodeDir.isEmpty() || !m_run)
            return;
        const bool fetched = !m_mirror || fetchAll(*m_mirror);
        m_mirror.reset(); // before the folder over there goes: what is here must stay
        // mpirun 5.0 ends with 0 where a host was lost.
        const QString said = tailOfAttempt(place().runDir, u"launcher.txt"_s, 60);
        const bool failed = !end.exited || end.exitCode != 0 || !lostHostIn(said).isEmpty();
        sink.status().nodeEnds = finishNodes(*m_run, m_run->hosts, false, failed);
        if (m_separate)
            removeOrRemember(*m_run, fetched, failed);
        if (!fetched && !sink.status().nodeEnds.isEmpty()) {
            NodeEnd& first = sink.status().nodeEnds.first();
            first.text = Launcher::tr("%1; what it has beyond the copy here is fetched when the "
                                      "run is resumed")
                             .arg(first.text);
            first.clean = false; // its folder is left
        }
        end.nodeEnds = sink.status().nodeEnds;
        for (const NodeEnd& node : end.nodeEnds)
            for (const QString& folder : node.fullDisks)
                end.fullDisks << Launcher::tr("%1 on %2").arg(folder, node.host);
    }

private:
    void follow()
    {
        m_mirror = std::make_unique<FolderMirror>(mirrorSetup(*m_run, place().runDir));
        m_mirror->open();
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
