// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/mpi/arenas.h"

#include "engine/dist/comm_error.h"
#include "engine/dist/mpi/node_window.h"

#include <algorithm>
#include <new>
#include <optional>
#include <string>

namespace scalebench::dist {
namespace {

void allReduceInPlace(float* values, size_t count, MPI_Comm comm)
{
    for (size_t at = 0; at < count; at += kMostPerCall)
        SB_CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, values + at,
                                   int(std::min(kMostPerCall, count - at)), MPI_FLOAT, MPI_SUM,
                                   comm));
}

void reduceInPlace(float* values, size_t count, int root, int rank, MPI_Comm comm)
{
    for (size_t at = 0; at < count; at += kMostPerCall) {
        const int n = int(std::min(kMostPerCall, count - at));
        const void* from = rank == root ? MPI_IN_PLACE : static_cast<const void*>(values + at);
        SB_CHECK_MPI(MPI_Reduce(from, values + at, n, MPI_FLOAT, MPI_SUM, root, comm));
    }
}

/// Calls body(rank, part) for every worker whose shard meets the slice.
template <typename Body>
void forOwners(Slice slice, const ShardStarts& shards, Body body)
{
    for (size_t r = 0; r + 1 < shards.size(); ++r) {
        const Slice part{std::max(slice.first, shards[r]), std::min(slice.last, shards[r + 1])};
        if (part.first < part.last)
            body(int(r), part);
    }
}

/// Parameters that another worker has just written are fetched at once where they fit into the
/// caches: many lines at a time, while what reads them later (rows of a table, say) waits for one
/// after the other. NCF, whose step takes 2.4 ms, gains 0.1 to 0.2 where the workers' processors
/// share no cache, and loses nothing where they do.
constexpr size_t kMostFetched = size_t{8} << 20;

void fetch(std::span<const float> values)
{
    constexpr size_t kLine = 16, kStreams = 8;
    const size_t each = values.size() / kLine / kStreams * kLine;
    for (size_t at = 0; at < each; at += kLine)
        for (size_t stream = 0; stream < kStreams; ++stream)
            __builtin_prefetch(values.data() + stream * each + at, 0, 2);
}

class MpiArena : public ReductionArena
{
public:
    explicit MpiArena(ArenaContext context) : context_(std::move(context)) {}
    ~MpiArena() override { context_.release(); }

    void allGather(std::span<float> values, const ShardStarts& shards) override
    {
        context_.communicator.allGather(values, shards);
    }

protected:
    const Topology& topology() const { return context_.topology; }
    Collective collective(CollectiveKind kind, size_t count, int64_t bucket) const
    {
        return {kind, int64_t(count * sizeof(float)), bucket, context_.communicator.step()};
    }
    ArenaContext context_;
};

/// Shared memory inside the node. Between nodes each worker of a node sums its slice with those of
/// the same local rank elsewhere.
class SharedArena final : public MpiArena
{
public:
    SharedArena(ArenaContext context, std::unique_ptr<NodeWindow> window)
        : MpiArena(std::move(context)),
          ownedWindow_(std::move(window)),
          window_(*ownedWindow_),
          peers_(topology().peers.duplicate())
    {
    }
    ~SharedArena() override
    {
        if (context_.broken())
            peers_.abandon();
    }
    SharedArena(const SharedArena&) = delete;
    SharedArena& operator=(const SharedArena&) = delete;
    std::span<float> local() override
    {
        return {window_.segment(window_.rank()), window_.floats()};
    }

    void allReduce(size_t offset, size_t count, int64_t bucket) override
    {
        const Collective what = collective(CollectiveKind::GradientAllReduce, count, bucket);
        CollectiveTimer timer(context_.communicator, what.kind, what.bytes);
        ArrivalGate::Visit visit(context_.gate, what);
        visit.waitForAll();
        timer.arrived();
        const Slice slice = mySlice(offset, count);
        if (topology().nodes == 1) {
            window_.sumToAll(slice);
        } else if (peers_.get() != MPI_COMM_NULL) {
            const int me = window_.rank();
            window_.sumTo(me, slice);
            {
                const Watchdog::Guard guard(context_.watchdog, context_.channel, what);
                allReduceInPlace(window_.segment(me) + slice.first, slice.count(), peers_.get());
            }
            for (int r = 0; r < window_.size(); ++r)
                window_.copy(me, r, slice);
        }
        visit.waitForNode();
    }

    void reduceScatter(size_t offset, size_t count, const ShardStarts& shards,
                       int64_t bucket) override
    {
        const Collective what = collective(CollectiveKind::GradientReduceScatter, count, bucket);
        CollectiveTimer timer(context_.communicator, what.kind, what.bytes);
        ArrivalGate::Visit visit(context_.gate, what);
        visit.waitForAll();
        timer.arrived();
        const Slice slice = mySlice(offset, count);
        if (topology().nodes == 1) {
            forOwners(slice, shards, [&](int rank, Slice part) { window_.sumTo(rank, part); });
        } else if (peers_.get() != MPI_COMM_NULL) {
            window_.sumTo(window_.rank(), slice);
            sendToOwners(slice, shards, what);
        }
        visit.waitForNode();
    }

