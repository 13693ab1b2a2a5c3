// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of results and attributes: CUDA Driver API reference, cuda.h.
#include "engine/device/cuda_driver.h"

#include "engine/device/shared_library.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>

namespace scalebench::device {
namespace {

enum Result {
    kSuccess = 0,
    kStubLibrary = 34,
    kNoDevice = 100,
    kInvalidDevice = 101,
    kSystemNotReady = 802,
    kDriverMismatch = 803,
    kCompatNotSupported = 804
};
enum Attribute { kComputeMode = 20, kMajor = 75, kMinor = 76 };
constexpr int kExclusiveProcess = 3, kProhibited = 2;

std::string versionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string nameOf(const SharedLibrary& cuda, int result)
{
    const char* name = nullptr;
    if (cuda.call("cuGetErrorName", result, &name) == kSuccess && name != nullptr)
        return std::string(name) + " (" + std::to_string(result) + ")";
    return "error " + std::to_string(result);
}

/// Names the variable where it hides devices.
std::optional<std::string> hiddenByEnvironment()
{
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (visible == nullptr)
        return std::nullopt;
    return "CUDA_VISIBLE_DEVICES is \"" + std::string(visible) +
           "\", which leaves no GPU: unset it or name GPUs that exist (nvidia-smi -L lists them)";
}

std::string noDevice()
{
    if (const auto hidden = hiddenByEnvironment())
        return *hidden;
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (!fs::exists("/dev/nvidiactl", ignored))
        return "the NVIDIA driver's library is here, but /dev/nvidiactl is not: the kernel module "
               "is not loaded, or this is a container that was started without GPU access "
               "(--gpus all)";
    for (const char* file : {"/dev/nvidiactl", "/dev/nvidia0"})
        if (fs::exists(file, ignored) && ::access(file, R_OK | W_OK) != 0)
            return std::string(file) + " may not be opened: no rights, or a container without GPU "
                                       "access. Ask for membership of the group that owns it";
    return "no GPU found: the NVIDIA driver runs, but no device is there (nvidia-smi -L)";
}

std::string whyNotInitialised(const SharedLibrary& cuda, int result)
{
    switch (result) {
    case kNoDevice:
        return noDevice();
    case kInvalidDevice:
        return hiddenByEnvironment().value_or("the driver knows no valid device (" +
                                              nameOf(cuda, result) + ")");
    case kStubLibrary:
        return "libcuda.so.1 is the CUDA toolkit's stub, not a driver: take its folder out of "
               "LD_LIBRARY_PATH, or install the NVIDIA driver";
    case kSystemNotReady:
        return "the GPUs are not ready (" + nameOf(cuda, result) +
               "): on machines with NVSwitch nvidia-fabricmanager must run, in the driver's "
               "version";
    case kDriverMismatch:
        return "the driver's library and kernel module are of different versions (" +
               nameOf(cuda, result) + "): restart the machine, or reload the module";
    case kCompatNotSupported:
        return "the CUDA compatibility package is in use, which this GPU does not support (" +
               nameOf(cuda, result) + "): take its folder out of LD_LIBRARY_PATH";
    default:
        return "the NVIDIA driver does not start: cuInit says " + nameOf(cuda, result) +
               ". The kernel log may tell more (dmesg | grep -i nvrm)";
    }
}

CudaDevice describe(const SharedLibrary& cuda, int number)
{
    CudaDevice d;
    d.number = number;
    int handle = 0;
    cuda.call("cuDeviceGet", &handle, number);
    char text[256] = "";
    if (cuda.call("cuDeviceGetName", text, int(sizeof text), handle) == kSuccess)
        d.name = text;
    std::size_t bytes = 0;
    if (cuda.call("cuDeviceTotalMem_v2", &bytes, handle) == kSuccess)
        d.memoryBytes = std::int64_t(bytes);
    const auto attribute = [&](Attribute which) {
        int value = 0;
        cuda.call("cuDeviceGetAttribute", &value, int(which), handle);
        return value;
    };
    d.major = attribute(kMajor);
    d.minor = attribute(kMinor);
    d.exclusive = attribute(kComputeMode) == kExclusiveProcess;
    d.prohibited = attribute(kComputeMode) == kProhibited;
    if (cuda.call("cuDeviceGetPCIBusId", text, int(sizeof text), handle) == kSuccess)
        d.pciBus = text;
    unsigned char uuid[16] = {};
    if (cuda.call("cuDeviceGetUuid_v2", uuid, handle) == kSuccess ||
        cuda.call("cuDeviceGetUuid", uuid, handle) == kSuccess)
        for (const unsigned char byte : uuid) {
            std::snprintf(text, sizeof text, "%02x", unsigned(byte));
            d.uuid += text;
        }
    d.mig = d.name.find(" MIG ") != std::string::npos;
    return d;
}

std::string capability(const CudaDevice& d)
{
    return d.name + " (compute capability " + std::to_string(d.major) + "." +
           std::to_string(d.minor) + ")";
}

} // namespace

/// By minor version compatibility any driver of a major version serves (CUDA compatibility guide).
const char* oldestDriver(int toolkit)
{
    const int major = toolkit / 1000;
    return major >= 13 ? "580.65.06" : major == 12 ? "525.60.13" : "450.80.02";
}

bool builtFor(const std::string& architectures, int major, int minor)
{
    std::istringstream list(architectures);
    for (std::string entry; std::getline(list, entry, ';');) {
        const int number = std::atoi(entry.c_str());
        const int archMajor = number / 10, archMinor = number % 10;
        const bool code = entry.find("-virtual") == std::string::npos;
        const bool ptx = entry.find("-real") == std::string::npos;
        // Machine code runs on its own generation from its minor number on, PTX on all later ones.
        if (code && archMajor == major && archMinor <= minor)
            return true;
        if (ptx && (archMajor < major || (archMajor == major && archMinor <= minor)))
            return true;
    }
    return false;
}

CudaDriver askCudaDriver(int toolkit, const std::string& architectures)
{
    CudaDriver driver;
    SharedLibrary cuda("libcuda.so.1");
    if (!cuda.loaded()) {
        driver.reason = cuda.missing()
                            ? "no NVIDIA driver: libcuda.so.1 not found"
                            : "the NVIDIA driver's library cannot be loaded: " + cuda.error();
        return driver;
    }
    cuda.keepLoaded();
    cuda.call("cuDriverGetVersion", &driver.version);
    if (const int result = cuda.call("cuInit", 0u); result != kSuccess) {
        driver.reason = whyNotInitialised(cuda, result);
        return driver;
    }
    // Within a major version any driver serves any toolkit.
    if (toolkit > 0 && driver.version / 1000 < toolkit / 1000) {
        driver.reason = "the NVIDIA driver is too old: it knows CUDA " +
                        versionText(driver.version) + ", and this build needs CUDA " +
                        std::to_string(toolkit / 1000) + " (driver " + oldestDriver(toolkit) +
                        " or newer)";
        return driver;
    }
    int count = 0;
    if (cuda.call("cuDeviceGetCount", &count) != kSuccess || count == 0) {
        driver.reason = noDevice();
        return driver;
    }
    for (int i = 0; i < count; ++i)
        driver.devices.push_back(describe(cuda, i));
    if (toolkit == 0)
        return driver;
    const auto usable = [&](const CudaDevice& d) {
        return builtFor(architectures, d.major, d.minor) && !d.prohibited;
    };
    if (std::ranges::none_of(driver.devices, usable)) {
        const CudaDevice& first = driver.devices.front();
        driver.reason = first.prohibited && builtFor(architectures, first.major, first.minor)
                            ? first.name +
                                  " is in compute mode \"prohibited\": nvidia-smi -c 0 (as "
                                  "administrator) allows work on it"
                            : "this build has no kernels for " + capability(first) + ", only for " +
                                  architectures + ": build with -DSCALEBENCH_CUDA_ARCHITECTURES=" +
                                  std::to_string(first.major * 10 + first.minor) +
                                  (first.major < 7 || (first.major == 7 && first.minor < 5)
                                       ? ", with CUDA 12, the last that knows it"
                                       : "");
    }
    return driver;
}

} // namespace scalebench::device
