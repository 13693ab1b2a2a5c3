// SPDX-License-Identifier: GPL-3.0-or-later
// Gradient arenas and what sends their buckets.

#include "engine/dist/conformance.h"
#include "engine/dist/gradient_reducer.h"

#include <algorithm>
#include <cstdint>

namespace scalebench::test {

using namespace scalebench::dist;

namespace {

float element(int rank, size_t index, int round)
{
    return float((index * 7 + size_t(rank) * 131 + size_t(round) * 17) % 997);
}

float sumOfElement(const Communicator& comm, size_t index, int round)
{
    float sum = 0;
    for (int r = 0; r < comm.size(); ++r)
        sum += element(r, index, round);
    return sum;
}

constexpr size_t kFloats = 70007;
const size_t kCounts[] = {0, 1, 2, 17, 1000, 65536, kFloats};
const size_t kOffsets[] = {0, 3, 4097};

/// Loss and agreement flags of one round; some workers raise flags in some rounds.
StepTail tailOf(const Communicator& comm, int rank, int round)
{
    StepTail tail;
    tail.lossSum = 2.0 * (rank + 1);
    tail.correct = 10 + rank;
    tail.stop = round == 2 && rank == comm.size() - 1;
    tail.nonFinite = round == 3 && rank >= comm.size() - 2;
    tail.failed = round == 4 && rank == 0;
    return tail;
}

bool isSumOfTails(const Communicator& comm, const StepTail& sum, int round)
{
    StepTail expected;
    for (int r = comm.size() - 1; r >= 0; --r) {
        const StepTail one = tailOf(comm, r, round);
        expected.lossSum += one.nonFinite ? 0.0 : one.lossSum;
        expected.correct += one.correct;
        expected.stop = expected.stop || one.stop;
        expected.failed = expected.failed || one.failed;
        if (one.nonFinite)
            expected.firstNonFinite = r;
    }
    return sum.lossSum == expected.lossSum && sum.correct == expected.correct &&
           sum.stop == expected.stop && sum.failed == expected.failed &&
           sum.firstNonFinite == expected.firstNonFinite &&
           sum.nonFinite == (expected.firstNonFinite >= 0);
}

} // namespace

void Conformance::checkArenas(AllReduceKind kind)
{
    // Two at once, one of them made anew: they must not get into each other's way.
    auto first = comm_.makeArena(kFloats, kind);
    auto second = comm_.makeArena(kFloats, kind);
    checkArena(*second);
    first.reset();
    first = comm_.makeArena(kFloats, kind);
    checkArena(*first);
    checkScatter(*first);
    checkCommonMemory(*first);

    // The same bits everywhere, and from both ways to reduce inside a node.
    const ShardStarts shards = equalShards(kFloats, comm_.size());
    const auto fill = [&](ReductionArena& arena) {
        for (size_t i = 0; i < kFloats; ++i)
            arena.local()[i] = 1.0f / float(i + 1 + size_t(comm_.rank()) * 77);
    };
    fill(*first);
    first->allReduce(0, kFloats);
    const std::string mine(reinterpret_cast<const char*>(first->local().data()),
                           kFloats * sizeof(float));
    for (const std::string& other : comm_.allGather(mine))
        check(other == mine, std::string(first->method()) + " differs between workers");
    fill(*second);
    second->reduceScatter(0, kFloats, shards);
    if (std::string(second->method()) == "shm") {
        const auto from = std::ptrdiff_t(shards[size_t(comm_.rank())]);
        const auto to = std::ptrdiff_t(shards[size_t(comm_.rank()) + 1]);
        check(std::equal(second->local().begin() + from, second->local().begin() + to,
                         first->local().begin() + from),
              "reduce-scatter has other bits than all-reduce");
    }
    comm_.barrier();
}

void Conformance::checkArena(ReductionArena& arena)
{
    const std::span<float> local = arena.local();
    check(reinterpret_cast<uintptr_t>(local.data()) % 64 == 0, "alignment of the arena");
    check(std::all_of(local.begin(), local.end(), [](float v) { return v == 0; }),
          "the arena does not begin with zeros");
    comm_.barrier();
    int round = 0;
    for (const size_t count : kCounts)
        for (const size_t offset : kOffsets) {
            if (offset + count > kFloats)
                continue;
            ++round;
            for (size_t i = 0; i < kFloats; ++i)
                local[i] = element(comm_.rank(), i, round);
            arena.allReduce(offset, count);
            size_t wrong = 0;
            for (size_t i = 0; i < kFloats; ++i) {
                const bool inside = i >= offset && i < offset + count;
                wrong += local[i] !=
                         (inside ? sumOfElement(comm_, i, round) : element(comm_.rank(), i, round));
            }
            check(wrong == 0, std::string(arena.method()) + " sum of " + std::to_string(count) +
                                  " at " + std::to_string(offset));
            comm_.barrier(); // nobody refills while others still look
        }
}

void Conformance::checkScatter(ReductionArena& arena)
{
    const size_t me = size_t(comm_.rank());
    const std::span<float> local = arena.local();
    ShardStarts odd = equalShards(kFloats, comm_.size());
    for (size_t r = 1; r + 1 < odd.size(); ++r)
        odd[r] += 5 * r; // not at the beginning of a line
    ShardStarts last(odd.size(), 0);
    last.back() = kFloats; // all with the last worker
    int round = 100;
    for (const ShardStarts& shards : {odd, last})
        for (const size_t count : kCounts)
            for (const size_t offset : kOffsets) {
                if (offset + count > kFloats)
                    continue;
                ++round;
                for (size_t i = 0; i < kFloats; ++i)
                    local[i] = element(comm_.rank(), i, round);
                arena.reduceScatter(offset, count, shards);
                size_t wrong = 0;
                for (size_t i = 0; i < kFloats; ++i) {
                    const bool inside = i >= offset && i < offset + count;
                    const bool own = i >= shards[me] && i < shards[me + 1];
                    if (!inside)
                        wrong += local[i] != element(comm_.rank(), i, round);
                    else if (own)
                        wrong += local[i] != sumOfElement(comm_, i, round);
                }
                check(wrong == 0, std::string(arena.method()) + " scatter of " +
                                      std::to_string(count) + " at " + std::to_string(offset));
                comm_.barrier();
            }
}

/// What one worker writes all see after allGather(), which copies nothing.
void Conformance::checkCommonMemory(ReductionArena& arena)
{
    constexpr size_t kCommon = kFloats - 7; // its parts end within pages
    const std::span<float> memory = arena.commonMemory(kCommon);
    const bool expected = std::string(arena.method()) == "shm";
    check(memory.size() == (expected ? kCommon : 0),
          std::string(arena.method()) + ": " + std::to_string(memory.size()) + " floats in common");
    if (memory.empty())
        return;
    check(reinterpret_cast<uintptr_t>(memory.data()) % 64 == 0, "alignment of the common memory");
    check(std::all_of(memory.begin(), memory.end(), [](float v) { return v == 0; }),
          "the common memory does not begin with zeros");
    comm_.barrier();
    const ShardStarts shards = equalShards(kCommon, comm_.size());
    const size_t me = size_t(comm_.rank());
    for (int round = 0; round < 20; ++round) {
        for (size_t i = shards[me]; i < shards[me + 1]; ++i)
            memory[i] = element(comm_.rank(), i, round);
        arena.allGather(memory, shards);
        size_t wrong = 0;
        for (size_t r = 0; r + 1 < shards.size(); ++r)
            for (size_t i = shards[r]; i < shards[r + 1]; ++i)
                wrong += memory[i] != element(int(r), i, round);
        check(wrong == 0, std::to_string(wrong) + " wrong numbers in the common memory");
        comm_.barrier();
    }
    // Other arrays are gathered as ever, and leave it alone.
    std::vector<float> own(kCommon, element(int(me), 0, 50));
    arena.allGather(own, shards);
    bool right = true;
    for (size_t r = 0; r + 1 < shards.size(); ++r)
        right = right && own[shards[r]] == element(int(r), 0, 50) &&
                memory[shards[r]] == element(int(r), shards[r], 19);
    check(right, "gathering of an array beside the common memory");
    comm_.barrier();
}

void Conformance::checkReducers(AllReduceKind kind)
{
    for (const bool overlap : {false, true})
        for (const double bucketMb : {0.02, 4.0}) {
            checkReducer(kind, overlap, false, false, bucketMb);
            checkReducer(kind, overlap, true, false, bucketMb);
            checkReducer(kind, overlap, false, true, bucketMb);
        }
}

void Conformance::checkReducer(AllReduceKind kind, bool overlap, bool shard, bool common,
                               double bucketMb)
{
    constexpr size_t kSize = 50000, kPart = 1250;
    ReducerOptions options;
    options.allReduce = kind;
    options.overlap = overlap;
    options.shard = shard;
    options.bucketMb = bucketMb;
    GradientReducer reducer(comm_, kSize, options);
    const std::string text = std::string(" (") + reducer.method() + (overlap ? ", overlap" : "") +
                             (shard ? ", shard" : "") + (common ? ", one copy" : "") + ")";
    std::vector<float> own(kSize + 7, -1.0f); // longer than the gradients, as with tables
    std::span<float> values = own;
    if (common) {
        const std::span<float> memory = reducer.commonMemory();
        const bool expected = std::string(reducer.method()) == "shm" && comm_.size() > 1;
        check(memory.size() == (expected ? kSize : 0), "size of the common memory" + text);
        if (expected) {
            values = memory;
            shard = true;
        }
    }
    for (int round = 0; round < 6; ++round) {
        for (size_t part = 0; part < kSize / kPart; ++part) {
            // Pairs of parts come in reverse order, as when backward branches.
            const size_t at = (part ^ 1) * kPart;
            for (size_t i = at; i < at + kPart; ++i)
                reducer.gradients()[i] = element(comm_.rank(), i, round);
            reducer.markReady(at, kPart);
        }
        const StepTail sum = reducer.finish(tailOf(comm_, comm_.rank(), round));
        check(isSumOfTails(comm_, sum, round), "tail" + text);
        check(reducer.sharded() == (shard && comm_.size() > 1), "sharded()" + text);
        size_t wrong = 0;
        for (size_t i = reducer.shardBegin(); i < reducer.shardEnd(); ++i) {
            wrong += reducer.gradients()[i] != sumOfElement(comm_, i, round);
            values[i] = 2 * reducer.gradients()[i];
        }
        check(wrong == 0, "gradients" + text);
        reducer.gatherShards(values);
        wrong = own[kSize] != -1.0f;
        for (size_t i = 0; i < kSize; ++i)
            wrong += values[i] != 2 * sumOfElement(comm_, i, round);
        check(wrong == 0, "gathered values" + text);
        const int least = reducer.sharded() ? 2 : 1;
        check(bucketMb > 1 ? reducer.bucketsPerStep() == least : reducer.bucketsPerStep() > 3,
              "number of buckets" + text);
        comm_.barrier();
    }
    check(reducer.takeExposedMs() >= 0, "exposed time" + text);
    int64_t bytes = 0;
    for (const BucketCounter& bucket : reducer.buckets()) {
        check(bucket.calls == 6 && bucket.ms >= 0, "calls per bucket" + text);
        bytes += bucket.bytes;
    }
    // All gradients once, and a short tail.
    const auto gradientBytes = int64_t(reducer.gradients().size_bytes());
    check(bytes > gradientBytes && bytes < gradientBytes + 1024, "bytes of all buckets" + text);
}

} // namespace scalebench::test
