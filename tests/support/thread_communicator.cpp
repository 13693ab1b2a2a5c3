// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/thread_communicator.h"

#include "engine/dist/comm_error.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace scalebench::test {
namespace {

using namespace scalebench::dist;

/// The failure of one worker as all see it.
struct Note {
    std::string code, message;
    int rank;
};

/// A barrier with a time-out; also of each arena, which another thread may use.
class Meeting
{
public:
    explicit Meeting(int workers) : arrived_(size_t(workers)) {}

    void meet(int rank, const Collective& what, double timeoutS)
    {
        std::unique_lock lock(mutex_);
        const uint64_t number = ++arrived_[size_t(rank)];
        changed_.notify_all();
        const auto complete = [&] {
            return note_ || std::all_of(arrived_.begin(), arrived_.end(),
                                        [&](uint64_t n) { return n >= number; });
        };
        const auto limit = std::chrono::duration<double>(timeoutS > 0 ? timeoutS : 1e6);
        if (!changed_.wait_for(lock, limit, complete))
            note_ = missing(what, number);
        if (note_) {
            changed_.notify_all();
            throw CollectiveError(note_->code, note_->message, note_->rank, "localhost");
        }
    }
    void fail(const Note& note)
    {
        const std::lock_guard lock(mutex_);
        if (!note_)
            note_ = note;
        changed_.notify_all();
    }

private:
    Note missing(const Collective& what, uint64_t number) const
    {
        int rank = 0;
        while (arrived_[size_t(rank)] >= number)
            ++rank;
        return {"collective_timeout",
                "rank " + std::to_string(rank) + " did not come to the " + describe(what), rank};
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<uint64_t> arrived_;
    std::optional<Note> note_;
};

/// What all workers have in common.
struct Job {
    explicit Job(int n) : workers(n), meeting(n), pointers(size_t(n)), sizes(size_t(n)) {}

    struct ArenaMemory {
        ArenaMemory(int workers, size_t floats) : meeting(workers), lines(size_t(workers))
        {
            for (auto& memory : lines)
                memory.resize((floats + 31) / 16 * 16); // room to begin at a line
        }
        Meeting meeting;
        std::vector<std::vector<float>> lines;
    };

    int workers;
    Meeting meeting;
    std::vector<const void*> pointers;
    std::vector<std::span<const size_t>> sizes;
    std::mutex mutex;
    std::vector<std::weak_ptr<ArenaMemory>> arenas;
    std::shared_ptr<ArenaMemory> newest;
    std::exception_ptr first;

    void fail(const Note& note)
    {
        meeting.fail(note);
        const std::lock_guard lock(mutex);
        for (const auto& arena : arenas)
            if (const auto memory = arena.lock())
                memory->meeting.fail(note);
    }
};

class ThreadArena final : public ReductionArena
{
public:
    ThreadArena(Communicator& communicator, std::shared_ptr<Job::ArenaMemory> memory, size_t floats)
        : communicator_(communicator), memory_(std::move(memory)), floats_(floats)
    {
    }
    std::span<float> local() override { return of(communicator_.rank()); }
    void allReduce(size_t offset, size_t count, int64_t bucket) override
    {
        sum(offset, count, {0, floats_},
            {CollectiveKind::GradientAllReduce, int64_t(count * sizeof(float)), bucket,
             communicator_.step()});
    }
    void reduceScatter(size_t offset, size_t count, const ShardStarts& shards,
                       int64_t bucket) override
    {
        const size_t me = size_t(communicator_.rank());
        sum(offset, count, {shards[me], shards[me + 1]},
            {CollectiveKind::GradientReduceScatter, int64_t(count * sizeof(float)), bucket,
             communicator_.step()});
    }
    void allGather(std::span<float> values, const ShardStarts& shards) override
    {
        communicator_.allGather(values, shards);
    }
    const char* method() const override { return "threads"; }

private:
    std::span<float> of(int rank)
    {
        std::vector<float>& memory = memory_->lines[size_t(rank)];
        void* at = memory.data();
        size_t room = memory.size() * sizeof(float);
        std::align(64, floats_ * sizeof(float), at, room);
        return {static_cast<float*>(at), floats_};
    }
    void sum(size_t offset, size_t count, std::pair<size_t, size_t> part, const Collective& what)
    {
        CollectiveTimer timer(communicator_, what.kind, what.bytes);
        const int me = communicator_.rank();
        memory_->meeting.meet(me, what, communicator_.timeout());
        timer.arrived();
        const size_t from = std::max(offset, part.first);
        const size_t to = std::max(from, std::min(offset + count, part.second));
        std::vector<float> total(of(0).begin() + std::ptrdiff_t(from),
                                 of(0).begin() + std::ptrdiff_t(to));
        for (int r = 1; r < communicator_.size(); ++r)
            for (size_t i = 0; i < total.size(); ++i)
                total[i] += of(r)[from + i];
        memory_->meeting.meet(me, what, communicator_.timeout());
        std::copy(total.begin(), total.end(), of(me).begin() + std::ptrdiff_t(from));
        memory_->meeting.meet(me, what, communicator_.timeout());
    }

    Communicator& communicator_;
    std::shared_ptr<Job::ArenaMemory> memory_;
    size_t floats_;
};

class ThreadCommunicator final : public Communicator
{
public:
    ThreadCommunicator(Job& job, int rank) : job_(job), rank_(rank) {}
    using Communicator::allGather;
    int rank() const override { return rank_; }
    int size() const override { return job_.workers; }
    int localRank() const override { return rank_; }
    int localSize() const override { return job_.workers; }
    int node() const override { return 0; }
    int nodes() const override { return 1; }
    const std::string& hostName() const override { return host_; }
    std::string describe() const override { return "threads"; }

