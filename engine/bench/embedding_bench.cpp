// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/embedding_bench.h"

#include "engine/bench/disturbance.h"

#include "engine/backend/backend.h"
#include "engine/bench/peak.h"
#include "engine/core/rng.h"
#include "engine/core/thread_count.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace scalebench::bench {

std::vector<EmbeddingProblem> embeddingProblems(const Options& options)
{
    if (!options.sizes.empty()) {
        std::vector<EmbeddingProblem> problems;
        for (const auto& s : parseSizes(options.sizes, 3, "ROWSxDIMxIDS"))
            problems.push_back({s[0], s[1], s[2]});
        return problems;
    }
    // From a table inside the caches to MLPerf's width on one far beyond them.
    if (options.quick)
        return {{1000, 64, 16384}, {500'000, 64, 16384}};
    return {
        {1000, 64, 65536}, {100'000, 64, 65536}, {4'000'000, 64, 65536}, {4'000'000, 128, 65536}};
}

namespace {

using Problem = EmbeddingProblem;

/// Looked-up rows are copies of the table's.
std::int64_t wrongRows(const Tensor& table, const std::vector<std::int32_t>& ids,
                       const Tensor& rows)
{
    const std::int64_t dim = table.dim(1);
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < ids.size(); ++i)
        wrong += !std::equal(table.f32().begin() + ids[i] * dim,
                             table.f32().begin() + (ids[i] + 1) * dim,
                             rows.f32().begin() + std::int64_t(i) * dim);
    return wrong;
}

/// Gradients of ones: every touched row has how often it came.
std::int64_t wrongSums(const std::vector<std::int32_t>& ids, const SparseRows& sums)
{
    std::vector<std::int32_t> sorted = ids;
    std::ranges::sort(sorted);
    const std::int64_t dim = sums.values.dim(1);
    std::int64_t wrong = 0, row = 0;
    for (auto it = sorted.begin(); it != sorted.end(); ++row) {
        const auto end = std::find_if(it, sorted.end(), [&](std::int32_t id) { return id != *it; });
        if (row >= sums.count() || sums.rows.i32()[std::size_t(row)] != *it) {
            ++wrong;
        } else {
            const auto values = sums.values.f32().subspan(std::size_t(row * dim), std::size_t(dim));
            wrong += !std::ranges::all_of(values, [&](float v) { return v == float(end - it); });
        }
        it = end;
    }
    return wrong + (row != sums.count());
}

void measure(const Options& options, const Problem& p, bool zipf, double peak, Backend& backend,
             const Tensor& table, Report& report)
{
    const std::vector<std::int32_t> ids = drawIds(p.rows, p.ids, zipf);
    const Tensor list = Tensor::empty({p.ids}, DType::I32, backend.allocator());
    std::ranges::copy(ids, list.i32().begin());
    const double rowBytes = double(p.dim) * 4, moved = double(p.ids) * rowBytes;
    const auto row = [&](const char* operation, const Timing& timing, double bytes,
                         std::int64_t distinct, std::int64_t wrong) {
        std::map<std::string, Json> cells = {
            {"rows", p.rows},
            {"dim", p.dim},
            {"table_bytes", p.tableBytes()},
            {"ids", p.ids},
            {"distribution", zipf ? "zipf" : "uniform"},
            {"distinct", distinct},
            {"operation", operation},
            {"threads", options.threads},
            {"median_ms", timing.seconds * 1e3},
            {"spread_percent", timing.spread * 100},
            {"repeats", timing.repeats},
            {"gb_per_s", bytes / timing.seconds / 1e9},
            {"share_of_peak_percent", bytes / timing.seconds / peak * 100},
            {"wrong", wrong}};
        addRemark(cells, timing, 0); // caches are faster than memory
        report.addRow(cells);
    };
    EmbeddingOps& ops = backend.embedding();
    const Tensor rows = ops.embeddingForward(table, list, DType::F32);
    const std::int64_t wrongLookups = wrongRows(table, ids, rows);
    const Timing lookup =
        timeCalls(options, [&] { ops.embeddingForward(table, list, DType::F32); });

    const Tensor gradient = Tensor::empty({p.ids, p.dim}, DType::F32, backend.allocator());
    std::ranges::fill(gradient.f32(), 1.0f);
    const SparseRows sums = ops.embeddingBackwardSparse(list, -1, gradient, p.rows);
    row("lookup", lookup, 2 * moved, sums.count(), wrongLookups);
    const Timing update = timeCalls(options, [&] {
        const SparseRows step = ops.embeddingBackwardSparse(list, -1, gradient, p.rows);
        backend.optimizer().sparseSgd({1e-6, 1.0f}, step, table);
    });
    row("update", update, moved + 2 * double(sums.count()) * rowBytes, sums.count(),
        wrongSums(ids, sums));
}

} // namespace

std::vector<std::int32_t> drawIds(std::int64_t rows, std::int64_t count, bool zipf)
{
    Rng rng(7);
    std::vector<std::int32_t> ids(static_cast<std::size_t>(count));
    // Of 1 / (rank + 1) the chance to be below a rank grows with its logarithm.
    const double all = std::log(double(rows) + 1);
    for (std::int32_t& id : ids) {
        if (!zipf) {
            id = std::int32_t(rng.below(std::uint32_t(rows)));
            continue;
        }
        const double u = (double(rng.below(1u << 31)) + 0.5) / double(1u << 31);
        const auto rank = std::min(rows - 1, std::int64_t(std::exp(u * all)) - 1);
        // A step that has no divisor in common with the rows visits all of them.
        std::int64_t step = rows / 2 + rows / 8 + 1;
        while (std::gcd(step, rows) != 1)
            ++step;
        id = std::int32_t(rank * step % rows);
    }
    return ids;
}

void runEmbeddingBench(const Options& options, Report& report)
{
    report.setColumns({{"rows", "rows", 0, 9},
                       {"dim", "dim", 0},
                       {"table_bytes", "table bytes", 0},
                       {"ids", "ids", 0, 7},
                       {"distribution", "ids are", -1, 7},
                       {"distinct", "distinct", 0, 8},
                       {"operation", "", -1, 6},
                       {"threads", "threads", 0},
                       {"median_ms", "ms", 4, 10},
                       {"spread_percent", "spread %", 1},
                       {"repeats", "repeats", 0},
                       {"gb_per_s", "GB/s", 2, 8},
                       {"share_of_peak_percent", "% of memory", 1},
                       {"wrong", "wrong", 0},
                       {"note", "", -1}});
    double peak = 0;
    if (!options.list) {
        const MemoryPeak memory = measureMemoryPeak(options.threads, 256 << 20);
        char text[100];
        std::snprintf(text, sizeof text,
                      "Main memory measured here: copy %.2f GB/s, triad %.2f GB/s",
                      memory.copy / 1e9, memory.triad / 1e9);
        report.addPeak("memory_copy_gb_per_s", memory.copy / 1e9, text);
        report.addPeak(
            "memory_triad_gb_per_s", memory.triad / 1e9,
            "A lookup reads and writes its rows; an update (SGD) reads all gradients, and "
            "reads and writes the distinct rows.");
        peak = std::max(memory.copy, memory.triad);
    }
    setComputeThreads(options.threads);
    const auto backend = makeCpuBackend();
    for (const Problem& p : embeddingProblems(options)) {
        const double bytes = p.tableBytes() + 4.0 * double(p.ids) * double(p.dim) * 4;
        const std::string reason = reasonToSkip(options, 0, 0, bytes);
        if (options.list || !reason.empty()) {
            report.addRow({{"rows", p.rows}, {"dim", p.dim}, {"ids", p.ids}, {"note", reason}});
            continue;
        }
        const Tensor table = Tensor::empty({p.rows, p.dim}, DType::F32, backend->allocator());
        fillRandom(table.data(), table.count(), DType::F32, 1);
        for (const bool zipf : {false, true})
            measure(options, p, zipf, peak, *backend, table, report);
    }
}

} // namespace scalebench::bench
