// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures per second of the input pipeline: read, decoded, cut out at random, resized, normalised
// and put into batches by as many threads as asked for. Prints one JSON object a thread count.
// Arguments: picture set (class folders or a tar), edge of the result, seconds, thread counts.

#include "engine/data/open_dataset.h"
#include "engine/data/pipeline.h"
#include "engine/data/prefetcher.h"
#include "engine/data/sampled_source.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

using namespace scalebench;
using namespace scalebench::data;

namespace {

constexpr int64_t kBatch = 64;

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Epoch after epoch until the time is over, after a batch per thread to warm up.
double picturesPerSecond(const BatchSource& source, int threads, double seconds)
{
    Prefetcher batches(source, {}, 1 << 20, threads);
    for (int i = 0; i < threads; ++i)
        batches.next();
    const auto start = std::chrono::steady_clock::now();
    int64_t pictures = 0;
    while (secondsSince(start) < seconds)
        pictures += batches.next().samples;
    return double(pictures) / secondsSince(start);
}

void measure(const char* path, int edge, double seconds, int threads)
{
    OpenOptions options;
    options.imageSize = edge;
    options.photoCrops = true;
    const DatasetPair set = openImageDatasets(path, options);
    CachingAllocator memory;
    const ImagePipeline pictures(*set.train, edge, {}, {0, true, true, 0}, 1, memory);
    const int64_t batch = std::min(kBatch, set.train->size());
    const ShuffledSource source(
        TrainSampler(set.train->size(), batch, 1, {}, 1),
        [&](const SampleList& list, Batch& b) { pictures.fillTrain(list.samples, list.epoch, b); });
    const nlohmann::json line = {{"threads", threads},
                                 {"pictures_per_s", picturesPerSecond(source, threads, seconds)},
                                 {"pictures", set.train->size()}};
    std::puts(line.dump().c_str());
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 5) {
        std::fputs("bench_input SET EDGE SECONDS THREADS...\n", stderr);
        return 2;
    }
    try {
        for (int i = 4; i < argc; ++i)
            measure(argv[1], std::atoi(argv[2]), std::atof(argv[3]), std::atoi(argv[i]));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_input: %s\n", e.what());
        return 1;
    }
    return 0;
}
