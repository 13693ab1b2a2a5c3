// SPDX-License-Identifier: GPL-3.0-or-later
// A libcuda.so.1 that answers what SB_FAKE_CUDA says, for tests of what the engine makes of a
// driver's answers: "init=<result> version=<n> count=<n> major=<n> minor=<n> mode=<n>".

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

int setting(const char* name, int otherwise)
{
    const char* all = std::getenv("SB_FAKE_CUDA");
    const std::string key = std::string(name) + "=";
    const char* at = all != nullptr ? std::strstr(all, key.c_str()) : nullptr;
    return at != nullptr ? std::atoi(at + key.size()) : otherwise;
}

} // namespace

extern "C" {

int cuInit(unsigned)
{
    return setting("init", 0);
}
int cuDriverGetVersion(int* version)
{
    *version = setting("version", 13000);
    return 0;
}
int cuGetErrorName(int result, const char** name)
{
    *name = result == 100   ? "CUDA_ERROR_NO_DEVICE"
            : result == 803 ? "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"
                            : "CUDA_ERROR_UNKNOWN";
    return 0;
}
int cuDeviceGetCount(int* count)
{
    *count = setting("count", 1);
    return 0;
}
int cuDeviceGet(int* device, int number)
{
    *device = number;
    return 0;
}
int cuDeviceGetName(char* text, int length, int)
{
    std::snprintf(text, std::size_t(length), "NVIDIA Fake 1");
    return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int)
{
    *bytes = std::size_t(8) << 30;
    return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int)
{
    *value = attribute == 75   ? setting("major", 9)
             : attribute == 76 ? setting("minor", 0)
             : attribute == 20 ? setting("mode", 0)
                               : 0;
    return 0;
}
int cuDeviceGetPCIBusId(char* text, int length, int)
{
    std::snprintf(text, std::size_t(length), "0000:01:00.0");
    return 0;
}

} // extern "C"
