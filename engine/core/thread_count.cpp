// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/thread_count.h"

#include <omp.h>

#include "kernels/check.h"

namespace scalebench {

void setComputeThreads(int threads)
{
    SB_REQUIRE(threads >= 1,
               "the number of compute threads must be at least 1, not " + std::to_string(threads));
    omp_set_num_threads(threads);
}

int computeThreads()
{
    return omp_get_max_threads();
}

} // namespace scalebench
