// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/autograd/functions.h"
#include "engine/core/rng.h"
#include "engine/nn/layers.h"
#include "engine/nn/loss.h"
#include "kernels/check.h"

using namespace scalebench;

namespace {

/// A small network that uses every op and a value twice.
struct Net {
    ParameterSet parameters;
    Conv2d stem{parameters, "stem", 3, 6, 3, 1, 1};
    BatchNorm norm{parameters, "norm", 6, {1e-5, 0.1, true}};
    Conv2d conv{parameters, "conv", 6, 8, 3, 2, 1};
    BatchNorm sum{parameters, "sum", 8, {1e-5, 0.1, false}};
    Linear last{parameters, "last", 8, 4};

    Net()
    {
        parameters.build();
        stem.initialise(parameters, 1);
        norm.initialise(parameters, 1.0f);
        conv.initialise(parameters, 1);
        sum.initialise(parameters, 0.7f);
        last.initialise(parameters, 1);
        parameters.markValuesChanged();
    }

    Variable forward(Tape& tape, const Tensor& input, bool training = true)
    {
        const ParameterSet& p = parameters;
        const StatReducer own;
        Variable x = norm(tape, p, stem(tape, p, Variable(input)), Variable(), training, own);
        const Variable shortcut = autograd::shortcutPad(tape, x, 8, 2);
        Variable y = sum(tape, p, conv(tape, p, x), shortcut, training, own);
        y = autograd::add(tape, autograd::relu(tape, y), shortcut);
        y = autograd::maxPool(tape, y, 3, 2, 1);
        return last(tape, p, autograd::globalAvgPool(tape, y));
    }
};

} // namespace

class TapeTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<Backend> backend_ = makeCpuBackend();
    Tensor images_, labels_;

