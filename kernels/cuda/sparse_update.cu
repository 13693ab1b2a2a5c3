// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/sparse_update.h"

#include "kernels/cuda/launch.h"
#include "kernels/cuda/vector.h"
#include "kernels/formula/optimizer.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256;

struct Sgd {
    float* table;
    float step;

    template <int N>
    __device__ void run(const float* values, std::int64_t at) const
    {
        float g[N], w[N];
        loadFloats<N>(values, g);
        loadFloats<N>(table + at, w);
        for (int i = 0; i < N; ++i)
            w[i] -= step * g[i];
        storeFloats<N>(table + at, w);
    }
};

struct Adam {
    float *table, *m, *v;
    formula::AdamCoefficients c;

    template <int N>
    __device__ void run(const float* values, std::int64_t at) const
    {
        float g[N], w[N], first[N], second[N];
        loadFloats<N>(values, g);
        loadFloats<N>(table + at, w);
        loadFloats<N>(m + at, first);
        loadFloats<N>(v + at, second);
        for (int i = 0; i < N; ++i)
            formula::sparseAdam(c.gradientScale * g[i], w[i], first[i], second[i], c);
        storeFloats<N>(table + at, w);
        storeFloats<N>(m + at, first);
        storeFloats<N>(v + at, second);
    }
};

/// N elements of a row per thread; `runs` threads have a row.
template <int N, class Update>
__global__ void __launch_bounds__(kThreads)
    rowsKernel(SparseRowsView grad, std::int64_t runs, std::int64_t tableRows, Update update,
               BadIndex bad)
{
    const std::int64_t step = std::int64_t(gridDim.x) * kThreads;
    for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; i < grad.count * runs;
         i += step) {
        const std::int64_t r = i / runs, c = (i - r * runs) * N;
        const std::int64_t row = grad.rows[r];
        if (bad.check(r, row, tableRows))
            update.template run<N>(grad.values + r * grad.width + c, row * grad.width + c);
    }
}

template <class Update>
void launchRows(const char* op, const SparseRowsView& grad, std::int64_t tableRows,
                std::initializer_list<const void*> pointers, const Update& update,
                const BadIndex& bad, cudaStream_t stream)
{
    if (grad.count == 0 || grad.width == 0)
        return;
    const bool packed = grad.width % 4 == 0 && aligned(pointers) && aligned({grad.values});
    const std::int64_t runs = grad.width / (packed ? 4 : 1);
    launch(op, stream, gridFor(grad.count * runs, kThreads),
           packed ? rowsKernel<4, Update> : rowsKernel<1, Update>, grad, runs, tableRows, update,
           bad);
}

} // namespace

void sparseSgdStep(const SparseSgdParams& p, const SparseRowsView& grad, std::int64_t tableRows,
                   float* table, const BadIndex& bad, cudaStream_t stream)
{
    launchRows("sparse sgd", grad, tableRows, {table},
               Sgd{table, float(p.learningRate * double(p.gradientScale))}, bad, stream);
}

void sparseAdamStep(const SparseAdamParams& p, const SparseRowsView& grad, std::int64_t tableRows,
                    float* table, float* m, float* v, const BadIndex& bad, cudaStream_t stream)
{
    Adam update{table, m, v,
                formula::adamCoefficients(p.beta1, p.beta2, p.epsilon, p.step, p.gradientScale)};
    update.c.stepSize = float(formula::sparseAdamStep(p.learningRate, p.beta1, p.beta2, p.step));
    launchRows("sparse adam", grad, tableRows, {table, m, v}, update, bad, stream);
}

} // namespace scalebench::kernels::cuda
