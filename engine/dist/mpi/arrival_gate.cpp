// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/mpi/arrival_gate.h"

#include "engine/dist/wait_clock.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace scalebench::dist {
namespace {

constexpr double kAskingFactor = 4;   ///< as much longer is waited for who asks others meanwhile
constexpr double kShortTimeoutS = 30; ///< up to this, the first node is given the time-out again

/// What all workers must agree on.
uint64_t signatureOf(const Collective& c)
{
    return (uint64_t(c.kind) + 1) << 56 | (uint64_t(c.bytes) & ((uint64_t{1} << 56) - 1));
}

std::string secondsText(double seconds)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g s", seconds);
    return text;
}

std::string ranksText(const std::vector<int>& ranks)
{
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (size_t i = 0; i < ranks.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
    return text;
}

int lowestExcept(const std::vector<int>& missing, int size)
{
    for (int r = 0; r < size; ++r)
        if (std::find(missing.begin(), missing.end(), r) == missing.end())
            return r;
    return 0;
}

} // namespace

ArrivalGate::ArrivalGate(const Topology& topology, NodeBoard& board, int channel,
                         const std::atomic<double>& timeoutS)
    : topology_(topology),
      board_(board),
      channel_(channel),
      timeoutS_(timeoutS),
      arrivals_(board.seat(topology.localRank, channel).arrivals.load())
{
}

/// Those who wait for a whole node give it time to find out by itself which worker is missing: more
/// than a busy computer lets a worker stand still (a second and more was seen).
double ArrivalGate::graceS() const
{
    return std::clamp(timeoutS() / 10, 1.5, 5.0);
}

ArrivalGate::Visit::Visit(ArrivalGate& gate, const Collective& collective)
    : gate_(gate), collective_(collective)
{
    gate_.board_.seat(gate_.topology_.localRank, gate_.channel_).enter(collective);
}

ArrivalGate::Visit::~Visit()
{
    gate_.board_.seat(gate_.topology_.localRank, gate_.channel_)
        .inside.store(0, std::memory_order_relaxed);
}

void ArrivalGate::Visit::waitForNode()
{
    gate_.waitForNode(collective_, 0);
}

void ArrivalGate::Visit::waitForAll()
{
    gate_.waitForNode(collective_, 0);
    if (gate_.topology_.nodes == 1)
        return;
    if (gate_.topology_.leads())
        gate_.waitForNodes(collective_);
    gate_.waitForNode(collective_, 3 * gate_.graceS());
}

// ---- Inside a node

void ArrivalGate::waitForNode(const Collective& collective, double extraS)
{
    Seat& mine = board_.seat(topology_.localRank, channel_);
    const uint64_t arrivals = ++arrivals_;
    const uint64_t signature = signatureOf(collective);
    mine.signatures[arrivals & 1].store(signature, std::memory_order_relaxed);
    mine.arrivals.store(arrivals, std::memory_order_release);
    if (board_.failed())
        giveUp(board_.failure());
    for (int r = 0; r < topology_.localSize; ++r) {
        if (r == topology_.localRank)
            continue;
        const Seat& seat = board_.seat(r, channel_);
        if (seat.arrivals.load(std::memory_order_acquire) < arrivals)
            waitForSeat(r, arrivals, collective, extraS);
        // The next but one barrier reuses the entry; its owner cannot be there before this worker
        // has been at the next.
        if (seat.signatures[arrivals & 1].load(std::memory_order_relaxed) != signature)
            giveUp(mismatch(collective, r));
    }
}

