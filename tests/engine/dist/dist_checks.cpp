// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on every rank of a job and checks collectives with integer-valued data, whose sums have one
// right answer. Arguments: ranks per pretended node (0: real nodes). Exit code 0: all right.

#include "engine/dist/gradient_reducer.h"
#include "engine/dist/mpi/mpi_communicator.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace scalebench::dist;

namespace {

int g_failures = 0;

void check(bool ok, const Communicator& comm, const std::string& what)
{
    if (ok)
        return;
    ++g_failures;
    std::printf("rank %d of %d: %s is wrong\n", comm.rank(), comm.size(), what.c_str());
}

/// Whole numbers below 1000: sums over any few workers are exact.
float element(int rank, size_t index, int round)
{
    return float((index * 7 + size_t(rank) * 131 + size_t(round) * 17) % 997);
}

float expectedSum(const Communicator& comm, size_t index, int round)
{
    float sum = 0;
    for (int r = 0; r < comm.size(); ++r)
        sum += element(r, index, round);
    return sum;
}

void checkArena(Communicator& comm, AllReduceKind kind)
{
    constexpr size_t kFloats = 300007;
    const auto arena = comm.makeArena(kFloats, kind);
    const std::span<float> local = arena->local();
    check(reinterpret_cast<uintptr_t>(local.data()) % 64 == 0, comm, "alignment");
    int round = 0;
    for (const size_t count :
         {size_t{0}, size_t{1}, size_t{2}, size_t{17}, size_t{1000}, size_t{65536}, kFloats}) {
        for (const size_t offset : {size_t{0}, size_t{3}, size_t{4097}}) {
            if (offset + count > kFloats)
                continue;
            ++round;
            for (size_t i = 0; i < kFloats; ++i)
                local[i] = element(comm.rank(), i, round);
            arena->allReduce(offset, count);
            size_t wrong = 0;
            for (size_t i = 0; i < kFloats; ++i) {
                const bool inside = i >= offset && i < offset + count;
                wrong += local[i] !=
                         (inside ? expectedSum(comm, i, round) : element(comm.rank(), i, round));
            }
            check(wrong == 0, comm,
                  std::string(arena->method()) + " sum of " + std::to_string(count) + " at " +
                      std::to_string(offset));
            comm.barrier(); // nobody refills while others still look
        }
    }
}

/// The same inputs must give the same bits everywhere, whatever the order of workers.
void checkBitIdentical(Communicator& comm, AllReduceKind kind)
{
    const auto arena = comm.makeArena(10000, kind);
    for (size_t i = 0; i < 10000; ++i)
        arena->local()[i] = 1.0f / float(i + 1 + size_t(comm.rank()) * 77);
    arena->allReduce(0, 10000);
    const std::string mine(reinterpret_cast<const char*>(arena->local().data()),
                           10000 * sizeof(float));
    for (const std::string& other : comm.allGather(mine))
        check(other == mine, comm, "bit identity");
}

void checkReducer(Communicator& comm, AllReduceKind kind, bool overlap, double bucketMb)
{
    constexpr size_t kFloats = 50000, kPart = 1250;
    ReducerOptions options;
    options.allReduce = kind;
    options.overlap = overlap;
    options.bucketMb = bucketMb;
    GradientReducer reducer(comm, kFloats, options);
    for (int round = 0; round < 20; ++round) {
        for (size_t part = 0; part < kFloats / kPart; ++part) {
            // Pairs of parts come in reverse order, as when backward branches.
            const size_t at = (part ^ 1) * kPart;
            for (size_t i = at; i < at + kPart; ++i)
                reducer.gradients()[i] = element(comm.rank(), i, round);
            reducer.markReady(at, kPart);
        }
        StepTail mine;
        mine.lossSum = 2.0 * (comm.rank() + 1);
        mine.correct = 10 + comm.rank();
        mine.stop = round == 5 && comm.rank() == comm.size() - 1;
        mine.nonFinite = round == 7 && comm.rank() >= comm.size() - 2;
        mine.failed = round == 9 && comm.rank() == 0;
        const StepTail sum = reducer.finish(mine);
        const int n = comm.size();
        check(sum.lossSum ==
                  double(n) * (n + 1) - (round == 7 ? 2.0 * (n + (n > 1 ? n - 1 : 0)) : 0.0),
              comm, "loss");
        check(sum.correct == 10 * n + n * (n - 1) / 2, comm, "correct");
        check(sum.stop == (round == 5) && sum.nonFinite == (round == 7) &&
                  sum.failed == (round == 9),
              comm, "flags");
        check(sum.firstNonFinite == (round == 7 ? std::max(0, n - 2) : -1), comm, "rank with NaN");
        size_t wrong = 0;
        for (size_t i = 0; i < kFloats; ++i)
            wrong += reducer.gradients()[i] != expectedSum(comm, i, round);
        check(wrong == 0, comm, "gradients");
        check(bucketMb > 1 ? reducer.bucketsPerStep() == 1 : reducer.bucketsPerStep() > 3, comm,
              "number of buckets");
        comm.barrier();
    }
    check(reducer.takeExposedMs() >= 0, comm, "exposed time");
}

void checkSmallCollectives(Communicator& comm)
{
    std::vector<double> doubles = {1.0, double(comm.rank()), 0.5};
    comm.allReduceSum(std::span<double>(doubles));
    check(doubles[0] == comm.size() && doubles[1] == comm.size() * (comm.size() - 1) / 2.0, comm,
          "sum of doubles");
    std::vector<float> floats(5, float(comm.rank() + 1));
    comm.allReduceSum(std::span<float>(floats));
    check(floats[4] == float(comm.size() * (comm.size() + 1) / 2), comm, "sum of floats");
    comm.allReduceSum(std::span<double>());
    const auto texts = comm.allGather(std::string(size_t(comm.rank()), 'x'));
    for (size_t r = 0; r < texts.size(); ++r)
        check(texts[r] == std::string(r, 'x'), comm, "gathered text");
    int64_t number = comm.rank() == comm.size() - 1 ? 4711 : 0;
    comm.broadcast(std::as_writable_bytes(std::span(&number, 1)), comm.size() - 1);
    check(number == 4711, comm, "broadcast");
}

void checkPlaces(const Communicator& comm, int ranksPerNode)
{
    if (ranksPerNode == 0)
        return;
    check(comm.nodes() == (comm.size() + ranksPerNode - 1) / ranksPerNode, comm, "number of nodes");
    check(comm.node() == comm.rank() / ranksPerNode &&
              comm.localRank() == comm.rank() % ranksPerNode,
          comm, "place");
}

} // namespace

int main(int argc, char** argv)
{
    const int ranksPerNode = argc > 1 ? std::atoi(argv[1]) : 0;
    const MpiScope mpi;
    {
        const auto comm = makeMpiCommunicator({ranksPerNode});
        checkPlaces(*comm, ranksPerNode);
        checkSmallCollectives(*comm);
        for (const AllReduceKind kind : {AllReduceKind::Auto, AllReduceKind::Mpi}) {
            checkArena(*comm, kind);
            checkBitIdentical(*comm, kind);
            for (const bool overlap : {false, true})
                for (const double bucketMb : {0.02, 4.0})
                    checkReducer(*comm, kind, overlap, bucketMb);
        }
        double failures = g_failures;
        comm->allReduceSum(std::span<double>(&failures, 1));
        g_failures = int(failures);
        if (comm->rank() == 0)
            std::printf("%d ranks on %d nodes: %d failures\n", comm->size(), comm->nodes(),
                        g_failures);
    }
    return g_failures == 0 ? 0 : 1;
}
