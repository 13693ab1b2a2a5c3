// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The workers of a run as one group: who they are, and the few collectives training needs.
// Every call of a collective must be made by all workers in the same order. Calls block. Failures
// throw CommError. Implementations: self (one worker, no MPI) and mpi.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scalebench::dist {

/// How gradients are summed on the CPU.
enum class AllReduceKind {
    Auto,         ///< shared memory inside a node, MPI between nodes
    SharedMemory, ///< as Auto; fails where a node cannot share memory
    Mpi           ///< MPI_Allreduce for everything
};

/// "auto", "shm", "mpi"; InvalidArgument (`usage`) otherwise.
AllReduceKind parseAllReduceKind(const std::string& name);

/// A float array, one per worker, that the group sums in place. The memory belongs to this object.
class ReductionArena
{
public:
    virtual ~ReductionArena() = default;
    /// This worker's array, 64-byte aligned, zeroed at first.
    virtual std::span<float> local() = 0;
    /// Replaces [offset, offset + count) on every worker by the sum over all workers, which is the
    /// same bit for bit everywhere. Collective; one thread at a time.
    virtual void allReduce(size_t offset, size_t count) = 0;
    /// "shm", "shm+mpi", "mpi" or "self".
    virtual const char* method() const = 0;
};

class Communicator
{
public:
    virtual ~Communicator() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual int localRank() const = 0; ///< among the workers of this node
    virtual int localSize() const = 0;
    virtual int node() const = 0; ///< number of this node, by its lowest rank
    virtual int nodes() const = 0;
    virtual const std::string& hostName() const = 0;
    /// Library and version, e.g. "Open MPI 4.1.4".
    virtual std::string describe() const = 0;

    /// Sums over all workers, in place; the result is the same bit for bit on every worker.
    virtual void allReduceSum(std::span<double> values) = 0;
    virtual void allReduceSum(std::span<float> values) = 0;
    /// `bytes` of `root` to all; the sizes must agree.
    virtual void broadcast(std::span<std::byte> bytes, int root) = 0;
    /// Everybody's text, by rank. Lengths may differ.
    virtual std::vector<std::string> allGather(std::string_view text) = 0;
    virtual void barrier() = 0;
    /// Collective. `floats` per worker.
    virtual std::unique_ptr<ReductionArena> makeArena(size_t floats, AllReduceKind kind) = 0;
    /// Ends all workers of the run at once with this exit code. Does not return.
    [[noreturn]] virtual void abort(int exitCode) = 0;
};

/// A group of one, without MPI.
std::unique_ptr<Communicator> makeSelfCommunicator();

} // namespace scalebench::dist
