// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// COCO's AP of boxes, and of masks: each worker keeps what it found in its pictures, all of it is
// gathered once and measured. The same to the last bit for any number of workers, since the
// detections of a picture come from one.

#include "engine/detection/coco_metric.h"
#include "engine/models/detector/detector.h"
#include "engine/workloads/evaluator.h"

namespace scalebench::workloads {

/// Metrics: box_map (AP over ten overlaps) and box_ap50; with masks box_map, mask_map, box_ap50 and
/// mask_ap50. The network is a Detector, notes of a batch are its std::vector<PictureNote>.
class DetectionEvaluator final : public Evaluator
{
public:
    /// `truth` outlives this. `masks`: the detector draws them and they are measured too.
    DetectionEvaluator(const detection::AnnotatedSet& truth, const DetectOptions& options,
                       bool masks)
        : truth_(truth), options_(options), masks_(masks)
    {
    }

    void add(Backend& backend, Network& network, const Batch& batch) override;
    std::string partial() const override { return found_; }
    Evaluation merge(std::span<const std::string> partials) const override;
    std::string pictures(std::span<const std::string> partials, double epoch) const override;

private:
    /// Moves `at` behind it. InvalidArgument for bytes that are cut off.
    detection::Detection read(const std::string& partial, size_t& at) const;
    /// What all workers found, by rank.
    std::vector<detection::Detection> readAll(std::span<const std::string> partials) const;

    const detection::AnnotatedSet& truth_;
    DetectOptions options_;
    bool masks_;
    std::string found_; ///< as it travels between workers
};

} // namespace scalebench::workloads
