// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention: what is checked, made and given back, the same on every device. The kernels, and how
// they get the mask, are a device's own.

#include "engine/backend/attention_arguments.h"
#include "engine/backend/ops/attention_ops.h"
#include "kernels/check.h"

#include <utility>
#include <vector>

namespace scalebench {

/// Device: its Context (make, Timer), requireActivation, and
///   requireLengths(p, lengths)   what the host can know of them; may be undefined
template <class Device>
class AttentionFamily : public AttentionOps
{
protected:
    using Context = typename Device::Context;
    using Timer = typename Context::Timer;

public:
    explicit AttentionFamily(Context& context) : context_(context) {}

    Tensor additiveAttentionForward(const AdditiveAttentionArgs& args, Tensor* probabilities) final
    {
        const Timer timer(context_, "additive attention forward");
        const AdditiveAttentionParams p = additiveParams(args);
        Tensor weights = context_.make({p.B, p.Tq, p.Tk}, p.dtype);
        Tensor output = context_.make({p.Tq, p.B, p.V}, p.dtype);
        additiveForward(p, additiveInputs(args), weights.data(), output.data());
        if (probabilities)
            *probabilities = std::move(weights);
        return output;
    }

    AdditiveAttentionInputGradients
    additiveAttentionBackward(const AdditiveAttentionArgs& args, const Tensor& probabilities,
                              const Tensor& gradOutput,
                              const AdditiveAttentionWeightGradients& gradients) final
    {
        const Timer timer(context_, "additive attention backward");
        const AdditiveAttentionParams p = additiveParams(args);
        requireAdditiveGradients(p, probabilities, gradOutput, gradients);
        AdditiveAttentionInputGradients r{context_.make(args.query.shape(), p.dtype),
                                          context_.make(args.key.shape(), p.dtype),
                                          context_.make(args.value.shape(), p.dtype)};
        AdditiveAttentionGradients out;
        out.dq = r.query.data(), out.dk = r.key.data(), out.dvalue = r.value.data();
        out.dv = numbersOf(gradients.weight);
        out.dscale = numbersOf(gradients.scale);
        out.dbias = numbersOf(gradients.bias);
        out.accumulate = gradients.accumulate;
        additiveBackward(p, additiveInputs(args), probabilities.data(), gradOutput.data(), out);
        return r;
    }

    DotAttentionResult dotAttentionForward(const DotAttentionArgs& args, const TokenColumns& query,
                                           const TokenColumns& key, const TokenColumns& value,
                                           bool keep) final
    {
        const Timer timer(context_, "attention forward");
        const AttentionParams p = dotParams(args, query, key, value);
        timer.work(4.0 * pairsTimesDim(p, *args.mask), 0);
        DotAttentionResult r;
        Shape shape = query.tokens.shape();
        shape.back() = p.heads * p.headDim;
        r.output = context_.make(std::move(shape), p.dtype);
        AttentionForward f{firstColumn(query), firstColumn(key), firstColumn(value),
                           r.output.data()};
        if (keep) {
            r.logSumExp = context_.make({p.heads, p.queryRows}, DType::F32);
            f.logSumExp = numbersOf(r.logSumExp);
            if (const std::size_t bytes = keptBytes(p, args.mask, f); bytes > 0) {
                r.kept = context_.make({std::int64_t(bytes + 3) / 4}, DType::I32);
                f.kept = r.kept.data();
            }
        }
        dotForward(p, args.mask, f);
        return r;
    }

    void dotAttentionBackward(const DotAttentionArgs& args, const TokenColumns& query,
                              const TokenColumns& key, const TokenColumns& value,
                              const DotAttentionResult& forward, const Tensor& gradOutput,
                              const DotAttentionGradients& gradients) final
    {
        const Timer timer(context_, "attention backward");
        const AttentionParams p = dotParams(args, query, key, value);
        requireAttentionGradients(query, key, value, forward, gradOutput, gradients);
        AttentionBackward b;
        b.q = firstColumn(query), b.k = firstColumn(key), b.v = firstColumn(value);
        b.o = forward.output.data(), b.logSumExp = numbersOf(forward.logSumExp);
        b.dO = gradOutput.data();
        b.dq = firstColumn(gradients.query), b.dk = firstColumn(gradients.key);
        b.dv = firstColumn(gradients.value);
        b.kept = forward.kept.defined() ? forward.kept.data() : nullptr;
        // dP, dV, dQ and dK, perhaps the scores again (arXiv 2307.08691, section 4.1).
        timer.work((computesScoresAgain(b) ? 10.0 : 8.0) * pairsTimesDim(p, *args.mask), 0);
        dotBackward(p, args.mask, b);
    }

private:
    virtual void additiveForward(const AdditiveAttentionParams& p,
                                 const AdditiveAttentionInputs& in, void* probabilities,
                                 void* context) = 0;
    virtual void additiveBackward(const AdditiveAttentionParams& p,
                                  const AdditiveAttentionInputs& in, const void* probabilities,
                                  const void* gradContext,
                                  const AdditiveAttentionGradients& out) = 0;
    /// Of AttentionForward::kept, for these operands.
    virtual std::size_t keptBytes(const AttentionParams&, const AttentionMask&,
                                  const AttentionForward&)
    {
        return 0;
    }
    virtual bool computesScoresAgain(const AttentionBackward&) const { return true; }
    virtual void dotForward(const AttentionParams& p, const AttentionMask& mask,
                            const AttentionForward& f) = 0;
    virtual void dotBackward(const AttentionParams& p, const AttentionMask& mask,
                             const AttentionBackward& b) = 0;

    static AdditiveAttentionParams additiveParams(const AdditiveAttentionArgs& a)
    {
        for (const Tensor* t : {&a.query, &a.key, &a.value})
            Device::requireActivation("additive attention", *t, 3);
        const AdditiveAttentionParams p = additiveAttentionParams(a);
        Device::requireLengths(p, a.lengths);
        return p;
    }

    static AdditiveAttentionInputs additiveInputs(const AdditiveAttentionArgs& a)
    {
        return {a.query.data(),
                a.key.data(),
                a.value.data(),
                numbersOf(a.weight),
                numbersOf(a.scale),
                numbersOf(a.bias),
                a.lengths.defined() ? a.lengths.i32().data() : nullptr};
    }

    static AttentionParams dotParams(const DotAttentionArgs& args, const TokenColumns& query,
                                     const TokenColumns& key, const TokenColumns& value)
    {
        for (const TokenColumns* c : {&query, &key, &value})
            Device::requireActivation("attention", c->tokens, 0);
        return attentionParams(args, query, key, value);
    }

    /// Pairs of query and key that see one another, all heads, times the width of a head: one
    /// product of attention is twice that many operations.
    static double pairsTimesDim(const AttentionParams& p,
                                const std::vector<AttentionSegment>& segments)
    {
        double pairs = 0;
        for (const AttentionSegment& s : segments)
            pairs += double(s.queryCount) * double(s.keyCount);
        return pairs * double(p.heads * p.headDim) * (p.causal ? 0.5 : 1.0);
    }

    /// Null where undefined.
    static float* numbersOf(const Tensor& t) { return t.defined() ? t.f32().data() : nullptr; }

protected:
    Context& context_;
};

} // namespace scalebench
