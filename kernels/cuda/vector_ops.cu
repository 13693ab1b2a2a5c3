// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/vector_ops.h"

#include "kernels/cuda/launch.h"
#include "kernels/cuda/vector.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256;

struct Scale {
    float a;
    __device__ float operator()(float x, float) const { return a * x; }
};
struct Axpy {
    float a;
    __device__ float operator()(float x, float y) const { return y + a * x; }
};
struct Multiply {
    __device__ float operator()(float x, float y) const { return x * y; }
};
struct Divide {
    __device__ float operator()(float x, float y) const { return x / y; }
};
struct SquareRoot {
    __device__ float operator()(float x, float) const { return sqrtf(x); }
};
struct AddScalar {
    float a;
    __device__ float operator()(float x, float) const { return x + a; }
};

/// z = f(x, y), N elements at a time; y null: of x alone.
template <int N, class F>
__global__ void __launch_bounds__(kThreads)
    vectorKernel(std::int64_t runs, const float* x, const float* y, float* z, F f)
{
    const std::int64_t step = std::int64_t(gridDim.x) * kThreads;
    for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; i < runs; i += step) {
        float a[N], b[N] = {};
        loadFloats<N>(x + i * N, a);
        if (y)
            loadFloats<N>(y + i * N, b);
        for (int j = 0; j < N; ++j)
            a[j] = f(a[j], b[j]);
        storeFloats<N>(z + i * N, a);
    }
}

template <class F>
void pass(const char* op, std::int64_t n, const float* x, const float* y, float* z, F f,
          cudaStream_t stream)
{
    const std::int64_t runs = aligned({x, y, z}) ? n / 4 : 0, done = runs * 4;
    if (runs > 0)
        launch(op, stream, gridFor(runs, kThreads), vectorKernel<4, F>, runs, x, y, z, f);
    if (n > done)
        launch(op, stream, gridFor(n - done, kThreads), vectorKernel<1, F>, n - done, x + done,
               y ? y + done : y, z + done, f);
}

} // namespace

void scale(std::int64_t n, float a, const float* x, float* y, cudaStream_t stream)
{
    pass("scale", n, x, nullptr, y, Scale{a}, stream);
}

void axpy(std::int64_t n, float a, const float* x, float* y, cudaStream_t stream)
{
    pass("axpy", n, x, y, y, Axpy{a}, stream);
}

void multiply(std::int64_t n, const float* x, const float* y, float* z, cudaStream_t stream)
{
    pass("multiply", n, x, y, z, Multiply(), stream);
}

void divide(std::int64_t n, const float* x, const float* y, float* z, cudaStream_t stream)
{
    pass("divide", n, x, y, z, Divide(), stream);
}

void squareRoot(std::int64_t n, const float* x, float* y, cudaStream_t stream)
{
    pass("square root", n, x, nullptr, y, SquareRoot(), stream);
}

void addScalar(std::int64_t n, float a, const float* x, float* y, cudaStream_t stream)
{
    pass("add scalar", n, x, nullptr, y, AddScalar{a}, stream);
}

} // namespace scalebench::kernels::cuda
