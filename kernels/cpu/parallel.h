// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs the chunks of a loop, on several threads when OpenMP has them. Chunks are cut by size, never
// by thread count, so that sums over chunks come out the same for any number of threads.

#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/chunk_shares.h"

namespace scalebench::kernels::cpu {

/// body(chunk, worker) by at most so many threads. What has the same worker, one of 0 to
/// `workers` - 1, runs one after the other: for the room that a thread works in.
template <class Body>
void parallelWorkers(int workers, std::int64_t chunks, Body&& body)
{
    if (chunks <= 1 || workers <= 1 || omp_in_parallel()) {
        for (std::int64_t i = 0; i < chunks; ++i)
            body(i, 0);
        return;
    }
    ChunkShares shares(chunks, workers);
#pragma omp parallel num_threads(workers)
    {
        const int worker = omp_get_thread_num();
        shares.run(worker, omp_get_num_threads(), [&](std::int64_t i) { body(i, worker); });
    }
}

/// body(chunk)
template <class Body>
void parallelFor(std::int64_t chunks, Body&& body)
{
    parallelWorkers(omp_get_max_threads(), chunks, [&](std::int64_t i, int) { body(i); });
}

/// body(begin, end) over [0, n) in pieces of `grain`.
template <class Body>
void parallelRanges(std::int64_t n, std::int64_t grain, Body&& body)
{
    parallelFor((n + grain - 1) / grain,
                [&](std::int64_t i) { body(i * grain, std::min(n, (i + 1) * grain)); });
}

/// In how many pieces work is cut that so many threads share, if it may be cut in `most` without
/// loss: some for each thread, so that the last even out what came before.
inline std::int64_t piecesOf(int threads, std::int64_t most)
{
    constexpr std::int64_t kEach = 4;
    return threads <= 1 ? 1 : std::clamp<std::int64_t>(most, threads, kEach * threads);
}

/// In how many shares of its rows or its columns, of which there are more, threads make a product
/// C [M,N] apart; 0: together. For products that pack both operands and would wait for one another
/// with each piece of K. For a share all of the narrower operand is packed: no more than twice what
/// is packed of the other.
inline std::int64_t sharesApart(int threads, std::int64_t M, std::int64_t N)
{
    constexpr std::int64_t kFewest = 512; // of a share, if there are enough for all threads
    const std::int64_t narrow = std::min(M, N), wide = std::max(M, N);
    return threads > 1 && narrow * threads <= 2 * wide ? piecesOf(threads, wide / kFewest) : 0;
}

} // namespace scalebench::kernels::cpu
