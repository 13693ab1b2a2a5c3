// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/additive_attention.h"

#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/number.h"
#include "kernels/cuda/vector.h"
#include "kernels/formula/additive_attention.h"
#include "kernels/formula/math.h"

#include <string>

namespace scalebench::kernels::cuda {
namespace {

using formula::Four;

constexpr int kThreads = 256;
constexpr int kTimes = 8; ///< rows that a thread sums at once

struct Sizes {
    std::int64_t B, Tq, Tk, A, V;
    explicit Sizes(const AdditiveAttentionParams& p) : B(p.B), Tq(p.Tq), Tk(p.Tk), A(p.A), V(p.V) {}
};

__device__ std::int64_t lengthOf(const std::int32_t* lengths, std::int64_t b, std::int64_t Tk)
{
    return lengths ? min(max(std::int64_t(lengths[b]), std::int64_t(0)), Tk) : Tk;
}

// --- the weight w = v, or scale v / |v| ---

__device__ double squareSum(const float* v, std::int64_t A)
{
    double sum = 0.0;
    for (std::int64_t a = threadIdx.x; a < A; a += kThreads)
        sum += double(v[a]) * double(v[a]);
    return blockSum(sum);
}

/// One block.
__global__ void weightKernel(std::int64_t A, const float* v, const float* scale, float* w)
{
    const double factor = scale ? double(*scale) / sqrt(squareSum(v, A)) : 1.0;
    for (std::int64_t a = threadIdx.x; a < A; a += kThreads)
        w[a] = float(factor * double(v[a]));
}

// --- forward ---

/// The scores of four keys: w . tanh(q + k). Of a warp; every lane gets the sums.
template <class T>
__device__ Four fourScores(std::int64_t A, const float* q, const T* const (&k)[4], const float* w)
{
    Four sum{};
    for (std::int64_t a = threadIdx.x % 32; a < A; a += 32) {
        const Four u = formula::tanh4({q[a] + toFloat(k[0][a]), q[a] + toFloat(k[1][a]),
                                       q[a] + toFloat(k[2][a]), q[a] + toFloat(k[3][a])});
        sum.a += w[a] * u.a;
        sum.b += w[a] * u.b;
        sum.c += w[a] * u.c;
        sum.d += w[a] * u.d;
    }
    return {warpSum(sum.a), warpSum(sum.b), warpSum(sum.c), warpSum(sum.d)};
}

/// One block per query (t, b): its scores and their softmax.
template <class T>
__global__ void probabilityKernel(Sizes n, const T* q, const T* k, const float* w,
                                  const float* bias, const std::int32_t* lengths, BadIndex bad,
                                  T* probabilities)
{
    SB_DYNAMIC_SHARED(float, shared);
    float *const query = shared, *const scores = shared + n.A;
    const std::int64_t t = blockIdx.x / n.B, b = blockIdx.x % n.B;
    const std::int64_t length = lengthOf(lengths, b, n.Tk);
    if (lengths && t == 0 && threadIdx.x == 0)
        bad.check(b, lengths[b], n.Tk + 1);
    for (std::int64_t a = threadIdx.x; a < n.A; a += kThreads)
        query[a] = toFloat(q[(t * n.B + b) * n.A + a]) + (bias ? bias[a] : 0.0f);
    __syncthreads();
    for (std::int64_t s = std::int64_t(threadIdx.x) / 32 * 4; s < length; s += kThreads / 32 * 4) {
        const T* keys[4];
        for (int j = 0; j < 4; ++j)
            keys[j] = k + (min(s + j, length - 1) * n.B + b) * n.A;
        const Four f = fourScores(n.A, query, keys, w);
        if (const int lane = int(threadIdx.x) % 32; lane < 4 && s + lane < length)
            scores[s + lane] = lane == 0 ? f.a : lane == 1 ? f.b : lane == 2 ? f.c : f.d;
    }
    __syncthreads();
    float top = -INFINITY;
    for (std::int64_t s = threadIdx.x; s < length; s += kThreads)
        top = MaxOp()(top, scores[s]);
    top = blockMax(top);
    float sum = 0.0f;
    for (std::int64_t s = threadIdx.x; s < length; s += kThreads)
        sum += scores[s] = formula::exp(scores[s] - top);
    sum = blockSum(sum);
    T* row = probabilities + (b * n.Tq + t) * n.Tk;
    for (std::int64_t s = threadIdx.x; s < n.Tk; s += kThreads)
        row[s] = fromFloat<T>(s < length ? scores[s] / sum : 0.0f);
}

/// y[i,b,v] = sum over j of p x[j,b,v], where p is P[b,i,j], or P[b,j,i] if Transposed: the context
/// from the values and the gradient of the values. A block has kTimes rows i of one sequence b and
/// kThreads columns v. Only the first lengths[b] of the keys count.
template <class T, bool Transposed>
__global__ void weightedSumKernel(Sizes n, const T* P, const T* x, const std::int32_t* lengths,
                                  T* y)
{
    const std::int64_t rows = Transposed ? n.Tk : n.Tq, count = Transposed ? n.Tq : n.Tk;
    const std::int64_t b = blockIdx.x % n.B, i0 = blockIdx.x / n.B * kTimes;
    const std::int64_t v = std::int64_t(blockIdx.y) * kThreads + threadIdx.x;
    if (v >= n.V)
        return;
    const std::int64_t length = lengthOf(lengths, b, n.Tk), end = Transposed ? count : length;
    float sum[kTimes] = {};
    for (std::int64_t j = 0; j < end; ++j) {
        const float value = toFloat(x[(j * n.B + b) * n.V + v]);
        SB_UNROLL
        for (int i = 0; i < kTimes; ++i) {
            const std::int64_t row = i0 + i;
            if (row < (Transposed ? length : rows))
                sum[i] +=
                    value *
                    toFloat(P[b * n.Tq * n.Tk + (Transposed ? j * n.Tk + row : row * n.Tk + j)]);
        }
    }
    SB_UNROLL
    for (int i = 0; i < kTimes; ++i)
        if (i0 + i < rows)
            y[((i0 + i) * n.B + b) * n.V + v] = fromFloat<T>(sum[i]);
}

// --- backward ---

/// One block per query: dscore[b,t,s] = p (dp - mean), dp = dcontext . value, mean = sum of p dp; 0
/// behind the end.
template <class T>
__global__ void scoreGradientKernel(Sizes n, const T* probabilities, const T* dcontext,
                                    const T* value, const std::int32_t* lengths, BadIndex bad,
                                    float* dscore)
{
    const std::int64_t t = blockIdx.x / n.B, b = blockIdx.x % n.B;
    const std::int64_t length = lengthOf(lengths, b, n.Tk), row = (b * n.Tq + t) * n.Tk;
    if (lengths && t == 0 && threadIdx.x == 0)
        bad.check(b, lengths[b], n.Tk + 1);
    const T* gradient = dcontext + (t * n.B + b) * n.V;
    for (std::int64_t s = std::int64_t(threadIdx.x) / 32; s < n.Tk; s += kThreads / 32) {
        const T* values = value + (s * n.B + b) * n.V;
        float sum = 0.0f;
        for (std::int64_t v = threadIdx.x % 32; s < length && v < n.V; v += 32)
            sum += toFloat(gradient[v]) * toFloat(values[v]);
        sum = warpSum(sum);
        if (threadIdx.x % 32 == 0)
            dscore[row + s] = sum;
    }
    __syncthreads();
    // The probabilities are rounded and no longer add up to 1: the mean must not feel that.
    float sum = 0.0f, all = 0.0f;
    for (std::int64_t s = threadIdx.x; s < length; s += kThreads) {
        sum += toFloat(probabilities[row + s]) * dscore[row + s];
        all += toFloat(probabilities[row + s]);
    }
    const float mean = blockSum(sum) / blockSum(all);
    for (std::int64_t s = threadIdx.x; s < length; s += kThreads)
        dscore[row + s] = toFloat(probabilities[row + s]) * (dscore[row + s] - mean);
}

/// Thread: unit a of query (t, b). dq, and what it adds to the gradients of w and of the bias:
/// dw[t B + b, a] = sum of dscore u, dbias as dq in fp32.
template <class T>
__global__ void queryGradientKernel(Sizes n, const T* q, const T* k, const float* w,
                                    const float* bias, const std::int32_t* lengths,
                                    const float* dscore, T* dq, float* dw, float* dbias)
{
    const std::int64_t t = blockIdx.x / n.B, b = blockIdx.x % n.B;
    const std::int64_t a = std::int64_t(blockIdx.y) * kThreads + threadIdx.x;
    if (a >= n.A)
        return;
    const std::int64_t length = lengthOf(lengths, b, n.Tk), at = (t * n.B + b) * n.A + a;
    const float query = toFloat(q[at]) + (bias ? bias[a] : 0.0f);
    const float* d = dscore + (b * n.Tq + t) * n.Tk;
    const auto key = [=](std::int64_t s) {
        return query + toFloat(k[(min(s, length - 1) * n.B + b) * n.A + a]);
    };
    const auto gradient = [=](std::int64_t s) { return s < length ? d[s] : 0.0f; };
    float sum = 0.0f, along = 0.0f;
    for (std::int64_t s = 0; s < length; s += 4) {
        const Four u = formula::tanh4({key(s), key(s + 1), key(s + 2), key(s + 3)});
        const Four g{gradient(s), gradient(s + 1), gradient(s + 2), gradient(s + 3)};
        sum += (g.a * (1.0f - u.a * u.a) + g.b * (1.0f - u.b * u.b)) +
               (g.c * (1.0f - u.c * u.c) + g.d * (1.0f - u.d * u.d));
        along += (g.a * u.a + g.b * u.b) + (g.c * u.c + g.d * u.d);
    }
    dq[at] = fromFloat<T>(sum * w[a]);
    dw[at] = along;
    dbias[at] = sum * w[a];
}

/// Thread: unit a of key (s, b).
template <class T>
__global__ void keyGradientKernel(Sizes n, const T* q, const T* k, const float* w,
                                  const float* bias, const std::int32_t* lengths,
                                  const float* dscore, T* dk)
{
    const std::int64_t s = blockIdx.x / n.B, b = blockIdx.x % n.B;
    const std::int64_t a = std::int64_t(blockIdx.y) * kThreads + threadIdx.x;
    if (a >= n.A)
        return;
    const std::int64_t at = (s * n.B + b) * n.A + a;
    if (s >= lengthOf(lengths, b, n.Tk)) {
        dk[at] = fromFloat<T>(0.0f);
        return;
    }
    const float key = toFloat(k[at]) + (bias ? bias[a] : 0.0f);
    const float* d = dscore + b * n.Tq * n.Tk + s;
    const auto query = [&](std::int64_t t) {
        return key + toFloat(q[(min(t, n.Tq - 1) * n.B + b) * n.A + a]);
    };
    const auto gradient = [&](std::int64_t t) { return t < n.Tq ? d[t * n.Tk] : 0.0f; };
    float sum = 0.0f;
    for (std::int64_t t = 0; t < n.Tq; t += 4) {
        const Four u = formula::tanh4({query(t), query(t + 1), query(t + 2), query(t + 3)});
        sum += (gradient(t) * (1.0f - u.a * u.a) + gradient(t + 1) * (1.0f - u.b * u.b)) +
               (gradient(t + 2) * (1.0f - u.c * u.c) + gradient(t + 3) * (1.0f - u.d * u.d));
    }
    dk[at] = fromFloat<T>(sum * w[a]);
}

/// Sums of the columns of dw and dbias [rows,A]; a warp has 32 neighbouring columns of some rows.
__global__ void columnSumKernel(std::int64_t rows, std::int64_t A, const float* dw,
                                const float* dbias, float* dwSum, float* dbiasSum)
{
    __shared__ float part[2][kThreads / 32][33];
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
    const std::int64_t a = std::int64_t(blockIdx.x) * 32 + lane;
    float w = 0.0f, b = 0.0f;
    for (std::int64_t r = warp; r < rows && a < A; r += kThreads / 32) {
        w += dw[r * A + a];
        b += dbias[r * A + a];
    }
    part[0][warp][lane] = w;
    part[1][warp][lane] = b;
    __syncthreads();
    if (warp > 1 || a >= A)
        return;
    float sum = 0.0f;
    for (int i = 0; i < kThreads / 32; ++i)
        sum += part[warp][i][lane];
    (warp == 0 ? dwSum : dbiasSum)[a] = sum;
}

__device__ void put(float* to, double v, bool accumulate)
{
    *to = float(accumulate ? double(*to) + v : v);
}

/// One block: through the normalisation of the weight.
__global__ void weightGradientKernel(std::int64_t A, const float* v, const float* scale,
                                     const float* dwSum, const float* dbiasSum,
                                     AdditiveAttentionGradients out)
{
    const double norm = scale ? sqrt(squareSum(v, A)) : 1.0;
    double along = 0.0;
    for (std::int64_t a = threadIdx.x; a < A; a += kThreads)
        along += double(dwSum[a]) * double(v[a]);
    along = blockSum(along);
    for (std::int64_t a = threadIdx.x; a < A; a += kThreads) {
        const double straight = double(dwSum[a]);
        if (out.dv)
            put(out.dv + a,
                scale ? double(*scale) / norm * (straight - along / (norm * norm) * double(v[a]))
                      : straight,
                out.accumulate);
        if (out.dbias)
            put(out.dbias + a, double(dbiasSum[a]), out.accumulate);
    }
    if (out.dscale && threadIdx.x == 0)
        put(out.dscale, A > 0 ? along / norm : 0.0, out.accumulate);
}

/// Floats of scratch, in this order.
struct Scratch {
    float *w, *dwSum, *dbiasSum, *dscore, *dw, *dbias;
    Scratch(const AdditiveAttentionParams& p, void* scratch)
        : w(static_cast<float*>(scratch)),
          dwSum(w + p.A),
          dbiasSum(dwSum + p.A),
          dscore(dbiasSum + p.A),
          dw(dscore + p.B * p.Tq * p.Tk),
          dbias(dw + p.B * p.Tq * p.A)
    {
    }
};

Grid columnsGrid(std::int64_t rows, std::int64_t columns)
{
    return {dim3(unsigned(rows), unsigned((columns + kThreads - 1) / kThreads)), dim3(kThreads), 0};
}

void makeWeight(const AdditiveAttentionParams& p, const AdditiveAttentionInputs& in, float* w,
                cudaStream_t stream)
{
    launch("additive attention weight", stream, {dim3(1), dim3(kThreads), 0}, weightKernel, p.A,
           in.v, p.normalised ? in.scale : nullptr, w);
}

void clear(void* x, std::int64_t n, DType dtype, cudaStream_t stream)
{
    if (n > 0)
        check(cudaMemsetAsync(x, 0, std::size_t(n) * dtypeBytes(dtype), stream),
              "additive attention");
}

} // namespace

std::size_t additiveAttentionForwardScratch(const AdditiveAttentionParams& p)
{
    return std::size_t(p.A) * sizeof(float);
}

std::size_t additiveAttentionBackwardScratch(const AdditiveAttentionParams& p)
{
    return std::size_t(3 * p.A + p.B * p.Tq * (p.Tk + 2 * p.A)) * sizeof(float);
}

void additiveAttentionForward(const AdditiveAttentionParams& p, const AdditiveAttentionInputs& in,
                              void* probabilities, void* context, void* scratch, BadIndex bad,
                              std::size_t sharedBytes, cudaStream_t stream)
{
    if (p.B * p.Tq * p.Tk == 0) // no keys: nothing to attend to
        return clear(context, p.Tq * p.B * p.V, p.dtype, stream);
    const std::size_t needed = std::size_t(p.A + p.Tk) * sizeof(float);
    if (needed + 1024 > sharedBytes)
        throw Unsupported(p.describe() + ": one query needs " + std::to_string(needed) +
                          " bytes of shared memory, the device has " + std::to_string(sharedBytes));
    float* w = Scratch(p, scratch).w;
    makeWeight(p, in, w, stream);
    const Sizes n(p);
    withActivationType(p.dtype, "additive attention", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch("additive attention scores", stream,
               {dim3(unsigned(p.Tq * p.B)), dim3(kThreads), needed}, probabilityKernel<T>, n,
               static_cast<const T*>(in.q), static_cast<const T*>(in.k), w, in.bias, in.lengths,
               bad, static_cast<T*>(probabilities));
        if (p.V > 0)
            launch("additive attention context", stream,
                   columnsGrid((p.Tq + kTimes - 1) / kTimes * p.B, p.V),
                   weightedSumKernel<T, false>, n, static_cast<const T*>(probabilities),
                   static_cast<const T*>(in.value), in.lengths, static_cast<T*>(context));
    });
}

