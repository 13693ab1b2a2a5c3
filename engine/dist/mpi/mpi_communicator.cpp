// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/mpi/mpi_communicator.h"

#include "engine/dist/comm_error.h"
#include "engine/dist/mpi/arenas.h"
#include "engine/dist/mpi/arrival_gate.h"
#include "engine/dist/mpi/node_mailbox.h"
#include "engine/dist/mpi/watchdog.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>

#include <mpi.h>

namespace scalebench::dist {
namespace {

/// How long abort() lets the reporter have the first word.
constexpr std::chrono::seconds kLastWords{10};

std::optional<double> timeoutOfEnvironment()
{
    const char* text = std::getenv("SCALEBENCH_COLLECTIVE_TIMEOUT_S");
    if (text == nullptr)
        return std::nullopt;
    char* end = nullptr;
    const double seconds = std::strtod(text, &end);
    return end != text && seconds > 0 ? std::optional(seconds) : std::nullopt;
}

template <typename T>
void sumInPlace(std::span<T> values, MPI_Datatype type, MPI_Comm comm)
{
    for (size_t at = 0; at < values.size(); at += kMostPerCall)
        SB_CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, values.data() + at,
                                   int(std::min(kMostPerCall, values.size() - at)), type, MPI_SUM,
                                   comm));
}

void broadcastBytes(std::byte* bytes, size_t count, int root, MPI_Comm comm)
{
    for (size_t at = 0; at < count; at += kMostPerCall)
        SB_CHECK_MPI(
            MPI_Bcast(bytes + at, int(std::min(kMostPerCall, count - at)), MPI_BYTE, root, comm));
}

/// Sizes and starts as MPI wants them; the caller has checked that the total is below 2^31.
struct Counts {
    std::vector<int> sizes, starts;
    explicit Counts(std::span<const size_t> bytes)
    {
        int at = 0;
        for (const size_t n : bytes) {
            sizes.push_back(int(n));
            starts.push_back(at);
            at += int(n);
        }
    }
};

size_t sumOf(std::span<const size_t> sizes)
{
    return std::accumulate(sizes.begin(), sizes.end(), size_t{0});
}

class MpiCommunicator final : public Communicator
{
public:
    explicit MpiCommunicator(const CommOptions& options)
        : topology_(findTopology(options.ranksPerNode)),
          environmentTimeout_(timeoutOfEnvironment()),
          mostPerMessage_(options.mostPerMessage),
          board_(topology_),
          mailbox_(topology_),
          watchdog_(timeoutS_,
                    [this](const Collective& what, double seconds) { stuck(what, seconds); })
    {
        setTimeout(options.timeoutS);
        gates_[0] = std::make_unique<ArrivalGate>(topology_, board_, 0, timeoutS_);
    }
    ~MpiCommunicator() override
    {
        if (board_.failed())
            topology_.abandon();
    }
    MpiCommunicator(const MpiCommunicator&) = delete;
    MpiCommunicator& operator=(const MpiCommunicator&) = delete;
    using Communicator::allGather;

    int rank() const override { return topology_.rank; }
    int size() const override { return topology_.size; }
    int localRank() const override { return topology_.localRank; }
    int localSize() const override { return topology_.localSize; }
    int node() const override { return topology_.node; }
    int nodes() const override { return topology_.nodes; }
    const std::string& hostName() const override { return topology_.hosts[size_t(rank())]; }
    std::string describe() const override { return mpiLibrary(); }

