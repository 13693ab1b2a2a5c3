// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batches as BERT takes them (engine/models/bert/bert.h). Padded: every sequence has a row, as long
// as the longest of the batch. Packed: sequences lie behind each other, each seeing only itself, so
// that nothing is computed for padding.

#include "engine/data/batch_source.h"
#include "engine/data/sampled_source.h"
#include "engine/workloads/bert/corpus.h"
#include "engine/workloads/bert/sequence_pairs.h"
#include "engine/workloads/bert/word_masking.h"

#include <cstdint>
#include <vector>

namespace scalebench::workloads {

struct SequenceSet {
    Corpus corpus;
    SequencePairs pairs;
    PieceIds ids;
    MaskSettings masks;

    int64_t size() const { return int64_t(pairs.size()); }
    /// [CLS] A [SEP] B [SEP]
    std::vector<int32_t> tokens(int64_t index) const;
    /// Tokens of a sequence, on average.
    double meanLength() const;
};

struct BatchForm {
    bool packed = false;
    int64_t maxLength = 512;
    uint64_t seed = 1; ///< of the masks
};

/// Masks are drawn from the form's seed, list.epoch and the number of the sequence. What lies
/// behind the first list.real sequences has no labels. `wordFactor`: tensor 6.
void fillSequences(const SequenceSet& set, const BatchForm& form, const data::SampleList& list,
                   float wordFactor, Allocator& memory, Batch& batch);

/// Shuffled anew in each epoch, as data::ShuffledSource; the factor of the masked words makes their
/// loss the mean over those of the global batch, which every worker counts for itself.
class TrainSequences final : public data::BatchSource
{
public:
    /// `set` and `memory` outlive this. The seed of `form` is the run's.
    TrainSequences(const SequenceSet& set, const BatchForm& form, int64_t globalBatch,
                   int gradAccum, data::WorkerSlice slice, Allocator& memory);

    int64_t batches(int64_t epoch) const override;
    void fill(int64_t epoch, int64_t index, Batch& batch) const override;

private:
    const SequenceSet& set_;
    BatchForm form_;
    int64_t globalBatch_;
    int gradAccum_;
    data::WorkerSlice slice_;
    data::TrainSampler whole_; ///< of one worker: global batches
    Allocator& memory_;
};

} // namespace scalebench::workloads
