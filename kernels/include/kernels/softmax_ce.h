// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Softmax cross-entropy with label smoothing, loss and gradient in one pass over the logits.
// With p = softmax(logits) and t = (1 - e) * onehot(label) + e / classes (arXiv 1512.00567, section
// 7): loss = -sum t log p, dlogits = scale * (p - t).

#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

struct SoftmaxCeParams {
    std::int64_t N = 1, classes = 2;
    float labelSmoothing = 0.0f;
    float scale = 1.0f;            ///< of the gradient; the loss is the plain sum
    DType dtype = DType::F32;      ///< of logits and dlogits
    std::int32_t ignoreLabel = -1; ///< a label that leaves its row out, as every negative one does
};

struct SoftmaxCeResult {
    double lossSum = 0;
    std::int64_t correct = 0; ///< argmax (first on ties) equals the label
    std::int64_t counted = 0; ///< rows not left out

    SoftmaxCeResult& operator+=(const SoftmaxCeResult& o)
    {
        lossSum += o.lossSum;
        correct += o.correct;
        counted += o.counted;
        return *this;
    }
};

namespace kernels::cpu {

/// logits [N,classes] F32 or BF16; labels [N], negative or ignoreLabel leaves a row out (its
/// gradient is 0). dlogits: as logits, overwritten; may be null or logits itself. Labels must be
/// < classes. The same for any number of threads.
SoftmaxCeResult softmaxCrossEntropy(const SoftmaxCeParams& p, const void* logits,
                                    const std::int32_t* labels, void* dlogits);

} // namespace kernels::cpu
} // namespace scalebench
