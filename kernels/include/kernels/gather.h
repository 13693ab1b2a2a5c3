// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Entries of one axis picked by number (torch.index_select) and the gradient. For tables of
// parameters see kernels/embedding.h.

#include <cstdint>

#include "kernels/embedding.h"
#include "kernels/types.h"

namespace scalebench {

struct GatherParams {
    std::int64_t outer = 1; ///< product of the axes before
    std::int64_t axis = 1;  ///< size of the axis
    std::int64_t inner = 1; ///< product of the axes behind
    std::int64_t n = 0;     ///< entries picked
    DType dtype = DType::F32;
};

namespace kernels::cpu {

/// x [outer,axis,inner] -> y [outer,n,inner]; ids [n] inside [0, axis). Any element type.
void gatherForward(const GatherParams& p, const void* x, const std::int32_t* ids, void* y);
/// dy as y -> dx as x, overwritten: entries picked several times get the sum (in fp32, in the order
/// of the ids), others 0. groups: embeddingGroup() of the ids with rows = axis. F32 or BF16.
void gatherBackward(const GatherParams& p, const EmbeddingGroups& groups, const void* dy, void* dx);

} // namespace kernels::cpu
} // namespace scalebench
