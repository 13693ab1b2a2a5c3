// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Copies from device to shared memory that run beside the arithmetic (PTX ISA, cp.async; compute
// capability 8.0, older devices trap). Copies of a thread form groups; data is there when the group
// has been waited for, for other threads after a barrier behind that. Where nvcc does not compile,
// a copy happens when it is waited for and no earlier, so that a missing wait shows.

#include <cuda_runtime.h>

#include <cstring>

#if !defined(__CUDACC__)
#include <deque>
#include <vector>
#endif

namespace scalebench::kernels::cuda {

#if !defined(__CUDACC__)
namespace async_emulation {

struct Copy {
    void* to;
    const void* from; ///< null: zeros
};
struct Queue {
    std::vector<Copy> open;
    std::deque<std::vector<Copy>> groups;
};
inline Queue queues[1024];

inline Queue& queue()
{
    return queues[emulation::linearThread()];
}

} // namespace async_emulation
#endif

/// 16 bytes, both addresses aligned to them; zeros, and nothing is read, unless `valid`.
__device__ __forceinline__ void copyAsync16(void* shared, const void* global, bool valid)
{
#if !defined(__CUDACC__)
    async_emulation::queue().open.push_back({shared, valid ? global : nullptr});
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto to = unsigned(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global),
                 "r"(valid ? 16 : 0)
                 : "memory");
#else
    __trap();
#endif
}

/// Ends the group of the copies since the last call.
__device__ __forceinline__ void endCopyGroup()
{
#if !defined(__CUDACC__)
    async_emulation::Queue& q = async_emulation::queue();
    q.groups.push_back(std::move(q.open));
    q.open.clear();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until at most the latest `Pending` groups are unfinished.
template <int Pending>
__device__ __forceinline__ void waitForCopies()
{
#if !defined(__CUDACC__)
    async_emulation::Queue& q = async_emulation::queue();
    for (; q.groups.size() > Pending; q.groups.pop_front())
        for (const async_emulation::Copy& c : q.groups.front()) {
            if (c.from)
                std::memcpy(c.to, c.from, 16);
            else
                std::memset(c.to, 0, 16);
        }
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#endif
}

} // namespace scalebench::kernels::cuda
