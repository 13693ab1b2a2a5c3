// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/bert/bert_evaluator.h"

#include "engine/autograd/tape.h"
#include "engine/models/bert/bert.h"

#include <algorithm>
#include <cstring>

namespace scalebench::workloads {

void BertEvaluator::add(Backend& backend, Network& network, const Batch& batch)
{
    Tape tape(backend, Tape::Mode::Inference);
    const Bert::Losses losses = dynamic_cast<Bert&>(network).losses(tape, batch, {}, false);
    const SoftmaxCeResult words = losses.words.get(), next = losses.next.get();
    counts_[0] += words.correct;
    counts_[1] += words.counted;
    counts_[2] += next.correct;
    counts_[3] += next.counted;
}

std::string BertEvaluator::partial() const
{
    return {reinterpret_cast<const char*>(counts_.data()), sizeof counts_};
}

Evaluation BertEvaluator::merge(std::span<const std::string> partials) const
{
    std::array<int64_t, 4> sum{};
    for (const std::string& partial : partials) {
        std::array<int64_t, 4> part{};
        std::memcpy(part.data(), partial.data(), std::min(sizeof part, partial.size()));
        for (size_t i = 0; i < sum.size(); ++i)
            sum[i] += part[i];
    }
    const auto share = [&](size_t i) {
        return sum[i + 1] > 0 ? double(sum[i]) / double(sum[i + 1]) : 0.0;
    };
    return {{{"masked_lm_accuracy", share(0)}, {"nsp_accuracy", share(2)}},
            Evaluation::Counts{sum[0], sum[1]}};
}

} // namespace scalebench::workloads
