// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/mpi/node_board.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

namespace scalebench::dist {

namespace {

enum NoteState : int32_t { kNone, kWriting, kPosted };

template <size_t N>
void copyText(char (&to)[N], const std::string& from)
{
    const size_t length = std::min(from.size(), N - 1);
    std::memcpy(to, from.data(), length);
    to[length] = '\0';
}

} // namespace

FailureNote makeNote(const std::string& code, const std::string& message, int rank,
                     const std::string& host, int reporter)
{
    FailureNote note{};
    note.rank = rank;
    note.reporter = reporter;
    copyText(note.code, code);
    copyText(note.host, host);
    copyText(note.message, message);
    return note;
}

void throwNote(const FailureNote& note)
{
    throw CollectiveError(note.code, note.message, note.rank, note.host);
}

void Seat::enter(const Collective& c)
{
    kind.store(int32_t(c.kind), std::memory_order_relaxed);
    bytes.store(c.bytes, std::memory_order_relaxed);
    bucket.store(c.bucket, std::memory_order_relaxed);
    step.store(c.step, std::memory_order_relaxed);
    inside.store(1, std::memory_order_relaxed);
}

Collective Seat::collective() const
{
    return {CollectiveKind(kind.load(std::memory_order_relaxed)),
            bytes.load(std::memory_order_relaxed), bucket.load(std::memory_order_relaxed),
            step.load(std::memory_order_relaxed)};
}

struct NodeBoard::Shared {
    std::atomic<int32_t> noteState;
    FailureNote note;
    ProcessId processes[1]; ///< as many as the node has workers
};

size_t NodeBoard::headBytes(const Topology& topology)
{
    return (sizeof(Shared) + size_t(topology.localSize) * sizeof(ProcessId) + 127) / 128 * 128;
}

NodeBoard::NodeBoard(const Topology& topology)
    : topology_(topology),
      block_(topology.local.get(),
             topology.leads()
                 ? headBytes(topology) + size_t(topology.localSize) * kChannels * sizeof(Seat)
                 : 0)
{
    static_assert(std::atomic<uint64_t>::is_always_lock_free);
    // New memory is zero: no failure, nobody anywhere.
    shared_ = reinterpret_cast<Shared*>(block_.part(0));
    seats_ = reinterpret_cast<Seat*>(block_.part(0) + headBytes(topology));
    shared_->processes[topology.localRank] = thisProcess();
    SB_CHECK_MPI(MPI_Barrier(topology.local.get()));
    for (size_t r = 0; r < size_t(topology.localSize); ++r) {
        // In containers of their own, workers may not see each other's processes.
        const ProcessId id = shared_->processes[r];
        const bool seen = stateOf(id) == ProcessState::Alive;
        visible_.push_back(seen ? id : ProcessId{});
    }
}

Seat& NodeBoard::seat(int localRank, int channel) const
{
    return seats_[localRank * kChannels + channel];
}

void NodeBoard::post(const FailureNote& note) noexcept
{
    int32_t expected = kNone;
    if (!shared_->noteState.compare_exchange_strong(expected, kWriting))
        return;
    shared_->note = note;
    shared_->noteState.store(kPosted, std::memory_order_release);
}

bool NodeBoard::failed() const noexcept
{
    return shared_->noteState.load(std::memory_order_acquire) == kPosted;
}

FailureNote NodeBoard::failure() const
{
    return shared_->note;
}

ProcessState NodeBoard::processState(int localRank) const
{
    return stateOf(visible_[size_t(localRank)]);
}

bool NodeBoard::asks(int localRank, int channel) const
{
    return seat(localRank, channel).inside.load(std::memory_order_relaxed) != 0 &&
           processState(localRank) == ProcessState::Alive;
}

std::string NodeBoard::whereabouts(int localRank) const
{
    std::string text = "process " + std::to_string(shared_->processes[localRank].pid);
    switch (processState(localRank)) {
    case ProcessState::Gone:
        text += ", which has ended";
        break;
    case ProcessState::Stopped:
        text += ", stopped by a signal";
        break;
    case ProcessState::Alive:
    case ProcessState::Unknown:
        break;
    }
    for (int channel = 0; channel < kChannels; ++channel) {
        const Seat& s = seat(localRank, channel);
        if (s.inside.load(std::memory_order_relaxed) != 0)
            text += ", waiting in the " + describe(s.collective());
    }
    return text;
}

} // namespace scalebench::dist
