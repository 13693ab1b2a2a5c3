// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Collectives whose sizes only their sender knows, and sums of sparse gradients, on top of the
// Communicator. All are collective.

#include "engine/dist/communicator.h"

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace scalebench::dist {

/// What several workers gave, by rank one after the other; sizes in elements.
template <typename T>
struct Gathered {
    std::vector<T> values;
    std::vector<size_t> sizes;
};

/// One number of everybody, by rank.
std::vector<size_t> gatherNumber(Communicator& communicator, size_t number);
/// counts[r] for every worker r; returns what each r had for this one.
std::vector<size_t> exchangeNumbers(Communicator& communicator, std::span<const size_t> counts);

/// Everybody's elements.
template <typename T>
Gathered<T> gatherAll(Communicator& communicator, std::span<const T> mine)
{
    static_assert(std::is_trivially_copyable_v<T>);
    Gathered<T> all;
    all.sizes = gatherNumber(communicator, mine.size());
    std::vector<size_t> bytes;
    size_t total = 0;
    for (const size_t n : all.sizes) {
        bytes.push_back(n * sizeof(T));
        total += n;
    }
    all.values.resize(total);
    communicator.allGather(std::as_bytes(mine), bytes,
                           std::as_writable_bytes(std::span(all.values)));
    return all;
}

/// send: counts[r] elements for each worker r, one after the other. Returns what each had for this
/// one.
template <typename T>
Gathered<T> exchangeAll(Communicator& communicator, std::span<const T> send,
                        std::span<const size_t> counts)
{
    static_assert(std::is_trivially_copyable_v<T>);
    Gathered<T> received;
    received.sizes = exchangeNumbers(communicator, counts);
    std::vector<size_t> sendBytes, receiveBytes;
    size_t total = 0;
    for (const size_t n : counts)
        sendBytes.push_back(n * sizeof(T));
    for (const size_t n : received.sizes) {
        receiveBytes.push_back(n * sizeof(T));
        total += n;
    }
    received.values.resize(total);
    communicator.allToAll(std::as_bytes(send), sendBytes,
                          std::as_writable_bytes(std::span(received.values)), receiveBytes);
    return received;
}

/// Rows of a table: ids ascending, each at most once; rows: [ids.size(), width].
struct RowSum {
    std::vector<int32_t> ids;
    std::vector<float> rows;
};

/// Sums the rows of all workers that have the same id, in order of rank; the same bits on every
/// worker. ids: ascending, each at most once; rows: [ids.size(), width] (as SparseRows of
/// engine/tensor). Sends what the workers have, not the table. InvalidArgument for unsorted ids or
/// sizes that do not fit.
RowSum sumSparseRows(Communicator& communicator, std::span<const int32_t> ids,
                     std::span<const float> rows, size_t width);

} // namespace scalebench::dist
