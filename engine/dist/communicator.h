// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The workers of a run as one group: who they are, and the collectives training needs.
//
// Every collective must be called by all workers in the same order, with the sizes given below.
// Calls block until this worker's part is done; buffers belong to the caller and must not overlap
// unless said. Numbers are summed in an order that does not change from call to call. A worker that
// waits longer than the time-out for the others gets CollectiveError, as do all others that still
// can; the group is unusable then: write down what happened and call abort(). Arenas and the
// Communicator may be destroyed before that; they wait for nobody after a failure. MPI's own errors
// are CommError. Memory is host memory here; an implementation for devices takes device pointers
// and says on which stream it works.
//
// Implementations: self (one worker, no MPI) and mpi; tests have one of threads in a process.

#include "engine/dist/collective.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scalebench::dist {

class CollectiveError;

/// How gradients are summed: the first three on the CPU.
enum class AllReduceKind {
    Auto,         ///< shared memory inside a node, MPI between nodes; MPI where a node lacks it
    SharedMemory, ///< as Auto; CommError where a node lacks it
    Mpi,          ///< MPI_Allreduce for everything
    Nccl,         ///< on GPUs, which Auto means there
    Staged        ///< on GPUs through host memory, so that workers may share one
};

/// "auto", "shm", "mpi", "nccl", "staged"; InvalidArgument (`usage`) otherwise.
AllReduceKind parseAllReduceKind(const std::string& name);

/// Where the shard of each worker begins in an array: sorted, size() + 1 entries, from 0 to the
/// length of the array.
using ShardStarts = std::vector<size_t>;

/// `length` elements in `workers` shards of about equal size that begin at multiples of 16 (64-byte
/// lines of floats).
ShardStarts equalShards(size_t length, int workers);

/// A float array, one per worker, that the group sums in place. The memory belongs to this object.
/// Collectives; one thread at a time (another thread than the Communicator's may be the one).
class ReductionArena
{
public:
    virtual ~ReductionArena() = default;
    /// This worker's array, 64-byte aligned, zeroed at first.
    virtual std::span<float> local() = 0;
    /// Replaces [offset, offset + count) on every worker by the sum over all workers, which is the
    /// same bit for bit everywhere. `bucket`: a number for error texts.
    virtual void allReduce(size_t offset, size_t count, int64_t bucket = -1) = 0;
    /// As allReduce, but on each worker only the part of the range in its own shard gets the sum;
    /// the rest of the range is left undefined. Inside one node the same bits as allReduce.
    virtual void reduceScatter(size_t offset, size_t count, const ShardStarts& shards,
                               int64_t bucket = -1) = 0;
    /// "shm", "shm+mpi", "mpi" or "self"; on devices "nccl" or "staged".
    virtual const char* method() const = 0;
    /// Whether local() is a device's memory, which the host must not touch. Collectives are then
    /// ordered behind what was issued on the backend's stream, and may return before they are done.
    virtual bool onDevice() const { return false; }
    /// Each worker's shard of `values` (shards.back() floats, no more than local() has) replaces
    /// the others' copies. Shards may go through local(), whose first shards.back() floats are
    /// undefined afterwards. On a device `values` is in its memory, and the gathering ordered as
    /// the sums.
    virtual void allGather(std::span<float> values, const ShardStarts& shards) = 0;
    /// Collective, once. `floats` floats, zero at first, that are the same memory for all workers;
    /// empty where there is none: between nodes, on devices, without shared memory or not enough of
    /// it. The arena's. allGather() of it moves nothing: it only waits for all.
    virtual std::span<float> commonMemory(size_t /*floats*/) { return {}; }
    /// On a device: what is issued on the backend's stream from now on comes after the collectives
    /// called so far.
    virtual void join() {}
    /// On a device: milliseconds that the backend's stream waited in join(), since the last call.
    virtual double takeExposedMs() { return 0; }
};

class Communicator
{
public:
    Communicator() = default;
    virtual ~Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual int localRank() const = 0; ///< among the workers of this node
    virtual int localSize() const = 0;
    virtual int node() const = 0; ///< number of this node, by its lowest rank
    virtual int nodes() const = 0;
    virtual const std::string& hostName() const = 0;
    /// Library and version, e.g. "Open MPI 4.1.4".
    virtual std::string describe() const = 0;

