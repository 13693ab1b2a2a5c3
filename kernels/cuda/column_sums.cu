// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/column_sums.h"

#include "kernels/cuda/launch.h"
#include "kernels/cuda/number.h"
#include "kernels/formula/activation.h"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256, kMaxParts = 512;
/// Columns of a block of the second step, and threads that share each of them.
constexpr int kFinishColumns = 32, kFinishRows = 8;

/// How a matrix is cut: a block takes `packs` vectors of columns and every parts-th group of rows.
struct Cut {
    int packs = 1;           ///< threads beside each other
    std::int64_t blocks = 1; ///< beside each other
    int parts = 1;           ///< below each other, each with a partial sum
};

Cut cutOf(std::int64_t rows, std::int64_t columns, int vector)
{
    const std::int64_t packs = (columns + vector - 1) / vector;
    Cut cut;
    cut.packs = int(std::min<std::int64_t>(std::int64_t(std::bit_ceil(std::uint64_t(packs))), 32));
    cut.blocks = (packs + cut.packs - 1) / cut.packs;
    const int height = kThreads / cut.packs;
    const std::int64_t useful = (rows + height * 4 - 1) / (height * 4);
    cut.parts = int(std::clamp<std::int64_t>(
        std::min(useful, std::max<std::int64_t>(132 * 8 / cut.blocks, 1)), 1, kMaxParts));
    return cut;
}

/// Partial sums [gridDim.y, columns]; g where not null.
template <class Y, class G, int V, Activation A>
__global__ void gradientKernel(std::int64_t rows, std::int64_t columns, const Y* kept, const Y* dy,
                               G* g, float* partial)
{
    __shared__ float sums[kThreads * V];
    const std::int64_t column = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) * V;
    float sum[V] = {};
    if (column < columns)
        for (std::int64_t r = std::int64_t(blockIdx.y) * blockDim.y + threadIdx.y; r < rows;
             r += std::int64_t(gridDim.y) * blockDim.y) {
            const std::int64_t at = r * columns + column;
            const auto in = *reinterpret_cast<const Pack<Y, V>*>(dy + at);
            Pack<Y, V> about = in;
            if constexpr (A != Activation::None)
                about = *reinterpret_cast<const Pack<Y, V>*>(kept + at);
            Pack<G, V> out;
            for (int i = 0; i < V; ++i) {
                float v = toFloat(in.v[i]);
                if constexpr (A != Activation::None)
                    v = formula::activateBackward(A, toFloat(about.v[i]), v);
                out.v[i] = fromFloat<G>(v);
                sum[i] += v;
            }
            if (g != nullptr)
                *reinterpret_cast<Pack<G, V>*>(g + at) = out;
        }
    if (partial == nullptr) // the same for all threads
        return;
    const int mine = int((threadIdx.y * blockDim.x + threadIdx.x)) * V;
    for (int i = 0; i < V; ++i)
        sums[mine + i] = sum[i];
    __syncthreads();
    if (threadIdx.y != 0 || column >= columns)
        return;
    for (int i = 0; i < V; ++i) {
        float total = 0;
        for (unsigned y = 0; y < blockDim.y; ++y)
            total += sums[int(y * blockDim.x + threadIdx.x) * V + i];
        partial[std::int64_t(blockIdx.y) * columns + column + i] = total;
    }
}

__global__ void finishKernel(std::int64_t columns, int parts, const float* partial, float* sums,
                             bool accumulate)
{
    __shared__ float shared[kFinishRows][kFinishColumns];
    const std::int64_t column = std::int64_t(blockIdx.x) * kFinishColumns + threadIdx.x;
    float sum = 0;
    if (column < columns)
        for (int part = int(threadIdx.y); part < parts; part += kFinishRows)
            sum += partial[part * columns + column];
    shared[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || column >= columns)
        return;
    float total = 0;
    for (int y = 0; y < kFinishRows; ++y)
        total += shared[y][threadIdx.x];
    sums[column] = accumulate ? sums[column] + total : total;
}

template <class Y, class G>
bool vectorised(std::int64_t columns, int vector, const void* kept, const void* dy, const void* g)
{
    const auto aligned = [](const void* p, std::size_t bytes) {
        return reinterpret_cast<std::uintptr_t>(p) % bytes == 0;
    };
    return columns % vector == 0 && aligned(kept, sizeof(Y) * std::size_t(vector)) &&
           aligned(dy, sizeof(Y) * std::size_t(vector)) &&
           aligned(g, sizeof(G) * std::size_t(vector));
}

