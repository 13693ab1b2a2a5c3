// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/device_bench.h"

#include "engine/bench/op_bench.h"
#include "engine/core/rng.h"
#include "kernels/check.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace scalebench::bench {
namespace {

using Row = std::map<std::string, Json>;

class DeviceBench
{
public:
    DeviceBench(const Options& options, Backend& backend, Report& report)
        : options_(options), backend_(backend), report_(report)
    {
    }

    void gemm();
    void convolution();
    void attention();
    void memory();

private:
    Tensor random(Shape shape, DType dtype, std::uint64_t seed)
    {
        Tensor host = Tensor::empty(std::move(shape), dtype, host_);
        fillRandom(host.data(), host.count(), dtype, seed);
        return backend_.upload(host);
    }

    /// One call's time, of many that are issued and then waited for.
    Timing timed(const std::function<void()>& call)
    {
        const auto group = [&](int calls) {
            for (int i = 0; i < calls; ++i)
                call();
            backend_.synchronize();
        };
        group(1); // plans and lazily loaded libraries
        const auto start = std::chrono::steady_clock::now();
        group(1);
        const std::chrono::duration<double> one = std::chrono::steady_clock::now() - start;
        const int calls = std::clamp(int(0.02 / std::max(one.count(), 1e-7)), 1, 200);
        Timing timing = timeCalls(options_, [&] { group(calls); });
        timing.seconds /= calls;
        return timing;
    }

    SampleCheck checkProduct(const MatmulArgs& args, const Tensor& a, const Tensor& b,
                             const Tensor& c) const;

    /// Floating-point operations a second of a large square product: what the libraries reach on
    /// this device, whatever its data sheet says.
    double computePeak()
    {
        const std::int64_t n = options_.quick ? 512 : 8192;
        const Tensor a = random({n, n}, options_.dtype, 1), b = random({n, n}, options_.dtype, 2);
        const MatmulArgs args{false, false, options_.dtype};
        const Timing timing = timed([&] { (void)backend_.matmul().matmul(args, a, b); });
        const double flops = 2.0 * double(n) * double(n) * double(n) / timing.seconds;
        report_.addNote("Peak: " + std::to_string(int(flops / 1e9)) + " GFLOP/s, a product of " +
                        std::to_string(n) + " x " + std::to_string(n) + " in " +
                        dtypeName(options_.dtype) + " in this run");
        return flops;
    }

    void compute(Row row, double flops, double bytes, double peak,
                 const std::function<void()>& call, const SampleCheck* check = nullptr,
                 const std::function<std::string()>& servedBy = {})
    {
        try {
            addTiming(row, timed(call), flops, bytes, peak);
            if (const std::string by = servedBy ? servedBy() : std::string(); !by.empty())
                row["note"] = by;
            if (check != nullptr)
                addCheck(row, *check);
        } catch (const Unsupported& e) {
            row["note"] = std::string("unsupported: ") + e.what();
        }
        report_.addRow(row);
    }

    Row rowOf(std::size_t problem) const
    {
        return {{"problem", problem + 1}, {"precision", dtypeName(options_.dtype)}};
    }

    /// Names the problems where that is all that was asked for.
    bool onlyListed(const Row& row)
    {
        if (options_.list)
            report_.addRow(row);
        return options_.list;
    }

