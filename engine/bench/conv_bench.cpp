// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/deepbench.h"
#include "engine/bench/op_bench.h"
#include "engine/bench/peak.h"
#include "engine/core/rng.h"
#include "kernels/check.h"
#include "kernels/conv2d.h"

#include <cmath>

namespace scalebench::bench {
Conv2dParams convParams(const ConvProblem& p, DType dtype)
{
    Conv2dParams params;
    params.N = p.n;
    params.H = p.h;
    params.W = p.w;
    params.C = p.c;
    params.K = p.k;
    params.R = p.r;
    params.S = p.s;
    params.stride = p.stride;
    params.padding = p.padding;
    params.dtype = dtype;
    return params;
}

Conv2dParams layerParams(const ConvProblem& p, DType dtype)
{
    const Conv2dParams params = convParams(p, dtype);
    try {
        validate(params);
    } catch (const InvalidArgument& e) {
        throw Unsupported(e.what());
    }
    return params;
}

std::vector<ConvProblem> convProblems(const Options& options)
{
    if (options.sizes.empty())
        return {deepbenchConv().begin(), deepbenchConv().end()};
    std::vector<ConvProblem> problems;
    for (const auto& s : parseSizes(options.sizes, 9, "WxHxCxNxKxSxRx(PADDING+1)xSTRIDE")) {
        problems.push_back({s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7] - 1, s[8]});
        validate(convParams(problems.back(), options.dtype));
    }
    return problems;
}

namespace {

/// Operands of one problem, and single elements of its results in float64.
struct Case {
    Conv2dParams p;
    Buffer x, w, y, dx, dw;

    explicit Case(const Conv2dParams& params)
        : p(params),
          x(std::size_t(p.N * p.H * p.W * p.C) * dtypeBytes(p.dtype)),
          w(std::size_t(p.weightCount()) * sizeof(float)),
          y(std::size_t(p.N * p.outH() * p.outW() * p.K) * dtypeBytes(p.dtype)),
          dx(std::size_t(p.N * p.H * p.W * p.C) * dtypeBytes(p.dtype)),
          dw(std::size_t(p.weightCount()) * sizeof(float))
    {
        fillRandom(x.data(), p.N * p.H * p.W * p.C, p.dtype, 1);
        fillRandom(w.data(), p.weightCount(), DType::F32, 2);
    }

