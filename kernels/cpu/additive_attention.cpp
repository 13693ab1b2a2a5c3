// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/additive_attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/check.h"
#include "kernels/cpu/additive_rows.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/formula/bf16.h"
#include "kernels/matmul.h"

namespace scalebench {

namespace kernels::cpu {
namespace {

/// One product per sequence b, on the rows of [T,B,size] that belong to it or on [B,Tq,Tk].
struct View {
    std::int64_t ld, step;
};

MatmulParams perSequence(const AdditiveAttentionParams& p, std::int64_t M, std::int64_t N,
                         std::int64_t K, View a, View b, View c, DType output)
{
    MatmulParams m;
    m.M = M, m.N = N, m.K = K;
    m.innerBatch = p.B;
    m.lda = a.ld, m.ldb = b.ld, m.ldc = c.ld;
    m.strideA.inner = a.step, m.strideB.inner = b.step, m.strideC.inner = c.step;
    m.inputType = p.dtype, m.outputType = output;
    return m;
}

View rows(const AdditiveAttentionParams& p)
{
    return {p.B * p.V, p.V};
}
View weights(const AdditiveAttentionParams& p)
{
    return {p.Tk, p.Tq * p.Tk};
}

MatmulParams contextProduct(const AdditiveAttentionParams& p)
{
    return perSequence(p, p.Tq, p.V, p.Tk, weights(p), rows(p), rows(p), p.dtype);
}
MatmulParams dpProduct(const AdditiveAttentionParams& p)
{
    MatmulParams m = perSequence(p, p.Tq, p.Tk, p.V, rows(p), rows(p), weights(p), DType::F32);
    m.transB = true;
    return m;
}
MatmulParams dvalueProduct(const AdditiveAttentionParams& p)
{
    MatmulParams m = perSequence(p, p.Tk, p.V, p.Tq, weights(p), rows(p), rows(p), p.dtype);
    m.transA = true;
    return m;
}

const AdditiveAttentionParams& checked(const AdditiveAttentionParams& p)
{
    SB_REQUIRE(p.B >= 0 && p.Tq >= 0 && p.Tk >= 0 && p.A >= 0 && p.V >= 0,
               p.describe() + ": negative size");
    SB_REQUIRE(p.dtype == DType::F32 || p.dtype == DType::BF16,
               p.describe() + ": the element type must be f32 or bf16");
    return p;
}

/// Dense strides of an empty matrix must still be ones that a product accepts.
AdditiveAttentionParams runnable(AdditiveAttentionParams p)
{
    for (std::int64_t* n : {&p.B, &p.Tq, &p.Tk, &p.V})
        *n = std::max<std::int64_t>(1, *n);
    return p;
}

float loadAt(DType t, const void* x, std::int64_t i)
{
    return t == DType::F32 ? static_cast<const float*>(x)[i]
                           : formula::bf16ToF32(static_cast<const bf16_t*>(x)[i]);
}
void storeAt(DType t, void* x, std::int64_t i, float v)
{
    if (t == DType::F32)
        static_cast<float*>(x)[i] = v;
    else
        static_cast<bf16_t*>(x)[i] = formula::f32ToBf16(v);
}

} // namespace

struct AdditiveAttentionPlan::Impl {
    AdditiveAttentionParams p;
    MatmulPlan context, dp, dvalue;
    std::size_t element, productScratch = 0;

    explicit Impl(const AdditiveAttentionParams& q)
        : p(checked(q)),
          context(contextProduct(runnable(q))),
          dp(dpProduct(runnable(q))),
          dvalue(dvalueProduct(runnable(q))),
          element(dtypeBytes(q.dtype))
    {
        for (const MatmulPlan* m : {&context, &dp, &dvalue})
            productScratch = std::max(productScratch, m->workspaceBytes());
    }

