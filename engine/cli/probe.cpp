// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/probe.h"

#include "engine/backend/backend.h"
#include "engine/dist/mpi/mpi_communicator.h"
#include "engine/report/system_info.h"
#include "kernels/check.h"


#include <dlfcn.h>

namespace scalebench::cli {
namespace {

using report::Json;

Json cpuDevice()
{
    const Json node = report::describeNode();
    Json device = {{"device", "cpu"},
                   {"name", report::cpuModel()},
                   {"cpus", report::allowedCpuCount()},
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

std::string cudaUnavailableReason()
{
    if (void* driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL); driver != nullptr)
        ::dlclose(driver);
    else
        return "no NVIDIA driver: libcuda.so.1 not found";
    return "this version of Scalebench has no CUDA plug-in (libscalebench_cuda.so) yet";
}

std::string probeJson()
{
    const Json node = report::describeNode();
    const std::string cuda = cudaUnavailableReason();
    const Json probe = {{"engine", SB_VERSION},
                        {"backends", Json::array({"cpu"})},
                        {"devices", Json::array({cpuDevice()})},
                        {"workloads", Json::array({"resnet"})},
                        {"mpi", dist::mpiLibrary()},
                        {"cpu_features", node["cpu"]["flags"]},
                        {"cuda", {{"available", cuda.empty()}, {"reason", cuda}}}};
    return probe.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace scalebench::cli
