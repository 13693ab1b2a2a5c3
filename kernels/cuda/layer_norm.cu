// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/layer_norm.h"

#include "kernels/cuda/warp_row.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kForward = 128;  // threads of blocks of warps with a row each
constexpr int kBackward = 192; // two blocks of short types fit with their sums in registers
constexpr int kWide = 256;     // of blocks with one row, or with columns

// Blocks of backward, each of which leaves partial sums: two per multiprocessor of an H200, of some
// rows per warp.
constexpr std::int64_t kBlocks = 264, kRowsPerWarp = 4;

std::int64_t backwardBlocks(const LayerNormParams& p)
{
    const std::int64_t rows = kBackward / 32 * kRowsPerWarp;
    return std::min(kBlocks, (p.rows + rows - 1) / rows);
}

template <class T>
struct Forward {
    const T *x, *z; // z null: no residual
    T *sum, *y;
    const float *gamma, *beta;
    float *mean, *invStd; // null: not kept
    float epsilon;
};

template <class T, int V, int K>
__global__ void __launch_bounds__(kForward) forwardWarps(std::int64_t rows, int C, Forward<T> f)
{
    for (std::int64_t r = firstWarpRow(); r < rows; r += warpRowStep()) {
        float v[K * V];
        loadWarpRow<V, K>(f.x + r * C, C, 0.0f, v);
        if (f.z) {
            float z[K * V];
            loadWarpRow<V, K>(f.z + r * C, C, 0.0f, z);
            SB_UNROLL
            for (int j = 0; j < K * V; ++j)
                v[j] = toFloat(fromFloat<T>(v[j] + z[j])); // what is stored is normalised
            storeWarpRow<V, K>(f.sum + r * C, C, v);
        }
        float total = 0.0f;
        SB_UNROLL
        for (int j = 0; j < K * V; ++j)
            total += v[j];
        const float mean = warpSum(total) / float(C);
        float squares = 0.0f; // about the mean: cannot cancel
        forPacks<V, K>(C, [&](int, int j) {
            for (int i = j; i < j + V; ++i)
                squares += (v[i] - mean) * (v[i] - mean);
        });
        const float invStd = 1.0f / sqrtf(warpSum(squares) / float(C) + f.epsilon);
        forPacks<V, K>(C, [&](int c, int j) {
            float gamma[V], beta[V];
            loadFloats<V>(f.gamma + c, gamma);
            loadFloats<V>(f.beta + c, beta);
            for (int i = 0; i < V; ++i)
                v[j + i] = (v[j + i] - mean) * invStd * gamma[i] + beta[i];
        });
        storeWarpRow<V, K>(f.y + r * C, C, v);
        if (f.mean && threadIdx.x % 32 == 0) {
            f.mean[r] = mean;
            f.invStd[r] = invStd;
        }
    }
}

template <class T>
__global__ void __launch_bounds__(kWide)
    forwardBlocks(std::int64_t rows, std::int64_t C, Forward<T> f)
{
    for (std::int64_t r = blockIdx.x; r < rows; r += gridDim.x) {
        const T* from = (f.z ? f.sum : f.x) + r * C;
        float total = 0.0f;
        for (std::int64_t c = threadIdx.x; c < C; c += kWide) {
            T v = f.x[r * C + c];
            if (f.z) {
                v = fromFloat<T>(toFloat(v) + toFloat(f.z[r * C + c]));
                f.sum[r * C + c] = v; // only this thread reads it
            }
            total += toFloat(v);
        }
        const float mean = blockSum(total) / float(C);
        float squares = 0.0f;
        for (std::int64_t c = threadIdx.x; c < C; c += kWide) {
            const float d = toFloat(from[c]) - mean;
            squares += d * d;
        }
        const float invStd = 1.0f / sqrtf(blockSum(squares) / float(C) + f.epsilon);
        for (std::int64_t c = threadIdx.x; c < C; c += kWide)
            f.y[r * C + c] =
                fromFloat<T>((toFloat(from[c]) - mean) * invStd * f.gamma[c] + f.beta[c]);
        if (f.mean && threadIdx.x == 0) {
            f.mean[r] = mean;
            f.invStd[r] = invStd;
        }
    }
}

template <class T>
struct Backward {
    const T *s, *dy, *more; // more may be null
    T* ds;
    const float *gamma, *mean, *invStd;
    float* partials; // [blocks][2][C]: sums of dy h and of dy, h the normalised s
};

