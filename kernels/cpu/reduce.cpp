// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reduce.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/cpu/loss_sum.h"
#include "kernels/cpu/parallel.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kStrip = 128;      // neighbouring outputs of one task
constexpr std::int64_t kShortRows = 1024; // rows summed in fp32 before they join the doubles

template <class T>
SB_HOST_DEVICE double rowSum(const T* x, std::int64_t n)
{
    return sumOfTerms(n, [&](std::int64_t i) { return load(x + i); });
}
SB_TARGET_CLONES double rowSumF32(const float* x, std::int64_t n)
{
    return rowSum(x, n);
}
SB_TARGET_CLONES double rowSumBf16(const bf16_t* x, std::int64_t n)
{
    return rowSum(x, n);
}

template <class T>
SB_HOST_DEVICE void addRows(const T* x, std::int64_t rows, std::int64_t stride, std::int64_t n,
                            float* sums)
{
    for (std::int64_t r = 0; r < rows; ++r) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            sums[i] += load(x + r * stride + i);
    }
}
SB_TARGET_CLONES void addRowsF32(const float* x, std::int64_t rows, std::int64_t stride,
                                 std::int64_t n, float* sums)
{
    addRows(x, rows, stride, n, sums);
}
SB_TARGET_CLONES void addRowsBf16(const bf16_t* x, std::int64_t rows, std::int64_t stride,
                                  std::int64_t n, float* sums)
{
    addRows(x, rows, stride, n, sums);
}

float loadAny(DType type, const void* p, std::int64_t i)
{
    return type == DType::F32 ? static_cast<const float*>(p)[i]
                              : load(static_cast<const bf16_t*>(p) + i);
}
void storeAny(DType type, void* p, std::int64_t i, float v)
{
    if (type == DType::F32)
        static_cast<float*>(p)[i] = v;
    else
        store(static_cast<bf16_t*>(p) + i, v);
}

/// The axes of one kind, outermost first, without the innermost axis of the tensor.
struct Walk {
    int count = 0;
    std::array<std::int64_t, ReduceParams::kMaxAxes> size{}, stride{};
    std::int64_t total = 1;

    Walk(const ReduceParams& p, bool reduced)
    {
        std::int64_t step = 1;
        for (int i = p.axes - 1; i >= 0; --i) {
            const auto axis = std::size_t(i);
            if (p.reduced[axis] == reduced && i != p.axes - 1) {
                size[std::size_t(count)] = p.size[axis];
                stride[std::size_t(count++)] = step;
                total *= p.size[axis];
            }
            step *= p.size[axis];
        }
    }
    std::int64_t offset(std::int64_t index) const
    {
        std::int64_t at = 0;
        for (int i = 0; i < count; ++i) {
            at += index % size[std::size_t(i)] * stride[std::size_t(i)];
            index /= size[std::size_t(i)];
        }
        return at;
    }
};

/// The tensor as [outer kept][reduced][inner], inner kept or reduced.
struct Plan {
    Walk kept, over;
    std::int64_t inner;
    bool innerReduced;
    double terms; // of one output
    explicit Plan(const ReduceParams& p)
        : kept(p, false),
          over(p, true),
          inner(p.axes > 0 ? p.size[std::size_t(p.axes - 1)] : 1),
          innerReduced(p.axes > 0 && p.reduced[std::size_t(p.axes - 1)]),
          terms(double(over.total) * double(innerReduced ? inner : 1))
    {
    }
};

/// Sums of `width` neighbouring outputs (one when the innermost axis is reduced).
void sumStrip(const ReduceParams& p, const Plan& plan, const void* x, std::int64_t base,
              std::int64_t width, double* totals)
{
    std::fill_n(totals, width, 0.0);
    const auto* f = static_cast<const float*>(x) + base;
    const auto* h = static_cast<const bf16_t*>(x) + base;
    const bool f32 = p.inputType == DType::F32;
    if (plan.innerReduced) {
        for (std::int64_t r = 0; r < plan.over.total; ++r) {
            const std::int64_t at = plan.over.offset(r);
            totals[0] += f32 ? rowSumF32(f + at, plan.inner) : rowSumBf16(h + at, plan.inner);
        }
        return;
    }
    // Rows of the innermost reduced axis follow each other at one distance.
    const std::int64_t rows = plan.over.count > 0 ? plan.over.size[0] : 1;
    const std::int64_t stride = plan.over.count > 0 ? plan.over.stride[0] : 0;
    float sums[kStrip];
    for (std::int64_t r = 0; r < plan.over.total; r += rows)
        for (std::int64_t b = 0; b < rows; b += kShortRows) {
            const std::int64_t n = std::min(rows - b, kShortRows);
            const std::int64_t at = plan.over.offset(r) + b * stride;
            std::fill_n(sums, width, 0.0f);
            if (f32)
                addRowsF32(f + at, n, stride, width, sums);
            else
                addRowsBf16(h + at, n, stride, width, sums);
            for (std::int64_t i = 0; i < width; ++i)
                totals[i] += double(sums[i]);
        }
}

