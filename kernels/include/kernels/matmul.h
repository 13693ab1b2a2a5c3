// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Matrix products, single or batched, on strided views:
//   C[o,i] = act(A[o,i] B[o,i] + bias)        (accumulate: C[o,i] += A[o,i] B[o,i])
// for every outer batch o and inner batch i; A is M x K, B K x N, C M x N, bias F32 [N] added to
// every row. A and B have one element type, F32 or BF16; C is F32 or BF16; sums are made in fp32.
// Two batch axes let heads be read in place from [B,S,H,D]: outer B, inner H, lda = H*D.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/activation.h"
#include "kernels/types.h"
#include "kernels/weight_layout.h"

namespace scalebench {

/// Elements from one batch to the next; 0 where all batches share the matrix (not for C).
struct BatchStride {
    std::int64_t outer = 0, inner = 0;
    auto operator<=>(const BatchStride&) const = default;
};

struct MatmulParams {
    std::int64_t M = 1, N = 1, K = 1;
    std::int64_t outerBatch = 1, innerBatch = 1;
    bool transA = false; ///< A is stored [K,M]
    bool transB = false; ///< B is stored [N,K]
    /// Elements from one stored row to the next; 0: dense (the stored row's length).
    std::int64_t lda = 0, ldb = 0, ldc = 0;
    BatchStride strideA, strideB, strideC; ///< ignored on a batch axis of size 1
    DType inputType = DType::F32, outputType = DType::F32;
    bool bias = false;
    Activation activation = Activation::None;
    bool accumulate = false; ///< C += A B; without bias and activation
    /// B is a weight in the library's own layout, made by MatmulPlan::packB(); batches of 1 only.
    bool packedB = false;

    auto operator<=>(const MatmulParams&) const = default;
    /// "matmul A=bf16[512,1024] B=bf16[1024,4096]^T C=bf16 bias gelu".
    std::string describe() const;
};

/// Throws InvalidArgument for sizes and strides that cannot be.
void validate(const MatmulParams& p);

namespace kernels::cpu {

/// A prepared product: creating it chooses an implementation (0.3 ms), using it allocates nothing.
/// One thread at a time. Sizes may be 0: nothing is done, or for K = 0 C = act(bias). Creation
/// throws Unsupported, with op, shapes, types and reason, where oneDNN has no fast implementation.
class MatmulPlan
{
public:
    /// mayBeOwn false: oneDNN's product, for callers that measured it to be the faster one.
    explicit MatmulPlan(const MatmulParams& p, bool mayBeOwn = true);
    ~MatmulPlan();
    MatmulPlan(MatmulPlan&&) noexcept;
    MatmulPlan& operator=(MatmulPlan&&) = delete;

    const MatmulParams& params() const noexcept;
    /// Bytes of a packed B (packedB only).
    std::size_t packedBytes() const;
    /// Of the packed B; plans of one number differ in no more than rows, bias and activation.
    WeightLayout packedLayout() const;
    /// Scratch of run() and packB(), 64-byte aligned.
    std::size_t workspaceBytes() const;
    /// Converts a weight, F32 and stored as p.transB and p.ldb say, into `packed`; overwritten.
    void packB(const float* b, void* packed, void* workspace) const;
    /// C overwritten, or added to (p.accumulate). b: the packed weight where p.packedB. bias: F32
    /// [N], not null when p.bias, ignored else. C overlaps no input.
    void run(const void* a, const void* b, const float* bias, void* c, void* workspace) const;
    /// Whether a product is one of our own, not oneDNN's.
    static bool isOwn(const MatmulParams& p);
    /// Name of the chosen implementation.
    std::string implementation() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace kernels::cpu
} // namespace scalebench
