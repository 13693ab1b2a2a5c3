// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/nccl/nccl_group.h"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/cuda_context.h"
#include "engine/dist/comm_error.h"
#include "engine/dist/nccl/nccl_comm.h"
#include "kernels/cuda/check.h"

namespace scalebench::dist {
namespace {

using kernels::cuda::check;

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

/// Asks now and then, on a thread of its own, until the answer is yes or the object goes.
class Watchdog
{
public:
    template <class Look>
    explicit Watchdog(Look look)
        : thread_([this, look] {
              std::unique_lock lock(mutex_);
              while (
                  !wake_.wait_for(lock, std::chrono::milliseconds(200), [this] { return stop_; })) {
                  lock.unlock();
                  const bool done = look();
                  lock.lock();
                  if (done)
                      return;
              }
          })
    {
    }
    ~Watchdog()
    {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        wake_.notify_all();
        thread_.join();
    }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

private:
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stop_ = false;
    std::thread thread_;
};

/// The times that the backend's stream waited for collectives, by events before and after the wait.
class JoinTimes
{
public:
    ~JoinTimes()
    {
        for (const Join& join : joins_)
            destroy(join);
    }

    /// `replayed`: the collectives are in a recorded step, before the first event.
    void add(cudaEvent_t from, cudaEvent_t to, bool replayed)
    {
        const std::lock_guard lock(mutex_);
        joins_.push_back({from, to, replayed});
    }

    /// Milliseconds of the waits that are over, which are forgotten.
    double take()
    {
        double sum = 0;
        const std::lock_guard lock(mutex_);
        while (!joins_.empty() && cudaEventQuery(joins_.front().to) == cudaSuccess) {
            float ms = 0;
            if (cudaEventElapsedTime(&ms, joins_.front().from, joins_.front().to) == cudaSuccess)
                sum += double(ms);
            destroy(joins_.front());
            joins_.pop_front();
            waiting_.reset();
        }
        (void)cudaGetLastError(); // "not ready" is no error
        return sum;
    }

    /// Whether the stream has been seen to wait in one place for longer than that. Time before the
    /// wait does not count, except of a recorded step, of which only the whole is seen.
    bool waitsLongerThan(double seconds)
    {
        const std::lock_guard lock(mutex_);
        for (const Join& join : joins_) {
            if (cudaEventQuery(join.to) != cudaErrorNotReady)
                continue;
            if (!join.replayed && cudaEventQuery(join.from) != cudaSuccess)
                break;
            const auto now = std::chrono::steady_clock::now();
            if (!waiting_ || waiting_->first != join.to)
                waiting_.emplace(join.to, now);
            return std::chrono::duration<double>(now - waiting_->second).count() > seconds;
        }
        waiting_.reset();
        return false;
    }

private:
    struct Join {
        cudaEvent_t from, to;
        bool replayed;
    };
    static void destroy(const Join& join)
    {
        (void)cudaEventDestroy(join.from);
        (void)cudaEventDestroy(join.to);
    }

