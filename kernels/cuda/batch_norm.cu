// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of batch normalisation that compute elements from what is known of their channel.

#include "kernels/cuda/batch_norm.h"
#include "kernels/cuda/channels.h"
#include "kernels/cuda/launch.h"
#include "kernels/formula/activation.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr std::int64_t kBlocks = 132 * 16, kRowsPerThread = 8;
// Rows that a thread has in flight; fewer where there are more operands and coefficients.
constexpr int kUnroll = 4, kBackwardUnroll = 2;

/// Calls run(TypeTag<T>, width, grid), with packs where the rows allow them.
template <class F>
void overChannels(const BatchNormParams& p, const char* op,
                  std::initializer_list<const void*> pointers, F&& run)
{
    if (p.rows == 0 || p.C == 0)
        return;
    withActivationType(p.dtype, op, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        auto with = [&](auto width) {
            run(tag, width,
                channelGrid(p.rows, p.C, decltype(width)::value, kRowThreads, kBlocks,
                            kRowsPerThread));
        };
        if (packable<T>(p.C, pointers))
            with(std::integral_constant<int, kVector<T>>());
        else
            with(std::integral_constant<int, 1>());
    });
}

Grid gridOf(const ChannelGrid& g)
{
    return {g.blocks(), dim3(kRowThreads), 0};
}

/// Calls load(u, element) for U rows of the thread, then use(u, element) for each of them.
template <int U, int V, class Load, class Use>
__device__ void forRows(const ChannelPlace<V>& place, std::int64_t C, const Load& load,
                        const Use& use)
{
    for (std::int64_t r = place.begin; r < place.end; r += U * place.step) {
        for (int u = 0; u < U; ++u)
            if (r + u * place.step < place.end)
                load(u, (r + u * place.step) * C + place.c);
        for (int u = 0; u < U; ++u)
            if (r + u * place.step < place.end)
                use(u, (r + u * place.step) * C + place.c);
    }
}

/// y = x * scale + shift: scale = gamma * spread, or gamma / sqrt(spread + epsilon) where spread is
/// the variance; shift = beta - mean * scale.
struct Affine {
    const float *mean, *spread, *gamma, *beta;
    bool isVariance;
    float epsilon;

    __device__ float scale(std::int64_t c) const
    {
        return isVariance ? gamma[c] / sqrtf(spread[c] + epsilon) : gamma[c] * spread[c];
    }
};

template <class T, int V>
__global__ void __launch_bounds__(kRowThreads)
    applyKernel(ChannelGrid g, std::int64_t rows, std::int64_t C, Affine affine, const T* x,
                const T* z, T* y, bool relu)
{
    const ChannelPlace<V> place(g, rows);
    if (place.c >= C)
        return;
    float scale[V], shift[V];
    for (int i = 0; i < V; ++i) {
        scale[i] = affine.scale(place.c + i);
        shift[i] = affine.beta[place.c + i] - affine.mean[place.c + i] * scale[i];
    }
    Pack<T, V> xs[kUnroll], zs[kUnroll];
    forRows<kUnroll>(
        place, C,
        [&](int u, std::int64_t at) {
            xs[u] = loadPack<V>(x + at);
            if (z)
                zs[u] = loadPack<V>(z + at);
        },
        [&](int u, std::int64_t at) {
            Pack<T, V> out;
            for (int i = 0; i < V; ++i) {
                float v = formula::normalise(toFloat(xs[u].v[i]), scale[i], shift[i]);
                if (z)
                    v += toFloat(zs[u].v[i]);
                out.v[i] = fromFloat<T>(relu ? formula::relu(v) : v);
            }
            storePack(y + at, out);
        });
}

void applyAffine(const BatchNormParams& p, const Affine& affine, const void* x, const void* z,
                 void* y, cudaStream_t stream)
{
    const char* op = "batch norm apply";
    overChannels(p, op, {x, z, y}, [&](auto tag, auto width, const ChannelGrid& g) {
        using T = typename decltype(tag)::Type;
        launch(op, stream, gridOf(g), applyKernel<T, decltype(width)::value>, g, p.rows, p.C,
               affine, static_cast<const T*>(x), static_cast<const T*>(z), static_cast<T*>(y),
               p.relu);
    });
}

/// Operands of backward; a null mean: no mask from the input.
template <class T>
struct BackwardOperands {
    const T *x, *dy, *dyMore;
    T* dx;
    const float *mean, *invStd, *gamma, *beta, *slopes;
};

template <class T, int V>
__global__ void __launch_bounds__(kRowThreads)
    backwardKernel(ChannelGrid g, std::int64_t rows, std::int64_t C, BackwardOperands<T> o)
{
    const ChannelPlace<V> place(g, rows);
    if (place.c >= C)
        return;
    float a[V], b[V], c0[V], scale[V] = {}, shift[V] = {};
    for (int i = 0; i < V; ++i) {
        const std::int64_t c = place.c + i;
        a[i] = o.slopes[c];
        b[i] = o.slopes[C + c];
        c0[i] = o.slopes[2 * C + c];
        if (o.mean) {
            scale[i] = o.gamma[c] * o.invStd[c];
            shift[i] = o.beta[c] - o.mean[c] * scale[i];
        }
    }
    Pack<T, V> xs[kBackwardUnroll], dys[kBackwardUnroll], more[kBackwardUnroll];
    forRows<kBackwardUnroll>(
        place, C,
        [&](int u, std::int64_t at) {
            xs[u] = loadPack<V>(o.x + at);
            dys[u] = loadPack<V>(o.dy + at);
            if (o.dyMore)
                more[u] = loadPack<V>(o.dyMore + at);
        },
        [&](int u, std::int64_t at) {
            Pack<T, V> out;
            for (int i = 0; i < V; ++i) {
                const float xv = toFloat(xs[u].v[i]);
                float dz = toFloat(dys[u].v[i]);
                if (o.dyMore)
                    dz += toFloat(more[u].v[i]);
                if (o.mean)
                    dz = formula::normalise(xv, scale[i], shift[i]) > 0.0f ? dz : 0.0f;
                out.v[i] = fromFloat<T>(formula::normaliseBackward(dz, xv, a[i], b[i], c0[i]));
            }
            storePack(o.dx + at, out);
        });
}

