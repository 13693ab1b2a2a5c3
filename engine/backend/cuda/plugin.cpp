// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/plugin.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <nccl.h>

#include <nlohmann/json.hpp>

#include "engine/backend/cuda/batch_uploads.h"
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/dist/nccl/device_arena.h"

namespace scalebench {
namespace {

using Json = nlohmann::json;

std::string cudaVersion(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string describe()
{
    int driver = 0, runtime = 0, nccl = 0, devices = 0;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    (void)ncclGetVersion(&nccl);
    if (cudaGetDeviceCount(&devices) != cudaSuccess)
        devices = 0; // it is left as it was
    const auto cudnn = int(cudnnGetVersion());
    const auto cublas = int(cublasLtGetVersion());
    Json list = Json::array();
    for (int i = 0; i < devices; ++i) {
        cudaDeviceProp p;
        if (cudaGetDeviceProperties(&p, i) != cudaSuccess)
            continue;
        char bus[32] = "";
        (void)cudaDeviceGetPCIBusId(bus, sizeof bus, i);
        list.push_back(
            {{"device", "cuda"},
             {"number", i},
             {"name", p.name},
             {"compute_capability", std::to_string(p.major) + "." + std::to_string(p.minor)},
             {"memory_bytes", p.totalGlobalMem},
             {"multiprocessors", p.multiProcessorCount},
             {"pci_bus", bus},
             {"precisions", p.major >= 8 ? Json{"fp32", "bf16", "fp16"} : Json{"fp32", "fp16"}}});
    }
    return Json{{"driver_cuda", cudaVersion(driver)},
                {"toolkit", cudaVersion(runtime)},
                {"cublas", std::to_string(cublas / 10000) + "." +
                               std::to_string(cublas / 100 % 100) + "." +
                               std::to_string(cublas % 100)},
                {"cudnn", std::to_string(cudnn / 10000) + "." + std::to_string(cudnn / 100 % 100) +
                              "." + std::to_string(cudnn % 100)},
                {"nccl", std::to_string(nccl / 10000) + "." + std::to_string(nccl / 100 % 100) +
                             "." + std::to_string(nccl % 100)},
                {"devices", std::move(list)}}
        .dump();
}

const CudaPlugin kPlugin{kCudaPluginVersion,
                         SB_VERSION,
                         describe,
                         cuda_backend::makeCudaBackend,
                         dist::makeDeviceArena,
                         dist::makeDeviceGroup,
                         cuda_backend::makeBatchUploads};

} // namespace
} // namespace scalebench

/// Null for a version other than this build's.
extern "C" __attribute__((visibility("default"))) const scalebench::CudaPlugin*
scalebench_cuda_plugin(int version)
{
    return version == scalebench::kCudaPluginVersion ? &scalebench::kPlugin : nullptr;
}
