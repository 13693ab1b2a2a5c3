// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Mask R-CNN on a feature pyramid (He et al. 2017, arXiv 1703.06870): a residual network and its
// pyramid, a network that proposes regions, and heads that name each, move its box and draw its
// mask. Details as torchvision's (matching, sampling, coding, suppression), sizes as MLPerf's.

#include "engine/models/detector/backbone.h"
#include "engine/models/detector/detector.h"
#include "engine/models/detector/feature_pyramid.h"
#include "engine/models/maskrcnn/box_head.h"
#include "engine/models/maskrcnn/mask_head.h"
#include "engine/models/maskrcnn/region_proposals.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scalebench {

struct MaskRcnnConfig {
    std::string name;
    int categories = 80; ///< without the background
    BackboneConfig backbone;
    int channels = 256; ///< of the pyramid
    RegionProposalConfig proposals;
    RoiLevels levels;
    RoiSampleOptions samples;
    BoxHeadConfig box;
    MaskHeadConfig mask;

    /// "maskrcnn_small" (objects of 10 to 100 pixels), "maskrcnn_resnet18" and "maskrcnn_resnet50"
    /// (as MLPerf's: batch norm, stem and first stage fixed); InvalidArgument otherwise.
    static MaskRcnnConfig byName(const std::string& name, int categories);
};

/// Batch: images F32 [N,H,W,3], normalised; notes: std::vector<PictureNote>, with the objects and
/// their masks where it is trained on.
class MaskRcnn final : public Detector
{
public:
    /// Initial weights from `seed`, the same everywhere.
    MaskRcnn(const MaskRcnnConfig& config, Backend& backend, Precision requested,
             std::uint64_t seed, const ArenaAllocator& gradientArena = {});
    ~MaskRcnn() override;

    /// Of each picture the sum of five: is there an object and where (proposals), which and where
    /// (box head), and its mask. Each is over the picture's own samples, so that k workers do the
    /// update of one. Picking proposals needs numbers on the host: on a device they travel. sums:
    /// correct and counted over the regions of the box head.
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params,
                    bool training) override;
    /// options.candidates is not read: how many regions the heads look at is the configuration's.
    std::vector<std::vector<FoundObject>> detect(Backend& backend, const Tensor& images,
                                                 const std::vector<PictureNote>& notes,
                                                 const DetectOptions& options) override;

    ParameterSet& parameters() noexcept override;
    const ComputePrecision& precision() const noexcept override;
    void setStatReducer(StatReducer reducer) override;
    const MaskRcnnConfig& config() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace scalebench
