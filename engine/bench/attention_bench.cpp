// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/attention_products.h"
#include "engine/bench/op_bench.h"
#include "engine/bench/peak.h"
#include "engine/core/memory_info.h"
#include "engine/core/rng.h"
#include "kernels/attention.h"
#include "kernels/check.h"

#include <cmath>

namespace scalebench::bench {
std::vector<AttentionProblem> attentionProblems(const Options& options)
{
    if (options.sizes.empty())
        return {{"bert-base 128", 8, 12, 128, 64},
                {"bert-large 512", 2, 16, 512, 64},
                {"transformer encoder", 32, 8, 64, 64},
                {"transformer decoder", 32, 8, 64, 64, true},
                {"transformer-big decoder", 8, 16, 256, 64, true},
                {"long sequence", 1, 16, 2048, 64},
                {"odd sizes", 3, 5, 129, 40, true}};
    std::vector<AttentionProblem> problems;
    std::vector<std::string> suffixes;
    for (const auto& s :
         parseSizes(options.sizes, 4, "BATCHxHEADSxSEQUENCExDEPTH or …:causal", &suffixes)) {
        const std::string& suffix = suffixes[problems.size()];
        if (!suffix.empty() && suffix != "causal")
            throw InvalidArgument("--sizes takes :causal behind the numbers; \"" + suffix +
                                      "\" is not known",
                                  "usage");
        problems.push_back({"own", s[0], s[1], s[2], s[3], !suffix.empty()});
    }
    return problems;
}

namespace {

using Problem = AttentionProblem;

/// Operands [batch, sequence, heads, depth] of one problem.
struct Case {
    Problem problem;
    AttentionParams p;
    std::vector<AttentionSegment> segments;
    std::int64_t count;
    Buffer q, k, v, o, dO, dq, dk, dv, logSumExp, kept, workspace;

