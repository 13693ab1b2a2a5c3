// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/run_command.h"

#include "engine/backend/backend.h"
#include "engine/core/visible_text.h"
#include "engine/device/cuda_devices.h"
#include "engine/device/cuda_loader.h"
#include "engine/device/nvml.h"
#include "engine/dist/comm_error.h"
#include "engine/dist/mpi/mpi_communicator.h"
#include "engine/report/run_stream.h"
#include "engine/report/system_info.h"
#include "engine/train/agreement.h"
#include "engine/train/load_run_config.h"
#include "engine/train/run_checkpoint.h"
#include "engine/train/trainer.h"
#include "kernels/check.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace scalebench::cli {
namespace {

using report::Json;
using train::Failure;

// Signal handlers may only touch this.
std::atomic<bool> g_stopRequested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void onStopSignal(int)
{
    g_stopRequested = true;
}

void installSignals()
{
    struct sigaction action {
    };
    action.sa_handler = onStopSignal;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGUSR1, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
}

/// A rank must not outlive the daemon that started it, whatever kills that.
void dieWithParent()
{
    const pid_t parent = ::getppid();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        std::_Exit(3);
}

/// From here on this rank's stderr goes to its own file; mpirun's copy keeps earlier lines.
/// Returns a descriptor of the old one, for the closing line.
int redirectStderr(const std::string& folder, int rank, bool resume)
{
    const std::string path = folder + "/stderr_" + std::to_string(rank) + ".txt";
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (resume ? 0 : O_TRUNC);
    const int file = ::open(path.c_str(), flags, 0666);
    if (file < 0)
        return -1;
    const int old = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    ::dup2(file, STDERR_FILENO);
    ::close(file);
    return old;
}

/// Everything of one rank's run, kept alive until the outcome is clear: on a failure that the ranks
/// cannot agree on, nothing here may be destroyed, because that needs the other ranks.
struct Rank {
    std::string folder;
    bool resume = false;
    std::optional<Checkpoint> checkpoint; ///< rank 0
    std::string resumeNote;
    std::unique_ptr<dist::MpiScope> mpi;
    std::unique_ptr<dist::Communicator> communicator;
    int oldStderr = -1;
    std::unique_ptr<report::ResultsWriter> writer;
    RunConfig config;
    bool configured = false;
    train::DeviceFactory devices = train::cpuDevices();
    const device::CudaDevice* gpu = nullptr;     ///< device cuda
    std::shared_ptr<device::GpuMonitor> monitor; ///< device cuda
    std::unique_ptr<train::Trainer> trainer;

    void say(const Failure& failure) const
    {
        const std::string line = "scalebench-engine: [rank " + std::to_string(failure.rank) +
                                 " on " + failure.host + "] " + visibleLine(failure.message) + "\n";
        std::fputs(line.c_str(), stderr);
        std::fflush(stderr);
        if (oldStderr >= 0 && ::write(oldStderr, line.data(), line.size()) < 0)
            return; // nobody listens any more
    }

