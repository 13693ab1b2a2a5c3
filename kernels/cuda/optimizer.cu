// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/optimizer.h"

#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/formula/optimizer.h"

namespace scalebench::kernels::cuda {
namespace {

using formula::AdamCoefficients;

Grid gridOf(const DeviceChunks& list)
{
    return {dim3(unsigned(list.chunkCount), unsigned(kChunkParts)), dim3(unsigned(kChunkThreads)),
            0};
}

__device__ bool changesNothing(const DeviceStep& step)
{
    return step.numbers->off != 0 || *step.closed != 0;
}

__device__ AdamCoefficients ofStep(AdamCoefficients c, const StepNumbers& numbers)
{
    c.gradientScale = numbers.gradientScale;
    c.correction1 = numbers.correction1;
    c.rootCorrection2 = numbers.rootCorrection2;
    return c;
}

/// Update brings forTensor(tensor, setting, numbers), which gives the update of one tensor in this
/// step, and run<N>(element) there.
template <class Update>
__global__ void __launch_bounds__(kChunkThreads)
    updateKernel(DeviceStep step, DeviceChunks list, bool vectors, Update update)
{
    if (changesNothing(step))
        return;
    const TensorChunk chunk = list.chunks[blockIdx.x];
    const auto own = update.forTensor(chunk.tensor, list.settings[chunk.tensor], *step.numbers);
    forPart(chunk, vectors,
            [&](auto n, std::int64_t at) { own.template run<decltype(n)::value>(at); });
}

template <class Update>
void launchUpdate(const char* op, const DeviceStep& step, const DeviceChunks& list,
                  std::initializer_list<const void*> pointers, const Update& update,
                  cudaStream_t stream)
{
    if (list.chunkCount > 0)
        launch(op, stream, gridOf(list), updateKernel<Update>, step, list, aligned(pointers),
               update);
}

struct Sgd {
    const float* grad;
    float *w, *v; // v null: no momentum
    float momentum, nesterov;
    float learningRate, scale, weightDecay; // by forTensor()

    __device__ Sgd forTensor(int, const TensorSetting& t, const StepNumbers& n) const
    {
        Sgd own = *this;
        own.learningRate = float(n.learningRate) * t.learningRateScale;
        own.scale = n.gradientScale;
        own.weightDecay = t.weightDecay;
        return own;
    }
    template <int N>
    __device__ void run(std::int64_t at) const
    {
        float g[N], x[N], y[N] = {};
        loadFloats<N>(grad + at, g);
        loadFloats<N>(w + at, x);
        if (v)
            loadFloats<N>(v + at, y);
        for (int i = 0; i < N; ++i)
            formula::sgd(scale * g[i], x[i], y[i], learningRate, momentum, weightDecay, nesterov);
        storeFloats<N>(w + at, x);
        if (v)
            storeFloats<N>(v + at, y);
    }
};

struct Adam {
    const float* grad;
    float *w, *m, *v;
    AdamCoefficients c;
    bool decoupled;

    __device__ Adam forTensor(int, const TensorSetting& t, const StepNumbers& n) const
    {
        Adam own = *this;
        own.c = ofStep(c, n);
        formula::setAdamTensor(own.c, n.learningRate * double(t.learningRateScale), t.weightDecay,
                               decoupled);
        return own;
    }
    template <int N>
    __device__ void run(std::int64_t at) const
    {
        float g[N], x[N], first[N], second[N];
        loadFloats<N>(grad + at, g);
        loadFloats<N>(w + at, x);
        loadFloats<N>(m + at, first);
        loadFloats<N>(v + at, second);
        for (int i = 0; i < N; ++i)
            formula::adam(g[i], x[i], first[i], second[i], c);
        storeFloats<N>(w + at, x);
        storeFloats<N>(m + at, first);
        storeFloats<N>(v + at, second);
    }
};

struct Lars {
    const float *grad, *trust;
    float *w, *v;
    bool inside; // the learning rate, in the momentum
    float momentum;
    float scale, weightDecay, step, apply; // by forTensor()

