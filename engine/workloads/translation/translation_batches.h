// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batches of sentence pairs. How they lie in tensors is the network's business (BatchLayout), which
// pairs a batch has is decided here.

#include "engine/data/batch_source.h"
#include "engine/data/bucket_sampler.h"
#include "engine/workloads/translation/sentence_list.h"

#include <functional>
#include <vector>

namespace scalebench::workloads {

/// Token ids that mean no piece of text, as text::SubwordVocabulary has them.
inline constexpr int32_t kPadToken = 0, kBeginToken = 1, kEndToken = 2;

/// Makes the tensors of `pairs`, in `memory`. Thread-safe.
using BatchLayout =
    std::function<void(const std::vector<PairView>& pairs, Allocator& memory, Batch& batch)>;

/// Training pairs in the order of a BucketSampler. Batch::samples counts pairs.
class TranslationTraining final : public data::BatchSource
{
public:
    /// `pairs` and `memory` outlive this.
    TranslationTraining(const PairList& pairs, data::BucketSampler sampler, BatchLayout layout,
                        Allocator& memory);
    int64_t batches(int64_t epoch) const override;
    void fill(int64_t epoch, int64_t index, Batch& batch) const override;

private:
    const PairList& pairs_;
    data::BucketSampler sampler_;
    BatchLayout layout_;
    Allocator& memory_;
};

/// Every evaluation pair once: the longest sources first, dealt to the workers in turn, so that a
/// batch wastes little and all are done at about the same time. The notes of a batch are a
/// std::vector<int64_t>: the numbers of its pairs. The last batch may be smaller.
class TranslationEvaluation final : public data::BatchSource
{
public:
    TranslationEvaluation(const PairList& pairs, int64_t batchSize, data::WorkerSlice slice,
                          BatchLayout layout, Allocator& memory);
    int64_t batches(int64_t epoch) const override;
    void fill(int64_t epoch, int64_t index, Batch& batch) const override;

private:
    const PairList& pairs_;
    int64_t batchSize_;
    std::vector<int64_t> mine_;
    BatchLayout layout_;
    Allocator& memory_;
};

/// Of the training pairs: the length that padding depends on.
std::vector<int32_t> pairLengths(const PairList& pairs);
/// Tokens of the target with the end token.
std::vector<int32_t> targetTokens(const PairList& pairs);

} // namespace scalebench::workloads
