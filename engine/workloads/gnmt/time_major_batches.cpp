// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/gnmt/time_major_batches.h"

#include "engine/workloads/translation/translation_batches.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace scalebench::workloads {
namespace {

Tensor filled(Shape shape, int32_t value, Allocator& memory)
{
    Tensor tensor = Tensor::empty(std::move(shape), DType::I32, memory);
    std::ranges::fill(tensor.i32(), value);
    return tensor;
}

/// Even, so that there are fewer shapes to prepare for.
int64_t steps(size_t longest)
{
    return int64_t((longest + 1) / 2 * 2);
}

} // namespace

void layTimeMajor(const std::vector<PairView>& pairs, Allocator& memory, Batch& batch)
{
    size_t longestSource = 1, longestTarget = 1;
    for (const PairView& p : pairs) {
        longestSource = std::max(longestSource, p.source.size());
        longestTarget = std::max(longestTarget, p.target.size() + 1);
    }
    const size_t n = pairs.size();
    const auto columns = int64_t(n);
    const Shape inTime = {steps(longestTarget), columns};
    batch.tensors = {filled({steps(longestSource), columns}, kPadToken, memory),
                     filled({columns}, 0, memory), filled(inTime, kPadToken, memory),
                     filled(inTime, -1, memory)};
    const auto source = batch.tensors[0].i32(), lengths = batch.tensors[1].i32(),
               target = batch.tensors[2].i32(), labels = batch.tensors[3].i32();
    for (size_t b = 0; b < n; ++b) {
        const PairView& p = pairs[b];
        for (size_t t = 0; t < p.source.size(); ++t)
            source[t * n + b] = p.source[t];
        lengths[b] = int32_t(p.source.size());
        target[b] = kBeginToken;
        for (size_t t = 0; t < p.target.size(); ++t)
            target[(t + 1) * n + b] = labels[t * n + b] = p.target[t];
        labels[p.target.size() * n + b] = kEndToken;
    }
}

} // namespace scalebench::workloads
