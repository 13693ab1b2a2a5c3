// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the op families of the CUDA backend share: one device and its compute stream, memory,
// scratch, packed weights, transfers, the profile and the checks of arguments.
//
// Everything is issued on stream() and nothing waits, but download() and what says so. Pointers of
// tensors are device addresses: the host may pass them on, never follow them.

#include <cuda_runtime_api.h>

#include "engine/backend/backend.h"
#include "engine/backend/cuda/device_allocator.h"
#include "engine/backend/cuda/host_read.h"
#include "engine/backend/cuda/staging.h"
#include "engine/backend/tensor_checks.h"
#include "kernels/check.h"
#include "kernels/cuda/bad_index.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace scalebench::cuda_backend {

using kernels::cuda::BadIndex;

/// What kernels and plans are chosen by.
struct DeviceFacts {
    int number = 0;
    std::string name;
    int major = 0, minor = 0; ///< compute capability
    int multiprocessors = 1;
    std::size_t memoryBytes = 0;
    std::size_t sharedBytesPerBlock = 0; ///< with opt-in
};

class CudaContext
{
public:
    /// Device `number` of those that this process sees. DeviceError where it cannot be used.
    explicit CudaContext(int number);
    ~CudaContext();
    CudaContext(const CudaContext&) = delete;
    CudaContext& operator=(const CudaContext&) = delete;

    /// Makes the device that of the calling thread.
    void enterThread() const;

    const DeviceFacts& device() const { return device_; }
    cudaStream_t stream() const { return stream_; }
    /// Issues a kernel on the stream; families that are the same on every device call theirs so.
    template <class Kernel, class... Arguments>
    void launch(Kernel kernel, const Arguments&... arguments)
    {
        kernel(arguments..., stream_);
    }
    DeviceAllocator& allocator() { return *allocator_; }

    Tensor make(Shape shape, DType dtype)
    {
        return Tensor::empty(std::move(shape), dtype, *allocator_);
    }
    /// A copy of a small host array in device memory, as bytes: tables that a kernel reads.
    Tensor makeTable(const void* host, std::size_t bytes);
    template <class T>
    Tensor makeTable(std::span<const T> host)
    {
        return makeTable(host.data(), host.size_bytes());
    }

    /// Scratch for kernels issued until the next call, which may move it.
    void* workspace(std::size_t bytes);
    /// While a graph is recorded: it gets scratch of its own, and uploads are refused, because a
    /// replay would read what the staging buffers hold then.
    void setRecording(bool on);

    /// The weight in a plan's layout, packed again only when its version changed. `plan`: the
    /// address that stands for the layout. pack(const float* weight, void* packed) issues it.
    template <class Pack>
    const void* packedWeight(const WeightRef& weight, const void* plan, std::size_t bytes,
                             Pack&& pack)
    {
        PackedWeight& entry = packed_[{weight.value.data(), plan}];
        if (!entry.data.defined() || entry.data.bytes() < bytes)
            entry = {0, make({std::int64_t(bytes)}, DType::U8)};
        if (entry.version != weight.version) {
            pack(static_cast<const float*>(weight.value.data()), entry.data.data());
            entry.version = weight.version;
        }
        return entry.data.data();
    }

    /// `host` may be changed or freed as soon as the call returns.
    void upload(const void* host, void* device, std::size_t bytes);
    /// Waits for everything issued before; then throws what went wrong on the device.
    void download(const void* device, void* host, std::size_t bytes);
    /// As download() of at most HostRead::kBytes, in two parts: the copy is issued and nobody
    /// waits; finishRead() waits for it, and for nothing that was issued later.
    std::shared_ptr<HostRead> startRead(const void* device, std::size_t bytes);
    void finishRead(HostRead& read, void* host, std::size_t bytes);
    void copy(const void* from, void* to, std::size_t bytes);
    void clear(void* device, std::size_t bytes);
    void synchronize();

    /// For a kernel that checks ids: the first one out of range is told as InvalidArgument by the
    /// next download(), finishRead() or synchronize(): "<op>: id 17 at position 3 is outside
    /// [0,10)".
    BadIndex badIndex(const char* op);

    /// Plans of vendor libraries by a timed search over their candidates (tuning.h), remembered
    /// (plan_memory.h), instead of by their heuristics alone.
    void setAutotune(bool on) { autotune_ = on; }
    bool autotune() const { return autotune_; }
    /// Backend::setShapesRepeat().
    void setShapesRepeat(bool repeat) { shapesRepeat_ = repeat; }
    bool shapesRepeat() const { return shapesRepeat_; }

    void setProfiling(bool on);
    std::vector<OpTime> profile();

    /// A range of the profilers' time line (NVTX) and, while profiling, the time of the op it is a
    /// local variable of, between events on the stream.
    class Timer
    {
    public:
        Timer(CudaContext& context, const char* op);
        ~Timer();
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;
        /// Not counted here: there is no measured peak of a GPU to hold it against.
        void work(double, double) const {}

    private:
        CudaContext& context_;
        const char* op_;
        cudaEvent_t start_ = nullptr;
    };

    /// The same error, with the device and the last op: kernels fail after their launch, so that
    /// only the order of issue hints at the one that did.
    DeviceError explained(const DeviceError& error) const;

private:
    struct PackedWeight {
        std::uint64_t version = 0;
        Tensor data;
    };
    struct TimedOp {
        const char* op;
        cudaEvent_t start, stop;
    };
    void fetchBadIndex(kernels::cuda::BadIndexNote* note);
    void throwBadIndex(const kernels::cuda::BadIndexNote& note);
    /// Runs something that waits for the device; an error of the device names it and the last op.
    template <class F>
    void waiting(F&& wait);
    void collectTimes();

    DeviceFacts device_;
    cudaStream_t stream_ = nullptr;
    std::unique_ptr<DeviceAllocator> allocator_;
    std::unique_ptr<Staging> staging_;
    Tensor workspace_, outerWorkspace_; ///< outer: of the work beside a record
    bool recording_ = false;
    std::map<std::pair<const void*, const void*>, PackedWeight> packed_;
    std::vector<std::string> badIndexOps_;
    Tensor badIndex_;
    kernels::cuda::BadIndexNote* fetched_ = nullptr; ///< pinned: badIndex_ as of the last wait
    HostReads reads_;
    const char* lastOp_ = nullptr; ///< of those that have a timer
    bool autotune_ = false, shapesRepeat_ = false;
    bool profiling_ = false;
    std::vector<TimedOp> timed_;
    std::map<std::string, std::pair<double, std::int64_t>> times_;
};

/// Unsupported unless f32, bf16 or f16; InvalidArgument unless defined with `rank` axes (0: any)
/// and in device memory.
void requireActivation(const char* op, const Tensor& t, std::size_t rank);

} // namespace scalebench::cuda_backend
