// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "engine/selftest/gradient_case.h"
#include "kernels/ref/reference.h"

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;

double activated(Activation a, double x)
{
    switch (a) {
    case Activation::Relu:
        return std::max(x, 0.0);
    case Activation::GeluErf:
        return 0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0)));
    case Activation::GeluTanh:
        return 0.5 * x *
               (1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
    case Activation::Tanh:
        return std::tanh(x);
    case Activation::Sigmoid:
        return 1.0 / (1.0 + std::exp(-x));
    case Activation::None:
        break;
    }
    return x;
}

struct Layer {
    const char* name;
    Shape input;
    std::int64_t out;
    Activation activation = Activation::None;
    bool bias = true, f32Output = false;
};

// Rows are few: a product's rows are alike, and the reference is a triple loop.
const Layer kLayers[] = {
    {"transformer big projection", {1, 3, 1024}, 1024},
    {"transformer big ffn 1", {2, 1, 1024}, 4096, Activation::Relu},
    {"transformer big ffn 2", {1, 4096}, 1024},
    {"transformer d256 logits", {3, 256}, 8192, Activation::None, false, true},
    {"bert large ffn 1", {1, 2, 1024}, 4096, Activation::GeluErf},
    {"bert mini ffn 1", {2, 3, 256}, 1024, Activation::GeluTanh},
    {"bert large pooler", {4, 1024}, 1024, Activation::Tanh},
    {"bert large heads", {8, 1024}, 2},
    {"gnmt attention query", {3, 1, 1024}, 1024, Activation::None, false},
    {"gnmt classifier", {2, 1024}, 1009, Activation::None, true, true},
    {"ncf mlp 1", {64, 256}, 256, Activation::Relu},
    {"ncf predict", {64, 128}, 1, Activation::None, true, true},
    {"dlrm bottom 1", {32, 13}, 512, Activation::Relu},
    {"dlrm top 1", {5, 479}, 1024, Activation::Relu},
    {"dlrm top 5", {32, 256}, 1, Activation::Sigmoid},
    {"resnet50 classifier", {2, 2048}, 1000, Activation::None, true, true},
    {"one", {1, 1}, 1, Activation::GeluErf},
    {"odd", {3, 7, 5}, 11, Activation::Relu},
    {"many rows", {700, 3}, 2, Activation::Tanh},
    {"no rows", {0, 6}, 4, Activation::GeluTanh},
};

void addLinear(CaseList& list, const Layer& l)
{
    const std::int64_t in = l.input.back(), rows = elementCount(l.input) / in;
    GradientCase c;
    c.family = "matmul";
    c.name = std::string("linear ") + l.name + " " + toString(l.input) + "->" +
             std::to_string(l.out) +
             (l.activation != Activation::None ? std::string(" ") + activationName(l.activation)
                                               : std::string());
    // Small weights keep the activations in the range where they bend.
    const double factor = std::exp2(-std::floor(0.5 * std::log2(double(in))));
    c.operands = {activation("x", l.input),
                  parameter("weight", {l.out, in}, Fill::Uniform, factor)};
    if (l.bias)
        c.operands.push_back(l.activation == Activation::Relu
                                 ? parameter("bias", {l.out}, Fill::AwayFromZero, 32.0) // no kinks
                                 : parameter("bias", {l.out}));
    c.forward = [l](const OperandSet& o) {
        const DType type = l.f32Output ? DType::F32 : o.x(0).value().dtype();
        return std::vector<Variable>{autograd::linear(
            o.tape, o.x(0), o.p(1), l.bias ? o.p(2) : ParameterRef(), {l.activation, type})};
    };
    c.reference = [l, in, rows](const std::vector<Values>& v) {
        Values y = ref::linearForward(rows, in, l.out, v[0], v[1], l.bias ? v[2] : Values());
        for (double& x : y)
            x = activated(l.activation, x);
        return std::vector<Values>{y};
    };
    const std::int64_t work = rows * in * l.out;
    c.elements = work > 1'000'000 ? 1 : 16;
    c.directions = work > 1'000'000 ? 1 : 2;
    c.looserF16 = l.out == 1 ? 2.0 : 1.0; // the bias has one gradient: a sum of terms that cancel
    addGradientCase(list, std::move(c));
}

struct Batched {
    const char* name;
    std::int64_t batch, M, N, K;
    bool transA = false, transB = false;
};

