// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/dot_attention.h"

#include <algorithm>

#include "engine/backend/attention_arguments.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

AttentionParams checkedParams(const DotAttentionArgs& args, const TokenColumns& query,
                              const TokenColumns& key, const TokenColumns& value)
{
    for (const TokenColumns* c : {&query, &key, &value})
        requireActivation("attention", c->tokens, 0);
    return attentionParams(args, query, key, value);
}

struct Longest {
    std::int64_t queries = 0, keys = 0;
    explicit Longest(const std::vector<AttentionSegment>& segments)
    {
        for (const AttentionSegment& s : segments) {
            queries = std::max(queries, s.queryCount);
            keys = std::max(keys, s.keyCount);
        }
    }
};

/// Pairs of query and key that see one another, all heads, times the width of a head: one product
/// of attention is twice that many operations.
double pairsTimesDim(const AttentionParams& p, const std::vector<AttentionSegment>& segments)
{
    double pairs = 0;
    for (const AttentionSegment& s : segments)
        pairs += double(s.queryCount) * double(s.keyCount);
    return pairs * double(p.heads * p.headDim) * (p.causal ? 0.5 : 1.0);
}

} // namespace

DotAttentionResult dotAttentionForward(CpuContext& context, const DotAttentionArgs& args,
                                       const TokenColumns& query, const TokenColumns& key,
                                       const TokenColumns& value, bool keep)
{
    const CpuContext::Timer timer(context, "attention forward");
    const AttentionParams p = checkedParams(args, query, key, value);
    timer.work(4.0 * pairsTimesDim(p, *args.mask), 0);
    DotAttentionResult r;
    Shape shape = query.tokens.shape();
    shape.back() = p.heads * p.headDim;
    r.output = context.make(std::move(shape), p.dtype);
    if (keep)
        r.logSumExp = context.make({p.heads, p.queryRows}, DType::F32);
    const Longest longest(*args.mask);
    cpu::attentionForward(
        p, *args.mask,
        {firstColumn(query), firstColumn(key), firstColumn(value), r.output.data(),
         keep ? r.logSumExp.f32().data() : nullptr},
        context.workspace(cpu::attentionForwardWorkspace(p, longest.queries, longest.keys)));
    return r;
}

void dotAttentionBackward(CpuContext& context, const DotAttentionArgs& args,
                          const TokenColumns& query, const TokenColumns& key,
                          const TokenColumns& value, const DotAttentionResult& forward,
                          const Tensor& gradOutput, const DotAttentionGradients& gradients)
{
    const CpuContext::Timer timer(context, "attention backward");
    const AttentionParams p = checkedParams(args, query, key, value);
    requireAttentionGradients(query, key, value, forward, gradOutput, gradients);
    // The scores again, dP, dV, dQ and dK (arXiv 2307.08691, section 4.1).
    timer.work(10.0 * pairsTimesDim(p, *args.mask), 0);
    AttentionBackward b;
    b.q = firstColumn(query), b.k = firstColumn(key), b.v = firstColumn(value);
    b.o = forward.output.data(), b.logSumExp = forward.logSumExp.f32().data();
    b.dO = gradOutput.data();
    b.dq = firstColumn(gradients.query), b.dk = firstColumn(gradients.key);
    b.dv = firstColumn(gradients.value);
    const Longest longest(*args.mask);
    cpu::attentionBackward(
        p, *args.mask, b,
        context.workspace(cpu::attentionBackwardWorkspace(p, longest.queries, longest.keys)));
}

} // namespace scalebench::cpu_backend
