// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/attention_arguments.h"

#include <cmath>

#include "engine/backend/tensor_checks.h"
#include "kernels/check.h"

namespace scalebench {
namespace {

std::int64_t tokenCount(const TokenColumns& c)
{
    std::int64_t n = 1;
    for (std::size_t i = 0; i + 1 < c.tokens.shape().size(); ++i)
        n *= c.tokens.shape()[i];
    return n;
}

void requireAlike(const char* what, const Tensor& a, const Tensor& b)
{
    SB_REQUIRE(a.shape() == b.shape() && a.dtype() == b.dtype(),
               std::string(what) + ": " + a.describe() + " and " + b.describe() + " must agree");
}

} // namespace

AttentionParams attentionParams(const DotAttentionArgs& args, const TokenColumns& query,
                                const TokenColumns& key, const TokenColumns& value)
{
    const std::string what = "attention of " + std::to_string(args.heads) + " heads of " +
                             std::to_string(args.headDim) + " on query " + query.tokens.describe() +
                             ", key " + key.tokens.describe() + ", value " +
                             value.tokens.describe();
    SB_REQUIRE(args.heads > 0 && args.headDim > 0, what + ": sizes must be positive");
    SB_REQUIRE(args.mask != nullptr, what + ": no mask given (sentenceMask, packedMask)");
    for (const TokenColumns* c : {&query, &key, &value})
        SB_REQUIRE(c->tokens.dtype() == query.tokens.dtype() && c->offset >= 0 &&
                       c->offset + args.heads * args.headDim <= c->tokens.shape().back(),
                   what + ": one type, and all heads inside the columns");
    SB_REQUIRE(tokenCount(key) == tokenCount(value), what + ": as many values as keys");
    AttentionParams p;
    p.heads = args.heads, p.headDim = args.headDim;
    p.queryRows = tokenCount(query), p.keyRows = tokenCount(key);
    p.strideQ = query.tokens.shape().back(), p.strideK = key.tokens.shape().back();
    p.strideV = value.tokens.shape().back(), p.strideO = args.heads * args.headDim;
    p.dtype = query.tokens.dtype();
    p.scale = args.scale != 0.0f ? args.scale : 1.0f / std::sqrt(float(args.headDim));
    p.causal = args.causal;
    p.dropout = args.dropout, p.seed = args.dropoutKey;
    validate(p, *args.mask);
    return p;
}

void requireAttentionGradients(const TokenColumns& query, const TokenColumns& key,
                               const TokenColumns& value, const DotAttentionResult& forward,
                               const Tensor& gradOutput, const DotAttentionGradients& gradients)
{
    requireAlike("attention backward", forward.output, gradOutput);
    requireAlike("attention gradient of the query", query.tokens, gradients.query.tokens);
    requireAlike("attention gradient of the key", key.tokens, gradients.key.tokens);
    requireAlike("attention gradient of the value", value.tokens, gradients.value.tokens);
    SB_REQUIRE(forward.logSumExp.defined(), "attention backward: forward kept nothing");
}

void* firstColumn(const TokenColumns& c)
{
    return static_cast<char*>(c.tokens.data()) +
           std::size_t(c.offset) * dtypeBytes(c.tokens.dtype());
}

AdditiveAttentionParams additiveAttentionParams(const AdditiveAttentionArgs& a)
{
    AdditiveAttentionParams p;
    p.Tq = a.query.dim(0), p.B = a.query.dim(1), p.A = a.query.dim(2);
    p.Tk = a.key.dim(0), p.V = a.value.dim(2);
    p.normalised = a.scale.defined();
    p.dtype = a.query.dtype();
    const std::string op = p.describe();
    requireShape(op, "the keys", a.key, {p.Tk, p.B, p.A}, p.dtype, false);
    requireShape(op, "the values", a.value, {p.Tk, p.B, p.V}, p.dtype, false);
    requireShape(op, "the weight", a.weight, {p.A}, DType::F32, false);
    requireShape(op, "the scale", a.scale, {1}, DType::F32, true);
    requireShape(op, "the bias", a.bias, {p.A}, DType::F32, true);
    requireShape(op, "lengths", a.lengths, {p.B}, DType::I32, true);
    return p;
}

void requireAdditiveGradients(const AdditiveAttentionParams& p, const Tensor& probabilities,
                              const Tensor& gradOutput,
                              const AdditiveAttentionWeightGradients& gradients)
{
    const std::string op = p.describe() + " backward";
    requireShape(op, "the probabilities", probabilities, {p.B, p.Tq, p.Tk}, p.dtype, false);
    requireShape(op, "the gradient", gradOutput, {p.Tq, p.B, p.V}, p.dtype, false);
    requireShape(op, "the weight's gradient", gradients.weight, {p.A}, DType::F32, true);
    requireShape(op, "the scale's gradient", gradients.scale, {1}, DType::F32, true);
    requireShape(op, "the bias' gradient", gradients.bias, {p.A}, DType::F32, true);
}

} // namespace scalebench
