// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/attention_graphs.h"

#include <sstream>

#include "kernels/cuda/fused_attention.h"

namespace scalebench::cuda_backend {
namespace {

using Id = CudnnGraph::Id;
using Sizes = std::vector<std::int64_t>;

std::string nameOf(const char* direction, const AttentionParams& p, const SentenceShape& s)
{
    std::ostringstream text;
    text << "attention " << direction << " " << (p.dtype == DType::BF16 ? "bf16" : "f16") << " "
         << s.sentences << "x" << p.heads << "x" << s.queries << "x" << s.keys << "x" << p.headDim
         << " strides " << p.strideQ << " " << p.strideK << " " << p.strideV << " " << p.strideO
         << (p.causal ? " causal" : "") << (s.padded ? " padded" : "")
         << (p.dropout > 0.0f ? " dropout" : "");
    return text.str();
}

/// Tensors over tokens and scores, and what both directions do to scores.
class ScoreGraph
{
protected:
    ScoreGraph(CudnnGraph& graph, const AttentionParams& p, const SentenceShape& s)
        : p_(p), s_(s), io_(cudnnTypeOf(p.dtype, "attention")), graph_(graph)
    {
    }
    CudnnGraph& g() { return graph_; }

    Id between(cudnnDataType_t type, Sizes sizes, Sizes strides)
    {
        CudnnTensor t;
        t.type = type, t.sizes = std::move(sizes), t.strides = std::move(strides);
        t.isVirtual = true;
        return g().tensor(t);
    }
    Id scores(cudnnDataType_t type = CUDNN_DATA_FLOAT)
    {
        return between(type, {s_.sentences, p_.heads, s_.queries, s_.keys}, scoreStrides());
    }
    Sizes scoreStrides() const
    {
        return {p_.heads * s_.queries * s_.keys, s_.queries * s_.keys, s_.keys, 1};
    }
    Id rows(bool isVirtual)
    {
        CudnnTensor t;
        t.sizes = {s_.sentences, p_.heads, s_.queries, 1};
        t.strides = {p_.heads * s_.queries, s_.queries, 1, 1};
        t.isVirtual = isVirtual;
        return g().tensor(t);
    }
    Id number()
    {
        CudnnTensor t;
        t.byValue = true;
        return g().tensor(t);
    }
    /// Columns of a matrix of tokens; turned: with its last two axes exchanged.
    Id heads(std::int64_t tokens, std::int64_t stride, bool turned = false)
    {
        CudnnTensor t;
        t.type = io_;
        t.sizes = {s_.sentences, p_.heads, tokens, p_.headDim};
        t.strides = {tokens * stride, p_.headDim, stride, 1};
        if (turned) {
            std::swap(t.sizes[2], t.sizes[3]);
            std::swap(t.strides[2], t.strides[3]);
        }
        return g().tensor(t);
    }
    /// y = mode(a, b) over the scores.
    Id combine(cudnnPointwiseMode_t mode, Id a, Id b)
    {
        const Id y = scores();
        g().pointwise(mode, {a, b}, y);
        return y;
    }

    /// x where `seen`, minus infinity elsewhere.
    Id hide(Id x, Id seen, Id minusInfinity)
    {
        const Id y = scores();
        g().pointwise(CUDNN_POINTWISE_BINARY_SELECT, {x, minusInfinity, seen}, y);
        return y;
    }
    Id compare(cudnnPointwiseMode_t mode, Id a, Id b)
    {
        const Id y = scores(CUDNN_DATA_BOOLEAN);
        g().pointwise(mode, {a, b}, y, CUDNN_DATA_BOOLEAN);
        return y;
    }
    Id index(Id x, std::int64_t axis)
    {
        const Id y = scores(CUDNN_DATA_INT32);
        g().index(x, axis, y);
        return y;
    }

