// SPDX-License-Identifier: GPL-3.0-or-later
// A stand-in for NCCL by MPI, for jobs of several processes that each emulate a GPU, and without
// MPI for one. Collectives are work of a stream like any other. Sums of float only.
//
// As the real one: a call on a non-blocking communicator is in progress at first, its work is
// issued later and further calls are refused till then; ncclCommAbort ends what hangs and returns
// when no graph refers to the communicator any more. Where our code would race with an abort, the
// process ends with a word.
#include <cuda_runtime_api.h>
#include <nccl.h>

#include "support/cuda_emulation/emulation.h"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using scalebench::emulation::enqueue;
using scalebench::emulation::NcclFaults;

struct ncclComm {
    MPI_Comm mpi = MPI_COMM_NULL; ///< none: one worker
    int rank = 0;
    bool blocking = true;
    std::thread::id issuer;
    std::mutex mutex; ///< of the next three
    int progress = 0; ///< questions until what was called is issued
    std::vector<std::function<void()>> started;
    ncclResult_t error = ncclSuccess;
    std::atomic<bool> aborted{false};
    std::atomic<int> inside{0};                              ///< calls under way
    std::vector<MPI_Request> open;                           ///< sends and receives of a group
    std::shared_ptr<int> recorded = std::make_shared<int>(); ///< graphs hold it too
};

