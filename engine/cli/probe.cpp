// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/probe.h"

#include "engine/backend/backend.h"
#include "engine/core/processors.h"
#include "engine/device/cuda_loader.h"
#include "engine/dist/mpi/mpi_communicator.h"
#include "engine/report/system_info.h"
#include "engine/workloads/registry.h"
#include "kernels/check.h"

namespace scalebench::cli {
namespace {

using report::Json;

Json cpuDevice()
{
    const Json node = report::describeNode();
    Json device = {{"device", "cpu"},
                   {"name", report::cpuModel()},
                   {"cpus", processorCount()},
                   {"memory_bytes", node["memory_bytes"]}};
    try {
        const std::unique_ptr<Backend> backend = makeCpuBackend();
        const ComputePrecision bf16 = backend->computePrecision(Precision::Bf16);
        device["backend"] = backend->describe();
        device["precisions"] = Json::array({"fp32"});
        if (bf16.precision == Precision::Bf16)
            device["precisions"].push_back("bf16");
        device["bf16_note"] = bf16.reason;
    } catch (const Error& e) {
        device["error"] = e.what();
    }
    return device;
}

} // namespace

std::string probeJson()
{
    const Json node = report::describeNode();
    const std::string& reason = device::cudaUnavailableReason();
    Json cuda = {{"available", reason.empty()}, {"reason", reason}};
    if (const device::CudaBuild build = device::cudaBuild(); build.toolkit > 0)
        cuda["build"] = {{"toolkit", std::to_string(build.toolkit / 1000) + "." +
                                         std::to_string(build.toolkit % 1000 / 10)},
                         {"oldest_driver", build.oldestDriver},
                         {"architectures", build.architectures}};
    Json backends = Json::array({"cpu"}), devices = Json::array({cpuDevice()});
    if (reason.empty()) {
        const Json found = Json::parse(device::cudaPlugin().describe());
        for (const auto& [key, value] : found.items())
            if (key != "devices")
                cuda[key] = value;
        backends.push_back("cuda");
        for (const Json& gpu : found["devices"])
            devices.push_back(gpu);
    }
    Json known = Json::array();
    for (const workloads::WorkloadEntry& entry : workloads::workloadTable())
        known.push_back(entry.id);
    const Json probe = {{"engine", SB_VERSION},          {"backends", std::move(backends)},
                        {"devices", std::move(devices)}, {"workloads", std::move(known)},
                        {"mpi", dist::mpiLibrary()},     {"cpu_features", node["cpu"]["flags"]},
                        {"cuda", std::move(cuda)}};
    return probe.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace scalebench::cli
