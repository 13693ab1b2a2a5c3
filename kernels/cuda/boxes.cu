// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/boxes.h"

#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/formula/box.h"

namespace scalebench::kernels::cuda {
namespace {

using formula::Box;

constexpr int kThreads = 256;

__device__ std::int64_t firstElement()
{
    return std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::int64_t elementStep()
{
    return std::int64_t(gridDim.x) * blockDim.x;
}

const Box* asBoxes(const float* p)
{
    static_assert(sizeof(Box) == 4 * sizeof(float));
    return reinterpret_cast<const Box*>(p);
}

__global__ void encodeKernel(BoxCodingParams p, std::int64_t n, const Box* anchors,
                             const Box* boxes, float* deltas)
{
    for (std::int64_t i = firstElement(); i < n; i += elementStep())
        formula::boxEncode(anchors[i], boxes[i], p.weights, deltas + i * 4);
}

__global__ void decodeKernel(BoxCodingParams p, std::int64_t n, std::int64_t classes,
                             const Box* anchors, const float* deltas, Box* boxes)
{
    for (std::int64_t i = firstElement(); i < n * classes; i += elementStep())
        boxes[i] =
            formula::boxDecode(anchors[i / classes], deltas + i * 4, p.weights, p.maxLogScale);
}

__global__ void clipKernel(std::int64_t n, float width, float height, float* boxes)
{
    for (std::int64_t i = firstElement(); i < n * 4; i += elementStep()) {
        const float v = boxes[i], limit = i % 2 == 0 ? width : height;
        boxes[i] = v < 0.0f ? 0.0f : v > limit ? limit : v; // NaN stays
    }
}

__global__ void iouKernel(std::int64_t na, std::int64_t nb, const Box* a, const Box* b, float* iou)
{
    for (std::int64_t i = firstElement(); i < na * nb; i += elementStep())
        iou[i] = formula::boxIou(a[i / nb], b[i % nb]);
}

// --- assignment of anchors ---

/// The largest overlap of a box with any anchor and, in the lower half inverted, the first anchor
/// that has it: overlaps are never negative, so their bits order as they do.
using TopAnchor = unsigned long long;

__device__ TopAnchor topAnchor(float iou, std::int64_t anchor)
{
    return TopAnchor(__float_as_uint(iou)) << 32 | (0xffffffffu - unsigned(anchor));
}
__device__ float overlapOf(TopAnchor t)
{
    return __uint_as_float(unsigned(t >> 32));
}
__device__ std::int64_t anchorOf(TopAnchor t)
{
    return 0xffffffffu - unsigned(t);
}

/// One block per box.
__global__ void topKernel(std::int64_t anchors, const Box* box, const Box* anchor, TopAnchor* top)
{
    const Box mine = box[blockIdx.x];
    TopAnchor best = 0;
    for (std::int64_t i = threadIdx.x; i < anchors; i += blockDim.x)
        best = max(best, topAnchor(formula::boxIou(mine, anchor[i]), i));
    best = blockReduce(best, TopAnchor(0), MaxOp());
    if (threadIdx.x == 0)
        top[blockIdx.x] = best;
}

/// top: null unless anchors that are a box's best keep their own best box.
__global__ void matchKernel(MatchParams p, std::int64_t boxes, std::int64_t anchors, const Box* box,
                            const Box* anchor, const TopAnchor* top, std::int32_t* match)
{
    for (std::int64_t i = firstElement(); i < anchors; i += elementStep()) {
        const Box mine = anchor[i];
        float best = -1.0f;
        std::int32_t number = kBackground;
        bool restored = false;
        for (std::int64_t g = 0; g < boxes; ++g) {
            const float iou = formula::boxIou(box[g], mine);
            if (iou > best) {
                best = iou;
                number = std::int32_t(g);
            }
            restored |= top && iou >= overlapOf(top[g]);
        }
        match[i] = restored || best >= p.high   ? number
                   : boxes == 0 || best < p.low ? kBackground
                                                : kIgnored;
    }
}

/// Thread: a box. Of several boxes with one best anchor the last wins.
__global__ void forceKernel(std::int64_t boxes, const TopAnchor* top, std::int32_t* match)
{
    for (std::int64_t g = firstElement(); g < boxes; g += elementStep()) {
        const std::int64_t at = anchorOf(top[g]);
        bool last = true;
        for (std::int64_t later = g + 1; later < boxes; ++later)
            last &= anchorOf(top[later]) != at;
        if (last)
            match[at] = std::int32_t(g);
    }
}

} // namespace

void boxEncode(const BoxCodingParams& p, std::int64_t n, const float* anchors, const float* boxes,
               float* deltas, cudaStream_t stream)
{
    if (n > 0)
        launch("box encode", stream, gridFor(n), encodeKernel, p, n, asBoxes(anchors),
               asBoxes(boxes), deltas);
}

void boxDecode(const BoxCodingParams& p, std::int64_t n, std::int64_t classes, const float* anchors,
               const float* deltas, float* boxes, cudaStream_t stream)
{
    if (n * classes > 0)
        launch("box decode", stream, gridFor(n * classes), decodeKernel, p, n, classes,
               asBoxes(anchors), deltas, reinterpret_cast<Box*>(boxes));
}

void clipBoxes(std::int64_t n, float width, float height, float* boxes, cudaStream_t stream)
{
    if (n > 0)
        launch("clip boxes", stream, gridFor(n * 4), clipKernel, n, width, height, boxes);
}

void boxIou(std::int64_t na, std::int64_t nb, const float* a, const float* b, float* iou,
            cudaStream_t stream)
{
    if (na * nb > 0)
        launch("box overlaps", stream, gridFor(na * nb), iouKernel, na, nb, asBoxes(a), asBoxes(b),
               iou);
}

std::size_t matchScratch(std::int64_t boxes)
{
    return std::size_t(boxes) * sizeof(TopAnchor);
}

void matchBoxes(const MatchParams& p, std::int64_t boxes, std::int64_t anchors, const float* box,
                const float* anchor, std::int32_t* match, void* scratch, cudaStream_t stream)
{
    if (anchors == 0)
        return;
    auto* top = static_cast<TopAnchor*>(scratch);
    const bool needed = p.best != BestMatch::None && boxes > 0;
    if (needed)
        launch("match boxes best", stream, {dim3(unsigned(boxes)), dim3(kThreads), 0}, topKernel,
               anchors, asBoxes(box), asBoxes(anchor), top);
    launch("match boxes", stream, gridFor(anchors), matchKernel, p, boxes, anchors, asBoxes(box),
           asBoxes(anchor),
           static_cast<const TopAnchor*>(needed && p.best == BestMatch::Restore ? top : nullptr),
           match);
    if (needed && p.best == BestMatch::Force)
        launch("match boxes force", stream, gridFor(boxes), forceKernel, boxes,
               static_cast<const TopAnchor*>(top), match);
}

} // namespace scalebench::kernels::cuda