/// The first largest element of one output: a NaN, if there is one.
std::int64_t findLargest(const ReduceParams& p, const Plan& plan, const void* x, std::int64_t base)
{
    std::int64_t best = -1;
    float top = 0.0f;
    const std::int64_t inner = plan.innerReduced ? plan.inner : 1;
    for (std::int64_t r = 0; r < plan.over.total; ++r)
        for (std::int64_t i = 0; i < inner; ++i) {
            const std::int64_t at = base + plan.over.offset(r) + i;
            const float v = loadAny(p.inputType, x, at);
            // The order of positions is that of x: offset() counts the innermost axis first.
            if (best < 0 || v > top || (v != v && top == top)) {
                best = at;
                top = v;
            }
        }
    return best;
}

/// body(output, base, width) for every strip of neighbouring outputs.
template <class Body>
void everyStrip(const ReduceParams& p, const Plan& plan, Body&& body)
{
    if (p.outputCount() == 0)
        return;
    const std::int64_t line = plan.innerReduced ? 1 : plan.inner;
    const std::int64_t strips = (line + kStrip - 1) / kStrip;
    parallelFor(plan.kept.total * strips, [&](std::int64_t task) {
        const std::int64_t outer = task / strips, start = task % strips * kStrip;
        body(outer * line + start, plan.kept.offset(outer) + start, std::min(line - start, kStrip));
    });
}

} // namespace

void reduceForward(const ReduceParams& p, const void* x, void* y, std::int32_t* argmax)
{
    const Plan plan(p);
    everyStrip(p, plan, [&](std::int64_t output, std::int64_t base, std::int64_t width) {
        if (p.op == ReduceOp::Max) {
            for (std::int64_t i = 0; i < width; ++i) {
                const std::int64_t at = findLargest(p, plan, x, base + i);
                storeAny(p.outputType, y, output + i, loadAny(p.inputType, x, at));
                if (argmax)
                    argmax[output + i] = std::int32_t(at);
            }
            return;
        }
        double totals[kStrip];
        sumStrip(p, plan, x, base, width, totals);
        for (std::int64_t i = 0; i < width; ++i)
            storeAny(p.outputType, y, output + i,
                     float(p.op == ReduceOp::Mean ? totals[i] / plan.terms : totals[i]));
    });
}

void reduceBackward(const ReduceParams& p, const void* dy, const std::int32_t* argmax, void* dx)
{
    const Plan plan(p);
    if (p.op == ReduceOp::Max) {
        std::memset(dx, 0, std::size_t(p.inputCount()) * dtypeBytes(p.inputType));
        for (std::int64_t i = 0; i < p.outputCount(); ++i)
            storeAny(p.inputType, dx, argmax[i], loadAny(p.outputType, dy, i));
        return;
    }
    if (p.inputCount() == 0)
        return;
    const float factor = p.op == ReduceOp::Mean ? float(1.0 / plan.terms) : 1.0f;
    everyStrip(p, plan, [&](std::int64_t output, std::int64_t base, std::int64_t width) {
        float g[kStrip];
        for (std::int64_t i = 0; i < width; ++i)
            g[i] = factor * loadAny(p.outputType, dy, output + i);
        const std::int64_t inner = plan.innerReduced ? plan.inner : width;
        for (std::int64_t r = 0; r < plan.over.total; ++r) {
            const std::int64_t at = base + plan.over.offset(r);
            for (std::int64_t i = 0; i < inner; ++i)
                storeAny(p.inputType, dx, at + i, g[plan.innerReduced ? 0 : i]);
        }
    });
}

} // namespace scalebench::kernels::cpu
