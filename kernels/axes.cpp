// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes put into the form that the kernels of every device walk: axes of size 1 left out,
// neighbours that are walked alike made one.
#include <algorithm>

#include "kernels/broadcast.h"
#include "kernels/permute.h"
#include "kernels/reduce.h"

namespace scalebench {

std::int64_t BroadcastParams::count() const
{
    std::int64_t n = 1;
    for (int i = 0; i < axes; ++i)
        n *= size[std::size_t(i)];
    return n;
}

bool BroadcastParams::resultShape(const std::vector<std::int64_t>& a,
                                  const std::vector<std::int64_t>& b,
                                  std::vector<std::int64_t>& result)
{
    result.assign(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::int64_t sa = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t sb = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (sa != sb && sa != 1 && sb != 1)
            return false;
        result[result.size() - 1 - i] = sa == 1 ? sb : sa;
    }
    return true;
}

bool BroadcastParams::make(BinaryOp op, DType dtype, const std::vector<std::int64_t>& a,
                           const std::vector<std::int64_t>& b, BroadcastParams& p)
{
    struct Axis {
        std::int64_t size, strideA, strideB;
    };
    std::vector<std::int64_t> shape;
    if (!resultShape(a, b, shape))
        return false;
    std::vector<Axis> axes; // innermost first
    std::int64_t stepA = 1, stepB = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::int64_t size = shape[shape.size() - 1 - i];
        const std::int64_t sa = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t sb = i < b.size() ? b[b.size() - 1 - i] : 1;
        const Axis axis{size, sa == 1 ? 0 : stepA, sb == 1 ? 0 : stepB};
        stepA *= sa;
        stepB *= sb;
        if (size == 1)
            continue;
        // A neighbour walked in the same way by both operands is one longer axis.
        if (!axes.empty() && axis.strideA == axes.back().strideA * axes.back().size &&
            axis.strideB == axes.back().strideB * axes.back().size)
            axes.back().size *= size;
        else
            axes.push_back(axis);
    }
    if (axes.empty())
        axes.push_back({1, 1, 1});
    if (axes.size() > std::size_t(kMaxAxes))
        return false;
    p.op = op;
    p.dtype = dtype;
    p.axes = int(axes.size());
    std::reverse(axes.begin(), axes.end());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        p.size[i] = axes[i].size;
        p.strideA[i] = axes[i].strideA;
        p.strideB[i] = axes[i].strideB;
    }
    return true;
}

bool PermuteParams::make(const std::vector<std::int64_t>& shape, const std::vector<int>& order,
                         std::size_t elementBytes, PermuteParams& p)
{
    if (order.size() != shape.size())
        return false;
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    std::vector<bool> seen(shape.size(), false);
    p.axes = 0;
    p.elementBytes = elementBytes;
    for (const int from : order) {
        if (from < 0 || std::size_t(from) >= shape.size() || seen[std::size_t(from)])
            return false;
        seen[std::size_t(from)] = true;
        const std::int64_t size = shape[std::size_t(from)], stride = strides[std::size_t(from)];
        if (size == 1)
            continue;
        // Neighbours that stay neighbours are one axis.
        if (p.axes > 0 && p.stride[std::size_t(p.axes - 1)] == stride * size) {
            p.size[std::size_t(p.axes - 1)] *= size;
            p.stride[std::size_t(p.axes - 1)] = stride;
            continue;
        }
        if (p.axes == kMaxAxes)
            return false;
        p.size[std::size_t(p.axes)] = size;
        p.stride[std::size_t(p.axes++)] = stride;
    }
    if (p.axes == 0) {
        p.size[0] = p.stride[0] = 1;
        p.axes = 1;
    }
    return true;
}

std::int64_t ReduceParams::inputCount() const
{
    std::int64_t n = 1;
    for (int i = 0; i < axes; ++i)
        n *= size[std::size_t(i)];
    return n;
}

std::int64_t ReduceParams::outputCount() const
{
    std::int64_t n = 1;
    for (int i = 0; i < axes; ++i)
        n *= reduced[std::size_t(i)] ? 1 : size[std::size_t(i)];
    return n;
}

bool ReduceParams::make(ReduceOp op, DType inputType, DType outputType,
                        const std::vector<std::int64_t>& shape, const std::vector<bool>& reduced,
                        ReduceParams& p)
{
    p.op = op;
    p.inputType = inputType;
    p.outputType = outputType;
    p.axes = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1)
            continue;
        if (p.axes > 0 && p.reduced[std::size_t(p.axes - 1)] == reduced[i]) {
            p.size[std::size_t(p.axes - 1)] *= shape[i];
            continue;
        }
        if (p.axes == kMaxAxes)
            return false;
        p.size[std::size_t(p.axes)] = shape[i];
        p.reduced[std::size_t(p.axes++)] = reduced[i];
    }
    return true;
}

} // namespace scalebench