    const Options& options_;
    Backend& backend_;
    Report& report_;
    CachingAllocator host_;
};

void DeviceBench::gemm()
{
    report_.setColumns(computeColumns({{"problem", "#", 0, 3},
                                       {"m", "m", 0, 5},
                                       {"n", "n", 0, 5},
                                       {"k", "k", 0, 6},
                                       {"a_b", "AB", -1}}));
    const std::vector<GemmProblem> problems = gemmProblems(options_);
    const double peak = options_.list ? 0 : computePeak(),
                 element = double(dtypeBytes(options_.dtype));
    for (const std::size_t i : chooseProblems(options_, problems.size(), 16)) {
        const GemmProblem& p = problems[i];
        Row row = rowOf(i);
        row["m"] = p.m, row["n"] = p.n, row["k"] = p.k;
        row["a_b"] = std::string(p.transA ? "T" : "N") + (p.transB ? "T" : "N");
        if (onlyListed(row))
            continue;
        // Column-major C = op(A) op(B) is row-major C^T = op(B)^T op(A)^T on the same memory.
        const MatmulArgs args{p.transB, p.transA, options_.dtype};
        const Tensor a = random(p.transB ? Shape{p.k, p.n} : Shape{p.n, p.k}, options_.dtype, 1);
        const Tensor b = random(p.transA ? Shape{p.m, p.k} : Shape{p.k, p.m}, options_.dtype, 2);
        const double bytes = element * double(a.count() + b.count() + p.m * p.n);
        const SampleCheck check = checkProduct(args, a, b, backend_.matmul().matmul(args, a, b));
        compute(
            row, p.flops(), bytes, peak, [&] { (void)backend_.matmul().matmul(args, a, b); },
            &check);
    }
}

SampleCheck DeviceBench::checkProduct(const MatmulArgs& args, const Tensor& a, const Tensor& b,
                                      const Tensor& c) const
{
    const Tensor x = backend_.download(a), y = backend_.download(b), z = backend_.download(c);
    const std::int64_t M = c.dim(0), N = c.dim(1), K = a.dim(args.transA ? 0 : 1);
    SampleCheck check(c.dtype());
    Rng random(7);
    for (int sample = 0; sample < 32; ++sample) {
        const std::int64_t i = random.below(std::uint32_t(M)), j = random.below(std::uint32_t(N));
        double sum = 0, magnitude = 0;
        for (std::int64_t k = 0; k < K; ++k) {
            const double term = valueAt(x.data(), args.transA ? k * M + i : i * K + k, x.dtype()) *
                                valueAt(y.data(), args.transB ? j * K + k : k * N + j, y.dtype());
            sum += term;
            magnitude += std::abs(term);
        }
        check.compare(valueAt(z.data(), i * N + j, z.dtype()), sum, magnitude);
    }
    return check;
}

void DeviceBench::convolution()
{
    report_.setColumns(computeColumns({{"problem", "#", 0, 3},
                                       {"input", "input NxHxWxC", -1, 18},
                                       {"filters", "filters", -1, 14},
                                       {"pass", "pass", -1, 8}}));
    const std::vector<ConvProblem> problems = convProblems(options_);
    const double peak = options_.list ? 0 : computePeak(),
                 element = double(dtypeBytes(options_.dtype));
    const auto text = [](std::initializer_list<std::int64_t> numbers) {
        std::string all;
        for (const std::int64_t n : numbers) {
            if (!all.empty())
                all += 'x';
            all += std::to_string(n);
        }
        return all;
    };
    for (const std::size_t i : chooseProblems(options_, problems.size(), 16)) {
        const ConvProblem& problem = problems[i];
        const Conv2dParams p = convParams(problem, options_.dtype);
        Row row = rowOf(i);
        row["input"] = text({p.N, p.H, p.W, p.C});
        row["filters"] = text({p.K, p.R, p.S}) + "/" + std::to_string(p.stride);
        if (onlyListed(row))
            continue;
        try {
            (void)layerParams(problem, options_.dtype);
        } catch (const Unsupported& e) {
            row["note"] = std::string("unsupported: ") + e.what();
            report_.addRow(row);
            continue;
        }
        const Tensor x = random({p.N, p.H, p.W, p.C}, p.dtype, 1);
        const Tensor dy = random({p.N, p.outH(), p.outW(), p.K}, p.dtype, 3);
        const WeightRef w{random({p.K, p.C, p.R, p.S}, DType::F32, 2), 1};
        const Tensor dw = backend_.zeros({p.K, p.C, p.R, p.S}, DType::F32);
        const double bytes = element * double(x.count() + dy.count() + dw.count());
        ConvolutionOps& ops = backend_.convolution();
        row["pass"] = "forward";
        compute(row, problem.flops(), bytes, peak,
                [&] { (void)ops.conv2dForward(p, x, w, Tensor()); });
        row["pass"] = "data";
        compute(row, problem.flops(), bytes, peak, [&] { (void)ops.conv2dBackwardData(p, dy, w); });
        row["pass"] = "weight";
        compute(row, problem.flops(), bytes, peak,
                [&] { ops.conv2dBackwardWeight(p, x, dy, dw, false); });
    }
}

void DeviceBench::attention()
{
    report_.setColumns(computeColumns({{"problem", "#", 0, 3},
                                       {"name", "name", -1, 23},
                                       {"batch", "batch", 0},
                                       {"heads", "heads", 0},
                                       {"sequence", "sequence", 0},
                                       {"depth", "depth", 0},
                                       {"causal", "causal", 0},
                                       {"pass", "pass", -1, 8}}));
    const std::vector<AttentionProblem> problems = attentionProblems(options_);
    const double peak = options_.list ? 0 : computePeak(),
                 element = double(dtypeBytes(options_.dtype));
    for (const std::size_t i : chooseProblems(options_, problems.size(), 3)) {
        const AttentionProblem& p = problems[i];
        Row row = rowOf(i);
        row["name"] = p.name, row["batch"] = p.batch, row["heads"] = p.heads;
        row["sequence"] = p.sequence, row["depth"] = p.depth, row["causal"] = p.causal;
        if (onlyListed(row))
            continue;
        const Shape shape{p.batch, p.sequence, p.heads * p.depth};
        const auto tokens = [&](std::uint64_t seed) {
            return TokenColumns{random(shape, options_.dtype, seed), 0};
        };
        const TokenColumns q = tokens(1), k = tokens(2), v = tokens(3), dq = tokens(5),
                           dk = tokens(6), dv = tokens(7);
        const Tensor dO = random(shape, options_.dtype, 4);
        DotAttentionArgs args;
        args.heads = p.heads;
        args.headDim = p.depth;
        args.causal = p.causal;
        args.mask = sentenceMask(p.batch, p.sequence, p.sequence);
        AttentionOps& ops = backend_.attention();
        const double bytes = element * double(dO.count());
        row["pass"] = "forward";
        const auto served = [&] { return ops.servedBy(); };
        compute(
            row, p.forwardFlops(), 4 * bytes, peak,
            [&] { (void)ops.dotAttentionForward(args, q, k, v, true); }, nullptr, served);
        const DotAttentionResult forward = ops.dotAttentionForward(args, q, k, v, true);
        row["pass"] = "backward";
        compute(
            row, p.backwardFlops(), 8 * bytes, peak,
            [&] {
                ops.dotAttentionBackward(args, q, k, v, forward, dO, {dq, dk, dv});
            },
            nullptr, served);
    }
}

/// Copies inside the device's memory, read and written both counted, and to it from the host's.
void DeviceBench::memory()
{
    report_.setColumns({{"operation", "operation", -1, 14},
                        {"bytes", "bytes", 0, 12},
                        {"median_ms", "ms", 4, 10},
                        {"spread_percent", "spread %", 1},
                        {"gb_per_s", "GB/s", 2, 8},
                        {"wrong", "wrong", 0}});
    std::vector<std::int64_t> sizes = {64 << 10, 1 << 20, 16 << 20, 256 << 20};
    if (!options_.sizes.empty())
        sizes = parseByteList(options_.sizes);
    else if (options_.quick)
        sizes.resize(2);
    for (const std::int64_t bytes : sizes) {
        if (onlyListed({{"operation", "copy"}, {"bytes", bytes}}))
            continue;
        const std::int64_t floats = std::max<std::int64_t>(bytes / 4, 1);
        Tensor host = Tensor::empty({floats}, DType::F32, host_);
        fillRandom(host.data(), floats, DType::F32, 1);
        const Tensor from = backend_.upload(host), to = backend_.zeros({floats}, DType::F32);
        const auto measured = [&](const char* operation, double moved, const Tensor& source) {
            const Timing timing = timed([&] { backend_.copy(source, to); });
            const Tensor back = backend_.download(to);
            report_.addRow({{"operation", operation},
                            {"bytes", floats * 4},
                            {"median_ms", timing.seconds * 1e3},
                            {"spread_percent", timing.spread * 100},
                            {"gb_per_s", moved * double(floats) * 4 / timing.seconds / 1e9},
                            {"wrong", std::ranges::equal(back.f32(), host.f32()) ? 0 : 1}});
            backend_.clear(to);
        };
        measured("copy", 2, from);
        measured("host to device", 1, host);
    }
}

} // namespace

void runDeviceBench(const std::string& benchmark, const Options& options, Backend& backend,
                    Report& report)
{
    backend.setShapesRepeat(true);
    DeviceBench bench(options, backend, report);
    if (benchmark == "gemm")
        bench.gemm();
    else if (benchmark == "conv")
        bench.convolution();
    else if (benchmark == "attention")
        bench.attention();
    else if (benchmark == "memory")
        bench.memory();
    else
        throw InvalidArgument("bench " + benchmark +
                                  " measures processors only: on a device there are gemm, conv, "
                                  "attention, memory and allreduce",
                              "usage");
}

} // namespace scalebench::bench
