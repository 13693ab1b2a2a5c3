// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Element by element operations, casts and the parameter-free shortcut of the CIFAR
// residual networks on a GPU: as kernels/elementwise.h. Pointers are device memory, work is queued
// on `stream`; results repeat bit for bit. Activations are F32, BF16 or F16, arithmetic is fp32.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

#include "kernels/elementwise.h"

namespace scalebench::kernels::cuda {

/// y = x in another type, n elements, rounded to nearest even; to F16: beyond 65504 infinity.
/// Between any two of F32, BF16 and F16.
void cast(DType from, DType to, std::int64_t n, const void* x, void* y, cudaStream_t stream);

/// y = the sum of one or more terms, n elements of one type; rounded after every fourth term. y may
/// be a term.
void sumTerms(DType dtype, std::int64_t n, std::span<const void* const> terms, void* y,
              cudaStream_t stream);

/// y = factor x, n elements. y may be x.
void scale(DType dtype, std::int64_t n, float factor, const void* x, void* y, cudaStream_t stream);

/// x [N,H,W,C] -> y [N,outH,outW,K], overwritten.
void shortcutPadForward(const ShortcutPadParams& p, const void* x, void* y, cudaStream_t stream);
/// dy as y -> dx as x, overwritten (zero where a pixel was skipped).
void shortcutPadBackward(const ShortcutPadParams& p, const void* dy, void* dx, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
