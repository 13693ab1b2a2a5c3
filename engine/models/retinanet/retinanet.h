// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// RetinaNet (Lin et al. 2017, arXiv 1708.02002): a feature pyramid on a residual network, and two
// heads, the same on every level, that give each anchor a probability for each category and a box.

#include "engine/detection/anchors.h"
#include "engine/models/detector/backbone.h"
#include "engine/models/detector/detector.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scalebench {

struct RetinaNetConfig {
    std::string name;
    int categories = 80;
    BackboneConfig backbone;
    int channels = 256;              ///< of the pyramid and the heads
    int headConvs = 4;               ///< 3x3 convolutions before the last of each head
    detection::AnchorConfig anchors; ///< five levels, from stride 8

    /// "retinanet_small" (for pictures of about 128 pixels), "retinanet_resnet18",
    /// "retinanet_resnet50" and "retinanet_resnext50" (as MLPerf's); InvalidArgument otherwise.
    static RetinaNetConfig byName(const std::string& name, int categories);
};

/// Batch: images F32 [N,H,W,3], normalised, H and W multiples of 32; then for each level, finest
/// first, the four tensors of retinaTargets(). Notes: PictureNote.
class RetinaNet final : public Detector
{
public:
    /// Initial weights from `seed`: He normal in the backbone, the pyramid as FeaturePyramid says,
    /// heads normal with deviation 0.01 and the prior probability 0.01 of any category.
    RetinaNet(const RetinaNetConfig& config, Backend& backend, Precision requested,
              std::uint64_t seed, const ArenaAllocator& gradientArena = {});
    ~RetinaNet() override;

    struct Level {
        Variable logits; ///< [N, anchors of the level, categories]
        Variable deltas; ///< [N, anchors of the level, 4], coded with weights 1
    };
    std::vector<Level> forward(Tape& tape, const Tensor& images, bool training);
    /// Focal loss (alpha 0.25, gamma 2) of all anchors that are not ignored and L1 of the deltas of
    /// those with an object, both over the number of the latter in the picture (at least 1), so
    /// that k workers do the update of one.
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params,
                    bool training) override;
    std::vector<std::vector<FoundObject>> detect(Backend& backend, const Tensor& images,
                                                 const std::vector<PictureNote>& notes,
                                                 const DetectOptions& options) override;

    ParameterSet& parameters() noexcept override;
    const ComputePrecision& precision() const noexcept override;
    void setStatReducer(StatReducer reducer) override;
    const RetinaNetConfig& config() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace scalebench
