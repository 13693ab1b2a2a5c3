// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "engine/selftest/gradient_case.h"
#include "kernels/ref/convolution.h"

// Layers of the convolution networks at their real sizes (one image; feature pyramids from the
// level that the float64 reference can do in a second), then size 1, odd sizes and empty batches.

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;

enum Epilogue { kNone = 0, kBias = 1, kRelu = 2, kBiasRelu = 3 };

struct Layer {
    const char* name;
    int N, H, W, C, K, kernel, stride = 1, padding = 0;
    int epilogue = kNone;
    int dilation = 1, groups = 1;
};

const Layer kResNet20[] = {{"resnet20 stem", 2, 32, 32, 3, 16, 3, 1, 1},
                           {"resnet20 stage 1", 2, 32, 32, 16, 16, 3, 1, 1},
                           {"resnet20 down 2", 2, 32, 32, 16, 32, 3, 2, 1},
                           {"resnet20 stage 2", 2, 16, 16, 32, 32, 3, 1, 1},
                           {"resnet20 down 3", 2, 16, 16, 32, 64, 3, 2, 1},
                           {"resnet20 stage 3", 2, 8, 8, 64, 64, 3, 1, 1}};

const Layer kResNet50[] = {{"resnet50 stem", 1, 224, 224, 3, 64, 7, 2, 3},
                           {"resnet50 stage 1 reduce", 1, 56, 56, 64, 64, 1},
                           {"resnet50 stage 1", 1, 56, 56, 64, 64, 3, 1, 1},
                           {"resnet50 stage 1 expand", 1, 56, 56, 64, 256, 1},
                           {"resnet50 stage 1 reduce again", 1, 56, 56, 256, 64, 1},
                           {"resnet50 stage 2 reduce", 1, 56, 56, 256, 128, 1},
                           {"resnet50 stage 2 down", 1, 56, 56, 128, 128, 3, 2, 1},
                           {"resnet50 stage 2 expand", 1, 28, 28, 128, 512, 1},
                           {"resnet50 stage 2 shortcut", 1, 56, 56, 256, 512, 1, 2},
                           {"resnet50 stage 2", 1, 28, 28, 128, 128, 3, 1, 1},
                           {"resnet50 stage 3 down", 1, 28, 28, 256, 256, 3, 2, 1},
                           {"resnet50 stage 3 expand", 1, 14, 14, 256, 1024, 1},
                           {"resnet50 stage 3 shortcut", 1, 28, 28, 512, 1024, 1, 2},
                           {"resnet50 stage 3", 1, 14, 14, 256, 256, 3, 1, 1},
                           {"resnet50 stage 4 down", 1, 14, 14, 512, 512, 3, 2, 1},
                           {"resnet50 stage 4 expand", 1, 7, 7, 512, 2048, 1},
                           {"resnet50 stage 4 shortcut", 1, 14, 14, 1024, 2048, 1, 2},
                           {"resnet50 stage 4 reduce", 1, 7, 7, 2048, 512, 1},
                           {"resnet50 stage 4", 1, 7, 7, 512, 512, 3, 1, 1}};

const Layer kSsd[] = {{"ssd stem", 1, 300, 300, 3, 64, 7, 2, 3},
                      {"ssd stage 1", 1, 75, 75, 64, 64, 3, 1, 1},
                      {"ssd stage 2 down", 1, 75, 75, 64, 128, 3, 2, 1},
                      {"ssd stage 3 shortcut, stride 1", 1, 38, 38, 128, 256, 1},
                      {"ssd extra 1 reduce", 1, 38, 38, 256, 256, 1, 1, 0, kBiasRelu},
                      {"ssd extra 2", 1, 19, 19, 256, 512, 3, 2, 1, kBiasRelu},
                      {"ssd extra 4, no padding", 1, 5, 5, 128, 256, 3, 1, 0, kBiasRelu},
                      {"ssd extra 5, to one pixel", 1, 3, 3, 128, 256, 3, 1, 0, kBiasRelu},
                      {"ssd boxes 38", 1, 38, 38, 256, 16, 3, 1, 1, kBias},
                      {"ssd classes 10", 1, 10, 10, 512, 486, 3, 1, 1, kBias},
                      {"ssd classes 1", 2, 1, 1, 256, 324, 3, 1, 1, kBias}};

const Layer kMaskRcnn[] = {{"maskrcnn 1x1/2 of stage 3", 1, 25, 42, 512, 256, 1, 2},
                           {"maskrcnn lateral of stage 4", 1, 13, 21, 2048, 256, 1, 1, 0, kBias},
                           {"maskrcnn pyramid output", 1, 13, 21, 256, 256, 3, 1, 1, kBias},
                           {"maskrcnn rpn", 1, 13, 21, 256, 256, 3, 1, 1, kBiasRelu},
                           {"maskrcnn rpn scores", 1, 25, 42, 256, 3, 1, 1, 0, kBias},
                           {"maskrcnn rpn boxes", 1, 25, 42, 256, 12, 1, 1, 0, kBias},
                           {"maskrcnn mask head", 1, 14, 14, 256, 256, 3, 1, 1, kBiasRelu},
                           {"maskrcnn mask classes", 1, 28, 28, 256, 81, 1, 1, 0, kBias}};

