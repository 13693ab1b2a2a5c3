// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/maskrcnn/region_proposals.h"

#include "engine/backend/backend.h"
#include "engine/models/maskrcnn/region_sampling.h"
#include "engine/models/maskrcnn/rows.h"
#include "kernels/boxes.h"
#include "kernels/check.h"

#include <cstddef>
#include <span>

namespace scalebench {
namespace {

/// The rows of a batch's anchors that are trained on, with what they are to say.
struct AnchorTargets {
    std::vector<int32_t> rows;            ///< of [N*A]
    std::vector<float> isObject, weights; ///< of these rows
    std::vector<int32_t> objectRows;
    std::vector<float> deltas, objectWeights; ///< of those

    /// A row that counts nothing: no operation is left without rows.
    void fillUp()
    {
        if (rows.empty()) {
            rows = {0};
            isObject = weights = {0};
        }
        if (objectRows.empty()) {
            objectRows = {0};
            deltas = {0, 0, 0, 0};
            objectWeights = {0};
        }
    }
};

std::vector<int32_t> matchAnchors(const RegionProposalConfig& config,
                                  const std::vector<float>& anchors, const PictureNote& note)
{
    const auto boxes = int64_t(note.categories.size()), n = int64_t(anchors.size() / 4);
    std::vector<int32_t> match(static_cast<std::size_t>(n));
    std::vector<uint8_t> scratch(kernels::cpu::matchScratch(boxes, n));
    kernels::cpu::matchBoxes({config.high, config.low, BestMatch::Restore}, boxes, n,
                             note.corners.data(), anchors.data(), match.data(), nullptr,
                             scratch.data());
    return match;
}

void addPicture(const RegionProposalConfig& config, const std::vector<float>& anchors,
                const PictureNote& note, int32_t firstRow, AnchorTargets& targets)
{
    const std::vector<int32_t> match = matchAnchors(config, anchors, note);
    data::HashRandom random({note.randomKey, 1});
    const RegionSample sample = drawRegions(match, config.samples, config.positiveShare, random);
    const float weight = 1.0f / float(sample.count());
    for (const auto* part : {&sample.positives, &sample.negatives})
        for (const int32_t a : *part) {
            targets.rows.push_back(firstRow + a);
            targets.isObject.push_back(part == &sample.positives ? 1.0f : 0.0f);
            targets.weights.push_back(weight);
        }
    for (const int32_t a : sample.positives) {
        float deltas[4];
        const std::size_t object = std::size_t(match[std::size_t(a)]);
        kernels::cpu::boxEncode({}, 1, &anchors[4 * std::size_t(a)], &note.corners[4 * object],
                                deltas);
        targets.objectRows.push_back(firstRow + a);
        targets.objectWeights.push_back(weight);
        targets.deltas.insert(targets.deltas.end(), deltas, deltas + 4);
    }
}

} // namespace

RegionProposals::RegionProposals(ParameterSet& parameters, const std::string& name, int channels,
                                 const RegionProposalConfig& config)
    : config_(config)
{
    const int perPlace = config.anchors.perPlace(0);
    for (std::size_t level = 1; level < config.anchors.levels.size(); ++level)
        SB_REQUIRE(config.anchors.perPlace(level) == perPlace,
                   "the levels of a region proposal network have as many anchors a place");
    conv_ = Conv2d(parameters, name + ".conv", channels, channels, 3,
                   {.padding = 1, .bias = true, .relu = true});
    objectness_ = Conv2d(parameters, name + ".objectness", channels, perPlace, 1, {.bias = true});
    deltas_ = Conv2d(parameters, name + ".deltas", channels, 4 * perPlace, 1, {.bias = true});
}

void RegionProposals::initialise(ParameterSet& parameters, std::uint64_t seed) const
{
    for (const Conv2d* conv : {&conv_, &objectness_, &deltas_})
        conv->initialiseNormal(parameters, seed, 0.01f);
}

RegionProposals::Output RegionProposals::operator()(Tape& tape, const ParameterSet& parameters,
                                                    const std::vector<Variable>& levels, int height,
                                                    int width) const
{
    Output out;
    out.anchors = detection::makeAnchors(config_.anchors, height, width);
    out.anchorsByLevel = detection::anchorCounts(config_.anchors, height, width);
    SB_REQUIRE(levels.size() == out.anchorsByLevel.size(),
               "region proposals: " + std::to_string(levels.size()) + " maps for " +
                   std::to_string(out.anchorsByLevel.size()) + " levels of anchors");
    std::vector<Variable> scores, deltas;
    for (std::size_t level = 0; level < levels.size(); ++level) {
        const Variable x = conv_(tape, parameters, levels[level]);
        const std::int64_t n = x.value().dim(0), anchors = out.anchorsByLevel[level];
        scores.push_back(autograd::reshape(tape, objectness_(tape, parameters, x), {n, anchors}));
        deltas.push_back(autograd::reshape(tape, deltas_(tape, parameters, x), {n, anchors, 4}));
    }
    out.scores = autograd::concat(tape, scores, 1);
    out.deltas = autograd::concat(tape, deltas, 1);
    return out;
}

std::vector<std::vector<float>> RegionProposals::propose(Backend& backend, const Output& output,
                                                         const std::vector<PictureNote>& notes,
                                                         const ProposalOptions& options) const
{
    const Tensor scores = hostFloats(backend, output.scores.value());
    const Tensor deltas = hostFloats(backend, output.deltas.value());
    const std::size_t anchors = output.anchors.size() / 4;
    std::vector<std::vector<float>> proposals(notes.size());
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < notes.size(); ++i) {
        const AnchorOutputs of{output.anchors, scores.f32().subspan(i * anchors, anchors),
                               deltas.f32().subspan(4 * i * anchors, 4 * anchors),
                               output.anchorsByLevel};
        proposals[i] = proposeBoxes(of, notes[i].width, notes[i].height, options);
    }
    return proposals;
}

void RegionProposals::addLoss(LossTotal& losses, Tape& tape, const Output& output,
                              const std::vector<PictureNote>& notes, float scale) const
{
    const auto anchors = std::int64_t(output.anchors.size() / 4);
    AnchorTargets targets;
    for (std::size_t i = 0; i < notes.size(); ++i)
        addPicture(config_, output.anchors, notes[i], int32_t(std::int64_t(i) * anchors), targets);
    targets.fillUp();

    Backend& backend = tape.backend();
    const std::int64_t all = output.scores.value().count();
    const auto rowsOf = [&](const Variable& of, const Shape& shape,
                            const std::vector<int32_t>& rows) {
        return autograd::gather(tape, autograd::reshape(tape, of, shape), 0,
                                uploadedIds(backend, rows));
    };
    const auto n = std::int64_t(targets.rows.size());
    losses.add(autograd::sigmoidCrossEntropy(tape, rowsOf(output.scores, {all}, targets.rows),
                                             uploaded(backend, targets.isObject, {n}),
                                             uploaded(backend, targets.weights, {n}), scale));
    const auto objects = std::int64_t(targets.objectRows.size());
    losses.add(autograd::smoothL1(tape, rowsOf(output.deltas, {all, 4}, targets.objectRows),
                                  uploaded(backend, targets.deltas, {objects, 4}),
                                  uploaded(backend, targets.objectWeights, {objects}),
                                  {.beta = 1.0f / 9, .scale = scale}));
}

} // namespace scalebench
