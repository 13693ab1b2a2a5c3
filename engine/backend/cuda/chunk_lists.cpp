// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/chunk_lists.h"

#include <algorithm>
#include <string>

#include "engine/backend/optimizer_arguments.h"

namespace scalebench::cuda_backend {
namespace {

constexpr std::size_t kKept = 8;

} // namespace

kernels::cuda::DeviceChunks ChunkLists::get(const char* op, const ChunkList& list,
                                            std::size_t elements)
{
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
        return std::equal(e.chunks.begin(), e.chunks.end(), list.chunks.begin(),
                          list.chunks.end()) &&
               std::equal(e.tensors.begin(), e.tensors.end(), list.tensors.begin(),
                          list.tensors.end());
    });
    if (found == entries_.end())
        entries_.push_front(make(op, list, elements));
    else
        entries_.splice(entries_.begin(), entries_, found);
    if (entries_.size() > kKept)
        entries_.pop_back();
    const Entry& entry = entries_.front();
    if (entry.reach > elements)
        requireList(op, list, elements); // throws, naming the chunk
    return {static_cast<const TensorChunk*>(entry.chunkTable.data()),
            static_cast<const TensorSetting*>(entry.settingTable.data()),
            static_cast<const std::int32_t*>(entry.firstTable.data()),
            std::int64_t(entry.chunks.size()), std::int64_t(entry.tensors.size())};
}

ChunkLists::Entry ChunkLists::make(const char* op, const ChunkList& list, std::size_t elements)
{
    requireList(op, list, elements);
    Entry e;
    e.chunks.assign(list.chunks.begin(), list.chunks.end());
    e.tensors.assign(list.tensors.begin(), list.tensors.end());
    std::vector<std::int32_t> first(e.tensors.size() + 1);
    for (std::size_t i = 0; i < e.chunks.size(); ++i) {
        const TensorChunk& c = e.chunks[i];
        SB_REQUIRE(i == 0 || e.chunks[i - 1].tensor <= c.tensor,
                   std::string(op) + ": the chunks are not ordered by tensor");
        SB_REQUIRE(c.count <= kChunkElements, std::string(op) + ": a chunk of " +
                                                  std::to_string(c.count) + " elements; at most " +
                                                  std::to_string(kChunkElements) + " are allowed");
        e.reach = std::max(e.reach, std::size_t(c.offset) + std::size_t(c.count));
        first[std::size_t(c.tensor) + 1] = std::int32_t(i + 1);
    }
    for (std::size_t t = 1; t < first.size(); ++t)
        first[t] = std::max(first[t], first[t - 1]); // tensors without chunks
    e.chunkTable = context_.makeTable(std::span<const TensorChunk>(e.chunks));
    e.settingTable = context_.makeTable(std::span<const TensorSetting>(e.tensors));
    e.firstTable = context_.makeTable(std::span<const std::int32_t>(first));
    return e;
}

} // namespace scalebench::cuda_backend
