// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How far reading or generating data has come, and a way to stop it.

#include <cstdint>
#include <functional>

namespace scalebench::data {

/// Told about every 100 ms; may throw to stop.
using LoadProgress = std::function<void(int64_t done, int64_t total)>;

/// For what tells nothing but may be stopped; empty where `progress` is.
inline std::function<void()> tickOf(const LoadProgress& progress)
{
    if (!progress)
        return {};
    return [progress] { progress(0, 0); };
}

} // namespace scalebench::data
