// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/dlrm/table_placement.h"

#include "kernels/check.h"

#include <algorithm>
#include <numeric>

namespace scalebench::workloads {

std::vector<int> placeTables(const std::vector<int64_t>& rows, int workers)
{
    SB_REQUIRE(workers > 0, "tables need a worker");
    std::vector<size_t> order(rows.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](size_t t) { return rows[t]; });
    // Shares in whole numbers: rows of all tables times tables, so that rounding differs nowhere.
    const auto all = std::accumulate(rows.begin(), rows.end(), int64_t{0});
    const auto tables = int64_t(rows.size());
    std::vector<int64_t> load(size_t(workers), 0);
    std::vector<int> owners(rows.size(), 0);
    for (const size_t table : order) {
        const auto least = std::ranges::min_element(load);
        *least += rows[table] * tables + all;
        owners[table] = int(least - load.begin());
    }
    return owners;
}

} // namespace scalebench::workloads
