// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SB_DEVICE_CODE: the compiler (nvcc, or a host compiler with the emulation) understands device
// code. Headers that host code includes for their declarations leave the rest out elsewhere.

#include <cuda_runtime.h>

#if defined(__CUDACC__) || defined(SB_CUDA_EMULATION)
#define SB_DEVICE_CODE 1
#endif
