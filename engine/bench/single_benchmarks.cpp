// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/single_benchmarks.h"

#include "engine/bench/embedding_bench.h"
#include "engine/bench/memory_bench.h"
#include "engine/bench/op_bench.h"
#include "engine/bench/storage_bench.h"
#include "kernels/check.h"

#include <algorithm>

namespace scalebench::bench {

namespace {

void checkBytes(const Options& options)
{
    if (!options.sizes.empty())
        parseByteList(options.sizes);
}

/// Of arrays of float.
void checkArrays(const Options& options)
{
    if (options.sizes.empty())
        return;
    const std::vector<std::int64_t> bytes = parseByteList(options.sizes);
    if (*std::min_element(bytes.begin(), bytes.end()) < std::int64_t(sizeof(float)))
        throw InvalidArgument(
            "memory --sizes are bytes of arrays of numbers of 4 bytes: at least 4", "usage");
}

/// Of benchmarks that have a list of problems.
template <auto problems>
void checkList(const Options& options)
{
    chooseProblems(options, problems(options).size(), 1);
}

constexpr SingleBenchmark kBenchmarks[] = {
    {"gemm", runGemmBench, checkList<gemmProblems>},
    {"conv", runConvBench, checkList<convProblems>},
    {"rnn", runRnnBench, checkList<rnnProblems>},
    {"attention", runAttentionBench, checkList<attentionProblems>},
    {"embedding", runEmbeddingBench, [](const Options& options) { embeddingProblems(options); }},
    {"memory", runMemoryBench, checkArrays},
    {"storage", runStorageBench, checkBytes}};

} // namespace

const SingleBenchmark* findSingleBenchmark(const std::string& name)
{
    for (const SingleBenchmark& benchmark : kBenchmarks)
        if (benchmark.name == name)
            return &benchmark;
    return nullptr;
}

void checkProblems(const std::string& benchmark, const Options& options)
{
    if (const SingleBenchmark* const found = findSingleBenchmark(benchmark))
        found->checkProblems(options);
    else
        checkBytes(options); // collectives
}

} // namespace scalebench::bench
