// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Translation with a Transformer. Without `pack_sequences` every sentence has a row of its own,
// padded to the longest of its batch; with it the sentences of a batch lie one behind the other in
// one row, each seeing only itself, so that nothing is computed for padding.

#include "engine/data/sentence_pairs.h"
#include "engine/train/task.h"

#include <optional>
#include <vector>

namespace scalebench::train {

class TranslationTask final : public Task
{
public:
    explicit TranslationTask(const RunConfig& config);

    TaskSizes measure() override;
    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override;
    void open(dist::Communicator&, const LoadProgress&) override {}
    int64_t bytesRead() const override { return 0; }
    void fillTrain(std::span<const int64_t> samples, int64_t epoch,
                   data::Batch& batch) const override;
    void fillEval(std::span<const int64_t> samples, int64_t real,
                  data::Batch& batch) const override;
    scalebench::Batch tensors(const data::Batch& batch) const override;
    double lossScale(int64_t globalBatch) const override;
    const char* metric() const override { return "token_accuracy"; }
    std::string packingNote() const override { return {}; }

private:
    void fill(const data::SentencePairs& pairs, std::span<const int64_t> samples, int64_t real,
              data::Batch& batch) const;
    static void pad(const std::vector<data::SentencePair>& pairs, int64_t real, data::Batch& batch);
    static void pack(const std::vector<data::SentencePair>& pairs, int64_t real,
                     data::Batch& batch);

    const RunConfig& config_;
    data::SentencePairs train_, eval_;
};

} // namespace scalebench::train