    void barrier() override
    {
        // The arrival of all is the barrier.
        together(CollectiveKind::Barrier, 0, 0, [] {});
    }
    void allReduceSum(std::span<double> values) override
    {
        const int64_t bytes = int64_t(values.size_bytes());
        together(CollectiveKind::AllReduce, bytes, bytes,
                 [&] { sumInPlace(values, MPI_DOUBLE, world()); });
    }
    void allReduceSum(std::span<float> values) override
    {
        const int64_t bytes = int64_t(values.size_bytes());
        together(CollectiveKind::AllReduce, bytes, bytes,
                 [&] { sumInPlace(values, MPI_FLOAT, world()); });
    }
    void reduceScatterSum(std::span<const float> input, const ShardStarts& shards,
                          std::span<float> output) override
    {
        checkShards(input, shards, output);
        const int64_t bytes = int64_t(input.size_bytes());
        std::vector<int> counts;
        for (size_t r = 0; r + 1 < shards.size(); ++r)
            counts.push_back(int(shards[r + 1] - shards[r]));
        together(CollectiveKind::ReduceScatter, bytes, bytes, [&] {
            SB_CHECK_MPI(MPI_Reduce_scatter(input.data(), output.data(), counts.data(), MPI_FLOAT,
                                            MPI_SUM, world()));
        });
    }
    void allGather(std::span<const std::byte> mine, std::span<const size_t> sizes,
                   std::span<std::byte> all) override;
    void allToAll(std::span<const std::byte> send, std::span<const size_t> sendSizes,
                  std::span<std::byte> receive, std::span<const size_t> receiveSizes) override;
    void broadcast(std::span<std::byte> bytes, int root) override
    {
        const int64_t size = int64_t(bytes.size());
        together(CollectiveKind::Broadcast, size, rank() == root ? size : 0,
                 [&] { broadcastBytes(bytes.data(), bytes.size(), root, world()); });
    }
    std::unique_ptr<ReductionArena> makeArena(size_t floats, AllReduceKind kind) override;

    void setTimeout(double seconds) override
    {
        timeoutS_ = seconds > 0 ? environmentTimeout_.value_or(seconds) : 0.0;
    }
    double timeout() const override { return timeoutS_; }
    void fail(const std::string& code, const std::string& message) noexcept override;
    void setFatalHandler(std::function<void(const CollectiveError&)> handler) override
    {
        const std::lock_guard lock(mutex_);
        fatalHandler_ = std::move(handler);
    }
    int reporter() const override { return board_.failed() ? board_.failure().reporter : 0; }
    [[noreturn]] void abort(int exitCode) override;

private:
    MPI_Comm world() const { return topology_.world.get(); }

    /// Waits for all workers, then runs `body`, which calls MPI. `agreed`: what all workers must
    /// have alike; `bytes`: for the counters.
    template <typename Body>
    void together(CollectiveKind kind, int64_t agreed, int64_t bytes, Body body)
    {
        const Collective what{kind, agreed, -1, step()};
        CollectiveTimer timer(*this, kind, bytes);
        ArrivalGate::Visit visit(*gates_[0], what);
        visit.waitForAll();
        timer.arrived();
        const Watchdog::Guard guard(watchdog_, 0, what);
        body();
    }
    void checkShards(std::span<const float> input, const ShardStarts& shards,
                     std::span<float> output) const;
    /// Calls body(first byte, bytes) for each piece of a message from or to a worker of another
    /// node.
    template <typename Byte, typename Body>
    void inPieces(int other, std::span<Byte> message, const Body& body) const
    {
        if (topology_.nodeOf[size_t(other)] == topology_.node)
            return;
        for (size_t at = 0; at < message.size(); at += mostPerMessage_)
            body(message.data() + at, int(std::min(mostPerMessage_, message.size() - at)));
    }
    void copyOwn(std::span<const std::byte> send, std::span<const size_t> sendSizes,
                 std::span<std::byte> receive, std::span<const size_t> receiveSizes) const;
    void stuck(const Collective& what, double seconds);
    void spread(const FailureNote& note) noexcept;

    Topology topology_;
    std::optional<double> environmentTimeout_;
    size_t mostPerMessage_;
    std::atomic<double> timeoutS_{0};
    NodeBoard board_;
    NodeMailbox mailbox_;
    std::mutex mutex_; ///< guards the two below
    std::function<void(const CollectiveError&)> fatalHandler_;
    std::array<std::unique_ptr<ArrivalGate>, NodeBoard::kChannels> gates_; ///< never removed
    std::array<bool, NodeBoard::kChannels> used_ = {true};
    Watchdog watchdog_; ///< last: its thread uses the rest
};

