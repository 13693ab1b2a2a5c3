// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/joined_tables.h"

#include "kernels/cuda/launch.h"

namespace scalebench::kernels::cuda {
namespace {

/// blockIdx.y: the table.
__global__ void joinKernelOfIds(JoinedTables tables, std::int64_t n, std::int64_t sourceStride,
                                std::int64_t sourceFirst, BadIndex bad, std::int32_t* joined,
                                std::int32_t* source)
{
    const int t = int(blockIdx.y);
    const std::int64_t first = tables.firstRow[t], rows = tables.firstRow[t + 1] - first;
    const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        const std::int32_t id = tables.ids[t][i];
        joined[t * n + i] =
            std::int32_t(bad.check(i, id, rows) ? first + id : tables.firstRow[tables.count]);
        source[t * n + i] = std::int32_t(i * sourceStride + sourceFirst + t);
    }
}

/// The first of rows [0, count) that is not below `row`.
__device__ std::int32_t lowerBound(const std::int32_t* rows, std::int32_t count, std::int64_t row)
{
    std::int32_t low = 0, high = count;
    while (low < high) {
        const std::int32_t middle = low + (high - low) / 2;
        if (rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void startsKernel(JoinedTables tables, const std::int32_t* rowCount,
                             const std::int32_t* rows, std::int32_t* starts)
{
    for (int t = int(threadIdx.x); t <= tables.count; t += int(blockDim.x))
        starts[t] = lowerBound(rows, *rowCount, tables.firstRow[t]);
}

/// blockIdx.y: the table.
__global__ void localRowsKernel(JoinedTables tables, const std::int32_t* starts, std::int32_t* rows)
{
    const int t = int(blockIdx.y);
    const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = starts[t] + std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
         i < starts[t + 1]; i += step)
        rows[i] -= std::int32_t(tables.firstRow[t]);
}

} // namespace

void joinIds(const JoinedTables& tables, std::int64_t n, std::int64_t sourceStride,
             std::int64_t sourceFirst, BadIndex bad, std::int32_t* joined, std::int32_t* source,
             cudaStream_t stream)
{
    if (n == 0)
        return;
    Grid grid = gridFor(n);
    grid.blocks.y = unsigned(tables.count);
    launch("joined ids", stream, grid, joinKernelOfIds, tables, n, sourceStride, sourceFirst, bad,
           joined, source);
}

void splitRows(const JoinedTables& tables, std::int64_t room, const std::int32_t* rowCount,
               std::int32_t* rows, std::int32_t* starts, cudaStream_t stream)
{
    if (room == 0)
        return;
    launch("rows of tables", stream, {dim3(1), dim3(96), 0}, startsKernel, tables, rowCount,
           static_cast<const std::int32_t*>(rows), starts);
    Grid grid = gridFor((room + tables.count - 1) / tables.count);
    grid.blocks.y = unsigned(tables.count);
    launch("rows of tables", stream, grid, localRowsKernel, tables,
           static_cast<const std::int32_t*>(starts), rows);
}

} // namespace scalebench::kernels::cuda
