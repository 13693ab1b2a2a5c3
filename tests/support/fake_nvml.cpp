// SPDX-License-Identifier: GPL-3.0-or-later
// A libnvidia-ml.so.1 that answers what SB_FAKE_NVML says, for tests of what the engine makes of
// its answers: "init=<result> handle=<result> field=<result> type=<n> ecc=<0|1> reasons=<bits>".
// With SB_FAKE_NVML_OLD it is that of an old driver, which lacks most functions.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

unsigned setting(const char* name, unsigned otherwise)
{
    const char* all = std::getenv("SB_FAKE_NVML");
    const std::string key = std::string(name) + "=";
    const char* at = all != nullptr ? std::strstr(all, key.c_str()) : nullptr;
    return at != nullptr ? unsigned(std::strtoul(at + key.size(), nullptr, 0)) : otherwise;
}

constexpr int kInvalid = 2, kNotSupported = 3;
int g_device = 0;

/// 0 for the one device there is.
int check(void* device)
{
    return device == &g_device ? 0 : kInvalid;
}

} // namespace

extern "C" {

int nvmlInit_v2()
{
    return int(setting("init", 0));
}
int nvmlShutdown()
{
    return 0;
}
const char* nvmlErrorString(int result)
{
    return result == 9 ? "Driver Not Loaded" : "Some Error";
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device)
{
    *device = &g_device;
    return std::strcmp(bus, "0000:01:00.0") == 0 ? int(setting("handle", 0)) : 6;
}
int nvmlDeviceGetMemoryInfo(void* device, unsigned long long* totalFreeUsed)
{
    totalFreeUsed[0] = 80'000;
    totalFreeUsed[1] = 79'000;
    totalFreeUsed[2] = 1'000;
    return check(device);
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* bits)
{
    *bits = setting("reasons", 0x204);
    return check(device);
}

#if !defined(SB_FAKE_NVML_OLD)

int nvmlSystemGetDriverVersion(char* text, unsigned length)
{
    std::snprintf(text, length, "580.65.06");
    return 0;
}
int nvmlDeviceGetUtilizationRates(void* device, unsigned* gpuMemory)
{
    gpuMemory[0] = 97;
    gpuMemory[1] = 41;
    return check(device);
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts)
{
    *milliwatts = 650'500;
    return check(device);
}
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatts)
{
    *milliwatts = 700'000;
    return check(device);
}
int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules)
{
    *millijoules = 12'345'678'901'250ull;
    return check(device);
}
int nvmlDeviceGetClockInfo(void* device, int type, unsigned* mhz)
{
    *mhz = type == 1 ? 1755 : type == 2 ? 3201 : 0;
    return check(device);
}
int nvmlDeviceGetMaxClockInfo(void* device, int type, unsigned* mhz)
{
    *mhz = type == 1 ? 1980 : type == 2 ? 3201 : 0;
    return check(device);
}
int nvmlDeviceGetTemperature(void* device, int sensor, unsigned* degrees)
{
    *degrees = 63;
    return sensor == 0 ? check(device) : kInvalid;
}
int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* bits)
{
    *bits = setting("reasons", 0);
    return check(device);
}
int nvmlDeviceGetPcieThroughput(void* device, int counter, unsigned* kilobytes)
{
    *kilobytes = counter == 0 ? 1'100 : 2'200;
    return check(device);
}
int nvmlDeviceGetTotalEccErrors(void* device, int error, int counter, unsigned long long* count)
{
    *count = error == 0 ? 5 : 0;
    if (setting("ecc", 1) == 0)
        return kNotSupported;
    return counter == 0 ? check(device) : kInvalid;
}
int nvmlDeviceGetEccMode(void* device, int* current, int* pending)
{
    *current = int(setting("ecc", 1));
    *pending = 1;
    return check(device);
}
int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending)
{
    *current = 0;
    *pending = 1;
    return check(device);
}
int nvmlDeviceGetComputeMode(void* device, int* mode)
{
    *mode = 3;
    return check(device);
}
int nvmlDeviceGetCurrPcieLinkGeneration(void* device, unsigned* generation)
{
    *generation = 1;
    return check(device);
}
int nvmlDeviceGetMaxPcieLinkGeneration(void* device, unsigned* generation)
{
    *generation = 5;
    return check(device);
}
int nvmlDeviceGetCurrPcieLinkWidth(void* device, unsigned* lanes)
{
    *lanes = 16;
    return check(device);
}
int nvmlDeviceGetNvLinkState(void* device, unsigned link, int* active)
{
    *active = link < 4 ? 1 : 0;
    return link < 6 ? check(device) : kInvalid;
}
/// One field at a time, over all links.
int nvmlDeviceGetFieldValues(void* device, int count, unsigned char* field)
{
    unsigned id = 0, scope = 0;
    std::memcpy(&id, field, 4);
    std::memcpy(&scope, field + 4, 4);
    const int type = int(setting("type", 3));
    const int result = id == 138 || id == 139 ? int(setting("field", 0)) : kNotSupported;
    const unsigned long long value = id == 138 ? 5'000'000'000ull : 7;
    std::memcpy(field + 24, &type, 4);
    std::memcpy(field + 28, &result, 4);
    std::memcpy(field + 32, &value, 8);
    return count == 1 && scope == ~0u ? check(device) : kInvalid;
}

#endif

} // extern "C"
