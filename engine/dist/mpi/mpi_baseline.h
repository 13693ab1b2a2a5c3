// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// MPI's own collectives, as plainly as a program would call them: what the benchmarks compare the
// Communicator with. Over all workers of the job, while an MpiScope lives. Throw CommError.

#include <cstddef>

namespace scalebench::dist {

/// MPI_Allreduce of floats; send null: in place. Counts above 2^31 - 1 are refused.
void mpiAllReduceSum(const float* send, float* receive, std::size_t count);
/// MPI_Alltoall, `bytes` from each worker to each.
void mpiAllToAll(const std::byte* send, std::byte* receive, std::size_t bytes);

} // namespace scalebench::dist
