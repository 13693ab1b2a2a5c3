// SPDX-License-Identifier: GPL-3.0-or-later
// A stand-in for NCCL by MPI, for jobs of several processes that each emulate a GPU. Collectives
// are work of a stream like any other. Sums of float only.
#include <cuda_runtime_api.h>
#include <nccl.h>

#include "support/cuda_emulation/emulation.h"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <functional>
#include <vector>

using scalebench::emulation::enqueue;

struct ncclComm {
    MPI_Comm mpi = MPI_COMM_NULL;
    std::vector<MPI_Request> open; ///< sends and receives of a group
};

namespace {

int groups = 0;
std::vector<std::pair<ncclComm*, cudaStream_t>> toWait; ///< at the end of the group

/// What the real one refuses at the call.
ncclResult_t checked(const void* from, const void* to, ncclComm_t comm,
                     const std::function<void()>& work, cudaStream_t stream, const char* name)
{
    using scalebench::emulation::isDeviceAddress;
    if (comm == nullptr || !isDeviceAddress(from) || !isDeviceAddress(to))
        return ncclInvalidArgument;
    enqueue(name, stream, work);
    return ncclSuccess;
}

} // namespace

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
                                    ncclConfig_t*)
{
    int size = 0, me = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (size != ranks || me != rank)
        return ncclInvalidArgument;
    *comm = new ncclComm;
    MPI_Comm_dup(MPI_COMM_WORLD, &(*comm)->mpi);
    return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    MPI_Comm_free(&comm->mpi);
    delete comm;
    return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm)
{
    delete comm;
    return ncclSuccess;
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t* state)
{
    *state = ncclSuccess;
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
    for (auto& [comm, stream] : toWait)
        enqueue("ncclGroup", stream, [comm = comm] {
            MPI_Waitall(int(comm->open.size()), comm->open.data(), MPI_STATUSES_IGNORE);
            comm->open.clear();
        });
    toWait.clear();
    return ncclSuccess;
}
ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
{
    if (type != ncclFloat32 || op != ncclSum)
        return ncclInvalidArgument;
    return checked(
        from, to, comm,
        [=] {
            MPI_Allreduce(from == to ? MPI_IN_PLACE : from, to, int(count), MPI_FLOAT, MPI_SUM,
                          comm->mpi);
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
            int rank = 0;
            MPI_Comm_rank(comm->mpi, &rank);
            const void* mine = rank == root && from == to ? MPI_IN_PLACE : from;
            MPI_Reduce(mine, to, int(count), MPI_FLOAT, MPI_SUM, root, comm->mpi);
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
        [=] { MPI_Reduce_scatter_block(from, to, int(count), MPI_FLOAT, MPI_SUM, comm->mpi); },
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
            int rank = 0;
            MPI_Comm_rank(comm->mpi, &rank);
            const bool inPlace = from == static_cast<char*>(to) + std::size_t(rank) * count;
            MPI_Allgather(inPlace ? MPI_IN_PLACE : from, int(count), MPI_BYTE, to, int(count),
                          MPI_BYTE, comm->mpi);
        },
        stream, "ncclAllGather");
}
ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream)
{
    if (type != ncclUint8 || from != to)
        return ncclInvalidArgument;
    return checked(
        from, to, comm, [=] { MPI_Bcast(to, int(count), MPI_BYTE, root, comm->mpi); }, stream,
        "ncclBroadcast");
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
