// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What batch_norm.cpp (chunks, shared by threads; their sums) and the loops over one chunk know of
// one another. A chunk is rows of `width` values side by side; what belongs to a channel is `width`
// numbers.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cpu::norm {

/// Up to this width sums stay in registers; it is divided by the widths that rows are folded to.
constexpr std::int64_t kNarrow = 64;

/// How backward finds what the ReLU let through.
enum Mask { kNone, kFromInput, kFromOutput };

/// Operands of backward: as in BatchNormBackward, from the first row of the chunk on.
template <class T>
struct Chunk {
    const T *x, *y, *dy, *dyMore;
    T* dz;
    T* dx;
    std::int64_t rows, width;
};

struct Affine {
    const float *scale, *shift; ///< of forward
};
/// dx = a dz + b x + c.
struct Slopes {
    const float *a, *b, *c;
};

template <class T>
struct Loops {
    /// Sums of x - x[0] and of its square per column, overwritten; shifted so that fp32 keeps the
    /// small differences.
    void (*sums)(const T* x, std::int64_t rows, std::int64_t width, float* sums, float* squares);
    /// y = x scale + shift, + z unless null, and the ReLU of it.
    void (*apply)(const T* x, const T* z, Affine f, T* y, std::int64_t rows, std::int64_t width,
                  bool relu);
    /// Sums of dz and of dz (x - mean), overwritten. dz is written unless null.
    void (*backwardSums)(const Chunk<T>& k, Mask mask, const float* mean, Affine f, float* sums,
                         float* products);
    /// dx; of y and dz nothing is used.
    void (*backwardApply)(const Chunk<T>& k, Mask mask, Affine f, Slopes s);
};

/// The fastest there are for this processor, by the type of what they read.
const Loops<float>& loopsOf(const float*);
const Loops<bf16_t>& loopsOf(const bf16_t*);

/// With AVX512_BF16; null where the processor has no such thing.
const Loops<bf16_t>* bf16Loops();

} // namespace scalebench::kernels::cpu::norm