    double xAt(std::int64_t n, std::int64_t h, std::int64_t v, std::int64_t c) const
    {
        if (h < 0 || h >= p.H || v < 0 || v >= p.W)
            return 0;
        return valueAt(x.data(), ((n * p.H + h) * p.W + v) * p.C + c, p.dtype);
    }
    double wAt(std::int64_t k, std::int64_t c, std::int64_t r, std::int64_t s) const
    {
        return double(w.as<float>()[((k * p.C + c) * p.R + r) * p.S + s]);
    }
    std::int64_t yIndex(std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) const
    {
        return ((n * p.outH() + i) * p.outW() + j) * p.K + k;
    }
};

struct Sum {
    double value = 0, magnitude = 0, squares = 0;
    void add(double term)
    {
        value += term;
        magnitude += std::abs(term);
        squares += term * term;
    }
    void check(SampleCheck& samples, double actual) const
    {
        samples.compare(actual, value, magnitude, std::sqrt(squares));
    }
};

/// Eight times what Winograd's way in 16-bit fixed point is usually off (conv_winograd.h); a value
/// of another place is off by about 1.
constexpr double kFixedPoint = 4e-3;

std::int64_t pick(Rng& random, std::int64_t count)
{
    return random.below(std::uint32_t(count));
}

SampleCheck checkForward(const Case& c, double algorithm)
{
    SampleCheck check(c.p.dtype, algorithm);
    Rng random(3);
    for (int sample = 0; sample < 24; ++sample) {
        const std::int64_t n = pick(random, c.p.N), i = pick(random, c.p.outH()),
                           j = pick(random, c.p.outW()), k = pick(random, c.p.K);
        Sum sum;
        for (std::int64_t ch = 0; ch < c.p.C; ++ch)
            for (std::int64_t r = 0; r < c.p.R; ++r)
                for (std::int64_t s = 0; s < c.p.S; ++s)
                    sum.add(c.xAt(n, i * c.p.stride - c.p.padding + r,
                                  j * c.p.stride - c.p.padding + s, ch) *
                            c.wAt(k, ch, r, s));
        sum.check(check, valueAt(c.y.data(), c.yIndex(n, i, j, k), c.p.dtype));
    }
    return check;
}

/// dy is what lies in y.
SampleCheck checkData(const Case& c, double algorithm)
{
    SampleCheck check(c.p.dtype, algorithm);
    Rng random(4);
    for (int sample = 0; sample < 24; ++sample) {
        const std::int64_t n = pick(random, c.p.N), h = pick(random, c.p.H),
                           v = pick(random, c.p.W), ch = pick(random, c.p.C);
        Sum sum;
        for (std::int64_t r = 0; r < c.p.R; ++r)
            for (std::int64_t s = 0; s < c.p.S; ++s) {
                const std::int64_t top = h + c.p.padding - r, left = v + c.p.padding - s;
                if (top < 0 || left < 0 || top % c.p.stride != 0 || left % c.p.stride != 0 ||
                    top / c.p.stride >= c.p.outH() || left / c.p.stride >= c.p.outW())
                    continue;
                for (std::int64_t k = 0; k < c.p.K; ++k)
                    sum.add(valueAt(c.y.data(), c.yIndex(n, top / c.p.stride, left / c.p.stride, k),
                                    c.p.dtype) *
                            c.wAt(k, ch, r, s));
            }
        sum.check(check,
                  valueAt(c.dx.data(), ((n * c.p.H + h) * c.p.W + v) * c.p.C + ch, c.p.dtype));
    }
    return check;
}

SampleCheck checkWeight(const Case& c, double algorithm)
{
    SampleCheck check(DType::F32, algorithm);
    Rng random(5);
    for (int sample = 0; sample < 8; ++sample) {
        const std::int64_t k = pick(random, c.p.K), ch = pick(random, c.p.C),
                           r = pick(random, c.p.R), s = pick(random, c.p.S);
        Sum sum;
        for (std::int64_t n = 0; n < c.p.N; ++n)
            for (std::int64_t i = 0; i < c.p.outH(); ++i)
                for (std::int64_t j = 0; j < c.p.outW(); ++j)
                    sum.add(valueAt(c.y.data(), c.yIndex(n, i, j, k), c.p.dtype) *
                            c.xAt(n, i * c.p.stride - c.p.padding + r,
                                  j * c.p.stride - c.p.padding + s, ch));
        sum.check(check, double(c.dw.as<float>()[((k * c.p.C + ch) * c.p.R + r) * c.p.S + s]));
    }
    return check;
}

/// Rows of the three passes.
void measure(const Options& options, const ConvProblem& problem, double peak,
             std::map<std::string, Json> row, Report& report)
{
    const Conv2dParams p = layerParams(problem, options.dtype);
    const double xBytes = double(p.N * p.H * p.W * p.C) * double(dtypeBytes(p.dtype));
    const double yBytes = double(p.N * p.outH() * p.outW() * p.K) * double(dtypeBytes(p.dtype));
    const double wBytes = double(p.weightCount()) * double(dtypeBytes(p.dtype));
    if (const std::string reason =
            reasonToSkip(options, problem.flops(), peak, 2 * xBytes + yBytes + 8 * wBytes);
        !reason.empty()) {
        row["note"] = reason;
        report.addRow(row);
        return;
    }
    const Case c(p);
    const kernels::cpu::Conv2dPlan plan(p, true);
    const Buffer workspace(plan.workspaceBytes()), forwardWeight(plan.forwardWeightBytes()),
        dataWeight(plan.dataWeightBytes());
    plan.packForward(c.w.as<float>(), forwardWeight.data(), workspace.data());
    plan.packData(c.w.as<float>(), dataWeight.data(), workspace.data());
    const void* const forwardW = plan.forwardWeightBytes() > 0 ? forwardWeight.data() : c.w.data();
    const void* const dataW = plan.dataWeightBytes() > 0 ? dataWeight.data() : c.w.data();

    struct Pass {
        const char* name;
        std::function<void()> call;
        SampleCheck (*check)(const Case&, double);
        double bytes;
    };
    const Pass passes[] = {
        {"forward",
         [&] { plan.forward(c.x.data(), forwardW, nullptr, c.y.data(), workspace.data()); },
         checkForward, xBytes + wBytes + yBytes},
        {"data", [&] { plan.backwardData(c.y.data(), dataW, c.dx.data(), workspace.data()); },
         checkData, xBytes + wBytes + yBytes},
        {"weight",
         [&] {
             plan.backwardWeight(c.x.data(), c.y.data(), c.dw.as<float>(), false, workspace.data());
         },
         checkWeight, xBytes + yBytes + double(p.weightCount()) * 4}};
    const bool winograd = plan.implementations().find("winograd") != std::string::npos;
    const bool fixedPoint = winograd && p.dtype == DType::BF16;
    // Winograd's tiles reach into the padding, sums need not.
    const double fewer = fixedPoint ? 4
                         : winograd ? 2.25
                                    : problem.flops() / problem.flopsWithoutPadding() *
                                          (isSplit(plan.implementations()) ? kSplitFewer : 1);
    for (const Pass& pass : passes) {
        if (pass.check != checkForward) // a gradient of small exact numbers
            fillRandom(c.y.data(), p.N * p.outH() * p.outW() * p.K, p.dtype, 6);
        std::map<std::string, Json> cells = row;
        cells["pass"] = pass.name;
        const Timing timing = timeCalls(options, pass.call);
        if (winograd)
            cells["note"] = "Winograd";
        else if (problem.padding > 0 && problem.flops() / timing.seconds > peak)
            cells["note"] = "products with the padding's zeros left out";
        addTiming(cells, timing, problem.flops(), pass.bytes, peak, fewer);
        addCheck(cells, pass.check(c, fixedPoint ? kFixedPoint : 0));
        report.addRow(cells);
    }
}

} // namespace

void runConvBench(const Options& options, Report& report)
{
    report.setColumns(computeColumns({{"problem", "#", 0, 3},
                                      {"w", "w", 0, 3},
                                      {"h", "h", 0, 3},
                                      {"c", "c", 0, 4},
                                      {"n", "n", 0, 3},
                                      {"k", "k", 0, 4},
                                      {"s", "s", 0, 2},
                                      {"r", "r", 0, 2},
                                      {"padding", "pad", 0},
                                      {"stride", "stride", 0},
                                      {"pass", "pass", -1, 7}}));
    const std::vector<ConvProblem> problems = convProblems(options);
    const std::vector<std::size_t> chosen = chooseProblems(options, problems.size(), 16);
    const double peak = options.list ? 0 : addComputePeak(options, report);
    for (const std::size_t i : chosen) {
        const ConvProblem& p = problems[i];
        std::map<std::string, Json> row = {{"problem", i + 1},
                                           {"w", p.w},
                                           {"h", p.h},
                                           {"c", p.c},
                                           {"n", p.n},
                                           {"k", p.k},
                                           {"s", p.s},
                                           {"r", p.r},
                                           {"padding", p.padding},
                                           {"stride", p.stride},
                                           {"precision", computedPrecision(options.dtype)},
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