template <class T>
struct FrozenOperands {
    const T *y, *dy, *dyMore; ///< y null: no ReLU
    T *dx, *dz;
    const float *gamma, *variance;
    float epsilon;
};

template <class T, int V>
__global__ void __launch_bounds__(kRowThreads)
    frozenBackwardKernel(ChannelGrid g, std::int64_t rows, std::int64_t C, FrozenOperands<T> o)
{
    const ChannelPlace<V> place(g, rows);
    if (place.c >= C)
        return;
    float scale[V];
    for (int i = 0; i < V; ++i)
        scale[i] = o.gamma[place.c + i] / sqrtf(o.variance[place.c + i] + o.epsilon);
    Pack<T, V> ys[kBackwardUnroll], dys[kBackwardUnroll], more[kBackwardUnroll];
    forRows<kBackwardUnroll>(
        place, C,
        [&](int u, std::int64_t at) {
            dys[u] = loadPack<V>(o.dy + at);
            if (o.dyMore)
                more[u] = loadPack<V>(o.dyMore + at);
            if (o.y)
                ys[u] = loadPack<V>(o.y + at);
        },
        [&](int u, std::int64_t at) {
            Pack<T, V> dx, dz;
            for (int i = 0; i < V; ++i) {
                float d = toFloat(dys[u].v[i]);
                if (o.dyMore)
                    d += toFloat(more[u].v[i]);
                if (o.y)
                    d = toFloat(ys[u].v[i]) > 0.0f ? d : 0.0f;
                dz.v[i] = fromFloat<T>(d);
                dx.v[i] = fromFloat<T>(d * scale[i]);
            }
            if (o.dz)
                storePack(o.dz + at, dz);
            storePack(o.dx + at, dx);
        });
}

} // namespace

void batchNormApply(const BatchNormParams& p, const void* x, const void* z, const float* mean,
                    const float* invStd, const float* gamma, const float* beta, void* y,
                    cudaStream_t stream)
{
    applyAffine(p, {mean, invStd, gamma, beta, false, 0.0f}, x, z, y, stream);
}

void frozenBatchNormForward(const BatchNormParams& p, double epsilon, const void* x, const void* z,
                            const float* gamma, const float* beta, const float* mean,
                            const float* variance, void* y, cudaStream_t stream)
{
    applyAffine(p, {mean, variance, gamma, beta, true, float(epsilon)}, x, z, y, stream);
}

void batchNormBackwardApply(const BatchNormParams& p, const cpu::BatchNormBackward& b,
                            const float* slopes, void* dx, cudaStream_t stream)
{
    const char* op = "batch norm backward";
    // With a residual the first half has masked and added.
    const void* dy = b.dz ? b.dz : b.dy;
    const void* dyMore = b.dz ? nullptr : b.dyMore;
    const bool masked = p.relu && !b.dz;
    overChannels(p, op, {b.x, dy, dyMore, dx}, [&](auto tag, auto width, const ChannelGrid& g) {
        using T = typename decltype(tag)::Type;
        const BackwardOperands<T> o{static_cast<const T*>(b.x),
                                    static_cast<const T*>(dy),
                                    static_cast<const T*>(dyMore),
                                    static_cast<T*>(dx),
                                    masked ? b.mean : nullptr,
                                    b.invStd,
                                    b.gamma,
                                    b.beta,
                                    slopes};
        launch(op, stream, gridOf(g), backwardKernel<T, decltype(width)::value>, g, p.rows, p.C, o);
    });
}

void frozenBatchNormBackward(const BatchNormParams& p, double epsilon, const void* y,
                             const void* dy, const void* dyMore, const float* gamma,
                             const float* variance, void* dx, void* dz, cudaStream_t stream)
{
    const char* op = "frozen batch norm backward";
    const void* mask = p.relu ? y : nullptr;
    overChannels(p, op, {mask, dy, dyMore, dx, dz},
                 [&](auto tag, auto width, const ChannelGrid& g) {
                     using T = typename decltype(tag)::Type;
                     const FrozenOperands<T> o{static_cast<const T*>(mask),
                                               static_cast<const T*>(dy),
                                               static_cast<const T*>(dyMore),
                                               static_cast<T*>(dx),
                                               static_cast<T*>(dz),
                                               gamma,
                                               variance,
                                               float(epsilon)};
                     launch(op, stream, gridOf(g), frozenBackwardKernel<T, decltype(width)::value>,
                            g, p.rows, p.C, o);
                 });
}

} // namespace scalebench::kernels::cuda
