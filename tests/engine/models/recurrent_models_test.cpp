// SPDX-License-Identifier: GPL-3.0-or-later
// The networks of LSTM layers: sizes, gradients, padding, order of the gradients, learning.
#include <QTest>

#include <cmath>
#include <cstring>
#include <functional>
#include <thread>

#include "engine/core/rng.h"
#include "engine/core/thread_count.h"
#include "engine/models/gnmt/gnmt.h"
#include "engine/models/lstm_stack/lstm_stack.h"
#include "kernels/check.h"
#include "tests/engine/models/network_steps.h"

using namespace scalebench;
using namespace scalebench::tests;

namespace {

constexpr std::int64_t kVocabulary = 37;

Tensor tokens(Backend& backend, Shape shape, std::uint64_t seed, std::uint32_t low = 1)
{
    Tensor t = Tensor::empty(std::move(shape), DType::I32, backend.allocator());
    Rng rng(seed);
    for (auto& v : t.i32())
        v = std::int32_t(low + rng.below(std::uint32_t(kVocabulary) - low));
    return t;
}

/// A small network of either kind with a batch of three sequences, one of them short.
struct Small {
    std::unique_ptr<Network> network;
    Batch batch;
    LossParams loss;
};

Small makeSmall(const std::string& kind, Backend& backend, Precision precision,
                float dropout = 0.0f, std::uint64_t seed = 3)
{
    Small s;
    const Tensor lengths = integers(backend, {3}, {6, 2, 4});
    const Tensor labels = tokens(backend, {6, 3}, 11);
    if (kind == "gnmt") {
        GnmtConfig c;
        c.vocabulary = kVocabulary, c.hidden = 24, c.layers = 3, c.dropout = dropout;
        s.network = std::make_unique<Gnmt>(c, backend, precision, seed);
        s.batch.tensors = {tokens(backend, {6, 3}, 12), lengths, tokens(backend, {6, 3}, 13),
                           labels};
    } else {
        LstmStackConfig c;
        c.vocabulary = kVocabulary, c.hidden = 24, c.layers = 3, c.dropout = dropout;
        s.network = std::make_unique<LstmStack>(c, backend, precision, seed);
        for (std::size_t b = 0; b < 3; ++b) // nothing to predict beyond the end
            for (auto t = std::size_t(lengths.i32()[b]); t < 6; ++t)
                labels.i32()[t * 3 + b] = -1;
        s.batch.tensors = {tokens(backend, {6, 3}, 12), labels, lengths};
    }
    s.batch.samples = 3;
    s.loss.scale = 1.0f / 18;
    return s;
}

double lossOf(Backend& backend, const Small& s, std::uint64_t randomSeed = 0)
{
    return tests::lossOf(backend, *s.network, s.batch, randomSeed, true, s.loss);
}

double backwardOf(Backend& backend, const Small& s, const ParameterGradientReady& ready = {})
{
    return tests::backwardOf(backend, *s.network, s.batch, s.loss, ready);
}

void kinds()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("lstm stack") << "stack";
    QTest::newRow("gnmt") << "gnmt";
}

} // namespace

class RecurrentModelsTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { setComputeThreads(1); }

    void parameterCounts()
    {
        const auto backend = makeCpuBackend();
        {
            const Gnmt net({}, *backend, Precision::Fp32, 1);
            QCOMPARE(qint64(const_cast<Gnmt&>(net).parameters().trainableCount()),
                     qint64(160671297)); // MLPerf's network at V = 32,320
        }
        LstmStack stack({}, *backend, Precision::Fp32, 1);
        const qint64 layer = 4 * 512 * (512 + 512) + 2 * 4 * 512;
        QCOMPARE(qint64(stack.parameters().trainableCount()),
                 10000 * 512 + 4 * layer + 10000 * 512 + 10000);
    }

    void initialWeights()
    {
        const auto backend = makeCpuBackend();
        const Small a = makeSmall("gnmt", *backend, Precision::Fp32),
                    b = makeSmall("gnmt", *backend, Precision::Bf16),
                    c = makeSmall("gnmt", *backend, Precision::Fp32, 0.0f, 4);
        const auto va = a.network->parameters().values(), vb = b.network->parameters().values(),
                   vc = c.network->parameters().values();
        QVERIFY(std::equal(va.begin(), va.end(), vb.begin()));
        QVERIFY(!std::equal(va.begin(), va.end(), vc.begin()));
        for (const ParameterInfo& p : a.network->parameters().parameters()) {
            float low = 1, high = -1;
            for (const float v : va.subspan(p.offset, p.count))
                low = std::min(low, v), high = std::max(high, v);
            if (p.name.ends_with("normalize_scalar"))
                QVERIFY(std::abs(low - 1 / std::sqrt(24.0f)) < 1e-6f);
            else if (p.name.find("bias_hh") != std::string::npos ||
                     p.name.ends_with("normalize_bias"))
                QVERIFY(low == 0.0f && high == 0.0f);
            else
                QVERIFY2(low >= -0.1f && low < -0.05f && high <= 0.1f && high > 0.05f,
                         p.name.c_str());
        }
    }

    void gradientOfEveryParameter_data() { kinds(); }
    void gradientOfEveryParameter()
    {
        QFETCH(QString, kind);
        const auto backend = makeCpuBackend();
        const Small s = makeSmall(kind.toStdString(), *backend, Precision::Fp32);
        ParameterSet& set = s.network->parameters();
        for (float& v : set.values()) // steep enough that fp32 differences show every gradient
            v *= 4.0f;
        set.markValuesChanged();
        backwardOf(*backend, s);
        const auto loss = [&] { return lossOf(*backend, s) / 18; };
        const std::string fault = againstDifferences(set, loss, {.step = 1e-2, .least = 1e-5});
        QVERIFY2(fault.empty(), fault.c_str());
    }

    void gradientsBecomeReadyInOrder_data() { kinds(); }
    void gradientsBecomeReadyInOrder()
    {
        QFETCH(QString, kind);
        const auto backend = makeCpuBackend();
        const Small s = makeSmall(kind.toStdString(), *backend, Precision::Fp32);
        std::vector<int> order;
        backwardOf(*backend, s, [&](int index) { order.push_back(index); });
        QCOMPARE(order, s.network->parameters().readyOrder());
    }

    void paddingDoesNotCount_data() { kinds(); }
    void paddingDoesNotCount()
    {
        QFETCH(QString, kind);
        const auto backend = makeCpuBackend();
        const Small s = makeSmall(kind.toStdString(), *backend, Precision::Fp32);
        const double before = backwardOf(*backend, s);
        const auto span = s.network->parameters().gradients();
        const std::vector<float> gradients(span.begin(), span.end());
        s.batch.tensors[0].i32()[5 * 3 + 1] = 1; // sequence 1 has 2 steps
        s.batch.tensors[0].i32()[4 * 3 + 2] = 2; // sequence 2 has 4
        QCOMPARE(backwardOf(*backend, s), before);
        QVERIFY(std::equal(span.begin(), span.end(), gradients.begin()));
        s.batch.tensors[0].i32()[1 * 3 + 1] = s.batch.tensors[0].i32()[1 * 3 + 1] == 1 ? 2 : 1;
        QVERIFY(lossOf(*backend, s) != before);
    }

    void dropoutFollowsTheSeed_data() { kinds(); }
    void dropoutFollowsTheSeed()
    {
        QFETCH(QString, kind);
        const auto backend = makeCpuBackend();
        const Small s = makeSmall(kind.toStdString(), *backend, Precision::Fp32, 0.3f);
        QCOMPARE(lossOf(*backend, s, 1), lossOf(*backend, s, 1));
        QVERIFY(lossOf(*backend, s, 1) != lossOf(*backend, s, 2));
        Tape a(*backend, Tape::Mode::Inference), b(*backend, Tape::Mode::Inference);
        a.seedRandom(1), b.seedRandom(2);
        QCOMPARE(s.network->loss(a, s.batch, s.loss, false).sums.get().lossSum,
                 s.network->loss(b, s.batch, s.loss, false).sums.get().lossSum);
    }

    void bf16AgreesWithFp32_data() { kinds(); }
    void bf16AgreesWithFp32()
    {
        QFETCH(QString, kind);
        const auto backend = makeCpuBackend();
        if (backend->computePrecision(Precision::Bf16).precision != Precision::Bf16)
            QSKIP("this processor computes bf16 in fp32");
        const Small a = makeSmall(kind.toStdString(), *backend, Precision::Fp32),
                    b = makeSmall(kind.toStdString(), *backend, Precision::Bf16);
        const double la = backwardOf(*backend, a), lb = backwardOf(*backend, b);
        QVERIFY2(std::abs(la - lb) < 0.01 * la, std::to_string(lb).c_str());
        const auto ga = a.network->parameters().gradients(),
                   gb = b.network->parameters().gradients();
        double ab = 0, aa = 0, bb = 0;
        for (std::size_t i = 0; i < ga.size(); ++i) {
            ab += double(ga[i]) * double(gb[i]);
            aa += double(ga[i]) * double(ga[i]);
            bb += double(gb[i]) * double(gb[i]);
        }
        QVERIFY2(ab / std::sqrt(aa * bb) > 0.99, std::to_string(ab / std::sqrt(aa * bb)).c_str());
    }

    void learnsATinySetByHeart_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("precision");
        for (const char* kind : {"stack", "gnmt"}) {
            QTest::addRow("%s fp32", kind) << kind << int(Precision::Fp32);
            QTest::addRow("%s bf16", kind) << kind << int(Precision::Bf16);
        }
    }
    void learnsATinySetByHeart()
    {
        QFETCH(QString, kind);
        QFETCH(int, precision);
        const auto backend = makeCpuBackend();
        const Small s = makeSmall(kind.toStdString(), *backend, Precision(precision));
        ParameterSet& set = s.network->parameters();
        std::vector<float> m(set.values().size()), v(set.values().size());
        double first = 0, last = 0;
        for (int step = 1; step <= 150; ++step) { // Adam, arXiv 1412.6980
            last = backwardOf(*backend, s);
            first = step == 1 ? last : first;
            const float rate = 0.01f * std::sqrt(1.0f - std::pow(0.999f, float(step))) /
                               (1.0f - std::pow(0.9f, float(step)));
            for (std::size_t i = 0; i < m.size(); ++i) {
                const float g = set.gradients()[i];
                m[i] = 0.9f * m[i] + 0.1f * g;
                v[i] = 0.999f * v[i] + 0.001f * g * g;
                set.values()[i] -= rate * m[i] / (std::sqrt(v[i]) + 1e-8f);
            }
            set.markValuesChanged();
        }
        QVERIFY2(last < 0.05 * first,
                 (std::to_string(first) + " to " + std::to_string(last)).c_str());
    }

    void twoThreadsComputeTheSame_data() { kinds(); }
    void twoThreadsComputeTheSame()
    {
        QFETCH(QString, kind);
        std::vector<float> gradients[2];
        double losses[2] = {};
        for (int threads : {1, 2})
            std::thread([&, i = std::size_t(threads - 1)] {
                setComputeThreads(threads);
                const auto backend = makeCpuBackend();
                const Small s = makeSmall(kind.toStdString(), *backend, Precision::Fp32);
                losses[i] = backwardOf(*backend, s);
                const auto g = s.network->parameters().gradients();
                gradients[i].assign(g.begin(), g.end());
            }).join();
        // oneDNN may sum in another order
        QVERIFY(std::abs(losses[0] - losses[1]) < 1e-5 * losses[0]);
        for (std::size_t i = 0; i < gradients[0].size(); ++i)
            QVERIFY(std::abs(gradients[0][i] - gradients[1][i]) < 1e-6f);
    }

    void repeatsBitForBit_data() { kinds(); }
    void repeatsBitForBit()
    {
        QFETCH(QString, kind);
        const auto backend = makeCpuBackend();
        const Small s = makeSmall(kind.toStdString(), *backend, Precision::Bf16, 0.2f);
        const auto g = s.network->parameters().gradients();
        const double loss = backwardOf(*backend, s);
        const std::vector<float> gradients(g.begin(), g.end());
        QCOMPARE(backwardOf(*backend, s), loss);
        QVERIFY(std::equal(g.begin(), g.end(), gradients.begin()));
    }

    void stepsReuseMemory_data() { kinds(); }
    void stepsReuseMemory()
    {
        QFETCH(QString, kind);
        const auto backend = makeCpuBackend();
        const Small s = makeSmall(kind.toStdString(), *backend, Precision::Fp32, 0.1f);
        backwardOf(*backend, s);
        backwardOf(*backend, s);
        const auto before = backend->allocator().stats();
        for (int i = 0; i < 3; ++i)
            backwardOf(*backend, s);
        QCOMPARE(backend->allocator().stats().systemRequests, before.systemRequests);
        QCOMPARE(backend->allocator().stats().bytesInUse, before.bytesInUse);
    }

    void badBatchesAreRefused()
    {
        const auto backend = makeCpuBackend();
        Small s = makeSmall("stack", *backend, Precision::Fp32);
        s.batch.tensors[2] = integers(*backend, {3}, {6, 2, 7}); // longer than the sequence
        QVERIFY_EXCEPTION_THROWN(lossOf(*backend, s), InvalidArgument);
        s.batch.tensors = {tokens(*backend, {6, 3}, 1), tokens(*backend, {3, 6}, 1)};
        QVERIFY_EXCEPTION_THROWN(lossOf(*backend, s), InvalidArgument);
        s.batch.tensors = {tokens(*backend, {6}, 1), tokens(*backend, {6}, 1)};
        QVERIFY_EXCEPTION_THROWN(lossOf(*backend, s), InvalidArgument);
        GnmtConfig c;
        c.layers = 1;
        QVERIFY_EXCEPTION_THROWN(Gnmt(c, *backend, Precision::Fp32, 1), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(RecurrentModelsTest)
#include "recurrent_models_test.moc"
