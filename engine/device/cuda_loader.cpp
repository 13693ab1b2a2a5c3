// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cuda_loader.h"

#include "engine/device/cuda_build.h"
#include "kernels/check.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <filesystem>

namespace scalebench::device {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libscalebench_cuda.so";

/// Beside the running program, where builds, installations and bundles put it.
fs::path pluginPath()
{
    std::error_code failed;
    return fs::read_symlink("/proc/self/exe", failed).parent_path() / kFile;
}

/// The loader's "libcudnn.so.9: cannot open shared object file: ..." as advice.
std::string explainLoadError(const std::string& error)
{
    struct Known {
        const char* library;
        const char* advice;
    };
    static constexpr std::array<Known, 3> known{
        {{"libcudnn", "cuDNN 9 (package cudnn9-cuda-13 or nvidia-cudnn-cu13)"},
         {"libcublas", "cuBLAS of CUDA 13 (package libcublas-13-0 or nvidia-cublas)"},
         {"libnccl", "NCCL 2 (package libnccl2 or nvidia-nccl-cu13)"}}};
    const std::string name = error.substr(0, error.find(':'));
    if (error.find("cannot open shared object file") != std::string::npos)
        for (const Known& k : known)
            if (name.find(k.library) != std::string::npos)
                return "the library " + name + " is missing: install " + k.advice +
                       ", or add its folder to LD_LIBRARY_PATH";
    return "its plug-in cannot be loaded: " + error;
}

struct Loaded {
    CudaDriver driver;
    const CudaPlugin* plugin = nullptr;
    std::string reason;
};

std::string load(Loaded& out)
{
    const fs::path path = pluginPath();
    std::error_code failed;
    if (!fs::exists(path, failed))
        return std::string(SB_CUDA_MISSING).empty()
                   ? std::string("its plug-in is missing: ") + kFile + " is not in " +
                         path.parent_path().string()
                   : std::string("this Scalebench has no CUDA plug-in: ") + SB_CUDA_MISSING;
    if (!out.driver.reason.empty())
        return out.driver.reason;
    void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr)
        return explainLoadError(::dlerror());
    const auto entry = reinterpret_cast<CudaPluginEntry>(::dlsym(handle, kCudaPluginEntry));
    const CudaPlugin* plugin = entry != nullptr ? entry(kCudaPluginVersion) : nullptr;
    if (plugin == nullptr || std::string(plugin->engineVersion) != SB_VERSION) {
        ::dlclose(handle);
        return std::string(kFile) + " is of another build of Scalebench: install both from one";
    }
    out.plugin = plugin; // stays loaded: objects made there live on
    return {};
}

const Loaded& loaded()
{
    static const Loaded once = [] {
        Loaded l;
        l.driver = askCudaDriver(SB_CUDA_TOOLKIT, SB_CUDA_ARCHITECTURES);
        l.reason = load(l);
        return l;
    }();
    return once;
}

} // namespace

const std::string& cudaUnavailableReason()
{
    return loaded().reason;
}

CudaBuild cudaBuild()
{
    if (SB_CUDA_TOOLKIT == 0)
        return {};
    return {SB_CUDA_TOOLKIT, oldestDriver(SB_CUDA_TOOLKIT), SB_CUDA_ARCHITECTURES};
}

const CudaDriver& cudaDriver()
{
    return loaded().driver;
}

const CudaPlugin& cudaPlugin()
{
    if (loaded().plugin == nullptr)
        throw Unsupported("device \"cuda\" is not available: " + loaded().reason + ".",
                          "device_unavailable");
    return *loaded().plugin;
}

} // namespace scalebench::device
