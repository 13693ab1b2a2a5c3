// SPDX-License-Identifier: GPL-3.0-or-later
// Functions, numbers and structs: NVIDIA, NVML API reference guide. Only functions whose arguments
// are plain numbers or structs that never changed.
#include "engine/device/nvml.h"

#include <array>
#include <climits>
#include <cstdio>
#include <utility>

namespace scalebench::device {
namespace {

using report::Json;

constexpr int kNvmlSuccess = 0;
constexpr int kClockSm = 1, kClockMemory = 2;                // nvmlClockType_t
constexpr int kSensorGpu = 0;                                // nvmlTemperatureSensors_t
constexpr int kPcieSent = 0, kPcieReceived = 1;              // nvmlPcieUtilCounter_t
constexpr int kCorrected = 0, kUncorrected = 1;              // nvmlMemoryErrorType_t
constexpr int kVolatile = 0;                                 // nvmlEccCounterType_t
constexpr unsigned kNvlinkSent = 138, kNvlinkReceived = 139; // NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_*
constexpr unsigned kMostNvlinks = 18;                        // NVML_NVLINK_MAX_LINKS

struct Utilization { // nvmlUtilization_t
    unsigned gpu, memory;
};
struct Memory { // nvmlMemory_t
    unsigned long long total, free, used;
};
union Value { // nvmlValue_t
    double asDouble;
    unsigned asUnsigned;
    unsigned long long asUnsignedLongLong;
};
struct FieldValue { // nvmlFieldValue_t
    unsigned id, scope;
    long long timestamp, latency;
    int type, result;
    Value value;
};
static_assert(sizeof(FieldValue) == 40);
constexpr int kUnsigned = 1, kUnsignedLong = 2, kUnsignedLongLong = 3; // nvmlValueType_t

constexpr std::array kReasons = {"idle",        "application_clocks", "power_cap",
                                 "hw_slowdown", "sync_boost",         "thermal",
                                 "hw_thermal",  "power_brake",        "display_clocks"};

std::string computeModeName(int mode)
{
    constexpr std::array names = {"default", "exclusive_thread", "prohibited", "exclusive_process"};
    return mode >= 0 && std::size_t(mode) < names.size() ? names[std::size_t(mode)]
                                                         : std::to_string(mode);
}

template <class T>
void put(Json& json, const char* key, const std::optional<T>& value)
{
    if (value)
        json[key] = *value;
}

/// Milliwatts and millijoules.
template <class T>
std::optional<double> thousandth(const std::optional<T>& value)
{
    return value ? std::optional(double(*value) / 1000) : std::nullopt;
}

} // namespace

Json throttleReasons(std::uint64_t bits)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < kReasons.size(); ++i)
        if ((bits >> i & 1) != 0)
            list.push_back(kReasons[i]);
    if (const std::uint64_t rest = bits >> kReasons.size() << kReasons.size(); rest != 0) {
        char text[32];
        std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(rest));
        list.push_back(text);
    }
    return list;
}

Json toJson(const GpuSample& s)
{
    Json json = Json::object();
    put(json, "utilization", s.utilization);
    put(json, "memory_utilization", s.memoryUtilization);
    put(json, "memory_used_bytes", s.memoryUsedBytes);
    put(json, "memory_bytes", s.memoryBytes);
    put(json, "power_w", s.powerWatts);
    put(json, "energy_j", s.energyJoules);
    put(json, "sm_mhz", s.smMhz);
    put(json, "memory_mhz", s.memoryMhz);
    put(json, "temperature_c", s.temperature);
    if (s.throttle)
        json["throttle"] = throttleReasons(*s.throttle);
    put(json, "pcie_sent_kb_s", s.pcieSentKb);
    put(json, "pcie_received_kb_s", s.pcieReceivedKb);
    put(json, "nvlink_sent_kib", s.nvlinkSentKib);
    put(json, "nvlink_received_kib", s.nvlinkReceivedKib);
    put(json, "ecc_corrected", s.eccCorrected);
    put(json, "ecc_uncorrected", s.eccUncorrected);
    return json;
}

GpuMonitor::GpuMonitor(const std::string& pciBus, const std::string& library) : nvml_(library)
{
    if (!nvml_.loaded()) {
        reason_ = nvml_.missing() ? "no NVML: " + library + " not found"
                                  : "NVML cannot be loaded: " + nvml_.error();
        return;
    }
    if (const int result = nvml_.call("nvmlInit_v2"); result != kNvmlSuccess) {
        reason_ = "NVML does not start: " + explain(result);
        return;
    }
    started_ = true;
    const int result = nvml_.call("nvmlDeviceGetHandleByPciBusId_v2", pciBus.c_str(), &device_);
    if (result != kNvmlSuccess) {
        device_ = nullptr;
        reason_ = "NVML does not know the GPU at " + pciBus + ": " + explain(result);
    }
}

GpuMonitor::~GpuMonitor()
{
    if (started_)
        nvml_.call("nvmlShutdown");
}

std::string GpuMonitor::explain(int result) const
{
    if (result == SharedLibrary::kMissing)
        return "it lacks the function";
    const auto text = nvml_.find<const char*(int)>("nvmlErrorString");
    return (text != nullptr ? std::string(text(result)) + " (" : std::string("error (")) +
           std::to_string(result) + ")";
}

