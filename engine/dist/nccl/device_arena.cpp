// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/nccl/device_arena.h"

#include <algorithm>
#include <utility>

#include "engine/dist/nccl/nccl_group.h"
#include "engine/dist/nccl/staged_group.h"

namespace scalebench::dist {
namespace {

/// The group is none for one worker: nothing of NCCL or its network needs to work for it.
class DeviceArena final : public ReductionArena
{
public:
    DeviceArena(Backend& backend, std::unique_ptr<DeviceGroup> group, std::size_t floats)
        : group_(std::move(group)),
          memory_(backend.zeros({std::int64_t(std::max<std::size_t>(floats, 1))}, DType::F32)),
          floats_(floats)
    {
    }

    std::span<float> local() override { return {static_cast<float*>(memory_.data()), floats_}; }

    void allReduce(std::size_t offset, std::size_t count, std::int64_t) override
    {
        if (count > 0 && group_)
            group_->allReduceSum(at(offset), count, DType::F32);
    }

    /// Shards are not equal parts of a bucket: each is summed at its owner.
    void reduceScatter(std::size_t offset, std::size_t count, const ShardStarts& shards,
                       std::int64_t) override
    {
        if (!group_)
            return;
        group_->begin();
        forShards(shards, offset, offset + count, [&](std::size_t from, std::size_t n, int owner) {
            group_->reduceSum(at(from), n, DType::F32, owner);
        });
        group_->end();
    }

    void allGather(std::span<float> values, const ShardStarts& shards) override
    {
        if (!group_)
            return;
        group_->begin();
        forShards(shards, 0, values.size(), [&](std::size_t from, std::size_t n, int owner) {
            group_->broadcast(values.data() + from, n * sizeof(float), owner);
        });
        group_->end();
    }

    const char* method() const override { return group_ ? group_->method() : "self"; }
    bool onDevice() const override { return true; }
    void join() override
    {
        if (group_)
            group_->join();
    }
    double takeExposedMs() override { return group_ ? group_->takeExposedMs() : 0; }

private:
    float* at(std::size_t offset) { return static_cast<float*>(memory_.data()) + offset; }

    template <class F>
    static void forShards(const ShardStarts& shards, std::size_t from, std::size_t to, F&& f)
    {
        for (std::size_t r = 0; r + 1 < shards.size(); ++r) {
            const std::size_t first = std::max(from, shards[r]), last = std::min(to, shards[r + 1]);
            if (first < last)
                f(first, last - first, int(r));
        }
    }

    std::unique_ptr<DeviceGroup> group_;
    Tensor memory_;
    std::size_t floats_;
};

} // namespace

std::unique_ptr<DeviceGroup> makeDeviceGroup(Backend& backend, Communicator& communicator,
                                             AllReduceKind kind)
{
    if (kind == AllReduceKind::Staged)
        return makeStagedGroup(backend, communicator);
    return makeNcclGroup(backend, communicator);
}

std::unique_ptr<ReductionArena> makeDeviceArena(Backend& backend, Communicator& communicator,
                                                std::size_t floats, AllReduceKind kind)
{
    auto group = communicator.size() > 1 ? makeDeviceGroup(backend, communicator, kind) : nullptr;
    return std::make_unique<DeviceArena>(backend, std::move(group), floats);
}

} // namespace scalebench::dist
