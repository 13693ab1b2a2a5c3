// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The ids of several tables as those of one table, in which their rows follow one another: one sort
// and one sum then serve all of them.

#include <cuda_runtime.h>

#include "kernels/cuda/bad_index.h"

#include <cstdint>

namespace scalebench::kernels::cuda {

constexpr int kJoinedTables = 64; ///< at most

/// firstRow[t]: the row where table t begins; firstRow[count]: rows of all, below 2^31.
struct JoinedTables {
    int count = 0;
    const std::int32_t* ids[kJoinedTables]; ///< [n] each
    std::int64_t firstRow[kJoinedTables + 1];
};

/// joined [count * n]: id i of table t as a row of the whole, at t * n + i; ids outside their
/// table, which are noted, as firstRow[count]. source [count * n]: i * sourceStride + sourceFirst +
/// t.
void joinIds(const JoinedTables& tables, std::int64_t n, std::int64_t sourceStride,
             std::int64_t sourceFirst, BadIndex bad, std::int32_t* joined, std::int32_t* source,
             cudaStream_t stream);

/// Rows of the whole, ascending, the first *rowCount of [room], become rows of their tables.
/// starts [count + 1]: where each table's begin; the last: *rowCount. Device memory.
void splitRows(const JoinedTables& tables, std::int64_t room, const std::int32_t* rowCount,
               std::int32_t* rows, std::int32_t* starts, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
