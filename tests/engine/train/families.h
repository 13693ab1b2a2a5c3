// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Small networks of every family of workloads with data made from formulas, trained by the real
// Replica over any communicator: for tests that compare workers with one worker.

#include "engine/dist/communicator.h"
#include "engine/train/device_factory.h"

#include <functional>
#include <string>
#include <vector>

namespace scalebench::test {

/// "resnet" (batch norm over all workers, SGD), "mlp" (LAMB, clipping), "lstm" (a language model,
/// variable lengths, Adam), "transformer" (translation, padding, Adam), "bert" (two losses,
/// padding, Adam), "ncf" (tables with sparse gradients, Adam), "dlrm" (such tables, on several
/// workers owned, one by rows, with hot rows; Adam).
const std::vector<std::string>& familyNames();

struct FamilySetting {
    std::string family;
    int accumulate = 1; ///< micro-batches per step
    bool overlap = false;
    bool shard = false;
    std::string allReduce = "auto";
    int seed = 1;
    bool syncBatchNorm = true;
    bool whole = false;                         ///< steps by trainStep(), not by their parts
    bool graphs = false;                        ///< recorded and replayed
    float dropout = 0;                          ///< "lstm" only
    std::function<void(int rank)> beforeUpdate; ///< not with `whole`
    train::DeviceFactory devices = train::cpuDevices();
};

struct FamilyResult {
    std::vector<float> losses;     ///< of each step, over the global batch
    std::vector<float> parameters; ///< after the last step; without owned tables
    std::vector<float> initial;
    double updateCommMs = 0; ///< communication of this worker's updates; not with `whole`
    bool late = false;       ///< losses were read one step late
};

/// Ten steps of a global batch of 16 in buckets of 4 KiB. Every worker returns the same.
FamilyResult trainFamily(dist::Communicator& communicator, const FamilySetting& setting);

} // namespace scalebench::test
