// SPDX-License-Identifier: GPL-3.0-or-later
// One timed block of training steps on synthetic input, as one JSON line: the engine's half of the
// comparison with PyTorch (pytorch/compare.py). --profile adds the share of every op, --dump writes
// weights, batch, loss and gradients of the first step for pytorch/parity.py instead of timing.

#include <time.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench_network.h"
#include "engine/bench/handover.h"
#include "engine/core/thread_count.h"
#include "engine/core/thread_waits.h"
#include "engine/device/cuda_loader.h"
#include "engine/optim/optimizer.h"
#include "kernels/check.h"
#include "tensor_file.h"

using namespace scalebench;
using namespace scalebench::bench;

namespace {

struct Options {
    std::string network = "resnet20", device = "cpu", dump;
    std::int64_t batch = 128;
    Precision precision = Precision::Fp32;
    int threads = 1, warmup = 3, steps = 20;
    int seed = 1; // of weights and batch
    bool profile = false;
};

/// Time the process really ran on its cores: neighbours that take a core away do not count.
double cpuMs()
{
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

/// "VmRSS" or "VmHWM" (the peak) of this process.
double memoryMiB(const std::string& field)
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(field + ":"))
            return std::stod(line.substr(field.size() + 1)) / 1024.0;
    throw Error("io", "no " + field + " in /proc/self/status");
}

int number(const std::string& option, const std::string& text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    SB_REQUIRE(error == std::errc() && end == text.data() + text.size() && value >= 0,
               option + " wants a number, not \"" + text + "\"");
    return value;
}

Options parse(int argc, char** argv)
{
    Options o;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--profile") {
            o.profile = true;
            continue;
        }
        SB_REQUIRE(i + 1 < argc, option + " needs a value or is unknown");
        const std::string value = argv[++i];
        if (option == "--network")
            o.network = value;
        else if (option == "--device")
            o.device = value;
        else if (option == "--dump")
            o.dump = value;
        else if (option == "--precision")
            o.precision = parsePrecision(value);
        else if (option == "--batch")
            o.batch = number(option, value);
        else if (option == "--threads")
            o.threads = number(option, value);
        else if (option == "--warmup")
            o.warmup = number(option, value);
        else if (option == "--steps")
            o.steps = number(option, value);
        else if (option == "--seed")
            o.seed = number(option, value);
        else
            throw InvalidArgument("unknown option " + option);
    }
    SB_REQUIRE(o.steps > 0, "--steps must be at least 1");
    SB_REQUIRE(o.device == "cpu" || o.device == "cuda", "--device is cpu or cuda");
    SB_REQUIRE(o.device == "cpu" || o.dump.empty(), "--dump is for the CPU");
    return o;
}

/// Share of every op, and what a step takes beside them: tape, allocator, the loop here.
void printProfile(Backend& backend, double stepsMs, int steps)
{
    double total = 0;
    for (const OpTime& t : backend.profile())
        total += t.ms;
    for (const OpTime& t : backend.profile())
        std::printf("  %-28s %9.3f ms/step  %5.1f %%  %4lld calls\n", t.op.c_str(), t.ms / steps,
                    100.0 * t.ms / stepsMs, static_cast<long long>(t.calls / steps));
    std::printf("  %-28s %9.3f ms/step  %5.1f %%\n", "outside of ops", (stepsMs - total) / steps,
                100.0 * (stepsMs - total) / stepsMs);
}

void dump(const Options& o, const BenchNetwork& net, double loss)
{
    NamedTensors tensors;
    for (std::size_t i = 0; i < net.inputNames.size(); ++i)
        tensors.emplace_back("input." + net.inputNames[i], net.batch.tensors[i]);
    const ParameterSet& set = net.network->parameters();
    for (std::size_t i = 0; i < set.parameters().size(); ++i) {
        const ParameterInfo& p = set.parameters()[i];
        tensors.emplace_back("parameter." + p.name, set.value(int(i)));
        if (!p.sparse) {
            tensors.emplace_back("gradient." + p.name, set.gradient(int(i)));
        } else if (const auto& sparse = set.sparseGradient(int(i)); !sparse->empty()) {
            tensors.emplace_back("rows." + p.name, sparse->rows);
            tensors.emplace_back("rowgradient." + p.name, sparse->values);
        }
    }
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", loss);
    writeTensorFile(o.dump, tensors,
                    {{"network", o.network},
                     {"precision", precisionName(net.network->precision().precision)},
                     {"loss", text}});
    std::printf("%s, batch %lld, loss %s: %s written\n", o.network.c_str(),
                static_cast<long long>(o.batch), text, o.dump.c_str());
}

