// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Fully connected layer: y[n,o] = b[o] + sum over i of x[n,i] w[o,i]. x [N,in] in `dtype` (F32 or
// BF16), w [out,in] and b [out] F32, y [N,out] F32 whatever the type of x. Row-major.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/types.h"

namespace scalebench {

struct LinearParams {
    std::int64_t N = 1, in = 1, out = 1;
    DType dtype = DType::F32; ///< of x, dx and the packed weight
    bool operator==(const LinearParams&) const = default;
    std::string describe() const;
};

namespace kernels::cpu {

/// As Conv2dPlan: create once, then allocation-free; refuses reference implementations.
class LinearPlan
{
public:
    explicit LinearPlan(const LinearParams& p);
    ~LinearPlan();
    LinearPlan(LinearPlan&&) noexcept;
    LinearPlan& operator=(LinearPlan&&) = delete;

    std::size_t packedWeightBytes() const; ///< w in the compute type, [out,in]
    std::size_t workspaceBytes() const;
    void pack(const float* w, void* packed) const;
    /// y overwritten; b may be null.
    void forward(const void* x, const void* packed, const float* b, float* y,
                 void* workspace) const;
    /// dy is F32. dx (dtype) overwritten, may be null; dw and db overwritten or added to when
    /// `accumulate`; db may be null.
    void backward(const void* x, const void* packed, const float* dy, void* dx, float* dw,
                  float* db, bool accumulate, void* workspace) const;
    std::string implementations() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace kernels::cpu
} // namespace scalebench
