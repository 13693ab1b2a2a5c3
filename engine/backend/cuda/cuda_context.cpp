// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/cuda_context.h"

#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "kernels/cuda/check.h"

namespace scalebench::cuda_backend {

using kernels::cuda::BadIndexNote;
using kernels::cuda::check;

namespace {

DeviceFacts factsOf(int number)
{
    check(cudaSetDevice(number), "choosing the device");
    cudaDeviceProp p;
    check(cudaGetDeviceProperties(&p, number), "reading the device's properties");
    return {number,
            p.name,
            p.major,
            p.minor,
            p.multiProcessorCount,
            p.totalGlobalMem,
            p.sharedMemPerBlockOptin};
}

} // namespace

CudaContext::CudaContext(int number)
    : device_(factsOf(number)),
      allocator_(std::make_unique<DeviceAllocator>("GPU " + std::to_string(number) + " (" +
                                                   device_.name + ")")),
      staging_(std::make_unique<Staging>())
{
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    void* pinned = nullptr;
    check(cudaMallocHost(&pinned, sizeof(BadIndexNote)), "pinned memory for notes");
    fetched_ = ::new (pinned) BadIndexNote{};
    badIndex_ = make({std::int64_t(sizeof(BadIndexNote))}, DType::U8);
    clear(badIndex_.data(), sizeof(BadIndexNote));
}

CudaContext::~CudaContext()
{
    (void)cudaStreamSynchronize(stream_);
    for (const TimedOp& t : timed_) {
        (void)cudaEventDestroy(t.start);
        (void)cudaEventDestroy(t.stop);
    }
    packed_.clear();
    workspace_ = badIndex_ = Tensor();
    staging_.reset();
    (void)cudaFreeHost(fetched_);
    (void)cudaStreamDestroy(stream_);
}

Tensor CudaContext::makeTable(const void* host, std::size_t bytes)
{
    Tensor t = make({std::int64_t(bytes)}, DType::U8);
    upload(host, t.data(), bytes);
    return t;
}

void* CudaContext::workspace(std::size_t bytes)
{
    if (!workspace_.defined() || workspace_.bytes() < bytes) {
        workspace_ = Tensor(); // give back before asking for more
        workspace_ = make({std::int64_t(bytes)}, DType::U8);
    }
    return workspace_.data();
}

void CudaContext::setRecording(bool on)
{
    if (on)
        outerWorkspace_ = std::exchange(workspace_, Tensor());
    else
        workspace_ = std::exchange(outerWorkspace_, Tensor());
    recording_ = on;
}

void CudaContext::upload(const void* host, void* device, std::size_t bytes)
{
    if (recording_)
        throw DeviceError("data from the host cannot be part of a CUDA graph");
    waiting([&] { staging_->toDevice(host, device, bytes, stream_); });
}

void CudaContext::download(const void* device, void* host, std::size_t bytes)
{
    if (recording_)
        throw DeviceError("a CUDA graph cannot wait for the host");
    waiting([&] {
        fetchBadIndex(fetched_);
        staging_->toHost(device, host, bytes, stream_);
    });
    throwBadIndex(std::exchange(*fetched_, {}));
}

std::shared_ptr<HostRead> CudaContext::startRead(const void* device, std::size_t bytes)
{
    SB_REQUIRE(bytes <= HostRead::kBytes, "startRead: too many bytes");
    if (recording_)
        throw DeviceError("a CUDA graph cannot wait for the host");
    std::shared_ptr<HostRead> read;
    waiting([&] {
        read = reads_.take();
        read->content().note = {};
        fetchBadIndex(&read->content().note);
        check(
            cudaMemcpyAsync(read->content().bytes, device, bytes, cudaMemcpyDeviceToHost, stream_),
            "reading a result");
        check(cudaEventRecord(read->done(), stream_), "reading a result");
    });
    return read;
}

void CudaContext::finishRead(HostRead& read, void* host, std::size_t bytes)
{
    waiting([&] { check(cudaEventSynchronize(read.done()), "waiting for a result"); });
    throwBadIndex(read.content().note);
    std::memcpy(host, read.content().bytes, bytes);
}

void CudaContext::copy(const void* from, void* to, std::size_t bytes)
{
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "copy");
}

void CudaContext::clear(void* device, std::size_t bytes)
{
    check(cudaMemsetAsync(device, 0, bytes, stream_), "clearing memory");
}

void CudaContext::synchronize()
{
    waiting([&] {
        fetchBadIndex(fetched_);
        check(cudaStreamSynchronize(stream_), "waiting for the device");
    });
    throwBadIndex(std::exchange(*fetched_, {}));
}

