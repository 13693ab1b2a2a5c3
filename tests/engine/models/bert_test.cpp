// SPDX-License-Identifier: GPL-3.0-or-later
// BERT: published sizes, gradients, order of the gradients, padding against packing, the factor of
// the masked words, dropout, learning; one step at the published widths.
#include <QTest>

#include "engine/core/rng.h"
#include "engine/core/thread_count.h"
#include "engine/models/bert/bert.h"
#include "engine/optim/optimizer.h"
#include "kernels/check.h"
#include "tests/engine/models/network_steps.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace scalebench;
using namespace scalebench::tests;

namespace {

constexpr std::int64_t kVocabulary = 29;

BertConfig tiny(float dropout = 0.0f)
{
    BertConfig c;
    c.name = "tiny";
    c.vocabulary = kVocabulary, c.hidden = 24, c.heads = 3, c.feedForward = 40;
    c.positions = 16, c.layers = 2, c.dropout = dropout;
    c.deviation = 0.3f; // so that every parameter matters
    return c;
}

/// Three sequences of 9, 5 and 7 tokens, once padded to 9 and once behind each other; with `fill`
/// tokens of padding at the end of the packed row and one filled-up place among the masked words.
struct TwoForms {
    Batch padded, packed;
};

TwoForms twoForms(Backend& backend, float factor)
{
    const std::vector<std::int32_t> lengths = {9, 5, 7}, split = {5, 3, 4};
    const std::vector<std::vector<std::int32_t>> masked = {{1, 4, 6}, {2}, {3, 5}};
    constexpr std::int64_t S = 9;
    std::vector<std::int32_t> padTokens(3 * S, 0), padTypes(3 * S, 0), padRows;
    std::vector<std::int32_t> tokens, types, rows, labels, offsets{0};
    Rng rng(4);
    for (std::size_t n = 0; n < 3; ++n) {
        for (std::int32_t i = 0; i < lengths[n]; ++i) {
            const auto word = std::int32_t(1 + rng.below(std::uint32_t(kVocabulary) - 1));
            const std::int32_t type = i < split[n] ? 0 : 1;
            tokens.push_back(word), types.push_back(type);
            padTokens[n * S + std::size_t(i)] = word, padTypes[n * S + std::size_t(i)] = type;
        }
        for (const std::int32_t at : masked[n]) {
            rows.push_back(offsets.back() + at);
            padRows.push_back(std::int32_t(n * S) + at);
            labels.push_back(std::int32_t(rng.below(std::uint32_t(kVocabulary))));
        }
        offsets.push_back(std::int32_t(tokens.size()));
    }
    rows.push_back(0), padRows.push_back(0), labels.push_back(-1);
    tokens.resize(24, 3), types.resize(24, 1);
    Tensor f = Tensor::empty({1}, DType::F32, backend.allocator());
    f.f32()[0] = factor;
    const Tensor labelTensor = integers(backend, {7}, labels);
    const Tensor next = integers(backend, {3}, {1, 0, 1});
    return {
        {{integers(backend, {3, S}, padTokens), integers(backend, {3, S}, padTypes),
          integers(backend, {7}, padRows), labelTensor, next, integers(backend, {3}, lengths), f},
         3},
        {{integers(backend, {1, 24}, tokens), integers(backend, {1, 24}, types),
          integers(backend, {7}, rows), labelTensor, next, integers(backend, {4}, offsets), f},
         3}};
}

} // namespace

class BertTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { setComputeThreads(1); }

    void parameterCounts()
    {
        // The published figure, and with the padded vocabulary six more rows and biases.
        QCOMPARE(qint64(Bert::countParameters(BertConfig::byName("bert_large", 30522))),
                 qint64(336226108));
        QCOMPARE(qint64(Bert::countParameters(BertConfig::byName("bert_large"))),
                 qint64(336226108 + 6 * 1025));
        // BERT-base as published with pooler and both heads: 110,106,428.
        QCOMPARE(qint64(Bert::countParameters(BertConfig::byName("bert_base", 30522))),
                 qint64(110106428));
        QVERIFY_EXCEPTION_THROWN(BertConfig::byName("bert_huge"), InvalidArgument);
        const auto backend = makeCpuBackend();
        Bert net(tiny(), *backend, Precision::Fp32, 3);
        QCOMPARE(qint64(net.parameters().trainableCount()), qint64(Bert::countParameters(tiny())));
    }

    void initialWeights()
    {
        const auto backend = makeCpuBackend();
        Bert net(BertConfig::byName("bert_tiny", 1000), *backend, Precision::Fp32, 3);
        double sum = 0, squares = 0, top = 0;
        const Tensor words = net.parameters().value(0);
        for (const float v : words.f32()) {
            sum += double(v), squares += double(v) * double(v);
            top = std::max(top, std::abs(double(v)));
        }
        const auto n = double(words.count());
        QVERIFY(std::abs(sum / n) < 1e-3);
        // Cut at two deviations, a normal keeps 0.8796 of its deviation.
        QVERIFY(std::abs(std::sqrt(squares / n) - 0.02 * 0.8796) < 2e-4);
        QVERIFY(top <= 0.04 && top > 0.039);
    }

    void gradientOfEveryParameter_data()
    {
        QTest::addColumn<bool>("packed");
        QTest::newRow("padded") << false;
        QTest::newRow("packed") << true;
    }
    void gradientOfEveryParameter()
    {
        QFETCH(bool, packed);
        const auto backend = makeCpuBackend();
        Bert net(tiny(), *backend, Precision::Fp32, 3);
        TwoForms forms = twoForms(*backend, 0.6f);
        const Batch& batch = packed ? forms.packed : forms.padded;
        std::vector<int> order;
        backwardOf(*backend, net, batch, {}, [&](int index) { order.push_back(index); });
        QCOMPARE(order, net.parameters().readyOrder());
        const auto loss = [&] { return lossOf(*backend, net, batch); };
        const std::string fault =
            againstDifferences(net.parameters(), loss, {.absolute = 1e-2, .least = 1e-3});
        QVERIFY2(fault.empty(), fault.c_str());
    }

    void packedEqualsPadded()
    {
        const auto backend = makeCpuBackend();
        Bert net(tiny(), *backend, Precision::Fp32, 3);
        const TwoForms forms = twoForms(*backend, 1.0f);
        const double padded = backwardOf(*backend, net, forms.padded);
        const std::vector<float> g(net.parameters().gradients().begin(),
                                   net.parameters().gradients().end());
        const double packed = backwardOf(*backend, net, forms.packed);
        QVERIFY2(std::abs(padded - packed) < 1e-5 * padded,
                 (std::to_string(padded) + " " + std::to_string(packed)).c_str());
        const double gap = gradientGap(net.parameters().gradients(), g);
        QVERIFY2(gap < 1e-5, std::to_string(gap).c_str());
    }

    void sequencesDoNotSeeEachOtherNorPadding()
    {
        const auto backend = makeCpuBackend();
        Bert net(tiny(), *backend, Precision::Fp32, 3);
        const TwoForms forms = twoForms(*backend, 1.0f);
        for (const Batch& batch : {forms.padded, forms.packed}) {
            const auto rows = [&] {
                Tape tape(*backend, Tape::Mode::Inference);
                const Tensor t = net.forward(tape, batch, false).words.value();
                return std::vector<float>(t.f32().begin(), t.f32().end());
            };
            const std::vector<float> before = rows();
            // The last token of sequence 1: only the words of sequence 1 (number 3) change.
            const bool packed = batch.tensors[0].dim(0) == 1;
            std::int32_t& word = batch.tensors[0].i32()[packed ? 13 : 9 + 4];
            word = word == 1 ? 2 : 1;
            const std::vector<float> after = rows();
            for (std::size_t m = 0; m < 7; ++m) {
                const auto at = std::ptrdiff_t(m) * kVocabulary;
                const bool same = std::equal(before.begin() + at, before.begin() + at + kVocabulary,
                                             after.begin() + at);
                QCOMPARE(same, m != 3);
            }
            batch.tensors[0].i32()[packed ? 22 : 9 + 6] = 7; // padding
            QCOMPARE(rows(), after);
        }
    }

    /// loss = factor * masked words + next sentence, and the sums are reported apart.
    void factorOfTheMaskedWords()
    {
        const auto backend = makeCpuBackend();
        Bert net(tiny(), *backend, Precision::Fp32, 3);
        const Batch one = twoForms(*backend, 1.0f).padded, other = twoForms(*backend, 0.25f).padded;
        Tape tape(*backend);
        LossParams params;
        params.scale = 0.5f;
        const Bert::Losses l = net.losses(tape, one, params, true);
        const SoftmaxCeResult words = l.words.get(), next = l.next.get();
        QCOMPARE(words.counted, 6);
        QCOMPARE(next.counted, 3);
        QVERIFY(std::abs(double(l.loss.value().f32()[0]) - 0.5 * (words.lossSum + next.lossSum)) <
                1e-4);
        const double expected = 0.25 * words.lossSum + next.lossSum;
        QVERIFY(std::abs(lossOf(*backend, net, other) - expected) < 1e-4);
        Batch without = one;
        without.tensors.pop_back();
        QCOMPARE(lossOf(*backend, net, without), lossOf(*backend, net, one));
    }

    void dropoutFollowsTheSeed()
    {
        const auto backend = makeCpuBackend();
        Bert net(tiny(0.2f), *backend, Precision::Fp32, 3);
        const Batch batch = twoForms(*backend, 1.0f).padded;
        QCOMPARE(lossOf(*backend, net, batch, 1), lossOf(*backend, net, batch, 1));
        QVERIFY(lossOf(*backend, net, batch, 1) != lossOf(*backend, net, batch, 2));
        QCOMPARE(lossOf(*backend, net, batch, 1, false), lossOf(*backend, net, batch, 2, false));
    }

    void wrongBatchesAreRefused()
    {
        const auto backend = makeCpuBackend();
        Bert net(tiny(), *backend, Precision::Fp32, 3);
        const Batch good = twoForms(*backend, 1.0f).padded;
        const auto refused = [&](std::size_t tensor, const Tensor& instead) {
            Batch batch = good;
            batch.tensors[tensor] = instead;
            QVERIFY_EXCEPTION_THROWN(lossOf(*backend, net, batch), InvalidArgument);
        };
        refused(1, integers(*backend, {1, 3}, {0, 0, 0}));    // types of another shape
        refused(3, integers(*backend, {2}, {1, 1}));          // fewer labels than rows
        refused(5, integers(*backend, {2}, {1, 1}));          // neither lengths nor offsets
        refused(5, integers(*backend, {3}, {9, 0, 7}));       // an empty sequence
        refused(5, integers(*backend, {4}, {0, 9, 14, 99}));  // beyond the tokens
        refused(5, integers(*backend, {4}, {0, 20, 21, 22})); // longer than the positions
        refused(0, integers(*backend, {3, 9}, std::vector<std::int32_t>(27, kVocabulary))); // id
    }

    /// Words are masked that their sequence tells: token i + 1 is token i plus 1.
    void learnsWordsAndNextSentence()
    {
        const auto backend = makeCpuBackend();
        BertConfig c = tiny();
        c.deviation = 0.05f;
        Bert net(c, *backend, Precision::Fp32, 3);
        OptimizerConfig adam;
        adam.kind = OptimizerKind::Adam;
        const auto optimizer = makeOptimizer(*backend, net.parameters(), adam);
        SoftmaxCeResult words, next;
        for (int step = 0; step < 500; ++step) {
            Rng rng{std::uint64_t(step)};
            std::vector<std::int32_t> tokens, types, rows, labels, nextLabels;
            for (std::int32_t n = 0; n < 16; ++n) {
                const auto first = std::int32_t(rng.below(12)), other = std::int32_t(rng.below(2));
                for (std::int32_t i = 0; i < 8; ++i) {
                    tokens.push_back(3 + first + i + (i >= 4 ? 5 * other : 0));
                    types.push_back(i >= 4 ? 1 : 0);
                }
                const auto at = std::int32_t(1 + rng.below(7));
                rows.push_back(n * 8 + at);
                labels.push_back(std::exchange(tokens[std::size_t(n * 8 + at)], 1));
                nextLabels.push_back(other);
            }
            const Batch batch{{integers(*backend, {16, 8}, tokens),
                               integers(*backend, {16, 8}, types), integers(*backend, {16}, rows),
                               integers(*backend, {16}, labels),
                               integers(*backend, {16}, nextLabels),
                               integers(*backend, {16}, std::vector<std::int32_t>(16, 8))},
                              16};
            Tape tape(*backend);
            LossParams params;
            params.scale = 1.0f / 16;
            const Bert::Losses l = net.losses(tape, batch, params, true);
            words = l.words.get(), next = l.next.get();
            tape.backward(l.loss);
            optimizer->step(3e-3);
        }
        QVERIFY2(words.correct >= 10 && next.correct >= 14,
                 (std::to_string(words.correct) + " " + std::to_string(next.correct)).c_str());
    }

    /// The published widths and vocabulary with one of 24 layers: a step with LAMB.
    void oneStepOfALargeLayer()
    {
        const auto backend = makeCpuBackend();
        BertConfig c = BertConfig::byName("bert_large");
        c.layers = 1;
        Bert net(c, *backend, Precision::Fp32, 3);
        const auto optimizer =
            makeOptimizer(*backend, net.parameters(), optimizerDefaults(OptimizerKind::Lamb));
        std::vector<std::int32_t> tokens(32), types(32, 0), rows = {2, 5, 20}, labels = {7, 9, 11};
        Rng rng(2);
        for (auto& t : tokens)
            t = std::int32_t(rng.below(30522));
        const Batch batch{{integers(*backend, {1, 32}, tokens), integers(*backend, {1, 32}, types),
                           integers(*backend, {3}, rows), integers(*backend, {3}, labels),
                           integers(*backend, {1}, {0}), integers(*backend, {1}, {32})},
                          1};
        const double before = lossOf(*backend, net, batch, 0, false);
        // Three words among 30,528, and one of two.
        QVERIFY(std::abs(before - (3 * std::log(30528.0) + std::log(2.0))) < 4);
        for (int step = 0; step < 2; ++step) {
            Tape tape(*backend);
            tape.seedRandom(std::uint64_t(step));
            tape.backward(net.loss(tape, batch, {}, true).loss);
            optimizer->step(4e-3);
        }
        QVERIFY(lossOf(*backend, net, batch, 0, false) < before - 0.2);
    }
};

QTEST_APPLESS_MAIN(BertTest)
#include "bert_test.moc"
