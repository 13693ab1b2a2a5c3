// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of batch normalisation that sum over rows.

#include "kernels/cuda/batch_norm.h"
#include "kernels/cuda/channels.h"
#include "kernels/cuda/launch.h"
#include "kernels/formula/activation.h"
#include "kernels/formula/batch_norm.h"

namespace scalebench::kernels::cuda {
namespace {

// Two blocks of 512 threads for each of 132 multiprocessors (H100, H200); few blocks leave few
// partial sums. By its registers one block of the backward sums fits at a time, two of the forward
// ones (packaging/kernel-table); memory is busy all the same (gpu-results.md).
constexpr std::int64_t kBlocks = 264, kRowsPerThread = 8;

template <class T>
ChannelGrid sumGrid(const BatchNormParams& p, int V)
{
    return channelGrid(p.rows, p.C, V, kSumThreads, kBlocks, kRowsPerThread);
}

/// Calls f(TypeTag<T>, std::integral_constant<int, V>): packs where the rows allow them.
template <class F>
void withPacks(const BatchNormParams& p, const char* op,
               std::initializer_list<const void*> pointers, F&& f)
{
    withActivationType(p.dtype, op, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if (packable<T>(p.C, pointers))
            f(tag, std::integral_constant<int, kVector<T>>());
        else
            f(tag, std::integral_constant<int, 1>());
    });
}

/// Calls f(grid) for every grid that a call with `p` may get.
template <class F>
void forGrids(const BatchNormParams& p, F&& f)
{
    withActivationType(p.dtype, "batch norm", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        f(sumGrid<T>(p, 1));
        f(sumGrid<T>(p, kVector<T>));
    });
}

// --- forward ---

/// Sums of x - k and of its square, k the slice's first row: fp32 keeps the small differences.
template <class T, int V>
struct StatisticsBody {
    static constexpr int kUnroll = 4;
    using Row = Pack<T, V>;
    const T* x;
    std::int64_t C;
    float k[V];

    __device__ void begin(std::int64_t c, std::int64_t sliceBegin)
    {
        const Row first = loadPack<V>(x + sliceBegin * C + c);
        for (int i = 0; i < V; ++i)
            k[i] = toFloat(first.v[i]);
    }
    __device__ Row load(std::int64_t at, std::int64_t) const { return loadPack<V>(x + at); }
    __device__ void add(const Row& row, std::int64_t, float (&sums)[V], float (&squares)[V]) const
    {
        for (int i = 0; i < V; ++i) {
            const float d = toFloat(row.v[i]) - k[i];
            sums[i] += d;
            squares[i] += d * d;
        }
    }
    /// Undoes the shift: sum x = s + n k, sum x^2 = q + 2 k s + n k^2.
    __device__ void total(std::int64_t c, std::int64_t sliceBegin, std::int64_t rows, double& s,
                          double& q) const
    {
        const double shift = double(toFloat(x[sliceBegin * C + c])), n = double(rows);
        q += 2.0 * shift * s + n * shift * shift;
        s += n * shift;
    }
};

__device__ void update(const BatchNormUpdate& u, std::int64_t c, double sum, double squares)
{
    const formula::ChannelMoments m = formula::batchNormMoments(sum, squares, u.count);
    u.mean[c] = float(m.mean);
    u.invStd[c] = formula::batchNormInvStd(m.variance, u.epsilon);
    if (u.runningMean)
        u.runningMean[c] = formula::runningStatistic(u.runningMean[c], m.mean, u.momentum);
    if (u.runningVar)
        u.runningVar[c] = formula::runningStatistic(
            u.runningVar[c], formula::unbiasedVariance(m, u.count), u.momentum);
}

struct FinishStatistics {
    double* sums; // or null: update
    std::int64_t C;
    BatchNormUpdate u;

    __device__ void operator()(std::int64_t c, double sum, double squares) const
    {
        if (sums) {
            sums[c] = sum;
            sums[C + c] = squares;
        } else {
            update(u, c, sum, squares);
        }
    }
};

template <class T, int V>
__global__ void __launch_bounds__(kSumThreads)
    statisticsKernel(ChannelGrid g, std::int64_t rows, std::int64_t C, const T* x,
                     ChannelScratch scratch, FinishStatistics finish)
{
    channelSums<V>(g, rows, C, StatisticsBody<T, V>{x, C, {}}, scratch, finish);
}