    struct Scratch {
        std::byte* product;
        float *w, *q, *scores;                    // w [A]; per sequence: query row [A], scores [Tk]
        float *dp, *dq, *dk, *spare, *dw, *dbias; // backward; all but dp per sequence
        float *dwSum, *dbiasSum;
    };
    Scratch carve(Carver& c) const
    {
        Scratch s;
        s.product = c.take(std::int64_t(productScratch));
        s.w = c.take<float>(p.A);
        s.q = c.take<float>(p.B * p.A);
        s.scores = c.take<float>(p.B * (p.Tk + 3));
        s.dp = c.take<float>(p.B * p.Tq * p.Tk);
        s.dq = c.take<float>(p.B * p.A);
        s.dk = c.take<float>(p.B * p.Tk * p.A);
        s.spare = c.take<float>(p.B * 4 * p.A);
        s.dw = c.take<float>(p.B * p.A);
        s.dbias = c.take<float>(p.B * p.A);
        s.dwSum = c.take<float>(p.A);
        s.dbiasSum = c.take<float>(p.A);
        return s;
    }

    bool empty() const { return p.B == 0 || p.Tq == 0 || p.Tk == 0; }
    std::int64_t length(const AdditiveAttentionInputs& in, std::int64_t b) const
    {
        return in.lengths ? std::int64_t(in.lengths[b]) : p.Tk;
    }
    const void* row(const void* base, std::int64_t t, std::int64_t b, std::int64_t size) const
    {
        return static_cast<const std::byte*>(base) + std::size_t((t * p.B + b) * size) * element;
    }
    void* row(void* base, std::int64_t t, std::int64_t b, std::int64_t size) const
    {
        return static_cast<std::byte*>(base) + std::size_t((t * p.B + b) * size) * element;
    }
    /// Keys s to s+3 of a sequence; beyond its end the last one again.
    void keys(const AdditiveAttentionInputs& in, std::int64_t b, std::int64_t s,
              const void* k[4]) const
    {
        for (std::int64_t j = 0; j < 4; ++j)
            k[j] = row(in.k, std::min(s + j, length(in, b) - 1), b, p.A);
    }

