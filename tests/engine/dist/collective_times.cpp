// SPDX-License-Identifier: GPL-3.0-or-later
// Times the ways of summing gradients on the ranks of a job, for engine/dist's documentation; not a
// test. Each rank keeps to one processor. Methods take turns, and of each the fastest and the
// 12.5th percentile are printed: other programs on the machine disturb the rest.
// Arguments: seconds per size (default 1).

#include "engine/dist/mpi/mpi_communicator.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <sched.h>
#include <unistd.h>

using namespace scalebench::dist;

namespace {

double nowUs()
{
    return std::chrono::duration<double, std::micro>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void stayOnOneProcessor(int localRank)
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    int skip = localRank % CPU_COUNT(&allowed);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed) || skip-- > 0)
            continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        ::sched_setaffinity(0, sizeof one, &one);
        return;
    }
}

struct Method {
    const char* name;
    std::function<void()> run;
    std::vector<double> us = {};
};

double percentile(std::vector<double>& values, double part)
{
    std::sort(values.begin(), values.end());
    return values[size_t(part * double(values.size() - 1))];
}

void timeSize(Communicator& comm, size_t bytes, double seconds)
{
    const size_t floats = bytes / sizeof(float);
    const auto shared = comm.makeArena(floats, AllReduceKind::Auto);
    const auto plain = comm.makeArena(floats, AllReduceKind::Mpi);
    const ShardStarts shards = equalShards(floats, comm.size());
    std::vector<size_t> shardBytes;
    for (size_t r = 0; r + 1 < shards.size(); ++r)
        shardBytes.push_back((shards[r + 1] - shards[r]) * sizeof(float));
    std::vector<float> values(floats, 1.0f);
    const size_t me = size_t(comm.rank());
    constexpr size_t kBucket = size_t{1} << 20; // 4 MiB
    const auto inBuckets = [&](ReductionArena& arena) {
        for (size_t at = 0; at < floats; at += kBucket)
            arena.allReduce(at, std::min(kBucket, floats - at));
    };
    Method methods[] = {
        {"auto", [&] { shared->allReduce(0, floats); }},
        {"mpi", [&] { plain->allReduce(0, floats); }},
        {"auto, 4 MiB buckets", [&] { inBuckets(*shared); }},
        {"mpi, 4 MiB buckets", [&] { inBuckets(*plain); }},
        {"auto reduce-scatter", [&] { shared->reduceScatter(0, floats, shards); }},
        {"all-gather of shards",
         [&] {
             const auto all = std::as_writable_bytes(std::span(values));
             comm.allGather(
                 std::as_bytes(std::span(values).subspan(shards[me], shards[me + 1] - shards[me])),
                 shardBytes, all);
         }},
    };
    double end = nowUs() + seconds * 1e6;
    for (bool more = true; more;) {
        for (Method& method : methods) {
            comm.barrier();
            const double start = nowUs();
            method.run();
            method.us.push_back(nowUs() - start);
        }
        double left = end - nowUs();
        comm.broadcast(std::as_writable_bytes(std::span(&left, 1)), 0);
        more = left > 0;
    }
    if (comm.rank() != 0)
        return;
    for (Method& method : methods) {
        const double best = percentile(method.us, 0), eighth = percentile(method.us, 0.125);
        std::printf("%10zu  %-22s %10.1f %10.1f us  %7.2f GB/s  (%zu)\n", bytes, method.name, best,
                    eighth, double(bytes) / eighth / 1e3, method.us.size());
    }
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    const double seconds = argc > 1 ? std::atof(argv[1]) : 1.0;
    const MpiScope mpi;
    const auto comm = makeMpiCommunicator();
    stayOnOneProcessor(comm->localRank());
    if (comm->rank() == 0)
        std::printf("%d ranks on %d nodes, %s\n     bytes  method                    fastest    "
                    "12.5 %%        of 12.5 %%\n",
                    comm->size(), comm->nodes(), comm->describe().c_str());
    for (const size_t bytes : {size_t{4096}, size_t{65536}, size_t{1} << 20, size_t{4} << 20,
                               size_t{16} << 20, size_t{100} << 20})
        timeSize(*comm, bytes, seconds);
    return 0;
}
