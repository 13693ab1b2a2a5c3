// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/memory_bench.h"

#include "engine/bench/disturbance.h"

#include "engine/bench/peak.h"

#include <algorithm>

namespace scalebench::bench {
namespace {

constexpr float kScalar = 3.0f;

void copyLoop(std::int64_t n, const float* __restrict a, float* __restrict c)
{
    for (std::int64_t i = 0; i < n; ++i)
        c[i] = a[i];
}

void scaleLoop(std::int64_t n, const float* __restrict c, float* __restrict b)
{
    for (std::int64_t i = 0; i < n; ++i)
        b[i] = kScalar * c[i];
}

void addLoop(std::int64_t n, const float* __restrict a, const float* __restrict b,
             float* __restrict c)
{
    for (std::int64_t i = 0; i < n; ++i)
        c[i] = a[i] + b[i];
}

void triadLoop(std::int64_t n, const float* __restrict b, const float* __restrict c,
               float* __restrict a)
{
    for (std::int64_t i = 0; i < n; ++i)
        a[i] = b[i] + kScalar * c[i];
}

/// body(first, count) on each thread's own contiguous part.
template <typename Body>
void onThreads(std::int64_t n, int threads, Body&& body)
{
    const std::int64_t grain = (n + threads - 1) / threads;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; ++t) {
        const std::int64_t first = std::min(n, t * grain);
        body(first, std::min(n, first + grain) - first);
    }
}

const char* kernelName(StreamKernel kernel)
{
    static const char* const kNames[] = {"copy", "scale", "add", "triad"};
    return kNames[int(kernel)];
}

/// A virtual machine reports the whole cache of its host: 1 GiB is beyond its share of any.
std::int64_t largestArray(const Options& options)
{
    return options.quick ? 128 << 20 : 1 << 30;
}

std::vector<std::int64_t> arraySizes(const Options& options)
{
    if (!options.sizes.empty())
        return parseByteList(options.sizes);
    const std::int64_t largest = std::min(4 * lastLevelCacheBytes(), largestArray(options));
    std::vector<std::int64_t> sizes;
    for (std::int64_t bytes = 8 << 10; bytes < largest; bytes *= options.quick ? 16 : 4)
        sizes.push_back(bytes);
    sizes.push_back(largest);
    return sizes;
}

} // namespace

StreamArrays::StreamArrays(std::int64_t bytes, int threads)
    : count_(bytes / std::int64_t(sizeof(float))),
      threads_(threads),
      a_(std::size_t(bytes)),
      b_(std::size_t(bytes)),
      c_(std::size_t(bytes))
{
    fill();
}

void StreamArrays::fill()
{
    onThreads(count_, threads_, [&](std::int64_t first, std::int64_t n) {
        std::fill_n(a_.as<float>() + first, n, 1.0f);
        std::fill_n(b_.as<float>() + first, n, 2.0f);
        std::fill_n(c_.as<float>() + first, n, 0.0f);
    });
}

void StreamArrays::run(StreamKernel kernel)
{
    float *const a = a_.as<float>(), *const b = b_.as<float>(), *const c = c_.as<float>();
    onThreads(count_, threads_, [&](std::int64_t first, std::int64_t n) {
        switch (kernel) {
        case StreamKernel::Copy:
            return copyLoop(n, a + first, c + first);
        case StreamKernel::Scale:
            return scaleLoop(n, c + first, b + first);
        case StreamKernel::Add:
            return addLoop(n, a + first, b + first, c + first);
        case StreamKernel::Triad:
            return triadLoop(n, b + first, c + first, a + first);
        }
    });
}

std::int64_t StreamArrays::countWrong()
{
    fill();
    for (const StreamKernel kernel :
         {StreamKernel::Copy, StreamKernel::Scale, StreamKernel::Add, StreamKernel::Triad})
        run(kernel);
    // c = 1, b = 3, c = 1 + 3, a = 3 + 3 * 4.
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < count_; ++i)
        wrong +=
            a_.as<float>()[i] != 15.0f || b_.as<float>()[i] != 3.0f || c_.as<float>()[i] != 4.0f;
    return wrong;
}

void runMemoryBench(const Options& options, Report& report)
{
    report.setColumns({{"array_bytes", "array", 0, 12},
                       {"kernel", "loop", -1, 6},
                       {"threads", "threads", 0},
                       {"median_ms", "ms", 4, 10},
                       {"spread_percent", "spread %", 1},
                       {"repeats", "repeats", 0},
                       {"gb_per_s", "GB/s", 2, 8},
                       {"share_of_peak_percent", "% of memory", 1},
                       {"wrong", "wrong", 0},
                       {"note", "", -1}});
    double reference = 0;
    if (!options.list) {
        const MemoryPeak peak = measureMemoryPeak(options.threads, largestArray(options));
        char text[160];
        std::snprintf(text, sizeof text,
                      "Main memory measured here: copy %.2f GB/s, triad %.2f GB/s (arrays of %s, "
                      "last-level cache %s)",
                      peak.copy / 1e9, peak.triad / 1e9, formatBytes(peak.arrayBytes).c_str(),
                      formatBytes(lastLevelCacheBytes()).c_str());
        report.addPeak("memory_copy_gb_per_s", peak.copy / 1e9, text);
        report.addPeak("memory_triad_gb_per_s", peak.triad / 1e9,
                       "Bytes are counted as STREAM does: what the loop reads and writes.");
        reference = std::max(peak.copy, peak.triad);
    }
    for (const std::int64_t bytes : arraySizes(options)) {
        if (const std::string reason = reasonToSkip(options, 0, 0, 3.0 * double(bytes));
            options.list || !reason.empty()) {
            report.addRow({{"array_bytes", bytes}, {"note", reason}});
            continue;
        }
        StreamArrays arrays(bytes, options.threads);
        const std::int64_t wrong = arrays.countWrong();
        for (const StreamKernel kernel :
             {StreamKernel::Copy, StreamKernel::Scale, StreamKernel::Add, StreamKernel::Triad}) {
            const Timing timing = timeCalls(options, [&] { arrays.run(kernel); });
            const double rate = streamArrays(kernel) * double(bytes) / timing.seconds;
            std::map<std::string, Json> row = {{"array_bytes", bytes},
                                               {"kernel", kernelName(kernel)},
                                               {"threads", options.threads},
                                               {"median_ms", timing.seconds * 1e3},
                                               {"spread_percent", timing.spread * 100},
                                               {"repeats", timing.repeats},
                                               {"gb_per_s", rate / 1e9},
                                               {"share_of_peak_percent", rate / reference * 100},
                                               {"wrong", wrong}};
            addRemark(row, timing, 0); // caches are faster than memory
            report.addRow(row);
        }
    }
}

} // namespace scalebench::bench
