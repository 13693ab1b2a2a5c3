// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "engine/selftest/gradient_case.h"
#include "kernels/ref/attention.h"

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;

using Lengths = std::vector<std::int32_t>;

constexpr std::uint64_t kKey = 0x1234567890abcdefull; // of the dropout masks

struct Attention {
    const char* name;
    std::int64_t heads, headDim;
    AttentionMask mask;
    Shape queryTokens, keyTokens; ///< leading axes; equal and `joint`: one projection
    bool causal = false, joint = false;
    float dropout = 0.0f;
    bool repeats = false; ///< the backend is told that shapes repeat, so that it searches plans
};

std::vector<Attention> attentions()
{
    return {
        {"transformer big encoder",
         16,
         64,
         sentenceMask(2, 33, 33, Lengths{33, 20}),
         {2, 33},
         {2, 33},
         false,
         true},
        {"transformer big decoder", 16, 64, sentenceMask(1, 33, 33), {1, 33}, {1, 33}, true, true},
        {"transformer big cross", 4, 64, sentenceMask(2, 17, 33, Lengths{9, 33}), {2, 17}, {2, 33}},
        {"transformer d256 s64", 4, 64, sentenceMask(1, 64, 64), {1, 64}, {1, 64}, true, true},
        {"bert large s128",
         2,
         64,
         sentenceMask(2, 128, 128, Lengths{128, 77}),
         {2, 128},
         {2, 128},
         false,
         true},
        {"several tiles", 2, 32, sentenceMask(1, 150, 200), {1, 150}, {1, 200}},
        {"several tiles, causal", 2, 32, sentenceMask(1, 150, 150), {1, 150}, {1, 150}, true, true},
        {"packed, block-diagonal",
         2,
         32,
         packedMask(Lengths{0, 10, 17, 40}, Lengths{0, 10, 17, 40}),
         {1, 40},
         {1, 40},
         false,
         true},
        {"packed, causal",
         2,
         32,
         packedMask(Lengths{0, 10, 17, 40}, Lengths{0, 10, 17, 40}),
         {1, 40},
         {1, 40},
         true,
         true},
        {"packed, cross",
         2,
         32,
         packedMask(Lengths{0, 5, 6, 12}, Lengths{0, 8, 9, 20}),
         {1, 14},
         {1, 20}},
        {"sentence without keys", 2, 32, sentenceMask(3, 4, 5, Lengths{5, 0, 2}), {3, 4}, {3, 5}},
        {"more queries than keys, causal", 2, 32, sentenceMask(1, 9, 4), {1, 9}, {1, 4}, true},
        {"fewer queries than keys, causal", 2, 32, sentenceMask(1, 4, 70), {1, 4}, {1, 70}, true},
        {"dropout", 2, 64, sentenceMask(2, 20, 70), {2, 20}, {2, 70}, false, false, 0.25f},
        {"dropout, causal", 3, 32, sentenceMask(1, 70, 70), {1, 70}, {1, 70}, true, true, 0.5f},
        {"head of 128", 1, 128, sentenceMask(2, 9, 9), {2, 9}, {2, 9}, false, true},
        {"head of 64, packed, causal, dropout",
         2,
         64,
         packedMask(Lengths{0, 70, 75, 160}, Lengths{0, 70, 75, 160}),
         {1, 165},
         {1, 165},
         true,
         true,
         0.25f},
        {"head of 128, several tiles, dropout",
         1,
         128,
         sentenceMask(1, 100, 150, Lengths{131}),
         {1, 100},
         {1, 150},
         false,
         false,
         0.25f},
        {"head of 128, several tiles, causal",
         1,
         128,
         sentenceMask(1, 150, 150),
         {1, 150},
         {1, 150},
         true,
         true},
        {"bert large s256, dropout",
         2,
         64,
         sentenceMask(2, 256, 256, Lengths{256, 199}),
         {2, 256},
         {2, 256},
         false,
         true,
         0.25f,
         true},
        {"sentences of odd length, causal, dropout",
         2,
         64,
         sentenceMask(3, 77, 77, Lengths{77, 70, 1}),
         {3, 77},
         {3, 77},
         true,
         true,
         0.25f,
         true},
        {"sentences, causal",
         2,
         128,
         sentenceMask(2, 128, 128),
         {2, 128},
         {2, 128},
         true,
         true,
         0.0f,
         true},
        {"sentences, cross, padded",
         4,
         64,
         sentenceMask(2, 100, 140, Lengths{140, 129}),
         {2, 100},
         {2, 140},
         false,
         false,
         0.0f,
         true},
        {"head of 200", 2, 200, sentenceMask(2, 9, 40), {2, 9}, {2, 40}},
        {"head of 33", 3, 33, sentenceMask(2, 9, 9), {2, 9}, {2, 9}, false, true},
        {"one", 1, 1, sentenceMask(1, 1, 1), {1, 1}, {1, 1}},
        {"no sentences", 2, 32, sentenceMask(0, 5, 5), {0, 5}, {0, 5}},
        {"no keys", 2, 32, sentenceMask(2, 5, 0), {2, 5}, {2, 0}},
    };
}

