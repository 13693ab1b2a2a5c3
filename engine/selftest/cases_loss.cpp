// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/selftest/gradient_case.h"
#include "kernels/ref/loss.h"

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;
using Labels = std::vector<std::int32_t>;

/// Labels of a fixed sequence in [low, high).
Labels labelsOf(std::int64_t n, std::int32_t low, std::int32_t high)
{
    Labels labels;
    std::uint32_t state = 12345;
    for (std::int64_t i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        labels.push_back(low + std::int32_t(state >> 8) % (high - low));
    }
    return labels;
}

/// Numbers that float holds exactly: steps of 1/64 in [0,1).
std::vector<float> fractions(std::int64_t n)
{
    std::vector<float> list;
    for (const std::int32_t v : labelsOf(n, 0, 64))
        list.push_back(float(v) / 64.0f);
    return list;
}

Values doubles(const std::vector<float>& list)
{
    return {list.begin(), list.end()};
}

void addSoftmax(CaseList& list, const std::string& use, std::int64_t N, std::int64_t classes,
                float smoothing, std::int32_t ignored, double spread = 4.0)
{
    GradientCase c;
    c.family = "loss";
    c.name = "softmax cross-entropy " + use + " " + toString({N, classes});
    if (smoothing > 0.0f)
        c.name += " smoothed";
    c.operands = {activation("logits", {N, classes}, Fill::Uniform, spread)};
    const Labels labels = labelsOf(N, ignored == -1 ? -1 : 0, std::int32_t(classes));
    const float scale = 1.0f / float(std::max<std::int64_t>(N, 1));
    c.forward = [=](const OperandSet& o) {
        const Tensor t = constantTensor(o.tape.backend(), {N}, labels);
        return std::vector<Variable>{
            autograd::softmaxCrossEntropy(o.tape, o.x(0), t, {smoothing, scale, ignored, false})
                .loss};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{
            {double(scale) * ref::softmaxLoss(classes, double(smoothing), ignored, in[0], labels)}};
    };
    addGradientCase(list, c);
}

void addSigmoid(CaseList& list, const std::string& use, std::int64_t n, bool weighted)
{
    GradientCase c;
    c.family = "loss";
    c.name = "sigmoid cross-entropy " + use + " " + toString({n}) + (weighted ? " weighted" : "");
    c.operands = {activation("logits", {n}, Fill::Uniform, 8.0)};
    const std::vector<float> targets = fractions(n);
    const std::vector<float> weights = weighted ? fractions(n) : std::vector<float>();
    const float scale = 1.0f / float(std::max<std::int64_t>(n, 1));
    c.forward = [=](const OperandSet& o) {
        Backend& b = o.tape.backend();
        const Tensor w = weighted ? constantTensor(b, {n}, weights) : Tensor();
        return std::vector<Variable>{
            autograd::sigmoidCrossEntropy(o.tape, o.x(0), constantTensor(b, {n}, targets), w, scale)
                .loss};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{
            {double(scale) * ref::sigmoidLoss(in[0], doubles(targets), doubles(weights))}};
    };
    addGradientCase(list, c);
}

void addFocal(CaseList& list, const std::string& use, std::int64_t N, std::int64_t classes,
              float gamma, bool weighted = false)
{
    GradientCase c;
    c.family = "loss";
    c.name = "focal loss " + use + " " + toString({N, classes}) + " gamma " +
             std::to_string(int(gamma * 10.0f)) + "/10" + (weighted ? " weighted" : "");
    const std::vector<float> weights = weighted ? fractions(N) : std::vector<float>();
    c.operands = {activation("logits", {N, classes}, Fill::Uniform, 4.0)};
    const Labels labels = labelsOf(N, kFocalIgnored, std::int32_t(classes));
    c.forward = [=](const OperandSet& o) {
        Backend& b = o.tape.backend();
        const Tensor t = constantTensor(b, {N}, labels);
        const Tensor w = weighted ? constantTensor(b, {N}, weights) : Tensor();
        return std::vector<Variable>{
            autograd::focalLoss(o.tape, o.x(0), t, w, {0.25f, gamma, 0.125f}).loss};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{{0.125 * ref::focalLoss(classes, 0.25, double(gamma), in[0],
                                                           labels, doubles(weights))}};
    };
    addGradientCase(list, c);
}

void addSmoothL1(CaseList& list, const std::string& use, std::int64_t N, std::int64_t width,
                 float beta, bool huber, bool weighted)
{
    GradientCase c;
    c.family = "loss";
    c.name = use + " " + toString({N, width}) + (weighted ? " weighted" : "");
    // Targets of 0 and predictions away from it: L1 has a kink where they are equal.
    c.operands = {activation("predictions", {N, width}, Fill::AwayFromZero, 2.0)};
    const std::vector<float> targets(std::size_t(N * width), 0.0f);
    const std::vector<float> weights = weighted ? fractions(N) : std::vector<float>();
    c.forward = [=](const OperandSet& o) {
        Backend& b = o.tape.backend();
        const Tensor w = weighted ? constantTensor(b, {N}, weights) : Tensor();
        return std::vector<Variable>{autograd::smoothL1(o.tape, o.x(0),
                                                        constantTensor(b, {N, width}, targets), w,
                                                        {beta, huber, 0.25f})
                                         .loss};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{{0.25 * ref::smoothL1(width, double(beta), huber, in[0],
                                                         doubles(targets), doubles(weights))}};
    };
    addGradientCase(list, c);
}

