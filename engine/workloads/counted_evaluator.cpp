// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/counted_evaluator.h"

#include "engine/autograd/tape.h"

#include <algorithm>
#include <cstring>

namespace scalebench::workloads {

void CountedEvaluator::add(Backend& backend, Network& network, const Batch& batch)
{
    Tape tape(backend, Tape::Mode::Inference);
    const LossResult result = network.loss(tape, batch, {}, false);
    const SoftmaxCeResult sums = result.sums.get();
    counts_.correct += sums.correct;
    counts_.total += sums.counted;
}

std::string CountedEvaluator::partial() const
{
    return {reinterpret_cast<const char*>(&counts_), sizeof counts_};
}

Evaluation CountedEvaluator::merge(std::span<const std::string> partials) const
{
    Evaluation::Counts sum;
    for (const std::string& partial : partials) {
        Evaluation::Counts part;
        std::memcpy(&part, partial.data(), std::min(sizeof part, partial.size()));
        sum.correct += part.correct;
        sum.total += part.total;
    }
    const double share = sum.total > 0 ? double(sum.correct) / double(sum.total) : 0.0;
    return {{{metric_, share}}, sum};
}

} // namespace scalebench::workloads