template <class Y, class G, int V, Activation A>
void issue(std::int64_t rows, std::int64_t columns, const void* kept, const void* dy, void* g,
           float* db, bool accumulate, void* workspace, cudaStream_t stream)
{
    const Cut cut = cutOf(rows, columns, V);
    auto* partial = db == nullptr ? nullptr : static_cast<float*>(workspace);
    const Grid grid{dim3(unsigned(cut.blocks), unsigned(cut.parts)),
                    dim3(unsigned(cut.packs), unsigned(kThreads / cut.packs)), 0};
    launch("bias gradient", stream, grid, gradientKernel<Y, G, V, A>, rows, columns,
           static_cast<const Y*>(kept), static_cast<const Y*>(dy), static_cast<G*>(g), partial);
    if (db != nullptr)
        launch("bias gradient", stream,
               Grid{dim3(unsigned((columns + kFinishColumns - 1) / kFinishColumns)),
                    dim3(kFinishColumns, kFinishRows), 0},
               finishKernel, columns, cut.parts, static_cast<const float*>(partial), db,
               accumulate);
}

template <class Y, class G, Activation A>
void choose(std::int64_t rows, std::int64_t columns, const void* kept, const void* dy, void* g,
            float* db, bool accumulate, void* workspace, cudaStream_t stream)
{
    constexpr int kVector = 16 / int(std::max(sizeof(Y), sizeof(G)));
    if (vectorised<Y, G>(columns, kVector, kept, dy, g))
        issue<Y, G, kVector, A>(rows, columns, kept, dy, g, db, accumulate, workspace, stream);
    else
        issue<Y, G, 1, A>(rows, columns, kept, dy, g, db, accumulate, workspace, stream);
}

} // namespace

std::size_t columnSumsWorkspace(std::int64_t rows, std::int64_t columns)
{
    int parts = 1;
    for (const int vector : {1, 4, 8})
        parts = std::max(parts, cutOf(rows, columns, vector).parts);
    return std::size_t(parts) * std::size_t(columns) * sizeof(float);
}

void columnSums(DType dtype, std::int64_t rows, std::int64_t columns, const void* x, float* sums,
                bool accumulate, void* workspace, cudaStream_t stream)
{
    if (columns == 0)
        return;
    withActivationType(dtype, "column sums", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        choose<T, T, Activation::None>(rows, columns, nullptr, x, nullptr, sums, accumulate,
                                       workspace, stream);
    });
}

void activationBiasGradient(Activation a, DType yType, DType gType, std::int64_t rows,
                            std::int64_t columns, const void* kept, const void* dy, void* g,
                            float* db, bool accumulate, void* workspace, cudaStream_t stream)
{
    if (columns == 0)
        return;
    const auto typed = [&](auto y, auto out) {
        using Y = typename decltype(y)::Type;
        using G = typename decltype(out)::Type;
        const auto with = [&](auto chosen) {
            choose<Y, G, decltype(chosen)::value>(rows, columns, kept, dy, g, db, accumulate,
                                                  workspace, stream);
        };
        switch (a) {
        case Activation::None:
            return with(std::integral_constant<Activation, Activation::None>());
        case Activation::Relu:
            return with(std::integral_constant<Activation, Activation::Relu>());
        case Activation::GeluErf:
            return with(std::integral_constant<Activation, Activation::GeluErf>());
        case Activation::GeluTanh:
            return with(std::integral_constant<Activation, Activation::GeluTanh>());
        case Activation::Tanh:
            return with(std::integral_constant<Activation, Activation::Tanh>());
        case Activation::Sigmoid:
            return with(std::integral_constant<Activation, Activation::Sigmoid>());
        }
    };
    withActivationType(gType, "bias gradient", [&](auto out) {
        if (yType == gType)
            typed(out, out);
        else if (yType == DType::F32)
            typed(TypeTag<float>(), out);
        else
            throw Unsupported(std::string("bias gradient: from ") + dtypeName(yType) + " to " +
                              dtypeName(gType));
    });
}

} // namespace scalebench::kernels::cuda