    Case(const Problem& chosen, DType dtype)
        : problem(chosen),
          p(paramsOf(chosen, dtype)),
          segments(segmentsOf(chosen)),
          count(p.queryRows * p.strideQ),
          q(bytes()),
          k(bytes()),
          v(bytes()),
          o(bytes()),
          dO(bytes()),
          dq(bytes()),
          dk(bytes()),
          dv(bytes()),
          logSumExp(std::size_t(p.heads * p.queryRows) * sizeof(float)),
          kept(kernels::cpu::attentionKeptBytes(p, segments)),
          workspace(std::max(
              kernels::cpu::attentionForwardWorkspace(p, chosen.sequence, chosen.sequence),
              kernels::cpu::attentionBackwardWorkspace(p, chosen.sequence, chosen.sequence)))
    {
        fillRandom(q.data(), count, dtype, 1);
        fillRandom(k.data(), count, dtype, 2);
        fillRandom(v.data(), count, dtype, 3);
        fillRandom(dO.data(), count, dtype, 4);
    }
    /// As training leaves it.
    void* left() const
    {
        return kernels::cpu::attentionKeptBytes(p, segments) > 0 ? kept.data() : nullptr;
    }
    std::size_t bytes() const { return std::size_t(count) * dtypeBytes(p.dtype); }
    static std::vector<AttentionSegment> segmentsOf(const Problem& problem)
    {
        std::vector<AttentionSegment> segments;
        for (std::int64_t b = 0; b < problem.batch; ++b)
            segments.push_back(
                {b * problem.sequence, problem.sequence, b * problem.sequence, problem.sequence});
        return segments;
    }
    static AttentionParams paramsOf(const Problem& problem, DType dtype)
    {
        AttentionParams p;
        p.heads = problem.heads;
        p.headDim = problem.depth;
        p.queryRows = p.keyRows = problem.batch * problem.sequence;
        p.strideQ = p.strideK = p.strideV = p.strideO = problem.heads * problem.depth;
        p.dtype = dtype;
        p.scale = float(1 / std::sqrt(double(problem.depth)));
        p.causal = problem.causal;
        return p;
    }
    double at(const Buffer& data, std::int64_t row, std::int64_t head, std::int64_t d) const
    {
        return valueAt(data.data(), row * p.strideQ + head * p.headDim + d, p.dtype);
    }
    /// Probabilities of one query of one head over its segment's keys.
    std::vector<double> probabilities(std::int64_t b, std::int64_t i, std::int64_t head) const
    {
        const std::int64_t keys = problem.causal ? i + 1 : problem.sequence;
        std::vector<double> scores(static_cast<std::size_t>(problem.sequence), 0.0);
        double largest = -INFINITY, sum = 0;
        for (std::int64_t j = 0; j < keys; ++j) {
            double score = 0;
            for (std::int64_t d = 0; d < p.headDim; ++d)
                score += at(q, b * problem.sequence + i, head, d) *
                         at(k, b * problem.sequence + j, head, d);
            scores[std::size_t(j)] = score * double(p.scale);
            largest = std::max(largest, scores[std::size_t(j)]);
        }
        for (std::int64_t j = 0; j < keys; ++j)
            sum += scores[std::size_t(j)] = std::exp(scores[std::size_t(j)] - largest);
        for (std::int64_t j = 0; j < keys; ++j)
            scores[std::size_t(j)] /= sum;
        return scores;
    }
};

/// Probabilities are rounded to the operands' type before the second product.
double allowed(const Case& c, double magnitude)
{
    return magnitude * (c.p.dtype == DType::BF16 ? 4e3 : 5);
}

SampleCheck checkForward(const Case& c)
{
    SampleCheck check(c.p.dtype);
    Rng random(8);
    for (int sample = 0; sample < 16; ++sample) {
        const std::int64_t b = random.below(std::uint32_t(c.problem.batch)),
                           i = random.below(std::uint32_t(c.problem.sequence)),
                           head = random.below(std::uint32_t(c.p.heads)),
                           d = random.below(std::uint32_t(c.p.headDim));
        const std::vector<double> weights = c.probabilities(b, i, head);
        double sum = 0, magnitude = 0;
        for (std::int64_t j = 0; j < c.problem.sequence; ++j) {
            const double term =
                weights[std::size_t(j)] * c.at(c.v, b * c.problem.sequence + j, head, d);
            sum += term;
            magnitude += std::abs(term);
        }
        check.compare(c.at(c.o, b * c.problem.sequence + i, head, d), sum, allowed(c, magnitude));
    }
    return check;
}

/// dV = P^T dO of one head, the gradient that needs every probability.
SampleCheck checkBackward(const Case& c)
{
    SampleCheck check(c.p.dtype);
    const std::int64_t head = c.p.heads - 1, b = c.problem.batch - 1, S = c.problem.sequence;
    // One key and all depths: each probability is needed once.
    const std::int64_t j = S / 2;
    std::vector<double> sums(static_cast<std::size_t>(c.p.headDim)), magnitudes(sums.size());
    for (std::int64_t i = 0; i < S; ++i) {
        const double weight = c.probabilities(b, i, head)[std::size_t(j)];
        for (std::int64_t d = 0; d < c.p.headDim; ++d) {
            const double term = weight * c.at(c.dO, b * S + i, head, d);
            sums[std::size_t(d)] += term;
            magnitudes[std::size_t(d)] += std::abs(term);
        }
    }
    for (std::int64_t d = 0; d < c.p.headDim; ++d)
        check.compare(c.at(c.dv, b * S + j, head, d), sums[std::size_t(d)],
                      allowed(c, magnitudes[std::size_t(d)]));
    return check;
}

/// The same as single products of the library, forward and backward, after the results are checked.
void addProducts(const Options& options, const Case& c, const AttentionForward& f,
                 const AttentionBackward& g, std::map<std::string, Json>& forward,
                 std::map<std::string, Json>& backward)
{
    if (AttentionProducts::bytes(c.p, c.problem.batch) > 0.5 * double(availableMemoryBytes()))
        return;
    const AttentionProducts products(c.p, c.problem.batch);
    const auto add = [](std::map<std::string, Json>& row, const Timing& timing) {
        row["products_ms"] = timing.seconds * 1e3;
        row["products_over_ours"] = timing.seconds * 1e3 / row["median_ms"].get<double>();
    };
    add(forward, timeCalls(options, [&] { products.forward(f.q, f.k, f.v, f.o); }));
    add(backward, timeCalls(options, [&] { products.backward(g); }));
}

void measure(const Options& options, const Problem& problem, double peak,
             std::map<std::string, Json> row, Report& report)
{
    const double elements =
        double(problem.batch * problem.heads * problem.sequence) * double(problem.depth);
    const double element = double(dtypeBytes(options.dtype));
    if (const std::string reason =
            reasonToSkip(options, problem.backwardFlops(), peak, 8 * elements * element);
        !reason.empty()) {
        row["note"] = reason;
        report.addRow(row);
        return;
    }
    const Case c(problem, options.dtype);
    std::map<std::string, Json> backward = row;
    row["pass"] = "forward";
    const AttentionForward f{
        c.q.data(), c.k.data(), c.v.data(), c.o.data(), c.logSumExp.as<float>(), c.left()};
    const Timing forwardTime = timeCalls(
        options, [&] { kernels::cpu::attentionForward(c.p, c.segments, f, c.workspace.data()); });
    addTiming(row, forwardTime, problem.forwardFlops(), 4 * elements * element, peak);
    addCheck(row, checkForward(c));

    backward["pass"] = "backward";
    const AttentionBackward g{
        c.q.data(),  c.k.data(),  c.v.data(),  c.o.data(),  c.logSumExp.as<float>(),
        c.dO.data(), c.dq.data(), c.dk.data(), c.dv.data(), c.left()};
    const Timing backwardTime = timeCalls(
        options, [&] { kernels::cpu::attentionBackward(c.p, c.segments, g, c.workspace.data()); });
    addTiming(backward, backwardTime, problem.backwardFlops(!g.kept), 8 * elements * element, peak);
    addCheck(backward, checkBackward(c));
    addProducts(options, c, f, g, row, backward);
    report.addRow(row);
    report.addRow(backward);
}

} // namespace

void runAttentionBench(const Options& options, Report& report)
{
    report.setColumns(computeColumns({{"problem", "#", 0, 3},
                                      {"name", "name", -1, 23},
                                      {"batch", "batch", 0},
                                      {"heads", "heads", 0},
                                      {"sequence", "sequence", 0},
                                      {"depth", "depth", 0},
                                      {"causal", "causal", 0},
                                      {"pass", "pass", -1, 8},
                                      {"products_ms", "products ms", 4},
                                      {"products_over_ours", "products/ours", 2}}));
    const std::vector<Problem> problems = attentionProblems(options);
    const std::vector<std::size_t> chosen = chooseProblems(options, problems.size(), 3);
    const double peak = options.list ? 0 : addComputePeak(options, report);
    for (const std::size_t i : chosen) {
        const Problem& p = problems[i];
        std::map<std::string, Json> row = {
            {"problem", i + 1},          {"name", p.name},
            {"batch", p.batch},          {"heads", p.heads},
            {"sequence", p.sequence},    {"depth", p.depth},
            {"causal", p.causal},        {"precision", computedPrecision(options.dtype)},
            {"threads", options.threads}};
        if (options.list) {
            report.addRow(row);
            continue;
        }
        try {
            measure(options, p, peak, row, report);
        } catch (const Unsupported& e) {
            row["note"] = std::string("unsupported: ") + e.what();
            report.addRow(row);
        }
    }
}

} // namespace scalebench::bench