    void barrier() override
    {
        const CollectiveTimer timer(*this, CollectiveKind::Barrier, 0);
        meet({CollectiveKind::Barrier, 0, -1, step()});
    }
    void allReduceSum(std::span<double> values) override { sumInPlace(values); }
    void allReduceSum(std::span<float> values) override { sumInPlace(values); }
    void reduceScatterSum(std::span<const float> input, const ShardStarts& shards,
                          std::span<float> output) override
    {
        visit({CollectiveKind::ReduceScatter, int64_t(input.size_bytes()), -1, step()},
              input.data(), {}, [&] {
                  const size_t from = shards[size_t(rank_)];
                  for (size_t i = 0; i < output.size(); ++i) {
                      output[i] = 0;
                      for (int r = 0; r < size(); ++r)
                          output[i] += static_cast<const float*>(of(r))[from + i];
                  }
              });
    }
    void allGather(std::span<const std::byte> mine, std::span<const size_t> sizes,
                   std::span<std::byte> all) override
    {
        visit({CollectiveKind::AllGather, int64_t(all.size()), -1, step()}, mine.data(), {}, [&] {
            std::byte* to = all.data();
            for (int r = 0; r < size(); to += sizes[size_t(r)], ++r)
                if (sizes[size_t(r)] > 0 && of(r) != to) // in place: others read it now
                    std::memmove(to, of(r), sizes[size_t(r)]);
        });
    }
    void allToAll(std::span<const std::byte> send, std::span<const size_t> sendSizes,
                  std::span<std::byte> receive, std::span<const size_t> receiveSizes) override
    {
        visit({CollectiveKind::AllToAll, 0, -1, step()}, send.data(), sendSizes, [&] {
            std::byte* to = receive.data();
            for (int r = 0; r < size(); to += receiveSizes[size_t(r)], ++r) {
                const std::byte* from = static_cast<const std::byte*>(of(r));
                for (int s = 0; s < rank_; ++s)
                    from += job_.sizes[size_t(r)][size_t(s)];
                if (receiveSizes[size_t(r)] > 0)
                    std::memcpy(to, from, receiveSizes[size_t(r)]);
            }
        });
    }
    void broadcast(std::span<std::byte> bytes, int root) override
    {
        visit({CollectiveKind::Broadcast, int64_t(bytes.size()), -1, step()}, bytes.data(), {},
              [&] {
                  if (rank_ != root && !bytes.empty())
                      std::memcpy(bytes.data(), of(root), bytes.size());
              });
    }
    std::unique_ptr<ReductionArena> makeArena(size_t floats, AllReduceKind) override
    {
        const Collective what{CollectiveKind::Setup, int64_t(floats), -1, step()};
        meet(what);
        if (rank_ == 0) {
            const std::lock_guard lock(job_.mutex);
            job_.newest = std::make_shared<Job::ArenaMemory>(job_.workers, floats);
            job_.arenas.push_back(job_.newest);
        }
        meet(what);
        auto arena = std::make_unique<ThreadArena>(*this, job_.newest, floats);
        meet(what);
        return arena;
    }
    void setTimeout(double seconds) override { timeoutS_ = seconds; }
    double timeout() const override { return timeoutS_; }
    void fail(const std::string& code, const std::string& message) noexcept override
    {
        job_.fail({code, message, rank_});
    }
    [[noreturn]] void abort(int exitCode) override { std::_Exit(exitCode); }

private:
    void meet(const Collective& what) { job_.meeting.meet(rank_, what, timeoutS_); }
    const void* of(int rank) const { return job_.pointers[size_t(rank)]; }

    /// Runs `read` while everybody's pointer may be read by all.
    template <typename Read>
    void visit(const Collective& what, const void* mine, std::span<const size_t> sizes, Read read)
    {
        CollectiveTimer timer(*this, what.kind, what.bytes);
        job_.pointers[size_t(rank_)] = mine;
        job_.sizes[size_t(rank_)] = sizes;
        meet(what);
        timer.arrived();
        read();
        meet(what);
    }
    template <typename T>
    void sumInPlace(std::span<T> values)
    {
        std::vector<T> total(values.size());
        visit({CollectiveKind::AllReduce, int64_t(values.size_bytes()), -1, step()}, values.data(),
              {}, [&] {
                  for (int r = 0; r < size(); ++r)
                      for (size_t i = 0; i < total.size(); ++i)
                          total[i] += static_cast<const T*>(of(r))[i];
              });
        std::copy(total.begin(), total.end(), values.begin());
    }

    Job& job_;
    int rank_;
    double timeoutS_ = 0; ///< never: a slow machine is no fault, and ctest ends what hangs
    std::string host_ = "localhost";
};

} // namespace

void runThreads(int workers, const std::function<void(Communicator&)>& body)
{
    Job job(workers);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < workers; ++rank)
        threads.emplace_back([&, rank] {
            ThreadCommunicator communicator(job, rank);
            try {
                body(communicator);
            } catch (const std::exception& e) {
                {
                    const std::lock_guard lock(job.mutex);
                    if (!job.first)
                        job.first = std::current_exception();
                }
                communicator.fail("comm", "rank " + std::to_string(rank) + ": " + e.what());
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    if (job.first)
        std::rethrow_exception(job.first);
}

} // namespace scalebench::test
