// SPDX-License-Identifier: GPL-3.0-or-later
// The graphs of attention and its gradients, computed by plain loops
// (tests/support/graph_arithmetic), give what the formulas give.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "engine/backend/cuda/attention_graphs.h"
#include "kernels/cuda/fused_attention.h"

using namespace scalebench;
using namespace scalebench::cuda_backend;

namespace {

using Values = std::vector<double>;

constexpr int kSentences = 3, kHeads = 2, kQueries = 5, kDim = 8;

/// Rows of tokens with heads in their columns.
struct Tokens {
    int rows;
    std::int64_t stride;
    Values v;

    Tokens(int perSentence, std::int64_t width)
        : rows(perSentence), stride(width), v(std::size_t(kSentences * perSentence * width))
    {
    }
    double& at(int sentence, int head, int row, int d)
    {
        return v[std::size_t((sentence * rows + row) * stride + head * kDim + d)];
    }
};

double largestDifference(const Values& a, const Values& b)
{
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

} // namespace

class AttentionGraphsTest : public QObject
{
    Q_OBJECT

private slots:
    void gradientsAreThoseOfTheFormulas_data()
    {
        QTest::addColumn<bool>("causal");
        QTest::addColumn<bool>("padded");
        QTest::addColumn<double>("dropout");
        for (const bool causal : {false, true})
            for (const bool padded : {false, true})
                for (const double dropout : {0.0, 0.5})
                    QTest::addRow("%s%s%s", causal ? "causal " : "", padded ? "padded " : "",
                                  dropout > 0 ? "dropout" : "plain")
                        << causal << padded << dropout;
    }

