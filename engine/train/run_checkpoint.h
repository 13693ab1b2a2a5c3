// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What of a run goes into a checkpoint, and back. A resumed run goes on bit for bit as the
// uninterrupted one: parameters, the optimizer's state (of all shards), each worker's batch-norm
// statistics, loss scale and position; shuffles, augmentation and dropout follow from seed and
// position.

#include "engine/core/checkpoint.h"
#include "engine/dist/communicator.h"
#include "engine/report/results_writer.h"
#include "engine/train/replica.h"

#include <cstdint>
#include <optional>
#include <string>

namespace scalebench::train {

/// Where a run stands.
struct RunPosition {
    int64_t step = 0;        ///< updates done
    int64_t samples = 0;     ///< seen by all workers
    int epoch = 1;           ///< in which the next step lies
    bool midEpoch = false;   ///< its epoch_start is in the stream
    double epochLossSum = 0; ///< of the mean losses of the epoch's steps so far
    int64_t epochSteps = 0;
    /// Epochs trained at the evaluation that is due or was still running, or 0.
    double pendingEval = 0;
};

/// What a run learns from, as its workload tells it.
struct DataIdentity {
    std::string encoding;
    int64_t trainSamples = 0, evalSamples = 0;
    std::string fingerprint; ///< of what the data holds
};

/// Collective. Rank 0 writes to `folder`; `writer` (rank 0, may be
/// null) says how long the stream is. `written` is called on rank 0. Throws AgreedError.
void saveRun(const std::string& folder, const RunConfig& config, const DataIdentity& data,
             const RunPosition& position, Replica& replica, dist::Communicator& communicator,
             const report::ResultsWriter* writer, const CheckpointProgress& written = {});

/// Collective; `checkpoint` on rank 0 only. Refuses one of another run (code `checkpoint`), naming
/// what differs. Throws AgreedError.
RunPosition restoreRun(const Checkpoint* checkpoint, const RunConfig& config,
                       const DataIdentity& data, Replica& replica,
                       dist::Communicator& communicator);

/// For ResultsWriter::resume and the pause. InvalidArgument (`checkpoint`) where it does not say
/// so.
report::ResultsWriter::Position streamPosition(const Checkpoint& checkpoint);

} // namespace scalebench::train