    double weightNorm(const AdditiveAttentionInputs& in) const;
    void weight(const AdditiveAttentionInputs& in, float* w) const;
    void softmaxRow(float* scores, std::int64_t n, void* out, std::int64_t at) const;
    void sequenceForward(const AdditiveAttentionInputs& in, const Scratch& s, std::int64_t b,
                         void* probabilities) const;
    void scoreGradients(const AdditiveAttentionInputs& in, const Scratch& s, std::int64_t b,
                        const void* probabilities) const;
    void sequenceBackward(const AdditiveAttentionInputs& in, const Scratch& s, std::int64_t b,
                          const AdditiveAttentionGradients& out) const;
    void weightGradients(const AdditiveAttentionInputs& in, const Scratch& s,
                         const AdditiveAttentionGradients& out) const;
};

double AdditiveAttentionPlan::Impl::weightNorm(const AdditiveAttentionInputs& in) const
{
    double square = 0.0;
    for (std::int64_t a = 0; a < p.A; ++a)
        square += double(in.v[a]) * double(in.v[a]);
    return std::sqrt(square);
}

void AdditiveAttentionPlan::Impl::weight(const AdditiveAttentionInputs& in, float* w) const
{
    const double factor = p.normalised ? double(*in.scale) / weightNorm(in) : 1.0;
    for (std::int64_t a = 0; a < p.A; ++a)
        w[a] = float(factor * double(in.v[a]));
}

/// Few elements beside the tanh of each: the plain loop will do. NaN spreads over the row.
void AdditiveAttentionPlan::Impl::softmaxRow(float* scores, std::int64_t n, void* out,
                                             std::int64_t at) const
{
    float top = n > 0 ? scores[0] : 0.0f;
    for (std::int64_t s = 1; s < n; ++s)
        top = scores[s] <= top ? top : scores[s];
    float sum = 0.0f;
    for (std::int64_t s = 0; s < n; ++s)
        sum += scores[s] = std::exp(scores[s] - top);
    for (std::int64_t s = 0; s < p.Tk; ++s)
        storeAt(p.dtype, out, at + s, s < n ? scores[s] / sum : 0.0f);
}

void AdditiveAttentionPlan::Impl::sequenceForward(const AdditiveAttentionInputs& in,
                                                  const Scratch& s, std::int64_t b,
                                                  void* probabilities) const
{
    const std::int64_t n = length(in, b);
    float *q = s.q + b * p.A, *scores = s.scores + b * (p.Tk + 3);
    for (std::int64_t t = 0; t < p.Tq; ++t) {
        additiveWiden(p.dtype, p.A, row(in.q, t, b, p.A), in.bias, q);
        for (std::int64_t i = 0; i < n; i += 4) {
            const void* k[4];
            keys(in, b, i, k);
            additiveScores(p.dtype, p.A, q, k, s.w, scores + i);
        }
        softmaxRow(scores, n, probabilities, (b * p.Tq + t) * p.Tk);
    }
}

/// dp becomes the gradient of the scores: p (dp - sum over s of p dp).
void AdditiveAttentionPlan::Impl::scoreGradients(const AdditiveAttentionInputs& in,
                                                 const Scratch& s, std::int64_t b,
                                                 const void* probabilities) const
{
    const std::int64_t n = length(in, b);
    for (std::int64_t t = 0; t < p.Tq; ++t) {
        const std::int64_t at = (b * p.Tq + t) * p.Tk;
        float mean = 0.0f;
        for (std::int64_t i = 0; i < n; ++i)
            mean += loadAt(p.dtype, probabilities, at + i) * s.dp[at + i];
        for (std::int64_t i = 0; i < n; ++i)
            s.dp[at + i] = loadAt(p.dtype, probabilities, at + i) * (s.dp[at + i] - mean);
    }
}

void AdditiveAttentionPlan::Impl::sequenceBackward(const AdditiveAttentionInputs& in,
                                                   const Scratch& s, std::int64_t b,
                                                   const AdditiveAttentionGradients& out) const
{
    const std::int64_t n = length(in, b), A = p.A;
    float *q = s.q + b * A, *dq = s.dq + b * A, *dk = s.dk + b * p.Tk * A;
    float *dw = s.dw + b * A, *dbias = s.dbias + b * A, *spare = s.spare + b * 4 * A;
    for (float* zeroed : {dw, dbias})
        std::fill_n(zeroed, A, 0.0f);
    std::fill_n(dk, p.Tk * A, 0.0f);
    for (std::int64_t t = 0; t < p.Tq; ++t) {
        const float* dscore = s.dp + (b * p.Tq + t) * p.Tk;
        additiveWiden(p.dtype, A, row(in.q, t, b, A), in.bias, q);
        std::fill_n(dq, A, 0.0f);
        for (std::int64_t i = 0; i < n; i += 4) {
            const void* k[4];
            keys(in, b, i, k);
            float d[4], *dkRows[4];
            for (std::int64_t j = 0; j < 4; ++j) { // beyond the end: zeros into spare rows
                d[j] = i + j < n ? dscore[i + j] : 0.0f;
                dkRows[j] = i + j < n ? dk + (i + j) * A : spare + j * A;
            }
            additiveGradients(p.dtype, A, q, k, d, dq, dkRows, dw);
        }
        for (std::int64_t a = 0; a < A; ++a)
            dbias[a] += dq[a];
        additiveStore(p.dtype, A, dq, s.w, row(out.dq, t, b, A));
    }
    if (out.dk)
        for (std::int64_t i = 0; i < p.Tk; ++i)
            additiveStore(p.dtype, A, dk + i * A, s.w, row(out.dk, i, b, A));
}

void AdditiveAttentionPlan::Impl::weightGradients(const AdditiveAttentionInputs& in,
                                                  const Scratch& s,
                                                  const AdditiveAttentionGradients& out) const
{
    std::fill_n(s.dwSum, p.A, 0.0f);
    std::fill_n(s.dbiasSum, p.A, 0.0f);
    for (std::int64_t b = 0; b < (empty() ? 0 : p.B); ++b)
        for (std::int64_t a = 0; a < p.A; ++a) {
            s.dwSum[a] += s.dw[b * p.A + a];
            s.dbiasSum[a] += s.w[a] * s.dbias[b * p.A + a];
        }
    const auto put = [&](float* to, std::int64_t a, double v) {
        to[a] = float(out.accumulate ? double(to[a]) + v : v);
    };
    const double norm = p.normalised ? weightNorm(in) : 1.0;
    double along = 0.0; // dw . v
    for (std::int64_t a = 0; a < p.A; ++a)
        along += double(s.dwSum[a]) * double(in.v[a]);
    const double scale = p.normalised ? double(*in.scale) : 1.0;
    for (std::int64_t a = 0; a < p.A; ++a) {
        const double straight = double(s.dwSum[a]);
        if (out.dv && p.normalised)
            put(out.dv, a, scale / norm * (straight - along / (norm * norm) * double(in.v[a])));
        else if (out.dv)
            put(out.dv, a, straight);
        if (out.dbias)
            put(out.dbias, a, double(s.dbiasSum[a]));
    }
    if (out.dscale)
        put(out.dscale, 0, p.A > 0 ? along / norm : 0.0);
}

AdditiveAttentionPlan::AdditiveAttentionPlan(const AdditiveAttentionParams& p) : impl_(new Impl(p))
{
}
AdditiveAttentionPlan::~AdditiveAttentionPlan() = default;
AdditiveAttentionPlan::AdditiveAttentionPlan(AdditiveAttentionPlan&&) noexcept = default;

std::size_t AdditiveAttentionPlan::workspaceBytes() const
{
    Carver c(nullptr);
    impl_->carve(c);
    return c.used();
}

void AdditiveAttentionPlan::forward(const AdditiveAttentionInputs& in, void* p, void* context,
                                    void* workspace) const
{
    const Impl& m = *impl_;
    if (m.empty()) { // no keys: nothing to attend to
        std::memset(context, 0, std::size_t(m.p.Tq * m.p.B * m.p.V) * m.element);
        return;
    }
    Carver c(workspace);
    const Impl::Scratch s = m.carve(c);
    m.weight(in, s.w);
    parallelFor(m.p.B, [&](std::int64_t b) { m.sequenceForward(in, s, b, p); });
    if (m.p.V > 0)
        m.context.run(p, in.value, nullptr, context, s.product);
}

void AdditiveAttentionPlan::backward(const AdditiveAttentionInputs& in, const void* p,
                                     const void* dcontext, const AdditiveAttentionGradients& out,
                                     void* workspace) const
{
    const Impl& m = *impl_;
    Carver c(workspace);
    const Impl::Scratch s = m.carve(c);
    const AdditiveAttentionParams& q = m.p;
    if (m.empty()) {
        std::memset(out.dq, 0, std::size_t(q.Tq * q.B * q.A) * m.element);
        if (out.dk)
            std::memset(out.dk, 0, std::size_t(q.Tk * q.B * q.A) * m.element);
        if (out.dvalue)
            std::memset(out.dvalue, 0, std::size_t(q.Tk * q.B * q.V) * m.element);
        return m.weightGradients(in, s, out);
    }
    m.weight(in, s.w);
    if (q.V > 0) {
        m.dp.run(dcontext, in.value, nullptr, s.dp, s.product);
        if (out.dvalue)
            m.dvalue.run(p, dcontext, nullptr, out.dvalue, s.product);
    } else {
        std::fill_n(s.dp, q.B * q.Tq * q.Tk, 0.0f);
    }
    parallelFor(q.B, [&](std::int64_t b) {
        m.scoreGradients(in, s, b, p);
        m.sequenceBackward(in, s, b, out);
    });
    m.weightGradients(in, s, out);
}

} // namespace kernels::cpu
} // namespace scalebench