private slots:
    void initTestCase()
    {
        images_ = Tensor::empty({4, 9, 9, 3}, DType::F32, backend_->allocator());
        labels_ = Tensor::empty({4}, DType::I32, backend_->allocator());
        Rng rng(3);
        for (float& v : images_.f32())
            v = rng.normal();
        for (int i = 0; i < 4; ++i)
            labels_.i32()[std::size_t(i)] = i;
    }

    void everyParameterAgainstDifferences()
    {
        Net net;
        Tape tape(*backend_);
        LossParams loss;
        loss.scale = 0.25f;
        loss.labelSmoothing = 0.1f;
        auto value = [&] {
            Tape t(*backend_);
            return softmaxCrossEntropy(t, net.forward(t, images_), labels_, loss)
                       .sums.get()
                       .lossSum *
                   0.25;
        };
        auto r = softmaxCrossEntropy(tape, net.forward(tape, images_), labels_, loss);
        tape.backward(r.loss);
        for (const ParameterInfo& p : net.parameters.parameters()) {
            // along the gradient itself, where the signal is largest against fp32 noise
            std::vector<float> g(net.parameters.gradients().begin() + std::ptrdiff_t(p.offset),
                                 net.parameters.gradients().begin() +
                                     std::ptrdiff_t(p.offset + p.count));
            double norm = 0;
            for (float v : g)
                norm += double(v) * double(v);
            norm = std::sqrt(norm);
            QVERIFY2(norm > 1e-4, p.name.c_str());
            auto w = net.parameters.values().subspan(p.offset, p.count);
            const std::vector<float> keep(w.begin(), w.end());
            const double h = 2e-3;
            auto at = [&](double step) {
                for (std::size_t i = 0; i < w.size(); ++i)
                    w[i] = float(double(keep[i]) + step * double(g[i]) / norm);
                net.parameters.markValuesChanged();
                return value();
            };
            const double numeric = (at(h) - at(-h)) / (2 * h);
            at(0);
            QVERIFY2(
                std::abs(numeric - norm) < 0.02 * norm + 2e-4,
                (p.name + ": " + std::to_string(numeric) + " instead of " + std::to_string(norm))
                    .c_str());
        }
    }

    void parametersBecomeReadyInOrder()
    {
        Net net;
        Tape tape(*backend_);
        auto r = softmaxCrossEntropy(tape, net.forward(tape, images_), labels_, {});
        QVERIFY(tape.size() > 5);
        std::vector<int> order;
        tape.backward(r.loss, [&](int index) { order.push_back(index); });
        QCOMPARE(order, net.parameters.readyOrder());
        QCOMPARE(tape.size(), std::size_t(0));
    }

    void gradientsAreCompleteWhenReported()
    {
        Net net;
        Tape tape(*backend_);
        auto r = softmaxCrossEntropy(tape, net.forward(tape, images_), labels_, {});
        std::vector<std::vector<float>> seen(net.parameters.parameters().size());
        tape.backward(r.loss, [&](int index) {
            const auto g = net.parameters.gradient(index);
            seen[std::size_t(index)].assign(g.f32().begin(), g.f32().end());
        });
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const auto g = net.parameters.gradient(int(i));
            QVERIFY(std::equal(seen[i].begin(), seen[i].end(), g.f32().begin(), g.f32().end()));
        }
    }

    void accumulationAddsMicroBatches()
    {
        Net net;
        Tape tape(*backend_);
        auto pass = [&](bool accumulate) {
            tape.setAccumulate(accumulate);
            auto r = softmaxCrossEntropy(tape, net.forward(tape, images_), labels_, {});
            tape.backward(r.loss);
        };
        pass(false);
        const std::vector<float> once(net.parameters.gradients().begin(),
                                      net.parameters.gradients().end());
        pass(false);
        QVERIFY(std::equal(once.begin(), once.end(), net.parameters.gradients().begin()));
        pass(true);
        for (std::size_t i = 0; i < once.size(); ++i)
            QVERIFY(std::abs(net.parameters.gradients()[i] - 2.0f * once[i]) <=
                    1e-5f * std::max(1.0f, std::abs(once[i])));
    }

    void inferenceRecordsNothing()
    {
        Net net;
        Tape tape(*backend_, Tape::Mode::Inference);
        auto r = softmaxCrossEntropy(tape, net.forward(tape, images_, false), labels_, {});
        QCOMPARE(tape.size(), std::size_t(0));
        QVERIFY(!r.loss.needsGradient());
        QVERIFY(std::isfinite(r.sums.get().lossSum));
        QCOMPARE(r.sums.get().counted, std::int64_t(4));
        QVERIFY_EXCEPTION_THROWN(tape.backward(r.loss), InvalidArgument);
        Tape recording(*backend_);
        QVERIFY_EXCEPTION_THROWN(net.forward(recording, images_, false), InvalidArgument);
    }

    void anExceptionLeavesAnEmptyTape()
    {
        Net net;
        Tape tape(*backend_);
        auto r = softmaxCrossEntropy(tape, net.forward(tape, images_), labels_, {});
        QVERIFY_EXCEPTION_THROWN(
            tape.backward(r.loss, [](int) { throw Error("comm", "lost a rank"); }), Error);
        QCOMPARE(tape.size(), std::size_t(0));
        auto again = softmaxCrossEntropy(tape, net.forward(tape, images_), labels_, {});
        tape.backward(again.loss);
    }

    // Two lookups in one table: both gradients count, it is ready once, dense and sparse agree.
    void sharedParametersSumTheirUses()
    {
        ParameterSet dense, sparse;
        const int d = dense.addParameter("table", {6, 3}, true);
        const int s = sparse.addSparseParameter("table", {6, 3}, true);
        dense.build();
        sparse.build();
        auto ids = [&](std::vector<std::int32_t> list) {
            Tensor t =
                Tensor::empty({std::int64_t(list.size())}, DType::I32, backend_->allocator());
            std::ranges::copy(list, t.i32().begin());
            return t;
        };
        const Tensor first = ids({4, 1, 4, 0}), second = ids({1, 5, 0, 0}),
                     labels = ids({0, 1, 2, 0});
        auto run = [&](ParameterSet& set, int index, bool accumulate) {
            for (std::size_t i = 0; i < 18; ++i)
                set.value(index).f32()[i] = 0.1f * float(i % 7) - 0.2f;
            Tape tape(*backend_);
            tape.setAccumulate(accumulate);
            const ParameterRef table = reference(set, index);
            const Variable x =
                autograd::add(tape, autograd::embedding(tape, table, first, DType::F32),
                              autograd::embedding(tape, table, second, DType::F32, 0));
            int ready = 0;
            tape.backward(softmaxCrossEntropy(tape, x, labels, {}).loss, [&](int i) {
                QCOMPARE(i, index);
                ++ready;
            });
            QCOMPARE(ready, 1);
        };
        for (const bool accumulate : {false, true}) {
            run(dense, d, accumulate);
            run(sparse, s, accumulate);
            const SparseRows& rows = *sparse.sparseGradient(s);
            QCOMPARE(std::vector<std::int32_t>(rows.rows.i32().begin(), rows.rows.i32().end()),
                     (std::vector<std::int32_t>{0, 1, 4, 5}));
            std::vector<float> whole(18, 0.0f);
            for (std::size_t i = 0; i < 12; ++i)
                whole[std::size_t(rows.rows.i32()[i / 3]) * 3 + i % 3] = rows.values.f32()[i];
            double size = 0.0;
            for (std::size_t i = 0; i < 18; ++i) {
                const double g = double(dense.gradient(d).f32()[i]);
                QVERIFY(std::abs(g - double(whole[i])) < 1e-6);
                size += std::abs(g);
            }
            QVERIFY(size > 0.5);
        }
    }
};

QTEST_APPLESS_MAIN(TapeTest)
#include "tape_test.moc"
