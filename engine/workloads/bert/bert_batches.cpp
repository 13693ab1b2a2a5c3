// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/bert/bert_batches.h"

#include "engine/workloads/token_tensors.h"

#include <algorithm>
#include <span>
#include <utility>

namespace scalebench::workloads {
namespace {

/// Apart from the other uses of a seed.
constexpr uint64_t kMaskStream = 0x6d61736b; // "mask"

/// The columns of a batch while it is put together.
struct Columns {
    std::vector<int32_t> tokens, types, rows, labels, next, lengths;
};

void addSequence(const SequenceSet& set, const BatchForm& form, int64_t index, int64_t epoch,
                 bool real, Columns& c)
{
    std::vector<int32_t> tokens = set.tokens(index);
    const std::vector<MaskedWord> words =
        maskWords(tokens, set.ids, set.masks,
                  data::HashRandom({form.seed, kMaskStream, uint64_t(epoch), uint64_t(index)}));
    const SequencePair pair = set.pairs[size_t(index)];
    const auto begin = int32_t(c.tokens.size());
    c.tokens.insert(c.tokens.end(), tokens.begin(), tokens.end());
    c.types.insert(c.types.end(), size_t(pair.firstCount) + 2, 0);
    c.types.insert(c.types.end(), size_t(pair.secondCount) + 1, 1);
    for (const MaskedWord& word : words) {
        c.rows.push_back(begin + word.position);
        c.labels.push_back(real ? word.label : -1);
    }
    c.next.push_back(real ? int32_t(pair.random) : -1);
    c.lengths.push_back(int32_t(tokens.size()));
}

} // namespace

std::vector<int32_t> SequenceSet::tokens(int64_t index) const
{
    const SequencePair& p = pairs[size_t(index)];
    std::vector<int32_t> out;
    out.reserve(size_t(p.length()));
    const auto add = [&](int64_t begin, int64_t count) {
        const auto part = corpus.tokens.all().subspan(size_t(begin), size_t(count));
        out.insert(out.end(), part.begin(), part.end());
        out.push_back(ids.separator);
    };
    out.push_back(ids.classification);
    add(p.firstBegin, p.firstCount);
    add(p.secondBegin, p.secondCount);
    return out;
}

double SequenceSet::meanLength() const
{
    int64_t all = 0;
    for (size_t i = 0; i < pairs.size(); ++i)
        all += pairs[i].length();
    return pairs.size() == 0 ? 0 : double(all) / double(pairs.size());
}

void fillSequences(const SequenceSet& set, const BatchForm& form, const data::SampleList& list,
                   float wordFactor, Allocator& memory, Batch& batch)
{
    batch.tensors.clear(); // their memory is used again
    int64_t longest = 0;
    for (const int64_t index : list.samples)
        longest = std::max(longest, set.pairs[size_t(index)].length());
    const int64_t width = std::min(roundedUp(longest, 32), form.maxLength);
    const auto n = int64_t(list.samples.size());

    Columns c;
    std::vector<int32_t> offsets{0};
    for (int64_t i = 0; i < n; ++i) {
        addSequence(set, form, list.samples[size_t(i)], list.epoch, i < list.real, c);
        offsets.push_back(int32_t(c.tokens.size()));
        if (!form.packed) {
            c.tokens.resize(size_t((i + 1) * width), set.ids.pad);
            c.types.resize(c.tokens.size(), 0);
        }
    }
    if (form.packed) {
        c.tokens.resize(size_t(roundedUp(int64_t(c.tokens.size()), 64)), set.ids.pad);
        c.types.resize(c.tokens.size(), 0);
    }
    c.labels.resize(size_t(roundedUp(int64_t(c.labels.size()), 16)), -1);
    c.rows.resize(c.labels.size(), 0);

    const Shape shape = form.packed ? Shape{1, int64_t(c.tokens.size())} : Shape{n, width};
    const auto masked = int64_t(c.labels.size());
    Tensor factor = Tensor::empty({1}, DType::F32, memory);
    factor.f32()[0] = wordFactor;
    batch.tensors = {tensorOf(c.tokens, shape, memory),
                     tensorOf(c.types, shape, memory),
                     tensorOf(c.rows, {masked}, memory),
                     tensorOf(c.labels, {masked}, memory),
                     tensorOf(c.next, {n}, memory),
                     form.packed ? tensorOf(offsets, {n + 1}, memory)
                                 : tensorOf(c.lengths, {n}, memory),
                     factor};
    batch.samples = n;
    batch.bytesRead = 0;
}

TrainSequences::TrainSequences(const SequenceSet& set, const BatchForm& form, int64_t globalBatch,
                               int gradAccum, data::WorkerSlice slice, Allocator& memory)
    : set_(set),
      form_(form),
      globalBatch_(globalBatch),
      gradAccum_(gradAccum),
      slice_(slice),
      whole_(set.size(), globalBatch, 1, {}, form.seed),
      memory_(memory)
{
}

int64_t TrainSequences::batches(int64_t) const
{
    return whole_.stepsPerEpoch() * gradAccum_;
}

void TrainSequences::fill(int64_t epoch, int64_t index, Batch& batch) const
{
    const int64_t step = index / gradAccum_;
    const std::vector<int64_t> global = whole_.microBatch(epoch, step);
    int64_t words = 0;
    for (const int64_t sample : global)
        words += maskedCount(set_.pairs[size_t(sample)].length(), set_.masks);
    const auto [first, size] = data::microBatchRange(index, globalBatch_, gradAccum_, slice_);
    const auto mine = std::span(global).subspan(size_t(first - step * globalBatch_), size_t(size));
    fillSequences(set_, form_, {mine, size, epoch}, float(double(globalBatch_) / double(words)),
                  memory_, batch);
}

} // namespace scalebench::workloads
