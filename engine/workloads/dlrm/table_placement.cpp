// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/dlrm/table_placement.h"

#include "kernels/check.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace scalebench::workloads {
namespace {

using autograd::TableBlock;

/// The largest first.
std::vector<size_t> bySize(const std::vector<int64_t>& rows)
{
    std::vector<size_t> order(rows.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](size_t t) { return rows[t]; });
    return order;
}

std::vector<TableBlock> wholeTables(const std::vector<int64_t>& rows, int workers)
{
    // Shares in whole numbers: rows of all tables times tables, so that rounding differs nowhere.
    const auto all = std::accumulate(rows.begin(), rows.end(), int64_t{0});
    const auto tables = int64_t(rows.size());
    std::vector<int64_t> load(size_t(workers), 0);
    std::vector<TableBlock> blocks(rows.size());
    for (const size_t table : bySize(rows)) {
        const auto least = std::ranges::min_element(load);
        *least += rows[table] * tables + all;
        blocks[table] = {table, 0, rows[table], int(least - load.begin())};
    }
    return blocks;
}

std::vector<TableBlock> evenShares(const std::vector<int64_t>& rows, int workers)
{
    const auto all = std::accumulate(rows.begin(), rows.end(), int64_t{0});
    const int64_t share = (all / workers / kRowBlock + 1) * kRowBlock;
    std::vector<int64_t> left(size_t(workers), share);
    std::vector<TableBlock> blocks;
    for (const size_t table : bySize(rows))
        for (int64_t first = 0; first < rows[table];) {
            const auto most = std::ranges::max_element(left);
            // The last rows of all may find less than a block left everywhere.
            const int64_t room = std::max(*most / kRowBlock * kRowBlock, kRowBlock);
            const int64_t rest = rows[table] - first;
            const int64_t taken = rest <= *most ? rest : std::min(rest, room);
            blocks.push_back({table, first, taken, int(most - left.begin())});
            *most -= taken;
            first += taken;
        }
    std::ranges::sort(blocks, {}, [](const TableBlock& b) { return std::tuple(b.table, b.first); });
    return blocks;
}

} // namespace

std::vector<TableBlock> placeTables(const std::vector<int64_t>& rows, int workers, int64_t mostRows)
{
    SB_REQUIRE(workers > 0, "tables need a worker");
    std::vector<TableBlock> blocks = wholeTables(rows, workers);
    if (mostRows > 0 && workers > 1 && mostRowsHeld(blocks, workers) > mostRows)
        blocks = evenShares(rows, workers);
    return blocks;
}

int64_t mostRowsHeld(const std::vector<TableBlock>& blocks, int workers)
{
    std::vector<int64_t> held(size_t(workers), 0);
    for (const TableBlock& block : blocks)
        held[size_t(block.owner)] += block.rows;
    return std::ranges::max(held);
}

int workersThatHold(const std::vector<int64_t>& rows, int workers, int64_t mostRows)
{
    constexpr int kMost = std::numeric_limits<int>::max() / 2;
    const auto all = std::accumulate(rows.begin(), rows.end(), int64_t{0});
    if (mostRows < 1 || (mostRows < kRowBlock && mostRows < std::ranges::max(rows)) ||
        all / mostRows >= kMost)
        return 0;
    int enough = std::max(workers, int(all / mostRows));
    while (mostRowsHeld(placeTables(rows, enough, mostRows), enough) > mostRows) {
        // With less than a block each, more workers bring nothing.
        if (all / enough < kRowBlock && enough > workers)
            return 0;
        ++enough;
    }
    return enough;
}

} // namespace scalebench::workloads
