// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a GPU is doing and how it is set up, as the driver's management library (NVML) tells it. The
// library is loaded at run time; without it, and for what a driver or a GPU does not tell, values
// are empty and nothing fails.

#include "engine/device/shared_library.h"
#include "engine/report/results_writer.h"

#include <cstdint>
#include <optional>
#include <string>

namespace scalebench::device {

/// One look at a GPU. Counters count since the driver was loaded, ECC errors since the last reset.
struct GpuSample {
    /// Per cent of NVML's last sampling period (1/6 s to 1 s) in which a kernel ran, and in which
    /// memory was read or written.
    std::optional<unsigned> utilization, memoryUtilization;
    std::optional<std::uint64_t> memoryUsedBytes, memoryBytes; ///< of all processes; in all
    std::optional<double> powerWatts;                          ///< of the board
    std::optional<double> energyJoules;                        ///< counter
    std::optional<unsigned> smMhz, memoryMhz;                  ///< clocks now
    std::optional<unsigned> temperature;                       ///< degrees Celsius
    /// What keeps the clocks down, bits of nvmlClocksEventReasons; throttleReasons() names them.
    std::optional<std::uint64_t> throttle;
    std::optional<unsigned> pcieSentKb, pcieReceivedKb; ///< KB/s, over 20 ms
    /// Counters, KiB of payload over all links.
    std::optional<std::uint64_t> nvlinkSentKib, nvlinkReceivedKib;
    std::optional<std::uint64_t> eccCorrected, eccUncorrected; ///< errors, all memories
};

/// Names of the bits: "idle", "application_clocks", "power_cap", "hw_slowdown", "sync_boost",
/// "thermal", "hw_thermal", "power_brake", "display_clocks"; others in hexadecimal.
report::Json throttleReasons(std::uint64_t bits);

/// The `gpu` record of the results stream (resources/protocol/results_stream.md): only what is
/// known.
report::Json toJson(const GpuSample& sample);

/// One GPU. Its functions may be called from any thread.
class GpuMonitor
{
public:
    /// `pciBus` as the CUDA driver gives it, "0000:1b:00.0". `library`: another one for tests.
    explicit GpuMonitor(const std::string& pciBus,
                        const std::string& library = "libnvidia-ml.so.1");
    ~GpuMonitor();
    GpuMonitor(const GpuMonitor&) = delete;
    GpuMonitor& operator=(const GpuMonitor&) = delete;

    /// Why nothing can be asked, one sentence without its full stop; empty when it can.
    const std::string& reason() const { return reason_; }

    /// Takes about 40 ms: NVML counts PCIe traffic while it is asked.
    GpuSample sample() const;

    /// For system.json: "driver", "power_limit_w", "compute_mode", "mig", "ecc", "max_sm_mhz",
    /// "max_memory_mhz", "pcie_generation", "pcie_width" (now; links slow down when idle) and their
    /// "max_", "nvlinks" (active), each only where known; or "reason".
    report::Json describe() const;

private:
    template <class T, class... A>
    std::optional<T> ask(const char* function, A... arguments) const;
    std::optional<std::uint64_t> field(unsigned id) const;
    std::string explain(int result) const;

    SharedLibrary nvml_;
    bool started_ = false;
    void* device_ = nullptr; ///< NVML's handle; null: nothing can be asked
    std::string reason_;
};

} // namespace scalebench::device
