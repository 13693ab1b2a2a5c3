// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/memory_info.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace scalebench {
namespace {

/// The number in a file of one line; 0 for "max", or when it cannot be read.
std::size_t numberIn(const std::string& path)
{
    std::ifstream in(path);
    std::size_t number = 0;
    in >> number;
    return in ? number : 0;
}

/// What the control group of this process, or one above it, leaves free; 0: no limit.
std::size_t controlGroupBytes()
{
    std::ifstream in("/proc/self/cgroup");
    std::string line;
    std::size_t least = 0;
    while (std::getline(in, line)) {
        if (!line.starts_with("0::"))
            continue;
        for (std::string path = line.substr(3); !path.empty() && path != "/";
             path.resize(path.rfind('/'))) {
            const std::string folder = "/sys/fs/cgroup" + path;
            const std::size_t limit = numberIn(folder + "/memory.max");
            if (limit == 0)
                continue;
            const std::size_t used = numberIn(folder + "/memory.current");
            const std::size_t free = std::max<std::size_t>(limit - std::min(limit, used), 1);
            least = least == 0 ? free : std::min(least, free);
        }
    }
    return least;
}

} // namespace

std::size_t availableMemoryBytes()
{
    std::ifstream in("/proc/meminfo");
    std::string key, unit;
    std::size_t kib = 0, available = 0;
    while (in >> key >> kib) {
        std::getline(in, unit);
        if (key == "MemAvailable:")
            available = kib * 1024;
    }
    const std::size_t group = controlGroupBytes();
    if (group == 0)
        return available;
    return available == 0 ? group : std::min(available, group);
}

} // namespace scalebench
