// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The head that draws masks (He et al. 2017, arXiv 1703.06870, figure 4, right): 3x3 convolutions
// on the region's features, a transposed one of twice the size and a 1x1 that gives a mask for each
// category.

#include "engine/models/detector/loss_total.h"
#include "engine/models/maskrcnn/roi_features.h"
#include "engine/models/maskrcnn/roi_samples.h"
#include "engine/nn/layers.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scalebench {

struct MaskHeadConfig {
    int edge = 14; ///< of a region's features; the masks have twice that
    int channels = 256;
    int layers = 4;
};

class MaskHead
{
public:
    MaskHead() = default;
    /// Parameters "<name>.conv1" ..., "<name>.grow", "<name>.masks". classes: with the background,
    /// whose mask nobody looks at.
    MaskHead(ParameterSet& parameters, const std::string& name, int channels, int classes,
             const MaskHeadConfig& config);
    /// He normal with fan out, biases 0.
    void initialise(ParameterSet& parameters, std::uint64_t seed) const;

    /// features [regions,edge,edge,channels] -> logits [regions,2 edge,2 edge,classes].
    Variable operator()(Tape& tape, const ParameterSet& parameters, const Variable& features) const;
    int edge() const { return config_.edge; }
    int maskEdge() const { return 2 * config_.edge; }

    /// Adds, for each picture, the mean binary cross-entropy over the pixels of the masks of its
    /// positive regions, each that of the true category, times `scale`. masks: what operator()
    /// gives for them, of all samples one after the other, and for any further regions: one at
    /// least.
    void addLoss(LossTotal& losses, Tape& tape, const Variable& masks,
                 const std::vector<RoiSample>& samples, const std::vector<PictureNote>& notes,
                 float scale) const;

    /// Probabilities [n,2 edge,2 edge] of the categories of the first n regions, on the host.
    std::vector<float> probabilities(Backend& backend, const Variable& masks,
                                     std::span<const int32_t> categories) const;

private:
    /// Numbers of the pixels of labels[i]'s mask, for all regions i.
    std::vector<int32_t> pixelsOf(std::span<const int32_t> labels) const;

    MaskHeadConfig config_;
    int classes_ = 0;
    std::vector<Conv2d> convs_;
    int growWeight_ = -1, growBias_ = -1;
    Conv2d masks_;
};

} // namespace scalebench
