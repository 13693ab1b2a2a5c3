// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/reduce.h"

#include "kernels/cuda/map.h"
#include "kernels/cuda/reduction.h"

namespace scalebench::kernels::cuda {
namespace {

/// The elements of a tensor as they are.
template <class T>
struct Elements {
    const T* x;
    template <int N, class I>
    __device__ __forceinline__ void load(I at, float* v) const
    {
        loadFloats<N>(x + at, v);
    }
};

struct Scale {
    float factor;
    __device__ float operator()(const float* x) const { return factor * x[0]; }
};

template <class T, class Op>
void forward(const ReducePlan& plan, const T* x, const ReduceTarget& target, bool mean,
             void* scratch, cudaStream_t stream)
{
    constexpr int kN = kVector<T>;
    const Elements<T> source{x};
    const bool runs = plan.inner % kN == 0 && aligned({x});
    withIndex(plan.count, [&](auto tag) {
        using I = typename decltype(tag)::Type;
        if (runs)
            launchReduction<kN, I, Op>("reduction", stream, plan, source, target, mean, scratch);
        else
            launchReduction<1, I, Op>("reduction", stream, plan, source, target, mean, scratch);
    });
}

template <class In, class Out>
__global__ void scatterKernel(std::int64_t n, const Out* dy, const std::int32_t* argmax, In* dx)
{
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += std::int64_t(gridDim.x) * blockDim.x)
        dx[argmax[i]] = fromFloat<In>(toFloat(dy[i]));
}

/// Elements of y per entry of each axis of x: none where it is reduced.
MapAxes<1> repeatedAxes(const ReduceParams& p)
{
    MapAxes<1> axes;
    axes.axes = p.axes > 0 ? p.axes : 1;
    axes.size[0] = 1;
    std::int64_t step = 1;
    for (int a = p.axes - 1; a >= 0; --a) {
        const bool reduced = p.reduced[std::size_t(a)];
        axes.size[a] = p.size[std::size_t(a)];
        axes.stride[0][a] = reduced ? 0 : step;
        step *= reduced ? 1 : axes.size[a];
    }
    return axes;
}

} // namespace

std::size_t reduceScratchBytes(const ReduceParams& p)
{
    const ReducePlan plan(p);
    return p.op == ReduceOp::Max ? splitBytes<MaxReduction>(plan) : splitBytes<SumReduction>(plan);
}

void reduceForward(const ReduceParams& p, const void* x, void* y, std::int32_t* argmax,
                   void* scratch, cudaStream_t stream)
{
    if (p.outputCount() == 0)
        return;
    const ReducePlan plan(p);
    const bool mean = p.op == ReduceOp::Mean;
    const ReduceTarget target{y, p.outputType, argmax, float(plan.terms())};
    withActivationType(p.inputType, "reduction", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if (p.op == ReduceOp::Max)
            forward<T, MaxReduction>(plan, static_cast<const T*>(x), target, false, scratch,
                                     stream);
        else
            forward<T, SumReduction>(plan, static_cast<const T*>(x), target, mean, scratch, stream);
    });
}

void reduceBackward(const ReduceParams& p, const void* dy, const std::int32_t* argmax, void* dx,
                    cudaStream_t stream)
{
    if (p.inputCount() == 0)
        return;
    const float factor = p.op == ReduceOp::Mean ? float(1.0 / double(ReducePlan(p).terms())) : 1.0f;
    if (p.op == ReduceOp::Max)
        check(cudaMemsetAsync(dx, 0, std::size_t(p.inputCount()) * dtypeBytes(p.inputType), stream),
              "maximum backward");
    withActivationType(p.inputType, "reduction backward", [&](auto in) {
        using In = typename decltype(in)::Type;
        withActivationType(p.outputType, "reduction backward", [&](auto out) {
            using Out = typename decltype(out)::Type;
            const auto* from = static_cast<const Out*>(dy);
            auto* to = static_cast<In*>(dx);
            if (p.op == ReduceOp::Max)
                launch("maximum backward", stream, gridFor(p.outputCount()), scatterKernel<In, Out>,
                       p.outputCount(), from, argmax, to);
            else
                launchStridedMap("reduction backward", stream, repeatedAxes(p),
                                 Map<Scale, 1, Out, In>{{factor}, {from}, to});
        });
    });
}

} // namespace scalebench::kernels::cuda
