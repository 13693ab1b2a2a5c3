// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/binding.h"

#include "engine/core/file_content.h"
#include "engine/placement/worker_place.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

namespace scalebench::placement {
namespace {

using Json = nlohmann::json;

/// While all workers of the host sleep; some ticks of 10 ms.
constexpr std::chrono::milliseconds kLook{60};

Processors lookForBusy(const Processors& allowed)
{
    const std::string before = contentOf("/proc/stat");
    std::this_thread::sleep_for(kLook);
    return busyProcessors(before, contentOf("/proc/stat"), allowed);
}

/// Processors' worth of time that the container may use; negative: no limit.
double quota()
{
    std::string most;
    double period = 0;
    std::istringstream(contentOf("/sys/fs/cgroup/cpu.max")) >> most >> period; // cgroup v2
    if (most.empty()) {
        most = contentOf("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
        std::istringstream(contentOf("/sys/fs/cgroup/cpu/cpu.cfs_period_us")) >> period;
    }
    const double time = std::strtod(most.c_str(), nullptr); // "max": 0
    return time > 0 && period > 0 ? time / period : -1;
}

} // namespace

bool jobOwnsProcessors()
{
    const char* given = std::getenv("SLURM_CPUS_ON_NODE"); // Slurm's srun(1)
    return given && std::atoi(given) == processorCount();
}

std::string whyNotHere()
{
    for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"})
        if (const char* value = std::getenv(name); value && *value)
            return std::string(name) + " says where threads go";
    const double most = quota();
    if (most >= 0 && most < processorCount())
        return "a quota gives less time than there are processors, which others use as well";
    return {};
}

std::string bindWorker(dist::Communicator& comm, int threads, const std::string& why)
{
    const Processors& allowed = processorsOfProcess();
    const std::vector<Core> cores = why.empty() ? coresOfHost(allowed) : std::vector<Core>();
    Crew crew{comm.localSize(), threads};
    const bool choice = std::int64_t(crew.workers) * threads < std::int64_t(cores.size()) &&
                        placeOf(0, crew, cores) != allowed;
    const Json mine = {{"node", comm.node()},
                       {"why", why},
                       {"allowed", allowed},
                       {"busy", choice ? lookForBusy(allowed) : Processors()}};
    crew.workers = 0;
    int worker = 0;
    Processors busy;
    std::string reason;
    const std::vector<std::string> all = comm.allGather(mine.dump());
    for (int rank = 0; rank < comm.size(); ++rank) {
        const Json told = Json::parse(all[std::size_t(rank)]);
        if (reason.empty())
            reason = told["why"];
        if (told["node"] != comm.node() || told["allowed"] != allowed)
            continue;
        if (crew.workers == 0) // all must see the same
            busy = told["busy"].get<Processors>();
        worker = rank == comm.rank() ? crew.workers : worker;
        ++crew.workers;
    }
    if (!reason.empty())
        return "off: " + reason;
    const Processors place = placeOf(worker, crew, withoutBusy(cores, busy, crew));
    std::string result = "on";
    if (place.empty())
        result = cores.empty() ? "off: the host does not tell its cores"
                               : "off: more threads than processors";
    else if (place != allowed && !computeOn(place))
        result = "off: the system refuses";
    return result;
}

} // namespace scalebench::placement
