// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention as anybody would write it with a library of products: scores, softmax, values, and the
// four products of the gradients, each over the whole tensor. What the fused kernel is held
// against.

#include "engine/bench/bench.h"
#include "kernels/attention.h"

#include <memory>

namespace scalebench::bench {

class AttentionProducts
{
public:
    /// `batch` segments of p.queryRows / batch tokens, heads side by side as in `p`; without a
    /// mask.
    AttentionProducts(const AttentionParams& p, std::int64_t batch);
    ~AttentionProducts();
    AttentionProducts(const AttentionProducts&) = delete;
    AttentionProducts& operator=(const AttentionProducts&) = delete;

    /// Memory for the scores of all heads, twice.
    static double bytes(const AttentionParams& p, std::int64_t batch);
    void forward(const void* q, const void* k, const void* v, void* o) const;
    /// After forward() with the same q, k, v.
    void backward(const AttentionBackward& b) const;

private:
    struct Plans;
    std::unique_ptr<Plans> plans_;
};

} // namespace scalebench::bench