    void gradientsAreThoseOfTheFormulas()
    {
        QFETCH(bool, causal);
        QFETCH(bool, padded);
        QFETCH(double, dropout);
        const int keys = 7;
        AttentionParams p;
        p.heads = kHeads, p.headDim = kDim;
        p.queryRows = kSentences * kQueries, p.keyRows = kSentences * keys;
        p.strideQ = 3 * kHeads * kDim, p.strideK = 40, p.strideV = 48, p.strideO = kHeads * kDim;
        p.dtype = DType::BF16;
        p.scale = 0.25f, p.causal = causal, p.dropout = float(dropout);
        const std::vector<int> lengths =
            padded ? std::vector<int>{keys, 4, 1} : std::vector<int>{keys, keys, keys};

        std::mt19937 random(5);
        std::normal_distribution<double> normal;
        Tokens q(kQueries, p.strideQ), k(keys, p.strideK), v(keys, p.strideV),
            o(kQueries, p.strideO), dO(kQueries, p.strideO);
        for (Tokens* t : {&q, &k, &v, &dO})
            for (double& x : t->v)
                x = normal(random);
        const std::int64_t pitch = kernels::cuda::keptPitch(keys);
        Values kept(std::size_t(kSentences * kHeads * kQueries * pitch));
        for (double& x : kept)
            x = random() % 2 == 0 ? 1.0 : 0.0;
        double dropScale = 1.0 / (1.0 - dropout), dropScaleInverse = 1.0 - dropout;

        // dV = P^T dO, dS = P (dP - sum(dO o)), dQ = dS K, dK = dS^T Q, P and dP with dropout.
        Tokens dq(kQueries, p.strideQ), dk(keys, p.strideK), dv(keys, p.strideV);
        Values statistics(std::size_t(kSentences * kHeads * kQueries));
        for (int b = 0; b < kSentences; ++b)
            for (int h = 0; h < kHeads; ++h)
                for (int i = 0; i < kQueries; ++i) {
                    const auto row = std::size_t((b * kHeads + h) * kQueries + i);
                    const int end =
                        std::min(lengths[std::size_t(b)], causal ? i + 1 : lengths[std::size_t(b)]);
                    Values P(std::size_t(keys), 0.0), z(std::size_t(keys), 1.0);
                    double sum = 0, dot = 0;
                    for (int j = 0; j < end; ++j) {
                        double s = 0;
                        for (int d = 0; d < kDim; ++d)
                            s += q.at(b, h, i, d) * k.at(b, h, j, d);
                        P[std::size_t(j)] = std::exp(s * double(p.scale));
                        sum += P[std::size_t(j)];
                        if (dropout > 0)
                            z[std::size_t(j)] =
                                kept[row * std::size_t(pitch) + std::size_t(j)] * dropScale;
                    }
                    statistics[row] = std::log(sum);
                    for (double& x : P)
                        x /= sum;
                    for (int d = 0; d < kDim; ++d) {
                        for (int j = 0; j < end; ++j)
                            o.at(b, h, i, d) +=
                                P[std::size_t(j)] * z[std::size_t(j)] * v.at(b, h, j, d);
                        dot += o.at(b, h, i, d) * dO.at(b, h, i, d);
                    }
                    for (int j = 0; j < end; ++j) {
                        const double Pj = P[std::size_t(j)], zj = z[std::size_t(j)];
                        double dP = 0;
                        for (int d = 0; d < kDim; ++d)
                            dP += dO.at(b, h, i, d) * v.at(b, h, j, d) * zj;
                        const double dS = Pj * (dP - dot) * double(p.scale);
                        for (int d = 0; d < kDim; ++d) {
                            dq.at(b, h, i, d) += dS * k.at(b, h, j, d);
                            dk.at(b, h, j, d) += dS * q.at(b, h, i, d);
                            dv.at(b, h, j, d) += Pj * zj * dO.at(b, h, i, d);
                        }
                    }
                }

        double scale = double(p.scale), minusInfinity = -INFINITY, one = 1.0;
        Values queryCounts(kSentences, kQueries), keyCounts(lengths.begin(), lengths.end());
        if (dropout == 0) { // else the graph is not for it
            AttentionForwardGraph forward =
                attentionForwardGraph(p, {kSentences, kQueries, keys, padded});
            const AttentionForwardIds& f = forward.ids;
            Tokens go(kQueries, p.strideO);
            Values logSums(statistics.size());
            const std::pair<CudnnGraph::Id, double*> operands[] = {
                {f.q, q.v.data()},  {f.k, k.v.data()}, {f.v, v.v.data()},
                {f.o, go.v.data()}, {f.scale, &scale}, {f.statistics, logSums.data()}};
            for (const auto& [id, memory] : operands)
                forward.graph.bind(id, memory);
            if (padded) {
                forward.graph.bind(f.queryCounts, queryCounts.data());
                forward.graph.bind(f.keyCounts, keyCounts.data());
            }
            if (padded || causal)
                forward.graph.bind(f.minusInfinity, &minusInfinity);
            forward.graph.run();
            QVERIFY(largestDifference(go.v, o.v) < 1e-12);
            QVERIFY(largestDifference(logSums, statistics) < 1e-12);
        }

        AttentionGradientGraph made =
            attentionGradientGraph(p, {kSentences, kQueries, keys, padded});
        const AttentionGradientIds& i = made.ids;
        Tokens gq(kQueries, p.strideQ), gk(keys, p.strideK), gv(keys, p.strideV);
        Values dots(statistics.size());
        const std::pair<CudnnGraph::Id, double*> always[] = {
            {i.q, q.v.data()},     {i.k, k.v.data()},   {i.v, v.v.data()},
            {i.o, o.v.data()},     {i.dO, dO.v.data()}, {i.dq, gq.v.data()},
            {i.dk, gk.v.data()},   {i.dv, gv.v.data()}, {i.statistics, statistics.data()},
            {i.dots, dots.data()}, {i.scale, &scale}};
        for (const auto& [id, memory] : always)
            made.graph.bind(id, memory);
        // What FusedAttention hands over in each case, and no more.
        if (padded) {
            made.graph.bind(i.queryCounts, queryCounts.data());
            made.graph.bind(i.keyCounts, keyCounts.data());
        }
        if (padded || causal)
            made.graph.bind(i.minusInfinity, &minusInfinity);
        if (dropout > 0) {
            made.graph.bind(i.kept, kept.data());
            made.graph.bind(i.dropScale, &dropScale);
            made.graph.bind(i.dropScaleInverse, &dropScaleInverse);
        } else {
            made.graph.bind(i.one, &one);
        }
        made.graph.run();
        QVERIFY(largestDifference(gq.v, dq.v) < 1e-12);
        QVERIFY(largestDifference(gk.v, dk.v) < 1e-12);
        QVERIFY(largestDifference(gv.v, dv.v) < 1e-12);
        QVERIFY(largestDifference(dq.v, Values(dq.v.size(), 0.0)) > 0.01);
    }
};

QTEST_GUILESS_MAIN(AttentionGraphsTest)
#include "attention_graphs_test.moc"
