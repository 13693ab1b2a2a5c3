// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the network of a run takes in memory and on disk, before it starts.

#include "study/run_config.h"

#include <QString>

#include <optional>

namespace scalebench {

/// Bytes of values, gradients and the optimizer's state on the worker that has most of them. Of
/// DLRM with owned tables a share of these (engine/workloads/dlrm/table_placement.h), whose
/// gradients are a batch's rows only; where a worker may hold less than `allowance` bytes (0: any)
/// of whole tables, even shares of their rows, to a block or two. 0 where the number of parameters
/// follows from data that is not read yet. `runJson`: as run.json, of which the recipe's part is
/// enough.
qint64 networkBytesPerWorker(const QJsonObject& runJson, int workers, qint64 allowance = 0);

/// Bytes of a checkpoint: all values and the optimizer's state. 0 as of networkBytesPerWorker().
qint64 checkpointBytes(const QJsonObject& runJson);

/// What batches and activations take on a worker, roughly: by what the recipe says of a unit of the
/// batch, of DLRM by its sizes. 0 where the network's sizes are not the recipe's.
qint64 batchBytesPerWorker(const QJsonObject& runJson, int workers);

/// Why a run does not fit into `memoryBytes` of each computer: an error where its network does not,
/// a warning with the batch that does where that is by the estimate of its batches. Nothing where
/// it fits, or where nothing is known.
std::optional<Problem> memoryProblem(const RunConfig& run, qint64 memoryBytes);

/// "about 40 MB for the network on a worker", or with batches; empty where nothing is known. Of
/// several runs the most.
QString memoryText(const QList<RunConfig>& runs);

} // namespace scalebench