const Layer kRetinaNet[] = {
    {"retinanet stage 1", 1, 200, 200, 128, 128, 3, 1, 1, kNone, 1, 32},
    {"retinanet stage 2 down", 1, 200, 200, 256, 256, 3, 2, 1, kNone, 1, 32},
    {"retinanet stage 2", 1, 100, 100, 256, 256, 3, 1, 1, kNone, 1, 32},
    {"retinanet stage 3", 1, 50, 50, 512, 512, 3, 1, 1, kNone, 1, 32},
    {"retinanet stage 4 down", 1, 50, 50, 1024, 1024, 3, 2, 1, kNone, 1, 32},
    {"retinanet stage 4", 1, 25, 25, 1024, 1024, 3, 1, 1, kNone, 1, 32},
    {"retinanet p6", 1, 25, 25, 256, 256, 3, 2, 1, kBiasRelu},
    {"retinanet head", 1, 13, 13, 256, 256, 3, 1, 1, kBiasRelu},
    {"retinanet classes", 1, 4, 4, 256, 2376, 3, 1, 1, kBias},
    {"retinanet boxes", 1, 7, 7, 256, 36, 3, 1, 1, kBias}};

const Layer kOther[] = {{"one", 1, 1, 1, 1, 1, 1},
                        {"one, bias and relu", 1, 1, 1, 1, 1, 1, 1, 0, kBiasRelu},
                        {"one channel", 1, 3, 3, 1, 1, 3, 1, 1},
                        {"odd", 1, 5, 7, 3, 5, 3, 2, 1},
                        {"odd, bias", 3, 7, 5, 5, 7, 3, 1, 1, kBias},
                        {"odd, relu", 3, 7, 5, 5, 7, 3, 1, 1, kRelu},
                        {"odd channels", 2, 9, 9, 17, 13, 3, 2, 1, kBiasRelu},
                        {"1x1/2 even image", 1, 8, 8, 16, 32, 1, 2},
                        {"5x5/2", 2, 11, 6, 4, 8, 5, 2, 2},
                        {"padding wider than half", 1, 4, 4, 3, 2, 2, 1, 2},
                        {"dilated", 1, 28, 28, 128, 128, 3, 1, 2, kNone, 2},
                        {"dilated, odd", 1, 9, 11, 5, 6, 3, 1, 2, kBias, 2},
                        {"dilated, grouped, strided", 2, 13, 13, 32, 32, 3, 2, 2, kBias, 2, 2},
                        {"three groups", 1, 5, 5, 6, 9, 3, 1, 1, kBiasRelu, 1, 3},
                        {"narrow groups", 2, 6, 6, 12, 6, 1, 1, 0, kNone, 1, 6},
                        {"depthwise", 1, 6, 6, 8, 8, 3, 1, 1, kNone, 1, 8},
                        {"empty batch", 0, 7, 7, 16, 32, 3, 1, 1, kBiasRelu},
                        {"empty batch, grouped", 0, 7, 7, 16, 32, 3, 2, 1, kNone, 1, 4}};

/// A power of two that brings sums of n products to about 1.
double scaleOf(std::int64_t n)
{
    return std::exp2(-std::round(0.5 * std::log2(double(n))));
}

std::string sizes(const Layer& l)
{
    const std::string kernel = std::to_string(l.kernel);
    std::string text = kernel + 'x' + kernel;
    if (l.stride != 1)
        text.append("/").append(std::to_string(l.stride));
    if (l.dilation != 1)
        text.append(" dilation ").append(std::to_string(l.dilation));
    if (l.groups != 1)
        text.append(" groups ").append(std::to_string(l.groups));
    return text.append(" ")
        .append(toString({l.N, l.H, l.W, l.C}))
        .append("->")
        .append(std::to_string(l.K));
}

Conv2dParams paramsOf(const Layer& l)
{
    Conv2dParams p;
    p.N = l.N, p.H = l.H, p.W = l.W, p.C = l.C, p.K = l.K, p.R = p.S = l.kernel;
    p.stride = l.stride, p.padding = l.padding, p.dilation = l.dilation, p.groups = l.groups;
    p.bias = (l.epilogue & kBias) != 0;
    p.relu = (l.epilogue & kRelu) != 0;
    return p;
}

/// Fewer single elements where the reference is slow.
void budget(GradientCase& c, double products)
{
    c.elements = products > 5e7 ? 2 : products > 5e6 ? 4 : 16;
    c.directions = products > 5e6 ? 1 : 2;
    c.slow = products > 5e7;
}

// A ReLU behind a fused one changes nothing, but makes the gradient a tensor of its own that the
// convolution may overwrite, as in a network.

