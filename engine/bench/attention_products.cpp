// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/attention_products.h"

#include "kernels/matmul.h"
#include "kernels/softmax.h"

#include <algorithm>
#include <cmath>

namespace scalebench::bench {
namespace {

using kernels::cpu::MatmulPlan;

/// A matrix per segment and head: tokens [segment, token, head, depth], or scores [segment, head,
/// query, key].
struct Operand {
    std::int64_t ld;
    BatchStride stride;
};

} // namespace

struct AttentionProducts::Plans {
    AttentionParams p;
    std::int64_t batch, tokens;
    MatmulPlan scores, values, gradValue, gradScores, gradQuery, gradKey;
    Buffer probabilities, gradients, workspace;

    Plans(const AttentionParams& params, std::int64_t b)
        : p(params),
          batch(b),
          tokens(p.queryRows / b),
          scores(product(tokens, tokens, p.headDim, false, true, heads(), heads(), pairs())),
          values(product(tokens, p.headDim, tokens, false, false, pairs(), heads(), heads())),
          gradValue(product(tokens, p.headDim, tokens, true, false, pairs(), heads(), heads())),
          gradScores(product(tokens, tokens, p.headDim, false, true, heads(), heads(), pairs())),
          gradQuery(product(tokens, p.headDim, tokens, false, false, pairs(), heads(), heads())),
          gradKey(product(tokens, p.headDim, tokens, true, false, pairs(), heads(), heads())),
          probabilities(std::size_t(bytes(p, b) / 2)),
          gradients(std::size_t(bytes(p, b) / 2)),
          workspace(std::max({scores.workspaceBytes(), values.workspaceBytes(),
                              gradValue.workspaceBytes(), gradScores.workspaceBytes(),
                              gradQuery.workspaceBytes(), gradKey.workspaceBytes()}))
    {
    }

    Operand heads() const { return {p.strideQ, {tokens * p.strideQ, p.headDim}}; }
    Operand pairs() const { return {tokens, {p.heads * tokens * tokens, tokens * tokens}}; }
    MatmulPlan product(std::int64_t M, std::int64_t N, std::int64_t K, bool transA, bool transB,
                       Operand a, Operand b, Operand c) const
    {
        MatmulParams m;
        m.M = M, m.N = N, m.K = K;
        m.outerBatch = batch, m.innerBatch = p.heads;
        m.transA = transA, m.transB = transB;
        m.lda = a.ld, m.ldb = b.ld, m.ldc = c.ld;
        m.strideA = a.stride, m.strideB = b.stride, m.strideC = c.stride;
        m.inputType = m.outputType = p.dtype;
        return MatmulPlan(m);
    }
    void run(const MatmulPlan& plan, const void* a, const void* b, void* c) const
    {
        plan.run(a, b, nullptr, c, workspace.data());
    }
    std::int64_t rows() const { return batch * p.heads * tokens; }
};

AttentionProducts::AttentionProducts(const AttentionParams& p, std::int64_t batch)
    : plans_(std::make_unique<Plans>(p, batch))
{
}

AttentionProducts::~AttentionProducts() = default;

double AttentionProducts::bytes(const AttentionParams& p, std::int64_t batch)
{
    const std::int64_t length = p.queryRows / batch;
    return 2.0 * double(p.heads) * double(p.queryRows) * double(length) *
           double(dtypeBytes(p.dtype));
}

// The scale is left out: as a factor of a product it costs nothing.
void AttentionProducts::forward(const void* q, const void* k, const void* v, void* o) const
{
    const Plans& x = *plans_;
    void* const scores = x.probabilities.data();
    x.run(x.scores, q, k, scores);
    kernels::cpu::softmaxForward(x.p.dtype, x.rows(), x.tokens, scores, scores);
    x.run(x.values, scores, v, o);
}

void AttentionProducts::backward(const AttentionBackward& b) const
{
    const Plans& x = *plans_;
    void* const gradients = x.gradients.data();
    x.run(x.gradValue, x.probabilities.data(), b.dO, b.dv);
    x.run(x.gradScores, b.dO, b.v, gradients);
    kernels::cpu::softmaxBackward(x.p.dtype, x.rows(), x.tokens, x.probabilities.data(), gradients,
                                  gradients);
    x.run(x.gradQuery, gradients, b.k, b.dq);
    x.run(x.gradKey, gradients, b.q, b.dk);
}

} // namespace scalebench::bench
