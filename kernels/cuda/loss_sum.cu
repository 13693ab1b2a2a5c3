// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/loss_sum.h"

namespace scalebench::kernels::cuda {
namespace {

__global__ void __launch_bounds__(kLossThreads)
    joinLossPartsKernel(int count, const LossPart* parts, float scale, LossTarget target)
{
    LossPart sum{0.0, 0, 0};
    for (int i = int(threadIdx.x); i < count; i += kLossThreads) {
        sum.loss += parts[i].loss;
        sum.correct += parts[i].correct;
        sum.counted += parts[i].counted;
    }
    sum.loss = blockSum(sum.loss);
    sum.correct = blockSum(sum.correct);
    sum.counted = blockSum(sum.counted);
    if (threadIdx.x > 0)
        return;
    target.sums->lossSum = sum.loss;
    target.sums->correct = sum.correct;
    target.sums->counted = sum.counted;
    *target.value = float(double(scale) * sum.loss);
}

} // namespace

void joinLossParts(const Grid& grid, const LossPart* parts, float scale, const LossTarget& target,
                   cudaStream_t stream)
{
    launch("loss", stream, Grid{dim3(1), dim3(kLossThreads)}, joinLossPartsKernel,
           int(grid.blocks.x), parts, scale, target);
}

} // namespace scalebench::kernels::cuda