void MpiCommunicator::checkShards(std::span<const float> input, const ShardStarts& shards,
                                  std::span<float> output) const
{
    const size_t me = size_t(rank());
    SB_REQUIRE(shards.size() == size_t(size()) + 1 && shards.back() == input.size() &&
                   output.size() == shards[me + 1] - shards[me],
               "reduceScatterSum: shards do not fit the arrays");
    for (size_t r = 0; r + 1 < shards.size(); ++r)
        SB_REQUIRE(shards[r + 1] - shards[r] <= size_t(INT_MAX),
                   "reduceScatterSum: a shard of more than 2^31 elements");
}

void MpiCommunicator::allGather(std::span<const std::byte> mine, std::span<const size_t> sizes,
                                std::span<std::byte> all)
{
    const size_t total = sumOf(sizes);
    SB_REQUIRE(sizes.size() == size_t(size()) && sizes[size_t(rank())] == mine.size() &&
                   all.size() == total,
               "allGather: sizes do not fit the arrays");
    const size_t start = sumOf(sizes.first(size_t(rank())));
    const bool inPlace = mine.data() == all.data() + start;
    together(CollectiveKind::AllGather, int64_t(total), int64_t(mine.size()), [&] {
        if (total > size_t(INT_MAX)) {
            if (!inPlace)
                std::copy(mine.begin(), mine.end(), all.begin() + std::ptrdiff_t(start));
            std::byte* at = all.data();
            for (int r = 0; r < size(); at += sizes[size_t(r)], ++r)
                broadcastBytes(at, sizes[size_t(r)], r, world());
            return;
        }
        const Counts counts(sizes);
        const void* from = inPlace ? MPI_IN_PLACE : static_cast<const void*>(mine.data());
        SB_CHECK_MPI(MPI_Allgatherv(from, int(mine.size()), MPI_BYTE, all.data(),
                                    counts.sizes.data(), counts.starts.data(), MPI_BYTE, world()));
    });
}