__global__ void finishKernel(std::int64_t C, const double* sums, BatchNormUpdate u)
{
    const std::int64_t c = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (c < C)
        update(u, c, sums[c], sums[C + c]);
}

__global__ void invStdKernel(std::int64_t C, const float* variance, double epsilon, float* invStd)
{
    const std::int64_t c = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (c < C)
        invStd[c] = formula::batchNormInvStd(double(variance[c]), epsilon);
}

// --- backward ---

/// Sums of dz and of dz (x - mean); dz is dy (+ dyMore) where the ReLU let through, which the
/// output tells where there was a residual, else the input. Writes dz where it is wanted.
template <class T, int V>
struct BackwardBody {
    static constexpr int kUnroll = 2;
    struct Row {
        Pack<T, V> x, dy, more, y;
    };
    const T *x, *y, *dy, *dyMore;
    T* dz;
    const float *meanOf, *invStdOf, *gammaOf, *betaOf;
    bool relu;
    float mean[V], scale[V], shift[V];

    __device__ void begin(std::int64_t c, std::int64_t)
    {
        for (int i = 0; i < V; ++i) {
            mean[i] = meanOf[c + i];
            scale[i] = gammaOf[c + i] * invStdOf[c + i];
            shift[i] = betaOf[c + i] - mean[i] * scale[i];
        }
    }
    __device__ Row load(std::int64_t at, std::int64_t) const
    {
        Row row;
        row.x = loadPack<V>(x + at);
        row.dy = loadPack<V>(dy + at);
        if (dyMore)
            row.more = loadPack<V>(dyMore + at);
        if (dz && relu)
            row.y = loadPack<V>(y + at);
        return row;
    }
    __device__ void add(const Row& row, std::int64_t at, float (&sums)[V],
                        float (&products)[V]) const
    {
        Pack<T, V> out;
        for (int i = 0; i < V; ++i) {
            const float xv = toFloat(row.x.v[i]);
            float g = toFloat(row.dy.v[i]);
            if (dyMore)
                g += toFloat(row.more.v[i]);
            if (relu)
                g = (dz ? toFloat(row.y.v[i]) : formula::normalise(xv, scale[i], shift[i])) > 0.0f
                        ? g
                        : 0.0f;
            out.v[i] = fromFloat<T>(g);
            sums[i] += g;
            products[i] += g * (xv - mean[i]);
        }
        if (dz)
            storePack(dz + at, out);
    }
    __device__ void total(std::int64_t c, std::int64_t, std::int64_t, double&, double& q) const
    {
        q *= double(invStdOf[c]);
    }
};

/// What the slopes need besides the sums.
struct SlopesOf {
    std::int64_t C;
    const float *gamma, *mean, *invStd;
    double count;
    float* slopes;

    __device__ void operator()(std::int64_t c, double sum, double product) const
    {
        const formula::BatchNormSlopes f =
            formula::batchNormSlopes(gamma[c], mean[c], invStd[c], sum, product, count);
        slopes[c] = f.a;
        slopes[C + c] = f.b;
        slopes[2 * C + c] = f.c;
    }
};

struct FinishBackward {
    double* sums; // or null: slopes
    SlopesOf slopesOf;
    BatchNormParameterGradients gradients;

    __device__ void operator()(std::int64_t c, double sum, double product) const
    {
        const bool add = gradients.accumulate;
        gradients.beta[c] = float(sum + (add ? double(gradients.beta[c]) : 0.0));
        gradients.gamma[c] = float(product + (add ? double(gradients.gamma[c]) : 0.0));
        if (sums) {
            sums[c] = sum;
            sums[slopesOf.C + c] = product;
        } else {
            slopesOf(c, sum, product);
        }
    }
};

template <class T, int V>
__global__ void __launch_bounds__(kSumThreads)
    backwardSumsKernel(ChannelGrid g, std::int64_t rows, BackwardBody<T, V> body,
                       ChannelScratch scratch, FinishBackward finish)
{
    channelSums<V>(g, rows, finish.slopesOf.C, body, scratch, finish);
}

