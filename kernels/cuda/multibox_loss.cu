// SPDX-License-Identifier: GPL-3.0-or-later
// Three passes: a warp per box finds how hard a negative it is; a block per picture counts its
// positives and selects its hardest negatives; a warp per box writes the gradients. The third reads
// the logits of the boxes taken again, some in a hundred.
#include "kernels/cuda/multibox_loss.h"

#include <limits>
#include <string>

#include "kernels/cuda/index.h"
#include "kernels/cuda/kth_largest.h"
#include "kernels/cuda/loss_sum.h"
#include "kernels/cuda/number.h"
#include "kernels/cuda/warp_row.h"
#include "kernels/formula/loss.h"
#include "kernels/formula/math.h"

namespace scalebench::kernels::cuda {
namespace {

/// What is taken of a picture.
struct Choice {
    OrderKey least; ///< the hardest negatives are those whose keys are not smaller
    float weight;   ///< of its boxes: 1 / positives, or 0
    int negatives;  ///< how many are taken
};
static_assert(sizeof(Choice) == 16);

struct Scratch {
    LossPart* parts;
    Choice* choices;
    float* hardness; ///< of every negative: its cross-entropy

    Scratch(const MultiboxLossParams& p, void* memory)
        : parts(static_cast<LossPart*>(memory)),
          choices(reinterpret_cast<Choice*>(static_cast<std::byte*>(memory) + kLossScratchBytes)),
          hardness(reinterpret_cast<float*>(choices + p.N))
    {
    }
};

/// log of the sum of exponentials of a row, by a warp; all lanes get it. Each lane has the same
/// columns of every row, so that equal rows have equal sums.
template <class T>
__device__ float logSumExp(const T* z, int classes)
{
    const int lane = int(threadIdx.x) % 32;
    float top = -INFINITY;
    for (int c = lane; c < classes; c += 32)
        top = MaxOp()(top, toFloat(z[c]));
    top = warpMax(top);
    float sum = 0.0f;
    for (int c = lane; c < classes; c += 32)
        sum += formula::exp(toFloat(z[c]) - top);
    return top + logf(warpSum(sum));
}

template <class T>
__global__ void __launch_bounds__(kLossThreads)
    hardnessKernel(std::int64_t rows, int classes, const T* logits, const std::int32_t* labels,
                   float* hardness)
{
    for (std::int64_t row = firstWarpRow(); row < rows; row += warpRowStep()) {
        if (labels[row] != 0)
            continue;
        const T* z = logits + row * classes;
        const float h = logSumExp(z, classes) - toFloat(z[0]);
        if (threadIdx.x % 32 == 0)
            hardness[row] = h;
    }
}

constexpr int kChoiceThreads = 512;

__global__ void __launch_bounds__(kChoiceThreads)
    choiceKernel(std::int64_t boxes, int classes, int negativesPerPositive,
                 const std::int32_t* labels, const float* hardness, BadIndex bad, Choice* choices)
{
    const std::int64_t first = blockIdx.x * boxes;
    labels += first;
    hardness += first;
    int positives = 0, negatives = 0;
    for (std::int64_t a = threadIdx.x; a < boxes; a += kChoiceThreads) {
        const std::int32_t label = labels[a];
        if (bad.check(first + a, label, classes)) {
            positives += label > 0 ? 1 : 0;
            negatives += label == 0 ? 1 : 0;
        }
    }
    positives = blockSum(positives);
    negatives = blockSum(negatives);
    const long long wanted = (long long)(positives)*negativesPerPositive;
    Choice choice{0, 0.0f, wanted < negatives ? int(wanted) : negatives};
    if (positives > 0)
        choice.weight = 1.0f / float(positives);
    if (choice.negatives > 0) { // the same for all threads
        const auto keyAt = [=](std::int64_t a) -> OrderKey {
            return labels[a] == 0 ? formula::orderKey(hardness[a], std::uint32_t(a))
                                  : formula::kNoKey;
        };
        choice.least = kthLargest<kChoiceThreads>(keyAt, boxes, choice.negatives);
    }
    if (threadIdx.x == 0)
        choices[blockIdx.x] = choice;
}

template <class T>
struct Boxes {
    const T *logits, *deltas;
    const std::int32_t* labels;
    const float* targets;
    T *dlogits, *ddeltas; ///< or null
};

/// Class of a box that is taken, by a warp; the loss is lane 0's to add.
template <class T>
__device__ float classLoss(const T* z, T* dz, int classes, int label, float scale, bool& correct)
{
    const int lane = int(threadIdx.x) % 32;
    const float logSum = logSumExp(z, classes), zLabel = toFloat(z[label]);
    bool beaten = false; // another class is the first largest
    for (int c = lane; c < classes; c += 32) {
        const float v = toFloat(z[c]);
        beaten = beaten || !(v < zLabel || (v == zLabel && c >= label));
        if (dz)
            dz[c] = fromFloat<T>(scale * (formula::exp(v - logSum) - (c == label ? 1.0f : 0.0f)));
    }
    correct = __any_sync(kAllLanes, beaten) == 0;
    return logSum - zLabel;
}

template <class T>
__global__ void __launch_bounds__(kLossThreads)
    multiboxKernel(std::int64_t rows, Divider<std::uint32_t> boxes, int classes, float scale,
                   Boxes<T> b, const float* hardness, const Choice* choices, LossPart* parts)
{
    const int lane = int(threadIdx.x) % 32;
    double loss = 0.0;
    int correct = 0, counted = 0;
    for (std::int64_t row = firstWarpRow(); row < rows; row += warpRowStep()) {
        const std::uint32_t picture = boxes.quotient(std::uint32_t(row));
        const std::uint32_t box = std::uint32_t(row) - picture * boxes.divisor;
        const Choice choice = choices[picture];
        const std::int32_t label = b.labels[row];
        const bool positive = label > 0 && label < classes;
        const bool taken = positive || (label == 0 && choice.negatives > 0 &&
                                        formula::orderKey(hardness[row], box) >= choice.least);
        T* const dz = b.dlogits ? b.dlogits + row * classes : nullptr;
        if (taken) {
            bool right = false;
            const float l = classLoss(b.logits + row * classes, dz, classes, label,
                                      scale * choice.weight, right);
            if (lane == 0) {
                loss += double(choice.weight) * double(l);
                correct += right ? 1 : 0;
                counted += 1;
            }
        } else if (dz) {
            for (int c = lane; c < classes; c += 32)
                dz[c] = fromFloat<T>(0.0f);
        }
        if (lane >= 4)
            continue;
        const std::int64_t i = row * 4 + lane;
        float slope = 0.0f;
        if (positive) {
            const auto r = formula::smoothL1(toFloat(b.deltas[i]) - b.targets[i], 1.0f);
            loss += double(choice.weight) * double(r.loss);
            slope = scale * choice.weight * r.slope;
        }
        if (b.ddeltas)
            b.ddeltas[i] = fromFloat<T>(slope);
    }
    storeLossPart(parts, loss, correct, counted);
}

} // namespace

std::size_t lossScratchBytes(const MultiboxLossParams& p)
{
    return kLossScratchBytes + std::size_t(p.N) * sizeof(Choice) +
           std::size_t(p.N * p.boxes) * sizeof(float);
}

void multiboxLoss(const MultiboxLossParams& p, const void* logits, const void* deltas,
                  const std::int32_t* labels, const float* targets, void* dlogits, void* ddeltas,
                  const LossTarget& target, BadIndex bad, void* scratch, cudaStream_t stream)
{
    const char* op = "multibox loss";
    const std::int64_t rows = p.N * p.boxes;
    if (rows > std::numeric_limits<std::int32_t>::max() ||
        p.classes > std::numeric_limits<std::int32_t>::max())
        throw Unsupported(std::string(op) + ": boxes and classes are counted in 31 bits");
    const int classes = int(p.classes);
    const Scratch s(p, scratch);
    const Grid grid = lossGrid(rows * 32);
    withActivationType(p.dtype, op, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const auto* z = static_cast<const T*>(logits);
        if (rows > 0) {
            launch(op, stream, grid, hardnessKernel<T>, rows, classes, z, labels, s.hardness);
            launch(op, stream, Grid{dim3(unsigned(p.N)), dim3(kChoiceThreads)}, choiceKernel,
                   p.boxes, classes, p.negativesPerPositive, labels, s.hardness, bad, s.choices);
        }
        launch(op, stream, grid, multiboxKernel<T>, rows, Divider<std::uint32_t>(p.boxes), classes,
               p.scale,
               Boxes<T>{z, static_cast<const T*>(deltas), labels, targets, static_cast<T*>(dlogits),
                        static_cast<T*>(ddeltas)},
               s.hardness, s.choices, s.parts);
    });
    joinLossParts(grid, s.parts, p.scale, target, stream);
}

} // namespace scalebench::kernels::cuda