    __device__ Lars forTensor(int tensor, const TensorSetting& t, const StepNumbers& n) const
    {
        Lars own = *this;
        const double lr = n.learningRate * double(t.learningRateScale);
        const double ratio = double(trust[tensor]);
        own.scale = n.gradientScale;
        own.weightDecay = t.weightDecay;
        own.step = float(inside ? lr * ratio : ratio);
        own.apply = float(inside ? 1.0 : lr);
        return own;
    }
    template <int N>
    __device__ void run(std::int64_t at) const
    {
        float g[N], x[N], y[N];
        loadFloats<N>(grad + at, g);
        loadFloats<N>(w + at, x);
        loadFloats<N>(v + at, y);
        for (int i = 0; i < N; ++i)
            formula::lars(scale * g[i], x[i], y[i], momentum, weightDecay, step, apply);
        storeFloats<N>(w + at, x);
        storeFloats<N>(v + at, y);
    }
};

struct LambApply {
    const float *m, *v, *trust;
    float* w;
    AdamCoefficients c;
    float weightDecay; // by forTensor()

    __device__ LambApply forTensor(int tensor, const TensorSetting& t, const StepNumbers& n) const
    {
        LambApply own = *this;
        own.c = ofStep(c, n);
        own.c.stepSize =
            float(n.learningRate * double(t.learningRateScale) * double(trust[tensor]));
        own.weightDecay = t.weightDecay;
        return own;
    }
    template <int N>
    __device__ void run(std::int64_t at) const
    {
        float x[N], first[N], second[N];
        loadFloats<N>(w + at, x);
        loadFloats<N>(m + at, first);
        loadFloats<N>(v + at, second);
        for (int i = 0; i < N; ++i)
            x[i] -= c.stepSize * formula::lambDirection(x[i], first[i], second[i], c, weightDecay);
        storeFloats<N>(w + at, x);
    }
};

// --- sums ---

/// partial[part of chunk] = sum of x^2.
__global__ void __launch_bounds__(kChunkThreads)
    squaresKernel(DeviceChunks list, bool vectors, const float* x, double* partial)
{
    double sum = 0.0;
    forPart(list.chunks[blockIdx.x], vectors, [&](auto n, std::int64_t at) {
        constexpr int N = decltype(n)::value;
        float values[N];
        loadFloats<N>(x + at, values);
        for (int i = 0; i < N; ++i)
            sum += double(values[i]) * double(values[i]);
    });
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        partial[std::int64_t(blockIdx.x) * kChunkParts + blockIdx.y] = sum;
}

struct Moments {
    const float *grad, *w;
    float *m, *v;
    AdamCoefficients c;
};

/// Updates the moments; partial [2][parts of chunks]: sums of w^2 and of u^2.
__global__ void __launch_bounds__(kChunkThreads)
    momentsKernel(DeviceStep step, DeviceChunks list, bool vectors, Moments o, double* partial)
{
    if (changesNothing(step))
        return; // nobody uses the sums
    o.c = ofStep(o.c, *step.numbers);
    const TensorChunk chunk = list.chunks[blockIdx.x];
    const float decay = list.settings[chunk.tensor].weightDecay;
    double weights = 0.0, updates = 0.0;
    forPart(chunk, vectors, [&](auto n, std::int64_t at) {
        constexpr int N = decltype(n)::value;
        float g[N], x[N], first[N], second[N];
        loadFloats<N>(o.grad + at, g);
        loadFloats<N>(o.w + at, x);
        loadFloats<N>(o.m + at, first);
        loadFloats<N>(o.v + at, second);
        for (int i = 0; i < N; ++i) {
            formula::moments(o.c.gradientScale * g[i], first[i], second[i], o.c);
            const float u = formula::lambDirection(x[i], first[i], second[i], o.c, decay);
            weights += double(x[i]) * double(x[i]);
            updates += double(u) * double(u);
        }
        storeFloats<N>(o.m + at, first);
        storeFloats<N>(o.v + at, second);
    });
    weights = blockSum(weights);
    updates = blockSum(updates);
    if (threadIdx.x == 0) {
        const std::int64_t part = std::int64_t(blockIdx.x) * kChunkParts + blockIdx.y;
        partial[part] = weights;
        partial[list.chunkCount * kChunkParts + part] = updates;
    }
}

constexpr int kAddThreads = 128;

/// sums[s][tensor]: of the parts of the tensor's chunks, s = blockIdx.y.
__global__ void __launch_bounds__(kAddThreads)
    addPartsKernel(DeviceChunks list, const double* partial, double* sums)
{
    const std::int64_t tensor = blockIdx.x, s = blockIdx.y;
    const std::int64_t begin = std::int64_t(list.firstChunk[tensor]) * kChunkParts;
    const std::int64_t end = std::int64_t(list.firstChunk[tensor + 1]) * kChunkParts;
    const double* const from = partial + s * list.chunkCount * kChunkParts;
    double sum = 0.0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += kAddThreads)
        sum += from[i];
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        sums[s * list.tensorCount + tensor] = sum;
}

void addParts(const char* op, const DeviceChunks& list, unsigned numbers, const double* partial,
              double* sums, cudaStream_t stream)
{
    if (list.tensorCount > 0)
        launch(op, stream,
               {dim3(unsigned(list.tensorCount), numbers), dim3(unsigned(kAddThreads)), 0},
               addPartsKernel, list, partial, sums);
}

// --- ratios, a thread per tensor ---

__global__ void __launch_bounds__(kAddThreads)
    larsTrustKernel(LarsParams p, DeviceStep step, DeviceChunks list, const double* gradSquares,
                    const double* weightSquares, float* trust)
{
    const std::int64_t t = blockIdx.x * std::int64_t(kAddThreads) + threadIdx.x;
    if (t >= list.tensorCount)
        return;
    const TensorSetting s = list.settings[t];
    const double g = sqrt(gradSquares[t]) * fabs(double(step.numbers->gradientScale));
    const double w = sqrt(weightSquares[t]);
    trust[t] =
        s.adapt ? float(formula::larsTrust(g, w, p.eta, double(s.weightDecay), p.epsilon)) : 1.0f;
}

__global__ void __launch_bounds__(kAddThreads)
    lambTrustKernel(bool adaptWithoutDecay, DeviceChunks list, const double* sums, float* trust)
{
    const std::int64_t t = blockIdx.x * std::int64_t(kAddThreads) + threadIdx.x;
    if (t >= list.tensorCount)
        return;
    const bool scaled = adaptWithoutDecay || list.settings[t].weightDecay != 0.0f;
    trust[t] = scaled ? float(formula::lambTrust(sums[t], sums[list.tensorCount + t])) : 1.0f;
}

Grid tensorGrid(const DeviceChunks& list)
{
    return {dim3(unsigned((list.tensorCount + kAddThreads - 1) / kAddThreads)),
            dim3(unsigned(kAddThreads)), 0};
}

/// Without what is the step's.
template <class Params>
AdamCoefficients coefficients(const Params& p)
{
    return formula::adamCoefficients(p.beta1, p.beta2, p.epsilon, 1, 1.0f);
}

template <class Params>
StepNumbers adamNumbers(const Params& p)
{
    const AdamCoefficients c =
        formula::adamCoefficients(p.beta1, p.beta2, p.epsilon, p.step, p.gradientScale);
    return {p.learningRate, p.gradientScale, c.correction1, c.rootCorrection2};
}

__global__ void clipKernel(NormClip clip, std::int64_t tensors, const double* sums,
                           StepNumbers* numbers)
{
    double squares = 0.0;
    SB_UNROLL_4
    for (std::int64_t t = 0; t < tensors; ++t)
        squares += sums[t];
    const double scale = double(numbers->gradientScale);
    const double norm = fabs(scale) * sqrt(squares);
    numbers->gradientScale = float(scale * formula::normFactor(norm, clip.largest, clip.epsilon));
}

__global__ void closeKernel(const float* loss, std::int32_t* closed)
{
    if (!(fabs(*loss) <= 3.402823466e38f)) // NaN too
        *closed = 1;
}

} // namespace

