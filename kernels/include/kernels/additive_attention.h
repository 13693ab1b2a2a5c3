// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Additive attention (Bahdanau et al. 2014, arXiv 1409.0473) of every query over the keys of its
// sequence, time-major:
//   score[b,t,s] = w . tanh(q[t,b] + k[s,b] + bias),  p = softmax over s < lengths[b],
//   context[t,b] = sum over s of p[b,t,s] value[s,b].
// w is v, or with `normalised` scale * v / |v| (GNMT, as Salimans and Kingma 2016, arXiv
// 1602.07868). The projections q = Wq query, k = Wk key are the caller's. tanh is computed again in
// backward: nothing of size Tq Tk A is kept, only p.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/types.h"

namespace scalebench {

struct AdditiveAttentionParams {
    std::int64_t B = 1, Tq = 1, Tk = 1; ///< sequences, queries, keys of each
    std::int64_t A = 1, V = 1;          ///< size of q, k, v; size of value and context
    bool normalised = true;
    DType dtype = DType::F32; ///< F32 or BF16: q, k, value, p, context and their gradients

    auto operator<=>(const AdditiveAttentionParams&) const = default;
    /// "additive attention q=bf16[25,32,1024] k=[30,32,1024] value=[30,32,1024]".
    std::string describe() const;
};

/// Arguments that forward and backward share. Row-major.
struct AdditiveAttentionInputs {
    const void* q = nullptr;               ///< [Tq,B,A]
    const void* k = nullptr;               ///< [Tk,B,A]
    const void* value = nullptr;           ///< [Tk,B,V]
    const float* v = nullptr;              ///< [A]
    const float* scale = nullptr;          ///< [1]; normalised only
    const float* bias = nullptr;           ///< [A]; may be null
    const std::int32_t* lengths = nullptr; ///< [B] in [0,Tk]; null: all Tk. 0: context is zero
};

/// Overwritten, but v, scale and bias added to with accumulate. Any but dq may be null.
struct AdditiveAttentionGradients {
    void* dq = nullptr;     ///< as q
    void* dk = nullptr;     ///< as k
    void* dvalue = nullptr; ///< as value
    float* dv = nullptr;
    float* dscale = nullptr;
    float* dbias = nullptr;
    bool accumulate = false;
};

namespace kernels::cpu {

/// Created once per shape, then allocation-free; one thread at a time. Any size may be 0. Throws
/// Unsupported where oneDNN has no fast matrix product.
class AdditiveAttentionPlan
{
public:
    explicit AdditiveAttentionPlan(const AdditiveAttentionParams& p);
    ~AdditiveAttentionPlan();
    AdditiveAttentionPlan(AdditiveAttentionPlan&&) noexcept;
    AdditiveAttentionPlan& operator=(AdditiveAttentionPlan&&) = delete;

    /// Scratch of both calls, 64-byte aligned.
    std::size_t workspaceBytes() const;
    /// p [B,Tq,Tk] and context [Tq,B,V] are overwritten; p is kept for backward.
    void forward(const AdditiveAttentionInputs& in, void* p, void* context, void* workspace) const;
    void backward(const AdditiveAttentionInputs& in, const void* p, const void* dcontext,
                  const AdditiveAttentionGradients& out, void* workspace) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace kernels::cpu
} // namespace scalebench
