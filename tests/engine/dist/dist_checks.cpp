// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the conformance suite on every rank of a job. Arguments: ranks per pretended node (0: real
// nodes). Exit code 0: all right.

#include "engine/dist/comm_error.h"
#include "engine/dist/conformance.h"
#include "engine/dist/exchange.h"
#include "engine/dist/mpi/mpi_communicator.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

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

/// A long message to the next worker, short ones to the others.
int checkLongMessages(dist::Communicator& comm, size_t numbers)
{
    const int me = comm.rank(), n = comm.size();
    const auto amount = [&](int from, int to) { return to == (from + 1) % n ? numbers : 7; };
    const auto number = [](int from, int to, size_t i) {
        return int32_t(i) * 31 + from * 1000 + to;
    };
    std::vector<int32_t> send;
    std::vector<size_t> counts;
    for (int to = 0; to < n; ++to) {
        counts.push_back(amount(me, to));
        for (size_t i = 0; i < counts.back(); ++i)
            send.push_back(number(me, to, i));
    }
    const auto got = dist::exchangeAll<int32_t>(comm, send, counts);
    size_t at = 0, wrong = 0;
    for (int from = 0; from < n; ++from)
        for (size_t i = 0; i < amount(from, me); ++i, ++at)
            wrong += at >= got.values.size() || got.values[at] != number(from, me, i);
    if (wrong > 0 || at != got.values.size())
        std::printf("rank %d: message of %zu numbers\n", me, numbers);
    return wrong > 0 || at != got.values.size() ? 1 : 0;
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
    const auto little = comm.makeArena(100, dist::AllReduceKind::Auto); // that much there is
    if (comm.nodes() == 1)
        wrong += std::string(little->method()) == "shm" ? 0 : 1;
    wrong += little->commonMemory(1 << 20).empty() ? 0 : 1;
    wrong += checkLongMessages(comm, size_t{1} << 18); // in slices, as before
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
        dist::CommOptions options{ranksPerNode};
        options.mostPerMessage = 100'000; // as if it were MPI's limit
        const auto comm = dist::makeMpiCommunicator(options);
        const std::vector<std::string> found = test::Conformance(*comm).run();
        for (const std::string& line : found)
            std::printf("%s\n", line.c_str());
        failures = double(found.size()) + checkPlaces(*comm, ranksPerNode) +
                   checkLackOfMemory(*comm) +
                   checkLongMessages(*comm, (size_t{16} << 20) / sizeof(int32_t) + 3);
        comm->allReduceSum(std::span(&failures, 1));
        if (comm->rank() == 0)
            std::printf("%d ranks on %d nodes: %.0f failures\n", comm->size(), comm->nodes(),
                        failures);
    }
    return failures == 0 ? 0 : 1;
}