StepNumbers stepNumbers(const SgdParams& p)
{
    return {double(p.learningRate), p.gradientScale};
}
StepNumbers stepNumbers(const AdamParams& p)
{
    return adamNumbers(p);
}
StepNumbers stepNumbers(const LarsParams& p)
{
    return {p.learningRate, p.gradientScale};
}
StepNumbers stepNumbers(const LambParams& p)
{
    return adamNumbers(p);
}

void clipGradient(const NormClip& clip, std::int64_t tensors, const double* sums,
                  StepNumbers* numbers, cudaStream_t stream)
{
    launch("clipping", stream, {dim3(1), dim3(1), 0}, clipKernel, clip, tensors, sums, numbers);
}

void closeUnlessFinite(const float* loss, std::int32_t* closed, cudaStream_t stream)
{
    launch("check of the loss", stream, {dim3(1), dim3(1), 0}, closeKernel, loss, closed);
}

std::size_t partialSums(std::int64_t chunks)
{
    return std::size_t(chunks) * std::size_t(kChunkParts);
}

void sumOfSquares(const DeviceChunks& list, const float* x, double* partial, double* sums,
                  cudaStream_t stream)
{
    const char* op = "sum of squares";
    if (list.chunkCount > 0)
        launch(op, stream, gridOf(list), squaresKernel, list, aligned({x}), x, partial);
    addParts(op, list, 1, partial, sums, stream);
}