/// What `function(device, arguments..., T*)` gives.
template <class T, class... A>
std::optional<T> GpuMonitor::ask(const char* function, A... arguments) const
{
    T value{};
    if (device_ == nullptr || nvml_.call(function, device_, arguments..., &value) != kNvmlSuccess)
        return std::nullopt;
    return value;
}

/// A counter over all links.
std::optional<std::uint64_t> GpuMonitor::field(unsigned id) const
{
    FieldValue f{};
    f.id = id;
    f.scope = UINT_MAX;
    if (device_ == nullptr ||
        nvml_.call("nvmlDeviceGetFieldValues", device_, 1, &f) != kNvmlSuccess ||
        f.result != kNvmlSuccess)
        return std::nullopt;
    switch (f.type) {
    case kUnsigned:
        return f.value.asUnsigned;
    case kUnsignedLong:
    case kUnsignedLongLong:
        return f.value.asUnsignedLongLong;
    default:
        return std::nullopt;
    }
}

GpuSample GpuMonitor::sample() const
{
    using Count = unsigned long long;
    GpuSample s;
    if (const auto u = ask<Utilization>("nvmlDeviceGetUtilizationRates")) {
        s.utilization = u->gpu;
        s.memoryUtilization = u->memory;
    }
    if (const auto m = ask<Memory>("nvmlDeviceGetMemoryInfo")) {
        s.memoryUsedBytes = m->used;
        s.memoryBytes = m->total;
    }
    s.powerWatts = thousandth(ask<unsigned>("nvmlDeviceGetPowerUsage"));
    s.energyJoules = thousandth(ask<Count>("nvmlDeviceGetTotalEnergyConsumption"));
    s.smMhz = ask<unsigned>("nvmlDeviceGetClockInfo", kClockSm);
    s.memoryMhz = ask<unsigned>("nvmlDeviceGetClockInfo", kClockMemory);
    s.temperature = ask<unsigned>("nvmlDeviceGetTemperature", kSensorGpu);
    s.throttle = ask<Count>("nvmlDeviceGetCurrentClocksEventReasons");
    if (!s.throttle) // its name before driver 535
        s.throttle = ask<Count>("nvmlDeviceGetCurrentClocksThrottleReasons");
    s.pcieSentKb = ask<unsigned>("nvmlDeviceGetPcieThroughput", kPcieSent);
    s.pcieReceivedKb = ask<unsigned>("nvmlDeviceGetPcieThroughput", kPcieReceived);
    s.nvlinkSentKib = field(kNvlinkSent);
    s.nvlinkReceivedKib = field(kNvlinkReceived);
    s.eccCorrected = ask<Count>("nvmlDeviceGetTotalEccErrors", kCorrected, kVolatile);
    s.eccUncorrected = ask<Count>("nvmlDeviceGetTotalEccErrors", kUncorrected, kVolatile);
    return s;
}

Json GpuMonitor::describe() const
{
    Json json = Json::object();
    if (!reason_.empty())
        json["reason"] = reason_;
    char version[96] = "";
    if (started_ &&
        nvml_.call("nvmlSystemGetDriverVersion", version, unsigned(sizeof version)) == kNvmlSuccess)
        json["driver"] = version;
    put(json, "power_limit_w", thousandth(ask<unsigned>("nvmlDeviceGetEnforcedPowerLimit")));
    if (const auto mode = ask<int>("nvmlDeviceGetComputeMode"))
        json["compute_mode"] = computeModeName(*mode);
    // Both functions also give the mode after the next restart.
    unsigned pendingMig = 0;
    int pendingEcc = 0, ecc = 0;
    unsigned mig = 0;
    if (device_ != nullptr &&
        nvml_.call("nvmlDeviceGetMigMode", device_, &mig, &pendingMig) == kNvmlSuccess)
        json["mig"] = mig != 0;
    if (device_ != nullptr &&
        nvml_.call("nvmlDeviceGetEccMode", device_, &ecc, &pendingEcc) == kNvmlSuccess)
        json["ecc"] = ecc != 0;
    put(json, "max_sm_mhz", ask<unsigned>("nvmlDeviceGetMaxClockInfo", kClockSm));
    put(json, "max_memory_mhz", ask<unsigned>("nvmlDeviceGetMaxClockInfo", kClockMemory));
    put(json, "pcie_generation", ask<unsigned>("nvmlDeviceGetCurrPcieLinkGeneration"));
    put(json, "pcie_width", ask<unsigned>("nvmlDeviceGetCurrPcieLinkWidth"));
    put(json, "max_pcie_generation", ask<unsigned>("nvmlDeviceGetMaxPcieLinkGeneration"));
    put(json, "max_pcie_width", ask<unsigned>("nvmlDeviceGetMaxPcieLinkWidth"));
    std::optional<int> links;
    for (unsigned i = 0; i < kMostNvlinks; ++i)
        if (const auto active = ask<int>("nvmlDeviceGetNvLinkState", i))
            links = links.value_or(0) + (*active != 0 ? 1 : 0);
    put(json, "nvlinks", links);
    return json;
}

} // namespace scalebench::device
