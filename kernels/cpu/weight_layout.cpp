// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/weight_layout.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace scalebench::kernels::cpu {
namespace {

struct Known {
    dnnl::memory::desc desc;
    std::int64_t groups;
    WeightLayout layout;
};

} // namespace

WeightLayout newWeightLayout()
{
    static std::atomic<WeightLayout> last{0};
    return ++last;
}

WeightLayout layoutOf(const dnnl::memory::desc& desc, std::int64_t groups)
{
    static std::mutex mutex;
    static std::vector<Known> known;
    const std::lock_guard lock(mutex);
    for (const Known& k : known)
        if (k.groups == groups && k.desc == desc)
            return k.layout;
    known.push_back({desc, groups, newWeightLayout()});
    return known.back().layout;
}

} // namespace scalebench::kernels::cpu