    virtual void barrier() = 0;
    /// Sums over all workers, in place; the result is the same bit for bit on every worker.
    virtual void allReduceSum(std::span<double> values) = 0;
    virtual void allReduceSum(std::span<float> values) = 0;
    /// input: shards.back() elements, the same shards everywhere. output: the sum of this worker's
    /// shard, shards[rank+1] - shards[rank] elements.
    virtual void reduceScatterSum(std::span<const float> input, const ShardStarts& shards,
                                  std::span<float> output) = 0;
    /// all: everybody's bytes one after the other, by rank; sizes: how many each gives (the same on
    /// every worker, sizes[rank] = mine.size()). `mine` may be its own place in `all`.
    virtual void allGather(std::span<const std::byte> mine, std::span<const size_t> sizes,
                           std::span<std::byte> all) = 0;
    /// send: sendSizes[r] bytes for each worker r, one after the other; receive: receiveSizes[r]
    /// bytes from each, likewise. What r sends to s must be what s receives from r.
    virtual void allToAll(std::span<const std::byte> send, std::span<const size_t> sendSizes,
                          std::span<std::byte> receive, std::span<const size_t> receiveSizes) = 0;
    /// `bytes` of `root` to all; the sizes must agree.
    virtual void broadcast(std::span<std::byte> bytes, int root) = 0;

    /// Collective. `floats` per worker.
    virtual std::unique_ptr<ReductionArena> makeArena(size_t floats, AllReduceKind kind) = 0;

    /// How long a worker waits for the others in any collective without seeing them move; 0: for
    /// ever. Not collective, but should agree. A stopped job does not use it up while it sleeps.
    virtual void setTimeout(double /*seconds*/) {}
    virtual double timeout() const { return 0; }
    /// A label for error texts; -1 outside of steps.
    void setStep(int64_t step) noexcept { step_ = step; }
    int64_t step() const noexcept { return step_; }

    /// Tells all workers that this one cannot go on: their present or next collective throws
    /// CollectiveError with this code and message. For failures that the others cannot learn of
    /// otherwise, because they wait for this worker in another collective. Never throws, waits for
    /// nobody; the first failure counts.
    virtual void fail(const std::string& /*code*/, const std::string& /*message*/) noexcept {}
    /// Called, on a thread of the communicator's own, when a collective is stuck where no exception
    /// can leave it; the job ends when the handler returns. Without one the error goes to stderr.
    virtual void setFatalHandler(std::function<void(const CollectiveError&)> /*handler*/) {}
    /// The worker that should write the closing record after a failure: the lowest one known to be
    /// alive.
    virtual int reporter() const { return 0; }
    /// Ends all workers of the run with this exit code. Does not return. Workers other than the
    /// reporter let it have the first word for a few seconds.
    [[noreturn]] virtual void abort(int exitCode) = 0;

    // ---- On top of the above

    /// Each worker's shard of `values` (shards.back() floats) replaces the others' copies.
    void allGather(std::span<float> values, const ShardStarts& shards);
    /// Everybody's text, by rank. Lengths may differ.
    std::vector<std::string> allGather(std::string_view text);
    /// What this worker spent so far, by kind. Also buckets of the arenas.
    CommStatistics statistics() const;

protected:
    friend class CollectiveTimer;
    void count(CollectiveKind kind, int64_t bytes, double waitMs, double ms);

private:
    std::atomic<int64_t> step_{-1};
    mutable std::mutex statisticsMutex_;
    CommStatistics statistics_{};
};

/// Adds one call to the statistics of a communicator when destroyed.
class CollectiveTimer
{
public:
    CollectiveTimer(Communicator& communicator, CollectiveKind kind, int64_t bytes);
    ~CollectiveTimer();
    CollectiveTimer(const CollectiveTimer&) = delete;
    CollectiveTimer& operator=(const CollectiveTimer&) = delete;
    /// The last worker has arrived.
    void arrived();

private:
    Communicator& communicator_;
    CollectiveKind kind_;
    int64_t bytes_;
    int64_t startNs_;
    int64_t arrivedNs_;
};

/// A group of one, without MPI.
std::unique_ptr<Communicator> makeSelfCommunicator();

} // namespace scalebench::dist
