// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batches of sentence pairs as the Transformer takes them (its header). Padded: every sentence has
// a row of its own, as long as the longest of the batch. Packed: the sentences lie one behind the
// other in one row, each seeing only itself, so that nothing is computed for padding.

#include "engine/data/sampled_source.h"
#include "engine/data/sentence_pairs.h"
#include "engine/tensor/batch.h"

namespace scalebench::workloads {

/// Labels of the sentences behind the first list.real ones are -1. The tensors are of `memory`.
void fillSentences(const data::SentencePairs& pairs, const data::SampleList& list, bool packed,
                   Allocator& memory, Batch& batch);

} // namespace scalebench::workloads
