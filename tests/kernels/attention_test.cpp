// SPDX-License-Identifier: GPL-3.0-or-later
// Attention where its operands lie in ways that no network of ours has (values are checked by the
// engine's self-test): rows an odd number of elements apart give the bits of rows side by side. And
// backward from kept probabilities beside backward that computes them again.
#include <QTest>

#include <cmath>
#include <vector>

#include "kernels/attention.h"
#include "op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;

namespace {

constexpr std::int64_t kDim = 64;

struct Case {
    DType dtype = DType::F32;
    std::int64_t queries = 20, keys = 20, stride = kDim; ///< elements between rows
    bool causal = false;
    float dropout = 0.0f;
    bool keep = false; ///< forward leaves its probabilities
};

AttentionParams paramsOf(const Case& c)
{
    AttentionParams p;
    p.headDim = kDim, p.queryRows = c.queries, p.keyRows = c.keys;
    p.strideQ = p.strideK = p.strideV = p.strideO = c.stride;
    p.dtype = c.dtype, p.scale = 0.2f, p.causal = c.causal;
    p.dropout = c.dropout, p.seed = 7, p.stream = 8, p.dropoutOffset = 64;
    return p;
}

std::size_t keptBytes(const Case& c)
{
    return cpu::attentionKeptBytes(paramsOf(c),
                                   std::vector<AttentionSegment>{{0, c.queries, 0, c.keys}});
}

/// o, dq, dk and dv of one head, its columns only.
std::vector<Values> attended(const Case& c)
{
    const auto operand = [&](std::int64_t rows, unsigned seed) {
        const Values dense = randomValues(std::size_t(rows * kDim), seed);
        Values v(std::size_t(rows * c.stride), 0.0);
        for (std::int64_t t = 0; t < rows; ++t)
            for (std::int64_t d = 0; d < kDim; ++d)
                v[std::size_t(t * c.stride + d)] = dense[std::size_t(t * kDim + d)];
        return Buffer(c.dtype, v);
    };
    const Buffer q = operand(c.queries, 1), k = operand(c.keys, 2), v = operand(c.keys, 3),
                 o = operand(c.queries, 4), dO = operand(c.queries, 5), dq = operand(c.queries, 6),
                 dk = operand(c.keys, 7), dv = operand(c.keys, 8),
                 logSumExp(DType::F32, Values(std::size_t(c.queries), 0.0));
    const AttentionParams p = paramsOf(c);
    const std::vector<AttentionSegment> segments{{0, c.queries, 0, c.keys}};
    const std::size_t bytes = std::max(cpu::attentionForwardWorkspace(p, c.queries, c.keys),
                                       cpu::attentionBackwardWorkspace(p, c.queries, c.keys));
    const Buffer workspace(DType::F32, Values(bytes / sizeof(float), 0.0)),
        kept(DType::F32, Values(keptBytes(c) / sizeof(float), -1.0));
    AttentionForward f;
    f.q = q.data(), f.k = k.data(), f.v = v.data(), f.o = o.data(), f.logSumExp = logSumExp.f32();
    f.kept = c.keep ? kept.data() : nullptr;
    cpu::attentionForward(p, segments, f, workspace.data());
    AttentionBackward b;
    b.q = q.data(), b.k = k.data(), b.v = v.data(), b.o = o.data(), b.logSumExp = logSumExp.f32();
    b.dO = dO.data(), b.dq = dq.data(), b.dk = dk.data(), b.dv = dv.data(), b.kept = f.kept;
    cpu::attentionBackward(p, segments, b, workspace.data());
    std::vector<Values> results;
    for (const Buffer* x : {&o, &dq, &dk, &dv}) {
        const Values all = x->values();
        Values& columns = results.emplace_back();
        for (std::size_t t = 0; t < all.size(); t += std::size_t(c.stride))
            columns.insert(columns.end(), all.begin() + std::ptrdiff_t(t),
                           all.begin() + std::ptrdiff_t(t) + kDim);
    }
    return results;
}

} // namespace

class AttentionTest : public QObject
{
    Q_OBJECT
private slots:
    void rowsAnOddNumberOfElementsApart_data()
    {
        QTest::addColumn<int>("dtype");
        QTest::addRow("fp32") << int(DType::F32);
        QTest::addRow("bf16") << int(DType::BF16);
    }
    void rowsAnOddNumberOfElementsApart()
    {
        QFETCH(int, dtype);
        QCOMPARE(attended({.dtype = DType(dtype), .stride = kDim + 1}),
                 attended({.dtype = DType(dtype)}));
    }

    /// Backward from what forward left, and from nothing.
    void keptAndComputedAgain_data()
    {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<int>("queries");
        QTest::addColumn<int>("keys");
        QTest::addColumn<bool>("causal");
        QTest::addColumn<double>("dropout");
        for (const DType t : {DType::F32, DType::BF16}) {
            const char* const name = t == DType::F32 ? "fp32" : "bf16";
            QTest::addRow("%s, part of a tile", name) << int(t) << 20 << 13 << false << 0.0;
            QTest::addRow("%s, dropout", name) << int(t) << 20 << 20 << false << 0.3;
            QTest::addRow("%s, several tiles, causal", name) << int(t) << 120 << 120 << true << 0.3;
            QTest::addRow("%s, wide", name) << int(t) << 70 << 100 << false << 0.1;
        }
    }
    void keptAndComputedAgain()
    {
        QFETCH(int, dtype);
        QFETCH(int, queries);
        QFETCH(int, keys);
        QFETCH(bool, causal);
        QFETCH(double, dropout);
        Case c{.dtype = DType(dtype), .queries = queries, .keys = keys};
        c.causal = causal, c.dropout = float(dropout);
        QCOMPARE_GT(keptBytes(c), std::size_t{0});
        const std::vector<Values> again = attended(c);
        c.keep = true;
        const std::vector<Values> kept = attended(c);
        QCOMPARE(kept[0], again[0]);
        for (std::size_t i = 1; i < again.size(); ++i) {
            double squares = 0, apart = 0;
            for (std::size_t j = 0; j < again[i].size(); ++j) {
                squares += again[i][j] * again[i][j];
                apart += std::pow(kept[i][j] - again[i][j], 2);
            }
            QVERIFY(squares > 0);
            QCOMPARE_LT(std::sqrt(apart / squares), c.dtype == DType::F32 ? 1e-6 : 4e-3);
        }
    }

    /// Memory grows with the length, not with its square.
    void nothingIsKeptOfLongSequences()
    {
        const auto bytes = [](std::int64_t length) {
            return keptBytes({.queries = length, .keys = length});
        };
        QCOMPARE_GE(bytes(4 * kDim), std::size_t(4 * kDim * 4 * kDim) * sizeof(float));
        QCOMPARE(bytes(4 * kDim + 1), std::size_t{0});
    }
};

QTEST_APPLESS_MAIN(AttentionTest)
#include "attention_test.moc"
