// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/compute_clock.h"

#include <ctime>

#include <omp.h>

namespace scalebench {

double computeSeconds()
{
    timespec t{};
    ::clock_gettime(omp_get_max_threads() == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

} // namespace scalebench
