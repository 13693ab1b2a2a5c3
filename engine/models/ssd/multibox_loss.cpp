// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/ssd/multibox_loss.h"

#include "engine/backend/backend.h"
#include "kernels/check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace scalebench {
namespace {

/// One picture's rows of everything; gradients may be empty.
struct PictureView {
    std::span<const float> logits; ///< [A, classes]
    std::span<const float> deltas; ///< [A, 4]
    std::span<const std::int32_t> labels;
    std::span<const float> targets;
    std::span<float> gradLogits, gradDeltas;
    std::size_t classes = 0;
};

/// log of the sum of exponentials.
float logSum(std::span<const float> row)
{
    const float most = std::ranges::max(row);
    float sum = 0;
    for (const float v : row)
        sum += std::exp(v - most);
    return most + std::log(sum);
}

/// The negatives with the largest loss, ties in order of their number.
std::vector<std::size_t> hardNegatives(const PictureView& p, std::span<const float> logSums,
                                       std::size_t count)
{
    std::vector<std::pair<float, std::size_t>> losses;
    for (std::size_t a = 0; a < p.labels.size(); ++a)
        if (p.labels[a] == 0)
            losses.emplace_back(p.logits[a * p.classes] - logSums[a], a); // falling loss: rising
    count = std::min(count, losses.size());
    std::ranges::nth_element(losses, losses.begin() + std::ptrdiff_t(count));
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < count; ++i)
        chosen.push_back(losses[i].second);
    std::ranges::sort(chosen);
    return chosen;
}

class PictureLoss
{
public:
    PictureLoss(const PictureView& view, float scale) : p_(view), scale_(scale) {}

    SoftmaxCeResult run(int negativesPerPositive)
    {
        const auto positives =
            std::ranges::count_if(p_.labels, [](std::int32_t label) { return label > 0; });
        if (positives == 0)
            return {};
        weight_ = 1.0f / float(positives);
        std::vector<float> logSums(p_.labels.size());
        for (std::size_t a = 0; a < logSums.size(); ++a)
            logSums[a] = logSum(p_.logits.subspan(a * p_.classes, p_.classes));
        for (std::size_t a = 0; a < logSums.size(); ++a)
            if (p_.labels[a] > 0) {
                addClass(a, logSums[a]);
                addBox(a);
            }
        for (const std::size_t a :
             hardNegatives(p_, logSums, std::size_t(positives) * std::size_t(negativesPerPositive)))
            addClass(a, logSums[a]);
        sums_.lossSum *= double(weight_);
        return sums_;
    }

private:
    void addClass(std::size_t a, float logSum)
    {
        const std::span<const float> row = p_.logits.subspan(a * p_.classes, p_.classes);
        const auto label = std::size_t(p_.labels[a]);
        sums_.lossSum += double(logSum - row[label]);
        sums_.correct += std::size_t(std::ranges::max_element(row) - row.begin()) == label;
        ++sums_.counted;
        if (p_.gradLogits.empty())
            return;
        float* to = p_.gradLogits.data() + a * p_.classes;
        for (std::size_t c = 0; c < p_.classes; ++c)
            to[c] = scale_ * weight_ * (std::exp(row[c] - logSum) - (c == label ? 1.0f : 0.0f));
    }

    void addBox(std::size_t a)
    {
        for (std::size_t i = 4 * a; i < 4 * a + 4; ++i) {
            const float d = p_.deltas[i] - p_.targets[i];
            sums_.lossSum += std::abs(d) < 1 ? 0.5 * double(d) * double(d) : std::abs(d) - 0.5;
            if (!p_.gradDeltas.empty())
                p_.gradDeltas[i] = scale_ * weight_ * std::clamp(d, -1.0f, 1.0f);
        }
    }

    PictureView p_;
    float scale_, weight_ = 0;
    SoftmaxCeResult sums_;
};

