// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/selftest/gradient_case.h"
#include "kernels/ref/attention.h"

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;

struct Norm {
    const char* name;
    Shape shape;
    float epsilon = 1e-5f;
};

const Norm kNorms[] = {{"transformer d256", {4, 64, 256}},
                       {"transformer big", {2, 33, 1024}},
                       {"bert large", {1, 40, 1024}, 1e-12f},
                       {"one column", {5, 1}, 1e-2f}, // the sum minus its mean is nothing but 0
                       {"two columns", {3, 2}, 1e-2f},
                       {"odd", {7, 37}},
                       {"many rows", {200, 9}},
                       {"wide", {5, 1536}},
                       {"wide and odd", {3, 1031}},
                       {"no rows", {0, 16}}};

std::int64_t rowsOf(const Shape& s)
{
    return s.back() == 0 ? 0 : elementCount(s) / s.back();
}

void budget(GradientCase& c, const Shape& shape)
{
    c.elements = elementCount(shape) > 50'000 ? 4 : 16;
    c.directions = elementCount(shape) > 50'000 ? 1 : 2;
}

void addAlone(CaseList& list, const Norm& n)
{
    GradientCase c;
    c.family = "normalization";
    c.name = std::string("layer norm ") + n.name + " " + toString(n.shape);
    const std::int64_t C = n.shape.back(), rows = rowsOf(n.shape);
    c.operands = {activation("x", n.shape), parameter("gamma", {C}, Fill::AwayFromZero),
                  parameter("beta", {C})};
    c.forward = [n](const OperandSet& o) {
        return std::vector<Variable>{
            autograd::layerNorm(o.tape, {n.epsilon}, o.x(0), o.p(1), o.p(2))};
    };
    c.reference = [n, rows, C](const std::vector<Values>& v) {
        return std::vector<Values>{
            ref::layerNormForward(rows, C, double(n.epsilon), v[0], {}, v[1], v[2])};
    };
    budget(c, n.shape);
    addGradientCase(list, std::move(c));
}

/// Both outputs are used, as in a pre-norm Transformer: the sum goes on as the residual stream.
void addResidual(CaseList& list, const Norm& n)
{
    GradientCase c;
    c.family = "normalization";
    c.name = std::string("layer norm of a residual sum ") + n.name + " " + toString(n.shape);
    const std::int64_t C = n.shape.back(), rows = rowsOf(n.shape);
    c.operands = {activation("x", n.shape), activation("residual", n.shape),
                  parameter("gamma", {C}, Fill::AwayFromZero), parameter("beta", {C})};
    c.forward = [n](const OperandSet& o) {
        const auto r = autograd::addLayerNorm(o.tape, {n.epsilon}, o.x(0), o.x(1), o.p(2), o.p(3));
        return std::vector<Variable>{r.sum, r.output};
    };
    c.reference = [n, rows, C](const std::vector<Values>& v) {
        Values sum = v[0];
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] += v[1][i];
        return std::vector<Values>{
            sum, ref::layerNormForward(rows, C, double(n.epsilon), sum, {}, v[2], v[3])};
    };
    budget(c, n.shape);
    addGradientCase(list, std::move(c));
}

void addSoftmax(CaseList& list, const Shape& shape)
{
    GradientCase c;
    c.family = "normalization";
    c.name = "softmax " + toString(shape);
    c.operands = {activation("x", shape, Fill::Uniform, 4.0)};
    c.forward = [](const OperandSet& o) {
        return std::vector<Variable>{autograd::softmax(o.tape, o.x(0))};
    };
    c.reference = [shape](const std::vector<Values>& v) {
        return std::vector<Values>{ref::softmaxForward(rowsOf(shape), shape.back(), v[0])};
    };
    budget(c, shape);
    addGradientCase(list, std::move(c));
}

} // namespace

void addLayerNormCases(CaseList& list)
{
    for (const Norm& n : kNorms) {
        addAlone(list, n);
        addResidual(list, n);
    }
    for (const Shape& s :
         {Shape{16, 81}, Shape{2, 3, 1001}, Shape{2, 1544}, Shape{4, 1}, Shape{3, 15}, Shape{0, 8}})
        addSoftmax(list, s);
}

} // namespace scalebench::selftest