void ArrivalGate::waitForSeat(int localRank, uint64_t arrivals, const Collective& collective,
                              double extraS)
{
    const Seat& seat = board_.seat(localRank, channel_);
    WaitClock clock;
    while (seat.arrivals.load(std::memory_order_acquire) < arrivals) {
        if (!clock.pause())
            continue;
        if (board_.failed())
            giveUp(board_.failure());
        if (seat.arrivals.load(std::memory_order_acquire) >= arrivals)
            return;
        if (board_.processState(localRank) == ProcessState::Gone)
            giveUp(lost(collective, localRank));
        // A leader that waits for other nodes finds out by itself who is missing; on a busy machine
        // later than the grace allows.
        const bool asks = extraS > 0 && board_.asks(localRank, channel_);
        const double patience = asks ? kAskingFactor : 1;
        if (timeoutS() > 0 && clock.waitedS() > (timeoutS() + extraS) * patience)
            giveUp(missingHere(collective, arrivals, clock.waitedS()));
    }
}

void ArrivalGate::giveUp(const FailureNote& note)
{
    board_.post(note);
    const FailureNote first = board_.failed() ? board_.failure() : note;
    spread(first);
    throwNote(first);
}

FailureNote ArrivalGate::missingHere(const Collective& collective, uint64_t arrivals,
                                     double waitedS) const
{
    std::vector<int> missing;
    std::string where;
    for (int r = 0; r < topology_.localSize; ++r)
        if (board_.seat(r, channel_).arrivals.load(std::memory_order_acquire) < arrivals) {
            missing.push_back(topology_.ranksHere[size_t(r)]);
            where += (where.empty() ? "" : "; ") + board_.whereabouts(r);
        }
    const std::string& host = topology_.hosts[size_t(topology_.rank)];
    return makeNote(
        "collective_timeout",
        ranksText(missing) + " on " + host + " did not come to the " + describe(collective) +
            " within " + secondsText(waitedS) + " (" + where + ")",
        missing.empty() ? -1 : missing.front(), host, lowestExcept(missing, topology_.size));
}

FailureNote ArrivalGate::lost(const Collective& collective, int localRank) const
{
    const int rank = topology_.ranksHere[size_t(localRank)];
    const std::string& host = topology_.hosts[size_t(rank)];
    return makeNote("rank_lost",
                    "rank " + std::to_string(rank) + " on " + host +
                        " ended before the others were done; they wait for it in the " +
                        describe(collective) + " (" + board_.whereabouts(localRank) + ")",
                    rank, host, rank == 0 ? 1 : 0);
}

FailureNote ArrivalGate::mismatch(const Collective& collective, int localRank) const
{
    const int rank = topology_.ranksHere[size_t(localRank)];
    return makeNote("collective_mismatch",
                    "rank " + std::to_string(topology_.rank) + " is in the " +
                        describe(collective) + ", rank " + std::to_string(rank) + " in the " +
                        describe(board_.seat(localRank, channel_).collective()) +
                        ": workers must call the same collectives in the same order",
                    rank, topology_.hosts[size_t(rank)], 0);
}

// ---- Between nodes; only leaders come here

void ArrivalGate::waitForNodes(const Collective& collective)
{
    if (topology_.node == 0)
        collectReports(collective);
    else
        askFirst(collective);
}

void ArrivalGate::send(const Report& report, int node)
{
    const size_t bytes = report.head.failed != 0 ? sizeof report : sizeof report.head;
    requests_.push_back(MPI_REQUEST_NULL);
    SB_CHECK_MPI(MPI_Isend(&report, int(bytes), MPI_BYTE, node, channel_, topology_.leading.get(),
                           &requests_.back()));
}

