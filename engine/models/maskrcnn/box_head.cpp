// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/maskrcnn/box_head.h"

#include "engine/backend/backend.h"
#include "engine/models/maskrcnn/find_boxes.h"
#include "engine/models/maskrcnn/rows.h"
#include "engine/nn/initialise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace scalebench {
namespace {

enum Layer { Hidden1, Hidden2, Scores, Boxes };

/// The same loss with `factor` in its sum too, as it has it in its value.
autograd::RecordedLoss worth(autograd::RecordedLoss loss, float factor)
{
    loss.sums = LossSums([sums = std::move(loss.sums), factor] {
        SoftmaxCeResult all = sums.get();
        all.lossSum *= double(factor);
        return all;
    });
    return loss;
}

} // namespace

BoxHead::BoxHead(ParameterSet& parameters, const std::string& name, int channels, int classes,
                 const BoxHeadConfig& config)
    : config_(config), classes_(classes)
{
    const auto add = [&](Layer layer, const char* part, int in, int out) {
        weights_[layer] = parameters.addParameter(name + part + ".weight", {out, in}, true);
        biases_[layer] = parameters.addParameter(name + part + ".bias", {out}, false);
    };
    add(Hidden1, ".hidden1", config.edge * config.edge * channels, config.hidden);
    add(Hidden2, ".hidden2", config.hidden, config.hidden);
    add(Scores, ".scores", config.hidden, classes);
    add(Boxes, ".boxes", config.hidden, 4 * classes);
}

void BoxHead::initialise(ParameterSet& parameters, std::uint64_t seed) const
{
    for (const Layer layer : {Hidden1, Hidden2}) {
        const auto in = double(parameters.value(weights_[layer]).dim(1));
        fillUniform(parameters, weights_[layer], seed, float(std::sqrt(3.0 / in)));
    }
    fillNormal(parameters, weights_[Scores], seed, 0.01f);
    fillNormal(parameters, weights_[Boxes], seed, 0.001f);
    for (const int bias : biases_)
        std::ranges::fill(parameters.value(bias).f32(), 0.0f);
}

BoxHead::Output BoxHead::operator()(Tape& tape, const ParameterSet& parameters,
                                    const Variable& features) const
{
    const auto weight = [&](Layer layer) { return reference(parameters, weights_[layer]); };
    const auto bias = [&](Layer layer) { return reference(parameters, biases_[layer]); };
    const std::int64_t n = features.value().dim(0);
    Variable x = autograd::reshape(tape, features, {n, features.value().count() / n});
    for (const Layer layer : {Hidden1, Hidden2})
        x = autograd::linearLike(tape, x, weight(layer), bias(layer), Activation::Relu);
    Output out;
    out.scores = autograd::linear(tape, x, weight(Scores), bias(Scores));
    out.deltas = autograd::reshape(tape, autograd::linear(tape, x, weight(Boxes), bias(Boxes)),
                                   {n, classes_, 4});
    return out;
}

void BoxHead::addLoss(LossTotal& losses, Tape& tape, const Output& output,
                      const std::vector<RoiSample>& samples, float scale) const
{
    Backend& backend = tape.backend();
    std::vector<int32_t> rows; // of [regions * classes]
    std::vector<float> targets, weights;
    std::int64_t begin = 0;
    for (const RoiSample& sample : samples) {
        if (sample.count() == 0)
            continue;
        const float share = 1.0f / float(sample.count());
        // The positive regions come first.
        for (std::int64_t i = 0; i < sample.positives(); ++i)
            rows.push_back(int32_t((begin + i) * classes_ + sample.labels[std::size_t(i)]));
        targets.insert(targets.end(), sample.targets.begin(), sample.targets.end());
        weights.resize(rows.size(), share);
        const Variable scores =
            autograd::slice(tape, output.scores, 0, begin, begin + sample.count());
        losses.add(
            worth(autograd::softmaxCrossEntropy(tape, scores, uploadedIds(backend, sample.labels),
                                                {.scale = scale * share}),
                  share));
        begin += sample.count();
    }
    if (rows.empty()) { // a row that counts nothing
        rows = {0};
        targets = {0, 0, 0, 0};
        weights = {0};
    }
    const auto n = std::int64_t(rows.size());
    const Variable all =
        autograd::reshape(tape, output.deltas, {output.deltas.value().count() / 4, 4});
    losses.add(autograd::smoothL1(tape, autograd::gather(tape, all, 0, uploadedIds(backend, rows)),
                                  uploaded(backend, targets, {n, 4}),
                                  uploaded(backend, weights, {n}),
                                  {.beta = 1.0f / 9, .scale = scale}));
}

std::vector<std::vector<FoundObject>> BoxHead::find(Backend& backend, const Output& output,
                                                    const Regions& regions,
                                                    const std::vector<PictureNote>& notes,
                                                    const DetectOptions& options) const
{
    const Tensor scores = hostFloats(backend, output.scores.value());
    const Tensor deltas = hostFloats(backend, output.deltas.value());
    std::vector<std::vector<FoundObject>> found;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        std::size_t end = begin;
        while (end < regions.images.size() && regions.images[end] == int32_t(i))
            ++end;
        const std::size_t n = end - begin;
        const auto rows = [&](std::span<const float> of, std::size_t width) {
            return of.subspan(begin * width, n * width);
        };
        const auto classes = std::size_t(classes_);
        found.push_back(findBoxes(rows(regions.boxes, 4), rows(scores.f32(), classes),
                                  rows(deltas.f32(), 4 * classes), notes[i].width, notes[i].height,
                                  options));
        begin = end;
    }
    return found;
}

} // namespace scalebench
