// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cuda_devices.h"

#include "engine/device/cuda_loader.h"
#include "kernels/check.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace scalebench::device {
namespace {

/// What a device is known by on its node.
std::string identity(const CudaDevice& device)
{
    return device.mig || device.pciBus.empty() ? device.uuid : device.pciBus;
}

void requireOneRankPerDevice(const dist::Communicator& communicator, const CudaDevice& device,
                             const GpuChoice& choice, dist::AllReduceKind kind)
{
    if (choice.mostSharers <= 1)
        return;
    const int devices = choice.nodeGpus;
    const std::string where = std::to_string(communicator.localSize()) + " workers on " +
                              communicator.hostName() + " would share " + std::to_string(devices) +
                              (devices == 1 ? " GPU" : " GPUs");
    if (device.exclusive)
        throw InvalidArgument(where + ", and " + device.name +
                                  " is in exclusive mode: use at most " + std::to_string(devices) +
                                  " workers there, or nvidia-smi -c 0 (as administrator)",
                              "usage");
    if (kind != dist::AllReduceKind::Staged)
        throw InvalidArgument(where + ", and NCCL takes one worker per GPU: use at most " +
                                  std::to_string(devices) +
                                  " workers there, or --allreduce staged to share them through "
                                  "host memory (slow; for tests)",
                              "usage");
}

} // namespace

GpuChoice chooseGpu(dist::Communicator& communicator, const std::vector<CudaDevice>& visible)
{
    SB_REQUIRE(!visible.empty(), "chooseGpu: no GPU to choose from");
    // By rank: its node, and a line for each GPU that it sees.
    std::string mine = std::to_string(communicator.node());
    for (const CudaDevice& device : visible)
        mine.append(1, '\n').append(identity(device));
    const std::vector<std::string> all = communicator.allGather(mine);
    const std::string node = mine.substr(0, mine.find('\n') + 1);

    std::map<std::string, int> sharers; // by GPU of this node
    GpuChoice choice;
    for (int rank = 0; rank < communicator.size(); ++rank) {
        const std::string& seen = all[std::size_t(rank)];
        if (!seen.starts_with(node))
            continue;
        std::istringstream lines(seen.substr(node.size()));
        std::vector<std::string> gpus;
        for (std::string line; std::getline(lines, line);)
            sharers[gpus.emplace_back(line)];
        const auto least = std::ranges::min_element(
            gpus, {}, [&](const std::string& gpu) { return sharers.at(gpu); });
        choice.mostSharers = std::max(choice.mostSharers, ++sharers[*least]);
        if (rank == communicator.rank())
            choice.number = int(least - gpus.begin());
    }
    choice.nodeGpus = int(sharers.size());
    return choice;
}

train::DeviceFactory cudaDevices(const RunConfig& config, const dist::Communicator& communicator,
                                 const GpuChoice& choice)
{
    const CudaPlugin& plugin = cudaPlugin();
    const CudaDevice& device = cudaDriver().devices.at(std::size_t(choice.number));
    const dist::AllReduceKind kind = dist::parseAllReduceKind(config.options.allReduce);
    requireOneRankPerDevice(communicator, device, choice, kind);
    train::DeviceFactory factory;
    factory.deviceName = device.name;
    factory.makeBackend = [&plugin, number = choice.number, autotune = config.options.autotune] {
        return plugin.makeBackend(number, autotune);
    };
    factory.makeArena = [&plugin, kind](Backend& backend, dist::Communicator& comm,
                                        std::size_t floats) {
        return plugin.makeArena(backend, comm, floats, kind);
    };
    factory.makeGroup = [&plugin, kind](Backend& backend, dist::Communicator& comm) {
        return plugin.makeGroup(backend, comm, kind);
    };
    factory.makeUploads = plugin.makeUploads;
    return factory;
}

} // namespace scalebench::device
