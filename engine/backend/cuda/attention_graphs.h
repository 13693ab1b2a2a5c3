// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention and its gradients as graphs of cuDNN, which its fused flash attention engines take
// ("Graph API", fused flash attention): sentences of one length, each with its number of real keys;
// in the gradients dropout as a tensor of zeros and ones. No sum crosses blocks.

#include "engine/backend/cuda/cudnn_graph.h"
#include "kernels/attention.h"

namespace scalebench::cuda_backend {

/// Sentences of `queries` and `keys` rows that lie behind each other.
struct SentenceShape {
    std::int64_t sentences = 0, queries = 0, keys = 0;
    bool padded = false; ///< some have fewer real keys
};

/// The graph's tensors, which are its operands.
struct AttentionForwardIds {
    CudnnGraph::Id q, k, v, o;
    CudnnGraph::Id statistics; ///< as in AttentionGradientIds; written
    CudnnGraph::Id queryCounts, keyCounts;
    CudnnGraph::Id scale, minusInfinity;
};

struct AttentionForwardGraph {
    CudnnGraph graph;
    AttentionForwardIds ids;
};

/// Without dropout, whatever `p` says. As attentionGradientGraph().
AttentionForwardGraph attentionForwardGraph(const AttentionParams& p, const SentenceShape& s);

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
