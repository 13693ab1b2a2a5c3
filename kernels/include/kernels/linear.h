// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Fully connected layer: y[n,o] = act(b[o] + sum over i of x[n,i] w[o,i]). x [N,in] and its
// gradient in `dtype` (F32 or BF16), w [out,in] and b [out] F32, y [N,out] and its gradient in
// `outputType`. Row-major. The products are those of matmul.h.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/activation.h"
#include "kernels/types.h"

namespace scalebench {

struct LinearParams {
    std::int64_t N = 1, in = 1, out = 1;
    DType dtype = DType::F32;      ///< of x, dx and the weight inside the products
    DType outputType = DType::F32; ///< of y, dy and `kept`; F32 where dtype is F32
    Activation activation = Activation::None;
    auto operator<=>(const LinearParams&) const = default;
    std::string describe() const;
};

namespace kernels::cpu {

/// Operands of LinearPlan::backward().
struct LinearBackward {
    const void* x = nullptr;
    const float* w = nullptr;     ///< master weight
    const void* packed = nullptr; ///< made by pack()
    const void* kept = nullptr;   ///< what forward gave for it; may be null without activation
    const void* dy = nullptr;
    void* dx = nullptr;  ///< overwritten; may be null
    float* dw = nullptr; ///< overwritten or added to; may be null
    float* db = nullptr; ///< as dw; may be null
    bool accumulateWeight = false, accumulateBias = false;
};

/// As MatmulPlan: create once, then allocation-free; refuses reference implementations.
class LinearPlan
{
public:
    explicit LinearPlan(const LinearParams& p);
    ~LinearPlan();
    LinearPlan(LinearPlan&&) noexcept;
    LinearPlan& operator=(LinearPlan&&) = delete;

    /// Bytes of the weight in the compute type; 0 where the master weight serves.
    std::size_t packedWeightBytes() const;
    std::size_t workspaceBytes() const;
    void pack(const float* w, void* packed) const;
    /// y overwritten; b may be null. `kept` (as y): what backward wants to know of the activation.
    /// Where keepsInput() it is the activation's input, written when not null; else y serves.
    void forward(const void* x, const float* w, const void* packed, const float* b, void* kept,
                 void* y, void* workspace) const;
    bool keepsInput() const noexcept;
    void backward(const LinearBackward& b, void* workspace) const;
    std::string implementations() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace kernels::cpu
} // namespace scalebench
