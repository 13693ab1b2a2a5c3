// SPDX-License-Identifier: GPL-3.0-or-later
// Times a training step of a residual network on synthetic input and prints the share of each op.
// Usage: bench_resnet_step [network [batch [fp32|bf16 [threads [steps]]]]]

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "engine/core/rng.h"
#include "engine/core/thread_count.h"
#include "engine/models/resnet/resnet.h"
#include "engine/nn/loss.h"
#include "engine/optim/sgd.h"

using namespace scalebench;

namespace {

/// Time this thread really ran: what a step costs when neighbours take the core away in between.
double threadMs()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

void run(const std::string& name, std::int64_t batch, Precision precision, int threads, int steps)
{
    setComputeThreads(threads);
    const auto backend = makeCpuBackend();
    const bool imageNet = name == "resnet50";
    ResNet net(ResNetConfig::byName(name, imageNet ? 1000 : 10), *backend, precision, 1);
    SgdOptimizer sgd(*backend, net.parameters(), {0.9, 1e-4, true});
    std::printf("%s, %s, batch %lld, %d thread(s), %s (%s)\n", backend->describe().c_str(),
                name.c_str(), static_cast<long long>(batch), threads,
                precisionName(net.precision().precision), net.precision().reason.c_str());

    const std::int64_t size = net.config().imageSize;
    Tensor images = Tensor::empty({batch, size, size, 3}, DType::F32, backend->allocator());
    Tensor labels = Tensor::empty({batch}, DType::I32, backend->allocator());
    Rng rng(7);
    for (float& v : images.f32())
        v = rng.normal();
    for (auto& v : labels.i32())
        v = std::int32_t(rng.below(10));

    Tape tape(*backend);
    LossParams loss;
    loss.scale = 1.0f / float(batch);
    auto step = [&] {
        const Variable logits = net.forward(tape, images, true);
        const LossResult r = softmaxCrossEntropy(tape, logits, labels, loss);
        tape.backward(r.loss);
        sgd.step(0.01);
        return r.lossSum / double(batch);
    };
    for (int i = 0; i < 3; ++i)
        step();
    backend->setProfiling(true);
    std::vector<double> ms, cpuMs;
    double last = 0;
    for (int i = 0; i < steps; ++i) {
        const double cpuStart = threadMs();
        const auto start = std::chrono::steady_clock::now();
        last = step();
        ms.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count());
        cpuMs.push_back(threadMs() - cpuStart);
    }
    std::sort(ms.begin(), ms.end());
    std::sort(cpuMs.begin(), cpuMs.end());
    const double median = ms[ms.size() / 2];
    std::printf("step %.2f ms (best %.2f), %.0f samples/s (best %.0f), loss %.4f, memory peak %zu "
                "MiB\n",
                median, ms[0], 1000.0 * double(batch) / median, 1000.0 * double(batch) / ms[0],
                last, backend->allocator().stats().peakBytesInUse >> 20);
    if (threads == 1) {
        const double cpu = cpuMs[cpuMs.size() / 2];
        std::printf("on the core %.2f ms, %.0f samples/s\n", cpu, 1000.0 * double(batch) / cpu);
    }
    double total = 0;
    for (const OpTime& t : backend->profile())
        total += t.ms;
    for (const OpTime& t : backend->profile())
        std::printf("  %-24s %8.3f ms/step  %5.1f %%  %4lld calls\n", t.op.c_str(), t.ms / steps,
                    100.0 * t.ms / total, static_cast<long long>(t.calls / steps));
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const std::string name = argc > 1 ? argv[1] : "resnet20";
        const std::int64_t batch = argc > 2 ? std::atoll(argv[2]) : 128;
        const int threads = argc > 4 ? std::atoi(argv[4]) : 1;
        const int steps = argc > 5 ? std::atoi(argv[5]) : 30;
        if (argc > 3)
            run(name, batch, parsePrecision(argv[3]), threads, steps);
        else
            for (Precision p : {Precision::Fp32, Precision::Bf16})
                run(name, batch, p, threads, steps);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
