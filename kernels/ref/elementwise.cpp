// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/elementwise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace scalebench::kernels::ref {
namespace {

std::int64_t product(const Sizes& shape)
{
    std::int64_t n = 1;
    for (const std::int64_t size : shape)
        n *= size;
    return n;
}

/// The index on every axis of element i.
Sizes unravel(const Sizes& shape, std::int64_t i)
{
    Sizes index(shape.size());
    for (std::size_t a = shape.size(); a-- > 0;) {
        index[a] = i % shape[a];
        i /= shape[a];
    }
    return index;
}

/// The element at an index.
std::size_t ravel(const Sizes& shape, const Sizes& index)
{
    std::int64_t i = 0;
    for (std::size_t a = 0; a < shape.size(); ++a)
        i = i * shape[a] + index[a];
    return std::size_t(i);
}

double activate(Activation a, double x)
{
    switch (a) {
    case Activation::None:
        return x;
    case Activation::Relu:
        return std::max(x, 0.0);
    case Activation::GeluErf:
        return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2));
    case Activation::GeluTanh:
        return 0.5 * x *
               (1.0 + std::tanh(std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case Activation::Tanh:
        return std::tanh(x);
    case Activation::Sigmoid:
        return 1.0 / (1.0 + std::exp(-x));
    }
    return x;
}

double combine(BinaryOp op, double a, double b)
{
    return op == BinaryOp::Add        ? a + b
           : op == BinaryOp::Subtract ? a - b
           : op == BinaryOp::Multiply ? a * b
                                      : a / b;
}

} // namespace

Values activationForward(Activation a, const Values& x)
{
    Values y;
    for (const double v : x)
        y.push_back(activate(a, v));
    return y;
}

Values binaryForward(BinaryOp op, const Sizes& shapeA, const Sizes& shapeB, const Values& a,
                     const Values& b)
{
    const std::size_t rank = std::max(shapeA.size(), shapeB.size());
    auto padded = [&](const Sizes& s) {
        Sizes full(rank - s.size(), 1);
        full.insert(full.end(), s.begin(), s.end());
        return full;
    };
    const Sizes fullA = padded(shapeA), fullB = padded(shapeB);
    Sizes shape(rank);
    for (std::size_t i = 0; i < rank; ++i)
        shape[i] = fullA[i] == 1 ? fullB[i] : fullA[i];
    Values y(std::size_t(product(shape)));
    for (std::size_t i = 0; i < y.size(); ++i) {
        Sizes ia = unravel(shape, std::int64_t(i)), ib = ia;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            ia[axis] = fullA[axis] == 1 ? 0 : ia[axis];
            ib[axis] = fullB[axis] == 1 ? 0 : ib[axis];
        }
        y[i] = combine(op, a[ravel(fullA, ia)], b[ravel(fullB, ib)]);
    }
    return y;
}

Values reduceForward(ReduceOp op, const Sizes& shape, const std::vector<bool>& reduced,
                     const Values& x)
{
    Sizes kept = shape;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (reduced[i])
            kept[i] = 1;
    const double start = op == ReduceOp::Max ? -std::numeric_limits<double>::infinity() : 0.0;
    Values y(std::size_t(product(kept)), start);
    const double terms = double(x.size()) / double(std::max<std::size_t>(y.size(), 1));
    for (std::size_t i = 0; i < x.size(); ++i) {
        Sizes index = unravel(shape, std::int64_t(i));
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            index[axis] = reduced[axis] ? 0 : index[axis];
        double& to = y[ravel(kept, index)];
        to = op == ReduceOp::Max   ? std::max(to, x[i])
             : op == ReduceOp::Sum ? to + x[i]
                                   : to + x[i] / terms;
    }
    return y;
}

Values concatForward(const std::vector<Sizes>& shapes, const std::vector<Values>& parts, int axis)
{
    Sizes shape = shapes[0];
    const auto a = std::size_t(axis);
    shape[a] = 0;
    for (const Sizes& s : shapes)
        shape[a] += s[a];
    Values y(std::size_t(product(shape)));
    std::int64_t begin = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (std::size_t i = 0; i < parts[p].size(); ++i) {
            Sizes index = unravel(shapes[p], std::int64_t(i));
            index[a] += begin;
            y[ravel(shape, index)] = parts[p][i];
        }
        begin += shapes[p][a];
    }
    return y;
}

Values permuteForward(const Sizes& shape, const std::vector<int>& order, const Values& x)
{
    Sizes out;
    for (const int axis : order)
        out.push_back(shape[std::size_t(axis)]);
    Values y(x.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
        const Sizes index = unravel(out, std::int64_t(i));
        Sizes from(shape.size());
        for (std::size_t axis = 0; axis < order.size(); ++axis)
            from[std::size_t(order[axis])] = index[axis];
        y[i] = x[ravel(shape, from)];
    }
    return y;
}

Values gatherForward(const Sizes& shape, int axis, const std::vector<std::int32_t>& ids,
                     const Values& x)
{
    Sizes out = shape;
    out[std::size_t(axis)] = std::int64_t(ids.size());
    Values y(std::size_t(product(out)));
    for (std::size_t i = 0; i < y.size(); ++i) {
        Sizes index = unravel(out, std::int64_t(i));
        index[std::size_t(axis)] = ids[std::size_t(index[std::size_t(axis)])];
        y[i] = x[ravel(shape, index)];
    }
    return y;
}

} // namespace scalebench::kernels::ref
