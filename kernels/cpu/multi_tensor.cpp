// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/multi_tensor.h"

#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {
namespace {

SB_TARGET_CLONES double squares(std::int64_t n, const float* x)
{
    double sum = 0.0;
    for (std::int64_t i = 0; i < n; ++i)
        sum += double(x[i]) * double(x[i]);
    return sum;
}

} // namespace

void sumOfSquares(const ChunkList& list, const float* x, double* partial, double* sums)
{
    forChunks(list, [&](const TensorChunk& c, std::int64_t i) {
        partial[i] = squares(c.count, x + c.offset);
    });
    sumByTensor(list, partial, sums);
}

} // namespace scalebench::kernels::cpu
