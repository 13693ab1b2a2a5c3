// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/worker_place.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

namespace scalebench::placement {
namespace {

using Cores = std::vector<Core>;

/// Each processor as a core of its own: one of each core, or all.
Cores single(const Cores& cores, bool all)
{
    Cores units;
    for (const Core& core : cores)
        for (const int processor : core.processors) {
            units.push_back(core);
            units.back().processors = {processor};
            if (!all)
                break;
        }
    return units;
}

Processors processorsOf(const Cores& cores)
{
    Processors all;
    for (const Core& core : cores)
        all.insert(all.end(), core.processors.begin(), core.processors.end());
    std::ranges::sort(all);
    return all;
}

/// The fastest kinds of cores that do for all, the fastest first.
Cores fastOnes(Cores cores, std::int64_t needed)
{
    std::ranges::stable_sort(cores, std::greater(), &Core::speed);
    auto end = cores.begin();
    while (end != cores.end() && (end - cores.begin() < needed || end->speed == (end - 1)->speed))
        ++end;
    cores.erase(end, cores.end());
    return cores;
}

/// Cores with a cache, a node of memory or a package in common, and who is placed there.
struct Group {
    Cores cores;
    std::int64_t workers = 0;
    double roomEach() const { return double(cores.size()) / double(workers + 1); }
};

/// What belongs together by `key`, in the order of the cores.
template <class Key>
std::vector<Group> groupsBy(const Cores& cores, Key key)
{
    std::map<int, std::size_t> numbers;
    std::vector<Group> groups;
    for (const Core& core : cores) {
        const std::size_t i = numbers.emplace(key(core), groups.size()).first->second;
        if (i == groups.size())
            groups.emplace_back();
        groups[i].cores.push_back(core);
    }
    return groups;
}

/// Gives each worker the group whose package, node of memory and itself have most room for it;
/// false: they have not enough.
bool fill(std::vector<Group>& groups, const Cores& cores, const Crew& crew)
{
    const auto package = [](const Core& c) { return c.package; };
    const auto memory = [](const Core& c) { return c.memory; };
    std::vector<Group> packages = groupsBy(cores, package), memories = groupsBy(cores, memory);
    const auto around = [](std::vector<Group>& outer, auto key, const Group& group) -> Group& {
        return *std::ranges::find_if(outer, [&](const Group& g) {
            return key(g.cores.front()) == key(group.cores.front());
        });
    };
    for (int w = 0; w < crew.workers; ++w) {
        Group* best = nullptr;
        std::tuple<double, double, double> most;
        for (Group& group : groups) {
            if (std::int64_t(group.cores.size()) / crew.threads <= group.workers)
                continue;
            const std::tuple room{around(packages, package, group).roomEach(),
                                  around(memories, memory, group).roomEach(), group.roomEach()};
            if (!best || room > most)
                best = &group, most = room;
        }
        if (!best)
            return false;
        ++best->workers;
        ++around(packages, package, *best).workers;
        ++around(memories, memory, *best).workers;
    }
    return true;
}

} // namespace

Processors placeOf(int worker, const Crew& crew, const Cores& all)
{
    const std::int64_t threads = std::int64_t(crew.workers) * crew.threads;
    const Cores units = single(all, threads > std::int64_t(all.size()));
    if (threads > std::int64_t(units.size()))
        return {};
    const Cores cores = fastOnes(units, threads);
    if (cores.front().speed != cores.back().speed) {
        Cores dealt; // in turn, so that each gets as many fast ones
        for (std::size_t i = std::size_t(worker); i < cores.size(); i += std::size_t(crew.workers))
            dealt.push_back(cores[i]);
        return processorsOf(dealt);
    }
    std::vector<Group> levels[] = {groupsBy(cores, [](const Core& c) { return c.cache; }),
                                   groupsBy(cores, [](const Core& c) { return c.memory; }),
                                   groupsBy(cores, [](const Core& c) { return c.package; })};
    for (std::vector<Group>& groups : levels) {
        if (!fill(groups, cores, crew))
            continue;
        std::int64_t before = 0; // workers of the groups so far
        for (const Group& group : groups)
            if (worker < (before += group.workers))
                return processorsOf(group.cores);
    }
    const auto count = std::int64_t(cores.size());
    return processorsOf({cores.begin() + count * worker / crew.workers,
                         cores.begin() + count * (worker + 1) / crew.workers});
}

Cores withoutBusy(const Cores& cores, const Processors& busy, const Crew& crew)
{
    Cores quiet;
    std::ranges::copy_if(cores, std::back_inserter(quiet), [&](const Core& core) {
        return std::ranges::none_of(core.processors, [&](int processor) {
            return std::ranges::binary_search(busy, processor);
        });
    });
    return std::int64_t(crew.workers) * crew.threads <= std::int64_t(quiet.size()) ? quiet : cores;
}

} // namespace scalebench::placement
