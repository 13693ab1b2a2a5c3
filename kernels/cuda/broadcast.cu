// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/broadcast.h"

#include "kernels/cuda/map.h"
#include "kernels/cuda/reduction.h"
#include "kernels/formula/binary.h"

namespace scalebench::kernels::cuda {
namespace {

struct Binary {
    BinaryOp op;
    __device__ float operator()(const float* x) const { return formula::binary(op, x[0], x[1]); }
};

struct Gradient {
    BinaryOp op;
    bool ofB;
    __device__ float operator()(float a, float b, float dy) const
    {
        return ofB ? formula::binaryGradientB(op, a, b, dy)
                   : formula::binaryGradientA(op, a, b, dy);
    }
};
/// The derivatives by what they contain: dy alone, with one operand, with both.
struct GradientOfDy : Gradient {
    __device__ float operator()(const float* x) const
    {
        return Gradient::operator()(0.0f, 0.0f, x[0]);
    }
};
struct GradientWithOther : Gradient { // the other operand, dy
    __device__ float operator()(const float* x) const
    {
        return ofB ? Gradient::operator()(x[0], 0.0f, x[1])
                   : Gradient::operator()(0.0f, x[0], x[1]);
    }
};
struct GradientWithBoth : Gradient {
    __device__ float operator()(const float* x) const
    {
        return Gradient::operator()(x[0], x[1], x[2]);
    }
};

struct Needs {
    bool a, b;
    Needs(BinaryOp op, bool ofB)
        : a(ofB && (op == BinaryOp::Multiply || op == BinaryOp::Divide)),
          b(op == BinaryOp::Divide || (op == BinaryOp::Multiply && !ofB))
    {
    }
};

/// The axes of the result with the strides of operands: A, B, or the result's own.
enum class Operand { A, B, Result };

template <int K>
MapAxes<K> axesOf(const BroadcastParams& p, const Operand (&operands)[K])
{
    MapAxes<K> axes;
    axes.axes = p.axes;
    std::int64_t step = 1;
    for (int i = p.axes - 1; i >= 0; --i) {
        const auto axis = std::size_t(i);
        axes.size[i] = p.size[axis];
        for (int k = 0; k < K; ++k)
            axes.stride[k][i] = operands[k] == Operand::A   ? p.strideA[axis]
                                : operands[k] == Operand::B ? p.strideB[axis]
                                                            : step;
        step *= p.size[axis];
    }
    return axes;
}

/// Without the arithmetic of places where no operand repeats.
template <class F, int K, class T>
void run(const char* name, cudaStream_t stream, const BroadcastParams& p,
         const Operand (&operands)[K], const Map<F, K, T>& map)
{
    bool plain = p.axes == 1;
    for (const Operand o : operands)
        plain =
            plain && (o == Operand::Result || (o == Operand::A ? p.strideA[0] : p.strideB[0]) == 1);
    if (plain)
        launchMap(name, stream, p.count(), map);
    else
        launchStridedMap(name, stream, axesOf(p, operands), map);
}

/// The terms of the gradient of one operand, in the shape of the result.
template <class T, class I, int Run>
struct Terms {
    Gradient gradient;
    const T *a, *b, *dy; // a, b: null where the derivative does not contain them
    Strides<I, 2, kMaxMapAxes> strides;

    __device__ __forceinline__ void operand(const T* x, I at, I step, float (&v)[Run]) const
    {
        if (step == 0) {
            const float same = toFloat(x[at]);
            for (int i = 0; i < Run; ++i)
                v[i] = same;
        } else {
            loadFloats<Run>(x + at, v);
        }
    }
    template <int N>
    __device__ __forceinline__ void load(I position, float* v) const
    {
        static_assert(N == Run);
        float va[Run] = {}, vb[Run] = {};
        loadFloats<Run>(dy + position, v);
        if (a || b) {
            I at[2];
            strides.places(position / Run, at);
            if (a)
                operand(a, at[0], strides.stride[0][0], va);
            if (b)
                operand(b, at[1], strides.stride[1][0], vb);
        }
        SB_UNROLL
        for (int i = 0; i < Run; ++i)
            v[i] = gradient(va[i], vb[i], v[i]);
    }
};

} // namespace

void binaryForward(const BroadcastParams& p, const void* a, const void* b, void* y,
                   cudaStream_t stream)
{
    const char* name = binaryOpName(p.op);
    withActivationType(p.dtype, name, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        run(name, stream, p, {Operand::A, Operand::B},
            Map<Binary, 2, T>{
                {p.op}, {static_cast<const T*>(a), static_cast<const T*>(b)}, static_cast<T*>(y)});
    });
}

void binaryBackward(const BroadcastParams& p, bool ofB, const void* a, const void* b,
                    const void* dy, void* g, cudaStream_t stream)
{
    const char* name = "binary backward";
    const Gradient gradient{p.op, ofB};
    const Needs needs(p.op, ofB);
    withActivationType(p.dtype, name, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const auto *ta = static_cast<const T*>(a), *tb = static_cast<const T*>(b),
                   *tdy = static_cast<const T*>(dy);
        auto* tg = static_cast<T*>(g);
        if (needs.a && needs.b)
            run(name, stream, p, {Operand::A, Operand::B, Operand::Result},
                Map<GradientWithBoth, 3, T>{{gradient}, {ta, tb, tdy}, tg});
        else if (needs.a || needs.b)
            run(name, stream, p, {needs.a ? Operand::A : Operand::B, Operand::Result},
                Map<GradientWithOther, 2, T>{{gradient}, {needs.a ? ta : tb, tdy}, tg});
        else
            launchMap(name, stream, p.count(), Map<GradientOfDy, 1, T>{{gradient}, {tdy}, tg});
    });
}

std::size_t binaryBackwardScratchBytes(const ReduceParams& reduction)
{
    return splitBytes<SumReduction>(ReducePlan(reduction));
}

void binaryBackwardReduced(const BroadcastParams& p, bool ofB, const ReduceParams& reduction,
                           const void* a, const void* b, const void* dy, void* g, void* scratch,
                           cudaStream_t stream)
{
    if (reduction.outputCount() == 0)
        return;
    const char* name = "binary backward";
    const ReducePlan plan(reduction);
    const ReduceTarget target{g, reduction.outputType};
    const Needs needs(p.op, ofB);
    const MapAxes<2> axes = axesOf(p, {Operand::A, Operand::B});
    withActivationType(p.dtype, name, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T* ta = needs.a ? static_cast<const T*>(a) : nullptr;
        const T* tb = needs.b ? static_cast<const T*>(b) : nullptr;
        const auto* tdy = static_cast<const T*>(dy);
        withIndex(plan.count, [&](auto index) {
            using I = typename decltype(index)::Type;
            constexpr int kN = kVector<T>;
            if (plan.inner % kN == 0 && axes.runsOf(kN) && aligned({ta, tb, tdy}))
                launchReduction<kN, I, SumReduction>(
                    name, stream, plan,
                    Terms<T, I, kN>{{p.op, ofB}, ta, tb, tdy, axes.template strides<I>(kN)}, target,
                    false, scratch);
            else
                launchReduction<1, I, SumReduction>(
                    name, stream, plan,
                    Terms<T, I, 1>{{p.op, ofB}, ta, tb, tdy, axes.template strides<I>(1)}, target,
                    false, scratch);
        });
    });
}

} // namespace scalebench::kernels::cuda
