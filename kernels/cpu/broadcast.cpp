// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/broadcast.h"

#include <algorithm>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/binary.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kGrain = 32768; // elements of one piece

/// What a row of the innermost axis computes.
enum class Kind { Forward, GradientA, GradientB };

template <Kind K, BinaryOp Op>
SB_HOST_DEVICE float element(float a, float b, float dy)
{
    if constexpr (K == Kind::Forward)
        return formula::binary(Op, a, b);
    else if constexpr (K == Kind::GradientA)
        return formula::binaryGradientA(Op, a, b, dy);
    else
        return formula::binaryGradientB(Op, a, b, dy);
}

struct Row {
    const void *a, *b, *dy;
    void* y;
    std::int64_t n, stepA, stepB; // steps 0 or 1, or any on a row that cannot be vectorised
};

template <Kind K, BinaryOp Op, class T, class Out>
SB_HOST_DEVICE void rowOf(const Row& r)
{
    const T* a = static_cast<const T*>(r.a);
    const T* b = static_cast<const T*>(r.b);
    const T* dy = static_cast<const T*>(r.dy);
    Out* y = static_cast<Out*>(r.y);
    auto gradient = [&](std::int64_t i) { return K == Kind::Forward ? 0.0f : load(dy + i); };
    if (r.stepA == 1 && r.stepB == 1) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < r.n; ++i)
            store(y + i, element<K, Op>(load(a + i), load(b + i), gradient(i)));
    } else if (r.stepA == 1 && r.stepB == 0) {
        const float same = load(b);
#pragma GCC ivdep
        for (std::int64_t i = 0; i < r.n; ++i)
            store(y + i, element<K, Op>(load(a + i), same, gradient(i)));
    } else if (r.stepA == 0 && r.stepB == 1) {
        const float same = load(a);
#pragma GCC ivdep
        for (std::int64_t i = 0; i < r.n; ++i)
            store(y + i, element<K, Op>(same, load(b + i), gradient(i)));
    } else {
        for (std::int64_t i = 0; i < r.n; ++i)
            store(y + i, element<K, Op>(load(a + i * r.stepA), load(b + i * r.stepB), gradient(i)));
    }
}

template <Kind K, class T, class Out>
SB_HOST_DEVICE void rowOf(BinaryOp op, const Row& r)
{
    switch (op) {
    case BinaryOp::Add:
        return rowOf<K, BinaryOp::Add, T, Out>(r);
    case BinaryOp::Subtract:
        return rowOf<K, BinaryOp::Subtract, T, Out>(r);
    case BinaryOp::Multiply:
        return rowOf<K, BinaryOp::Multiply, T, Out>(r);
    case BinaryOp::Divide:
        return rowOf<K, BinaryOp::Divide, T, Out>(r);
    }
}

template <class T, class Out>
SB_HOST_DEVICE void rowOf(Kind kind, BinaryOp op, const Row& r)
{
    if (kind == Kind::Forward)
        rowOf<Kind::Forward, T, Out>(op, r);
    else if (kind == Kind::GradientA)
        rowOf<Kind::GradientA, T, Out>(op, r);
    else
        rowOf<Kind::GradientB, T, Out>(op, r);
}

SB_TARGET_CLONES void rowF32(Kind kind, BinaryOp op, const Row& r)
{
    rowOf<float, float>(kind, op, r);
}
SB_TARGET_CLONES void rowBf16(Kind kind, BinaryOp op, const Row& r)
{
    rowOf<bf16_t, bf16_t>(kind, op, r);
}
SB_TARGET_CLONES void rowBf16ToF32(Kind kind, BinaryOp op, const Row& r)
{
    rowOf<bf16_t, float>(kind, op, r);
}

const char* moved(const void* p, std::int64_t elements, std::size_t size)
{
    return p ? static_cast<const char*>(p) + elements * std::int64_t(size) : nullptr;
}

void everyRow(const BroadcastParams& p, Kind kind, const void* a, const void* b, const void* dy,
              bool f32Output, void* y)
{
    const std::int64_t inner = p.size[std::size_t(p.axes - 1)];
    const std::int64_t total = p.count();
    if (total == 0)
        return;
    const std::size_t in = dtypeBytes(p.dtype), out = f32Output ? 4 : in;
    const std::int64_t pieces = (inner + kGrain - 1) / kGrain; // of one long row
    const std::int64_t rows = total / inner;
    parallelRanges(rows * pieces, std::max<std::int64_t>(kGrain / inner, 1),
                   [&](std::int64_t first, std::int64_t last) {
                       for (std::int64_t task = first; task < last; ++task) {
                           const std::int64_t row = task / pieces, start = task % pieces * kGrain;
                           std::int64_t atA = 0, atB = 0, rest = row;
                           for (int i = p.axes - 2; i >= 0; --i) {
                               const auto axis = std::size_t(i);
                               const std::int64_t index = rest % p.size[axis];
                               rest /= p.size[axis];
                               atA += index * p.strideA[axis];
                               atB += index * p.strideB[axis];
                           }
                           const std::int64_t stepA = p.strideA[std::size_t(p.axes - 1)];
                           const std::int64_t stepB = p.strideB[std::size_t(p.axes - 1)];
                           const std::int64_t at = row * inner + start;
                           const Row r{moved(a, atA + start * stepA, in),
                                       moved(b, atB + start * stepB, in),
                                       moved(dy, at, in),
                                       static_cast<char*>(y) + at * std::int64_t(out),
                                       std::min(inner - start, kGrain),
                                       stepA,
                                       stepB};
                           if (p.dtype == DType::F32)
                               rowF32(kind, p.op, r);
                           else if (f32Output)
                               rowBf16ToF32(kind, p.op, r);
                           else
                               rowBf16(kind, p.op, r);
                       }
                   });
}

template <class T>
SB_HOST_DEVICE void scaled(float factor, const T* x, T* y, std::int64_t n)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        store(y + i, factor * load(x + i));
}
SB_TARGET_CLONES void scaledF32(float factor, const float* x, float* y, std::int64_t n)
{
    scaled(factor, x, y, n);
}
SB_TARGET_CLONES void scaledBf16(float factor, const bf16_t* x, bf16_t* y, std::int64_t n)
{
    scaled(factor, x, y, n);
}

} // namespace

void binaryForward(const BroadcastParams& p, const void* a, const void* b, void* y)
{
    everyRow(p, Kind::Forward, a, b, nullptr, p.dtype == DType::F32, y);
}

void binaryBackward(const BroadcastParams& p, bool ofB, const void* a, const void* b,
                    const void* dy, bool f32Output, void* g)
{
    everyRow(p, ofB ? Kind::GradientB : Kind::GradientA, a, b, dy, f32Output, g);
}

void scaleForward(DType dtype, std::int64_t n, float factor, const void* x, void* y)
{
    parallelRanges(n, kGrain, [&](std::int64_t b, std::int64_t e) {
        if (dtype == DType::F32)
            scaledF32(factor, static_cast<const float*>(x) + b, static_cast<float*>(y) + b, e - b);
        else
            scaledBf16(factor, static_cast<const bf16_t*>(x) + b, static_cast<bf16_t*>(y) + b,
                       e - b);
    });
}

} // namespace scalebench::kernels::cpu