/// Rows of short types stay packed between the two looks at them: that makes room for a second
/// block on the multiprocessor, whose loads lie under the first one's sums.
template <class T, int V, int K>
__global__ void __launch_bounds__(kBackward, sizeof(T) == 2 && V > 1 ? 2 : 1)
    backwardWarps(std::int64_t rows, int C, Backward<T> b)
{
    SB_DYNAMIC_SHARED(float, shared); // [2][C]
    float sumGamma[K * V] = {}, sumBeta[K * V] = {};
    for (std::int64_t r = firstWarpRow(); r < rows; r += warpRowStep()) {
        const float mean = b.mean[r], invStd = b.invStd[r];
        Pack<T, V> s[K], dy[K];
        forPacks<V, K>(C, [&](int c, int j) {
            s[j / V] = loadPack<V>(b.s + r * C + c);
            dy[j / V] = loadPack<V>(b.dy + r * C + c);
        });
        float sumG = 0.0f, sumGh = 0.0f;
        forPacks<V, K>(C, [&](int c, int j) {
            float gamma[V];
            loadFloats<V>(b.gamma + c, gamma);
            SB_UNROLL
            for (int i = 0; i < V; ++i) {
                const float d = toFloat(dy[j / V].v[i]);
                const float h = (toFloat(s[j / V].v[i]) - mean) * invStd, g = d * gamma[i];
                sumGamma[j + i] += d * h;
                sumBeta[j + i] += d;
                sumG += g;
                sumGh += g * h;
            }
        });
        const float meanG = warpSum(sumG) / float(C), meanGh = warpSum(sumGh) / float(C);
        forPacks<V, K>(C, [&](int c, int j) {
            float gamma[V];
            loadFloats<V>(b.gamma + c, gamma);
            Pack<T, V> more{};
            if (b.more)
                more = loadPack<V>(b.more + r * C + c);
            SB_UNROLL
            for (int i = 0; i < V; ++i) {
                const float g = toFloat(dy[j / V].v[i]) * gamma[i];
                const float h = (toFloat(s[j / V].v[i]) - mean) * invStd;
                more.v[i] = fromFloat<T>(invStd * (g - meanG - h * meanGh) + toFloat(more.v[i]));
            }
            storePack(b.ds + r * C + c, more);
        });
    }
    // The warps of the block one after the other: the order of a sum is always the same.
    for (int w = 0; w < kBackward / 32; ++w) {
        if (int(threadIdx.x) / 32 == w)
            forPacks<V, K>(C, [&](int c, int j) {
                for (int i = 0; i < V; ++i) {
                    shared[c + i] = sumGamma[j + i] + (w > 0 ? shared[c + i] : 0.0f);
                    shared[C + c + i] = sumBeta[j + i] + (w > 0 ? shared[C + c + i] : 0.0f);
                }
            });
        __syncthreads();
    }
    for (int c = int(threadIdx.x); c < 2 * C; c += kBackward)
        b.partials[std::int64_t(blockIdx.x) * 2 * C + c] = shared[c];
}

/// The gradient of s alone.
template <class T>
__global__ void __launch_bounds__(kWide)
    backwardRows(std::int64_t rows, std::int64_t C, Backward<T> b)
{
    for (std::int64_t r = blockIdx.x; r < rows; r += gridDim.x) {
        const float mean = b.mean[r], invStd = b.invStd[r];
        float sumG = 0.0f, sumGh = 0.0f;
        for (std::int64_t c = threadIdx.x; c < C; c += kWide) {
            const float g = toFloat(b.dy[r * C + c]) * b.gamma[c];
            sumG += g;
            sumGh += g * ((toFloat(b.s[r * C + c]) - mean) * invStd);
        }
        const float meanG = blockSum(sumG) / float(C), meanGh = blockSum(sumGh) / float(C);
        for (std::int64_t c = threadIdx.x; c < C; c += kWide) {
            const float g = toFloat(b.dy[r * C + c]) * b.gamma[c];
            const float h = (toFloat(b.s[r * C + c]) - mean) * invStd;
            const float d = invStd * (g - meanG - h * meanGh);
            b.ds[r * C + c] = fromFloat<T>(b.more ? toFloat(b.more[r * C + c]) + d : d);
        }
    }
}

/// The partial sums alone: a thread per column, a slice of the rows per blockIdx.y.
template <class T>
__global__ void __launch_bounds__(kWide)
    backwardColumns(std::int64_t rows, std::int64_t C, Backward<T> b)
{
    const std::int64_t c = std::int64_t(blockIdx.x) * kWide + threadIdx.x;
    if (c >= C)
        return;
    float sumGamma = 0.0f, sumBeta = 0.0f;
    for (std::int64_t r = blockIdx.y; r < rows; r += gridDim.y) {
        const float d = toFloat(b.dy[r * C + c]);
        sumGamma += d * ((toFloat(b.s[r * C + c]) - b.mean[r]) * b.invStd[r]);
        sumBeta += d;
    }
    b.partials[std::int64_t(blockIdx.y) * 2 * C + c] = sumGamma;
    b.partials[std::int64_t(blockIdx.y) * 2 * C + C + c] = sumBeta;
}

