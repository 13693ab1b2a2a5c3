// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What an LSTM layer does on a GPU besides its matrix products: the cells of one step, and the
// states before the first and behind the last step. Formulas: kernels/formula/lstm_cell.h; sizes,
// types and the order of gates as in kernels/lstm.h, in F32, BF16 and F16. Device pointers;
// deterministic.
//
// A sequence b has the steps t < lengths[b] (null: all T); a reversed layer goes through them from
// the last to the first. At other positions states stay as they are, outputs and gates are zero.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/bad_index.h"
#include "kernels/lstm.h"

namespace scalebench::kernels::cuda {

/// Notes a length outside [0,T]; the other functions then read none of it out of bounds.
void lstmCheckLengths(const LstmParams& p, const std::int32_t* lengths, const BadIndex& bad,
                      cudaStream_t stream);

/// Of step t: all [B,...] of that step alone.
struct LstmCellForward {
    const float* sums = nullptr; ///< [B,4H]: x Wx^T + h Wh^T; may be gates (F32)
    const float* bx = nullptr;   ///< [4H]; may be null
    const float* bh = nullptr;   ///< [4H]; may be null
    void* gates = nullptr;       ///< [B,4H] after activation, overwritten
    float* c = nullptr;          ///< [B,H], overwritten
    void* y = nullptr;           ///< [B,H] with rows p.rowY() apart, overwritten
    void* hidden = nullptr;      ///< [B,H]: the state, updated
    float* cell = nullptr;       ///< [B,H]: the state, updated
};
void lstmCellForward(const LstmParams& p, std::int64_t t, const std::int32_t* lengths,
                     const LstmCellForward& a, cudaStream_t stream);

struct LstmCellBackward {
    void* gates = nullptr;          ///< [B,4H]: replaced by the gradients of the sums
    const float* c = nullptr;       ///< [B,H]
    const float* cBefore = nullptr; ///< [B,H] of the step before (reversed: t + 1); null: none
    const float* c0 = nullptr;      ///< [B,H]: initial state; null: zero
    const void* dy = nullptr;       ///< as y; null: zero
    const float* dh = nullptr;      ///< [B,H] from the step after; null: none
    const void* dhN = nullptr;      ///< [B,H]: gradient of the final state; null: zero
    float* dc = nullptr;            ///< [B,H]: from the step after, replaced by that for before
    void* dgFirst = nullptr;        ///< [B,4H]: gets the rows of first steps; may be null
};
void lstmCellBackward(const LstmParams& p, std::int64_t t, const std::int32_t* lengths,
                      const LstmCellBackward& a, cudaStream_t stream);

/// before [T,B,H]: the hidden state that each step started from, zero outside; y as forward left
/// it, h0 [B,H] or null (zero). The other factor of the recurrent weight's gradient.
void lstmHiddenBefore(const LstmParams& p, const std::int32_t* lengths, const void* y,
                      const void* h0, void* before, cudaStream_t stream);

/// dh0 [B,H] = dh (F32) where a sequence has steps, else dhN (null: zero).
void lstmInitialGradient(const LstmParams& p, const std::int32_t* lengths, const float* dh,
                         const void* dhN, void* dh0, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