void requireShapes(const Tensor& logits, const Tensor& deltas, const Tensor& labels,
                   const Tensor& targets)
{
    const Shape& l = logits.shape();
    SB_REQUIRE(l.size() == 3 && l[2] >= 2 && deltas.shape() == (Shape{l[0], l[1], 4}) &&
                   labels.shape() == (Shape{l[0], l[1]}) && labels.dtype() == DType::I32 &&
                   targets.shape() == deltas.shape() && targets.dtype() == DType::F32,
               "multibox loss: logits " + logits.describe() + ", deltas " + deltas.describe() +
                   ", labels " + labels.describe() + " and targets " + targets.describe() +
                   " do not belong together");
    for (const std::int32_t label : labels.i32())
        SB_REQUIRE(label >= 0 && label < l[2], "multibox loss: label " + std::to_string(label) +
                                                   " of " + std::to_string(l[2]) + " classes");
}

/// Hands a gradient that is there already on, times what comes from above.
void handOn(Backend& backend, const Tensor& outer, const Tensor& gradient,
            const std::shared_ptr<GradientSlot>& slot)
{
    if (!gradient.defined() || !slot)
        return;
    ElementwiseOps& ops = backend.elementwise();
    Tape::addGradient(slot, outer.defined() ? ops.binaryForward(BinaryOp::Multiply, gradient,
                                                                ops.cast(outer, gradient.dtype()))
                                            : gradient);
}

} // namespace

LossResult multiboxLoss(Tape& tape, const Variable& logits, const Variable& deltas,
                        const Tensor& labels, const Tensor& targets, const MultiboxParams& params)
{
    Backend& backend = tape.backend();
    ElementwiseOps& ops = backend.elementwise();
    requireShapes(logits.value(), deltas.value(), labels, targets);
    const Tensor hostLogits = backend.download(ops.cast(logits.value(), DType::F32));
    const Tensor hostDeltas = backend.download(ops.cast(deltas.value(), DType::F32));
    const bool needs = tape.recording() && logits.needsGradient() && deltas.needsGradient();
    const auto pictures = std::size_t(hostLogits.dim(0)), boxes = std::size_t(hostLogits.dim(1));
    const auto classes = std::size_t(hostLogits.dim(2));
    std::vector<float> gradLogits(needs ? pictures * boxes * classes : 0);
    std::vector<float> gradDeltas(needs ? pictures * boxes * 4 : 0);

    std::vector<SoftmaxCeResult> results(pictures);
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t n = 0; n < pictures; ++n) {
        PictureView view;
        view.classes = classes;
        view.logits = hostLogits.f32().subspan(n * boxes * classes, boxes * classes);
        view.deltas = hostDeltas.f32().subspan(n * boxes * 4, boxes * 4);
        view.labels = labels.i32().subspan(n * boxes, boxes);
        view.targets = targets.f32().subspan(n * boxes * 4, boxes * 4);
        if (needs) {
            view.gradLogits = std::span(gradLogits).subspan(n * boxes * classes, boxes * classes);
            view.gradDeltas = std::span(gradDeltas).subspan(n * boxes * 4, boxes * 4);
        }
        results[n] = PictureLoss(view, params.scale).run(params.negativesPerPositive);
    }
    SoftmaxCeResult sums;
    for (const SoftmaxCeResult& result : results)
        sums += result;

    const auto uploaded = [&](std::vector<float>& values, const Variable& of) {
        if (!needs)
            return Tensor();
        auto owner = std::make_shared<std::vector<float>>(std::move(values));
        const Tensor host = Tensor::view(owner->data(), of.value().shape(), DType::F32, owner);
        return ops.cast(backend.upload(host), of.value().dtype());
    };
    const Tensor toLogits = uploaded(gradLogits, logits), toDeltas = uploaded(gradDeltas, deltas);
    float value = params.scale * float(sums.lossSum);
    Tensor loss = ops.scale(backend.upload(Tensor::view(&value, {1}, DType::F32)), 1.0f);
    return {tape.record("multibox loss", std::move(loss), needs,
                        [&tape, toLogits, toDeltas, logitSlot = logits.slot(),
                         deltaSlot = deltas.slot()](std::vector<Tensor> grads) {
                            Backend& device = tape.backend();
                            Tensor outer;
                            if (grads.size() != 1 || !tape.isSeed(grads[0]))
                                outer = device.elementwise().sum(std::move(grads));
                            handOn(device, outer, toLogits, logitSlot);
                            handOn(device, outer, toDeltas, deltaSlot);
                        }),
            LossSums(sums)};
}

} // namespace scalebench
