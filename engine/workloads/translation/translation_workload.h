// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Translation, whatever the network: data, batches and metric. A workload adds its network and how
// its batches lie in tensors.

#include "engine/workloads/device_input.h"
#include "engine/workloads/translation/translation_batches.h"
#include "engine/workloads/translation/translation_data.h"
#include "engine/workloads/workload.h"

#include <memory>

namespace scalebench::workloads {

class TranslationWorkload : public Workload, public WarmUpInput
{
public:
    bool measureReadsData() const override { return true; }
    void prepareNode(int threads, const LoadProgress& progress) override;
    void watchLoading(const LoadProgress& progress) override { progress_ = progress; }
    void prepareForAll(int threads) override;
    DataSizes measure() override;
    void open(const OpenContext& context) override;
    int64_t bytesRead() const override { return data_.bytesRead; }
    std::vector<std::pair<std::string, std::string>> dataFacts() const override;
    std::string encoding() const override;
    Fingerprint fingerprint() const override;
    std::vector<std::string> remarks() const override { return data_.remarks; }
    const data::BatchSource& training() const override { return *training_; }
    const data::BatchSource& evaluation() const override { return *evaluation_; }
    std::unique_ptr<Evaluator> makeEvaluator() const override;
    double lossScale(int64_t globalBatch) const override;
    Batch warmUpBatch(int64_t samples, Allocator& memory) override;

protected:
    /// Both outlive this.
    TranslationWorkload(const RunConfig& config, const TranslationRecipe& recipe);

    /// Of a training batch, and of an evaluation batch (which the network's decoder() takes).
    virtual BatchLayout trainingLayout() const = 0;
    virtual BatchLayout evaluationLayout() const = 0;
    /// Whether sentences lie one behind the other, so that sorting them by length brings nothing.
    virtual bool packed() const { return false; }
    /// After measure().
    int64_t vocabulary() const;
    /// While the text's is not known.
    int64_t standInVocabulary() const;

    const RunConfig& config_;

private:
    data::BucketSampler sampler(data::WorkerSlice slice) const;
    double positionsUsed() const;

    const TranslationRecipe& recipe_;
    LoadProgress progress_;
    TranslationData data_;
    std::unique_ptr<data::BatchSource> training_, evaluation_;
};

} // namespace scalebench::workloads