__global__ void slopesKernel(const double* sums, SlopesOf slopesOf)
{
    const std::int64_t c = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (c < slopesOf.C)
        slopesOf(c, sums[c], sums[slopesOf.C + c]);
}

Grid perChannel(std::int64_t C)
{
    return {dim3(unsigned((C + 127) / 128)), dim3(128), 0};
}

} // namespace

std::size_t batchNormWorkspaceBytes(const BatchNormParams& p)
{
    std::size_t bytes = 0;
    forGrids(p,
             [&](const ChannelGrid& g) { bytes = std::max(bytes, channelScratchBytes(g, p.C)); });
    return bytes;
}

std::int64_t batchNormTiles(const BatchNormParams& p)
{
    std::int64_t tiles = 0;
    forGrids(p, [&](const ChannelGrid& g) { tiles = std::max(tiles, g.tiles); });
    return tiles;
}

void batchNormStatistics(const BatchNormParams& p, const void* x, double* sums,
                         const BatchNormUpdate& update, const BatchNormScratch& scratch,
                         cudaStream_t stream)
{
    if (p.rows == 0 || p.C == 0)
        return;
    const char* op = "batch norm statistics";
    withPacks(p, op, {x}, [&](auto tag, auto width) {
        using T = typename decltype(tag)::Type;
        constexpr int V = decltype(width)::value;
        const ChannelGrid g = sumGrid<T>(p, V);
        launch(op, stream, {g.blocks(), dim3(kSumThreads), 0}, statisticsKernel<T, V>, g, p.rows,
               p.C, static_cast<const T*>(x),
               ChannelScratch{static_cast<double*>(scratch.workspace), scratch.arrived},
               FinishStatistics{sums, p.C, update});
    });
}

void batchNormFinish(std::int64_t C, const double* sums, const BatchNormUpdate& update,
                     cudaStream_t stream)
{
    if (C > 0)
        launch("batch norm statistics", stream, perChannel(C), finishKernel, C, sums, update);
}

void batchNormInvStd(std::int64_t C, const float* variance, double epsilon, float* invStd,
                     cudaStream_t stream)
{
    if (C > 0)
        launch("batch norm deviations", stream, perChannel(C), invStdKernel, C, variance, epsilon,
               invStd);
}

void batchNormBackwardSums(const BatchNormParams& p, const cpu::BatchNormBackward& b,
                           const BatchNormParameterGradients& gradients, double* sums, double count,
                           float* slopes, const BatchNormScratch& scratch, cudaStream_t stream)
{
    if (p.rows == 0 || p.C == 0)
        return;
    const char* op = "batch norm backward sums";
    withPacks(p, op, {b.x, b.y, b.dy, b.dyMore, b.dz}, [&](auto tag, auto width) {
        using T = typename decltype(tag)::Type;
        constexpr int V = decltype(width)::value;
        const ChannelGrid g = sumGrid<T>(p, V);
        BackwardBody<T, V> body{};
        body.x = static_cast<const T*>(b.x);
        body.y = static_cast<const T*>(b.y);
        body.dy = static_cast<const T*>(b.dy);
        body.dyMore = static_cast<const T*>(b.dyMore);
        body.dz = static_cast<T*>(b.dz);
        body.meanOf = b.mean, body.invStdOf = b.invStd;
        body.gammaOf = b.gamma, body.betaOf = b.beta;
        body.relu = p.relu;
        launch(op, stream, {g.blocks(), dim3(kSumThreads), 0}, backwardSumsKernel<T, V>, g, p.rows,
               body, ChannelScratch{static_cast<double*>(scratch.workspace), scratch.arrived},
               FinishBackward{sums, {p.C, b.gamma, b.mean, b.invStd, count, slopes}, gradients});
    });
}

void batchNormSlopes(std::int64_t C, const cpu::BatchNormBackward& b, const double* sums,
                     double count, float* slopes, cudaStream_t stream)
{
    if (C > 0)
        launch("batch norm slopes", stream, perChannel(C), slopesKernel, sums,
               SlopesOf{C, b.gamma, b.mean, b.invStd, count, slopes});
}

} // namespace scalebench::kernels::cuda