    std::mutex mutex_;
    std::deque<Join> joins_;
    std::optional<std::pair<cudaEvent_t, std::chrono::steady_clock::time_point>> waiting_;
};

ncclUniqueId sharedId(Communicator& communicator)
{
    ncclUniqueId id{};
    ncclResult_t made = ncclSuccess;
    if (communicator.rank() == 0)
        made = ncclGetUniqueId(&id);
    communicator.broadcast(std::as_writable_bytes(std::span(&id, 1)), 0);
    if (made != ncclSuccess)
        throw CommError(std::string("NCCL: ncclGetUniqueId failed: ") + ncclGetErrorString(made),
                        "nccl");
    return id;
}

class NcclGroup final : public DeviceGroup
{
public:
    NcclGroup(Backend& backend, Communicator& communicator)
        : context_(cuda_backend::contextOf(backend)),
          rank_(communicator.rank()),
          size_(communicator.size())
    {
        const double timeout = communicator.timeout();
        comm_.emplace(rank_, size_, sharedId(communicator), timeout);
        int least = 0, greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "stream priorities");
        // Buckets go first: whoever waits for them waits everywhere.
        check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest),
              "stream for collectives");
        for (cudaEvent_t* e : {&ready_, &done_})
            check(cudaEventCreateWithFlags(e, cudaEventDisableTiming), "event for collectives");
        if (timeout > 0)
            watchdog_.emplace([this, timeout] { return endWhatHangs(timeout); });
    }

    ~NcclGroup() override
    {
        watchdog_.reset();
        comm_.reset();
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
        issue("all-reduce", [&](ncclComm_t comm) {
            return ncclAllReduce(data, data, count, typeOf(dtype), ncclSum, comm, stream_);
        });
    }
    void reduceSum(void* data, std::size_t count, DType dtype, int root) override
    {
        issue("reduce", [&](ncclComm_t comm) {
            return ncclReduce(data, data, count, typeOf(dtype), ncclSum, root, comm, stream_);
        });
    }
    void reduceScatterSum(const void* input, void* output, std::size_t count, DType dtype) override
    {
        issue("reduce-scatter", [&](ncclComm_t comm) {
            return ncclReduceScatter(input, output, count, typeOf(dtype), ncclSum, comm, stream_);
        });
    }
    void allGather(const void* mine, void* all, std::size_t bytes) override
    {
        issue("all-gather", [&](ncclComm_t comm) {
            return ncclAllGather(mine, all, bytes, ncclUint8, comm, stream_);
        });
    }
    void allToAll(const void* send, std::span<const std::size_t> sendSizes, void* receive,
                  std::span<const std::size_t> receiveSizes) override
    {
        begin();
        const auto* from = static_cast<const char*>(send);
        auto* to = static_cast<char*>(receive);
        for (int peer = 0; peer < size_; ++peer) {
            const std::size_t out = sendSizes[std::size_t(peer)];
            const std::size_t in = receiveSizes[std::size_t(peer)];
            if (out > 0)
                issue("all-to-all", [&](ncclComm_t comm) {
                    return ncclSend(from, out, ncclUint8, peer, comm, stream_);
                });
            if (in > 0)
                issue("all-to-all", [&](ncclComm_t comm) {
                    return ncclRecv(to, in, ncclUint8, peer, comm, stream_);
                });
            from += out;
            to += in;
        }
        end();
    }
    void broadcast(void* data, std::size_t bytes, int root) override
    {
        issue("broadcast", [&](ncclComm_t comm) {
            return ncclBroadcast(data, data, bytes, ncclUint8, root, comm, stream_);
        });
    }

    void begin() override
    {
        comm_->requireUsable();
        behindBackend();
        comm_->call("ncclGroupStart", false, [](ncclComm_t) { return ncclGroupStart(); });
        grouped_ = true;
    }
    void end() override
    {
        grouped_ = false;
        comm_->call("ncclGroupEnd", true, [](ncclComm_t) { return ncclGroupEnd(); });
        pending_ = true;
    }

    void join() override
    {
        comm_->requireUsable();
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
        joins_.add(from, to, !wait);
    }

    double takeExposedMs() override
    {
        comm_->requireUsable();
        return joins_.take();
    }

private:
    /// The next collective starts when the backend's stream has got here.
    void behindBackend()
    {
        check(cudaEventRecord(ready_, context_.stream()), "start of a collective");
        check(cudaStreamWaitEvent(stream_, ready_, 0), "start of a collective");
    }

    template <class F>
    void issue(const char* name, F&& f)
    {
        comm_->requireUsable();
        if (!grouped_)
            behindBackend();
        comm_->call(name, !grouped_, f);
        if (!grouped_)
            pending_ = true;
    }

    /// On the watchdog's thread. True when there is nothing more to watch.
    bool endWhatHangs(double timeout)
    {
        (void)cudaSetDevice(context_.device().number);
        if (!comm_->broken() && !comm_->callHangs() && !joins_.waitsLongerThan(timeout))
            return false;
        comm_->abort(); // kernels that wait end now
        return true;
    }

    cuda_backend::CudaContext& context_;
    int rank_, size_;
    std::optional<NcclComm> comm_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t ready_ = nullptr, done_ = nullptr;
    bool grouped_ = false, pending_ = false;
    JoinTimes joins_;
    std::optional<Watchdog> watchdog_;
};

} // namespace

std::unique_ptr<DeviceGroup> makeNcclGroup(Backend& backend, Communicator& communicator)
{
    return std::make_unique<NcclGroup>(backend, communicator);
}

} // namespace scalebench::dist
