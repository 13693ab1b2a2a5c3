// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The head that names regions and moves their boxes (Girshick 2015, arXiv 1504.08083; on pyramids
// Lin et al. 2016): two hidden layers on the region's features, then a score for each category and
// for the background, and a box for each of them.

#include "engine/models/detector/loss_total.h"
#include "engine/models/maskrcnn/roi_features.h"
#include "engine/models/maskrcnn/roi_samples.h"
#include "engine/nn/layers.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench {

struct BoxHeadConfig {
    int edge = 7; ///< of a region's features
    int hidden = 1024;
};

class BoxHead
{
public:
    BoxHead() = default;
    /// Parameters "<name>.hidden1", "hidden2", "scores", "boxes". The columns of hidden1.weight are
    /// row, column, channel of the features. classes: with the background.
    BoxHead(ParameterSet& parameters, const std::string& name, int channels, int classes,
            const BoxHeadConfig& config);
    /// Hidden layers uniform in +-sqrt(3 / in); scores and boxes normal with deviations 0.01 and
    /// 0.001; biases 0.
    void initialise(ParameterSet& parameters, std::uint64_t seed) const;

    struct Output {
        Variable scores; ///< [regions,classes], logits; 0 is the background
        Variable deltas; ///< [regions,classes,4], coded with kRoiWeights
    };
    /// features [regions,edge,edge,channels]
    Output operator()(Tape& tape, const ParameterSet& parameters, const Variable& features) const;
    int edge() const { return config_.edge; }

    /// Adds, for each picture, softmax cross-entropy of its regions and smooth L1 (border 1/9) of
    /// the deltas that the true category of the positive ones has, both over the number of its
    /// regions, times `scale`. Rows of the output: those of all samples, one after the other, and
    /// any further ones.
    void addLoss(LossTotal& losses, Tape& tape, const Output& output,
                 const std::vector<RoiSample>& samples, float scale) const;

    /// Found objects of each of `notes` without masks, by falling score, from regions sorted by
    /// image: the first rows of the output.
    std::vector<std::vector<FoundObject>> find(Backend& backend, const Output& output,
                                               const Regions& regions,
                                               const std::vector<PictureNote>& notes,
                                               const DetectOptions& options) const;

private:
    BoxHeadConfig config_;
    int classes_ = 0;
    int weights_[4] = {}, biases_[4] = {}; ///< hidden1, hidden2, scores, boxes
};

} // namespace scalebench
