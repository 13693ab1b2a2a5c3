// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batches of sentence pairs as GNMT takes them (its header): one column a sentence, one row a step
// in time, as many steps as the longest has, rounded up to an even number; the rest is padding,
// which counts nowhere.

#include "engine/tensor/batch.h"
#include "engine/workloads/translation/sentence_list.h"

#include <vector>

namespace scalebench::workloads {

/// Sets the tensors of `batch`, in `memory`.
void layTimeMajor(const std::vector<PairView>& pairs, Allocator& memory, Batch& batch);

} // namespace scalebench::workloads
