// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/cpu_context.h"

#include <algorithm>

namespace scalebench::cpu_backend {

void* CpuContext::workspace(std::size_t bytes)
{
    if (!workspace_.defined() || workspace_.bytes() < bytes) {
        workspace_ = Tensor(); // give back before asking for more
        workspace_ = make({std::int64_t(bytes)}, DType::U8);
    }
    return workspace_.data();
}

CpuContext::PackedWeight& CpuContext::packedEntry(const WeightRef& weight,
                                                  kernels::cpu::WeightLayout layout,
                                                  std::size_t bytes)
{
    // Forward and both gradients, for a few batch and picture sizes that want other layouts.
    constexpr std::size_t kLayoutsOfAWeight = 16;
    const auto at = packed_.try_emplace(weight.value.data(), kLayoutsOfAWeight).first;
    PackedWeight& entry = at->second.get(layout, [] { return PackedWeight(); });
    if (!entry.data.defined() || entry.data.bytes() < bytes)
        entry = {0, make({std::int64_t(bytes)}, DType::U8)};
    return entry;
}

void CpuContext::setProfiling(bool on)
{
    profiling_ = on;
    times_.clear();
    work_.clear();
}

std::vector<OpTime> CpuContext::profile() const
{
    std::vector<OpTime> list;
    for (const auto& [op, time] : times_)
        list.push_back({op, time.first, time.second});
    std::sort(list.begin(), list.end(),
              [](const OpTime& a, const OpTime& b) { return a.ms > b.ms; });
    return list;
}

void CpuContext::noteTime(const char* op, double start)
{
    auto& entry = times_[op];
    entry.first += (computeSeconds() - start) * 1e3;
    entry.second += 1;
}

void CpuContext::noteWork(const char* op, double flops, double bytes)
{
    OpWork& entry = work_[op];
    entry.flops += flops;
    entry.bytes += bytes;
}

void requireActivation(const char* op, const Tensor& t, std::size_t rank)
{
    SB_REQUIRE(t.defined(), std::string(op) + ": no input");
    if (t.dtype() != DType::F32 && t.dtype() != DType::BF16)
        throw Unsupported(std::string(op) + " " + t.describe() +
                          ": the CPU backend computes in f32 and bf16");
    SB_REQUIRE(rank == 0 || t.shape().size() == rank, std::string(op) + ": " + t.describe() +
                                                          " must have " + std::to_string(rank) +
                                                          " axes");
}

} // namespace scalebench::cpu_backend
