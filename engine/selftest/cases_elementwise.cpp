// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <limits>

#include "engine/core/thread_count.h"
#include "engine/selftest/gradient_case.h"
#include "kernels/formula/dropout.h"
#include "kernels/ref/elementwise.h"

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;
using Ids = std::vector<std::int32_t>;

GradientCase unary(const std::string& name, const Shape& shape, Fill fill = Fill::Uniform,
                   double factor = 1.0)
{
    GradientCase c;
    c.family = "elementwise";
    c.name = name + " " + toString(shape);
    c.operands = {activation("x", shape, fill, factor)};
    return c;
}

void addActivation(CaseList& list, Activation a, const Shape& shape)
{
    // A single element is judged by its own size: it must not lie where the slope is nearly 0.
    const bool single = elementCount(shape) == 1;
    GradientCase c = unary(activationName(a), shape,
                           single                  ? Fill::Positive
                           : a == Activation::Relu ? Fill::AwayFromZero
                                                   : Fill::Uniform,
                           single ? 1.0 : 4.0);
    c.forward = [a](const OperandSet& o) {
        return std::vector<Variable>{autograd::activation(o.tape, a, o.x(0))};
    };
    c.reference = [a](const std::vector<Values>& in) {
        return std::vector<Values>{ref::activationForward(a, in[0])};
    };
    addGradientCase(list, c);
}

void addBinary(CaseList& list, BinaryOp op, const Shape& a, const Shape& b)
{
    GradientCase c;
    c.family = "elementwise";
    c.name = std::string(binaryOpName(op)) + " " + toString(a) + " and " + toString(b);
    c.operands = {activation("a", a),
                  activation("b", b, op == BinaryOp::Divide ? Fill::AwayFromZero : Fill::Uniform)};
    c.forward = [op](const OperandSet& o) {
        return std::vector<Variable>{autograd::binary(o.tape, op, o.x(0), o.x(1))};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{ref::binaryForward(op, a, b, in[0], in[1])};
    };
    addGradientCase(list, c);
}

void addReduction(CaseList& list, ReduceOp op, const Shape& shape, const std::vector<int>& axes)
{
    const std::string names[] = {"sum", "mean", "max"};
    GradientCase c = unary(names[int(op)] + " over", shape,
                           op == ReduceOp::Max ? Fill::Distinct : Fill::Uniform);
    std::vector<bool> reduced(shape.size(), axes.empty());
    for (const int axis : axes) {
        c.name.append(1, ' ').append(std::to_string(axis));
        reduced[std::size_t(axis)] = true;
    }
    c.forward = [=](const OperandSet& o) {
        return std::vector<Variable>{autograd::reduce(o.tape, op, o.x(0), axes)};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{ref::reduceForward(op, shape, reduced, in[0])};
    };
    addGradientCase(list, c);
}

void addConcat(CaseList& list, const std::vector<Shape>& shapes, int axis)
{
    GradientCase c;
    c.family = "elementwise";
    c.name = "concat on " + std::to_string(axis) + " of";
    for (const Shape& shape : shapes) {
        c.name.append(1, ' ').append(toString(shape));
        c.operands.push_back(activation("part " + std::to_string(c.operands.size()), shape));
    }
    c.forward = [axis](const OperandSet& o) {
        return std::vector<Variable>{autograd::concat(o.tape, o.variables, axis)};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{ref::concatForward(shapes, in, axis)};
    };
    addGradientCase(list, c);
}

void addSlice(CaseList& list, const Shape& shape, int axis, std::int32_t begin, std::int32_t end)
{
    GradientCase c = unary("slice " + std::to_string(begin) + " to " + std::to_string(end) +
                               " on " + std::to_string(axis) + " of",
                           shape);
    Ids ids;
    for (std::int32_t i = begin; i < end; ++i)
        ids.push_back(i);
    c.forward = [=](const OperandSet& o) {
        return std::vector<Variable>{autograd::slice(o.tape, o.x(0), axis, begin, end)};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{ref::gatherForward(shape, axis, ids, in[0])};
    };
    addGradientCase(list, c);
}

