// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/conformance.h"

#include "engine/dist/exchange.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace scalebench::test {

using namespace scalebench::dist;

namespace {

const size_t kLengths[] = {0, 1, 2, 17, 1000, 65537};

/// Whole numbers below 1000: sums over any few workers are exact.
float element(int rank, size_t index, int round = 0)
{
    return float((index * 7 + size_t(rank) * 131 + size_t(round) * 17) % 997);
}

float sumOfElement(const Communicator& comm, size_t index, int round = 0)
{
    float sum = 0;
    for (int r = 0; r < comm.size(); ++r)
        sum += element(r, index, round);
    return sum;
}

/// How many elements `from` sends to `to` in the exchange of variable sizes; some none.
size_t amount(int from, int to)
{
    return size_t((from * 3 + to * 5) % 7) * 11;
}

std::vector<float> elements(int rank, size_t count, int round = 0)
{
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i)
        values[i] = element(rank, i, round);
    return values;
}

} // namespace

void Conformance::check(bool ok, const std::string& what)
{
    if (!ok)
        failures_.push_back("rank " + std::to_string(comm_.rank()) + " of " +
                            std::to_string(comm_.size()) + ": " + what);
}

std::vector<std::string> Conformance::run()
{
    checkReductions();
    checkGathers();
    checkExchanges();
    checkBroadcasts();
    checkSparseRows();
    for (const AllReduceKind kind : {AllReduceKind::Auto, AllReduceKind::Mpi}) {
        checkArenas(kind);
        checkReducers(kind);
    }
    checkCounters();
    return failures_;
}

void Conformance::checkReductions()
{
    const int me = comm_.rank();
    for (const size_t length : kLengths) {
        const std::string text = " of " + std::to_string(length);
        std::vector<float> floats = elements(me, length + 1);
        std::vector<double> doubles(floats.begin(), floats.end());
        comm_.allReduceSum(std::span(floats).subspan(1)); // not aligned
        comm_.allReduceSum(std::span(doubles).subspan(1));
        size_t wrong = floats[0] != element(me, 0) || doubles[0] != element(me, 0);
        for (size_t i = 1; i <= length; ++i)
            wrong += floats[i] != sumOfElement(comm_, i) || doubles[i] != sumOfElement(comm_, i);
        check(wrong == 0, "all-reduce" + text);

        // Equal shards, and all of it in the last one.
        ShardStarts last(size_t(comm_.size()) + 1, 0);
        last.back() = length;
        for (const ShardStarts& shards : {equalShards(length, comm_.size()), last}) {
            const std::vector<float> input = elements(me, length);
            const size_t from = shards[size_t(me)], to = shards[size_t(me) + 1];
            std::vector<float> output(to - from, -1.0f);
            comm_.reduceScatterSum(input, shards, output);
            wrong = 0;
            for (size_t i = from; i < to; ++i)
                wrong += output[i - from] != sumOfElement(comm_, i);
            check(wrong == 0, "reduce-scatter" + text);
        }
    }
    // The same bits everywhere, also where the sum is rounded.
    std::vector<float> rounded(1000);
    for (size_t i = 0; i < rounded.size(); ++i)
        rounded[i] = 1.0f / float(i + 1 + size_t(me) * 77);
    comm_.allReduceSum(std::span(rounded));
    const std::string mine(reinterpret_cast<const char*>(rounded.data()),
                           rounded.size() * sizeof(float));
    for (const std::string& other : comm_.allGather(mine))
        check(other == mine, "rounded all-reduce differs between workers");
    comm_.barrier();
}

void Conformance::checkGathers()
{
    const int me = comm_.rank(), n = comm_.size();
    for (const size_t length : kLengths) {
        const Gathered<float> same = gatherAll<float>(comm_, elements(me, length));
        size_t wrong = same.values.size() != length * size_t(n);
        for (int r = 0; wrong == 0 && r < n; ++r)
            for (size_t i = 0; i < length; ++i)
                wrong += same.values[size_t(r) * length + i] != element(r, i);
        check(wrong == 0, "all-gather of " + std::to_string(length));

        // In place, with sizes that differ; the first worker gives nothing.
        std::vector<size_t> bytes;
        for (int r = 0; r < n; ++r)
            bytes.push_back(size_t(r) * length * sizeof(float) + (r > 0 ? 3 : 0));
        std::vector<std::byte> all(std::accumulate(bytes.begin(), bytes.end(), size_t{0}));
        const size_t from = std::accumulate(bytes.begin(), bytes.begin() + me, size_t{0});
        std::fill_n(all.begin() + std::ptrdiff_t(from), bytes[size_t(me)], std::byte(me + 1));
        comm_.allGather(std::span(all).subspan(from, bytes[size_t(me)]), bytes, all);
        auto at = all.begin();
        for (int r = 0; r < n; at += std::ptrdiff_t(bytes[size_t(r)]), ++r)
            check(std::all_of(at, at + std::ptrdiff_t(bytes[size_t(r)]),
                              [&](std::byte b) { return b == std::byte(r + 1); }),
                  "all-gather in place from " + std::to_string(r));
    }
    const std::vector<std::string> texts = comm_.allGather(std::string(size_t(me), 'x'));
    for (size_t r = 0; r < texts.size(); ++r)
        check(texts[r] == std::string(r, 'x'), "gathered text");
}

