// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One direction of one LSTM layer over a batch of sequences (torch.nn.LSTM: gate order i, f, g, o,
// two biases that add up). Time-major: step t of all sequences lies together, so that a step's
// matrix product reads and writes whole contiguous blocks. Sequences may end early: positions
// t >= lengths[b] touch no state, give zero output and get zero gradient, as
// torch.nn.utils.rnn.pack_padded_sequence. Cell states and sums are fp32 in both element types.
// Bidirectional layers are two of these with ldy = 2 H, one with `reverse`, which then starts at
// the last valid position of each sequence.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/types.h"

namespace scalebench {

struct LstmParams {
    std::int64_t T = 1, B = 1, I = 1, H = 1; ///< steps, sequences, input and hidden size
    bool reverse = false;                    ///< from the last step to the first
    std::int64_t ldy = 0;     ///< elements from one row of y and dy to the next; 0: H
    DType dtype = DType::F32; ///< F32 or BF16: x, y, h, gates and their gradients

    auto operator<=>(const LstmParams&) const = default;
    std::int64_t rowY() const { return ldy > 0 ? ldy : H; }
    /// "lstm x=f32[25,32,1024] hidden 1024".
    std::string describe() const;
};

/// Arguments of LstmPlan::forward. Row-major; [T,B,...] is time-major.
struct LstmForward {
    const void* x = nullptr;               ///< [T,B,I]
    const void* wx = nullptr;              ///< F32: the weight [4H,I] itself; BF16: by packInput()
    const void* wh = nullptr;              ///< by packRecurrent()
    const float* bx = nullptr;             ///< [4H]; may be null
    const float* bh = nullptr;             ///< [4H]; may be null
    const void* h0 = nullptr;              ///< [B,H]; null: zero
    const float* c0 = nullptr;             ///< [B,H] F32; null: zero
    const std::int32_t* lengths = nullptr; ///< [B], each in [0,T]; null: all T
    void* y = nullptr;                     ///< [T,B,H] with rows rowY() apart; overwritten
    float* c = nullptr;                    ///< [T,B,H] F32; overwritten, kept for backward
    void* gates = nullptr; ///< [T,B,4H] after activation; overwritten, kept for backward
    void* hN = nullptr;    ///< [B,H]; may be null
    float* cN = nullptr;   ///< [B,H] F32; may be null
};

/// Arguments of LstmPlan::backward; what forward also has is as there.
struct LstmBackward {
    const void* x = nullptr;
    const void* wx = nullptr;
    const void* wh = nullptr; ///< by packRecurrentBackward()
    const void* h0 = nullptr;
    const float* c0 = nullptr;
    const std::int32_t* lengths = nullptr;
    const void* y = nullptr;
    const float* c = nullptr;
    void* gates = nullptr;      ///< as forward left it; overwritten with the gates' gradients
    const void* dy = nullptr;   ///< as y; null: zero
    const void* dhN = nullptr;  ///< [B,H]; null: zero
    const float* dcN = nullptr; ///< [B,H] F32; null: zero
    void* dx = nullptr;         ///< [T,B,I]; overwritten or, with addToDx, added to; may be null
    float* dwx = nullptr;       ///< [4H,I] F32; overwritten or, with accumulate, added to
    float* dwh = nullptr;       ///< [4H,H] F32, the same
    float* dbx = nullptr;       ///< [4H] F32, the same; may be null
    float* dbh = nullptr;       ///< [4H] F32, the same; may be null
    void* dh0 = nullptr;        ///< [B,H]; overwritten; may be null
    float* dc0 = nullptr;       ///< [B,H] F32; overwritten; may be null
    bool accumulate = false, addToDx = false;
};

namespace kernels::cpu {

/// Created once per shape, then allocation-free; one thread at a time. Any size may be 0. Throws
/// Unsupported, with op, shapes, type and reason, where oneDNN has no fast matrix product.
class LstmPlan
{
public:
    explicit LstmPlan(const LstmParams& p);
    ~LstmPlan();
    LstmPlan(LstmPlan&&) noexcept;
    LstmPlan& operator=(LstmPlan&&) = delete;

    const LstmParams& params() const noexcept;
    /// Bytes of the weights in the layouts that forward and backward want. They depend on B, I, H
    /// and dtype only. 0 for the input weight in F32, which is used as it is.
    std::size_t inputWeightBytes() const;
    std::size_t recurrentWeightBytes() const;
    std::size_t recurrentBackwardWeightBytes() const;
    /// wx [4H,I] and wh [4H,H], F32.
    void packInput(const float* wx, void* packed) const;
    void packRecurrent(const float* wh, void* packed, void* workspace) const;
    void packRecurrentBackward(const float* wh, void* packed, void* workspace) const;
    /// Scratch of every call, 64-byte aligned.
    std::size_t workspaceBytes() const;

    void forward(const LstmForward& a, void* workspace) const;
    void backward(const LstmBackward& a, void* workspace) const;
    /// Names of the chosen matrix products.
    std::string implementations() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace kernels::cpu
} // namespace scalebench