/// Adds up [blocks][2][C], in double: 32 columns a block, eight threads each.
__global__ void __launch_bounds__(256)
    addPartials(const float* partials, std::int64_t blocks, std::int64_t C, float* dgamma,
                float* dbeta, bool accumulateGamma, bool accumulateBeta)
{
    __shared__ double parts[8][32];
    const int lane = int(threadIdx.x) % 32, part = int(threadIdx.x) / 32;
    const std::int64_t column = std::int64_t(blockIdx.x) * 32 + lane;
    double sum = 0.0;
    if (column < 2 * C)
        for (std::int64_t i = part; i < blocks; i += 8)
            sum += double(partials[i * 2 * C + column]);
    parts[part][lane] = sum;
    __syncthreads();
    if (part > 0 || column >= 2 * C)
        return;
    for (int i = 1; i < 8; ++i)
        sum += parts[i][lane];
    const bool first = column < C;
    float* const out = first ? dgamma + column : dbeta + (column - C);
    *out = float(sum + ((first ? accumulateGamma : accumulateBeta) ? double(*out) : 0.0));
}

template <class T>
void backward(const LayerNormParams& p, const Backward<T>& b, cudaStream_t stream)
{
    const char* op = "layer norm backward";
    const auto blocks = unsigned(backwardBlocks(p));
    if (p.C > kWarpRow) {
        launch(op, stream, gridFor(p.rows * kWide, kWide), backwardRows<T>, p.rows, p.C, b);
        launch(op, stream, {dim3(unsigned((p.C + kWide - 1) / kWide), blocks), dim3(kWide), 0},
               backwardColumns<T>, p.rows, p.C, b);
        return;
    }
    withWarpRow<T>(p.C, packable<T>(p.C, {b.s, b.dy, b.more, b.ds, b.gamma}),
                   [&](auto width, auto packs) {
                       launch(op, stream,
                              {dim3(blocks), dim3(kBackward), std::size_t(2 * p.C) * sizeof(float)},
                              backwardWarps<T, decltype(width)::value, decltype(packs)::value>,
                              p.rows, p.C, b);
                   });
}

} // namespace

void layerNormForward(const LayerNormParams& p, const LayerNormForward& f, cudaStream_t stream)
{
    if (p.rows == 0 || p.C == 0)
        return;
    const char* op = "layer norm";
    withActivationType(p.dtype, op, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const Forward<T> o{static_cast<const T*>(f.x),
                           static_cast<const T*>(f.z),
                           static_cast<T*>(f.sum),
                           static_cast<T*>(f.y),
                           f.gamma,
                           f.beta,
                           f.mean,
                           f.invStd,
                           p.epsilon};
        if (p.C > kWarpRow) {
            launch(op, stream, gridFor(p.rows * kWide, kWide), forwardBlocks<T>, p.rows, p.C, o);
            return;
        }
        withWarpRow<T>(p.C, packable<T>(p.C, {f.x, f.z, f.sum, f.y, f.gamma, f.beta}),
                       [&](auto width, auto packs) {
                           launch(op, stream, warpRowGrid(p.rows, kForward),
                                  forwardWarps<T, decltype(width)::value, decltype(packs)::value>,
                                  p.rows, p.C, o);
                       });
    });
}

std::size_t layerNormWorkspaceBytes(const LayerNormParams& p)
{
    return std::size_t(backwardBlocks(p) * 2 * p.C) * sizeof(float);
}

void layerNormBackward(const LayerNormParams& p, const LayerNormBackward& b, void* workspace,
                       cudaStream_t stream)
{
    if (p.C == 0)
        return;
    auto* partials = static_cast<float*>(workspace);
    withActivationType(p.dtype, "layer norm backward", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if (p.rows > 0)
            backward<T>(p,
                        {static_cast<const T*>(b.s), static_cast<const T*>(b.dy),
                         static_cast<const T*>(b.dsMore), static_cast<T*>(b.ds), b.gamma, b.mean,
                         b.invStd, partials},
                        stream);
    });
    launch("layer norm backward", stream, {dim3(unsigned((2 * p.C + 31) / 32)), dim3(256), 0},
           addPartials, partials, backwardBlocks(p), p.C, b.dgamma, b.dbeta, b.accumulateGamma,
           b.accumulateBeta);
}

} // namespace scalebench::kernels::cuda
