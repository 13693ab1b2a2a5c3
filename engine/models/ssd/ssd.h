// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SSD (Liu et al. 2015, arXiv 1512.02325): a residual network cut off where its maps are still
// large, further maps of half the size each, and two 3x3 convolutions on every map that give, for
// each default box, a category and how to move it.

#include "engine/detection/default_boxes.h"
#include "engine/models/detector/detector.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scalebench {

/// A further map: 1x1 convolution to `middle` channels, 3x3 to `out`, ReLU after both.
struct SsdExtra {
    int middle = 0, out = 0, stride = 2, padding = 1;
};

struct SsdConfig {
    std::string name;
    int categories = 80;      ///< without the background
    bool imageNetStem = true; ///< 7x7/2 convolution and 3x3/2 max pool instead of one 3x3/2
    int stemChannels = 64;
    std::vector<int> blocks, channels, strides; ///< of the backbone's stages; the last is map 0
    std::vector<SsdExtra> extras;               ///< maps 1, 2, ...
    bool extraNorm = false; ///< batch norm instead of a bias in the extras: to train from scratch
    detection::DefaultBoxConfig boxes;

    /// "ssd_small" (128x128, four maps), "ssd_resnet18" and "ssd_resnet34" (300x300, six maps, as
    /// MLPerf's: ResNet to conv4_x with stride 1 there, 8,732 boxes); InvalidArgument otherwise.
    static SsdConfig byName(const std::string& name, int categories);
};

/// Batch: images F32 or BF16 [N,E,E,3], normalised, E = boxes.imageSize; labels I32 [N,A] and
/// targets F32 [N,A,4] (detection::assignBoxes).
class Ssd final : public Detector
{
public:
    /// Initial weights from `seed`, the same everywhere: He normal in the backbone, Glorot uniform
    /// in extras and heads.
    Ssd(const SsdConfig& config, Backend& backend, Precision requested, std::uint64_t seed,
        const ArenaAllocator& gradientArena = {});
    ~Ssd() override;

    struct Output {
        Variable logits; ///< [N,A,1+categories]; 0 is the background
        Variable deltas; ///< [N,A,4], coded with weights 10, 10, 5, 5
    };
    Output forward(Tape& tape, const Tensor& images, bool training);
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params,
                    bool training) override;
    bool fixedWork() const override { return true; }
    std::vector<std::vector<FoundObject>> detect(Backend& backend, const Tensor& images,
                                                 const std::vector<PictureNote>& notes,
                                                 const DetectOptions& options) override;

    ParameterSet& parameters() noexcept override;
    const ComputePrecision& precision() const noexcept override;
    void setStatReducer(StatReducer reducer) override;
    const SsdConfig& config() const noexcept;
    /// [A,4], see detection::makeDefaultBoxes().
    const std::vector<float>& defaultBoxes() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace scalebench
