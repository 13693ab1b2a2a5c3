// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/translation_task.h"

#include "engine/models/transformer/transformer.h"
#include "kernels/check.h"

#include <algorithm>

namespace scalebench::train {
namespace {

// Where the integer arrays of a data::Batch hold what (Transformer's batch; the last one or two are
// lengths or offsets).
enum Arrays : size_t { kSource, kTarget, kLabels, kExtra, kExtraTarget };

/// Shapes come in steps, so that few different plans are made.
int64_t roundedUp(int64_t n, int64_t step)
{
    return (n + step - 1) / step * step;
}

Tensor view(const std::vector<int32_t>& values, Shape shape)
{
    return Tensor::view(const_cast<int32_t*>(values.data()), std::move(shape), DType::I32);
}

} // namespace

TranslationTask::TranslationTask(const RunConfig& config)
    : config_(config),
      train_(config.data.trainSamples, config.model.vocabulary, config.model.maxLength, 1),
      eval_(config.data.evalSamples, config.model.vocabulary, config.model.maxLength, 2)
{
}

TaskSizes TranslationTask::measure()
{
    if (config_.data.source == DataSource::Files)
        throw Unsupported("workload \"transformer\" has no reader for text files yet: use data "
                          "\"generated\" or \"synthetic\"");
    if (train_.size() < config_.globalBatch)
        throw InvalidArgument("the " + std::to_string(train_.size()) +
                                  " training sentences do not fill one global batch of " +
                                  std::to_string(config_.globalBatch) + "; choose a smaller batch",
                              "batch");
    return {train_.size(), eval_.size()};
}

std::unique_ptr<Network> TranslationTask::makeNetwork(Backend& backend, const ArenaAllocator& arena)
{
    TransformerConfig model =
        TransformerConfig::byName(config_.model.name, config_.model.vocabulary);
    model.dropout = float(config_.model.dropout);
    return std::make_unique<Transformer>(model, backend, parsePrecision(config_.precision),
                                         uint64_t(config_.seed), arena);
}

double TranslationTask::lossScale(int64_t globalBatch) const
{
    return 1.0 / (double(globalBatch) * (train_.meanLength() + 1.0)); // with the end token
}

void TranslationTask::fillTrain(std::span<const int64_t> samples, int64_t, data::Batch& batch) const
{
    fill(train_, samples, int64_t(samples.size()), batch);
}

void TranslationTask::fillEval(std::span<const int64_t> samples, int64_t real,
                               data::Batch& batch) const
{
    fill(eval_, samples, real, batch);
}

void TranslationTask::fill(const data::SentencePairs& pairs, std::span<const int64_t> samples,
                           int64_t real, data::Batch& batch) const
{
    std::vector<data::SentencePair> sentences;
    for (const int64_t sample : samples)
        sentences.push_back(pairs.pair(sample));
    batch.count = int64_t(samples.size());
    batch.bytesRead = 0;
    if (config_.options.packSequences)
        pack(sentences, real, batch);
    else
        pad(sentences, real, batch);
}

void TranslationTask::pad(const std::vector<data::SentencePair>& pairs, int64_t real,
                          data::Batch& batch)
{
    size_t longest = 0;
    for (const data::SentencePair& p : pairs)
        longest = std::max(longest, p.source.size());
    const size_t S = size_t(roundedUp(int64_t(longest), 8)), T = S + 1, n = pairs.size();
    auto& arrays = batch.integers;
    arrays.resize(4);
    arrays[kSource].assign(n * S, data::kPadToken);
    arrays[kTarget].assign(n * T, data::kPadToken);
    arrays[kLabels].assign(n * T, -1);
    arrays[kExtra].clear();
    for (size_t i = 0; i < n; ++i) {
        const data::SentencePair& p = pairs[i];
        std::ranges::copy(p.source, arrays[kSource].begin() + std::ptrdiff_t(i * S));
        arrays[kTarget][i * T] = data::kBeginToken;
        std::ranges::copy(p.target, arrays[kTarget].begin() + std::ptrdiff_t(i * T + 1));
        arrays[kExtra].push_back(int32_t(p.source.size()));
        if (int64_t(i) >= real)
            continue;
        std::ranges::copy(p.target, arrays[kLabels].begin() + std::ptrdiff_t(i * T));
        arrays[kLabels][i * T + p.target.size()] = data::kEndToken;
    }
}

void TranslationTask::pack(const std::vector<data::SentencePair>& pairs, int64_t real,
                           data::Batch& batch)
{
    auto& arrays = batch.integers;
    arrays.resize(5);
    for (auto& array : arrays)
        array.clear();
    for (size_t i = 0; i < pairs.size(); ++i) {
        const data::SentencePair& p = pairs[i];
        arrays[kExtra].push_back(int32_t(arrays[kSource].size()));
        arrays[kExtraTarget].push_back(int32_t(arrays[kTarget].size()));
        arrays[kSource].insert(arrays[kSource].end(), p.source.begin(), p.source.end());
        arrays[kTarget].push_back(data::kBeginToken);
        arrays[kTarget].insert(arrays[kTarget].end(), p.target.begin(), p.target.end());
        if (int64_t(i) < real) {
            arrays[kLabels].insert(arrays[kLabels].end(), p.target.begin(), p.target.end());
            arrays[kLabels].push_back(data::kEndToken);
        } else {
            arrays[kLabels].resize(arrays[kTarget].size(), -1);
        }
    }
    arrays[kExtra].push_back(int32_t(arrays[kSource].size()));
    arrays[kExtraTarget].push_back(int32_t(arrays[kTarget].size()));
    arrays[kSource].resize(size_t(roundedUp(int64_t(arrays[kSource].size()), 64)), data::kPadToken);
    arrays[kTarget].resize(size_t(roundedUp(int64_t(arrays[kTarget].size()), 64)), data::kPadToken);
    arrays[kLabels].resize(arrays[kTarget].size(), -1);
}

scalebench::Batch TranslationTask::tensors(const data::Batch& batch) const
{
    const auto& arrays = batch.integers;
    const int64_t rows = config_.options.packSequences ? 1 : batch.count;
    const auto matrix = [&](size_t i) {
        return view(arrays[i], {rows, int64_t(arrays[i].size()) / rows});
    };
    scalebench::Batch out{{matrix(kSource), matrix(kTarget), matrix(kLabels)}, batch.count};
    for (size_t i = kExtra; i < arrays.size(); ++i)
        out.tensors.push_back(view(arrays[i], {int64_t(arrays[i].size())}));
    return out;
}

} // namespace scalebench::train
