// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/transformer/sentence_batches.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace scalebench::workloads {
namespace {

using Tokens = std::vector<int32_t>;

/// Shapes come in steps, so that few different plans are made.
int64_t roundedUp(int64_t n, int64_t step)
{
    return (n + step - 1) / step * step;
}

Tensor tensorOf(const Tokens& tokens, Shape shape, Allocator& memory)
{
    Tensor tensor = Tensor::empty(std::move(shape), DType::I32, memory);
    std::ranges::copy(tokens, tensor.i32().begin());
    return tensor;
}

void pad(const std::vector<data::SentencePair>& pairs, int64_t real, Allocator& memory,
         Batch& batch)
{
    size_t longest = 0;
    for (const data::SentencePair& p : pairs)
        longest = std::max(longest, p.source.size());
    const size_t S = size_t(roundedUp(int64_t(longest), 8)), T = S + 1, n = pairs.size();
    Tokens source(n * S, data::kPadToken), target(n * T, data::kPadToken), labels(n * T, -1);
    Tokens lengths;
    for (size_t i = 0; i < n; ++i) {
        const data::SentencePair& p = pairs[i];
        std::ranges::copy(p.source, source.begin() + std::ptrdiff_t(i * S));
        target[i * T] = data::kBeginToken;
        std::ranges::copy(p.target, target.begin() + std::ptrdiff_t(i * T + 1));
        lengths.push_back(int32_t(p.source.size()));
        if (int64_t(i) >= real)
            continue;
        std::ranges::copy(p.target, labels.begin() + std::ptrdiff_t(i * T));
        labels[i * T + p.target.size()] = data::kEndToken;
    }
    const int64_t rows = int64_t(n);
    batch.tensors = {
        tensorOf(source, {rows, int64_t(S)}, memory), tensorOf(target, {rows, int64_t(T)}, memory),
        tensorOf(labels, {rows, int64_t(T)}, memory), tensorOf(lengths, {rows}, memory)};
}

void pack(const std::vector<data::SentencePair>& pairs, int64_t real, Allocator& memory,
          Batch& batch)
{
    Tokens source, target, labels, sourceOffsets, targetOffsets;
    for (size_t i = 0; i < pairs.size(); ++i) {
        const data::SentencePair& p = pairs[i];
        sourceOffsets.push_back(int32_t(source.size()));
        targetOffsets.push_back(int32_t(target.size()));
        source.insert(source.end(), p.source.begin(), p.source.end());
        target.push_back(data::kBeginToken);
        target.insert(target.end(), p.target.begin(), p.target.end());
        if (int64_t(i) < real) {
            labels.insert(labels.end(), p.target.begin(), p.target.end());
            labels.push_back(data::kEndToken);
        } else {
            labels.resize(target.size(), -1);
        }
    }
    sourceOffsets.push_back(int32_t(source.size()));
    targetOffsets.push_back(int32_t(target.size()));
    source.resize(size_t(roundedUp(int64_t(source.size()), 64)), data::kPadToken);
    target.resize(size_t(roundedUp(int64_t(target.size()), 64)), data::kPadToken);
    labels.resize(target.size(), -1);
    const int64_t S = int64_t(source.size()), T = int64_t(target.size());
    const int64_t offsets = int64_t(sourceOffsets.size());
    batch.tensors = {tensorOf(source, {1, S}, memory), tensorOf(target, {1, T}, memory),
                     tensorOf(labels, {1, T}, memory), tensorOf(sourceOffsets, {offsets}, memory),
                     tensorOf(targetOffsets, {offsets}, memory)};
}

} // namespace

void fillSentences(const data::SentencePairs& pairs, const data::SampleList& list, bool packed,
                   Allocator& memory, Batch& batch)
{
    std::vector<data::SentencePair> sentences;
    for (const int64_t sample : list.samples)
        sentences.push_back(pairs.pair(sample));
    batch.tensors.clear(); // their memory is used again
    if (packed)
        pack(sentences, list.real, memory, batch);
    else
        pad(sentences, list.real, memory, batch);
    batch.samples = int64_t(list.samples.size());
    batch.bytesRead = 0;
}

} // namespace scalebench::workloads