struct Timing {
    std::vector<double> wallMs, cpuMs;
    double loss = 0;
};

template <class Step>
Timing measure(int steps, Step&& step)
{
    Timing t;
    ThreadWaits waits(computeThreads()); // as in training
    for (int i = 0; i < steps; ++i) {
        waits.look();
        const double cpuStart = cpuMs();
        const auto start = std::chrono::steady_clock::now();
        t.loss = step();
        const std::chrono::duration<double, std::milli> wall =
            std::chrono::steady_clock::now() - start;
        t.wallMs.push_back(wall.count());
        t.cpuMs.push_back(cpuMs() - cpuStart);
    }
    return t;
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    const std::size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

void run(const Options& o)
{
    std::ofstream("/proc/self/clear_refs") << "5"; // the peak starts here
    const double before = memoryMiB("VmRSS");
    setComputeThreads(o.threads);
    const bool cuda = o.device == "cuda";
    const auto backend = cuda ? device::cudaPlugin().makeBackend(0, true) : makeCpuBackend();
    backend->setShapesRepeat(true);
    BenchNetwork net = makeBenchNetwork(o.network, o.batch, o.precision, o.dump.empty(),
                                        std::uint64_t(o.seed), *backend);
    ParameterSet& parameters = net.network->parameters();
    if (cuda) {
        parameters.moveTo(*backend);
        // They lie there already, as PyTorch's do; but lengths, and what a network works out from
        // its batch, are the host's.
        for (std::size_t i = 0; i < net.batch.tensors.size(); ++i)
            if (Tensor& t = net.batch.tensors[i];
                net.resident || (i == 0 && t.dtype() == DType::F32))
                t = backend->upload(t);
    }
    Tape tape(*backend);
    auto gradients = [&] {
        const LossResult r = net.network->loss(tape, net.batch, net.loss, true);
        tape.backward(r.loss);
        return r.sums;
    };
    if (!o.dump.empty()) {
        dump(o, net, gradients().get().lossSum * double(net.loss.scale));
        return;
    }
    OptimizerConfig config;
    config.kind = parseOptimizerKind(net.optimizer);
    config.weightDecay = config.kind == OptimizerKind::Sgd && !net.plain ? 1e-4 : 0.0;
    if (net.plain)
        config.momentum = 0;
    const auto optimizer = makeOptimizer(*backend, parameters, config);
    const double rate = config.kind == OptimizerKind::Sgd ? 0.01 : 1e-4;
    auto step = [&] {
        const LossSums sums = gradients();
        optimizer->step(rate);
        // Waits for the device, as PyTorch's half does.
        return sums.get().lossSum * double(net.loss.scale);
    };
    measure(o.warmup, step);
    backend->setProfiling(o.profile);
    const auto handover = [&] { return o.threads > 1 && !cuda ? measureHandover() : 0; };
    const double handoverBefore = handover();
    const Timing t = measure(o.steps, step);
    const double peak = memoryMiB("VmHWM");
    const double best = *std::ranges::min_element(t.wallMs), samples = double(o.batch) * 1e3;
    const nlohmann::ordered_json line = {
        {"program", "scalebench " + backend->describe()},
        {"network", o.network},
        {"batch", o.batch},
        {"precision", precisionName(net.network->precision().precision)},
        {"threads", o.threads},
        {"steps", o.steps},
        {"samplesPerSecond", samples / median(t.wallMs)},
        {"samplesPerSecondBest", samples / best},
        {"samplesPerCpuSecond", samples / median(t.cpuMs)},
        {"peakMiB", peak},
        {"stepMiB", peak - before},
        {"arenaMiB", double(backend->allocator().stats().peakBytesInUse) / 1048576.0},
        {"loss", t.loss},
        {"handoverNs", {handoverBefore, handover()}}, // of a line between processors; 0: none
    };
    std::printf("%s\n", line.dump().c_str());
    if (o.profile) {
        // By the clock of the profile (computeSeconds()).
        const auto& ms = o.threads == 1 && !cuda ? t.cpuMs : t.wallMs;
        printProfile(*backend, std::accumulate(ms.begin(), ms.end(), 0.0), o.steps);
    }
}

} // namespace

int main(int argc, char** argv)
{
    try {
        run(parse(argc, argv));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_train: %s\n", e.what());
        return 1;
    }
    return 0;
}