void addPermute(CaseList& list, const Shape& shape, const std::vector<int>& order)
{
    GradientCase c = unary("permute", shape);
    for (const int axis : order)
        c.name.append(" ").append(std::to_string(axis));
    c.forward = [order](const OperandSet& o) {
        return std::vector<Variable>{autograd::permute(o.tape, o.x(0), order)};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{ref::permuteForward(shape, order, in[0])};
    };
    addGradientCase(list, c);
}

void addGather(CaseList& list, const Shape& shape, int axis, const Ids& ids)
{
    GradientCase c = unary(
        "gather " + std::to_string(ids.size()) + " on " + std::to_string(axis) + " of", shape);
    c.forward = [=](const OperandSet& o) {
        const Tensor t = constantTensor(o.tape.backend(), {std::int64_t(ids.size())}, ids);
        return std::vector<Variable>{autograd::gather(o.tape, o.x(0), axis, t)};
    };
    c.reference = [=](const std::vector<Values>& in) {
        return std::vector<Values>{ref::gatherForward(shape, axis, ids, in[0])};
    };
    addGradientCase(list, c);
}

void addScale(CaseList& list, const Shape& shape)
{
    GradientCase c = unary("scale and reshape", shape);
    c.forward = [](const OperandSet& o) {
        const Variable y = autograd::scale(o.tape, o.x(0), -0.375f);
        return std::vector<Variable>{autograd::reshape(o.tape, y, {1, o.x(0).value().count()})};
    };
    c.reference = [](const std::vector<Values>& in) {
        Values y = in[0];
        for (double& v : y)
            v *= -0.375;
        return std::vector<Values>{y};
    };
    addGradientCase(list, c);
}

/// The generator against Random123 (examples/kat_vectors, "philox4x32 10").
void checkPhilox(Checker& check)
{
    const std::uint32_t f = 0xffffffffu;
    const std::array<std::array<std::uint32_t, 10>, 3> known = {
        {{0, 0, 0, 0, 0, 0, 0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u},
         {f, f, f, f, f, f, 0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu},
         {0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u, 0xa4093822u, 0x299f31d0u, 0xd16cfe09u,
          0x94fdccebu, 0x5001e420u, 0x24126ea1u}}};
    for (const auto& k : known) {
        const formula::PhiloxWords w = formula::philox4x32({{k[0], k[1], k[2], k[3]}}, k[4], k[5]);
        for (std::size_t i = 0; i < 4; ++i)
            check.require(w.w[i] == k[6 + i], "philox4x32-10 differs from its known answers");
    }
}

