// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A page that the workers of one node share: who has arrived at which collective, and the first
// failure. Everything that one worker must know about another without its help is here. Private to
// engine/dist/mpi.

#include "engine/dist/collective.h"
#include "engine/dist/comm_error.h"
#include "engine/dist/mpi/shared_block.h"
#include "engine/dist/mpi/topology.h"
#include "engine/dist/process_state.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include <mpi.h>

namespace scalebench::dist {

/// A failure in memory that processes share or send. Texts end with 0.
struct FailureNote {
    int32_t rank;     ///< of the worker at fault, -1 if unknown
    int32_t reporter; ///< of the worker that should write the record
    char code[40];
    char host[64];
    char message[720];
};

FailureNote makeNote(const std::string& code, const std::string& message, int rank,
                     const std::string& host, int reporter);
[[noreturn]] void throwNote(const FailureNote& note);

/// One worker in one channel: a sequence of collectives of which one at a time is under way.
struct alignas(128) Seat {
    std::atomic<uint64_t> arrivals;      ///< barriers entered so far
    std::atomic<uint64_t> signatures[2]; ///< what the last two were part of, by parity
    std::atomic<int32_t> inside;         ///< 1 while in a collective
    std::atomic<int32_t> kind;
    std::atomic<int64_t> bytes, bucket, step;

    void enter(const Collective& collective);
    Collective collective() const;
};

/// Construction is collective over the node.
class NodeBoard
{
public:
    /// Channels: 0 for the communicator, the rest for its arenas.
    static constexpr int kChannels = 16;

    explicit NodeBoard(const Topology& topology);
    NodeBoard(const NodeBoard&) = delete;
    NodeBoard& operator=(const NodeBoard&) = delete;

    Seat& seat(int localRank, int channel) const;
    /// Takes the note if it is the first one.
    void post(const FailureNote& note) noexcept;
    /// The posted failure, if any. One load when there is none.
    bool failed() const noexcept;
    FailureNote failure() const;
    ProcessState processState(int localRank) const;
    /// It runs and is inside a collective, where it looks for missing workers itself.
    bool asks(int localRank, int channel) const;
    /// "process 4711, stopped by a signal, waits in the barrier".
    std::string whereabouts(int localRank) const;

private:
    struct Shared;
    static size_t headBytes(const Topology& topology);
    const Topology& topology_;
    SharedBlock block_;
    Shared* shared_ = nullptr;
    Seat* seats_ = nullptr;
    std::vector<ProcessId> visible_; ///< by local rank; empty entries where /proc does not show it
};

} // namespace scalebench::dist
