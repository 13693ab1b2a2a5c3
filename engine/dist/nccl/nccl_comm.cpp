// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/nccl/nccl_comm.h"

#include <cstdlib>
#include <thread>
#include <utility>

#include "engine/dist/comm_error.h"

namespace scalebench::dist {
namespace {

bool blockingByEnvironment()
{
    const char* value = std::getenv("NCCL_COMM_BLOCKING");
    return value != nullptr && std::atoi(value) == 1;
}

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

NcclComm::NcclComm(int rank, int size, const ncclUniqueId& id, double timeout)
    : rank_(rank), timeout_(timeout), blocking_(blockingByEnvironment())
{
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = blocking_ ? 1 : 0;
    require(ncclCommInitRankConfig(&comm_, size, id, rank, &config), "ncclCommInitRank");
    if (!blocking_)
        waitUntilEnqueued("ncclCommInitRank");
}

NcclComm::~NcclComm()
{
    if (comm_ != nullptr)
        (void)(broken() ? ncclCommAbort(comm_) : ncclCommDestroy(comm_));
}

void NcclComm::requireUsable()
{
    if (!lost_)
        return;
    const std::lock_guard lock(mutex_);
    throwIfLost();
}

void NcclComm::throwIfLost() const
{
    if (!lost_)
        return;
    if (error_ != ncclSuccess)
        throw CommError("NCCL on rank " + std::to_string(rank_) +
                            ": a collective failed: " + ncclGetErrorString(error_) +
                            ". Another worker ended, or the network between the GPUs broke "
                            "(NCCL_DEBUG=WARN tells more).",
                        "nccl");
    throw CollectiveError("collective_timeout",
                          "An NCCL collective on rank " + std::to_string(rank_) +
                              " did not end within " + std::to_string(int(timeout_)) +
                              " s and was aborted: another worker hangs, or its GPU failed.",
                          -1, "");
}

void NcclComm::waitUntilEnqueued(const char* name)
{
    const auto start = Clock::now();
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            throwIfLost();
            ncclResult_t state = ncclSuccess;
            require(ncclCommGetAsyncError(comm_, &state), name);
            if (state == ncclSuccess)
                return;
            require(state, name);
        }
        if (timeout_ > 0 && secondsSince(start) > timeout_)
            throw CollectiveError("collective_timeout",
                                  std::string(name) + " did not end within " +
                                      std::to_string(int(timeout_)) +
                                      " s: another worker does not take part, or the network "
                                      "between the GPUs is blocked (NCCL_DEBUG=INFO tells which "
                                      "way NCCL chose).",
                                  -1, "");
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
}

void NcclComm::require(ncclResult_t result, const char* name) const
{
    if (result == ncclSuccess || result == ncclInProgress)
        return;
    const char* last = ncclGetLastError(nullptr); // of the process, whatever the argument
    throw CommError(std::string("NCCL on rank ") + std::to_string(rank_) + ": " + name +
                        " failed: " + ncclGetErrorString(result) +
                        (last != nullptr && *last != '\0' ? std::string(". ") + last : ""),
                    "nccl");
}

bool NcclComm::broken()
{
    const std::lock_guard lock(mutex_);
    ncclResult_t state = ncclSuccess;
    if (comm_ == nullptr)
        return true;
    if (const ncclResult_t asked = ncclCommGetAsyncError(comm_, &state); asked != ncclSuccess)
        state = asked;
    if (state != ncclSuccess && state != ncclInProgress)
        error_ = state;
    return error_ != ncclSuccess;
}

bool NcclComm::callHangs()
{
    const std::lock_guard lock(mutex_);
    return callSince_ != Clock::time_point{} && secondsSince(callSince_) > timeout_;
}

void NcclComm::abort()
{
    ncclComm_t comm = nullptr;
    {
        const std::lock_guard lock(mutex_);
        lost_ = true;
        comm = std::exchange(comm_, nullptr);
    }
    if (comm != nullptr)
        (void)ncclCommAbort(comm);
}

} // namespace scalebench::dist
