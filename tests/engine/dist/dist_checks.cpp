// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the conformance suite on every rank of a job. Arguments: ranks per pretended node (0: real
// nodes). Exit code 0: all right.

#include "engine/dist/comm_error.h"
#include "engine/dist/conformance.h"
#include "engine/dist/mpi/mpi_communicator.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/resource.h>

using namespace scalebench;

namespace {

/// 1 if pretended nodes are not where they should be.
int checkPlaces(const dist::Communicator& comm, int ranksPerNode)
{
    if (ranksPerNode == 0)
        return 0;
    const bool right = comm.nodes() == (comm.size() + ranksPerNode - 1) / ranksPerNode &&
                       comm.node() == comm.rank() / ranksPerNode &&
                       comm.localRank() == comm.rank() % ranksPerNode;
    if (!right)
        std::printf("rank %d: wrong place\n", comm.rank());
    return right ? 0 : 1;
}

/// Number of mistakes where a node cannot have the shared memory that is asked for: as if /dev/shm
/// were too small.
int checkLackOfMemory(dist::Communicator& comm)
{
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = 64 << 10;
    ::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
    int wrong = 0;
    try {
        comm.makeArena(1 << 20, dist::AllReduceKind::SharedMemory);
        ++wrong;
    } catch (const CommError& e) {
        wrong += std::string(e.what()).find("/dev/shm") == std::string::npos ? 1 : 0;
    }
    const auto arena = comm.makeArena(1 << 20, dist::AllReduceKind::Auto);
    ::setrlimit(RLIMIT_FSIZE, &before);
    arena->local()[99] = 1;
    arena->allReduce(99, 1);
    wrong += arena->local()[99] != float(comm.size()) || std::string(arena->method()) != "mpi";
    if (wrong > 0)
        std::printf("rank %d: lack of shared memory\n", comm.rank());
    return wrong;
}

} // namespace

int main(int argc, char** argv)
{
    const int ranksPerNode = argc > 1 ? std::atoi(argv[1]) : 0;
    const dist::MpiScope mpi;
    double failures = 0;
    {
        const auto comm = dist::makeMpiCommunicator({ranksPerNode});
        const std::vector<std::string> found = test::Conformance(*comm).run();
        for (const std::string& line : found)
            std::printf("%s\n", line.c_str());
        failures =
            double(found.size()) + checkPlaces(*comm, ranksPerNode) + checkLackOfMemory(*comm);
        comm->allReduceSum(std::span(&failures, 1));
        if (comm->rank() == 0)
            std::printf("%d ranks on %d nodes: %.0f failures\n", comm->size(), comm->nodes(),
                        failures);
    }
    return failures == 0 ? 0 : 1;
}
