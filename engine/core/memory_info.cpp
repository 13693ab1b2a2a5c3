// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/memory_info.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace scalebench {
namespace {

constexpr std::size_t kPage = 4096; ///< the least that is told: 0 would be unknown

/// The number behind `key` in a file of lines "key number", without a key the first one; 0 for
/// "max", or when it cannot be read.
std::size_t numberIn(const std::string& path, const std::string& key = {})
{
    std::ifstream in(path);
    std::size_t number = 0;
    for (std::string word; !key.empty() && in >> word && word != key;)
        std::getline(in, word);
    return in >> number ? number : 0;
}

/// The files of a version of control groups: Documentation/admin-guide/cgroup-v2.rst and
/// cgroup-v1/memory.rst of the kernel.
struct GroupFiles {
    const char *folder, *limit, *used, *inactive, *active;
};
constexpr GroupFiles kVersion1{"/sys/fs/cgroup/memory", "/memory.limit_in_bytes",
                               "/memory.usage_in_bytes", "total_inactive_file",
                               "total_active_file"};
constexpr GroupFiles kVersion2{"/sys/fs/cgroup", "/memory.max", "/memory.current", "inactive_file",
                               "active_file"};

/// What a group of /proc/self/cgroup and those above it leave of `available`. A container may have
/// its own group at the root, whatever path it is told.
std::size_t leftByGroups(const std::string& root, const GroupFiles& files, std::string path,
                         std::size_t available)
{
    for (path = path == "/" ? std::string() : path;; path.resize(path.rfind('/'))) {
        const std::string folder = root + files.folder + path;
        if (const std::size_t limit = numberIn(folder + files.limit); limit > 0) {
            // Files that were read are dropped from memory before anything is refused.
            const std::size_t used = numberIn(folder + files.used);
            const std::size_t read = numberIn(folder + "/memory.stat", files.inactive) +
                                     numberIn(folder + "/memory.stat", files.active);
            const std::size_t kept = used - std::min(used, read);
            available = std::min(available, std::max(kPage, limit - std::min(limit, kept)));
        }
        if (path.find('/') == std::string::npos)
            return available;
    }
}

/// The soft limit in /proc/self/limits, in bytes; 0 for "unlimited", or when it cannot be read.
std::size_t addressSpaceLimit(const std::string& root)
{
    constexpr std::string_view kName = "Max address space";
    std::ifstream in(root + "/proc/self/limits");
    std::size_t limit = 0;
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(kName))
            return std::istringstream(line.substr(kName.size())) >> limit ? limit : 0;
    return 0;
}

} // namespace

std::size_t nodeMemoryBytes(const std::string& root)
{
    std::size_t available = numberIn(root + "/proc/meminfo", "MemAvailable:") * 1024;
    std::ifstream groups(root + "/proc/self/cgroup");
    // "4:cpu,memory:/path" of version 1, "0::/path" of version 2
    for (std::string line; std::getline(groups, line);) {
        const std::size_t names = line.find(':'), path = line.find(':', names + 1);
        if (path == std::string::npos)
            continue;
        const std::string controllers = ',' + line.substr(names + 1, path - names - 1) + ',';
        if (controllers == ",,")
            available = leftByGroups(root, kVersion2, line.substr(path + 1), available);
        else if (controllers.find(",memory,") != std::string::npos)
            available = leftByGroups(root, kVersion1, line.substr(path + 1), available);
    }
    return available;
}

std::size_t availableMemoryBytes(const std::string& root)
{
    const std::size_t node = nodeMemoryBytes(root);
    const std::size_t limit = addressSpaceLimit(root);
    if (limit == 0)
        return node;
    const std::size_t used = numberIn(root + "/proc/self/status", "VmSize:") * 1024;
    const std::size_t left = std::max(kPage, limit - std::min(limit, used));
    return node == 0 ? left : std::min(node, left);
}

} // namespace scalebench