void ArrivalGate::collectReports(const Collective& collective)
{
    const size_t others = size_t(topology_.nodes) - 1;
    in_.assign(others, Report{});
    requests_.assign(others, MPI_REQUEST_NULL);
    for (size_t i = 0; i < others; ++i)
        SB_CHECK_MPI(MPI_Irecv(&in_[i], int(sizeof(Report)), MPI_BYTE, int(i) + 1, channel_,
                               topology_.leading.get(), &requests_[i]));
    const uint64_t signature = signatureOf(collective);
    WaitClock clock;
    for (size_t arrived = 0; arrived < others;) {
        int index = MPI_UNDEFINED, done = 0;
        SB_CHECK_MPI(MPI_Testany(int(others), requests_.data(), &index, &done, MPI_STATUS_IGNORE));
        if (done != 0 && index != MPI_UNDEFINED) {
            const Report& report = in_[size_t(index)];
            if (report.head.failed != 0)
                giveUp(report.note);
            if (report.head.signature != signature)
                giveUp(makeNote("collective_mismatch",
                                "node " + std::to_string(index + 1) + " is not in the " +
                                    describe(collective) + " of node 0",
                                topology_.leaders[size_t(index) + 1],
                                topology_.hosts[size_t(topology_.leaders[size_t(index) + 1])], 0));
            ++arrived;
            continue;
        }
        if (!clock.pause())
            continue;
        if (board_.failed())
            giveUp(board_.failure());
        if (timeoutS() > 0 && clock.waitedS() > timeoutS() + graceS()) {
            std::vector<int> nodes;
            for (size_t i = 0; i < others; ++i)
                if (requests_[i] != MPI_REQUEST_NULL)
                    nodes.push_back(int(i) + 1);
            giveUp(missingNodes(collective, nodes, clock.waitedS()));
        }
    }
    out_.head = {0, signature};
    requests_.clear();
    for (int node = 1; node < topology_.nodes; ++node)
        send(out_, node);
    SB_CHECK_MPI(MPI_Waitall(int(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
}

void ArrivalGate::askFirst(const Collective& collective)
{
    in_.assign(1, Report{});
    requests_.assign(1, MPI_REQUEST_NULL);
    SB_CHECK_MPI(MPI_Irecv(in_.data(), int(sizeof(Report)), MPI_BYTE, 0, channel_,
                           topology_.leading.get(), requests_.data()));
    out_.head = {0, signatureOf(collective)};
    send(out_, 0);
    WaitClock clock;
    for (int done = 0; done == 0;) {
        SB_CHECK_MPI(
            MPI_Testall(int(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE));
        if (done != 0 || !clock.pause())
            continue;
        if (board_.failed())
            giveUp(board_.failure());
        // The first node may have come late itself, and tells by its own clock who is missing:
        // blaming it before that would name the wrong one. A full machine may not let it run for
        // seconds, which is long beside a short time-out.
        const double late =
            std::max({2 * graceS(), timeoutS() / 2, std::min(timeoutS(), kShortTimeoutS)});
        if (timeoutS() > 0 && clock.waitedS() > timeoutS() + late)
            giveUp(missingNodes(collective, {0}, clock.waitedS()));
    }
    if (in_[0].head.failed != 0)
        giveUp(in_[0].note);
}

FailureNote ArrivalGate::missingNodes(const Collective& collective, const std::vector<int>& nodes,
                                      double waitedS) const
{
    std::vector<int> missing;
    std::string hosts;
    for (const int node : nodes) {
        missing.push_back(topology_.leaders[size_t(node)]);
        hosts += (hosts.empty() ? "" : ", ") + topology_.hosts[size_t(missing.back())];
    }
    return makeNote("collective_timeout",
                    ranksText(missing) + " on " + hosts + " did not come to the " +
                        describe(collective) + " within " + secondsText(waitedS) +
                        " (no word from the node" + (nodes.size() == 1 ? "" : "s") + ")",
                    missing.front(), topology_.hosts[size_t(missing.front())],
                    lowestExcept(missing, topology_.size));
}

void ArrivalGate::spread(const FailureNote& note) noexcept
{
    if (topology_.nodes == 1 || !topology_.leads())
        return;
    // Never waited for and never freed: the process ends soon, and a peer may be gone.
    auto* report = new (std::nothrow) Report{{1, 0}, note};
    if (report == nullptr)
        return;
    const int from = topology_.node == 0 ? 1 : 0;
    const int to = topology_.node == 0 ? topology_.nodes : 1;
    for (int node = from; node < to; ++node) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Isend(report, int(sizeof *report), MPI_BYTE, node, channel_, topology_.leading.get(),
                  &request);
    }
}

} // namespace scalebench::dist
