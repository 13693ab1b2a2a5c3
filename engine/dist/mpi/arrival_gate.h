// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The door in front of every collective: nobody passes before all workers stand there, and who does
// not come in time is named. MPI's own calls cannot be left once entered, so a worker enters them
// only when the others are there too. Private to engine/dist/mpi.
//
// Inside a node workers see each other's arrival in the NodeBoard. Between nodes the leaders
// (local rank 0) tell the leader of the first node, which tells them to go on or why not.

#include "engine/dist/mpi/node_board.h"

#include <atomic>
#include <vector>

namespace scalebench::dist {

class ArrivalGate
{
public:
    /// `timeoutS`: 0 for ever. All arguments must outlive the gate.
    ArrivalGate(const Topology& topology, NodeBoard& board, int channel,
                const std::atomic<double>& timeoutS);

    /// A collective from here to the end of the scope.
    class Visit
    {
    public:
        Visit(ArrivalGate& gate, const Collective& collective);
        ~Visit();
        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;
        /// Waits for all workers of the run. CollectiveError on every one of them if one does not
        /// come, has failed, or comes for another collective.
        void waitForAll();
        /// Waits for the workers of this node. Memory they wrote before is visible afterwards.
        void waitForNode();

    private:
        ArrivalGate& gate_;
        Collective collective_;
    };

    /// Spreads a failure of this worker to other nodes, if that is its job. Does not wait.
    void spread(const FailureNote& note) noexcept;

private:
    /// What a leader tells the first one, and the answer. Only `head` travels when all is well.
    struct Report {
        struct Head {
            int32_t failed;
            uint64_t signature;
        } head;
        FailureNote note;
    };

    void waitForNode(const Collective& collective, double extraS);
    void waitForSeat(int localRank, uint64_t arrivals, const Collective& collective, double extraS);
    void waitForNodes(const Collective& collective);
    void collectReports(const Collective& collective);
    void askFirst(const Collective& collective);
    void send(const Report& report, int node);
    [[noreturn]] void giveUp(const FailureNote& note);
    FailureNote missingHere(const Collective& collective, uint64_t arrivals, double waitedS) const;
    FailureNote missingNodes(const Collective& collective, const std::vector<int>& nodes,
                             double waitedS) const;
    FailureNote mismatch(const Collective& collective, int localRank) const;
    FailureNote lost(const Collective& collective, int localRank) const;
    double timeoutS() const { return timeoutS_.load(std::memory_order_relaxed); }
    double graceS() const;

    const Topology& topology_;
    NodeBoard& board_;
    int channel_;
    const std::atomic<double>& timeoutS_;
    uint64_t arrivals_ = 0;
    // Buffers of messages that may be under way when an exception leaves a function.
    Report out_{};
    std::vector<Report> in_;
    std::vector<MPI_Request> requests_;
};

} // namespace scalebench::dist
