// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/runtime_compiler.h"

#include <string>

#include <cuda_runtime_api.h>
#include <dlfcn.h>

namespace scalebench::cuda_backend {

void holdRuntimeCompiler()
{
    static const bool once = [] {
        const std::string name = "libnvrtc.so." + std::to_string(CUDART_VERSION / 1000);
        void* const compiler = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (compiler == nullptr)
            return false;
        using Version = int (*)(int*, int*); // nvrtcVersion: 0 where it went well
        const auto version = reinterpret_cast<Version>(::dlsym(compiler, "nvrtcVersion"));
        int major = 0, minor = 0;
        if (version == nullptr || version(&major, &minor) != 0)
            return false;
        const std::string functions =
            "libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor);
        return ::dlopen(functions.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr;
    }();
    static_cast<void>(once);
}

} // namespace scalebench::cuda_backend