/// Which elements dropout keeps: known ones, their share, and the same ones again in backward, in
/// part of the tensor, and on two threads.
void checkDropout(Checker& check)
{
    Backend& backend = check.backend();
    ElementwiseOps& ops = backend.elementwise();
    const std::int64_t n = 1000003;
    const Tensor ones = check.tensor({n}, Values(std::size_t(n), 1.0));
    const Values half = check.values(ops.dropout(ones, {0.5f, 0, 0}));
    // Elements 0, 16, 32, 48 own the four words of counter 0: 0x6627e8d5, 0xe169c58d, ...
    check.require(half[0] == 0.0 && half[16] == 2.0 && half[32] == 2.0 && half[48] == 2.0,
                  "dropout does not keep the elements that its key says");
    for (const float probability : {0.1f, 0.75f}) {
        const Values y = check.values(ops.dropout(ones, {probability, 77, 0}));
        double kept = 0.0, pairs = 0.0;
        for (std::size_t i = 0; i < y.size(); ++i) {
            kept += y[i] != 0.0 ? 1.0 : 0.0;
            pairs += i > 0 && y[i] != 0.0 && y[i - 1] != 0.0 ? 1.0 : 0.0;
        }
        const double share = 1.0 - double(probability);
        // Six deviations of a binomial count are below 0.003 here.
        check.compare("share kept", {kept / double(n)}, {share}, 0.004, 1.0);
        check.compare("share of neighbours kept", {pairs / double(n)}, {share * share}, 0.004, 1.0);
        const double scale = *std::ranges::max_element(y);
        check.compare("scale", {scale}, {1.0 / share}, tolerance(check.dtype()).value);
    }
    const Tensor part = check.tensor({1000}, Values(1000, 1.0));
    const Values whole = check.values(ops.dropout(ones, {0.3f, 9, 0}));
    for (const std::uint64_t offset : {64ull, 37ull, 12345ull}) {
        const Values y = check.values(ops.dropout(part, {0.3f, 9, offset}));
        check.require(std::equal(y.begin(), y.end(), whole.begin() + std::ptrdiff_t(offset)),
                      "dropout of a part is not the part of the whole");
    }
    const int threads = computeThreads();
    setComputeThreads(2);
    const Values two = check.values(ops.dropout(ones, {0.3f, 9, 0}));
    setComputeThreads(threads);
    check.require(two == whole, "dropout on two threads keeps others");
    const Values other = check.values(ops.dropout(ones, {0.3f, 10, 0}));
    check.require(other != whole, "two keys keep the same elements");
}

/// The gradient passes where forward passed; with a residual in one pass as in two.
void checkDropoutBackward(Checker& check)
{
    Backend& backend = check.backend();
    const Tensor x = check.tensor({64, 129}, Values(64 * 129, 1.0));
    const Tensor zero = check.tensor({64, 129}, Values(64 * 129, 0.0));
    for (const bool fused : {false, true}) {
        Tape tape(backend);
        tape.seedRandom(4);
        const auto slot = std::make_shared<GradientSlot>();
        const Variable input(x, slot);
        const Variable y = fused ? autograd::dropoutAdd(tape, input, Variable(zero), 0.25f)
                                 : autograd::dropout(tape, input, 0.25f);
        const Variable loss =
            autograd::reduce(tape, ReduceOp::Sum, autograd::cast(tape, y, DType::F32), {});
        tape.backward(loss);
        check.require(check.values(slot->pending.at(0)) == check.values(y.value()),
                      "the mask of backward is not that of forward");
    }
}

/// Order, ties by the lowest index, NaN first.
void checkTopK(Checker& check)
{
    for (const auto& [rows, n, k] : {std::array<std::int64_t, 3>{3, 1000, 17},
                                     {1, 1, 1},
                                     {2, 7, 7},
                                     {4, 5, 0},
                                     {0, 5, 2},
                                     {2, 2000, 1000}}) {
        Values v;
        for (const std::int32_t i : check.randomIntegers(rows * n, -20, 20))
            v.push_back(double(i)); // many ties
        const TopK top = check.backend().elementwise().topK(check.tensor({rows, n}, v), k);
        Ids expected;
        Values values;
        for (std::int64_t r = 0; r < rows; ++r) {
            Ids order(static_cast<std::size_t>(n));
            for (std::size_t i = 0; i < order.size(); ++i)
                order[i] = std::int32_t(i);
            std::ranges::stable_sort(order, [&v, first = r * n](std::int32_t a, std::int32_t b) {
                return v[std::size_t(first + a)] > v[std::size_t(first + b)];
            });
            for (std::int64_t i = 0; i < k; ++i) {
                expected.push_back(order[std::size_t(i)]);
                values.push_back(v[std::size_t(r * n + order[std::size_t(i)])]);
            }
        }
        check.compareExactly("indices", check.integers(top.indices), expected);
        check.require(check.values(top.values) == values, "the values of top-k differ");
    }
    Values v(150, -1.0);
    v[149] = v[90] = 3.0;
    v[120] = v[40] = std::numeric_limits<double>::quiet_NaN();
    v[60] = std::numeric_limits<double>::infinity();
    v[0] = -v[60];
    const TopK top = check.backend().elementwise().topK(check.tensor({1, 150}, v), 6);
    check.compareExactly("indices beside NaN", check.integers(top.indices),
                         Ids{40, 120, 60, 90, 149, 1});
}

} // namespace

