// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/convolution.h"

#include "kernels/check.h"

namespace scalebench::autograd {
namespace {

bool trained(const ParameterRef& parameter)
{
    return parameter.gradient.defined();
}

WeightRef weightOf(const ParameterRef& parameter)
{
    return {parameter.value, parameter.version};
}

void requireFourAxes(const char* op, const Tensor& input, const Tensor& weight)
{
    SB_REQUIRE(input.shape().size() == 4 && weight.shape().size() == 4,
               std::string(op) + ": input " + input.describe() + " and weight " +
                   weight.describe() + " must have 4 axes");
}

/// Records the way back that all convolutions have in common. weightGradient(dy, accumulate) writes
/// the gradient of the weight, dataGradient(dy) returns that of the input.
template <class WeightGradient, class DataGradient>
Variable record(Tape& tape, const char* op, Tensor y, const Variable& input,
                const ParameterRef& weight, const ParameterRef& bias, bool relu,
                WeightGradient weightGradient, DataGradient dataGradient)
{
    const bool needs = input.needsGradient() || trained(weight) || trained(bias);
    if (!tape.recording() || !needs)
        return Variable(std::move(y));
    for (const ParameterRef* p : {&weight, &bias})
        if (trained(*p))
            tape.useParameter(p->index);
    const Tensor kept = relu ? y : Tensor();
    return tape.record(op, std::move(y), true,
                       [&tape, kept, slot = input.slot(), weight, bias, weightGradient,
                        dataGradient](std::vector<Tensor> grads) {
                           const Tensor dy = tape.backend().convolution().biasReluBackward(
                               kept, std::move(grads), bias.gradient,
                               trained(bias) && tape.accumulateInto(bias.index));
                           if (trained(bias))
                               tape.parameterReady(bias.index);
                           if (trained(weight)) {
                               weightGradient(dy, tape.accumulateInto(weight.index));
                               tape.parameterReady(weight.index);
                           }
                           if (slot)
                               Tape::addGradient(slot, dataGradient(dy));
                       });
}

} // namespace

Variable conv2d(Tape& tape, const Variable& input, const ParameterRef& weight,
                const ParameterRef& bias, const Conv2dArgs& args)
{
    const Tensor& x = input.value();
    requireFourAxes("conv2d", x, weight.value);
    Conv2dParams p;
    p.N = x.dim(0), p.H = x.dim(1), p.W = x.dim(2), p.C = x.dim(3);
    p.K = weight.value.dim(0), p.R = weight.value.dim(2), p.S = weight.value.dim(3);
    p.stride = args.stride, p.padding = args.padding;
    p.dilation = args.dilation, p.groups = args.groups;
    p.dtype = x.dtype();
    p.bias = bias.defined(), p.relu = args.relu;
    ConvolutionOps& ops = tape.backend().convolution();
    Tensor y = ops.conv2dForward(p, x, weightOf(weight), bias.value);
    Conv2dParams plain = p; // backward knows no epilogue: one plan for all
    plain.bias = plain.relu = false;
    return record(
        tape, "conv2d", std::move(y), input, weight, bias, args.relu,
        [&ops, plain, x = trained(weight) ? x : Tensor(), weight](const Tensor& dy, bool add) {
            ops.conv2dBackwardWeight(plain, x, dy, weight.gradient, add);
        },
        [&ops, plain, weight](const Tensor& dy) {
            return ops.conv2dBackwardData(plain, dy, weightOf(weight));
        });
}

Variable convTranspose2d(Tape& tape, const Variable& input, const ParameterRef& weight,
                         const ParameterRef& bias, bool relu)
{
    const Tensor& x = input.value();
    requireFourAxes("transposed convolution", x, weight.value);
    ConvTranspose2dParams p;
    p.N = x.dim(0), p.H = x.dim(1), p.W = x.dim(2), p.C = x.dim(3);
    p.K = weight.value.dim(1), p.stride = weight.value.dim(2);
    p.dtype = x.dtype();
    p.bias = bias.defined(), p.relu = relu;
    ConvolutionOps& ops = tape.backend().convolution();
    Tensor y = ops.convTranspose2dForward(p, x, weightOf(weight), bias.value);
    ConvTranspose2dParams plain = p;
    plain.bias = plain.relu = false;
    return record(
        tape, "conv transpose2d", std::move(y), input, weight, bias, relu,
        [&ops, plain, x = trained(weight) ? x : Tensor(), weight](const Tensor& dy, bool add) {
            ops.convTranspose2dBackwardWeight(plain, x, dy, weight.gradient, add);
        },
        [&ops, plain, weight](const Tensor& dy) {
            return ops.convTranspose2dBackwardData(plain, dy, weightOf(weight));
        });
}

} // namespace scalebench::autograd