    /// error and run_stop, as far as they can still be written.
    void closeStream(const Failure& failure) const
    {
        if (!writer)
            return;
        try {
            report::RunStream stream(*writer);
            if (writer->position().records == 0)
                stream.header(
                    {SB_VERSION, config.runId, config.study, config.workload, report::cpuModel()});
            stream.error(failure.code, failure.message, failure.rank, failure.host);
            stream.runStop("aborted", "error", trainer ? trainer->epoch() : 0,
                           trainer ? trainer->samplesSeen() : 0);
        } catch (const std::exception& e) {
            std::fprintf(stderr,
                         "scalebench-engine: the closing records could not be written: %s\n",
                         e.what());
        }
    }
};

/// This rank's part of system.json: its node (only the first rank of a node tells it) and its GPU.
Json describeRank(const Rank& rank)
{
    const dist::Communicator& comm = *rank.communicator;
    Json mine = {{"node", comm.node()}, {"rank", comm.rank()}};
    if (comm.localRank() == 0)
        mine["system"] = report::describeNode();
    if (rank.monitor) {
        const device::CudaDevice& gpu = *rank.gpu;
        mine["gpu"] = {
            {"pci_bus", gpu.pciBus},
            {"name", gpu.name},
            {"memory_bytes", gpu.memoryBytes},
            {"compute_capability", std::to_string(gpu.major) + "." + std::to_string(gpu.minor)},
            {"ranks", Json::array({comm.rank()})},
            {"nvml", rank.monitor->describe()}};
    }
    return mine;
}

/// One entry a node, its GPUs in "gpus"; a GPU that ranks share appears once.
std::vector<Json> gatherNodes(const std::vector<std::string>& ranks)
{
    std::map<int, Json> nodes;
    for (const std::string& text : ranks) {
        Json told = Json::parse(text);
        Json& node = nodes[told["node"].get<int>()];
        if (told.contains("system")) {
            node = std::move(told["system"]);
            node["gpus"] = Json::array();
        }
        if (!told.contains("gpu"))
            continue;
        Json& gpus = node["gpus"];
        const auto same = std::ranges::find_if(gpus, [&](const Json& gpu) {
            return gpu["pci_bus"] == told["gpu"]["pci_bus"] && gpu["name"] == told["gpu"]["name"];
        });
        if (same == gpus.end())
            gpus.push_back(std::move(told["gpu"]));
        else
            (*same)["ranks"].push_back(told["rank"]);
    }
    std::vector<Json> list;
    list.reserve(nodes.size());
    for (auto& [number, node] : nodes)
        list.push_back(std::move(node));
    return list;
}

void writeSystem(Rank& rank)
{
    dist::Communicator& comm = *rank.communicator;
    const std::vector<std::string> all =
        comm.allGather(describeRank(rank).dump(-1, ' ', false, Json::error_handler_t::replace));
    train::doTogether(comm, [&] {
        if (comm.rank() != 0)
            return;
        const std::vector<Json> nodes = gatherNodes(all);
        Json software = {{"engine", SB_VERSION},
                         {"backend", makeCpuBackend()->describe()},
                         {"mpi", comm.describe()},
                         {"workers", comm.size()}};
        if (rank.config.device == "cuda")
            software["cuda"] = Json::parse(device::cudaPlugin().describe());
        report::writeSystemJson(rank.folder + "/system.json", software, nodes);
    });
}

void openStream(Rank& rank)
{
    const std::string path = rank.folder + "/result_0.txt";
    if (!rank.resume) {
        rank.writer = std::make_unique<report::ResultsWriter>(path);
        return;
    }
    const std::string checkpoints = rank.folder + "/checkpoint";
    const bool resumed = useNewestCheckpoint(
        checkpoints,
        [&](Checkpoint&& checkpoint) {
            rank.writer = report::ResultsWriter::resume(path, train::streamPosition(checkpoint));
            rank.checkpoint = std::move(checkpoint);
        },
        rank.resumeNote);
    if (resumed)
        return;
    setCheckpointsAside(checkpoints);
    rank.resumeNote += ". So the run starts again from the beginning; what lies there is kept "
                       "under names that end in .unusable";
    rank.writer = report::ResultsWriter::startAgain(path);
    rank.resume = false;
}

void prepare(Rank& rank)
{
    namespace fs = std::filesystem;
    dist::Communicator& comm = *rank.communicator;
    train::doTogether(comm, [&] {
        std::error_code failed;
        if (!fs::is_directory(rank.folder, failed))
            throw InvalidArgument("there is no run folder " + rank.folder +
                                      "; on several nodes it must be on a shared file system",
                                  "usage");
        rank.oldStderr = redirectStderr(rank.folder, comm.rank(), rank.resume);
        if (comm.rank() == 0)
            openStream(rank);
    });
    // Rank 0 has seen whether there is anything to go on from.
    rank.resume = comm.allGather(rank.resume ? "resume" : "").front() == "resume";
    train::doTogether(comm, [&] {
        rank.config = train::loadRunConfig(rank.folder);
        if (rank.config.device == "cuda")
            if (const std::string& reason = device::cudaUnavailableReason(); !reason.empty())
                throw Unsupported("device \"cuda\" is not available: " + reason +
                                      ". Choose device \"cpu\" to train on the processors.",
                                  "device_unavailable");
    });
    if (rank.config.device == "cuda") {
        const std::vector<device::CudaDevice>& gpus = device::cudaDriver().devices;
        const device::GpuChoice choice = device::chooseGpu(comm, gpus);
        rank.gpu = &gpus[std::size_t(choice.number)];
        train::doTogether(comm, [&] {
            rank.devices = device::cudaDevices(rank.config, comm, choice);
            rank.monitor = std::make_shared<device::GpuMonitor>(rank.gpu->pciBus);
        });
    }
    rank.configured = true;
    writeSystem(rank);
}

int runRank(Rank& rank)
{
    prepare(rank);
    train::TrainerOptions options;
    options.stopRequested = &g_stopRequested;
    options.checkpointFolder = rank.folder + "/checkpoint";
    options.picturesFile = rank.folder + "/pictures.json";
    options.resume = rank.resume;
    options.checkpoint = rank.checkpoint ? &*rank.checkpoint : nullptr;
    options.resumeNote = rank.resumeNote;
    if (const char* who = std::getenv("SCALEBENCH_TURN"))
        options.turn = who;
    options.devices = rank.devices;
    if (rank.monitor && rank.monitor->reason().empty())
        options.gpuTelemetry = [monitor = rank.monitor] {
            return device::toJson(monitor->sample());
        };
    // A collective that hangs inside MPI cannot throw: its watchdog tells us on a thread of its
    // own.
    rank.communicator->setFatalHandler([&rank](const dist::CollectiveError& e) {
        const Failure failure =
            train::describeFailure(std::make_exception_ptr(e), *rank.communicator);
        rank.closeStream(failure);
        rank.say(failure);
    });
    rank.trainer = std::make_unique<train::Trainer>(rank.config, *rank.communicator,
                                                    rank.writer.get(), options);
    rank.trainer->run();
    return 0;
}

} // namespace

int runCommand(const std::string& folder, bool resume)
{
    auto rank = std::make_unique<Rank>();
    rank->folder = folder;
    rank->resume = resume;
    installSignals();
    if (dist::startedByMpi()) {
        dieWithParent();
        rank->mpi = std::make_unique<dist::MpiScope>();
        rank->communicator = dist::makeMpiCommunicator();
        installSignals(); // MPI may have set its own
    } else {
        rank->communicator = dist::makeSelfCommunicator();
    }
    int exitCode = 0;
    try {
        exitCode = runRank(*rank);
    } catch (const train::AgreedError& e) {
        // All ranks are here: each ends by itself.
        if (rank->communicator->rank() == 0) {
            rank->closeStream(e.failure());
            rank->say(e.failure());
        }
        exitCode = train::exitCodeOf(e.code());
    } catch (...) {
        const Failure failure =
            train::describeFailure(std::current_exception(), *rank->communicator);
        // The others may wait for this rank: they learn why it does not come, and rank 0 writes it.
        rank->communicator->fail(failure.code, failure.message);
        rank->closeStream(failure);
        rank->say(failure);
        rank->communicator->abort(train::exitCodeOf(failure.code));
    }
    // In this order: shared windows are freed together, before MPI ends.
    rank->trainer.reset();
    rank->communicator.reset();
    rank->mpi.reset();
    return exitCode;
}

} // namespace scalebench::cli
