// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/deepbench.h"
#include "engine/bench/op_bench.h"
#include "engine/bench/peak.h"
#include "engine/core/rng.h"
#include "kernels/check.h"
#include "kernels/lstm.h"

#include <cmath>

namespace scalebench::bench {

std::vector<RnnProblem> rnnProblems(const Options& options)
{
    if (options.sizes.empty())
        return {deepbenchRnn().begin(), deepbenchRnn().end()};
    std::vector<RnnProblem> problems;
    for (const auto& s : parseSizes(options.sizes, 3, "HIDDENxBATCHxSTEPS"))
        problems.push_back({s[0], s[1], s[2], RnnCell::Lstm});
    return problems;
}

namespace {

/// All arrays of one layer, input as wide as the hidden state.
struct Layer {
    LstmParams p;
    kernels::cpu::LstmPlan plan;
    Buffer x, wx, wh, bias, y, c, gates, dy, dx, dwx, dwh, db;
    Buffer packedInput, packedRecurrent, packedBackward, workspace;

    static std::size_t size(std::int64_t count, DType dtype)
    {
        return std::size_t(count) * dtypeBytes(dtype);
    }
    explicit Layer(const LstmParams& params)
        : p(params),
          plan(p),
          x(size(p.T * p.B * p.I, p.dtype)),
          wx(size(4 * p.H * p.I, DType::F32)),
          wh(size(4 * p.H * p.H, DType::F32)),
          bias(size(4 * p.H, DType::F32)),
          y(size(p.T * p.B * p.H, p.dtype)),
          c(size(p.T * p.B * p.H, DType::F32)),
          gates(size(p.T * p.B * 4 * p.H, p.dtype)),
          dy(size(p.T * p.B * p.H, p.dtype)),
          dx(size(p.T * p.B * p.I, p.dtype)),
          dwx(size(4 * p.H * p.I, DType::F32)),
          dwh(size(4 * p.H * p.H, DType::F32)),
          db(size(4 * p.H, DType::F32)),
          packedInput(plan.inputWeightBytes()),
          packedRecurrent(plan.recurrentWeightBytes()),
          packedBackward(plan.recurrentBackwardWeightBytes()),
          workspace(plan.workspaceBytes())
    {
        fillRandom(x.data(), p.T * p.B * p.I, p.dtype, 1);
        fillWeight(wx.as<float>(), 4 * p.H * p.I, 2);
        fillWeight(wh.as<float>(), 4 * p.H * p.H, 3);
        fillRandom(dy.data(), p.T * p.B * p.H, p.dtype, 4);
        if (plan.inputWeightBytes() > 0)
            plan.packInput(wx.as<float>(), packedInput.data());
        plan.packRecurrent(wh.as<float>(), packedRecurrent.data(), workspace.data());
        plan.packRecurrentBackward(wh.as<float>(), packedBackward.data(), workspace.data());
    }
    /// About 1 / sqrt(H), as trained layers have; a power of two keeps bf16 exact.
    void fillWeight(float* w, std::int64_t count, std::uint64_t seed) const
    {
        fillRandom(w, count, DType::F32, seed);
        const float factor = std::exp2(-std::floor(0.5f * std::log2(float(p.H))));
        for (std::int64_t i = 0; i < count; ++i)
            w[i] *= factor;
    }
    const void* inputWeight() const
    {
        return plan.inputWeightBytes() > 0 ? packedInput.data() : wx.data();
    }
    void forward() const
    {
        LstmForward f;
        f.x = x.data();
        f.wx = inputWeight();
        f.wh = packedRecurrent.data();
        f.bx = bias.as<float>();
        f.y = y.data();
        f.c = c.as<float>();
        f.gates = gates.data();
        plan.forward(f, workspace.data());
    }
    /// Needs forward() before each call: the gates are overwritten.
    void backward() const
    {
        LstmBackward b;
        b.x = x.data();
        b.wx = inputWeight();
        b.wh = packedBackward.data();
        b.y = y.data();
        b.c = c.as<float>();
        b.gates = gates.data();
        b.dy = dy.data();
        b.dx = dx.data();
        b.dwx = dwx.as<float>();
        b.dwh = dwh.as<float>();
        b.dbx = db.as<float>();
        plan.backward(b, workspace.data());
    }
};

double sigmoid(double v)
{
    return 1 / (1 + std::exp(-v));
}

/// Each step again in float64, from the state that the layer itself left before it.
SampleCheck checkForward(const Layer& l)
{
    const LstmParams& p = l.p;
    SampleCheck check(p.dtype);
    Rng random(5);
    for (int sample = 0; sample < 32; ++sample) {
        const std::int64_t t = random.below(std::uint32_t(p.T)),
                           b = random.below(std::uint32_t(p.B)),
                           h = random.below(std::uint32_t(p.H));
        double gate[4], magnitude = 0;
        for (int g = 0; g < 4; ++g) {
            double sum = 0;
            const std::int64_t row = g * p.H + h;
            for (std::int64_t i = 0; i < p.I; ++i) {
                const double term = valueAt(l.x.data(), (t * p.B + b) * p.I + i, p.dtype) *
                                    double(l.wx.as<float>()[row * p.I + i]);
                sum += term;
                magnitude += std::abs(term);
            }
            for (std::int64_t i = 0; t > 0 && i < p.H; ++i) {
                const double term = valueAt(l.y.data(), ((t - 1) * p.B + b) * p.H + i, p.dtype) *
                                    double(l.wh.as<float>()[row * p.H + i]);
                sum += term;
                magnitude += std::abs(term);
            }
            gate[g] = sum;
        }
        const double before = t > 0 ? double(l.c.as<float>()[((t - 1) * p.B + b) * p.H + h]) : 0.0;
        const double cell = sigmoid(gate[1]) * before + sigmoid(gate[0]) * std::tanh(gate[2]);
        // Gates are kept in the layer's type: four roundings between the sums and y.
        const double roundings = p.dtype == DType::BF16 ? 1e4 : 5;
        check.compare(valueAt(l.y.data(), (t * p.B + b) * p.H + h, p.dtype),
                      sigmoid(gate[3]) * std::tanh(cell), magnitude + roundings);
    }
    return check;
}

void measure(const Options& options, const RnnProblem& problem, double peak,
             std::map<std::string, Json> row, Report& report)
{
    LstmParams p;
    p.T = problem.steps;
    p.B = problem.batch;
    p.I = p.H = problem.hidden;
    p.dtype = options.dtype;
    const double element = double(dtypeBytes(p.dtype));
    const double states = double(p.T) * double(p.B) * double(p.H);
    const double weights = 8.0 * double(p.H) * double(p.H);
    // x, y, dy, dx and the gates; cells; weights, their gradients and packed copies.
    const double memory = states * (8 * element + 4) + weights * (8 + 2 * element);
    if (const std::string reason = reasonToSkip(options, 3 * problem.flops(), peak, memory);
        !reason.empty()) {
        row["note"] = reason;
        report.addRow(row);
        return;
    }
    const Layer layer(p);
    // The recurrent weight is read again in every step.
    const double bytes = states * 6 * element + weights * element * 0.5 * double(p.T + 1);
    const double fewer = isSplit(layer.plan.implementations()) ? kSplitFewer : 1;
    row["pass"] = "forward";
    std::map<std::string, Json> backward = row;
    const Timing forward = timeCalls(options, [&] { layer.forward(); });
    addTiming(row, forward, problem.flops(), bytes, peak, fewer);
    addCheck(row, checkForward(layer));
    report.addRow(row);

    // Backward overwrites the gates: both are timed and forward's median is taken off.
    Timing both = timeCalls(options, [&] {
        layer.forward();
        layer.backward();
    });
    const double share = both.seconds;
    both.seconds = std::max(both.seconds - forward.seconds, 1e-9);
    both.spread *= share / both.seconds;
    backward["pass"] = "backward";
    addTiming(backward, both, 2 * problem.flops(), 2 * bytes, peak, fewer);
    report.addRow(backward);
}

} // namespace

void runRnnBench(const Options& options, Report& report)
{
    report.setColumns(computeColumns({{"problem", "#", 0, 3},
                                      {"cell", "cell", -1, 7},
                                      {"hidden", "hidden", 0},
                                      {"batch", "batch", 0},
                                      {"steps", "steps", 0},
                                      {"pass", "pass", -1, 8}}));
    const std::vector<RnnProblem> problems = rnnProblems(options);
    const std::vector<std::size_t> chosen = chooseProblems(options, problems.size(), 6);
    const double peak = options.list ? 0 : addComputePeak(options, report);
    if (!options.list)
        report.addNote("Operations are those of the matrix products with input and hidden state; "
                       "backward counts twice forward.");
    for (const std::size_t i : chosen) {
        const RnnProblem& p = problems[i];
        std::map<std::string, Json> row = {
            {"problem", i + 1},          {"cell", rnnCellName(p.cell)},
            {"hidden", p.hidden},        {"batch", p.batch},
            {"steps", p.steps},          {"precision", computedPrecision(options.dtype)},
            {"threads", options.threads}};
        if (!options.list && p.cell != RnnCell::Lstm)
            row["note"] = std::string("skipped: no workload has a ") + rnnCellName(p.cell) +
                          " layer, so the engine has none";
        if (options.list || p.cell != RnnCell::Lstm) {
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
