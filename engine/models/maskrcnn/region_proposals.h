// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Region proposal network on a feature pyramid (Ren et al. 2015, arXiv 1506.01497; Lin et al. 2016,
// arXiv 1612.03144): on every level one 3x3 convolution and two 1x1 that say of each anchor whether
// it holds an object and how to move it. One set of weights for all levels.

#include "engine/detection/anchors.h"
#include "engine/models/detector/detector.h"
#include "engine/models/detector/loss_total.h"
#include "engine/models/maskrcnn/proposals.h"
#include "engine/nn/layers.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench {

struct RegionProposalConfig {
    detection::AnchorConfig anchors; ///< one size a level
    ProposalOptions training = {2000, 2000}, evaluation = {1000, 1000};
    int samples = 256; ///< anchors of a picture that are trained on
    double positiveShare = 0.5;
    float high = 0.7f, low = 0.3f; ///< overlaps: an object from here on, none below
};

class RegionProposals
{
public:
    RegionProposals() = default;
    /// Parameters "<name>.conv", "<name>.objectness", "<name>.deltas".
    RegionProposals(ParameterSet& parameters, const std::string& name, int channels,
                    const RegionProposalConfig& config);
    /// Normal with deviation 0.01, biases 0.
    void initialise(ParameterSet& parameters, std::uint64_t seed) const;

    struct Output {
        Variable scores;            ///< [N,A], logits
        Variable deltas;            ///< [N,A,4]
        std::vector<float> anchors; ///< [A,4]
        std::vector<int64_t> anchorsByLevel;
    };
    /// levels: finest first, of images of height x width.
    Output operator()(Tape& tape, const ParameterSet& parameters,
                      const std::vector<Variable>& levels, int height, int width) const;

    /// Corners [n,4] for each note, on the host.
    std::vector<std::vector<float>> propose(Backend& backend, const Output& output,
                                            const std::vector<PictureNote>& notes,
                                            const ProposalOptions& options) const;

    /// Adds, for each picture, the binary cross-entropy of the sampled anchors and smooth L1
    /// (border 1/9) of the deltas of those with an object, both over the number of its samples,
    /// times `scale`. A picture's loss does not depend on the others of its batch, so that k
    /// workers do the update of one.
    void addLoss(LossTotal& losses, Tape& tape, const Output& output,
                 const std::vector<PictureNote>& notes, float scale) const;

private:
    RegionProposalConfig config_;
    Conv2d conv_, objectness_, deltas_;
};

} // namespace scalebench
