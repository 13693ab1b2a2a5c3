// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/deepbench.h"
#include "engine/bench/disturbance.h"
#include "engine/bench/op_bench.h"
#include "engine/bench/peak.h"
#include "engine/core/rng.h"
#include "kernels/check.h"
#include "kernels/cpu_features.h"
#include "kernels/matmul.h"

#include <cmath>

namespace scalebench::bench {
std::vector<GemmProblem> gemmProblems(const Options& options)
{
    std::vector<GemmProblem> problems;
    if (options.sizes.empty()) {
        problems.assign(deepbenchGemm().begin(), deepbenchGemm().end());
        return problems;
    }
    std::vector<std::string> suffixes;
    for (const auto& s : parseSizes(options.sizes, 3, "MxNxK or MxNxK:TN", &suffixes))
        problems.push_back({s[0], s[1], s[2], false, false});
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const std::string& s = suffixes[i];
        if (s.empty())
            continue;
        if (s.size() != 2 || s.find_first_not_of("NT") != std::string::npos)
            throw InvalidArgument(
                "--sizes MxNxK:AB takes N or T for A and for B; \"" + s + "\" is neither", "usage");
        problems[i].transA = s[0] == 'T';
        problems[i].transB = s[1] == 'T';
    }
    return problems;
}

namespace {

/// Column-major C = op(A) op(B) is row-major C^T = op(B)^T op(A)^T on the same memory.
MatmulParams rowMajor(const GemmProblem& p, DType dtype)
{
    MatmulParams params;
    params.M = p.n;
    params.N = p.m;
    params.K = p.k;
    params.transA = p.transB;
    params.transB = p.transA;
    params.inputType = params.outputType = dtype;
    return params;
}

SampleCheck checkProduct(const MatmulParams& p, const void* a, const void* b, const void* c)
{
    SampleCheck check(p.outputType);
    Rng random(7);
    for (int sample = 0; sample < 32; ++sample) {
        const std::int64_t i = random.below(std::uint32_t(p.M));
        const std::int64_t j = random.below(std::uint32_t(p.N));
        double sum = 0, magnitude = 0;
        for (std::int64_t k = 0; k < p.K; ++k) {
            const double term = valueAt(a, p.transA ? k * p.M + i : i * p.K + k, p.inputType) *
                                valueAt(b, p.transB ? j * p.K + k : k * p.N + j, p.inputType);
            sum += term;
            magnitude += std::abs(term);
        }
        check.compare(valueAt(c, i * p.N + j, p.outputType), sum, magnitude);
    }
    return check;
}

void measure(const Options& options, const GemmProblem& problem, double peak,
             std::map<std::string, Json>& row)
{
    const std::size_t element = dtypeBytes(options.dtype);
    const double bytes = double(element) * (double(problem.m) * double(problem.k) +
                                            double(problem.k) * double(problem.n) +
                                            double(problem.m) * double(problem.n));
    if (const std::string reason = reasonToSkip(options, problem.flops(), peak, bytes);
        !reason.empty()) {
        row["note"] = reason;
        return;
    }
    const MatmulParams p = rowMajor(problem, options.dtype);
    const kernels::cpu::MatmulPlan plan(p);
    const Buffer a(std::size_t(p.M * p.K) * element), b(std::size_t(p.K * p.N) * element),
        c(std::size_t(p.M * p.N) * element), workspace(plan.workspaceBytes());
    fillRandom(a.data(), p.M * p.K, options.dtype, 1);
    fillRandom(b.data(), p.K * p.N, options.dtype, 2);
    const Timing timing = timeCalls(
        options, [&] { plan.run(a.data(), b.data(), nullptr, c.data(), workspace.data()); });
    const bool split = isSplit(plan.implementation());
    if (split)
        row["note"] = "six bf16 products each";
    addTiming(row, timing, problem.flops(), bytes, peak, split ? kSplitFewer : 1);
    addCheck(row, checkProduct(p, a.data(), b.data(), c.data()));
}

} // namespace

std::vector<Column> computeColumns(std::vector<Column> problem)
{
    const std::vector<Column> common = {{"precision", "type", -1, 4},
                                        {"threads", "threads", 0},
                                        {"median_ms", "ms", 4, 10},
                                        {"spread_percent", "spread %", 1},
                                        {"repeats", "repeats", 0},
                                        {"gflops", "GFLOP/s", 1, 8},
                                        {"share_of_peak_percent", "% of peak", 1},
                                        {"gb_per_s", "GB/s", 2, 7},
                                        {"checked", "checked", 0},
                                        {"wrong", "wrong", 0},
                                        {"note", "", -1}};
    problem.insert(problem.end(), common.begin(), common.end());
    return problem;
}

std::string computedPrecision(DType dtype)
{
    const bool widened = dtype == DType::BF16 && !kernels::cpu::cpuFeatures().bf16Fast;
    return std::string(dtypeName(dtype)) + (widened ? " in fp32" : "");
}

void addTiming(std::map<std::string, Json>& row, const Timing& timing, double flops, double bytes,
               double peakFlops, double fewer)
{
    row["median_ms"] = timing.seconds * 1e3;
    row["spread_percent"] = timing.spread * 100;
    row["repeats"] = timing.repeats;
    row["gflops"] = flops / timing.seconds / 1e9;
    row["share_of_peak_percent"] = flops / timing.seconds / peakFlops * 100;
    row["gb_per_s"] = bytes / timing.seconds / 1e9;
    addRemark(row, timing, flops / timing.seconds / peakFlops / fewer);
}

void addCheck(std::map<std::string, Json>& row, const SampleCheck& check)
{
    row["checked"] = check.checked();
    row["wrong"] = check.wrong();
}

void runGemmBench(const Options& options, Report& report)
{
    report.setColumns(computeColumns({{"problem", "#", 0, 3},
                                      {"m", "m", 0, 5},
                                      {"n", "n", 0, 5},
                                      {"k", "k", 0, 6},
                                      {"a_b", "AB", -1}}));
    const std::vector<GemmProblem> problems = gemmProblems(options);
    const std::vector<std::size_t> chosen = chooseProblems(options, problems.size(), 16);
    const double peak = options.list ? 0 : addComputePeak(options, report);
    for (const std::size_t i : chosen) {
        const GemmProblem& p = problems[i];
        std::map<std::string, Json> row = {
            {"problem", i + 1},
            {"m", p.m},
            {"n", p.n},
            {"k", p.k},
            {"a_b", std::string(p.transA ? "T" : "N") + (p.transB ? "T" : "N")},
            {"precision", computedPrecision(options.dtype)},
            {"threads", options.threads}};
        try {
            if (!options.list)
                measure(options, p, peak, row);
        } catch (const Unsupported& e) {
            row["note"] = std::string("unsupported: ") + e.what();
        }
        report.addRow(row);
    }
}

} // namespace scalebench::bench
