// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// COCO's AP of boxes: each worker keeps what it found in its pictures, all of it is gathered once
// and measured. The same to the last bit for any number of workers, since the detections of a
// picture come from one.

#include "engine/detection/coco_metric.h"
#include "engine/models/detector/detector.h"
#include "engine/workloads/evaluator.h"

namespace scalebench::workloads {

/// Metrics: box_map (AP over ten overlaps) and box_ap50. The network is a Detector, notes of a
/// batch are its std::vector<PictureNote>.
class DetectionEvaluator final : public Evaluator
{
public:
    /// `truth` outlives this.
    DetectionEvaluator(const detection::AnnotatedSet& truth, const DetectOptions& options)
        : truth_(truth), options_(options)
    {
    }

    void add(Backend& backend, Network& network, const Batch& batch) override;
    std::string partial() const override;
    Evaluation merge(std::span<const std::string> partials) const override;

private:
    const detection::AnnotatedSet& truth_;
    DetectOptions options_;
    std::vector<detection::Detection> found_;
};

} // namespace scalebench::workloads
