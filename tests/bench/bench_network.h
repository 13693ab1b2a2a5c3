// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The networks that bench_train measures, each with a synthetic batch. A further network is one
// factory in bench_network.cpp and one module in pytorch/networks.py.

#include <memory>
#include <string>
#include <vector>

#include "engine/nn/network.h"
#include "engine/tensor/allocator.h"

namespace scalebench::bench {

struct BenchNetwork {
    std::shared_ptr<CachingAllocator> host; ///< memory of the batch; outlives it
    std::unique_ptr<Network> network;
    Batch batch;                         ///< in the host's memory
    std::vector<std::string> inputNames; ///< of batch.tensors, for dumps
    LossParams loss;                     ///< scale: makes the loss a mean over what is counted
    std::string optimizer = "sgd";
    bool resident = false; ///< all of the batch may lie in a device's memory
    bool plain = false;    ///< SGD without momentum and decay
};

/// "resnet20", "resnet50", ...: with `samples` samples of noise, weights and batch a pure function
/// of the seed; weights are on the host until they are moved to the backend. `dropout` false
/// switches it off where the network has it (a comparison of gradients cannot share random numbers
/// with another program). InvalidArgument lists the names.
BenchNetwork makeBenchNetwork(const std::string& name, std::int64_t samples, Precision precision,
                              bool dropout, std::uint64_t seed, Backend& backend);

/// Names accepted above.
std::vector<std::string> benchNetworkNames();

} // namespace scalebench::bench