/// The gradient in the place of the logits is the gradient beside them; counts are exact.
void checkInPlace(Checker& check)
{
    Backend& backend = check.backend();
    const std::int64_t N = 37, classes = 1003;
    const Tensor logits = check.tensor({N, classes}, check.random(N * classes, Fill::Distinct));
    const Labels labels = labelsOf(N, -1, std::int32_t(classes));
    const Tensor l = check.tensor({N}, labels);
    const Values before = check.values(logits);
    Tensor beside, inPlace;
    const auto a =
        backend.loss().softmaxCrossEntropy(logits, l, {0.1f, 0.5f, -1, false}, true, beside);
    const auto b =
        backend.loss().softmaxCrossEntropy(logits, l, {0.1f, 0.5f, -1, true}, true, inPlace);
    check.require(inPlace.data() == logits.data(), "in place made another tensor");
    check.require(check.values(beside) == check.values(inPlace), "the gradient in place differs");
    check.require(a.sums.get().lossSum == b.sums.get().lossSum, "the loss in place differs");
    std::int32_t counted = 0, correct = 0;
    for (std::int64_t n = 0; n < N; ++n) {
        const double* row = before.data() + n * classes;
        const std::int32_t label = labels[std::size_t(n)];
        counted += label >= 0;
        correct += label >= 0 && std::max_element(row, row + classes) - row == label;
    }
    check.compareExactly("counts",
                         {std::int32_t(a.sums.get().counted), std::int32_t(a.sums.get().correct)},
                         {counted, correct});
}

/// A diverged run must show: NaN in, NaN out, in every loss.
void checkNan(Checker& check)
{
    LossOps& ops = check.backend().loss();
    for (const std::int64_t at : {0, 5, 40}) {
        Values z = check.random(41);
        z[std::size_t(at)] = std::numeric_limits<double>::quiet_NaN();
        const Tensor x = check.tensor({1, 41}, z);
        const Tensor label = check.tensor({1}, Labels{3});
        const Tensor targets = check.tensor({1, 41}, Values(41, 0.5), DType::F32);
        Tensor g;
        check.require(std::isnan(ops.softmaxCrossEntropy(x, label, {}, true, g).sums.get().lossSum),
                      "softmax cross-entropy hides a NaN");
        check.require(
            std::isnan(
                ops.sigmoidCrossEntropy(x, targets, Tensor(), 1.0f, true, g).sums.get().lossSum),
            "sigmoid cross-entropy hides a NaN");
        check.require(std::isnan(ops.focalLoss(x, label, Tensor(), {}, true, g).sums.get().lossSum),
                      "focal loss hides a NaN");
        check.require(
            std::isnan(ops.smoothL1(x, targets, Tensor(), {}, true, g).sums.get().lossSum),
            "smooth L1 hides a NaN");
    }
}

} // namespace

void addLossCases(CaseList& list)
{
    addSoftmax(list, "resnet50", 64, 1000, 0.1f, -1);
    addSoftmax(list, "resnet20", 128, 10, 0.0f, -1);
    addSoftmax(list, "transformer", 6, 33708, 0.1f, 0);
    addSoftmax(list, "bert", 4, 30522, 0.0f, -100);
    addSoftmax(list, "one", 1, 1, 0.0f, 1000);
    addSoftmax(list, "odd", 7, 13, 0.25f, 5, 60.0);
    addSoftmax(list, "empty", 0, 5, 0.0f, -1);
    addSigmoid(list, "ncf", 8192, false);
    addSigmoid(list, "dlrm", 2047, true);
    addSigmoid(list, "one", 1, false);
    addSigmoid(list, "empty", 0, false);
    addFocal(list, "retinanet", 300, 264, 2.0f);
    addFocal(list, "retinanet", 40, 91, 2.0f, true);
    addFocal(list, "odd", 5, 3, 1.5f);
    addFocal(list, "odd", 5, 3, 1.5f, true);
    addFocal(list, "one", 1, 1, 0.0f);
    addFocal(list, "empty", 0, 7, 2.0f);
    addSmoothL1(list, "smooth L1 ssd", 500, 4, 1.0f, false, true);
    addSmoothL1(list, "L1 retinanet", 333, 4, 0.0f, false, false);
    addSmoothL1(list, "smooth L1 maskrcnn", 128, 4, 0.125f, false, false);
    addSmoothL1(list, "Huber", 7, 3, 0.5f, true, true);
    addSmoothL1(list, "smooth L1 empty", 0, 4, 1.0f, false, false);
    for (const DType type : {DType::F32, DType::BF16}) {
        list.push_back({"loss", "softmax cross-entropy in place", type, checkInPlace});
        list.push_back({"loss", "NaN stays NaN", type, checkNan});
    }
}

} // namespace scalebench::selftest
