// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ncf/ranking_evaluator.h"

#include "engine/autograd/tape.h"
#include "engine/models/ncf/ncf.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace scalebench::workloads {

CandidateBatches::CandidateBatches(const Interactions& set, bool fullRanking, Allocator& memory)
    : set_(set),
      full_(fullRanking),
      candidates_(fullRanking ? set.items : set.negativesPerTest + 1),
      memory_(memory)
{
}

void CandidateBatches::fill(const data::SampleList& list, Batch& batch) const
{
    const int64_t rows = int64_t(list.samples.size()) * candidates_;
    batch.tensors.clear(); // their memory is used again
    batch.tensors = {Tensor::empty({rows}, DType::I32, memory_),
                     Tensor::empty({rows}, DType::I32, memory_)};
    batch.samples = int64_t(list.samples.size());
    batch.bytesRead = 0;
    batch.notes = std::vector<int64_t>(list.samples.begin(), list.samples.begin() + list.real);
    auto user = batch.tensors[0].i32().begin();
    auto item = batch.tensors[1].i32().begin();
    for (const int64_t test : list.samples) {
        user = std::fill_n(user, candidates_, set_.testUsers[size_t(test)]);
        if (full_) {
            std::iota(item, item + candidates_, 0);
            item += candidates_;
        } else {
            item = std::ranges::copy(set_.negativesOf(test), item).out;
            *item++ = set_.testItems[size_t(test)];
        }
    }
}

void RankingEvaluator::add(Backend& backend, Network& network, const Batch& batch)
{
    Tape tape(backend, Tape::Mode::Inference);
    auto& ncf = dynamic_cast<Ncf&>(network);
    const Variable logits =
        ncf.forward(tape, backend.upload(batch.tensors.at(0)), backend.upload(batch.tensors.at(1)));
    const Tensor host = backend.download(logits.value());
    const std::span<const float> scores = host.f32();
    const std::span<const int32_t> items = batch.tensors[1].i32();
    const size_t candidates = scores.size() / size_t(batch.samples);
    size_t first = 0;
    for (const int64_t test : std::any_cast<const std::vector<int64_t>&>(batch.notes)) {
        const auto ofUser = scores.subspan(first, candidates);
        totals_.add(full_ ? rankAmongAll(ofUser, set_.itemsOf(set_.testUsers[size_t(test)]),
                                         set_.testItems[size_t(test)])
                          : rankOfLast(ofUser, items.subspan(first, candidates)));
        first += candidates;
    }
}

std::string RankingEvaluator::partial() const
{
    const std::span<const int64_t> counts = totals_.counts();
    return {reinterpret_cast<const char*>(counts.data()), counts.size_bytes()};
}

Evaluation RankingEvaluator::merge(std::span<const std::string> partials) const
{
    RankingTotals sum(totals_.k());
    for (const std::string& partial : partials) {
        RankingTotals part(totals_.k());
        const std::span<int64_t> counts = part.counts();
        std::memcpy(counts.data(), partial.data(), std::min(partial.size(), counts.size_bytes()));
        sum.merge(part);
    }
    return {{{"hit_rate", sum.hitRate()}, {"ndcg", sum.ndcg()}}, {}};
}

} // namespace scalebench::workloads
