// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/dlrm/frequent_rows.h"

#include "engine/tensor/allocator.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace scalebench::workloads {
namespace {

constexpr int64_t kPart = 1024, kParts = 64; // that are looked at

struct Seen {
    uint64_t key = 0; ///< table and row
    int64_t times = 0;
};

} // namespace

std::vector<autograd::HotRows::Row> frequentRows(const ClickLog& log, int64_t rows,
                                                 const TableSizes& sizes, int64_t count)
{
    CachingAllocator memory;
    const ClickFiller filler(log, sizes, memory);
    std::unordered_map<uint64_t, int64_t> times;
    const int64_t parts = (rows + kPart - 1) / kPart, looked = std::min(parts, kParts);
    std::vector<int64_t> part;
    Batch batch;
    for (int64_t i = 0; i < looked; ++i) {
        const int64_t first = parts * i / looked * kPart;
        part.resize(size_t(std::min(kPart, rows - first)));
        std::iota(part.begin(), part.end(), first);
        filler.fill(part, batch);
        const std::span<const int32_t> ids = batch.tensors[1].i32();
        for (size_t at = 0; at < ids.size(); ++at)
            ++times[uint64_t(at / part.size()) << 32 | uint32_t(ids[at])];
    }
    std::vector<Seen> seen;
    for (const auto& [key, n] : times)
        if (n > 1)
            seen.push_back({key, n});
    std::ranges::sort(seen, {}, [](const Seen& s) { return std::tuple(-s.times, s.key); });
    seen.resize(std::min(seen.size(), size_t(std::max<int64_t>(count, 0))));
    std::vector<autograd::HotRows::Row> hot;
    for (const Seen& s : seen)
        hot.push_back({size_t(s.key >> 32), int32_t(uint32_t(s.key))});
    return hot;
}

} // namespace scalebench::workloads
