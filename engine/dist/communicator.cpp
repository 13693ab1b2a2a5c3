// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/communicator.h"

#include "kernels/check.h"

#include <algorithm>
#include <chrono>

namespace scalebench::dist {
namespace {

int64_t nowNs()
{
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

} // namespace

AllReduceKind parseAllReduceKind(const std::string& name)
{
    if (name == "auto")
        return AllReduceKind::Auto;
    if (name == "shm")
        return AllReduceKind::SharedMemory;
    if (name == "mpi")
        return AllReduceKind::Mpi;
    if (name == "nccl")
        return AllReduceKind::Nccl;
    if (name == "staged")
        return AllReduceKind::Staged;
    throw InvalidArgument("unknown all-reduce \"" + name +
                              "\": use auto, shm or mpi, on GPUs auto, nccl or staged",
                          "usage");
}

ShardStarts equalShards(size_t length, int workers)
{
    constexpr size_t kLine = 16;
    const size_t lines = (length + kLine - 1) / kLine;
    ShardStarts starts;
    for (int r = 0; r <= workers; ++r)
        starts.push_back(std::min(length, lines * size_t(r) / size_t(workers) * kLine));
    return starts;
}

void Communicator::allGather(std::span<float> values, const ShardStarts& shards)
{
    std::vector<size_t> bytes;
    for (size_t r = 0; r + 1 < shards.size(); ++r)
        bytes.push_back((shards[r + 1] - shards[r]) * sizeof(float));
    const auto me = size_t(rank());
    const std::span<std::byte> all = std::as_writable_bytes(values);
    allGather(all.subspan(shards[me] * sizeof(float), bytes[me]), bytes, all);
}

std::vector<std::string> Communicator::allGather(std::string_view text)
{
    const size_t workers = size_t(size());
    const size_t mine = text.size();
    std::vector<size_t> lengths(workers);
    const std::vector<size_t> one(workers, sizeof(size_t));
    allGather(std::as_bytes(std::span(&mine, 1)), one, std::as_writable_bytes(std::span(lengths)));
    size_t total = 0;
    for (const size_t length : lengths)
        total += length;
    std::string all(total, '\0');
    allGather(std::as_bytes(std::span(text.data(), text.size())), lengths,
              std::as_writable_bytes(std::span(all.data(), all.size())));
    std::vector<std::string> texts;
    size_t at = 0;
    for (const size_t length : lengths) {
        texts.push_back(all.substr(at, length));
        at += length;
    }
    return texts;
}

CommStatistics Communicator::statistics() const
{
    const std::lock_guard lock(statisticsMutex_);
    return statistics_;
}

void Communicator::count(CollectiveKind kind, int64_t bytes, double waitMs, double ms)
{
    const std::lock_guard lock(statisticsMutex_);
    CollectiveCounter& counter = statistics_[size_t(kind)];
    ++counter.calls;
    counter.bytes += bytes;
    counter.waitMs += waitMs;
    counter.ms += ms;
}

CollectiveTimer::CollectiveTimer(Communicator& communicator, CollectiveKind kind, int64_t bytes)
    : communicator_(communicator),
      kind_(kind),
      bytes_(bytes),
      startNs_(nowNs()),
      arrivedNs_(startNs_)
{
}

void CollectiveTimer::arrived()
{
    arrivedNs_ = nowNs();
}

CollectiveTimer::~CollectiveTimer()
{
    communicator_.count(kind_, bytes_, double(arrivedNs_ - startNs_) / 1e6,
                        double(nowNs() - startNs_) / 1e6);
}

} // namespace scalebench::dist