    /// [sentences]: how many of their rows count.
    Id counts()
    {
        CudnnTensor t;
        t.type = CUDNN_DATA_INT32;
        t.sizes = {s_.sentences, 1, 1, 1};
        return g().tensor(t);
    }
    /// The scores, minus infinity where a query does not see a key. `ids`: of either direction.
    template <class Ids>
    Id visible(Id x, const Ids& ids)
    {
        if (s_.padded) {
            const Id row = index(x, 2), column = index(x, 3);
            const Id rowSeen = compare(CUDNN_POINTWISE_CMP_LT, row, ids.queryCounts);
            const Id columnSeen = compare(CUDNN_POINTWISE_CMP_LT, column, ids.keyCounts);
            x = hide(x, compare(CUDNN_POINTWISE_LOGICAL_AND, rowSeen, columnSeen),
                     ids.minusInfinity);
        }
        if (p_.causal) {
            const Id row = index(x, 2), column = index(x, 3);
            x = hide(x, compare(CUDNN_POINTWISE_CMP_GE, row, column), ids.minusInfinity);
        }
        return x;
    }
    CudnnGraph::Extents extents(const Id* rows, const Id* columns, const Id* depth) const
    {
        return s_.padded ? CudnnGraph::Extents{rows, columns, depth} : CudnnGraph::Extents{};
    }

    const AttentionParams& p_;
    const SentenceShape& s_;
    cudnnDataType_t io_;

private:
    CudnnGraph& graph_;
};

class ForwardGraph : private ScoreGraph
{
public:
    ForwardGraph(AttentionForwardGraph& made, const AttentionParams& p, const SentenceShape& s)
        : ScoreGraph(made.graph, p, s), i_(made.ids)
    {
    }

    void build()
    {
        i_.q = heads(s_.queries, p_.strideQ), i_.o = heads(s_.queries, p_.strideO);
        i_.k = heads(s_.keys, p_.strideK, true), i_.v = heads(s_.keys, p_.strideV);
        i_.scale = number(), i_.minusInfinity = number();
        if (s_.padded)
            i_.queryCounts = counts(), i_.keyCounts = counts();
        Id x = scores();
        g().product(i_.q, i_.k, x, extents(&i_.queryCounts, &i_.keyCounts, nullptr));
        x = visible(combine(CUDNN_POINTWISE_MUL, x, i_.scale), i_);
        g().product(softmax(x), i_.v, i_.o, extents(&i_.queryCounts, nullptr, &i_.keyCounts));
    }

private:
    Id softmax(Id x)
    {
        const Id largest = rows(true), sum = rows(true), logarithm = rows(true);
        g().largest(x, largest);
        const Id e = scores();
        g().pointwise(CUDNN_POINTWISE_EXP, {combine(CUDNN_POINTWISE_SUB, x, largest)}, e);
        g().sum(e, sum);
        g().pointwise(CUDNN_POINTWISE_LOG, {sum}, logarithm);
        i_.statistics = rows(false);
        g().pointwise(CUDNN_POINTWISE_ADD, {largest, logarithm}, i_.statistics);
        const Id P = scores(io_);
        g().pointwise(CUDNN_POINTWISE_DIV, {e, sum}, P);
        return P;
    }

    AttentionForwardIds& i_;
};

/// Builds the graph; the names of its steps are the formulas.
class GradientGraph : private ScoreGraph
{
public:
    GradientGraph(AttentionGradientGraph& made, const AttentionParams& p, const SentenceShape& s)
        : ScoreGraph(made.graph, p, s), ids_(made.ids)
    {
    }

    void build()
    {
        operands();
        const Id dots = sumsOfRows();
        const Id P = probabilities();
        gradients(P, dots);
    }

private:
    void operands()
    {
        AttentionGradientIds& i = ids_;
        i.q = heads(s_.queries, p_.strideQ), i.dq = heads(s_.queries, p_.strideQ);
        i.k = heads(s_.keys, p_.strideK, true), i.dk = heads(s_.keys, p_.strideK);
        i.v = heads(s_.keys, p_.strideV, true), i.dv = heads(s_.keys, p_.strideV);
        i.o = heads(s_.queries, p_.strideO), i.dO = heads(s_.queries, p_.strideO);
        i.statistics = rows(false);
        i.scale = number(), i.minusInfinity = number(), i.one = number();
        i.dropScale = number(), i.dropScaleInverse = number();
        if (s_.padded) {
            i.queryCounts = counts(), i.keyCounts = counts();
        }
        if (p_.dropout > 0.0f) {
            CudnnTensor kept;
            kept.type = io_;
            kept.sizes = {s_.sentences, p_.heads, s_.queries, s_.keys};
            const std::int64_t pitch = kernels::cuda::keptPitch(s_.keys);
            kept.strides = {p_.heads * s_.queries * pitch, s_.queries * pitch, pitch, 1};
            i.kept = g().tensor(kept);
        }
    }