namespace {

using Work = std::function<void()>;

NcclFaults faults;
long collectives = 0;
std::atomic<long> aborts{0};
int groups = 0;
std::vector<ncclComm*> grouped;
std::vector<std::pair<ncclComm*, cudaStream_t>> toWait; ///< at the end of the group

[[noreturn]] void misuse(const char* what)
{
    std::fprintf(stderr, "NCCL's stand-in: %s\n", what);
    std::fflush(stderr);
    std::_Exit(86);
}

class Inside
{
public:
    explicit Inside(ncclComm* comm) : comm_(comm)
    {
        ++comm_->inside;
        if (comm_->aborted)
            misuse("a call on a communicator that was aborted");
    }
    ~Inside() { --comm_->inside; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

private:
    ncclComm* comm_;
};

template <class Until>
void waitFor(Until&& until)
{
    while (!until())
        std::this_thread::sleep_for(std::chrono::microseconds(50));
}

/// Waits as a kernel does: until the others came, or the communicator is aborted.
void finish(ncclComm* comm, MPI_Request request)
{
    waitFor([&] {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0 || comm->aborted;
    });
}

/// One worker without MPI: its data are the result.
bool alone(const ncclComm* comm, const void* from, void* to, std::size_t bytes)
{
    if (comm->mpi != MPI_COMM_NULL)
        return false;
    if (to != from)
        std::memcpy(to, from, bytes);
    return true;
}

void runStarted(ncclComm* comm)
{
    for (const Work& issue : std::exchange(comm->started, {}))
        issue();
}

/// `issue` now, or when the caller has asked often enough.
ncclResult_t start(ncclComm* comm, Work issue)
{
    const std::lock_guard lock(comm->mutex);
    comm->issuer = std::this_thread::get_id();
    comm->started.push_back(std::move(issue));
    if (groups > 0) {
        if (std::find(grouped.begin(), grouped.end(), comm) == grouped.end())
            grouped.push_back(comm);
        return comm->blocking ? ncclSuccess : ncclInProgress;
    }
    if (comm->blocking || faults.inProgress == 0) {
        runStarted(comm);
        return ncclSuccess;
    }
    comm->progress = faults.inProgress;
    return ncclInProgress;
}

/// What the real one refuses at the call; `work` is done when the stream gets there.
ncclResult_t checked(const void* from, const void* to, ncclComm_t comm, const Work& work,
                     cudaStream_t stream, const char* name)
{
    using scalebench::emulation::isDeviceAddress;
    if (comm == nullptr || !isDeviceAddress(from) || !isDeviceAddress(to))
        return ncclInvalidArgument;
    const Inside inside(comm);
    {
        const std::lock_guard lock(comm->mutex);
        if (comm->error != ncclSuccess)
            return comm->error;
        if (comm->progress > 0)
            return ncclInvalidArgument;
    }
    const long number = collectives++;
    if (number == faults.blockAt)
        waitFor([&] { return comm->aborted.load(); });
    if (comm->aborted)
        return ncclInternalError;
    const bool broken = number == faults.errorAt, hangs = broken || number == faults.hangAt;
    return start(comm, [=] {
        if (broken)
            comm->error = ncclRemoteError;
        cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
        (void)cudaStreamIsCapturing(stream, &capture);
        const auto graph = capture == cudaStreamCaptureStatusNone ? nullptr : comm->recorded;
        enqueue(name, stream, [comm, hangs, work, graph] {
            if (hangs)
                waitFor([&] { return comm->aborted.load(); });
            else if (!comm->aborted)
                work();
        });
    });
}

} // namespace

void scalebench::emulation::setNcclFaults(const NcclFaults& wanted)
{
    faults = wanted;
    collectives = 0;
}

long scalebench::emulation::ncclAborts()
{
    return aborts;
}

ncclResult_t ncclGetVersion(int* version)
{
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId* id)
{
    *id = {};
    return ncclSuccess;
}
ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId, int rank,
                                    ncclConfig_t* config)
{
    int size = 1, me = 0, initialised = 0;
    MPI_Initialized(&initialised);
    if (initialised != 0) {
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        MPI_Comm_rank(MPI_COMM_WORLD, &me);
    }
    if (size != ranks || me != rank)
        return ncclInvalidArgument;
    *comm = new ncclComm;
    (*comm)->rank = rank;
    (*comm)->blocking = config->blocking != 0;
    if (initialised != 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &(*comm)->mpi);
    return start(*comm, [] {});
}
ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    if (comm->recorded.use_count() > 1)
        misuse("a communicator was destroyed before a graph that refers to it");
    if (comm->mpi != MPI_COMM_NULL)
        MPI_Comm_free(&comm->mpi);
    delete comm;
    return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm)
{
    if (!comm->blocking && comm->inside > 0)
        misuse("an abort while another thread is in a call");
    ++aborts;
    comm->aborted = true;
    const auto start = std::chrono::steady_clock::now();
    waitFor([&] {
        if (std::chrono::steady_clock::now() - start > std::chrono::seconds(30))
            misuse("an abort waits for a graph that nobody destroys");
        return comm->recorded.use_count() == 1 && comm->inside == 0;
    });
    return ncclSuccess; // never deleted: works that are still queued look at it
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* state)
{
    const Inside inside(comm);
    const std::lock_guard lock(comm->mutex);
    if (comm->progress > 0 && comm->issuer == std::this_thread::get_id() && --comm->progress == 0)
        runStarted(comm);
    *state = comm->progress > 0 ? ncclInProgress : comm->error;
    return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t)
{
    return "an error of the emulation";
}
const char* ncclGetLastError(ncclComm_t)
{
    return "";
}
ncclResult_t ncclGroupStart()
{
    ++groups;
    return ncclSuccess;
}
ncclResult_t ncclGroupEnd()
{
    if (groups == 0)
        return ncclInvalidUsage;
    if (--groups > 0)
        return ncclSuccess;
    ncclResult_t result = ncclSuccess;
    const auto waits = std::exchange(toWait, {});
    for (ncclComm* comm : std::exchange(grouped, {})) {
        const ncclResult_t one = start(comm, [waits, comm] {
            for (const auto& [sender, stream] : waits)
                if (sender == comm)
                    enqueue("ncclGroup", stream, [comm] {
                        for (const MPI_Request request : std::exchange(comm->open, {}))
                            finish(comm, request);
                    });
        });
        if (one != ncclSuccess)
            result = one;
    }
    return result;
}
ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
{
    if (type != ncclFloat32 || op != ncclSum)
        return ncclInvalidArgument;
    return checked(
        from, to, comm,
        [=] {
            if (alone(comm, from, to, count * sizeof(float)))
                return;
            MPI_Request request;
            MPI_Iallreduce(from == to ? MPI_IN_PLACE : from, to, int(count), MPI_FLOAT, MPI_SUM,
                           comm->mpi, &request);
            finish(comm, request);
        },
        stream, "ncclAllReduce");
}
ncclResult_t ncclReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream)
{
    if (type != ncclFloat32 || op != ncclSum)
        return ncclInvalidArgument;
    return checked(
        from, to, comm,
        [=] {
            if (alone(comm, from, to, count * sizeof(float)))
                return;
            const void* mine = comm->rank == root && from == to ? MPI_IN_PLACE : from;
            MPI_Request request;
            MPI_Ireduce(mine, to, int(count), MPI_FLOAT, MPI_SUM, root, comm->mpi, &request);
            finish(comm, request);
        },
        stream, "ncclReduce");
}
ncclResult_t ncclReduceScatter(const void* from, void* to, std::size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
{
    if (type != ncclFloat32 || op != ncclSum)
        return ncclInvalidArgument;
    return checked(
        from, to, comm,
        [=] {
            if (alone(comm, from, to, count * sizeof(float)))
                return;
            MPI_Request request;
            MPI_Ireduce_scatter_block(from, to, int(count), MPI_FLOAT, MPI_SUM, comm->mpi,
                                      &request);
            finish(comm, request);
        },
        stream, "ncclReduceScatter");
}
ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream)
{
    if (type != ncclUint8)
        return ncclInvalidArgument;
    return checked(
        from, to, comm,
        [=] {
            if (alone(comm, from, to, count))
                return;
            const bool inPlace = from == static_cast<char*>(to) + std::size_t(comm->rank) * count;
            MPI_Request request;
            MPI_Iallgather(inPlace ? MPI_IN_PLACE : from, int(count), MPI_BYTE, to, int(count),
                           MPI_BYTE, comm->mpi, &request);
            finish(comm, request);
        },
        stream, "ncclAllGather");
}
ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream)
{
    if (type != ncclUint8 || from != to)
        return ncclInvalidArgument;
    return checked(
        from, to, comm,
        [=] {
            if (alone(comm, from, to, count))
                return;
            MPI_Request request;
            MPI_Ibcast(to, int(count), MPI_BYTE, root, comm->mpi, &request);
            finish(comm, request);
        },
        stream, "ncclBroadcast");
}
ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream)
{
    if (type != ncclUint8 || groups == 0)
        return ncclInvalidUsage;
    if (toWait.empty())
        toWait.emplace_back(comm, stream);
    return checked(
        from, from, comm,
        [=] {
            comm->open.emplace_back();
            MPI_Isend(from, int(count), MPI_BYTE, peer, 0, comm->mpi, &comm->open.back());
        },
        stream, "ncclSend");
}
ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream)
{
    if (type != ncclUint8 || groups == 0)
        return ncclInvalidUsage;
    if (toWait.empty())
        toWait.emplace_back(comm, stream);
    return checked(
        to, to, comm,
        [=] {
            comm->open.emplace_back();
            MPI_Irecv(to, int(count), MPI_BYTE, peer, 0, comm->mpi, &comm->open.back());
        },
        stream, "ncclRecv");
}
