// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/comm_error.h"
#include "engine/dist/communicator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include <unistd.h>

namespace scalebench::dist {
namespace {

void copyBytes(std::span<const std::byte> from, std::span<std::byte> to)
{
    if (!from.empty() && from.data() != to.data())
        std::memmove(to.data(), from.data(), from.size());
}

class SelfArena final : public ReductionArena
{
public:
    SelfArena(Communicator& communicator, size_t floats)
        : communicator_(communicator), size_(floats)
    {
        data_ = static_cast<float*>(
            ::operator new[](std::max<size_t>(floats, 1) * sizeof(float), std::align_val_t{64}));
        std::fill(data_, data_ + floats, 0.0f);
    }
    ~SelfArena() override { ::operator delete[](data_, std::align_val_t{64}); }
    SelfArena(const SelfArena&) = delete;
    SelfArena& operator=(const SelfArena&) = delete;
    std::span<float> local() override { return {data_, size_}; }
    void allReduce(size_t, size_t count, int64_t) override
    {
        const CollectiveTimer timer(communicator_, CollectiveKind::GradientAllReduce,
                                    int64_t(count * sizeof(float)));
    }
    void reduceScatter(size_t, size_t count, const ShardStarts&, int64_t) override
    {
        const CollectiveTimer timer(communicator_, CollectiveKind::GradientReduceScatter,
                                    int64_t(count * sizeof(float)));
    }
    void allGather(std::span<float> values, const ShardStarts&) override
    {
        const CollectiveTimer timer(communicator_, CollectiveKind::AllGather,
                                    int64_t(values.size_bytes()));
    }
    const char* method() const override { return "self"; }

private:
    Communicator& communicator_;
    size_t size_;
    float* data_;
};

class SelfCommunicator final : public Communicator
{
public:
    SelfCommunicator()
    {
        char name[256] = {};
        if (::gethostname(name, sizeof name - 1) == 0)
            host_ = name;
    }
    using Communicator::allGather;
    int rank() const override { return 0; }
    int size() const override { return 1; }
    int localRank() const override { return 0; }
    int localSize() const override { return 1; }
    int node() const override { return 0; }
    int nodes() const override { return 1; }
    const std::string& hostName() const override { return host_; }
    std::string describe() const override { return "none"; }

    void barrier() override { count(CollectiveKind::Barrier, 0, 0, 0); }
    void allReduceSum(std::span<double> values) override
    {
        count(CollectiveKind::AllReduce, int64_t(values.size_bytes()), 0, 0);
    }
    void allReduceSum(std::span<float> values) override
    {
        count(CollectiveKind::AllReduce, int64_t(values.size_bytes()), 0, 0);
    }
    void reduceScatterSum(std::span<const float> input, const ShardStarts&,
                          std::span<float> output) override
    {
        const CollectiveTimer timer(*this, CollectiveKind::ReduceScatter,
                                    int64_t(input.size_bytes()));
        copyBytes(std::as_bytes(input), std::as_writable_bytes(output));
    }
    void allGather(std::span<const std::byte> mine, std::span<const size_t>,
                   std::span<std::byte> all) override
    {
        const CollectiveTimer timer(*this, CollectiveKind::AllGather, int64_t(mine.size()));
        copyBytes(mine, all);
    }
    void allToAll(std::span<const std::byte> send, std::span<const size_t>,
                  std::span<std::byte> receive, std::span<const size_t>) override
    {
        const CollectiveTimer timer(*this, CollectiveKind::AllToAll, int64_t(send.size()));
        copyBytes(send, receive);
    }
    void broadcast(std::span<std::byte> bytes, int) override
    {
        count(CollectiveKind::Broadcast, int64_t(bytes.size()), 0, 0);
    }
    std::unique_ptr<ReductionArena> makeArena(size_t floats, AllReduceKind) override
    {
        return std::make_unique<SelfArena>(*this, floats);
    }
    // Nobody is waited for here; a device's group of one takes the time from it.
    void setTimeout(double seconds) override { timeout_ = seconds; }
    double timeout() const override { return timeout_; }
    [[noreturn]] void abort(int exitCode) override { std::_Exit(exitCode); }

private:
    std::string host_ = "localhost";
    double timeout_ = 0;
};

} // namespace

std::unique_ptr<Communicator> makeSelfCommunicator()
{
    return std::make_unique<SelfCommunicator>();
}

} // namespace scalebench::dist
