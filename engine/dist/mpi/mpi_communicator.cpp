// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/mpi/mpi_communicator.h"

#include "engine/dist/comm_error.h"
#include "engine/dist/mpi/node_window.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <mpi.h>
#include <unistd.h>

namespace scalebench::dist {
namespace {

/// Owns a communicator made by splitting or duplicating.
class OwnedComm
{
public:
    OwnedComm() = default;
    explicit OwnedComm(MPI_Comm comm) : comm_(comm) {}
    OwnedComm(OwnedComm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
    OwnedComm& operator=(OwnedComm&& other) noexcept
    {
        std::swap(comm_, other.comm_);
        return *this;
    }
    ~OwnedComm()
    {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (comm_ != MPI_COMM_NULL && finalized == 0)
            MPI_Comm_free(&comm_);
    }
    MPI_Comm get() const { return comm_; }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// The communicators of one reduction path: its own, so that a communication thread may use it
/// while the main thread uses another.
struct Groups {
    OwnedComm world;   ///< all workers
    OwnedComm local;   ///< the workers of this node
    OwnedComm leaders; ///< local rank 0 of each node; null elsewhere
    int nodes = 1;
};

Groups makeGroups(int ranksPerNode)
{
    Groups groups;
    MPI_Comm world = MPI_COMM_NULL;
    SB_CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    groups.world = OwnedComm(world);
    SB_CHECK_MPI(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    int rank = 0;
    SB_CHECK_MPI(MPI_Comm_rank(world, &rank));
    MPI_Comm local = MPI_COMM_NULL;
    if (ranksPerNode > 0)
        SB_CHECK_MPI(MPI_Comm_split(world, rank / ranksPerNode, rank, &local));
    else
        SB_CHECK_MPI(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &local));
    groups.local = OwnedComm(local);
    int localRank = 0;
    SB_CHECK_MPI(MPI_Comm_rank(local, &localRank));
    MPI_Comm leaders = MPI_COMM_NULL;
    SB_CHECK_MPI(MPI_Comm_split(world, localRank == 0 ? 0 : MPI_UNDEFINED, rank, &leaders));
    groups.leaders = OwnedComm(leaders);
    int nodes = 0;
    if (leaders != MPI_COMM_NULL)
        SB_CHECK_MPI(MPI_Comm_size(leaders, &nodes));
    SB_CHECK_MPI(MPI_Bcast(&nodes, 1, MPI_INT, 0, local));
    groups.nodes = nodes;
    return groups;
}

template <typename T>
void sumInPlace(T* values, size_t count, MPI_Datatype type, MPI_Comm comm)
{
    constexpr size_t kMost = size_t{1} << 28;
    for (size_t at = 0; at < count; at += kMost)
        SB_CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, values + at, int(std::min(kMost, count - at)),
                                   type, MPI_SUM, comm));
}

/// Shared memory inside the node; between nodes the first worker of each sums for all.
class SharedArena final : public ReductionArena
{
public:
    SharedArena(Groups groups, size_t floats)
        : groups_(std::move(groups)), window_(groups_.local.get(), floats)
    {
    }
    std::span<float> local() override
    {
        return {window_.segment(window_.rank()), window_.floats()};
    }
    void allReduce(size_t offset, size_t count) override
    {
        if (groups_.nodes == 1) {
            window_.sumToAll(offset, count);
            return;
        }
        window_.sumToFirst(offset, count);
        if (groups_.leaders.get() != MPI_COMM_NULL)
            sumInPlace(window_.segment(0) + offset, count, MPI_FLOAT, groups_.leaders.get());
        window_.barrier();
        window_.copyFromFirst(offset, count);
        window_.barrier();
    }
    const char* method() const override { return groups_.nodes == 1 ? "shm" : "shm+mpi"; }

private:
    Groups groups_;
    NodeWindow window_;
};

class PlainArena final : public ReductionArena
{
public:
    PlainArena(Groups groups, size_t floats) : groups_(std::move(groups)), size_(floats)
    {
        data_ = static_cast<float*>(
            ::operator new[](std::max<size_t>(floats, 1) * sizeof(float), std::align_val_t{64}));
        std::fill(data_, data_ + floats, 0.0f);
    }
    ~PlainArena() override { ::operator delete[](data_, std::align_val_t{64}); }
    PlainArena(const PlainArena&) = delete;
    PlainArena& operator=(const PlainArena&) = delete;
    std::span<float> local() override { return {data_, size_}; }
    void allReduce(size_t offset, size_t count) override
    {
        sumInPlace(data_ + offset, count, MPI_FLOAT, groups_.world.get());
    }
    const char* method() const override { return "mpi"; }

private:
    Groups groups_;
    size_t size_;
    float* data_;
};

class MpiCommunicator final : public Communicator
{
public:
    explicit MpiCommunicator(int ranksPerNode)
        : ranksPerNode_(ranksPerNode), groups_(makeGroups(ranksPerNode))
    {
        SB_CHECK_MPI(MPI_Comm_rank(world(), &rank_));
        SB_CHECK_MPI(MPI_Comm_size(world(), &size_));
        SB_CHECK_MPI(MPI_Comm_rank(groups_.local.get(), &localRank_));
        SB_CHECK_MPI(MPI_Comm_size(groups_.local.get(), &localSize_));
        if (groups_.leaders.get() != MPI_COMM_NULL)
            SB_CHECK_MPI(MPI_Comm_rank(groups_.leaders.get(), &node_));
        SB_CHECK_MPI(MPI_Bcast(&node_, 1, MPI_INT, 0, groups_.local.get()));
        char name[256] = {};
        if (::gethostname(name, sizeof name - 1) == 0)
            host_ = name;
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    int localRank() const override { return localRank_; }
    int localSize() const override { return localSize_; }
    int node() const override { return node_; }
    int nodes() const override { return groups_.nodes; }
    const std::string& hostName() const override { return host_; }
    std::string describe() const override { return mpiLibrary(); }

    void allReduceSum(std::span<double> values) override
    {
        sumInPlace(values.data(), values.size(), MPI_DOUBLE, world());
    }
    void allReduceSum(std::span<float> values) override
    {
        sumInPlace(values.data(), values.size(), MPI_FLOAT, world());
    }
    void broadcast(std::span<std::byte> bytes, int root) override
    {
        constexpr size_t kMost = size_t{1} << 30;
        for (size_t at = 0; at < bytes.size(); at += kMost)
            SB_CHECK_MPI(MPI_Bcast(bytes.data() + at, int(std::min(kMost, bytes.size() - at)),
                                   MPI_BYTE, root, world()));
    }
    std::vector<std::string> allGather(std::string_view text) override
    {
        const int mine = int(text.size());
        std::vector<int> lengths(static_cast<size_t>(size_)), starts(static_cast<size_t>(size_));
        SB_CHECK_MPI(MPI_Allgather(&mine, 1, MPI_INT, lengths.data(), 1, MPI_INT, world()));
        size_t total = 0;
        for (size_t r = 0; r < lengths.size(); ++r) {
            starts[r] = int(total);
            total += size_t(lengths[r]);
        }
        if (total > size_t(INT_MAX))
            throw CommError("allGather: more than 2 GiB in all");
        std::string all(total, '\0');
        SB_CHECK_MPI(MPI_Allgatherv(text.data(), mine, MPI_CHAR, all.data(), lengths.data(),
                                    starts.data(), MPI_CHAR, world()));
        std::vector<std::string> texts;
        for (size_t r = 0; r < lengths.size(); ++r)
            texts.push_back(all.substr(size_t(starts[r]), size_t(lengths[r])));
        return texts;
    }
    void barrier() override { SB_CHECK_MPI(MPI_Barrier(world())); }
    std::unique_ptr<ReductionArena> makeArena(size_t floats, AllReduceKind kind) override
    {
        if (kind == AllReduceKind::Mpi)
            return std::make_unique<PlainArena>(makeGroups(ranksPerNode_), floats);
        return std::make_unique<SharedArena>(makeGroups(ranksPerNode_), floats);
    }
    [[noreturn]] void abort(int exitCode) override
    {
        MPI_Abort(MPI_COMM_WORLD, exitCode);
        std::_Exit(exitCode);
    }

private:
    MPI_Comm world() const { return groups_.world.get(); }

    int ranksPerNode_;
    Groups groups_;
    int rank_ = 0, size_ = 1, localRank_ = 0, localSize_ = 1, node_ = 0;
    std::string host_ = "localhost";
};

} // namespace

bool startedByMpi()
{
    return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr ||
           std::getenv("PMI_RANK") != nullptr;
}

MpiScope::MpiScope()
{
    int provided = MPI_THREAD_SINGLE;
    SB_CHECK_MPI(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided));
    fullyThreaded_ = provided == MPI_THREAD_MULTIPLE;
}

MpiScope::~MpiScope()
{
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0)
        MPI_Finalize();
}

std::unique_ptr<Communicator> makeMpiCommunicator(int ranksPerNode)
{
    return std::make_unique<MpiCommunicator>(ranksPerNode);
}

std::string mpiLibrary()
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    MPI_Get_library_version(text, &length); // allowed before MPI_Init
    std::string name(text, size_t(length));
    name = name.substr(0, name.find(','));
    if (const size_t v = name.find(" v"); v != std::string::npos)
        name.erase(v + 1, 1);
    return name;
}

} // namespace scalebench::dist
