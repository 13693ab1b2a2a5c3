// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "engine/selftest/gradient_case.h"
#include "kernels/ref/pooling.h"

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;

struct Window {
    const char* name;
    int N, H, W, C, window, stride, padding;
    bool countPadding = true; ///< average only
};

const Window kMax[] = {{"resnet50 stem", 1, 112, 112, 64, 3, 2, 1},
                       {"ssd stem", 1, 150, 150, 64, 3, 2, 1},
                       {"pyramid's last level", 2, 25, 42, 64, 1, 2, 0},
                       {"one", 1, 1, 1, 1, 3, 2, 1},
                       {"odd", 2, 7, 5, 3, 3, 2, 1},
                       {"overlapping", 1, 19, 19, 20, 3, 1, 1},
                       {"even", 1, 4, 6, 16, 2, 2, 0},
                       {"widest window", 1, 17, 16, 5, 15, 3, 7},
                       {"empty batch", 0, 8, 8, 16, 3, 2, 1}};

const Window kAverage[] = {{"2x2/2", 2, 56, 56, 64, 2, 2, 0},
                           {"3x3/1, padding counted", 1, 13, 21, 24, 3, 1, 1},
                           {"3x3/1, padding left out", 1, 13, 21, 24, 3, 1, 1, false},
                           {"odd", 2, 7, 5, 3, 3, 2, 1, false},
                           {"gaps between windows", 1, 9, 9, 5, 2, 3, 0},
                           {"one", 1, 1, 1, 1, 1, 1, 0},
                           {"empty batch", 0, 8, 8, 16, 2, 2, 0}};

struct Resize {
    const char* name;
    std::int64_t N, H, W, C, outH, outW;
};

const Resize kResize[] = {{"pyramid x2", 1, 25, 42, 256, 50, 84},
                          {"pyramid, odd level", 1, 13, 21, 64, 25, 42},
                          {"mask of an object", 3, 28, 28, 1, 117, 61},
                          {"smaller", 2, 31, 17, 5, 8, 8},
                          {"same", 1, 5, 6, 7, 5, 6},
                          {"from one", 1, 1, 1, 3, 4, 5},
                          {"to one", 1, 4, 5, 3, 1, 1},
                          {"one", 1, 1, 1, 1, 1, 1},
                          {"empty batch", 0, 7, 7, 16, 14, 14}};

GradientCase caseOf(const std::string& name, const Shape& x)
{
    GradientCase c;
    c.family = "pooling";
    c.name = name;
    c.operands = {activation("x", x)};
    const bool large = elementCount(x) > 100000;
    c.elements = large ? 6 : 16;
    c.directions = large ? 1 : 2;
    return c;
}

std::string sizes(const Window& w)
{
    return std::to_string(w.window) + "x" + std::to_string(w.window) + "/" +
           std::to_string(w.stride) + " " + toString({w.N, w.H, w.W, w.C});
}

void addMaxPool(CaseList& list, const Window& w)
{
    GradientCase c =
        caseOf(std::string("max pool ") + w.name + " " + sizes(w), {w.N, w.H, w.W, w.C});
    c.forward = [w](const OperandSet& o) {
        return std::vector<Variable>{
            autograd::maxPool(o.tape, o.x(0), w.window, w.stride, w.padding)};
    };
    c.branchedReference = [w](const std::vector<Values>& base, const std::vector<Values>& moved) {
        std::vector<std::size_t> argmax;
        Values y = ref::maxPoolForward(
            {w.N, w.H, w.W, w.C, w.window, w.stride, w.padding, DType::F32}, base[0], &argmax);
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = moved[0][argmax[i]];
        return std::vector<Values>{y};
    };
    addGradientCase(list, c);
}

void addAveragePool(CaseList& list, const Window& w)
{
    GradientCase c =
        caseOf(std::string("average pool ") + w.name + " " + sizes(w), {w.N, w.H, w.W, w.C});
    c.forward = [w](const OperandSet& o) {
        return std::vector<Variable>{
            autograd::avgPool(o.tape, o.x(0), w.window, w.stride, w.padding, w.countPadding)};
    };
    c.reference = [w](const std::vector<Values>& in) {
        return std::vector<Values>{ref::avgPoolForward(
            {w.N, w.H, w.W, w.C, w.window, w.stride, w.padding, w.countPadding, DType::F32},
            in[0])};
    };
    addGradientCase(list, c);
}

void addGlobalPool(CaseList& list, const Shape& s)
{
    GradientCase c = caseOf("global average pool " + toString(s), s);
    c.forward = [](const OperandSet& o) {
        return std::vector<Variable>{autograd::globalAvgPool(o.tape, o.x(0))};
    };
    c.reference = [s](const std::vector<Values>& in) {
        return std::vector<Values>{
            ref::globalAvgPoolForward({s[0], s[1], s[2], s[3], DType::F32}, in[0])};
    };
    addGradientCase(list, c);
}

