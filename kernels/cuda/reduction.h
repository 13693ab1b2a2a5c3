// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The kernels behind every reduction over axes. What is reduced comes from a source that yields the
// element at a position of the tensor, so that terms are computed where they are summed and never
// stored. Two forms: the innermost axis is reduced (a warp or a block per output), or kept (threads
// own neighbouring outputs and go down the rows). Few outputs of many terms are split over blocks
// and joined by a second kernel.

#include <cuda_runtime.h>

#include "kernels/cuda/block.h"
#include "kernels/cuda/index.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/vector.h"
#include "kernels/cuda/words.h"
#include "kernels/formula/order.h"
#include "kernels/reduce.h"

#include <algorithm>

namespace scalebench::kernels::cuda {

inline constexpr int kReduceThreads = 256;

/// Where the outputs of a reduction go.
struct ReduceTarget {
    void* y;
    DType type;
    std::int32_t* argmax = nullptr;
    float divisor = 0.0f; ///< of a mean; 0: none

    __device__ void store(std::int64_t i, float v) const
    {
        if (type == DType::F32)
            static_cast<float*>(y)[i] = v;
        else if (type == DType::BF16)
            static_cast<BFloat16*>(y)[i] = fromFloat<BFloat16>(v);
        else
            static_cast<Float16*>(y)[i] = fromFloat<Float16>(v);
    }
};

struct SumReduction {
    using State = float;
    __device__ static State neutral() { return 0.0f; }
    __device__ static State take(State s, float v, std::int64_t) { return s + v; }
    __device__ State operator()(State a, State b) const { return a + b; }
    __device__ static void store(const ReduceTarget& t, std::int64_t i, State s, bool mean)
    {
        t.store(i, mean ? s / t.divisor : s);
    }
};

/// The first largest element, as a key of value and position.
struct MaxReduction {
    using State = unsigned long long;
    __device__ static State neutral() { return formula::kNoKey; }
    __device__ static State take(State s, float v, std::int64_t position)
    {
        const State key = formula::orderKey(v, std::uint32_t(position));
        return key > s ? key : s;
    }
    __device__ State operator()(State a, State b) const { return a > b ? a : b; }
    __device__ static void store(const ReduceTarget& t, std::int64_t i, State s, bool)
    {
        t.store(i, formula::valueOfKey(s));
        if (t.argmax)
            t.argmax[i] = std::int32_t(formula::positionOfKey(s));
    }
};

/// The tensor as [kept][reduced][inner], inner kept or reduced, and how it is split.
struct ReducePlan {
    std::int64_t count, outputs, inner, kept = 1, over = 1; ///< kept, over: without inner
    bool innerReduced;
    int splits = 1; ///< blocks per output
    const ReduceParams& p;

    explicit ReducePlan(const ReduceParams& params)
        : count(params.inputCount()),
          outputs(params.outputCount()),
          inner(params.axes > 0 ? params.size[std::size_t(params.axes - 1)] : 1),
          innerReduced(params.axes > 0 && params.reduced[std::size_t(params.axes - 1)]),
          p(params)
    {
        for (int a = 0; a + 1 < params.axes; ++a)
            (params.reduced[std::size_t(a)] ? over : kept) *= params.size[std::size_t(a)];
        constexpr std::int64_t kBlocks = 132 * 8, kTerms = 8192; // wanted in all; least of a block
        const std::int64_t strip = innerReduced ? inner : std::min<std::int64_t>(inner, 256);
        const std::int64_t tiles = innerReduced ? kept : kept * ((inner + 255) / 256);
        const std::int64_t most = (over * strip + kTerms - 1) / kTerms;
        splits = int(std::clamp<std::int64_t>(kBlocks / std::max<std::int64_t>(tiles, 1), 1,
                                              std::max<std::int64_t>(most, 1)));
    }
    std::int64_t terms() const { return over * (innerReduced ? inner : 1); }

