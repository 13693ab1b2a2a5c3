// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/cores.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>

#include <hwloc.h>
#if HWLOC_API_VERSION < 0x20400
#error "hwloc 2.4 or newer is needed: kinds of cores"
#endif

namespace scalebench::placement {
namespace {

struct FreeBitmap {
    void operator()(hwloc_bitmap_t set) const { hwloc_bitmap_free(set); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

/// The outermost cache of data around a core; null: none is told.
hwloc_obj_t lastCache(hwloc_obj_t core)
{
    hwloc_obj_t last = nullptr;
    for (hwloc_obj_t at = core->parent; at; at = at->parent)
        if (hwloc_obj_type_is_dcache(at->type))
            last = at;
    return last;
}

/// Of a kind of cores, as hwloc ranks them; 0 where it cannot.
int speedOf(hwloc_topology_t topology, hwloc_obj_t core)
{
    const int kind = hwloc_cpukinds_get_by_cpuset(topology, core->cpuset, 0);
    int efficiency = 0;
    if (kind < 0 || hwloc_cpukinds_get_info(topology, unsigned(kind), nullptr, &efficiency, nullptr,
                                            nullptr, 0) != 0)
        return 0;
    return std::max(efficiency, 0);
}

/// The number of a key among those seen.
template <class Key>
int numberOf(std::map<Key, int>& seen, const Key& key)
{
    return seen.emplace(key, int(seen.size())).first->second;
}

/// Ticks of each processor so far: busy, and all.
std::map<int, std::pair<std::int64_t, std::int64_t>> ticksOf(const std::string& stat)
{
    std::map<int, std::pair<std::int64_t, std::int64_t>> ticks;
    std::istringstream lines(stat);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        if (!name.starts_with("cpu") || name.size() == 3)
            continue;
        std::int64_t all = 0, idle = 0, value = 0; // user nice system idle iowait irq softirq steal
        for (int i = 0; i < 8 && words >> value; ++i) {
            all += value;
            idle += i == 3 || i == 4 ? value : 0;
        }
        ticks[std::atoi(name.c_str() + 3)] = {all - idle, all};
    }
    return ticks;
}

} // namespace

std::vector<Core> coresOf(hwloc_topology_t topology, const Processors& allowed)
{
    const Bitmap mine(hwloc_bitmap_alloc()), here(hwloc_bitmap_alloc());
    for (const int processor : allowed)
        hwloc_bitmap_set(mine.get(), unsigned(processor));
    const hwloc_obj_type_t type =
        hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    std::vector<Core> cores;
    std::map<const void*, int> packages;
    std::map<std::tuple<int, int>, int> memories;
    std::map<std::tuple<int, const void*>, int> caches;
    for (hwloc_obj_t at = nullptr; (at = hwloc_get_next_obj_by_type(topology, type, at));) {
        Core core;
        hwloc_bitmap_and(here.get(), at->cpuset, mine.get());
        for (int p = hwloc_bitmap_first(here.get()); p >= 0; p = hwloc_bitmap_next(here.get(), p))
            core.processors.push_back(p);
        if (core.processors.empty())
            continue;
        const void* const package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, at);
        core.package = numberOf(packages, package);
        core.memory = numberOf(memories, {core.package, hwloc_bitmap_first(at->nodeset)});
        core.cache = numberOf(caches, {core.memory, static_cast<const void*>(lastCache(at))});
        core.speed = speedOf(topology, at);
        cores.push_back(std::move(core));
    }
    return cores;
}

std::vector<Core> coresOfHost(const Processors& allowed)
{
    hwloc_topology_t topology = nullptr;
    if (hwloc_topology_init(&topology) != 0)
        return {};
    const std::unique_ptr<hwloc_topology, void (*)(hwloc_topology_t)> kept(topology,
                                                                           hwloc_topology_destroy);
    return hwloc_topology_load(topology) == 0 ? coresOf(topology, allowed) : std::vector<Core>();
}

Processors busyProcessors(const std::string& before, const std::string& after,
                          const Processors& allowed)
{
    const auto from = ticksOf(before), to = ticksOf(after);
    Processors busy;
    for (const int processor : allowed) {
        const auto a = from.find(processor), b = to.find(processor);
        if (a == from.end() || b == to.end())
            continue;
        const std::int64_t used = b->second.first - a->second.first,
                           all = b->second.second - a->second.second;
        if (all > 0 && 2 * used >= all)
            busy.push_back(processor);
    }
    return busy;
}

} // namespace scalebench::placement
