// SPDX-License-Identifier: GPL-3.0-or-later
// Attention where its operands lie in ways that no network of ours has (values are checked by the
// engine's self-test): rows an odd number of elements apart give the bits of rows side by side.
#include <QTest>

#include <vector>

#include "kernels/attention.h"
#include "op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;

namespace {

constexpr std::int64_t kTokens = 20, kDim = 32;

/// o, dq, dk and dv of one head, its columns only; rows `stride` elements apart.
std::vector<Values> attended(DType dtype, std::int64_t stride)
{
    const auto operand = [&](unsigned seed) {
        const Values dense = randomValues(kTokens * kDim, seed);
        Values v(std::size_t(kTokens * stride), 0.0);
        for (std::int64_t t = 0; t < kTokens; ++t)
            for (std::int64_t c = 0; c < kDim; ++c)
                v[std::size_t(t * stride + c)] = dense[std::size_t(t * kDim + c)];
        return Buffer(dtype, v);
    };
    const Buffer q = operand(1), k = operand(2), v = operand(3), o = operand(4), dO = operand(5),
                 dq = operand(6), dk = operand(7), dv = operand(8),
                 logSumExp(DType::F32, Values(kTokens, 0.0));
    AttentionParams p;
    p.headDim = kDim, p.queryRows = p.keyRows = kTokens;
    p.strideQ = p.strideK = p.strideV = p.strideO = stride;
    p.dtype = dtype, p.scale = 0.2f;
    const std::vector<AttentionSegment> segments{{0, kTokens, 0, kTokens}};
    const std::size_t bytes = std::max(cpu::attentionForwardWorkspace(p, kTokens, kTokens),
                                       cpu::attentionBackwardWorkspace(p, kTokens, kTokens));
    const Buffer workspace(DType::F32, Values(bytes / sizeof(float), 0.0));
    AttentionForward f;
    f.q = q.data(), f.k = k.data(), f.v = v.data(), f.o = o.data(), f.logSumExp = logSumExp.f32();
    cpu::attentionForward(p, segments, f, workspace.data());
    AttentionBackward b;
    b.q = q.data(), b.k = k.data(), b.v = v.data(), b.o = o.data(), b.logSumExp = logSumExp.f32();
    b.dO = dO.data(), b.dq = dq.data(), b.dk = dk.data(), b.dv = dv.data();
    cpu::attentionBackward(p, segments, b, workspace.data());
    std::vector<Values> results;
    for (const Buffer* x : {&o, &dq, &dk, &dv}) {
        const Values all = x->values();
        Values& columns = results.emplace_back();
        for (std::int64_t t = 0; t < kTokens; ++t)
            columns.insert(columns.end(), all.begin() + t * stride,
                           all.begin() + t * stride + kDim);
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
        QCOMPARE(attended(DType(dtype), kDim + 1), attended(DType(dtype), kDim));
    }
};

QTEST_APPLESS_MAIN(AttentionTest)
#include "attention_test.moc"