void addResize(CaseList& list, const Resize& r, ResizeMode mode)
{
    const Shape x{r.N, r.H, r.W, r.C};
    GradientCase c =
        caseOf(std::string("resize ") + (mode == ResizeMode::Nearest ? "nearest " : "bilinear ") +
                   r.name + " " + toString(x) + "->" + toString({r.outH, r.outW}),
               x);
    c.forward = [r, mode](const OperandSet& o) {
        return std::vector<Variable>{autograd::resize(o.tape, o.x(0), r.outH, r.outW, mode)};
    };
    c.reference = [r, mode](const std::vector<Values>& in) {
        return std::vector<Values>{
            ref::resize2dForward({r.N, r.H, r.W, r.C, r.outH, r.outW, mode, DType::F32}, in[0])};
    };
    addGradientCase(list, c);
}

void addShortcut(CaseList& list, const Shape& s, std::int64_t channels, std::int64_t stride)
{
    GradientCase c = caseOf("shortcut " + toString(s) + "->" + std::to_string(channels) + "/" +
                                std::to_string(stride),
                            s);
    c.forward = [=](const OperandSet& o) {
        return std::vector<Variable>{autograd::shortcutPad(o.tape, o.x(0), channels, stride)};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{
            ref::shortcutPadForward({s[0], s[1], s[2], s[3], channels, stride, DType::F32}, in[0])};
    };
    addGradientCase(list, c);
}

/// torch.nn.functional.interpolate of [0, 1, 2, 3] (one row), to sizes where its rounding shows.
void addTorchResize(CaseList& list)
{
    auto check = [](Checker& k) {
        const Tensor x = k.tensor({1, 1, 4, 1}, Values{0, 1, 2, 3});
        PoolingOps& ops = k.backend().pooling();
        k.compareValues("nearest to 6", ops.resizeForward(x, 1, 6, ResizeMode::Nearest),
                        {0, 0, 1, 2, 2, 3});
        k.compareValues("nearest to 3", ops.resizeForward(x, 1, 3, ResizeMode::Nearest), {0, 1, 2});
        k.compareValues("bilinear to 8", ops.resizeForward(x, 1, 8, ResizeMode::Bilinear),
                        {0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3});
        k.compareValues("bilinear to 2", ops.resizeForward(x, 1, 2, ResizeMode::Bilinear),
                        {0.5, 2.5});
    };
    for (DType dtype : {DType::F32, DType::BF16})
        list.push_back({"pooling", "resize known values", dtype, check});
}

/// A NaN must come out where it goes in: a diverged network must show.
void addPoolingNan(CaseList& list)
{
    auto check = [](Checker& k) {
        Values v(16, 1.0);
        v[5] = NAN;
        const Tensor x = k.tensor({1, 4, 4, 1}, v);
        PoolingOps& ops = k.backend().pooling();
        Tensor argmax;
        const Values pooled = k.values(ops.maxPoolForward(x, 2, 2, 0, false, argmax));
        k.require(std::isnan(pooled[0]) && !std::isnan(pooled[3]), "max pool hides a NaN");
        k.require(std::isnan(k.values(ops.avgPoolForward(x, 2, 2, 0, true))[0]),
                  "average pool hides a NaN");
    };
    for (DType dtype : {DType::F32, DType::BF16})
        list.push_back({"pooling", "not a number", dtype, check});
}

} // namespace

void addPoolingCases(CaseList& list)
{
    for (const Window& w : kMax)
        addMaxPool(list, w);
    for (const Window& w : kAverage)
        addAveragePool(list, w);
    for (const Shape& s : {Shape{2, 7, 7, 2048}, Shape{4, 8, 8, 64}, Shape{1, 1, 1, 1},
                           Shape{3, 7, 5, 9}, Shape{0, 7, 7, 16}})
        addGlobalPool(list, s);
    for (const Resize& r : kResize)
        for (ResizeMode mode : {ResizeMode::Nearest, ResizeMode::Bilinear})
            addResize(list, r, mode);
    addShortcut(list, {2, 32, 32, 16}, 32, 2);
    addShortcut(list, {2, 16, 16, 32}, 64, 2);
    addShortcut(list, {1, 1, 1, 1}, 1, 2);
    addShortcut(list, {2, 5, 7, 3}, 7, 2);
    addShortcut(list, {1, 4, 4, 2}, 3, 1);
    addShortcut(list, {0, 4, 4, 2}, 3, 2);
    addTorchResize(list);
    addPoolingNan(list);
}

} // namespace scalebench::selftest
