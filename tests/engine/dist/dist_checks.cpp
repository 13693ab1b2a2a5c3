// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the conformance suite on every rank of a job. Arguments: ranks per pretended node (0: real
// nodes). Exit code 0: all right.

#include "engine/dist/conformance.h"
#include "engine/dist/mpi/mpi_communicator.h"

#include <cstdio>
#include <cstdlib>

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
        failures = double(found.size()) + checkPlaces(*comm, ranksPerNode);
        comm->allReduceSum(std::span(&failures, 1));
        if (comm->rank() == 0)
            std::printf("%d ranks on %d nodes: %.0f failures\n", comm->size(), comm->nodes(),
                        failures);
    }
    return failures == 0 ? 0 : 1;
}
