// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/mpi/shared_block.h"

#include "engine/dist/comm_error.h"
#include "engine/dist/mpi/mpi_check.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scalebench::dist {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kNameBytes = 96;

/// Closes a file descriptor at the end of a scope.
struct File {
    int fd = -1;
    ~File()
    {
        if (fd >= 0)
            ::close(fd);
    }
};

/// A name no other job of this machine uses.
std::string freshName()
{
    static std::atomic<int> count{0};
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return "/scalebench-" + std::to_string(::getpid()) + "-" + std::to_string(++count) + "-" +
           std::to_string(now);
}

/// Reserves and maps; errno of what failed, or 0.
int reserveAndMap(const File& file, size_t partBytes, int rank, size_t totalBytes,
                  std::byte*& memory)
{
    if (file.fd < 0)
        return errno;
    // Each reserves its own part: the pages come to lie in its part of the memory.
    if (const int failed =
            ::posix_fallocate(file.fd, off_t(partBytes * size_t(rank)), off_t(partBytes)))
        return failed;
    void* mapped = ::mmap(nullptr, totalBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, 0);
    if (mapped == MAP_FAILED)
        return errno;
    memory = static_cast<std::byte*>(mapped);
    return 0;
}

} // namespace

SharedBlock::SharedBlock(MPI_Comm node, size_t bytesPerRank)
{
    int rank = 0, size = 1;
    SB_CHECK_MPI(MPI_Comm_rank(node, &rank));
    SB_CHECK_MPI(MPI_Comm_size(node, &size));
    uint64_t largest = bytesPerRank;
    SB_CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_UINT64_T, MPI_MAX, node));
    partBytes_ = std::max((size_t(largest) + kPage - 1) / kPage, size_t{1}) * kPage;
    totalBytes_ = partBytes_ * size_t(size);

    char name[kNameBytes] = {};
    File file;
    int failed = 0;
    if (rank == 0) {
        std::snprintf(name, sizeof name, "%s", freshName().c_str());
        file.fd = ::shm_open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
        if (file.fd < 0 || ::ftruncate(file.fd, off_t(totalBytes_)) != 0)
            failed = errno;
    }
    SB_CHECK_MPI(MPI_Bcast(name, int(sizeof name), MPI_CHAR, 0, node));
    if (rank != 0)
        file.fd = ::shm_open(name, O_RDWR | O_CLOEXEC, 0600);
    if (failed == 0)
        failed = reserveAndMap(file, partBytes_, rank, totalBytes_, memory_);
    int worst = failed;
    const int status = MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, node);
    if (rank == 0)
        ::shm_unlink(name); // it lives on as long as somebody maps it
    if (status == MPI_SUCCESS && worst == 0)
        return;
    if (memory_ != nullptr)
        ::munmap(memory_, totalBytes_);
    SB_CHECK_MPI(status);
    throw CommError(
        "shared memory of " + std::to_string((totalBytes_ >> 20) + 1) +
        " MiB for the workers of a node is not available: " + std::strerror(worst) +
        ". Enlarge /dev/shm (containers: --shm-size) or choose the all-reduce \"mpi\".");
}

SharedBlock::~SharedBlock()
{
    ::munmap(memory_, totalBytes_);
}

std::byte* SharedBlock::part(int rank) const
{
    return memory_ + partBytes_ * size_t(rank);
}

} // namespace scalebench::dist