void MpiCommunicator::allToAll(std::span<const std::byte> send, std::span<const size_t> sendSizes,
                               std::span<std::byte> receive, std::span<const size_t> receiveSizes)
{
    SB_REQUIRE(sendSizes.size() == size_t(size()) && receiveSizes.size() == size_t(size()) &&
                   sumOf(sendSizes) == send.size() && sumOf(receiveSizes) == receive.size(),
               "allToAll: sizes do not fit the arrays");
    SB_REQUIRE(sendSizes[size_t(rank())] == receiveSizes[size_t(rank())],
               "allToAll: a worker sends itself what it receives from itself");
    const Collective what{CollectiveKind::AllToAll, 0, -1, step()};
    CollectiveTimer timer(*this, what.kind, int64_t(send.size()));
    ArrivalGate::Visit visit(*gates_[0], what);
    mailbox_.post(send, sendSizes);
    visit.waitForAll();
    timer.arrived();
    // Between nodes messages are on their way while those of the node are copied.
    std::vector<MPI_Request> requests;
    size_t at = 0;
    for (int r = 0; r < size(); at += receiveSizes[size_t(r)], ++r)
        inPieces(r, receive.subspan(at, receiveSizes[size_t(r)]), [&](std::byte* to, int bytes) {
            SB_CHECK_MPI(MPI_Irecv(to, bytes, MPI_BYTE, r, 0, world(), &requests.emplace_back()));
        });
    at = 0;
    for (int r = 0; r < size(); at += sendSizes[size_t(r)], ++r)
        inPieces(r, send.subspan(at, sendSizes[size_t(r)]), [&](const std::byte* from, int bytes) {
            SB_CHECK_MPI(MPI_Isend(from, bytes, MPI_BYTE, r, 0, world(), &requests.emplace_back()));
        });
    copyOwn(send, sendSizes, receive, receiveSizes);
    mailbox_.exchange(visit, send, sendSizes, receive, receiveSizes);
    const Watchdog::Guard guard(watchdog_, 0, what);
    SB_CHECK_MPI(MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
}

void MpiCommunicator::copyOwn(std::span<const std::byte> send, std::span<const size_t> sendSizes,
                              std::span<std::byte> receive,
                              std::span<const size_t> receiveSizes) const
{
    const size_t me = size_t(rank());
    if (sendSizes[me] > 0)
        std::memcpy(receive.data() + sumOf(receiveSizes.first(me)),
                    send.data() + sumOf(sendSizes.first(me)), sendSizes[me]);
}

std::unique_ptr<ReductionArena> MpiCommunicator::makeArena(size_t floats, AllReduceKind kind)
{
    // Workers make and free arenas in the same order: they find the same channel free.
    int channel = 0;
    {
        const std::lock_guard lock(mutex_);
        while (channel < NodeBoard::kChannels && used_[size_t(channel)])
            ++channel;
        SB_REQUIRE(channel < NodeBoard::kChannels, "too many reduction arenas at once");
        used_[size_t(channel)] = true;
        auto& gate = gates_[size_t(channel)];
        if (!gate)
            gate = std::make_unique<ArrivalGate>(topology_, board_, channel, timeoutS_);
    }
    const ArenaContext context{*this,
                               topology_,
                               watchdog_,
                               *gates_[size_t(channel)],
                               channel,
                               [this, channel] {
                                   const std::lock_guard lock(mutex_);
                                   used_[size_t(channel)] = false;
                               },
                               [this] { return board_.failed(); }};
    std::unique_ptr<ReductionArena> arena;
    together(CollectiveKind::Setup, int64_t(floats * sizeof(float)), 0,
             [&] { arena = makeMpiArena(context, floats, kind); });
    return arena;
}

void MpiCommunicator::spread(const FailureNote& note) noexcept
{
    for (const auto& gate : gates_)
        if (gate)
            gate->spread(note);
}

void MpiCommunicator::fail(const std::string& code, const std::string& message) noexcept
{
    try {
        const FailureNote note = makeNote(code, message, rank(), hostName(), 0);
        board_.post(note);
        const std::lock_guard lock(mutex_);
        spread(note);
    } catch (...) {
        std::fputs("scalebench-engine: a failure could not be told to the other workers\n", stderr);
    }
}

/// On the watchdog's thread.
void MpiCommunicator::stuck(const Collective& what, double seconds)
{
    std::string suspects;
    int first = -1;
    for (int r = 0; r < topology_.localSize; ++r) {
        const ProcessState state = board_.processState(r);
        if (state != ProcessState::Gone && state != ProcessState::Stopped)
            continue;
        const int suspect = topology_.ranksHere[size_t(r)];
        first = first < 0 ? suspect : first;
        suspects += "; rank " + std::to_string(suspect) + " on " + hostName() + ": " +
                    board_.whereabouts(r);
    }
    char limit[32];
    std::snprintf(limit, sizeof limit, "%.3g s", seconds);
    const FailureNote note =
        makeNote("collective_timeout",
                 "the " + dist::describe(what) + " did not end within " + limit +
                     " although all workers had come to it" +
                     (suspects.empty() ? "; the network or a node may be down" : suspects),
                 first, first >= 0 ? hostName() : "", first == 0 ? 1 : 0);
    board_.post(note);
    std::function<void(const CollectiveError&)> handler;
    {
        const std::lock_guard lock(mutex_);
        spread(note);
        handler = fatalHandler_;
    }
    const FailureNote& told = board_.failure();
    const CollectiveError error(told.code, told.message, told.rank, told.host);
    if (handler)
        handler(error);
    else
        std::fprintf(stderr, "rank %d: %s\n", rank(), error.what());
    abort(3);
}

void MpiCommunicator::abort(int exitCode)
{
    if (!board_.failed())
        fail("comm", "rank " + std::to_string(rank()) + " on " + hostName() + " ended the run");
    const auto end = std::chrono::steady_clock::now() + kLastWords;
    while (rank() != reporter() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    MPI_Abort(MPI_COMM_WORLD, exitCode);
    std::_Exit(exitCode);
}

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

std::unique_ptr<Communicator> makeMpiCommunicator(const CommOptions& options)
{
    return std::make_unique<MpiCommunicator>(options);
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
