// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Marks of functions that a CPU loop and a CUDA kernel share.
//   SB_HOST_DEVICE    an inline per-element formula, for host and device
//   SB_INLINE         behind the parameters of a lambda, which becomes part of what calls it: by
//                     itself it would be compiled for the oldest processor
//   SB_TARGET_CLONES  compile this loop for three instruction sets and choose at load time (x86
//                     with GNU ifuncs; nothing elsewhere or under a sanitizer, whose runtime is not
//                     ready when ifuncs are resolved). Only on non-template functions.

#if defined(__CUDACC__)
#define SB_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define SB_HOST_DEVICE __attribute__((always_inline)) inline
#endif

#define SB_INLINE __attribute__((always_inline))

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) &&     \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SB_TARGET_CLONES                                                                           \
    __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define SB_TARGET_CLONES
#endif
