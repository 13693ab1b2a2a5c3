// SPDX-License-Identifier: GPL-3.0-or-later
// What lies around cuDNN's attention, on the emulation: our dropout, statistics and lengths in its
// layouts; and that our kernels serve where the library has no graph for it.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/cuda_context.h"
#include "kernels/cuda/fused_attention.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/dropout.h"

using namespace scalebench;
using namespace scalebench::cuda_backend;
namespace cuda = scalebench::kernels::cuda;

namespace {

AttentionParams params(std::int64_t sentences, std::int64_t queries, std::int64_t keys)
{
    AttentionParams p;
    p.heads = 3, p.headDim = 8;
    p.queryRows = sentences * queries, p.keyRows = sentences * keys;
    p.strideQ = p.strideK = p.strideV = 3 * 24, p.strideO = 24;
    p.dtype = DType::BF16;
    p.dropout = 0.25f, p.seed = 77, p.stream = 5, p.dropoutOffset = 640;
    return p;
}

Tensor uploaded(Backend& backend, const std::vector<float>& v)
{
    CachingAllocator host;
    Tensor t = Tensor::empty({std::int64_t(v.size())}, DType::F32, host);
    std::copy(v.begin(), v.end(), t.f32().begin());
    return backend.upload(t);
}

} // namespace

class FusedAttentionTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { backend_ = makeCudaBackend(0, true); }

    void dropoutIsOurs_data()
    {
        QTest::addColumn<int>("queries");
        QTest::addColumn<int>("keys");
        QTest::newRow("whole groups") << 5 << 128;
        QTest::newRow("odd") << 7 << 77;
        QTest::newRow("few") << 2 << 3;
    }
    void dropoutIsOurs()
    {
        QFETCH(int, queries);
        QFETCH(int, keys);
        constexpr std::int64_t kSentences = 2;
        const AttentionParams p = params(kSentences, queries, keys);
        const std::int64_t pitch = cuda::keptPitch(keys), keyPitch = (p.keyRows + 63) / 64 * 64;
        CudaContext& context = contextOf(*backend_);
        const Tensor kept = context.make({kSentences, p.heads, queries, pitch}, p.dtype);
        cuda::dropoutKept(p, kSentences, keys, kept.data(), context.stream());
        const Tensor host = backend_->download(kept);
        int dropped = 0;
        for (std::int64_t b = 0; b < kSentences; ++b)
            for (std::int64_t h = 0; h < p.heads; ++h)
                for (std::int64_t q = 0; q < queries; ++q)
                    for (std::int64_t k = 0; k < keys; ++k) {
                        const std::int64_t row = h * p.queryRows + b * queries + q;
                        const std::uint32_t word = formula::dropoutWord(
                            p.seed, p.stream, p.dropoutOffset + std::uint64_t(row * keyPitch + k));
                        const bool keep = word >= formula::dropoutThreshold(p.dropout);
                        dropped += keep ? 0 : 1;
                        const std::size_t at =
                            std::size_t(((b * p.heads + h) * queries + q) * pitch + k);
                        QCOMPARE(host.bf16()[at], bf16_t(keep ? 0x3f80 : 0)); // 1.0
                    }
        QVERIFY(dropped > 0);
    }

    void statisticsLieBySentence()
    {
        std::vector<float> from(2 * 3 * 4); // [heads][sentences * queries]
        for (std::size_t i = 0; i < from.size(); ++i)
            from[i] = float(i);
        CudaContext& context = contextOf(*backend_);
        const Tensor in = uploaded(*backend_, from), out = context.make({3, 2, 4}, DType::F32);
        cuda::statisticsBySentence(2, 3, 4, in.f32().data(), out.f32().data(), context.stream());
        const Tensor host = backend_->download(out);
        for (int head = 0; head < 2; ++head)
            for (int sentence = 0; sentence < 3; ++sentence)
                for (int query = 0; query < 4; ++query)
                    QCOMPARE(host.f32()[std::size_t((sentence * 2 + head) * 4 + query)],
                             float(head * 12 + sentence * 4 + query));
        const Tensor back = context.make({2, 12}, DType::F32);
        cuda::statisticsByHead(2, 3, 4, out.f32().data(), back.f32().data(), context.stream());
        const Tensor again = backend_->download(back);
        QVERIFY(std::ranges::equal(again.f32(), from));
    }

    void lengthsAreThoseOfTheSegments()
    {
        CudaContext& context = contextOf(*backend_);
        const std::vector<AttentionSegment> mask{{0, 4, 0, 7}, {4, 4, 7, 5}};
        const Tensor segments = context.makeTable(std::span<const AttentionSegment>(mask));
        const cuda::SegmentList list{
            static_cast<const AttentionSegment*>(segments.data()), 2, 4, 7, 8, 12};
        const Tensor counts = context.make({4}, DType::I32);
        cuda::segmentCounts(list, counts.i32().data(), counts.i32().data() + 2, context.stream());
        const Tensor host = backend_->download(counts);
        QCOMPARE(std::vector<std::int32_t>(host.i32().begin(), host.i32().end()),
                 (std::vector<std::int32_t>{4, 4, 7, 5}));
    }

    /// Only the heads' columns count.
    void differencesAreSummed()
    {
        AttentionParams p = params(1, 2, 2);
        p.dtype = DType::F32, p.heads = 1, p.headDim = 2;
        CudaContext& context = contextOf(*backend_);
        const Tensor a = uploaded(*backend_, {1, 2, 99, 3, 4, 99});
        const Tensor b = uploaded(*backend_, {1, 4, 0, 3, 1, 0});
        const Tensor sums = backend_->zeros({2}, DType::F32);
        cuda::addSquaredDifference(p, a.data(), b.data(), 2, 3, sums.f32().data(),
                                   context.stream());
        const Tensor host = backend_->download(sums);
        QCOMPARE(host.f32()[0], 13.0f);
        QCOMPARE(host.f32()[1], 27.0f);
    }

    /// The emulation's cuDNN knows convolutions only.
    void ourKernelsServeWhereThereIsNoPlan()
    {
        DotAttentionArgs args;
        args.heads = 2, args.headDim = 64;
        args.mask = sentenceMask(2, 9, 9);
        const TokenColumns qkv{backend_->zeros({2, 9, 3 * 128}, DType::BF16), 0};
        const TokenColumns k{qkv.tokens, 128}, v{qkv.tokens, 256};
        const Tensor dO = backend_->zeros({2, 9, 128}, DType::BF16);
        const TokenColumns dq{backend_->zeros({2, 9, 3 * 128}, DType::BF16), 0};
        AttentionOps& ops = backend_->attention();
        const DotAttentionResult forward = ops.dotAttentionForward(args, qkv, k, v, true);
        QCOMPARE(QString::fromStdString(ops.servedBy()), QString("own kernels"));
        for (const char* served : {"own kernels", "own kernels: no plan", "own kernels: no plan"}) {
            ops.dotAttentionBackward(args, qkv, k, v, forward, dO,
                                     {dq, {dq.tokens, 128}, {dq.tokens, 256}});
            QCOMPARE(QString::fromStdString(ops.servedBy()), QString(served));
            backend_->setShapesRepeat(true); // else little work is not worth a plan
        }
        (void)ops.dotAttentionForward(args, qkv, k, v, false);
        QCOMPARE(QString::fromStdString(ops.servedBy()), QString("own kernels: no plan"));
        args.mask = packedMask(std::vector<std::int32_t>{0, 5, 18},
                               std::vector<std::int32_t>{0, 5, 18}); // no sentences of one length
        ops.dotAttentionBackward(args, qkv, k, v, forward, dO,
                                 {dq, {dq.tokens, 128}, {dq.tokens, 256}});
        QCOMPARE(QString::fromStdString(ops.servedBy()), QString("own kernels"));
    }

    /// What the forward leaves of dropout is what the backward would draw, also for packed
    /// sequences and rows of none.
    void dropoutIsDrawnOnce()
    {
        DotAttentionArgs args;
        args.heads = 2, args.headDim = 64, args.dropout = 0.3f, args.dropoutKey = 7;
        args.mask =
            packedMask(std::vector<std::int32_t>{0, 5, 75}, std::vector<std::int32_t>{0, 5, 75});
        const std::int64_t rows = 80;
        std::vector<float> values(std::size_t(rows * 3 * 128));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = std::sin(float(i));
        Tensor x = Tensor::empty({rows, 3 * 128}, DType::BF16, host_);
        std::ranges::transform(values, x.bf16().begin(), formula::f32ToBf16);
        x = backend_->upload(x);
        const TokenColumns q{x, 0}, k{x, 128}, v{x, 256};
        AttentionOps& ops = backend_->attention();
        DotAttentionResult forward = ops.dotAttentionForward(args, q, k, v, true);
        QVERIFY(forward.kept.defined());
        const Tensor dO = forward.output;
        std::vector<bf16_t> gradients[2];
        for (std::vector<bf16_t>& all : gradients) {
            const Tensor d = backend_->zeros({rows, 3 * 128}, DType::BF16);
            ops.dotAttentionBackward(args, q, k, v, forward, dO, {{d, 0}, {d, 128}, {d, 256}});
            const Tensor host = backend_->download(d);
            all.assign(host.bf16().begin(), host.bf16().end());
            forward.kept = {};
        }
        QVERIFY(std::ranges::any_of(gradients[0], [](bf16_t g) { return g != 0; }));
        QCOMPARE(gradients[0], gradients[1]);
        args.dropout = 0.0f;
        QVERIFY(!ops.dotAttentionForward(args, q, k, v, true).kept.defined());
    }

private:
    std::unique_ptr<Backend> backend_;
    CachingAllocator host_;
};

QTEST_GUILESS_MAIN(FusedAttentionTest)
#include "fused_attention_test.moc"
