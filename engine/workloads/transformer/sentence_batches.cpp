// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/transformer/sentence_batches.h"

#include "engine/workloads/token_tensors.h"
#include "engine/workloads/translation/translation_batches.h"

#include <algorithm>
#include <utility>

namespace scalebench::workloads {
namespace {

using Tokens = std::vector<int32_t>;

} // namespace

void padSentences(const std::vector<PairView>& pairs, Allocator& memory, Batch& batch)
{
    size_t longestSource = 1, longestTarget = 1;
    for (const PairView& p : pairs) {
        longestSource = std::max(longestSource, p.source.size());
        longestTarget = std::max(longestTarget, p.target.size() + 1);
    }
    const auto S = size_t(roundedUp(int64_t(longestSource), 4)),
               T = size_t(roundedUp(int64_t(longestTarget), 4));
    const size_t n = pairs.size();
    Tokens source(n * S, kPadToken), target(n * T, kPadToken), labels(n * T, -1), lengths;
    for (size_t i = 0; i < n; ++i) {
        const PairView& p = pairs[i];
        std::ranges::copy(p.source, source.begin() + std::ptrdiff_t(i * S));
        target[i * T] = kBeginToken;
        std::ranges::copy(p.target, target.begin() + std::ptrdiff_t(i * T + 1));
        lengths.push_back(int32_t(p.source.size()));
        std::ranges::copy(p.target, labels.begin() + std::ptrdiff_t(i * T));
        labels[i * T + p.target.size()] = kEndToken;
    }
    const auto rows = int64_t(n);
    batch.tensors = {
        tensorOf(source, {rows, int64_t(S)}, memory), tensorOf(target, {rows, int64_t(T)}, memory),
        tensorOf(labels, {rows, int64_t(T)}, memory), tensorOf(lengths, {rows}, memory)};
}

void packSentences(const std::vector<PairView>& pairs, Allocator& memory, Batch& batch)
{
    Tokens source, target, labels, sourceOffsets, targetOffsets;
    for (const PairView& p : pairs) {
        sourceOffsets.push_back(int32_t(source.size()));
        targetOffsets.push_back(int32_t(target.size()));
        source.insert(source.end(), p.source.begin(), p.source.end());
        target.push_back(kBeginToken);
        target.insert(target.end(), p.target.begin(), p.target.end());
        labels.insert(labels.end(), p.target.begin(), p.target.end());
        labels.push_back(kEndToken);
    }
    sourceOffsets.push_back(int32_t(source.size()));
    targetOffsets.push_back(int32_t(target.size()));
    source.resize(size_t(roundedUp(int64_t(source.size()), 64)), kPadToken);
    target.resize(size_t(roundedUp(int64_t(target.size()), 64)), kPadToken);
    labels.resize(target.size(), -1);
    const auto S = int64_t(source.size()), T = int64_t(target.size());
    const auto offsets = int64_t(sourceOffsets.size());
    batch.tensors = {tensorOf(source, {1, S}, memory), tensorOf(target, {1, T}, memory),
                     tensorOf(labels, {1, T}, memory), tensorOf(sourceOffsets, {offsets}, memory),
                     tensorOf(targetOffsets, {offsets}, memory)};
}

} // namespace scalebench::workloads
