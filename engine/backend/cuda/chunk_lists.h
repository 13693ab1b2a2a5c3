// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Copies in device memory of the chunk lists that optimizers work through. A list is built once and
// used in every step; it is recognised by its content (an address may be used again for another
// list), which takes far less time than the update itself.

#include "engine/backend/cuda/cuda_context.h"
#include "kernels/cuda/multi_tensor.h"

#include <cstddef>
#include <list>
#include <vector>

namespace scalebench::cuda_backend {

class ChunkLists
{
public:
    explicit ChunkLists(CudaContext& context) : context_(context) {}

    /// For kernels issued until the next call. InvalidArgument, naming the op, unless every chunk
    /// lies in arrays of `elements`, names a tensor of the list, and chunks are ordered by tensor.
    kernels::cuda::DeviceChunks get(const char* op, const ChunkList& list, std::size_t elements);

private:
    struct Entry {
        std::vector<TensorChunk> chunks;
        std::vector<TensorSetting> tensors;
        std::size_t reach = 0; ///< elements that arrays need
        Tensor chunkTable, settingTable, firstTable;
    };
    Entry make(const char* op, const ChunkList& list, std::size_t elements);

    CudaContext& context_;
    std::list<Entry> entries_; ///< the latest used first
};

} // namespace scalebench::cuda_backend