    /// sum(dO o) over a row, divided by dropout's factor, by which all is multiplied later.
    Id sumsOfRows()
    {
        const AttentionGradientIds& i = ids_;
        const std::int64_t D = p_.headDim;
        const Id products = between(CUDNN_DATA_FLOAT, {s_.sentences, p_.heads, s_.queries, D},
                                    {p_.heads * s_.queries * D, s_.queries * D, p_.heads * D, 1});
        g().pointwise(CUDNN_POINTWISE_MUL, {i.dO, i.o}, products);
        const Id sums = rows(true);
        g().sum(products, sums);
        const Id dots = rows(false);
        g().pointwise(CUDNN_POINTWISE_MUL, {sums, p_.dropout > 0.0f ? i.dropScaleInverse : i.one},
                      dots);
        return ids_.dots = dots;
    }

    Id probabilities()
    {
        const AttentionGradientIds& i = ids_;
        Id x = scores();
        g().product(i.q, i.k, x, extents(&i.queryCounts, &i.keyCounts, nullptr));
        x = combine(CUDNN_POINTWISE_MUL, x, i.scale);
        x = combine(CUDNN_POINTWISE_SUB, x, i.statistics);
        x = visible(x, i);
        const Id P = scores();
        g().pointwise(CUDNN_POINTWISE_EXP, {x}, P);
        return P;
    }

    /// The scores with queries and keys exchanged, rounded for a product.
    Id turned(Id x)
    {
        const Id y = between(io_, {s_.sentences, p_.heads, s_.keys, s_.queries},
                             {p_.heads * s_.queries * s_.keys, s_.queries * s_.keys, 1, s_.keys});
        g().view(x, y);
        return y;
    }

    void gradients(Id P, Id dots)
    {
        const AttentionGradientIds& i = ids_;
        const bool dropout = p_.dropout > 0.0f;
        const Id *const queries = &i.queryCounts, *const keys = &i.keyCounts;
        Id weights = P;
        if (dropout) {
            weights = combine(CUDNN_POINTWISE_MUL, weights, i.kept);
            weights = combine(CUDNN_POINTWISE_MUL, weights, i.dropScale);
        }
        g().product(turned(weights), i.dO, i.dv, extents(keys, nullptr, queries));

        Id dS = scores();
        g().product(i.dO, i.v, dS, extents(queries, keys, nullptr));
        if (dropout)
            dS = combine(CUDNN_POINTWISE_MUL, dS, i.kept);
        dS = combine(CUDNN_POINTWISE_SUB, dS, dots);
        dS = combine(CUDNN_POINTWISE_MUL, dS, P);
        if (dropout)
            dS = combine(CUDNN_POINTWISE_MUL, dS, i.dropScale);
        dS = combine(CUDNN_POINTWISE_MUL, dS, i.scale);
        g().product(turned(dS), i.q, i.dk, extents(keys, nullptr, queries));

        const Id k = between(io_, {s_.sentences, p_.heads, s_.keys, p_.headDim},
                             {s_.keys * p_.strideK, p_.headDim, p_.strideK, 1});
        g().view(i.k, k);
        g().product(dS, k, i.dq, extents(queries, nullptr, keys));
    }

    AttentionGradientIds& ids_;
};

} // namespace

AttentionForwardGraph attentionForwardGraph(const AttentionParams& p, const SentenceShape& s)
{
    AttentionParams plain = p;
    plain.dropout = 0.0f;
    AttentionForwardGraph made{CudnnGraph(nameOf("forward", plain, s)), {}};
    ForwardGraph(made, p, s).build();
    return made;
}

AttentionGradientGraph attentionGradientGraph(const AttentionParams& p, const SentenceShape& s)
{
    AttentionGradientGraph made{CudnnGraph(nameOf("backward", p, s)), {}};
    GradientGraph(made, p, s).build();
    return made;
}

} // namespace scalebench::cuda_backend
