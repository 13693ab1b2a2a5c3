// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/sigmoid_loss.h"

#include "kernels/cuda/loss_sum.h"
#include "kernels/cuda/vector.h"
#include "kernels/cuda/words.h"
#include "kernels/formula/loss.h"

namespace scalebench::kernels::cuda {
namespace {

/// A term of the sum and the gradient of its prediction.
using Term = formula::LossAndSlope;

struct SigmoidCe {
    const float *targets, *weights;
    float scale;

    __device__ Term operator()(std::int64_t i, float z) const
    {
        const Term r = formula::sigmoidCrossEntropy(z, targets[i]);
        const float w = weights ? weights[i] : 1.0f;
        return {w * r.loss, scale * w * r.slope};
    }
};

template <class I>
struct Focal {
    const std::int32_t* labels;
    const float* weights;
    Divider<I> classes;
    float alpha, gamma, scale;
    BadIndex bad;

    __device__ Term operator()(std::int64_t i, float z) const
    {
        const I row = classes.quotient(I(i)), c = I(i) - row * classes.divisor;
        const std::int32_t label = labels[row];
        if (label == kFocalIgnored)
            return {0.0f, 0.0f};
        if (label != kFocalBackground &&
            !bad.check((long long)(row), label, (long long)(classes.divisor)))
            return {0.0f, 0.0f};
        const bool hit = label >= 0 && I(label) == c;
        const Term r = formula::focal(z, hit, alpha, gamma);
        const float w = weights ? weights[row] : 1.0f;
        return {w * r.loss, scale * w * r.slope};
    }
};

template <class I>
struct SmoothL1 {
    const float *targets, *weights;
    Divider<I> width;
    float beta, factor, scale;

    __device__ Term operator()(std::int64_t i, float x) const
    {
        const float w = weights ? weights[width.quotient(I(i))] : 1.0f;
        if (w == 0.0f) // what is there may be infinite: 0 times it is not 0
            return {0.0f, 0.0f};
        const Term r = formula::smoothL1(x - targets[i], beta);
        return {w * factor * r.loss, scale * w * factor * r.slope};
    }
};

template <int N, class T, class Loss>
__global__ void __launch_bounds__(kLossThreads)
    lossKernel(std::int64_t n, Loss loss, const T* x, T* dx, LossPart* parts)
{
    const std::int64_t runs = n / N, thread = std::int64_t(blockIdx.x) * kLossThreads + threadIdx.x;
    double sum = 0.0;
    for (std::int64_t run = thread; run < runs; run += std::int64_t(gridDim.x) * kLossThreads) {
        float v[N], terms = 0.0f;
        loadFloats<N>(x + run * N, v);
        SB_UNROLL
        for (int i = 0; i < N; ++i) {
            const Term term = loss(run * N + i, v[i]);
            terms += term.loss;
            v[i] = term.slope;
        }
        sum += double(terms);
        if (dx)
            storeFloats<N>(dx + run * N, v);
    }
    const std::int64_t rest = runs * N + thread;
    if (N > 1 && rest < n) {
        const Term term = loss(rest, toFloat(x[rest]));
        sum += double(term.loss);
        if (dx)
            dx[rest] = fromFloat<T>(term.slope);
    }
    storeLossPart(parts, sum, 0, 0);
}

template <class T, class Loss>
void run(const char* name, cudaStream_t stream, std::int64_t n, const Loss& loss, const void* x,
         void* dx, float scale, const LossTarget& target, void* scratch)
{
    auto* parts = static_cast<LossPart*>(scratch);
    const auto* from = static_cast<const T*>(x);
    auto* to = static_cast<T*>(dx);
    constexpr int kN = kVector<T>;
    const Grid grid = lossGrid((n + kN - 1) / kN);
    if (aligned({x, dx}))
        launch(name, stream, grid, lossKernel<kN, T, Loss>, n, loss, from, to, parts);
    else
        launch(name, stream, grid, lossKernel<1, T, Loss>, n, loss, from, to, parts);
    joinLossParts(grid, parts, scale, target, stream);
}

} // namespace

void sigmoidCrossEntropy(const SigmoidCeParams& p, const void* logits, const float* targets,
                         const float* weights, void* dlogits, const LossTarget& target,
                         void* scratch, cudaStream_t stream)
{
    const char* name = "sigmoid cross-entropy";
    withActivationType(p.dtype, name, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        run<T>(name, stream, p.n, SigmoidCe{targets, weights, p.scale}, logits, dlogits, p.scale,
               target, scratch);
    });
}

void focalLoss(const FocalLossParams& p, const void* logits, const std::int32_t* labels,
               const float* weights, void* dlogits, const LossTarget& target, BadIndex bad,
               void* scratch, cudaStream_t stream)
{
    const char* name = "focal loss";
    const std::int64_t n = p.N * p.classes;
    withActivationType(p.dtype, name, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        withIndex(n, [&](auto index) {
            using I = typename decltype(index)::Type;
            run<T>(name, stream, n,
                   Focal<I>{labels, weights, Divider<I>(p.classes), p.alpha, p.gamma, p.scale, bad},
                   logits, dlogits, p.scale, target, scratch);
        });
    });
}

void smoothL1(const SmoothL1Params& p, const void* predictions, const float* targets,
              const float* weights, void* dpredictions, const LossTarget& target, void* scratch,
              cudaStream_t stream)
{
    const char* name = "smooth L1";
    const std::int64_t n = p.N * p.width;
    withActivationType(p.dtype, name, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        withIndex(n, [&](auto index) {
            using I = typename decltype(index)::Type;
            run<T>(name, stream, n,
                   SmoothL1<I>{targets, weights, Divider<I>(p.width), p.beta,
                               p.huber ? p.beta : 1.0f, p.scale},
                   predictions, dpredictions, p.scale, target, scratch);
        });
    });
}

} // namespace scalebench::kernels::cuda
