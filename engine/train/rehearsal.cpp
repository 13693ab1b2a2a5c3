// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/rehearsal.h"

#include "engine/core/thread_count.h"
#include "engine/optim/optimizer.h"

namespace scalebench::train {
namespace {

/// The first loads, the second finds memory as it will be, the third waits for nothing any more.
constexpr int kSteps = 3;

} // namespace

void rehearse(Backend& backend, const RunConfig& config, workloads::WarmUpInput& input,
              std::int64_t samples, Allocator& batchMemory)
{
    setComputeThreads(config.threadsPerWorker);
    if (config.options.memoryLimitMb > 0)
        backend.allocator().setLimit(std::size_t(config.options.memoryLimitMb) << 20);
    {
        const std::unique_ptr<Network> network = input.warmUpNetwork(backend);
        const Batch batch = input.warmUpBatch(samples, batchMemory);
        network->parameters().moveTo(backend);
        backend.setShapesRepeat(network->fixedWork());
        const auto optimizer = makeOptimizer(backend, network->parameters(), config.optimizer);
        const LossParams params{float(config.labelSmoothing), 1.0f / float(samples)};
        for (int step = 0; step < kSteps; ++step) {
            Tape tape(backend);
            tape.seedRandom(0);
            const LossResult loss = network->loss(tape, batch, params, true);
            tape.backward(loss.loss);
            optimizer->step(0.0);
            (void)loss.sums.get();
        }
        backend.synchronize();
    }
    backend.allocator().trim();
    backend.allocator().resetPeak();
}

} // namespace scalebench::train