Shape with(Shape leading, std::int64_t width)
{
    leading.push_back(width);
    return leading;
}

AttentionParams referenceParams(const Attention& a)
{
    const std::int64_t width = a.heads * a.headDim;
    AttentionParams p;
    p.heads = a.heads, p.headDim = a.headDim;
    p.queryRows = elementCount(a.queryTokens), p.keyRows = elementCount(a.keyTokens);
    p.strideQ = a.joint ? 3 * width : width;
    p.strideK = p.strideV = a.joint ? 3 * width : 2 * width;
    p.scale = 1.0f / std::sqrt(float(a.headDim));
    p.causal = a.causal, p.dropout = a.dropout;
    return p;
}

/// A joint projection [tokens, 3 width], or a query and a joint key and value [tokens, 2 width].
void addAttention(CaseList& list, const Attention& a)
{
    const std::int64_t width = a.heads * a.headDim;
    GradientCase c;
    c.family = "attention";
    c.name = std::string("attention ") + a.name + " h" + std::to_string(a.heads) + " d" +
             std::to_string(a.headDim) + " " + toString(a.queryTokens) + "x" +
             toString(a.keyTokens);
    if (a.joint)
        c.operands = {activation("qkv", with(a.queryTokens, 3 * width), Fill::Uniform, 2.0)};
    else
        c.operands = {activation("q", with(a.queryTokens, width), Fill::Uniform, 2.0),
                      activation("kv", with(a.keyTokens, 2 * width), Fill::Uniform, 2.0)};
    c.forward = [a, width](const OperandSet& o) {
        DotAttentionArgs args;
        args.heads = a.heads, args.headDim = a.headDim;
        args.causal = a.causal, args.mask = a.mask, args.dropout = a.dropout;
        args.dropoutKey = kKey;
        o.tape.backend().setShapesRepeat(a.repeats);
        const Variable kv = o.x(a.joint ? 0 : 1);
        const std::int64_t first = a.joint ? width : 0;
        return std::vector<Variable>{
            autograd::dotAttention(o.tape, args, {o.x(0), 0}, {kv, first}, {kv, first + width})};
    };
    c.reference = [a, width](const std::vector<Values>& v) {
        AttentionParams p = referenceParams(a);
        p.seed = kKey;
        const Values& kv = v[a.joint ? 0 : 1];
        const std::int64_t first = a.joint ? width : 0;
        return std::vector<Values>{
            ref::attentionForward(p, *a.mask, v[0], 0, kv, first, kv, first + width)};
    };
    const std::int64_t work = elementCount(a.queryTokens) * elementCount(a.keyTokens) * width;
    c.elements = work > 500'000 ? 5 : 12;
    c.directions = work > 500'000 ? 1 : 2;
    addGradientCase(list, std::move(c));
}

/// What a padded key holds must not matter, not even NaN in it.
void addPaddingIsUnread(CaseList& list, DType dtype)
{
    Case c;
    c.family = "attention";
    c.name = "attention reads no padded key";
    c.dtype = dtype;
    c.run = [](Checker& checker) {
        DotAttentionArgs args;
        args.heads = 2, args.headDim = 32;
        args.mask = sentenceMask(1, 6, 9, Lengths{5});
        const Tensor q = checker.tensor({1, 6, 64}, checker.random(6 * 64));
        Values kv = checker.random(9 * 128);
        AttentionOps& ops = checker.backend().attention();
        const auto run = [&] {
            const Tensor t = checker.tensor({1, 9, 128}, kv);
            return checker.values(
                ops.dotAttentionForward(args, {q, 0}, {t, 0}, {t, 64}, false).output);
        };
        const Values clean = run();
        std::fill(kv.begin() + 5 * 128, kv.end(), std::nan(""));
        checker.require(run() == clean, "the output changed with what padding holds");
    };
    list.push_back(std::move(c));
}

} // namespace

void addAttentionCases(CaseList& list)
{
    for (const Attention& a : attentions())
        addAttention(list, a);
    for (const DType t : {DType::F32, DType::BF16})
        addPaddingIsUnread(list, t);
}

} // namespace scalebench::selftest
