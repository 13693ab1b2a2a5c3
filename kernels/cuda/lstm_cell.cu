// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/lstm_cell.h"

#include "kernels/cuda/launch.h"
#include "kernels/cuda/vector.h"
#include "kernels/formula/lstm_cell.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 128;
constexpr std::int64_t kMostRows = 65535; // of blocks

/// Blocks for `rows` rows of `columns` threads.
Grid gridOf(std::int64_t rows, std::int64_t columns)
{
    return {
        dim3(unsigned((columns + kThreads - 1) / kThreads), unsigned(std::min(rows, kMostRows))),
        dim3(unsigned(kThreads)), 0};
}

__device__ std::int64_t threadColumn()
{
    return std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
}

/// Where the steps of the sequences are.
struct Steps {
    std::int64_t T, B, H, rowY;
    bool reverse;
    const std::int32_t* lengths;

    Steps(const LstmParams& p, const std::int32_t* lengthsOrNull)
        : T(p.T), B(p.B), H(p.H), rowY(p.rowY()), reverse(p.reverse), lengths(lengthsOrNull)
    {
    }
    __device__ std::int64_t length(std::int64_t b) const
    {
        const std::int64_t n = lengths ? std::int64_t(lengths[b]) : T;
        return n < 0 ? 0 : n > T ? T : n;
    }
    __device__ std::int64_t first(std::int64_t b) const { return reverse ? length(b) - 1 : 0; }
    __device__ std::int64_t last(std::int64_t b) const { return reverse ? 0 : length(b) - 1; }
};

__global__ void checkKernel(Steps s, BadIndex bad)
{
    for (std::int64_t b = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; b < s.B;
         b += std::int64_t(gridDim.x) * blockDim.x)
        bad.check(b, s.lengths[b], s.T + 1);
}

template <class T>
__device__ formula::LstmGates loadGates(const T* row, std::int64_t H, std::int64_t j)
{
    return {toFloat(row[j]), toFloat(row[H + j]), toFloat(row[2 * H + j]), toFloat(row[3 * H + j])};
}
template <class T>
__device__ void storeGates(T* row, std::int64_t H, std::int64_t j, const formula::LstmGates& g)
{
    row[j] = fromFloat<T>(g.i);
    row[H + j] = fromFloat<T>(g.f);
    row[2 * H + j] = fromFloat<T>(g.g);
    row[3 * H + j] = fromFloat<T>(g.o);
}

