// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/dot_attention.h"

#include <algorithm>
#include <cmath>

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

void* columns(const TokenColumns& c)
{
    return static_cast<char*>(c.tokens.data()) +
           std::size_t(c.offset) * dtypeBytes(c.tokens.dtype());
}

AttentionParams attentionParams(const DotAttentionArgs& args, const TokenColumns& query,
                                const TokenColumns& key, const TokenColumns& value)
{
    const std::string what = "attention of " + std::to_string(args.heads) + " heads of " +
                             std::to_string(args.headDim) + " on query " + query.tokens.describe() +
                             ", key " + key.tokens.describe() + ", value " +
                             value.tokens.describe();
    SB_REQUIRE(args.heads > 0 && args.headDim > 0, what + ": sizes must be positive");
    SB_REQUIRE(args.mask != nullptr, what + ": no mask given (sentenceMask, packedMask)");
    for (const TokenColumns* c : {&query, &key, &value}) {
        requireActivation("attention", c->tokens, 0);
        SB_REQUIRE(c->tokens.dtype() == query.tokens.dtype() && c->offset >= 0 &&
                       c->offset + args.heads * args.headDim <= c->tokens.shape().back(),
                   what + ": one type, and all heads inside the columns");
    }
    SB_REQUIRE(rowsOf(key.tokens) == rowsOf(value.tokens), what + ": as many values as keys");
    AttentionParams p;
    p.heads = args.heads, p.headDim = args.headDim;
    p.queryRows = rowsOf(query.tokens), p.keyRows = rowsOf(key.tokens);
    p.strideQ = query.tokens.shape().back(), p.strideK = key.tokens.shape().back();
    p.strideV = value.tokens.shape().back(), p.strideO = args.heads * args.headDim;
    p.dtype = query.tokens.dtype();
    p.scale = args.scale != 0.0f ? args.scale : 1.0f / std::sqrt(float(args.headDim));
    p.causal = args.causal;
    p.dropout = args.dropout, p.seed = args.dropoutKey;
    validate(p, *args.mask);
    return p;
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

} // namespace

DotAttentionResult dotAttentionForward(CpuContext& context, const DotAttentionArgs& args,
                                       const TokenColumns& query, const TokenColumns& key,
                                       const TokenColumns& value, bool keep)
{
    const CpuContext::Timer timer(context, "attention forward");
    const AttentionParams p = attentionParams(args, query, key, value);
    DotAttentionResult r;
    Shape shape = query.tokens.shape();
    shape.back() = p.heads * p.headDim;
    r.output = context.make(std::move(shape), p.dtype);
    if (keep)
        r.logSumExp = context.make({p.heads, p.queryRows}, DType::F32);
    const Longest longest(*args.mask);
    cpu::attentionForward(
        p, *args.mask,
        {columns(query), columns(key), columns(value), r.output.data(),
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
    const AttentionParams p = attentionParams(args, query, key, value);
    requireSame("attention backward", forward.output, gradOutput);
    requireSame("attention gradient of the query", query.tokens, gradients.query.tokens);
    requireSame("attention gradient of the key", key.tokens, gradients.key.tokens);
    requireSame("attention gradient of the value", value.tokens, gradients.value.tokens);
    SB_REQUIRE(forward.logSumExp.defined(), "attention backward: forward kept nothing");
    AttentionBackward b;
    b.q = columns(query), b.k = columns(key), b.v = columns(value);
    b.o = forward.output.data(), b.logSumExp = forward.logSumExp.f32().data();
    b.dO = gradOutput.data();
    b.dq = columns(gradients.query), b.dk = columns(gradients.key);
    b.dv = columns(gradients.value);
    const Longest longest(*args.mask);
    cpu::attentionBackward(
        p, *args.mask, b,
        context.workspace(cpu::attentionBackwardWorkspace(p, longest.queries, longest.keys)));
}

} // namespace scalebench::cpu_backend
