// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/mpi/mpi_baseline.h"

#include "kernels/check.h"

#include <climits>

#include <mpi.h>

#include "engine/dist/mpi/node_window.h"

namespace scalebench::dist {
namespace {

int checkedCount(std::size_t count)
{
    SB_REQUIRE(count <= std::size_t(INT_MAX),
               "MPI counts elements with 31 bits; " + std::to_string(count) + " are too many");
    return int(count);
}

} // namespace

void mpiAllReduceSum(const float* send, float* receive, std::size_t count)
{
    SB_CHECK_MPI(MPI_Allreduce(send == nullptr ? MPI_IN_PLACE : send, receive, checkedCount(count),
                               MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD));
}

void mpiAllToAll(const std::byte* send, std::byte* receive, std::size_t bytes)
{
    const int each = checkedCount(bytes);
    SB_CHECK_MPI(MPI_Alltoall(send, each, MPI_BYTE, receive, each, MPI_BYTE, MPI_COMM_WORLD));
}

} // namespace scalebench::dist
