// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/lstm_cell.h"

#include "kernels/formula/bf16.h"
#include "kernels/formula/host_device.h"
#include "kernels/formula/lstm_cell.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

template <class T>
SB_HOST_DEVICE void forward(std::int64_t H, const float* sums, const float* cPrev, T* gates,
                            float* c, T* h)
{
#pragma GCC ivdep
    for (std::int64_t j = 0; j < H; ++j) {
        const formula::LstmGates s =
            formula::lstmActivate({sums[j], sums[H + j], sums[2 * H + j], sums[3 * H + j]});
        const float cell = formula::lstmCell(s, cPrev[j]);
        store(gates + j, s.i);
        store(gates + H + j, s.f);
        store(gates + 2 * H + j, s.g);
        store(gates + 3 * H + j, s.o);
        c[j] = cell;
        store(h + j, s.o * formula::lstmTanh(cell));
    }
}
SB_TARGET_CLONES void forwardF32(std::int64_t H, const float* sums, const float* cPrev,
                                 float* gates, float* c, float* h)
{
    forward(H, sums, cPrev, gates, c, h);
}
SB_TARGET_CLONES void forwardBf16(std::int64_t H, const float* sums, const float* cPrev,
                                  bf16_t* gates, float* c, bf16_t* h)
{
    forward(H, sums, cPrev, gates, c, h);
}

template <bool kHasDy, class T>
SB_HOST_DEVICE void backward(std::int64_t H, T* gates, const float* cPrev, const float* c,
                             const T* dy, const float* dh, float* dc)
{
#pragma GCC ivdep
    for (std::int64_t j = 0; j < H; ++j) {
        const formula::LstmGates s{load(gates + j), load(gates + H + j), load(gates + 2 * H + j),
                                   load(gates + 3 * H + j)};
        const float total = kHasDy ? dh[j] + load(dy + j) : dh[j];
        float carry = dc[j];
        const formula::LstmGates d = formula::lstmBackward(s, cPrev[j], c[j], total, carry);
        store(gates + j, d.i);
        store(gates + H + j, d.f);
        store(gates + 2 * H + j, d.g);
        store(gates + 3 * H + j, d.o);
        dc[j] = carry;
    }
}
template <class T>
SB_HOST_DEVICE void backwardEither(std::int64_t H, T* gates, const float* cPrev, const float* c,
                                   const T* dy, const float* dh, float* dc)
{
    if (dy)
        backward<true>(H, gates, cPrev, c, dy, dh, dc);
    else
        backward<false>(H, gates, cPrev, c, dy, dh, dc);
}
SB_TARGET_CLONES void backwardF32(std::int64_t H, float* gates, const float* cPrev, const float* c,
                                  const float* dy, const float* dh, float* dc)
{
    backwardEither(H, gates, cPrev, c, dy, dh, dc);
}
SB_TARGET_CLONES void backwardBf16(std::int64_t H, bf16_t* gates, const float* cPrev,
                                   const float* c, const bf16_t* dy, const float* dh, float* dc)
{
    backwardEither(H, gates, cPrev, c, dy, dh, dc);
}

} // namespace

void lstmCellForward(DType dtype, std::int64_t H, const float* sums, const float* cPrev,
                     void* gates, float* c, void* h)
{
    if (dtype == DType::F32)
        forwardF32(H, sums, cPrev, static_cast<float*>(gates), c, static_cast<float*>(h));
    else
        forwardBf16(H, sums, cPrev, static_cast<bf16_t*>(gates), c, static_cast<bf16_t*>(h));
}

void lstmCellBackward(DType dtype, std::int64_t H, void* gates, const float* cPrev, const float* c,
                      const void* dy, const float* dh, float* dc)
{
    if (dtype == DType::F32)
        backwardF32(H, static_cast<float*>(gates), cPrev, c, static_cast<const float*>(dy), dh, dc);
    else
        backwardBf16(H, static_cast<bf16_t*>(gates), cPrev, c, static_cast<const bf16_t*>(dy), dh,
                     dc);
}

} // namespace scalebench::kernels::cpu