    /// The axes of one kind without the innermost axis of the tensor.
    template <class I>
    Strides<I, 1, 3> walk(bool reduced) const
    {
        Strides<I, 1, 3> s;
        std::int64_t step = 1;
        for (int a = p.axes - 1; a >= 0; --a) {
            const std::int64_t size = p.size[std::size_t(a)];
            if (p.reduced[std::size_t(a)] == reduced && a != p.axes - 1)
                s.add(size, &step);
            step *= size;
        }
        return s;
    }
};

template <class Op>
std::size_t splitBytes(const ReducePlan& plan)
{
    return plan.splits > 1
               ? std::size_t(plan.outputs) * std::size_t(plan.splits) * sizeof(typename Op::State)
               : 0;
}

template <class I>
struct RowWalk {
    I rows, runs, chunk;  ///< outputs; runs of N elements of a row, and of a split of it
    Divider<I> innerRuns; ///< runs of the innermost axis
    Strides<I, 1, 3> kept, over;
};

/// Lanes: threads of a row, a warp or the block. Partials [rows][gridDim.y] when there are some.
template <int N, int Lanes, class I, class Op, class Source>
__global__ void __launch_bounds__(kReduceThreads)
    reduceRowsKernel(RowWalk<I> walk, Source source, ReduceTarget target, bool mean,
                     typename Op::State* partials)
{
    using State = typename Op::State;
    const I row = I(blockIdx.x) * (kReduceThreads / Lanes) + threadIdx.x / Lanes;
    State state = Op::neutral();
    if (row < walk.rows) {
        I base;
        walk.kept.places(row, &base);
        const I begin = I(blockIdx.y) * walk.chunk;
        const I end = begin + walk.chunk < walk.runs ? begin + walk.chunk : walk.runs;
        SB_UNROLL_4
        for (I run = begin + threadIdx.x % Lanes; run < end; run += Lanes) {
            const I line = walk.innerRuns.quotient(run);
            I at;
            walk.over.places(line, &at);
            at += base + (run - line * walk.innerRuns.divisor) * N;
            float v[N];
            source.template load<N>(at, v);
            SB_UNROLL
            for (int i = 0; i < N; ++i)
                state = Op::take(state, v[i], std::int64_t(at) + i);
        }
    }
    if constexpr (Lanes == 32)
        state = warpReduce(state, Op());
    else
        state = blockReduce(state, Op::neutral(), Op());
    if (threadIdx.x % Lanes != 0 || row >= walk.rows)
        return;
    if (partials)
        partials[std::int64_t(row) * gridDim.y + blockIdx.y] = state;
    else
        Op::store(target, row, state, mean);
}

template <class I>
struct ColumnWalk {
    I columns, rows, chunk; ///< runs of the innermost axis; rows of an output, and of a split
    int width;              ///< threads side by side, a power of 2
    Divider<I> tiles;       ///< per line of outputs
    Strides<I, 1, 3> kept, over;
};

/// Partials [outputs][gridDim.y] when there are some.
template <int N, class I, class Op, class Source>
__global__ void __launch_bounds__(kReduceThreads)
    reduceColumnsKernel(ColumnWalk<I> walk, Source source, ReduceTarget target, bool mean,
                        typename Op::State* partials)
{
    using State = typename Op::State;
    __shared__ State parts[N * kReduceThreads];
    const int x = int(threadIdx.x) & (walk.width - 1), y = int(threadIdx.x) / walk.width;
    const int height = kReduceThreads / walk.width;
    const I line = walk.tiles.quotient(blockIdx.x);
    const I column = (I(blockIdx.x) - line * walk.tiles.divisor) * I(walk.width) + I(x);
    State state[N];
    SB_UNROLL
    for (int i = 0; i < N; ++i)
        state[i] = Op::neutral();
    if (column < walk.columns) {
        I base;
        walk.kept.places(line, &base);
        base += column * N;
        const I begin = I(blockIdx.y) * walk.chunk;
        const I end = begin + walk.chunk < walk.rows ? begin + walk.chunk : walk.rows;
        SB_UNROLL_4
        for (I row = begin + I(y); row < end; row += I(height)) {
            I at;
            walk.over.places(row, &at);
            at += base;
            float v[N];
            source.template load<N>(at, v);
            SB_UNROLL
            for (int i = 0; i < N; ++i)
                state[i] = Op::take(state[i], v[i], std::int64_t(at) + i);
        }
    }
    SB_UNROLL
    for (int i = 0; i < N; ++i)
        parts[i * kReduceThreads + int(threadIdx.x)] = state[i];
    for (int half = height / 2; half > 0; half /= 2) {
        __syncthreads();
        if (y < half)
            SB_UNROLL
        for (int i = 0; i < N; ++i) {
            State* mine = parts + i * kReduceThreads + threadIdx.x;
            mine[0] = Op()(mine[0], mine[half * walk.width]);
        }
    }
    if (y > 0 || column >= walk.columns)
        return;
    for (int i = 0; i < N; ++i) {
        const std::int64_t output = (std::int64_t(line) * walk.columns + column) * N + i;
        const State sum = parts[i * kReduceThreads + x];
        if (partials)
            partials[output * gridDim.y + blockIdx.y] = sum;
        else
            Op::store(target, output, sum, mean);
    }
}

/// A warp per output joins its splits.
template <class Op>
__global__ void __launch_bounds__(kReduceThreads)
    joinSplitsKernel(std::int64_t outputs, int splits, const typename Op::State* partials,
                     ReduceTarget target, bool mean)
{
    const std::int64_t output = std::int64_t(blockIdx.x) * (kReduceThreads / 32) + threadIdx.x / 32;
    typename Op::State state = Op::neutral();
    if (output < outputs)
        for (int s = int(threadIdx.x) % 32; s < splits; s += 32)
            state = Op()(state, partials[output * splits + s]);
    state = warpReduce(state, Op());
    if (output < outputs && threadIdx.x % 32 == 0)
        Op::store(target, output, state, mean);
}

template <int N, int Lanes, class I, class Op, class Source>
void launchRows(const char* name, cudaStream_t stream, const ReducePlan& plan, const Source& source,
                const ReduceTarget& target, bool mean, typename Op::State* partials)
{
    const std::int64_t runs = plan.terms() / N;
    const RowWalk<I> walk{I(plan.outputs),
                          I(runs),
                          I((runs + plan.splits - 1) / plan.splits),
                          Divider<I>(std::max<std::int64_t>(plan.inner / N, 1)),
                          plan.walk<I>(false),
                          plan.walk<I>(true)};
    const std::int64_t rows = kReduceThreads / Lanes;
    launch(name, stream,
           Grid{dim3(unsigned((plan.outputs + rows - 1) / rows), unsigned(plan.splits)),
                dim3(kReduceThreads)},
           reduceRowsKernel<N, Lanes, I, Op, Source>, walk, source, target, mean, partials);
}

template <int N, class I, class Op, class Source>
void launchColumns(const char* name, cudaStream_t stream, const ReducePlan& plan,
                   const Source& source, const ReduceTarget& target, bool mean,
                   typename Op::State* partials)
{
    const std::int64_t columns = plan.inner / N;
    int width = 1;
    while (width < 32 && width < columns)
        width *= 2;
    const std::int64_t tiles = (columns + width - 1) / width;
    const ColumnWalk<I> walk{I(columns),
                             I(plan.over),
                             I((plan.over + plan.splits - 1) / plan.splits),
                             width,
                             Divider<I>(tiles),
                             plan.walk<I>(false),
                             plan.walk<I>(true)};
    launch(name, stream,
           Grid{dim3(unsigned(plan.kept * tiles), unsigned(plan.splits)), dim3(kReduceThreads)},
           reduceColumnsKernel<N, I, Op, Source>, walk, source, target, mean, partials);
}

/// Elements of a run: N where runs lie together (sources say so), else 1. scratch:
/// splitBytes<Op>().
template <int N, class I, class Op, class Source>
void launchReduction(const char* name, cudaStream_t stream, const ReducePlan& plan,
                     const Source& source, const ReduceTarget& target, bool mean, void* scratch)
{
    auto* partials = plan.splits > 1 ? static_cast<typename Op::State*>(scratch) : nullptr;
    if (!plan.innerReduced)
        launchColumns<N, I, Op>(name, stream, plan, source, target, mean, partials);
    else if (plan.terms() <= 1024)
        launchRows<N, 32, I, Op>(name, stream, plan, source, target, mean, partials);
    else
        launchRows<N, kReduceThreads, I, Op>(name, stream, plan, source, target, mean, partials);
    if (partials)
        launch(name, stream,
               Grid{dim3(unsigned((plan.outputs * 32 + kReduceThreads - 1) / kReduceThreads)),
                    dim3(kReduceThreads)},
               joinSplitsKernel<Op>, plan.outputs, plan.splits,
               static_cast<const typename Op::State*>(partials), target, mean);
}

} // namespace scalebench::kernels::cuda