    /// Each puts its shard where its gradients were; all arrive, and take those of the others.
    void allGather(std::span<float> values, const ShardStarts& shards) override
    {
        if (topology().nodes > 1)
            return MpiArena::allGather(values, shards);
        if (common_ && values.data() == commonFloats())
            return meet(values, shards);
        const Collective what = collective(CollectiveKind::AllGather, values.size(), -1);
        const int me = topology().rank;
        const Slice mine{shards[size_t(me)], shards[size_t(me) + 1]};
        CollectiveTimer timer(context_.communicator, what.kind,
                              int64_t(mine.count() * sizeof(float)));
        ArrivalGate::Visit visit(context_.gate, what);
        window_.put(values.data() + mine.first, mine);
        visit.waitForAll();
        timer.arrived();
        forOwners({0, values.size()}, shards, [&](int rank, Slice part) {
            if (rank != me)
                window_.get(topology().localRankOf[size_t(rank)], part, values.data() + part.first);
        });
        visit.waitForNode();
    }
    std::span<float> commonMemory(size_t floats) override
    {
        if (topology().nodes > 1)
            return {};
        // In one piece; each worker's part, near to it, is about its shard.
        const size_t bytes = floats * sizeof(float), workers = size_t(topology().localSize);
        try {
            common_.emplace(topology().local.get(), (bytes + workers - 1) / workers);
        } catch (const CommError&) { // on every worker
            return {};
        }
        return {commonFloats(), floats};
    }
    const char* method() const override { return topology().nodes == 1 ? "shm" : "shm+mpi"; }

private:
    float* commonFloats() const { return reinterpret_cast<float*>(common_->part(0)); }

    /// All have written their shards of what is theirs in common.
    void meet(std::span<const float> values, const ShardStarts& shards)
    {
        const Collective what = collective(CollectiveKind::AllGather, 0, -1);
        CollectiveTimer timer(context_.communicator, what.kind, what.bytes);
        ArrivalGate::Visit visit(context_.gate, what);
        visit.waitForAll();
        timer.arrived();
        if (values.size_bytes() <= kMostFetched)
            forOwners({0, values.size()}, shards, [&](int rank, Slice part) {
                if (rank != topology().rank)
                    fetch(values.subspan(part.first, part.count()));
            });
    }

    /// Which part of a range this worker sums.
    Slice mySlice(size_t offset, size_t count) const
    {
        const int parts = topology().leastLocal;
        const int index = topology().localRank;
        return index < parts ? sliceOf(offset, count, index, parts) : Slice{offset, offset};
    }

    /// The slice holds the sums of this node; afterwards each owner has the sum of all nodes.
    void sendToOwners(Slice slice, const ShardStarts& shards, const Collective& what)
    {
        const int me = window_.rank();
        forOwners(slice, shards, [&](int rank, Slice part) {
            const int node = topology().nodeOf[size_t(rank)];
            {
                const Watchdog::Guard guard(context_.watchdog, context_.channel, what);
                reduceInPlace(window_.segment(me) + part.first, part.count(), node, topology().node,
                              peers_.get());
            }
            if (node == topology().node)
                window_.copy(me, topology().localRankOf[size_t(rank)], part);
        });
    }

    std::unique_ptr<NodeWindow> ownedWindow_;
    NodeWindow& window_;
    std::optional<SharedBlock> common_;
    OwnedComm peers_;
};

class PlainArena final : public MpiArena
{
public:
    PlainArena(ArenaContext context, size_t floats)
        : MpiArena(std::move(context)), world_(topology().world.duplicate()), size_(floats)
    {
        data_ = static_cast<float*>(
            ::operator new[](std::max<size_t>(floats, 1) * sizeof(float), std::align_val_t{64}));
        std::fill(data_, data_ + floats, 0.0f);
    }
    ~PlainArena() override
    {
        if (context_.broken())
            world_.abandon();
        ::operator delete[](data_, std::align_val_t{64});
    }
    PlainArena(const PlainArena&) = delete;
    PlainArena& operator=(const PlainArena&) = delete;
    std::span<float> local() override { return {data_, size_}; }

    void allReduce(size_t offset, size_t count, int64_t bucket) override
    {
        const Collective what = collective(CollectiveKind::GradientAllReduce, count, bucket);
        CollectiveTimer timer(context_.communicator, what.kind, what.bytes);
        ArrivalGate::Visit visit(context_.gate, what);
        visit.waitForAll();
        timer.arrived();
        const Watchdog::Guard guard(context_.watchdog, context_.channel, what);
        allReduceInPlace(data_ + offset, count, world_.get());
    }
    void reduceScatter(size_t offset, size_t count, const ShardStarts& shards,
                       int64_t bucket) override
    {
        const Collective what = collective(CollectiveKind::GradientReduceScatter, count, bucket);
        CollectiveTimer timer(context_.communicator, what.kind, what.bytes);
        ArrivalGate::Visit visit(context_.gate, what);
        visit.waitForAll();
        timer.arrived();
        const Watchdog::Guard guard(context_.watchdog, context_.channel, what);
        forOwners({offset, offset + count}, shards, [&](int rank, Slice part) {
            reduceInPlace(data_ + part.first, part.count(), rank, topology().rank, world_.get());
        });
    }
    const char* method() const override { return "mpi"; }

private:
    OwnedComm world_;
    size_t size_;
    float* data_;
};

} // namespace

std::unique_ptr<ReductionArena> makeMpiArena(ArenaContext context, size_t floats,
                                             AllReduceKind kind)
{
    if (kind == AllReduceKind::Mpi)
        return std::make_unique<PlainArena>(std::move(context), floats);
    std::unique_ptr<NodeWindow> window;
    std::string reason = "another node has no shared memory for gradients";
    try {
        window = std::make_unique<NodeWindow>(context.topology.local.get(), floats);
    } catch (const CommError& e) {
        reason = e.what();
    }
    int everywhere = window ? 1 : 0;
    SB_CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN,
                               context.topology.world.get()));
    if (everywhere == 1)
        return std::make_unique<SharedArena>(std::move(context), std::move(window));
    if (kind == AllReduceKind::SharedMemory) {
        context.release();
        throw CommError(reason);
    }
    return std::make_unique<PlainArena>(std::move(context), floats);
}

} // namespace scalebench::dist
