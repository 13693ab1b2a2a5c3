// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs the chunks of a loop, on several threads when OpenMP has them. Chunks are cut by size, never
// by thread count, so that sums over chunks come out the same for any number of threads.

#include <omp.h>

#include <algorithm>
#include <cstdint>

namespace scalebench::kernels::cpu {

template <class Body>
void parallelFor(std::int64_t chunks, Body&& body)
{
    if (chunks <= 1 || omp_get_max_threads() <= 1 || omp_in_parallel()) {
        for (std::int64_t i = 0; i < chunks; ++i)
            body(i);
        return;
    }
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < chunks; ++i)
        body(i);
}

/// body(begin, end) over [0, n) in pieces of `grain`.
template <class Body>
void parallelRanges(std::int64_t n, std::int64_t grain, Body&& body)
{
    parallelFor((n + grain - 1) / grain,
                [&](std::int64_t i) { body(i * grain, std::min(n, (i + 1) * grain)); });
}

} // namespace scalebench::kernels::cpu
