// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/maskrcnn/mask_head.h"

#include "engine/backend/backend.h"
#include "engine/models/maskrcnn/mask_targets.h"
#include "engine/models/maskrcnn/rows.h"
#include "engine/nn/initialise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace scalebench {
namespace {

/// maskTargets() of a picture's positive regions, one object after the other: a mask is decoded
/// once.
void pictureTargets(const PictureNote& note, const RoiSample& sample, int edge,
                    std::span<float> targets)
{
    const auto pixels = std::size_t(edge) * std::size_t(edge);
    for (int32_t object = 0; object < int32_t(note.objects.size()); ++object) {
        std::vector<std::size_t> regions;
        std::vector<float> boxes;
        for (std::size_t i = 0; i < sample.objects.size(); ++i)
            if (sample.objects[i] == object) {
                regions.push_back(i);
                boxes.insert(boxes.end(), sample.boxes.begin() + std::ptrdiff_t(4 * i),
                             sample.boxes.begin() + std::ptrdiff_t(4 * i + 4));
            }
        if (regions.empty())
            continue;
        std::vector<float> cut(regions.size() * pixels);
        maskTargets(note, object, boxes, edge, cut);
        for (std::size_t k = 0; k < regions.size(); ++k)
            std::ranges::copy(std::span(cut).subspan(k * pixels, pixels),
                              targets.subspan(regions[k] * pixels, pixels).begin());
    }
}

} // namespace

MaskHead::MaskHead(ParameterSet& parameters, const std::string& name, int channels, int classes,
                   const MaskHeadConfig& config)
    : config_(config), classes_(classes)
{
    const Conv2dOptions same{.padding = 1, .bias = true, .relu = true};
    for (int i = 0; i < config.layers; ++i)
        convs_.emplace_back(parameters, name + ".conv" + std::to_string(i + 1),
                            i == 0 ? channels : config.channels, config.channels, 3, same);
    growWeight_ = parameters.addParameter(name + ".grow.weight",
                                          {config.channels, config.channels, 2, 2}, true);
    growBias_ = parameters.addParameter(name + ".grow.bias", {config.channels}, false);
    masks_ = Conv2d(parameters, name + ".masks", config.channels, classes, 1, {.bias = true});
}

void MaskHead::initialise(ParameterSet& parameters, std::uint64_t seed) const
{
    for (const Conv2d& conv : convs_)
        conv.initialise(parameters, seed);
    const double fanOut = 4.0 * config_.channels;
    fillNormal(parameters, growWeight_, seed, float(std::sqrt(2.0 / fanOut)));
    std::ranges::fill(parameters.value(growBias_).f32(), 0.0f);
    masks_.initialise(parameters, seed);
}

Variable MaskHead::operator()(Tape& tape, const ParameterSet& parameters,
                              const Variable& features) const
{
    Variable x = features;
    for (const Conv2d& conv : convs_)
        x = conv(tape, parameters, x);
    x = autograd::convTranspose2d(tape, x, reference(parameters, growWeight_),
                                  reference(parameters, growBias_), true);
    return masks_(tape, parameters, x);
}

std::vector<int32_t> MaskHead::pixelsOf(std::span<const int32_t> labels) const
{
    const std::size_t pixels = std::size_t(maskEdge()) * std::size_t(maskEdge());
    std::vector<int32_t> numbers;
    numbers.reserve(labels.size() * pixels);
    for (std::size_t i = 0; i < labels.size(); ++i)
        for (std::size_t p = 0; p < pixels; ++p)
            numbers.push_back(int32_t((i * pixels + p) * std::size_t(classes_)) + labels[i]);
    return numbers;
}

void MaskHead::addLoss(LossTotal& losses, Tape& tape, const Variable& masks,
                       const std::vector<RoiSample>& samples, const std::vector<PictureNote>& notes,
                       float scale) const
{
    const std::size_t pixels = std::size_t(maskEdge()) * std::size_t(maskEdge());
    std::vector<int32_t> labels;
    std::vector<float> targets, weights;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const auto n = std::size_t(samples[i].positives());
        const std::size_t begin = targets.size();
        labels.insert(labels.end(), samples[i].labels.begin(),
                      samples[i].labels.begin() + std::ptrdiff_t(n));
        targets.resize(begin + n * pixels);
        weights.resize(begin + n * pixels, 1.0f / float(std::max(n, std::size_t{1}) * pixels));
        pictureTargets(notes[i], samples[i], maskEdge(), std::span(targets).subspan(begin));
    }
    if (labels.empty()) { // a mask that counts nothing
        labels = {0};
        targets.assign(pixels, 0);
        weights.assign(pixels, 0);
    }
    Backend& backend = tape.backend();
    const Variable all = autograd::reshape(tape, masks, {masks.value().count()});
    const auto n = std::int64_t(targets.size());
    losses.add(autograd::sigmoidCrossEntropy(
        tape, autograd::gather(tape, all, 0, uploadedIds(backend, pixelsOf(labels))),
        uploaded(backend, targets, {n}), uploaded(backend, weights, {n}), scale));
}

std::vector<float> MaskHead::probabilities(Backend& backend, const Variable& masks,
                                           std::span<const int32_t> categories) const
{
    std::vector<int32_t> labels;
    for (const int32_t category : categories)
        labels.push_back(category + 1);
    const Tensor all = masks.value().reshaped({masks.value().count()});
    const Tensor logits = hostFloats(
        backend, backend.elementwise().gather(all, 0, uploadedIds(backend, pixelsOf(labels))));
    std::vector<float> out;
    for (const float z : logits.f32())
        out.push_back(1.0f / (1.0f + std::exp(-z)));
    return out;
}

} // namespace scalebench
