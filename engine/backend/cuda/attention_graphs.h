// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The gradients of attention as a graph of cuDNN, which its fused flash attention engines take
// ("Graph API", fused flash attention backward): sentences of one length, each with its number of
// real keys, dropout as a tensor of zeros and ones. No sum crosses blocks.

#include "engine/backend/cuda/cudnn_graph.h"
#include "kernels/attention.h"

namespace scalebench::cuda_backend {

/// Sentences of `queries` and `keys` rows that lie behind each other.
struct SentenceShape {
    std::int64_t sentences = 0, queries = 0, keys = 0;
    bool padded = false; ///< some have fewer real keys
};

/// The graph's tensors, which are its operands.
struct AttentionGradientIds {
    CudnnGraph::Id q, k, v, o, dO, dq, dk, dv;
    CudnnGraph::Id statistics;             ///< F32 [sentences, heads, queries]: logarithms of sums
    CudnnGraph::Id dots;                   ///< F32, likewise; scratch that the graph writes
    CudnnGraph::Id queryCounts, keyCounts; ///< I32 [sentences]; where padded
    CudnnGraph::Id kept;                   ///< of kernels/cuda/fused_attention.h; with dropout
    /// By value, F32.
    CudnnGraph::Id scale, minusInfinity, one, dropScale, dropScaleInverse;
};

struct AttentionGradientGraph {
    CudnnGraph graph;
    AttentionGradientIds ids;
};

/// DeviceError where the library refuses a part of it. Operands begin on 16-byte boundaries.
AttentionGradientGraph attentionGradientGraph(const AttentionParams& p, const SentenceShape& s);

} // namespace scalebench::cuda_backend