void additiveAttentionBackward(const AdditiveAttentionParams& p, const AdditiveAttentionInputs& in,
                               const void* probabilities, const void* dcontext,
                               const AdditiveAttentionGradients& out, void* scratch, BadIndex bad,
                               cudaStream_t stream)
{
    const Sizes n(p);
    const Scratch s(p, scratch);
    if (p.B * p.Tq * p.Tk == 0) {
        clear(out.dq, p.Tq * p.B * p.A, p.dtype, stream);
        clear(out.dk, p.Tk * p.B * p.A, p.dtype, stream);
        clear(out.dvalue, p.Tk * p.B * p.V, p.dtype, stream);
        clear(s.dwSum, 2 * p.A, DType::F32, stream);
    } else {
        makeWeight(p, in, s.w, stream);
        withActivationType(p.dtype, "additive attention", [&](auto tag) {
            using T = typename decltype(tag)::Type;
            const auto *q = static_cast<const T*>(in.q), *k = static_cast<const T*>(in.k);
            const auto *P = static_cast<const T*>(probabilities),
                       *dy = static_cast<const T*>(dcontext);
            launch("additive attention dscore", stream,
                   {dim3(unsigned(p.Tq * p.B)), dim3(kThreads), 0}, scoreGradientKernel<T>, n, P,
                   dy, static_cast<const T*>(in.value), in.lengths, bad, s.dscore);
            if (p.V > 0)
                launch("additive attention dvalue", stream,
                       columnsGrid((p.Tk + kTimes - 1) / kTimes * p.B, p.V),
                       weightedSumKernel<T, true>, n, P, dy, in.lengths,
                       static_cast<T*>(out.dvalue));
            if (p.A == 0)
                return;
            launch("additive attention dq", stream, columnsGrid(p.Tq * p.B, p.A),
                   queryGradientKernel<T>, n, q, k, s.w, in.bias, in.lengths, s.dscore,
                   static_cast<T*>(out.dq), s.dw, s.dbias);
            launch("additive attention dk", stream, columnsGrid(p.Tk * p.B, p.A),
                   keyGradientKernel<T>, n, q, k, s.w, in.bias, in.lengths, s.dscore,
                   static_cast<T*>(out.dk));
            launch("additive attention column sums", stream,
                   {dim3(unsigned((p.A + 31) / 32)), dim3(kThreads), 0}, columnSumKernel,
                   p.Tq * p.B, p.A, s.dw, s.dbias, s.dwSum, s.dbiasSum);
        });
    }
    launch("additive attention dweight", stream, {dim3(1), dim3(kThreads), 0}, weightGradientKernel,
           p.A, in.v, p.normalised ? in.scale : nullptr, s.dwSum, s.dbiasSum, out);
}

} // namespace scalebench::kernels::cuda
