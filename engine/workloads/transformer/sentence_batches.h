// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batches of sentence pairs as the Transformer takes them (its header). Padded: every sentence has
// a row of its own, as long as the longest of the batch. Packed: the sentences lie one behind the
// other in one row, each seeing only itself, so that nothing is computed for padding.

#include "engine/tensor/batch.h"
#include "engine/workloads/translation/sentence_list.h"

#include <vector>

namespace scalebench::workloads {

/// Sets the tensors of `batch`, in `memory`.
void padSentences(const std::vector<PairView>& pairs, Allocator& memory, Batch& batch);
void packSentences(const std::vector<PairView>& pairs, Allocator& memory, Batch& batch);

} // namespace scalebench::workloads
