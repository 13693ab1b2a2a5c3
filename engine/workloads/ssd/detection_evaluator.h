// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// COCO's AP of boxes: each worker keeps what it found in its pictures, all of it is gathered once
// and measured. The same to the last bit for any number of workers, since the detections of a
// picture come from one.

#include "engine/detection/coco_metric.h"
#include "engine/workloads/evaluator.h"

namespace scalebench::workloads {

/// How outputs become detections.
struct DecodeOptions {
    double scoreThreshold = 0.05;
    double nmsOverlap = 0.5;
    int candidates = 200; ///< of a category before suppression
    int detections = 200; ///< of a picture
};

/// logits [A, 1+categories], deltas [A,4] of one picture and the default boxes [A,4] -> detections
/// with boxes in pixels of a picture of width x height, by falling score; categories from 0.
std::vector<detection::Detection> decodeDetections(std::span<const float> logits,
                                                   std::span<const float> deltas,
                                                   std::span<const float> defaults, int width,
                                                   int height, const DecodeOptions& options);

/// Metrics: box_map (AP over ten overlaps) and box_ap50.
class DetectionEvaluator final : public Evaluator
{
public:
    /// `truth` outlives this.
    DetectionEvaluator(const detection::AnnotatedSet& truth, const DecodeOptions& options)
        : truth_(truth), options_(options)
    {
    }

    void add(Backend& backend, Network& network, const Batch& batch) override;
    std::string partial() const override;
    Evaluation merge(std::span<const std::string> partials) const override;

private:
    const detection::AnnotatedSet& truth_;
    DecodeOptions options_;
    std::vector<detection::Detection> found_;
};

} // namespace scalebench::workloads