void addElementwiseCases(CaseList& list)
{
    for (const Activation a : {Activation::Relu, Activation::GeluErf, Activation::GeluTanh,
                               Activation::Tanh, Activation::Sigmoid})
        for (const Shape& shape : {Shape{1}, Shape{3, 7}, Shape{32, 3072}, Shape{0, 5}})
            addActivation(list, a, shape);
    addActivation(list, Activation::Relu, {1, 28, 28, 64}); // resnet50

    addBinary(list, BinaryOp::Multiply, {1024, 64}, {1024, 64}); // ncf
    addBinary(list, BinaryOp::Add, {2, 64, 768}, {768});         // bert bias
    addBinary(list, BinaryOp::Multiply, {2, 64, 1}, {2, 64, 33});
    addBinary(list, BinaryOp::Add, {4, 12, 1, 16}, {4, 1, 16, 16});
    for (const BinaryOp op :
         {BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply, BinaryOp::Divide}) {
        addBinary(list, op, {3, 7}, {3, 7});
        addBinary(list, op, {3, 1, 5}, {4, 1});
        addBinary(list, op, {1}, {1});
        addBinary(list, op, {0, 5}, {5});
    }
    addScale(list, {5, 17});
    addScale(list, {0, 3});

    addReduction(list, ReduceOp::Mean, {2, 7, 7, 256}, {1, 2}); // resnet50
    addReduction(list, ReduceOp::Sum, {2048, 33}, {0});
    for (const ReduceOp op : {ReduceOp::Sum, ReduceOp::Mean, ReduceOp::Max}) {
        addReduction(list, op, {5, 3, 9}, {0, 2});
        addReduction(list, op, {64, 101}, {1});
        addReduction(list, op, {4, 9, 5}, {1});
        addReduction(list, op, {6, 5, 7}, {});
        addReduction(list, op, {1}, {0});
    }
    addReduction(list, ReduceOp::Sum, {0, 5}, {0});

    addConcat(list, {{512, 64}, {512, 64}}, 1); // ncf
    addConcat(list, {{3, 1, 5}, {3, 4, 5}, {3, 2, 5}}, 1);
    addConcat(list, {{2, 3}, {0, 3}, {1, 3}}, 0);
    addSlice(list, {16, 512, 64}, 1, 0, 1); // bert pooler
    addSlice(list, {5, 7, 3}, 1, 2, 6);
    addSlice(list, {5, 7}, 0, 3, 3);
    addPermute(list, {2, 64, 12, 64}, {0, 2, 1, 3}); // attention heads
    addPermute(list, {2, 19, 19, 84}, {0, 3, 1, 2}); // ssd head
    addPermute(list, {33, 65}, {1, 0});
    addPermute(list, {3, 4, 5, 6}, {3, 1, 0, 2});
    addPermute(list, {1, 1}, {1, 0});
    addPermute(list, {0, 4}, {1, 0});
    addGather(list, {64, 768}, 0, {5, 0, 63, 5, 5, 17}); // bert masked positions
    addGather(list, {3, 9, 5}, 1, {8, 1, 1, 0, 4, 1, 8});
    addGather(list, {4, 3}, 1, {});
    addGather(list, {1}, 0, {0, 0, 0});
    for (const DType type : {DType::F32, DType::BF16}) {
        list.push_back({"elementwise", "dropout mask", type, checkDropout});
        list.push_back({"elementwise", "dropout backward", type, checkDropoutBackward});
        list.push_back({"elementwise", "top-k", type, checkTopK});
    }
    list.push_back({"elementwise", "philox known answers", DType::F32, checkPhilox});
}

} // namespace scalebench::selftest