void addConv2d(CaseList& list, const Layer& l)
{
    const Conv2dParams p = paramsOf(l);
    GradientCase c;
    c.family = "convolution";
    c.name = std::string("conv2d ") + l.name + " " + sizes(l);
    const Shape x{l.N, l.H, l.W, l.C};
    // The first layer of a network needs no data gradient, and computes none.
    c.operands = {l.C == 3 && l.K >= 16 ? constant("x", x) : activation("x", x),
                  parameter("w", {l.K, l.C / l.groups, l.kernel, l.kernel}, Fill::Uniform,
                            scaleOf(l.C / l.groups * l.kernel * l.kernel))};
    if (p.bias)
        c.operands.push_back(parameter("bias", {l.K}));
    c.forward = [l, p](const OperandSet& o) {
        return std::vector<Variable>{
            autograd::conv2d(o.tape, o.x(0), o.p(1), p.bias ? o.p(2) : ParameterRef(),
                             {l.stride, l.padding, l.dilation, l.groups, p.relu})};
    };
    Conv2dParams linear = p;
    linear.relu = false;
    setReference(c, p.relu, [linear](const std::vector<Values>& in) {
        return ref::conv2dForward(linear, in[0], in[1], linear.bias ? in[2] : Values());
    });
    budget(c, double(p.N * p.outH() * p.outW()) * double(p.weightCount()));
    addGradientCase(list, c);
}

void addConvTranspose2d(CaseList& list, const std::string& name, int N, int H, int W, int C, int K,
                        int stride, int epilogue)
{
    ConvTranspose2dParams p;
    p.N = N, p.H = H, p.W = W, p.C = C, p.K = K, p.stride = stride;
    p.bias = (epilogue & kBias) != 0, p.relu = (epilogue & kRelu) != 0;
    GradientCase c;
    c.family = "convolution";
    c.name = "conv transpose2d " + name + " " + toString({N, H, W, C}) + "->" + std::to_string(K) +
             " x" + std::to_string(stride);
    c.operands = {activation("x", {N, H, W, C}),
                  parameter("w", {C, K, stride, stride}, Fill::Uniform, scaleOf(C))};
    if (p.bias)
        c.operands.push_back(parameter("bias", {K}));
    c.forward = [p](const OperandSet& o) {
        const Variable y = autograd::convTranspose2d(o.tape, o.x(0), o.p(1),
                                                     p.bias ? o.p(2) : ParameterRef(), p.relu);
        return std::vector<Variable>{p.relu ? autograd::relu(o.tape, y) : y};
    };
    ConvTranspose2dParams linear = p;
    linear.relu = false;
    setReference(c, p.relu, [linear](const std::vector<Values>& in) {
        return ref::convTranspose2dForward(linear, in[0], in[1], linear.bias ? in[2] : Values());
    });
    budget(c, double(N * H * W) * double(p.weightCount()));
    addGradientCase(list, c);
}

/// One head on two levels of a pyramid: the gradient of its weight is the sum over both.
void addSharedHead(CaseList& list)
{
    GradientCase c;
    c.family = "convolution";
    c.name = "conv2d one head on two levels";
    c.operands = {activation("large", {1, 9, 7, 16}), activation("small", {1, 5, 4, 16}),
                  parameter("w", {8, 16, 3, 3}, Fill::Uniform, 0.125), parameter("bias", {8})};
    c.forward = [](const OperandSet& o) {
        std::vector<Variable> y;
        for (std::size_t level : {0, 1})
            y.push_back(
                autograd::conv2d(o.tape, o.x(level), o.p(2), o.p(3), {.stride = 1, .padding = 1}));
        return y;
    };
    c.reference = [](const std::vector<Values>& in) {
        std::vector<Values> y;
        for (std::size_t level : {0, 1}) {
            Conv2dParams p;
            p.H = level == 0 ? 9 : 5, p.W = level == 0 ? 7 : 4, p.C = 16, p.K = 8;
            p.R = p.S = 3, p.padding = 1, p.bias = true;
            y.push_back(ref::conv2dForward(p, in[level], in[2], in[3]));
        }
        return y;
    };
    addGradientCase(list, c);
}

} // namespace

void addConvolutionCases(CaseList& list)
{
    for (const Layer& l : kResNet20)
        addConv2d(list, l);
    for (const Layer& l : kResNet50)
        addConv2d(list, l);
    for (const Layer& l : kSsd)
        addConv2d(list, l);
    for (const Layer& l : kMaskRcnn)
        addConv2d(list, l);
    for (const Layer& l : kRetinaNet)
        addConv2d(list, l);
    for (const Layer& l : kOther)
        addConv2d(list, l);
    addSharedHead(list);
    addConvTranspose2d(list, "mask head", 3, 14, 14, 256, 256, 2, kBiasRelu);
    addConvTranspose2d(list, "no epilogue", 2, 5, 3, 16, 24, 2, kNone);
    addConvTranspose2d(list, "odd", 1, 3, 5, 7, 3, 3, kBias);
    addConvTranspose2d(list, "one", 1, 1, 1, 1, 1, 2, kBias);
    addConvTranspose2d(list, "several blocks", 5, 14, 14, 4, 3, 2, kBiasRelu);
    addConvTranspose2d(list, "empty batch", 0, 14, 14, 16, 8, 2, kBiasRelu);
}

} // namespace scalebench::selftest