__device__ formula::LstmGates plus(const formula::LstmGates& a, const formula::LstmGates& b)
{
    return {a.i + b.i, a.f + b.f, a.g + b.g, a.o + b.o};
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    forwardKernel(Steps s, std::int64_t t, LstmCellForward a)
{
    const std::int64_t j = threadColumn();
    if (j >= s.H)
        return;
    formula::LstmGates bias{0.0f, 0.0f, 0.0f, 0.0f};
    if (a.bx)
        bias = plus(bias, loadGates(a.bx, s.H, j));
    if (a.bh)
        bias = plus(bias, loadGates(a.bh, s.H, j));
    for (std::int64_t b = blockIdx.y; b < s.B; b += gridDim.y) {
        const std::int64_t at = b * s.H + j;
        T* const gates = static_cast<T*>(a.gates) + b * 4 * s.H;
        T* const y = static_cast<T*>(a.y) + b * s.rowY + j;
        if (t >= s.length(b)) {
            storeGates(gates, s.H, j, {0.0f, 0.0f, 0.0f, 0.0f});
            a.c[at] = 0.0f;
            *y = fromFloat<T>(0.0f);
            continue;
        }
        const formula::LstmGates g =
            formula::lstmActivate(plus(loadGates(a.sums + b * 4 * s.H, s.H, j), bias));
        const float cell = formula::lstmCell(g, a.cell[at]);
        const T h = fromFloat<T>(g.o * formula::lstmTanh(cell));
        storeGates(gates, s.H, j, g);
        a.c[at] = a.cell[at] = cell;
        *y = static_cast<T*>(a.hidden)[at] = h;
    }
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    backwardKernel(Steps s, std::int64_t t, LstmCellBackward a)
{
    const std::int64_t j = threadColumn();
    if (j >= s.H)
        return;
    for (std::int64_t b = blockIdx.y; b < s.B; b += gridDim.y) {
        const std::int64_t at = b * s.H + j;
        T* const gates = static_cast<T*>(a.gates) + b * 4 * s.H;
        if (t >= s.length(b)) {
            storeGates(gates, s.H, j, {0.0f, 0.0f, 0.0f, 0.0f});
            continue;
        }
        float dh = 0.0f;
        if (t != s.last(b))
            dh = a.dh[at];
        else if (a.dhN)
            dh = toFloat(static_cast<const T*>(a.dhN)[at]);
        if (a.dy)
            dh += toFloat(static_cast<const T*>(a.dy)[b * s.rowY + j]);
        const bool first = t == s.first(b);
        const float cBefore = !first ? a.cBefore[at] : a.c0 ? a.c0[at] : 0.0f;
        float dc = a.dc[at];
        const formula::LstmGates d =
            formula::lstmBackward(loadGates(gates, s.H, j), cBefore, a.c[at], dh, dc);
        a.dc[at] = dc;
        storeGates(gates, s.H, j, d);
        if (first && a.dgFirst)
            storeGates(static_cast<T*>(a.dgFirst) + b * 4 * s.H, s.H, j, d);
    }
}

/// N hidden units per thread.
template <int N, class T>
__global__ void __launch_bounds__(kThreads)
    hiddenBeforeKernel(Steps s, const T* y, const T* h0, T* before)
{
    const std::int64_t j = threadColumn() * N;
    if (j >= s.H)
        return;
    for (std::int64_t row = blockIdx.y; row < s.T * s.B; row += gridDim.y) {
        const std::int64_t t = row / s.B, b = row - t * s.B;
        const T* from = nullptr;
        if (t >= s.length(b))
            ;
        else if (t != s.first(b))
            from = y + (row + (s.reverse ? s.B : -s.B)) * s.rowY + j;
        else if (h0)
            from = h0 + b * s.H + j;
        Pack<T, N> v{};
        if (from)
            v = *reinterpret_cast<const Pack<T, N>*>(from);
        *reinterpret_cast<Pack<T, N>*>(before + row * s.H + j) = v;
    }
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    initialGradientKernel(Steps s, const float* dh, const T* dhN, T* dh0)
{
    const std::int64_t j = threadColumn();
    if (j >= s.H)
        return;
    for (std::int64_t b = blockIdx.y; b < s.B; b += gridDim.y) {
        const std::int64_t at = b * s.H + j;
        if (s.length(b) > 0)
            dh0[at] = fromFloat<T>(dh[at]);
        else
            dh0[at] = dhN ? dhN[at] : fromFloat<T>(0.0f);
    }
}

} // namespace

void lstmCheckLengths(const LstmParams& p, const std::int32_t* lengths, const BadIndex& bad,
                      cudaStream_t stream)
{
    if (p.B > 0)
        launch("lstm lengths", stream, gridFor(p.B, kThreads), checkKernel, Steps(p, lengths), bad);
}

void lstmCellForward(const LstmParams& p, std::int64_t t, const std::int32_t* lengths,
                     const LstmCellForward& a, cudaStream_t stream)
{
    if (p.B == 0 || p.H == 0)
        return;
    const char* op = "lstm cell";
    withActivationType(p.dtype, op, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch(op, stream, gridOf(p.B, p.H), forwardKernel<T>, Steps(p, lengths), t, a);
    });
}

void lstmCellBackward(const LstmParams& p, std::int64_t t, const std::int32_t* lengths,
                      const LstmCellBackward& a, cudaStream_t stream)
{
    if (p.B == 0 || p.H == 0)
        return;
    const char* op = "lstm cell backward";
    withActivationType(p.dtype, op, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch(op, stream, gridOf(p.B, p.H), backwardKernel<T>, Steps(p, lengths), t, a);
    });
}

void lstmHiddenBefore(const LstmParams& p, const std::int32_t* lengths, const void* y,
                      const void* h0, void* before, cudaStream_t stream)
{
    if (p.T == 0 || p.B == 0 || p.H == 0)
        return;
    const char* op = "lstm hidden states";
    withActivationType(p.dtype, op, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        constexpr int V = kVector<T>;
        const bool packed = p.H % V == 0 && p.rowY() % V == 0 && aligned({y, h0, before});
        launch(op, stream, gridOf(p.T * p.B, packed ? p.H / V : p.H),
               packed ? hiddenBeforeKernel<V, T> : hiddenBeforeKernel<1, T>, Steps(p, lengths),
               static_cast<const T*>(y), static_cast<const T*>(h0), static_cast<T*>(before));
    });
}

void lstmInitialGradient(const LstmParams& p, const std::int32_t* lengths, const float* dh,
                         const void* dhN, void* dh0, cudaStream_t stream)
{
    if (p.B == 0 || p.H == 0)
        return;
    const char* op = "lstm initial gradient";
    withActivationType(p.dtype, op, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch(op, stream, gridOf(p.B, p.H), initialGradientKernel<T>, Steps(p, lengths), dh,
               static_cast<const T*>(dhN), static_cast<T*>(dh0));
    });
}

} // namespace scalebench::kernels::cuda
