// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs our CUDA code on the host, to prove it where no GPU is: blocks one after the other, the
// threads of a block as fibres that are switched at barriers and warp operations.
//
// Found here: wrong indices (device memory lies in an arena of its own with address-sanitizer
// borders), missing barriers (a thread runs up to the next barrier alone, in either order, see
// setOrder()), barriers that not all threads reach, shuffles from lanes that do not take part,
// shared memory read before it is written (filled with NaN), host code that touches device memory
// (unreadable outside kernels and copies), work that is not ordered by streams and events (streams
// are lazy: what nobody waits for does not happen), captures that do what a capture may not.
// Not found: races inside a warp between barriers, memory coalescing, occupancy, speed, rounding of
// the hardware's fast functions, tensor-core instructions (mma.h says which of ours are replaced).
//
// One host thread at a time may use it; others may ask for events and NCCL's state, and abort.

#include <driver_types.h>
#include <vector_types.h>

#include <cstddef>
#include <functional>

namespace scalebench::emulation {

// ---- For tests

enum class Order { Forward, Reverse };
/// In which order the blocks of a grid, the threads of a block between barriers, and the branches
/// of a graph run.
void setOrder(Order order);
Order order();
/// Kernels started since the beginning.
long kernelsRun();
/// Kernels launched, or put into a graph, since the beginning: a replay launches none.
long kernelsIssued();
/// Device memory in use, in bytes, and the size that cudaMalloc gives at most (default 4 GiB).
std::size_t deviceBytes();
void setDeviceMemory(std::size_t bytes);
/// The next `count` kernels succeed, then one fails with this sticky error.
void failAfter(long count, cudaError_t error);
/// The next capture cannot be made a graph.
void failNextGraph();
/// Clears a sticky error, which a real process cannot.
void clearErrors();

/// What goes wrong in NCCL's stand-in. Collectives are counted from the next one, 0.
struct NcclFaults {
    /// A call on a non-blocking communicator is "in progress" for so many questions; only then is
    /// its work issued.
    int inProgress = 3;
    long errorAt = -1; ///< this collective breaks the communicator, told asynchronously
    long hangAt = -1;  ///< this one ends when the communicator is aborted
    long blockAt = -1; ///< the call of this one returns then (blocking communicators)
};
void setNcclFaults(const NcclFaults& faults);
/// Communicators aborted since the beginning.
long ncclAborts();

// ---- For stand-ins of vendor libraries

/// Does `work` when the stream gets there, as a kernel would: device memory is accessible to it.
void enqueue(const char* name, cudaStream_t stream, std::function<void()> work);

// ---- For launch.h and cuda_runtime.h

void launchKernel(const char* name, cudaStream_t stream, dim3 grid, dim3 block,
                  std::size_t sharedBytes, std::function<void()> thread);

struct Thread {
    uint3 threadIndex, blockIndex;
    dim3 blockSize, gridSize;
};
const Thread& thread();
/// Number of the running thread in its block.
int linearThread();
void* dynamicShared();
void blockBarrier();
bool blockOr(bool predicate);
/// Waits for the lanes of `mask`; each brings `bytes` bytes (at most 8) and takes those of lane
/// `source`.
void warpExchange(unsigned mask, const void* mine, std::size_t bytes, int source, void* result);
unsigned warpBallot(unsigned mask, bool predicate);
[[noreturn]] void trap();

// ---- Between the parts of the emulation

/// Runs a grid now. Throws std::runtime_error where a GPU would hang or fault.
void runGrid(dim3 grid, dim3 block, std::size_t sharedBytes, const std::function<void()>& thread);

/// Device memory is accessible to the host while one exists.
class DeviceAccess
{
public:
    DeviceAccess();
    ~DeviceAccess();
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;
};
bool isDeviceAddress(const void* p);
bool isPinned(const void* p);

} // namespace scalebench::emulation