void sgdStep(const SgdParams& p, const DeviceStep& step, const DeviceChunks& list,
             const float* grad, float* w, float* velocity, cudaStream_t stream)
{
    float* const v = p.momentum == 0.0f ? nullptr : velocity;
    const float nesterov = v && p.nesterov ? 1.0f : 0.0f;
    launchUpdate("sgd", step, list, {grad, w, v},
                 Sgd{grad, w, v, p.momentum, nesterov, 0.0f, 0.0f, 0.0f}, stream);
}

void adamStep(const AdamParams& p, const DeviceStep& step, const DeviceChunks& list,
              const float* grad, float* w, float* m, float* v, cudaStream_t stream)
{
    launchUpdate("adam", step, list, {grad, w, m, v},
                 Adam{grad, w, m, v, coefficients(p), p.decoupled}, stream);
}

void larsTrust(const LarsParams& p, const DeviceStep& step, const DeviceChunks& list,
               const double* gradSquares, const double* weightSquares, float* trust,
               cudaStream_t stream)
{
    if (list.tensorCount > 0)
        launch("lars ratios", stream, tensorGrid(list), larsTrustKernel, p, step, list, gradSquares,
               weightSquares, trust);
}

void lambTrust(const LambParams& p, const DeviceChunks& list, const double* sums, float* trust,
               cudaStream_t stream)
{
    if (list.tensorCount > 0)
        launch("lamb ratios", stream, tensorGrid(list), lambTrustKernel, p.adaptWithoutDecay, list,
               sums, trust);
}

void larsStep(const LarsParams& p, const DeviceStep& step, const DeviceChunks& list,
              const float* trust, const float* grad, float* w, float* velocity, cudaStream_t stream)
{
    launchUpdate("lars", step, list, {grad, w, velocity},
                 Lars{grad, trust, w, velocity, p.learningRateInMomentum, float(p.momentum), 0.0f,
                      0.0f, 0.0f, 0.0f},
                 stream);
}

void lambMoments(const LambParams& p, const DeviceStep& step, const DeviceChunks& list,
                 const float* grad, const float* w, float* m, float* v, double* partial,
                 double* sums, cudaStream_t stream)
{
    const char* op = "lamb moments";
    if (list.chunkCount > 0)
        launch(op, stream, gridOf(list), momentsKernel, step, list, aligned({grad, w, m, v}),
               Moments{grad, w, m, v, coefficients(p)}, partial);
    addParts(op, list, 2, partial, sums, stream);
}

void lambApply(const LambParams& p, const DeviceStep& step, const DeviceChunks& list,
               const float* trust, const float* m, const float* v, float* w, cudaStream_t stream)
{
    launchUpdate("lamb update", step, list, {m, v, w},
                 LambApply{m, v, trust, w, coefficients(p), 0.0f}, stream);
}

} // namespace scalebench::kernels::cuda