void Conformance::checkExchanges()
{
    const int me = comm_.rank(), n = comm_.size();
    for (const size_t length : kLengths) {
        const std::vector<size_t> sizes(size_t(n), length);
        const Gathered<float> got =
            exchangeAll<float>(comm_, elements(me, length * size_t(n)), sizes);
        size_t wrong = got.values.size() != length * size_t(n);
        for (int r = 0; wrong == 0 && r < n; ++r)
            for (size_t i = 0; i < length; ++i)
                wrong += got.values[size_t(r) * length + i] != element(r, size_t(me) * length + i);
        check(wrong == 0, "all-to-all of " + std::to_string(length));
    }
    for (int round = 0; round < 3; ++round) { // as it comes; only from one; only to one
        std::vector<size_t> counts;
        const auto sends = [&](int from, int to) {
            return (round == 1 && from != n - 1) || (round == 2 && to != 0) ? 0 : amount(from, to);
        };
        for (int to = 0; to < n; ++to)
            counts.push_back(sends(me, to));
        std::vector<int32_t> send;
        for (int to = 0; to < n; ++to)
            send.insert(send.end(), counts[size_t(to)], me * 100 + to);
        const Gathered<int32_t> got = exchangeAll<int32_t>(comm_, send, counts);
        size_t at = 0;
        bool right = true;
        for (int from = 0; from < n; ++from) {
            right = right && got.sizes[size_t(from)] == sends(from, me);
            for (size_t i = 0; right && i < sends(from, me); ++i)
                right = got.values[at++] == from * 100 + me;
        }
        check(right && at == got.values.size(), "all-to-all of variable sizes");
    }
}

void Conformance::checkBroadcasts()
{
    for (int root = 0; root < comm_.size(); ++root)
        for (const size_t length : {size_t{0}, size_t{1}, size_t{333}, size_t{1} << 20}) {
            std::vector<std::byte> bytes(length, std::byte(comm_.rank()));
            if (comm_.rank() == root)
                std::fill(bytes.begin(), bytes.end(), std::byte(77));
            comm_.broadcast(bytes, root);
            check(std::count(bytes.begin(), bytes.end(), std::byte(77)) == std::ptrdiff_t(length),
                  "broadcast from " + std::to_string(root));
        }
}

void Conformance::checkSparseRows()
{
    const int n = comm_.size();
    // Worker r has the multiples of r + 1 (so that some rows fall together), or nothing.
    const auto idsOf = [](int rank, int32_t below) {
        std::vector<int32_t> ids;
        for (int32_t id = 0; id < below; id += rank + 1)
            ids.push_back(id);
        return ids;
    };
    const auto value = [](int rank, int32_t id, size_t column) {
        return 1.0f / float(id + 3 * rank + int(column) + 1); // rounded: the order of sums shows
    };
    for (const size_t width : {size_t{1}, size_t{3}, size_t{64}})
        for (const int32_t below : {0, 1, 50, 1000}) {
            const bool nothing = below == 50 && comm_.rank() == 0;
            const std::vector<int32_t> ids = idsOf(comm_.rank(), nothing ? 0 : below);
            std::vector<float> rows;
            for (const int32_t id : ids)
                for (size_t c = 0; c < width; ++c)
                    rows.push_back(value(comm_.rank(), id, c));
            const RowSum sum = sumSparseRows(comm_, ids, rows, width);
            size_t at = 0, wrong = sum.rows.size() != sum.ids.size() * width;
            for (int32_t id = 0; id < below; ++id) {
                std::vector<int> givers;
                for (int r = below == 50 ? 1 : 0; r < n; ++r)
                    if (id % (r + 1) == 0)
                        givers.push_back(r);
                if (givers.empty())
                    continue;
                if (at >= sum.ids.size() || sum.ids[at] != id) {
                    ++wrong;
                    break;
                }
                for (size_t c = 0; c < width; ++c) {
                    float expected = value(givers[0], id, c);
                    for (size_t g = 1; g < givers.size(); ++g)
                        expected += value(givers[g], id, c);
                    wrong += sum.rows[at * width + c] != expected;
                }
                ++at;
            }
            check(wrong == 0 && at == sum.ids.size(),
                  "sparse rows of width " + std::to_string(width));
        }
}

void Conformance::checkCounters()
{
    const CollectiveCounter before = comm_.statistics()[size_t(CollectiveKind::AllReduce)];
    std::vector<double> values(10);
    comm_.allReduceSum(std::span(values));
    const CollectiveCounter after = comm_.statistics()[size_t(CollectiveKind::AllReduce)];
    check(after.calls == before.calls + 1 && after.bytes == before.bytes + 80 &&
              after.ms >= before.ms && after.waitMs <= after.ms,
          "counters");
}

} // namespace scalebench::test
