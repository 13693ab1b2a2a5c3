// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/dlrm/auc_evaluator.h"

#include "engine/autograd/tape.h"
#include "engine/models/dlrm/dlrm.h"
#include "kernels/check.h"

#include <cmath>

namespace scalebench::workloads {

void AucEvaluator::add(Backend& backend, Network& network, const Batch& batch)
{
    Tape tape(backend, Tape::Mode::Inference);
    const auto& dlrm = dynamic_cast<Dlrm&>(network);
    const Variable logits = dlrm.forward(tape, backend.upload(batch.tensors.at(0)),
                                         backend.upload(batch.tensors.at(1)));
    const Tensor host = backend.download(logits.value());
    const std::span<const float> scores = host.f32(), labels = batch.tensors.at(2).f32();
    for (size_t i = 0; i < size_t(std::any_cast<int64_t>(batch.notes)); ++i) {
        if (std::isnan(scores[i]))
            throw Error("diverged", "The network's score of an evaluation row is no number: "
                                    "training has diverged. Try a lower learning rate.");
        (labels[i] > 0 ? scores_.clicked : scores_.passed).push_back(scores[i]);
    }
}

Evaluation AucEvaluator::merge(std::span<const std::string> partials) const
{
    ClickScores all;
    for (const std::string& partial : partials)
        all.add(partial);
    if (all.clicked.empty() || all.passed.empty())
        throw InvalidArgument("all " + std::to_string(all.clicked.size() + all.passed.size()) +
                                  " rows of the evaluation data have the label " +
                                  (all.passed.empty() ? "1" : "0") +
                                  ": the area under the ROC curve needs both",
                              "data_damaged");
    return {{{"auc", areaUnderCurve(std::move(all))}}, {}};
}

} // namespace scalebench::workloads
