// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/nccl/nccl_group.h"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/cuda_context.h"
#include "engine/dist/comm_error.h"
#include "kernels/cuda/check.h"

namespace scalebench::dist {
namespace {

using kernels::cuda::check;
using Clock = std::chrono::steady_clock;

ncclDataType_t typeOf(DType dtype)
{
    switch (dtype) {
    case DType::F32:
        return ncclFloat32;
    case DType::BF16:
        return ncclBfloat16;
    case DType::F16:
        return ncclFloat16;
    case DType::I32:
        return ncclInt32;
    case DType::U8:
        break;
    }
    return ncclUint8;
}

class NcclGroup final : public DeviceGroup
{
public:
    NcclGroup(Backend& backend, Communicator& communicator)
        : context_(cuda_backend::contextOf(backend)),
          communicator_(communicator),
          rank_(communicator.rank()),
          size_(communicator.size())
    {
        connect();
        int least = 0, greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "stream priorities");
        // Buckets go first: whoever waits for them waits everywhere.
        check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest),
              "stream for collectives");
        for (cudaEvent_t* e : {&ready_, &done_})
            check(cudaEventCreateWithFlags(e, cudaEventDisableTiming), "event for collectives");
        if (communicator.timeout() > 0)
            watchdog_ = std::thread([this] { watch(); });
    }

    ~NcclGroup() override
    {
        if (watchdog_.joinable()) {
            {
                const std::lock_guard lock(mutex_);
                stop_ = true;
            }
            wake_.notify_all();
            watchdog_.join();
        }
        // After a failure the others may never come: leave without them.
        if (comm_ != nullptr && !aborted_)
            (void)(healthy() ? ncclCommDestroy(comm_) : ncclCommAbort(comm_));
        for (auto& [from, to] : joins_) {
            (void)cudaEventDestroy(from);
            (void)cudaEventDestroy(to);
        }
        for (cudaEvent_t e : {ready_, done_})
            if (e != nullptr)
                (void)cudaEventDestroy(e);
        if (stream_ != nullptr)
            (void)cudaStreamDestroy(stream_);
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    const char* method() const override { return "nccl"; }

    void allReduceSum(void* data, std::size_t count, DType dtype) override
    {
        issue("all-reduce", [&] {
            return ncclAllReduce(data, data, count, typeOf(dtype), ncclSum, comm_, stream_);
        });
    }
    void reduceSum(void* data, std::size_t count, DType dtype, int root) override
    {
        issue("reduce", [&] {
            return ncclReduce(data, data, count, typeOf(dtype), ncclSum, root, comm_, stream_);
        });
    }
    void reduceScatterSum(const void* input, void* output, std::size_t count, DType dtype) override
    {
        issue("reduce-scatter", [&] {
            return ncclReduceScatter(input, output, count, typeOf(dtype), ncclSum, comm_, stream_);
        });
    }
    void allGather(const void* mine, void* all, std::size_t bytes) override
    {
        issue("all-gather",
              [&] { return ncclAllGather(mine, all, bytes, ncclUint8, comm_, stream_); });
    }
    void allToAll(const void* send, void* receive, std::size_t bytes) override
    {
        begin();
        for (int peer = 0; peer < size_; ++peer) {
            const std::size_t at = std::size_t(peer) * bytes;
            issue("all-to-all", [&] {
                return ncclSend(static_cast<const char*>(send) + at, bytes, ncclUint8, peer, comm_,
                                stream_);
            });
            issue("all-to-all", [&] {
                return ncclRecv(static_cast<char*>(receive) + at, bytes, ncclUint8, peer, comm_,
                                stream_);
            });
        }
        end();
    }
    void broadcast(void* data, std::size_t bytes, int root) override
    {
        issue("broadcast",
              [&] { return ncclBroadcast(data, data, bytes, ncclUint8, root, comm_, stream_); });
    }

    void begin() override
    {
        requireUsable();
        behindBackend();
        require(ncclGroupStart(), "ncclGroupStart");
        grouped_ = true;
    }
    void end() override
    {
        grouped_ = false;
        require(ncclGroupEnd(), "ncclGroupEnd");
        waitUntilEnqueued("ncclGroupEnd");
        pending_ = true;
    }

    void join() override
    {
        requireUsable();
        const bool wait = std::exchange(pending_, false);
        cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
        check(cudaStreamIsCapturing(context_.stream(), &capture), "state of the stream");
        if (wait)
            check(cudaEventRecord(done_, stream_), "end of collectives");
        if (capture != cudaStreamCaptureStatusNone) { // a replay cannot be timed from in here
            if (wait)
                check(cudaStreamWaitEvent(context_.stream(), done_, 0), "waiting for collectives");
            return;
        }
        // Without a wait too (after a replay, which holds it): the watchdog looks at these events.
        cudaEvent_t from = nullptr, to = nullptr;
        check(cudaEventCreate(&from), "event for collectives");
        check(cudaEventCreate(&to), "event for collectives");
        check(cudaEventRecord(from, context_.stream()), "waiting for collectives");
        if (wait)
            check(cudaStreamWaitEvent(context_.stream(), done_, 0), "waiting for collectives");
        check(cudaEventRecord(to, context_.stream()), "waiting for collectives");
        const std::lock_guard lock(mutex_);
        joins_.emplace_back(from, to);
        lastJoin_ = Clock::now();
    }

    double takeExposedMs() override
    {
        requireUsable();
        double sum = 0;
        const std::lock_guard lock(mutex_);
        while (!joins_.empty() && cudaEventQuery(joins_.front().second) == cudaSuccess) {
            float ms = 0;
            auto [from, to] = joins_.front();
            joins_.pop_front();
            if (cudaEventElapsedTime(&ms, from, to) == cudaSuccess)
                sum += double(ms);
            (void)cudaEventDestroy(from);
            (void)cudaEventDestroy(to);
        }
        (void)cudaGetLastError(); // "not ready" is no error
        return sum;
    }

private:
    void connect()
    {
        ncclUniqueId id{};
        if (rank_ == 0)
            require(ncclGetUniqueId(&id), "ncclGetUniqueId");
        communicator_.broadcast(std::as_writable_bytes(std::span(&id, 1)), 0);
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 0; // so that a missing rank shows as a time-out, not as a hang
        require(ncclCommInitRankConfig(&comm_, size_, id, rank_, &config), "ncclCommInitRank");
        waitUntilEnqueued("ncclCommInitRank");
    }

    /// Calls on a non-blocking communicator return before they are through.
    void waitUntilEnqueued(const char* call)
    {
        const double timeout = communicator_.timeout();
        const auto start = Clock::now();
        for (;;) {
            ncclResult_t state = ncclSuccess;
            require(ncclCommGetAsyncError(comm_, &state), call);
            if (state == ncclSuccess)
                return;
            if (state != ncclInProgress)
                require(state, call);
            if (timeout > 0 &&
                std::chrono::duration<double>(Clock::now() - start).count() > timeout)
                throw CollectiveError("collective_timeout",
                                      std::string(call) + " did not end within " +
                                          std::to_string(int(timeout)) +
                                          " s: another worker does not take part, or the network "
                                          "between the GPUs is blocked (NCCL_DEBUG=INFO tells "
                                          "which way NCCL chose).",
                                      -1, "");
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        }
    }

    void require(ncclResult_t result, const char* call) const
    {
        if (result == ncclSuccess || result == ncclInProgress)
            return;
        const char* last = ncclGetLastError(comm_);
        throw CommError(std::string("NCCL on rank ") + std::to_string(rank_) + ": " + call +
                            " failed: " + ncclGetErrorString(result) +
                            (last != nullptr && *last != '\0' ? std::string(". ") + last : ""),
                        "nccl");
    }

    void requireUsable() const
    {
        if (!aborted_)
            return;
        throw CollectiveError("collective_timeout",
                              "An NCCL collective on rank " + std::to_string(rank_) +
                                  " did not end within " +
                                  std::to_string(int(communicator_.timeout())) +
                                  " s and was aborted: another worker hangs, or its GPU failed.",
                              -1, "");
    }

    bool healthy() const
    {
        ncclResult_t state = ncclSuccess;
        return ncclCommGetAsyncError(comm_, &state) == ncclSuccess && state == ncclSuccess;
    }

    /// The next collective starts when the backend's stream has got here.
    void behindBackend()
    {
        check(cudaEventRecord(ready_, context_.stream()), "start of a collective");
        check(cudaStreamWaitEvent(stream_, ready_, 0), "start of a collective");
    }

    template <class F>
    void issue(const char* call, F&& f)
    {
        requireUsable();
        if (!grouped_)
            behindBackend();
        require(f(), call);
        if (grouped_)
            return;
        waitUntilEnqueued(call);
        pending_ = true;
    }

    /// Ends a collective that hangs: the oldest join that is not over is older than the time-out.
    void watch()
    {
        (void)cudaSetDevice(context_.device().number);
        const auto limit = std::chrono::duration<double>(communicator_.timeout());
        std::unique_lock lock(mutex_);
        while (!wake_.wait_for(lock, std::chrono::milliseconds(200), [this] { return stop_; })) {
            ncclResult_t state = ncclSuccess;
            const bool broken = ncclCommGetAsyncError(comm_, &state) != ncclSuccess ||
                                (state != ncclSuccess && state != ncclInProgress);
            const bool hangs = !joins_.empty() && Clock::now() - lastJoin_ > limit &&
                               cudaEventQuery(joins_.back().second) == cudaErrorNotReady;
            if (!broken && !hangs)
                continue;
            aborted_ = true;
            (void)ncclCommAbort(comm_); // kernels that wait end now
            return;
        }
    }

    cuda_backend::CudaContext& context_;
    Communicator& communicator_;
    int rank_, size_;
    ncclComm_t comm_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t ready_ = nullptr, done_ = nullptr;
    bool grouped_ = false, pending_ = false;
    std::atomic<bool> aborted_{false};

    // Shared with the watchdog.
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stop_ = false;
    std::deque<std::pair<cudaEvent_t, cudaEvent_t>> joins_; ///< before and after the wait
    Clock::time_point lastJoin_{};
    std::thread watchdog_;
};

} // namespace

std::unique_ptr<DeviceGroup> makeNcclGroup(Backend& backend, Communicator& communicator)
{
    return std::make_unique<NcclGroup>(backend, communicator);
}

} // namespace scalebench::dist
