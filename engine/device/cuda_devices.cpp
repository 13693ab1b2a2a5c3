// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cuda_devices.h"

#include "engine/device/cuda_loader.h"
#include "kernels/check.h"

namespace scalebench::device {
namespace {

void requireOneRankPerDevice(const dist::Communicator& communicator, const CudaDevice& device,
                             int devices, dist::AllReduceKind kind)
{
    const int ranks = communicator.localSize();
    if (ranks <= devices)
        return;
    const std::string where = std::to_string(ranks) + " workers on " + communicator.hostName() +
                              " would share " + std::to_string(devices) +
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

int deviceOfRank(int localRank, int devices)
{
    return localRank % devices;
}

train::DeviceFactory cudaDevices(const RunConfig& config, dist::Communicator& communicator)
{
    const CudaPlugin& plugin = cudaPlugin();
    const std::vector<CudaDevice>& devices = cudaDriver().devices;
    const int number = deviceOfRank(communicator.localRank(), int(devices.size()));
    const dist::AllReduceKind kind = dist::parseAllReduceKind(config.options.allReduce);
    requireOneRankPerDevice(communicator, devices[std::size_t(number)], int(devices.size()), kind);
    train::DeviceFactory factory;
    factory.deviceName = devices[std::size_t(number)].name;
    factory.makeBackend = [&plugin, number, autotune = config.options.autotune] {
        return plugin.makeBackend(number, autotune);
    };
    factory.makeArena = [&plugin, kind](Backend& backend, dist::Communicator& comm,
                                        std::size_t floats) {
        return plugin.makeArena(backend, comm, floats, kind);
    };
    return factory;
}

} // namespace scalebench::device
