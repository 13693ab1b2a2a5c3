// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs the chunks of a multi-tensor update, and adds up what they leave.

#include "kernels/cpu/parallel.h"
#include "kernels/multi_tensor.h"

namespace scalebench::kernels::cpu {

/// body(chunk, number of the chunk), on several threads when there are any.
template <class Body>
void forChunks(const ChunkList& list, Body&& body)
{
    parallelFor(std::int64_t(list.chunks.size()),
                [&](std::int64_t i) { body(list.chunks[std::size_t(i)], i); });
}

/// sums[t] = the partial numbers of the chunks of tensor t, added in order.
inline void sumByTensor(const ChunkList& list, const double* partial, double* sums)
{
    std::fill_n(sums, list.tensors.size(), 0.0);
    for (std::size_t i = 0; i < list.chunks.size(); ++i)
        sums[list.chunks[i].tensor] += partial[i];
}

} // namespace scalebench::kernels::cpu
