// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/loss_arguments.h"

#include <string>

#include "kernels/check.h"

namespace scalebench {
namespace {

/// Product of all sizes but the last.
std::int64_t rowCount(const Tensor& t)
{
    return t.count() == 0 ? 0 : t.count() / t.shape().back();
}

void requireF32(const char* op, const char* what, const Tensor& t, std::int64_t count,
                const Tensor& predictions)
{
    SB_REQUIRE(t.defined() && t.dtype() == DType::F32 && t.count() == count,
               std::string(op) + ": " + what + " must be f32 with " + std::to_string(count) +
                   " elements, not " + t.describe() + ", for " + predictions.describe());
}

void requireLabels(const char* op, const Tensor& labels, const Tensor& logits, std::int64_t rows)
{
    SB_REQUIRE(labels.defined() && labels.dtype() == DType::I32 && labels.count() == rows,
               std::string(op) + ": labels must be i32 [N], not " + labels.describe() +
                   " for logits " + logits.describe());
}

} // namespace

SoftmaxCeParams softmaxCeParams(const char* op, const Tensor& logits, const Tensor& labels,
                                const SoftmaxCrossEntropyArgs& args)
{
    const std::int64_t rows = logits.dim(0), classes = logits.dim(1);
    SB_REQUIRE(classes > 0, std::string(op) + ": no classes in " + logits.describe());
    requireLabels(op, labels, logits, rows);
    SB_REQUIRE(args.labelSmoothing >= 0.0f && args.labelSmoothing < 1.0f,
               "label smoothing must be in [0,1), not " + std::to_string(args.labelSmoothing));
    return {rows, classes, args.labelSmoothing, args.scale, logits.dtype(), args.ignoreLabel};
}

SigmoidCeParams sigmoidCeParams(const char* op, const Tensor& logits, const Tensor& targets,
                                const Tensor& weights, float scale)
{
    requireF32(op, "targets", targets, logits.count(), logits);
    if (weights.defined())
        requireF32(op, "weights", weights, logits.count(), logits);
    return {logits.count(), scale, logits.dtype()};
}

FocalLossParams focalLossParams(const char* op, const Tensor& logits, const Tensor& labels,
                                const Tensor& weights, const FocalLossArgs& args)
{
    const std::int64_t rows = rowCount(logits);
    requireLabels(op, labels, logits, rows);
    if (weights.defined())
        requireF32(op, "weights", weights, rows, logits);
    SB_REQUIRE(args.gamma >= 0.0f && args.alpha >= 0.0f && args.alpha <= 1.0f,
               "focal loss: alpha must be in [0,1] and gamma not negative, not " +
                   std::to_string(args.alpha) + " and " + std::to_string(args.gamma));
    return {rows, logits.shape().back(), args.alpha, args.gamma, args.scale, logits.dtype()};
}

SmoothL1Params smoothL1Params(const char* op, const Tensor& predictions, const Tensor& targets,
                              const Tensor& weights, const SmoothL1Args& args)
{
    const std::int64_t rows = rowCount(predictions);
    requireF32(op, "targets", targets, predictions.count(), predictions);
    if (weights.defined())
        requireF32(op, "weights", weights, rows, predictions);
    SB_REQUIRE(args.beta >= 0.0f && (!args.huber || args.beta > 0.0f),
               "smooth L1: beta must not be negative (and not 0 for Huber): " +
                   std::to_string(args.beta));
    return {rows,       predictions.shape().back(), args.beta, args.huber,
            args.scale, predictions.dtype()};
}

MultiboxLossParams multiboxLossParams(const char* op, const Tensor& logits, const Tensor& deltas,
                                      const Tensor& labels, const Tensor& targets,
                                      const MultiboxLossArgs& args)
{
    const Shape& l = logits.shape();
    SB_REQUIRE(l[2] >= 2 && deltas.shape() == (Shape{l[0], l[1], 4}) &&
                   deltas.dtype() == logits.dtype() && labels.defined() &&
                   labels.shape() == (Shape{l[0], l[1]}) && labels.dtype() == DType::I32 &&
                   targets.defined() && targets.shape() == deltas.shape() &&
                   targets.dtype() == DType::F32,
               std::string(op) + ": logits " + logits.describe() + ", deltas " + deltas.describe() +
                   ", labels " + labels.describe() + " and targets " + targets.describe() +
                   " do not belong together");
    SB_REQUIRE(args.negativesPerPositive >= 0,
               std::string(op) + ": negatives per positive must not be negative: " +
                   std::to_string(args.negativesPerPositive));
    return {l[0], l[1], l[2], args.negativesPerPositive, args.scale, logits.dtype()};
}

} // namespace scalebench
