// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/comm_error.h"
#include "engine/dist/communicator.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <unistd.h>

namespace scalebench::dist {
namespace {

class SelfArena final : public ReductionArena
{
public:
    explicit SelfArena(size_t floats) : size_(floats)
    {
        data_ = static_cast<float*>(
            ::operator new[](std::max<size_t>(floats, 1) * sizeof(float), std::align_val_t{64}));
        std::fill(data_, data_ + floats, 0.0f);
    }
    ~SelfArena() override { ::operator delete[](data_, std::align_val_t{64}); }
    SelfArena(const SelfArena&) = delete;
    SelfArena& operator=(const SelfArena&) = delete;
    std::span<float> local() override { return {data_, size_}; }
    void allReduce(size_t, size_t) override {}
    const char* method() const override { return "self"; }

private:
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
    int rank() const override { return 0; }
    int size() const override { return 1; }
    int localRank() const override { return 0; }
    int localSize() const override { return 1; }
    int node() const override { return 0; }
    int nodes() const override { return 1; }
    const std::string& hostName() const override { return host_; }
    std::string describe() const override { return "none"; }
    void allReduceSum(std::span<double>) override {}
    void allReduceSum(std::span<float>) override {}
    void broadcast(std::span<std::byte>, int) override {}
    std::vector<std::string> allGather(std::string_view text) override
    {
        return {std::string(text)};
    }
    void barrier() override {}
    std::unique_ptr<ReductionArena> makeArena(size_t floats, AllReduceKind) override
    {
        return std::make_unique<SelfArena>(floats);
    }
    [[noreturn]] void abort(int exitCode) override { std::_Exit(exitCode); }

private:
    std::string host_ = "localhost";
};

} // namespace

std::unique_ptr<Communicator> makeSelfCommunicator()
{
    return std::make_unique<SelfCommunicator>();
}

AllReduceKind parseAllReduceKind(const std::string& name)
{
    if (name == "auto")
        return AllReduceKind::Auto;
    if (name == "shm")
        return AllReduceKind::SharedMemory;
    if (name == "mpi")
        return AllReduceKind::Mpi;
    throw InvalidArgument("unknown all-reduce \"" + name + "\": use auto, shm or mpi", "usage");
}

} // namespace scalebench::dist