void CudaContext::enterThread() const
{
    check(cudaSetDevice(device_.number), "choosing the device");
}

DeviceError CudaContext::explained(const DeviceError& error) const
{
    return DeviceError(
        "GPU " + std::to_string(device_.number) + " (" + device_.name + "): " + error.what() +
            (lastOp_ != nullptr ? std::string("; last op issued: ") + lastOp_ : std::string()) +
            ". The device cannot be used any further by this process.",
        error.code());
}

template <class F>
void CudaContext::waiting(F&& wait)
{
    try {
        wait();
    } catch (const DeviceError& e) {
        throw explained(e);
    }
}

BadIndex CudaContext::badIndex(const char* op)
{
    const auto known = std::find(badIndexOps_.begin(), badIndexOps_.end(), op);
    const std::size_t number = std::size_t(known - badIndexOps_.begin());
    if (known == badIndexOps_.end())
        badIndexOps_.emplace_back(op);
    return {static_cast<BadIndexNote*>(badIndex_.data()), number + 1};
}

/// On its way with whatever is waited for next, so that nobody waits twice. `note`: pinned.
void CudaContext::fetchBadIndex(BadIndexNote* note)
{
    if (!badIndexOps_.empty())
        check(
            cudaMemcpyAsync(note, badIndex_.data(), sizeof *note, cudaMemcpyDeviceToHost, stream_),
            "reading notes of bad ids");
}

/// After a wait behind fetchBadIndex().
void CudaContext::throwBadIndex(const BadIndexNote& note)
{
    if (note.op == 0)
        return;
    clear(badIndex_.data(), sizeof(BadIndexNote));
    throw InvalidArgument(badIndexOps_.at(note.op - 1) + ": id " + std::to_string(note.id) +
                          " at position " + std::to_string(note.position) + " is outside [0," +
                          std::to_string(note.bound) + ")");
}

CudaContext::Timer::Timer(CudaContext& context, const char* op) : context_(context), op_(op)
{
    nvtxRangePushA(op);
    context_.lastOp_ = op;
    if (!context_.profiling_)
        return;
    check(cudaEventCreate(&start_), "event of the profile");
    check(cudaEventRecord(start_, context_.stream_), "event of the profile");
}

CudaContext::Timer::~Timer()
{
    nvtxRangePop();
    if (start_ == nullptr)
        return;
    cudaEvent_t stop = nullptr;
    if (cudaEventCreate(&stop) == cudaSuccess &&
        cudaEventRecord(stop, context_.stream_) == cudaSuccess)
        context_.timed_.push_back({op_, start_, stop});
    else
        (void)cudaEventDestroy(start_);
}

void CudaContext::setProfiling(bool on)
{
    collectTimes();
    profiling_ = on;
    times_.clear();
}

void CudaContext::collectTimes()
{
    if (timed_.empty())
        return;
    check(cudaStreamSynchronize(stream_), "waiting for the device");
    for (const TimedOp& t : timed_) {
        float ms = 0;
        check(cudaEventElapsedTime(&ms, t.start, t.stop), "reading the profile");
        auto& entry = times_[t.op];
        entry.first += double(ms);
        entry.second += 1;
        (void)cudaEventDestroy(t.start);
        (void)cudaEventDestroy(t.stop);
    }
    timed_.clear();
}

std::vector<OpTime> CudaContext::profile()
{
    collectTimes();
    std::vector<OpTime> list;
    for (const auto& [op, time] : times_)
        list.push_back({op, time.first, time.second});
    std::sort(list.begin(), list.end(),
              [](const OpTime& a, const OpTime& b) { return a.ms > b.ms; });
    return list;
}

void requireActivation(const char* op, const Tensor& t, std::size_t rank)
{
    SB_REQUIRE(t.defined(), std::string(op) + ": no input");
    if (t.dtype() != DType::F32 && t.dtype() != DType::BF16 && t.dtype() != DType::F16)
        throw Unsupported(std::string(op) + " " + t.describe() +
                          ": the CUDA backend computes in f32, bf16 and f16");
    SB_REQUIRE(t.onDevice() || t.count() == 0,
               std::string(op) + ": " + t.describe() + " is not in the device's memory");
    SB_REQUIRE(rank == 0 || t.shape().size() == rank, std::string(op) + ": " + t.describe() +
                                                          " must have " + std::to_string(rank) +
                                                          " axes");
}

} // namespace scalebench::cuda_backend
