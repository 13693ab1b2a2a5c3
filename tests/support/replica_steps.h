// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Training steps of a replica without a trainer around them, for tests of a device against the
// CPU and of recorded steps against issued ones.

#include "engine/backend/host_copy.h"
#include "engine/data/prefetcher.h"
#include "engine/dist/communicator.h"
#include "engine/train/replica.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace scalebench::test {

/// A network and its next steps, one worker, SGD as RunConfig has it.
class ReplicaSteps
{
public:
    /// `lossScale`: 1 / samples of a batch.
    ReplicaSteps(std::unique_ptr<data::BatchSource> source, const train::DeviceFactory& devices,
                 bool graphs, double lossScale, double learningRate,
                 const train::NetworkFactory& makeNetwork)
        : comm_(dist::makeSelfCommunicator()),
          config_(configOf(graphs)),
          source_(std::move(source)),
          replica(config_, *comm_, devices, makeNetwork),
          batches(*source_, {}, 0, 1, 3, replica.keptBatches()),
          lossScale_(lossScale),
          learningRate_(learningRate)
    {
    }
    void step()
    {
        train::Replica::Step step;
        step.number = number_++;
        step.lossScale = lossScale_;
        replica.trainStep(step, learningRate_, batches, failure);
    }
    /// Waits for the device.
    std::vector<float> weights()
    {
        return toHost(replica.backend(), replica.parameters().values());
    }
    /// None where a step failed.
    std::vector<float> weightsAfter(int steps)
    {
        for (int i = 0; i < steps; ++i)
            step();
        return failure ? std::vector<float>() : weights();
    }

private:
    static RunConfig configOf(bool graphs)
    {
        RunConfig config;
        config.options.cudaGraphs = graphs;
        return config;
    }

    std::unique_ptr<dist::Communicator> comm_;
    RunConfig config_;
    std::unique_ptr<data::BatchSource> source_;

public:
    train::Replica replica;
    data::Prefetcher batches;
    std::optional<train::Failure> failure;

private:
    double lossScale_, learningRate_;
    int64_t number_ = 0;
};

/// The largest difference of two lists; 1e9 where they cannot be compared.
inline double largestGap(const std::vector<float>& a, const std::vector<float>& b)
{
    if (a.empty() || a.size() != b.size())
        return 1e9;
    double gap = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        const double d = std::abs(double(a[i]) - double(b[i]));
        gap = std::isnan(d) ? 1e9 : std::max(gap, d);
    }
    return gap;
}

} // namespace scalebench::test
