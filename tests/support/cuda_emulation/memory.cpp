// SPDX-License-Identifier: GPL-3.0-or-later
// Device and pinned memory of the emulation. Device memory is an arena of its own that the host may
// not touch outside kernels and copies; every allocation ends in a border for the address
// sanitizer.
#include <cuda_runtime_api.h>

#include "support/cuda_emulation/emulation.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <stdexcept>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace scalebench::emulation {
namespace {

constexpr std::size_t kArena = std::size_t(64) << 30, kAlign = 512, kPage = 4096;
constexpr std::size_t kLargePage = std::size_t(2) << 20;

struct Device {
    char* base = nullptr;
    std::size_t top = 0;   ///< end of what is in use
    std::size_t open = 0;  ///< end of what the host may touch, while it may
    std::size_t inUse = 0; ///< asked for
    std::size_t limit = std::size_t(4) << 30;
    std::map<std::size_t, std::size_t> blocks; ///< offset, size
    std::map<std::size_t, std::size_t> room;   ///< freed: offset, length with border
    std::map<const char*, std::size_t> pinned;
    int accesses = 0;

    Device()
    {
        void* p = mmap(nullptr, kArena + kLargePage, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            throw std::runtime_error("CUDA emulation: no address space for device memory");
        base = static_cast<char*>(p);
        base += (kLargePage - reinterpret_cast<std::uintptr_t>(p) % kLargePage) % kLargePage;
        (void)madvise(base, kArena, MADV_HUGEPAGE); // not every system has them
    }
};

Device& device()
{
    static Device d;
    return d;
}

std::size_t footprint(std::size_t bytes)
{
    return (bytes + kAlign - 1) / kAlign * kAlign + kAlign;
}

/// The system walks through all pages for it, so the arena is kept as small as it can be
/// (release()).
void protect(std::size_t end, int rights)
{
    const std::size_t used = (end + kPage - 1) / kPage * kPage;
    if (used > 0)
        (void)mprotect(device().base, used, rights);
}

void openArena()
{
    Device& d = device();
    d.open = std::max(d.open, d.top);
    protect(d.open, PROT_READ | PROT_WRITE);
}

void closeArena()
{
    protect(device().open, PROT_NONE);
    device().open = 0;
}

/// Freed room joins its neighbours; at the end it is the end no more.
void release(std::size_t at, std::size_t length)
{
    Device& d = device();
    auto next = d.room.lower_bound(at);
    if (next != d.room.end() && next->first == at + length) {
        length += next->second;
        next = d.room.erase(next);
    }
    if (next != d.room.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == at) {
            at = before->first;
            length += before->second;
            d.room.erase(before);
        }
    }
    if (at + length == d.top)
        d.top = at;
    else
        d.room[at] = length;
}

} // namespace

DeviceAccess::DeviceAccess()
{
    if (device().accesses++ == 0)
        openArena();
}

DeviceAccess::~DeviceAccess()
{
    if (--device().accesses == 0)
        closeArena();
}

bool isDeviceAddress(const void* p)
{
    const char* at = static_cast<const char*>(p);
    return at >= device().base && at < device().base + kArena;
}

bool isPinned(const void* p)
{
    const char* at = static_cast<const char*>(p);
    auto it = device().pinned.upper_bound(at);
    if (it == device().pinned.begin())
        return false;
    --it;
    return at < it->first + it->second;
}

std::size_t deviceBytes()
{
    return device().inUse;
}

void setDeviceMemory(std::size_t bytes)
{
    device().limit = bytes;
}

} // namespace scalebench::emulation

using namespace scalebench::emulation;

cudaError_t cudaMalloc(void** result, std::size_t bytes)
{
    Device& d = device();
    if (d.inUse + bytes > d.limit || bytes > kArena)
        return cudaErrorMemoryAllocation;
    const std::size_t need = footprint(bytes);
    std::size_t at = d.top;
    for (auto it = d.room.begin(); it != d.room.end(); ++it)
        if (it->second >= need) {
            at = it->first;
            const std::size_t rest = it->second - need;
            d.room.erase(it);
            if (rest > 0)
                d.room[at + need] = rest;
            break;
        }
    if (at == d.top) {
        if (d.top + need > kArena)
            return cudaErrorMemoryAllocation;
        d.top += need;
    }
    const DeviceAccess access;
    if (at + need == d.top) // new pages: the access above began before they were there
        openArena();
    ASAN_UNPOISON_MEMORY_REGION(d.base + at, need);
    std::memset(d.base + at, 0xff, need); // what nobody wrote is NaN
    ASAN_POISON_MEMORY_REGION(d.base + at + bytes, need - bytes);
    d.blocks[at] = bytes;
    d.inUse += bytes;
    *result = d.base + at;
    return cudaSuccess;
}

cudaError_t cudaFree(void* p)
{
    if (p == nullptr)
        return cudaSuccess;
    if (cudaDeviceSynchronize() != cudaSuccess) // as the real one does
        return cudaErrorLaunchFailure;
    Device& d = device();
    const auto at = std::size_t(static_cast<char*>(p) - d.base);
    const auto it = d.blocks.find(at);
    if (!isDeviceAddress(p) || it == d.blocks.end())
        return cudaErrorInvalidValue;
    const std::size_t need = footprint(it->second);
    ASAN_POISON_MEMORY_REGION(p, need);
    d.inUse -= it->second;
    d.blocks.erase(it);
    release(at, need);
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void** result, std::size_t bytes, unsigned)
{
    *result = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
    if (*result == nullptr)
        return cudaErrorMemoryAllocation;
    device().pinned[static_cast<const char*>(*result)] = bytes;
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void** result, std::size_t bytes)
{
    return cudaHostAlloc(result, bytes, 0);
}

cudaError_t cudaFreeHost(void* p)
{
    if (p != nullptr && device().pinned.erase(static_cast<const char*>(p)) == 0)
        return cudaErrorInvalidValue;
    std::free(p);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    *total = device().limit;
    *free = device().limit - std::min(device().limit, device().inUse);
    return cudaSuccess;
}
