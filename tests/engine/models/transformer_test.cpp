// SPDX-License-Identifier: GPL-3.0-or-later
// The Transformer: published size, gradients, order of the gradients, causality, padding against
// packing, dropout, learning.
#include <QTest>

#include <cmath>
#include <cstring>

#include "engine/core/rng.h"
#include "engine/core/thread_count.h"
#include "engine/models/transformer/positions.h"
#include "engine/models/transformer/transformer.h"
#include "engine/optim/optimizer.h"
#include "kernels/check.h"
#include "tests/engine/models/network_steps.h"

using namespace scalebench;
using namespace scalebench::tests;

namespace {

constexpr std::int64_t kVocabulary = 23;
const LossParams kSmoothed{.labelSmoothing = 0.1f};

TransformerConfig tiny(float dropout = 0.0f, bool shared = true)
{
    TransformerConfig c;
    c.name = "tiny";
    c.vocabulary = kVocabulary, c.hidden = 24, c.heads = 3, c.feedForward = 40;
    c.encoderLayers = c.decoderLayers = 2;
    c.dropout = dropout, c.sharedEmbedding = shared;
    return c;
}

Tensor tokens(Backend& backend, Shape shape, std::uint64_t seed)
{
    Tensor t = Tensor::empty(std::move(shape), DType::I32, backend.allocator());
    Rng rng(seed);
    for (auto& v : t.i32())
        v = std::int32_t(1 + rng.below(std::uint32_t(kVocabulary) - 1));
    return t;
}

/// Three sentences of 7 source and 5 target tokens.
Batch smallBatch(Backend& backend)
{
    return {{tokens(backend, {3, 7}, 1), tokens(backend, {3, 5}, 2), tokens(backend, {3, 5}, 3)},
            3};
}

/// Sentences of different lengths, once padded and once packed into one row.
struct TwoForms {
    Batch padded, packed;
};

TwoForms twoForms(Backend& backend)
{
    const std::vector<std::int32_t> source = {5, 2, 7}, target = {3, 4, 6};
    const std::int64_t S = 7, T = 6;
    std::vector<std::int32_t> ps(3 * 7, 0), pt(3 * 6, 0), pl(3 * 6, -1), ks, kt, kl, so{0}, to{0};
    Rng rng(9);
    const auto word = [&] { return std::int32_t(1 + rng.below(std::uint32_t(kVocabulary) - 1)); };
    for (std::size_t b = 0; b < 3; ++b) {
        for (std::size_t i = 0; i < std::size_t(source[b]); ++i)
            ks.push_back(ps[b * std::size_t(S) + i] = word());
        for (std::size_t i = 0; i < std::size_t(target[b]); ++i) {
            kt.push_back(pt[b * std::size_t(T) + i] = word());
            kl.push_back(pl[b * std::size_t(T) + i] = word());
        }
        so.push_back(std::int32_t(ks.size()));
        to.push_back(std::int32_t(kt.size()));
    }
    // Packed rows end with a few tokens of padding, which belong to no sentence.
    ks.insert(ks.end(), 2, 1), kt.insert(kt.end(), 1, 1), kl.push_back(-1);
    const auto row = [](const std::vector<std::int32_t>& v) {
        return Shape{1, std::int64_t(v.size())};
    };
    return {
        {{integers(backend, {3, S}, ps), integers(backend, {3, T}, pt),
          integers(backend, {3, T}, pl), integers(backend, {3}, source)},
         3},
        {{integers(backend, row(ks), ks), integers(backend, row(kt), kt),
          integers(backend, row(kl), kl), integers(backend, {4}, so), integers(backend, {4}, to)},
         3}};
}

} // namespace

class TransformerTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { setComputeThreads(1); }

    void parameterCount()
    {
        const auto backend = makeCpuBackend();
        Transformer big(TransformerConfig::byName("transformer_big"), *backend, Precision::Fp32, 1);
        QCOMPARE(qint64(big.parameters().trainableCount()), qint64(210808832));
        QVERIFY_EXCEPTION_THROWN(TransformerConfig::byName("transformer_huge"), InvalidArgument);
    }

    void positionsAreSinusoids()
    {
        float row[6];
        sinusoid(0, 6, row);
        for (int i = 0; i < 3; ++i)
            QVERIFY(row[i] == 0.0f && row[3 + i] == 1.0f);
        sinusoid(2, 6, row); // wavelengths 2 pi, 2 pi 100, 2 pi 10000
        QVERIFY(std::abs(row[0] - std::sin(2.0f)) < 1e-6f);
        QVERIFY(std::abs(row[1] - std::sin(0.02f)) < 1e-6f);
        QVERIFY(std::abs(row[5] - std::cos(0.0002f)) < 1e-6f);
        const auto backend = makeCpuBackend();
        PositionTable positions(6, DType::F32);
        const Tensor rows = positions.rowsOf({{1, 2, 0, 3}}, true, 4, *backend);
        QVERIFY(rows.f32()[0] == 0.0f && rows.f32()[3] == 0.0f); // outside
        QVERIFY(rows.f32()[6] == 0.0f && rows.f32()[9] == 1.0f); // position 0
        QVERIFY(rows.f32()[12] == std::sin(1.0f));               // position 1
        const Tensor far = positions.row(1000, *backend);        // beyond what it held
        sinusoid(1000, 6, row);
        QVERIFY(std::ranges::equal(far.f32(), row));
        QVERIFY(positions.rowsOf({{0, 4, 0, 0}}, false, 4, *backend).f32()[0] == 0.0f);
    }

    void gradientOfEveryParameter_data()
    {
        QTest::addColumn<bool>("shared");
        QTest::newRow("one embedding") << true;
        QTest::newRow("three embeddings") << false;
    }
    void gradientOfEveryParameter()
    {
        QFETCH(bool, shared);
        const auto backend = makeCpuBackend();
        Transformer net(tiny(0.0f, shared), *backend, Precision::Fp32, 3);
        const Batch batch = smallBatch(*backend);
        std::vector<int> order;
        backwardOf(*backend, net, batch, kSmoothed, [&](int index) { order.push_back(index); });
        QCOMPARE(order, net.parameters().readyOrder());
        const auto loss = [&] { return lossOf(*backend, net, batch, 0, true, kSmoothed); };
        const std::string fault =
            againstDifferences(net.parameters(), loss, {.absolute = 2e-2, .least = 1e-3});
        QVERIFY2(fault.empty(), fault.c_str());
    }

    void noTokenSeesLaterOnes()
    {
        const auto backend = makeCpuBackend();
        Transformer net(tiny(), *backend, Precision::Fp32, 3);
        const Batch batch = smallBatch(*backend);
        const auto logits = [&] {
            Tape tape(*backend, Tape::Mode::Inference);
            const Tensor t = net.forward(tape, batch, false).value();
            return std::vector<float>(t.f32().begin(), t.f32().end());
        };
        const std::vector<float> before = logits();
        std::int32_t& changed = batch.tensors[1].i32()[5 + 3]; // sentence 1, token 3
        changed = changed == 1 ? 2 : 1;
        const std::vector<float> after = logits();
        for (std::size_t row = 0; row < 15; ++row) {
            const auto at = std::ptrdiff_t(row) * kVocabulary;
            const bool same = std::equal(before.begin() + at, before.begin() + at + kVocabulary,
                                         after.begin() + at);
            QCOMPARE(same, row != 8 && row != 9);
        }
    }

    void packedEqualsPadded_data()
    {
        QTest::addColumn<bool>("bf16");
        QTest::newRow("fp32") << false;
        QTest::newRow("bf16") << true;
    }
    void packedEqualsPadded()
    {
        QFETCH(bool, bf16);
        const auto backend = makeCpuBackend();
        Transformer net(tiny(), *backend, bf16 ? Precision::Bf16 : Precision::Fp32, 3);
        const TwoForms forms = twoForms(*backend);
        const double padded = backwardOf(*backend, net, forms.padded, kSmoothed);
        const std::vector<float> g(net.parameters().gradients().begin(),
                                   net.parameters().gradients().end());
        const double packed = backwardOf(*backend, net, forms.packed, kSmoothed);
        const double near = bf16 ? 2e-2 : 1e-5;
        QVERIFY2(std::abs(padded - packed) < near * padded,
                 (std::to_string(padded) + " " + std::to_string(packed)).c_str());
        const double gap = gradientGap(net.parameters().gradients(), g);
        QVERIFY2(gap < near, std::to_string(gap).c_str());
        // The sentences do not see each other.
        const std::int32_t first = forms.packed.tensors[0].i32()[0];
        forms.packed.tensors[0].i32()[0] = first == 1 ? 2 : 1;
        QVERIFY(std::abs(lossOf(*backend, net, forms.packed) - packed) > 0.0);
    }

    void paddingDoesNotCount()
    {
        const auto backend = makeCpuBackend();
        Transformer net(tiny(), *backend, Precision::Fp32, 3);
        const Batch batch = twoForms(*backend).padded;
        const double before = lossOf(*backend, net, batch);
        batch.tensors[0].i32()[5] = 4; // source 0 has 5 tokens
        batch.tensors[1].i32()[3] = 4; // target 0 has 3
        QCOMPARE(lossOf(*backend, net, batch), before);
        batch.tensors[0].i32()[1] = batch.tensors[0].i32()[1] == 4 ? 5 : 4;
        QVERIFY(lossOf(*backend, net, batch) != before);
    }

    void dropoutFollowsTheSeed()
    {
        const auto backend = makeCpuBackend();
        Transformer net(tiny(0.2f), *backend, Precision::Fp32, 3);
        const Batch batch = smallBatch(*backend);
        QCOMPARE(lossOf(*backend, net, batch, 1), lossOf(*backend, net, batch, 1));
        QVERIFY(lossOf(*backend, net, batch, 1) != lossOf(*backend, net, batch, 2));
        QCOMPARE(lossOf(*backend, net, batch, 1, false), lossOf(*backend, net, batch, 2, false));
    }

    void wrongBatchesAreRefused()
    {
        const auto backend = makeCpuBackend();
        Transformer net(tiny(), *backend, Precision::Fp32, 3);
        Batch batch = smallBatch(*backend);
        batch.tensors.pop_back();
        QVERIFY_EXCEPTION_THROWN(lossOf(*backend, net, batch), InvalidArgument);
        batch = smallBatch(*backend);
        batch.tensors[2] = tokens(*backend, {3, 4}, 1);
        QVERIFY_EXCEPTION_THROWN(lossOf(*backend, net, batch), InvalidArgument);
        batch = smallBatch(*backend);
        batch.tensors.push_back(integers(*backend, {3}, {7, 8, 1})); // longer than the row
        QVERIFY_EXCEPTION_THROWN(lossOf(*backend, net, batch), InvalidArgument);
    }

    void learnsToCopy_data() { packedEqualsPadded_data(); }
    void learnsToCopy()
    {
        QFETCH(bool, bf16);
        const auto backend = makeCpuBackend();
        TransformerConfig c = tiny();
        c.encoderLayers = c.decoderLayers = 1;
        Transformer net(c, *backend, bf16 ? Precision::Bf16 : Precision::Fp32, 3);
        OptimizerConfig adam;
        adam.kind = OptimizerKind::Adam;
        const auto optimizer = makeOptimizer(*backend, net.parameters(), adam);
        double first = 0, last = 0;
        for (int step = 0; step < 150; ++step) {
            // Sentences of 6 tokens to be repeated; 0 begins the target.
            const Tensor source = tokens(*backend, {16, 6}, std::uint64_t(step % 4));
            const Tensor target = Tensor::zeros({16, 6}, DType::I32, backend->allocator());
            for (std::size_t b = 0; b < 16; ++b)
                for (std::size_t i = 1; i < 6; ++i)
                    target.i32()[b * 6 + i] = source.i32()[b * 6 + i - 1];
            Tape tape(*backend);
            LossParams params;
            params.scale = 1.0f / 96;
            const LossResult r = net.loss(tape, {{source, target, source}, 16}, params, true);
            tape.backward(r.loss);
            optimizer->step(3e-3);
            last = r.sums.get().lossSum / 96;
            first = step == 0 ? last : first;
        }
        QVERIFY2(first > 2.5 && last < 0.5 * first,
                 (std::to_string(first) + " -> " + std::to_string(last)).c_str());
    }
};

QTEST_APPLESS_MAIN(TransformerTest)
#include "transformer_test.moc"
