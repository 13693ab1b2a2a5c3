// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How kernels are started. `<<<...>>>` is not C++: this one function hides it, so that a .cu file
// also compiles with the host compiler against tests/support/cuda_emulation.

#include "kernels/check.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/language.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

namespace scalebench::kernels::cuda {

struct Grid {
    dim3 blocks{1, 1, 1};
    dim3 threads{256, 1, 1};
    std::size_t sharedBytes = 0; ///< dynamic
};

/// Blocks of `threads` for a loop over n elements with stride gridDim.x * blockDim.x (a grid-stride
/// loop), `perThread` elements each; never more than fill the device some times over.
inline Grid gridFor(std::int64_t n, int threads = 256, std::int64_t perThread = 1)
{
    const std::int64_t work = threads * std::max<std::int64_t>(perThread, 1);
    const std::int64_t blocks = std::clamp<std::int64_t>((n + work - 1) / work, 1, 132 * 16);
    return {dim3(unsigned(blocks)), dim3(unsigned(threads)), 0};
}

#if defined(SB_DEVICE_CODE)
/// Asynchronous on `stream`. Errors of the launch itself throw (with `name`); those of the kernel
/// show at a later call.
template <class... P, class... A>
void launch(const char* name, cudaStream_t stream, const Grid& grid, void (*kernel)(P...),
            const A&... args)
{
    static_assert(sizeof...(P) == sizeof...(A));
#if defined(__CUDACC__)
    if (grid.sharedBytes > 48 * 1024)
        check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   int(grid.sharedBytes)),
              name);
    kernel<<<grid.blocks, grid.threads, grid.sharedBytes, stream>>>(static_cast<P>(args)...);
    check(cudaPeekAtLastError(), name);
#else
    emulation::launchKernel(name, stream, grid.blocks, grid.threads, grid.sharedBytes,
                            [=] { kernel(static_cast<P>(args)...); });
#endif
}
#endif

} // namespace scalebench::kernels::cuda

/// Dynamic shared memory of the running block, as an array of `type` called `name`.
#if defined(__CUDACC__)
#define SB_DYNAMIC_SHARED(type, name)                                                              \
    extern __shared__ __align__(16) unsigned char sbDynamicShared[];                               \
    type* const name = reinterpret_cast<type*>(sbDynamicShared)
#else
#define SB_DYNAMIC_SHARED(type, name)                                                              \
    type* const name = static_cast<type*>(::scalebench::emulation::dynamicShared())
#endif