const Batched kBatched[] = {{"attention scores", 6, 17, 17, 64, false, true},
                            {"attention values", 6, 17, 64, 17},
                            {"gnmt attention", 4, 5, 25, 256, false, true},
                            {"first transposed", 3, 8, 9, 10, true, false},
                            {"both transposed", 3, 8, 9, 10, true, true},
                            {"one", 1, 1, 1, 1},
                            {"row stored transposed", 1, 1, 37, 16, true, false},
                            {"column", 1, 29, 1, 8},
                            {"columns transposed", 3, 29, 1, 8, true, true},
                            {"odd", 5, 3, 7, 11},
                            {"empty batch", 0, 3, 4, 5},
                            {"empty sum", 2, 3, 4, 0}};

void addBatched(CaseList& list, const Batched& b)
{
    GradientCase c;
    c.family = "matmul";
    c.name = std::string("batched ") + b.name + " [" + std::to_string(b.batch) + "," +
             std::to_string(b.M) + "," + std::to_string(b.K) + "]x[" + std::to_string(b.K) + "," +
             std::to_string(b.N) + "]";
    const auto shape = [&](std::int64_t rows, std::int64_t columns, bool turned) {
        return turned ? Shape{b.batch, columns, rows} : Shape{b.batch, rows, columns};
    };
    c.operands = {activation("a", shape(b.M, b.K, b.transA)),
                  activation("b", shape(b.K, b.N, b.transB))};
    c.forward = [b](const OperandSet& o) {
        return std::vector<Variable>{autograd::matmul(o.tape, o.x(0), o.x(1), b.transA, b.transB)};
    };
    c.reference = [b](const std::vector<Values>& v) {
        Values y(std::size_t(b.batch * b.M * b.N), 0.0);
        for (std::int64_t i = 0; i < b.batch; ++i)
            for (std::int64_t m = 0; m < b.M; ++m)
                for (std::int64_t n = 0; n < b.N; ++n)
                    for (std::int64_t k = 0; k < b.K; ++k)
                        y[std::size_t((i * b.M + m) * b.N + n)] +=
                            v[0]
                             [std::size_t(i * b.M * b.K + (b.transA ? k * b.M + m : m * b.K + k))] *
                            v[1]
                             [std::size_t(i * b.K * b.N + (b.transB ? n * b.K + k : k * b.N + n))];
        return std::vector<Values>{y};
    };
    addGradientCase(list, std::move(c));
}

/// One weight used by two layers of a pass: its gradient is the sum of both.
void addShared(CaseList& list)
{
    GradientCase c;
    c.family = "matmul";
    c.name = "linear weight used twice [6,8]->8";
    c.operands = {activation("x", {6, 8}), parameter("weight", {8, 8}, Fill::Uniform, 0.25),
                  parameter("bias", {8})};
    c.forward = [](const OperandSet& o) {
        const Variable h = autograd::linearLike(o.tape, o.x(0), o.p(1), o.p(2), Activation::Tanh);
        return std::vector<Variable>{autograd::linearLike(o.tape, h, o.p(1), o.p(2))};
    };
    c.reference = [](const std::vector<Values>& v) {
        Values h = ref::linearForward(6, 8, 8, v[0], v[1], v[2]);
        for (double& x : h)
            x = std::tanh(x);
        return std::vector<Values>{ref::linearForward(6, 8, 8, h, v[1], v[2])};
    };
    addGradientCase(list, std::move(c));
}

void addRefusals(CaseList& list)
{
    Case c;
    c.family = "matmul";
    c.name = "linear refuses a weight that does not fit, naming the shapes";
    c.run = [](Checker& checker) {
        const Tensor x = checker.tensor({2, 3}, checker.random(6)),
                     w = checker.tensor({4, 5}, checker.random(20));
        std::string text;
        try {
            checker.backend().matmul().linearForward({}, x, {w, 1}, Tensor(), nullptr);
        } catch (const std::exception& e) {
            text = e.what();
        }
        checker.require(text.find("[2,3]") != std::string::npos &&
                            text.find("[4,5]") != std::string::npos,
                        "the error names no shapes: \"" + text + "\"");
    };
    list.push_back(std::move(c));
}

} // namespace

void addMatmulCases(CaseList& list)
{
    for (const Layer& l : kLayers)
        addLinear(list, l);
    for (const Batched& b : kBatched)
        addBatched(list, b);
    addShared(list);
    addRefusals(list);
}

} // namespace scalebench::selftest
