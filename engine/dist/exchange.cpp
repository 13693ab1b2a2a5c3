// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/exchange.h"

#include "kernels/check.h"

#include <algorithm>
#include <limits>

namespace scalebench::dist {

std::vector<size_t> gatherNumber(Communicator& communicator, size_t number)
{
    const size_t workers = size_t(communicator.size());
    std::vector<size_t> all(workers);
    const std::vector<size_t> sizes(workers, sizeof(size_t));
    communicator.allGather(std::as_bytes(std::span(&number, 1)), sizes,
                           std::as_writable_bytes(std::span(all)));
    return all;
}

std::vector<size_t> exchangeNumbers(Communicator& communicator, std::span<const size_t> counts)
{
    std::vector<size_t> received(counts.size());
    const std::vector<size_t> sizes(counts.size(), sizeof(size_t));
    communicator.allToAll(std::as_bytes(counts), sizes, std::as_writable_bytes(std::span(received)),
                          sizes);
    return received;
}

namespace {

/// One worker's list while the lists are merged.
struct Cursor {
    const int32_t* id;
    const int32_t* end;
    const float* row;
};

constexpr int32_t kNoId = std::numeric_limits<int32_t>::max();

int32_t lowestId(const std::vector<Cursor>& lists)
{
    int32_t lowest = kNoId;
    for (const Cursor& list : lists)
        if (list.id != list.end)
            lowest = std::min(lowest, *list.id);
    return lowest;
}

} // namespace

RowSum sumSparseRows(Communicator& communicator, std::span<const int32_t> ids,
                     std::span<const float> rows, size_t width)
{
    SB_REQUIRE(rows.size() == ids.size() * width, "sumSparseRows: rows do not fit the ids");
    SB_REQUIRE(std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end() &&
                   (ids.empty() || ids.back() < kNoId),
               "sumSparseRows: ids must ascend");
    const Gathered<int32_t> allIds = gatherAll(communicator, ids);
    std::vector<size_t> rowBytes;
    for (const size_t n : allIds.sizes)
        rowBytes.push_back(n * width * sizeof(float));
    std::vector<float> allRows(allIds.values.size() * width);
    communicator.allGather(std::as_bytes(rows), rowBytes,
                           std::as_writable_bytes(std::span(allRows)));

    std::vector<Cursor> lists;
    size_t at = 0;
    for (const size_t n : allIds.sizes) {
        const int32_t* first = allIds.values.data() + at;
        lists.push_back({first, first + n, allRows.data() + at * width});
        at += n;
    }
    RowSum sum;
    sum.ids.reserve(at);
    sum.rows.reserve(at * width);
    for (int32_t id = lowestId(lists); id != kNoId; id = lowestId(lists)) {
        float* row = nullptr;
        for (Cursor& list : lists) {
            if (list.id == list.end || *list.id != id)
                continue;
            if (row == nullptr) {
                sum.ids.push_back(id);
                sum.rows.insert(sum.rows.end(), list.row, list.row + width);
                row = sum.rows.data() + (sum.ids.size() - 1) * width;
            } else {
                for (size_t i = 0; i < width; ++i)
                    row[i] += list.row[i];
            }
            ++list.id;
            list.row += width;
        }
    }
    return sum;
}

} // namespace scalebench::dist
