// SPDX-License-Identifier: GPL-3.0-or-later
// Trains a few steps on every rank of a job and writes the final parameters and losses, for
// comparison between jobs of different size.
// Arguments: output file, network ("plain": no batch norm; or a ResNet's name), sync_bn (0/1),
// micro-batches per step, overlap (0/1), seed.

#include "engine/autograd/functions.h"
#include "engine/dist/mpi/mpi_communicator.h"
#include "engine/nn/layers.h"
#include "engine/train/agreement.h"
#include "engine/train/trainer.h"
#include "engine/workloads/resnet/resnet_workload.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

using namespace scalebench;

namespace {

/// conv, ReLU, conv/2, ReLU, mean, linear: everything but batch norm.
class PlainNetwork final : public ImageClassifier
{
public:
    PlainNetwork(Backend& backend, uint64_t seed, const ArenaAllocator& arena)
        : precision_(backend.computePrecision(Precision::Fp32)),
          first_(parameters_, "first", 3, 16, 3, 1, 1),
          second_(parameters_, "second", 16, 32, 3, 2, 1),
          last_(parameters_, "last", 32, 10)
    {
        parameters_.build(arena);
        first_.initialise(parameters_, seed);
        second_.initialise(parameters_, seed);
        last_.initialise(parameters_, seed);
        parameters_.markValuesChanged();
    }
    Variable forward(Tape& tape, const Tensor& input, bool) override
    {
        Variable x = autograd::relu(tape, first_(tape, parameters_, Variable(input)));
        x = autograd::relu(tape, second_(tape, parameters_, x));
        return last_(tape, parameters_, autograd::globalAvgPool(tape, x));
    }
    ParameterSet& parameters() noexcept override { return parameters_; }
    const ComputePrecision& precision() const noexcept override { return precision_; }
    void setStatReducer(StatReducer) override {}

private:
    ComputePrecision precision_;
    ParameterSet parameters_;
    Conv2d first_, second_;
    Linear last_;
};

RunConfig makeConfig(int workers, const std::string& network, bool syncBn, int accumulate,
                     bool overlap, int64_t seed)
{
    RunConfig config;
    config.runId = "check";
    config.workers = workers;
    auto recipe = std::make_shared<workloads::ResNetRecipe>();
    recipe->classes = 10;
    recipe->augment = {4, true, false};
    config.model = network == "plain" ? "resnet8" : network;
    config.recipe = recipe;
    config.data.source = DataSource::Synthetic;
    config.data.trainSamples = 80;
    config.data.evalSamples = 30;
    config.globalBatch = 16;
    config.optimizer.nesterov = true;
    config.optimizer.weightDecay = 5e-4;
    config.schedule.baseLearningRate = 0.02;
    config.epochs = 2;
    config.seed = seed;
    config.options.syncBn = syncBn;
    config.options.gradAccum = accumulate;
    config.options.overlap = overlap;
    config.options.bucketMb = 0.02;
    return config;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 7)
        return 2;
    const std::string network = argv[2];
    const dist::MpiScope mpi;
    const auto comm = dist::makeMpiCommunicator();
    const int64_t seed = std::atoi(argv[6]);
    const RunConfig config = makeConfig(comm->size(), network, std::atoi(argv[3]) != 0,
                                        std::atoi(argv[4]), std::atoi(argv[5]) != 0, seed);
    train::TrainerOptions options;
    options.keepParameters = true;
    if (network == "plain")
        options.makeNetwork = [&](Backend& backend, const ArenaAllocator& arena) {
            return std::make_unique<PlainNetwork>(backend, uint64_t(seed), arena);
        };
    try {
        train::Trainer trainer(config, *comm, nullptr, options);
        const train::Outcome outcome = trainer.run();
        std::vector<float> numbers(outcome.epochLoss.begin(), outcome.epochLoss.end());
        numbers.insert(numbers.end(), outcome.epochQuality.begin(), outcome.epochQuality.end());
        numbers.insert(numbers.end(), outcome.parameters.begin(), outcome.parameters.end());
        // Every rank must hold the same values, bit for bit.
        const std::string mine(reinterpret_cast<const char*>(numbers.data()),
                               numbers.size() * sizeof(float));
        for (const std::string& other : comm->allGather(mine))
            if (other != mine) {
                std::printf("rank %d differs from another\n", comm->rank());
                comm->abort(1);
            }
        if (comm->rank() == 0)
            std::ofstream(argv[1], std::ios::binary)
                .write(mine.data(), std::streamsize(mine.size()));
    } catch (const std::exception& e) {
        std::printf("rank %d: %s\n", comm->rank(), e.what());
        comm->abort(1);
    }
    return 0;
}
