// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <omp.h>

#include <barrier>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "engine/optim/golden_optimizers.h"
#include "engine/optim/optimizer_fixture.h"
#include "kernels/check.h"

using namespace scalebench;
using namespace scalebench::test;

namespace {

constexpr int kSteps = 5;

/// Largest difference, relative to the largest weight.
double distance(const ParameterSet& set, const std::vector<Values>& expected)
{
    double worst = 0.0, top = 1e-6;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Values actual = Fixture::values(set.value(int(i)));
        for (std::size_t k = 0; k < actual.size(); ++k) {
            const double d = std::abs(actual[k] - expected[i][k]);
            worst = d <= worst ? worst : d; // a NaN wins
            top = std::max(top, std::abs(expected[i][k]));
        }
    }
    return worst / top;
}

bool sameBits(std::span<const float> a, std::span<const float> b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

} // namespace

class OptimizerTest : public QObject
{
    Q_OBJECT
private slots:
    /// Three matrices stacked in one parameter do what three parameters do, under a rate per
    /// tensor.
    void partsAreTensorsOfTheirOwn_data()
    {
        QTest::addColumn<OptimizerConfig>("config");
        for (const OptimizerKind kind : {OptimizerKind::Lamb, OptimizerKind::Lars})
            for (const bool fused : {true, false}) {
                OptimizerConfig config = optimizerDefaults(kind);
                config.weightDecay = 0.01;
                config.larsEta = 0.1;
                config.fused = fused;
                QTest::addRow("%s, %s", optimizerName(kind), fused ? "fused" : "not fused")
                    << config;
            }
    }
    void partsAreTensorsOfTheirOwn()
    {
        QFETCH(OptimizerConfig, config);
        const auto backend = makeCpuBackend();
        const auto trained = [&](int parts, bool apart) {
            ParameterSet set;
            std::vector<int> tensors;
            for (int i = 0; i < (apart ? 3 : 1); ++i)
                tensors.push_back(
                    set.addParameter("w" + std::to_string(i), {apart ? 32 : 96, 10}, true));
            if (!apart)
                set.stack(tensors[0], parts);
            set.build();
            const auto fill = [&](const auto& view, std::uint64_t seed, double size) {
                // Parts of different sizes, so that their rates differ.
                const Tensor all = Tensor::empty({960}, DType::F32, backend->allocator());
                Fixture::fill(all, seed, size);
                std::size_t at = 0;
                for (const int t : tensors)
                    for (float& x : view(t).f32()) {
                        x = all.f32()[at] * float(1 + 3 * (at / 320));
                        ++at;
                    }
            };
            fill([&](int t) { return set.value(t); }, 1, 0.5);
            const auto optimizer = makeOptimizer(*backend, set, config);
            for (std::uint64_t step = 0; step < 3; ++step) {
                fill([&](int t) { return set.gradient(t); }, 7 + step, 0.1);
                optimizer->step(0.01);
            }
            std::vector<float> values;
            for (const int t : tensors)
                values.insert(values.end(), set.value(t).f32().begin(), set.value(t).f32().end());
            return values;
        };
        const std::vector<float> apart = trained(1, true), stacked = trained(3, false);
        double gap = 0, whole = 0;
        const std::vector<float> one = trained(1, false);
        for (std::size_t i = 0; i < apart.size(); ++i) {
            gap = std::max(gap, std::abs(double(apart[i]) - double(stacked[i])));
            whole = std::max(whole, std::abs(double(apart[i]) - double(one[i])));
        }
        QVERIFY2(gap < 1e-6, qPrintable(QString::number(gap)));
        QVERIFY2(whole > 1e-4, qPrintable(QString::number(whole)));
    }

    void followsTorch_data()
    {
        QTest::addColumn<OptimizerConfig>("config");
        QTest::addColumn<const double*>("expected");
        auto add = [](const char* name, const double* expected, OptimizerConfig c, double decay,
                      auto change) {
            c.weightDecay = decay;
            change(c);
            for (bool fused : {true, false}) {
                c.fused = fused;
                QTest::addRow("%s, %s", name, fused ? "fused" : "not fused") << c << expected;
            }
        };
        using K = OptimizerKind;
        const auto sgd = optimizerDefaults(K::Sgd), adam = optimizerDefaults(K::Adam);
        add("sgd", golden::kSgd, sgd, 0.01, [](auto& c) { c.momentum = 0.0; });
        add("momentum", golden::kSgdMomentum, sgd, 0.01, [](auto&) {});
        add("nesterov", golden::kSgdNesterov, sgd, 0.01, [](auto& c) { c.nesterov = true; });
        add("clipped", golden::kSgdClipped, sgd, 0.01, [](auto& c) { c.maxGradNorm = 0.5; });
        add("adam", golden::kAdam, adam, 0.0, [](auto&) {});
        add("adam decay", golden::kAdamDecay, adam, 0.1,
            [](auto& c) { c.beta1 = 0.25, c.beta2 = 0.5, c.epsilon = 1e-3; });
        add("adamw", golden::kAdamW, optimizerDefaults(K::AdamW), 0.1, [](auto&) {});
        add("lars", golden::kLars, optimizerDefaults(K::Lars), 0.01, [](auto&) {});
        add("lars, rate outside", golden::kLarsOutside, optimizerDefaults(K::Lars), 0.01,
            [](auto& c) { c.larsRateInMomentum = false; });
        add("lamb", golden::kLamb, optimizerDefaults(K::Lamb), 0.01, [](auto&) {});
    }

    void followsTorch()
    {
        QFETCH(OptimizerConfig, config);
        QFETCH(const double*, expected);
        const auto backend = makeCpuBackend();
        ParameterSet set;
        const int w = set.addParameter("w", {3, 2}, true), b = set.addParameter("b", {2}, false);
        set.build();
        auto element = [&](int i, bool gradient) -> float& {
            const int p = i < 6 ? w : b;
            return (gradient ? set.gradient(p) : set.value(p)).f32()[std::size_t(i % 6)];
        };
        for (int i = 0; i < 8; ++i)
            element(i, false) = float((i * 5) % 9 - 4) / 4.0f;
        const auto optimizer = makeOptimizer(*backend, set, config);
        for (int step = 0; step < kSteps; ++step) {
            for (int i = 0; i < 8; ++i)
                element(i, true) = float((i * 7 + step * 5) % 11 - 5) / 8.0f;
            optimizer->step(0.1 / (step + 1));
        }
        for (int i = 0; i < 8; ++i)
            QVERIFY2(std::abs(double(element(i, false)) - expected[i]) < 1e-6,
                     qPrintable(QString("element %1: %2 instead of %3")
                                    .arg(i)
                                    .arg(double(element(i, false)), 0, 'g', 10)
                                    .arg(expected[i], 0, 'g', 10)));
    }

    void followsDoublePrecision_data()
    {
        QTest::addColumn<OptimizerConfig>("config");
        for (NamedConfig n : namedConfigs())
            for (bool fused : {true, false}) {
                n.config.fused = fused;
                QTest::addRow("%s, %s", n.name, fused ? "fused" : "not fused") << n.config;
            }
    }

    void followsDoublePrecision()
    {
        QFETCH(OptimizerConfig, config);
        const auto backend = makeCpuBackend();
        Fixture f;
        Reference reference(f.set, config);
        const auto optimizer = makeOptimizer(*backend, f.set, config);
        for (int step = 0; step < kSteps; ++step) {
            f.makeGradients(step);
            const Values before(f.set.gradients().begin(), f.set.gradients().end());
            const auto version = f.set.version();
            reference.step(f.set, 0.05 / (step + 1), 0.25);
            QVERIFY(optimizer->step(0.05 / (step + 1), 0.25).applied);
            QVERIFY(f.set.version() != version);
            QVERIFY(std::equal(before.begin(), before.end(), f.set.gradients().begin()));
        }
        const double worst = distance(f.set, reference.weights);
        QVERIFY2(worst < 2e-6, qPrintable(QString::number(worst)));
        QCOMPARE(optimizer->stepCount(), std::int64_t(kSteps));
        // The padding between the tensors is nobody's and stays zero.
        std::int64_t zeros = 0;
        for (float x : f.set.values())
            zeros += x == 0.0f;
        QCOMPARE(zeros, std::int64_t(f.set.values().size()) - f.set.trainableCount());
    }

    void sameForAnyNumberOfThreads()
    {
        const auto backend = makeCpuBackend();
        for (const NamedConfig& n : namedConfigs()) {
            Fixture one, three;
            const auto a = makeOptimizer(*backend, one.set, n.config);
            const auto b = makeOptimizer(*backend, three.set, n.config);
            for (int step = 0; step < 3; ++step) {
                one.makeGradients(step);
                three.makeGradients(step);
                omp_set_num_threads(1);
                a->step(0.1);
                omp_set_num_threads(3);
                b->step(0.1);
            }
            omp_set_num_threads(1);
            QVERIFY2(sameBits(one.set.values(), three.set.values()), n.name);
        }
    }

    void shardsAreTheWhole()
    {
        for (const NamedConfig& n : namedConfigs()) {
            const auto backend = makeCpuBackend();
            Fixture whole;
            const auto optimizer = makeOptimizer(*backend, whole.set, n.config);
            // Bounds inside tensors, an empty shard, one that holds the small tensors only.
            const std::size_t all = whole.set.gradients().size();
            const std::vector<std::size_t> bounds{0, 16, 16, 50000, all};
            const int workers = int(bounds.size()) - 1;
            std::vector<Fixture> parts(static_cast<std::size_t>(workers));
            std::vector<double> sum;
            std::barrier barrier(workers);
            auto reduceFor = [&](int worker) {
                return [&, worker](std::span<double> v) {
                    for (int turn = 0; turn < workers; ++turn) {
                        barrier.arrive_and_wait();
                        if (turn != worker)
                            continue;
                        sum.resize(turn == 0 ? v.size() : sum.size());
                        for (std::size_t i = 0; i < v.size(); ++i)
                            sum[i] = turn == 0 ? v[i] : sum[i] + v[i];
                    }
                    barrier.arrive_and_wait();
                    std::copy(sum.begin(), sum.end(), v.begin());
                    barrier.arrive_and_wait();
                };
            };
            std::vector<std::thread> threads;
            std::vector<std::size_t> stateSizes(static_cast<std::size_t>(workers));
            for (int k = 0; k < workers; ++k)
                threads.emplace_back([&, k] {
                    const auto own = makeCpuBackend();
                    const OptimizerPlacement place{bounds[std::size_t(k)],
                                                   bounds[std::size_t(k) + 1], reduceFor(k)};
                    Fixture& f = parts[std::size_t(k)];
                    const auto shard = makeOptimizer(*own, f.set, n.config, place);
                    for (int step = 0; step < 3; ++step) {
                        f.makeGradients(step);
                        shard->step(0.1);
                    }
                    for (const StateSpan& s : shard->state())
                        stateSizes[std::size_t(k)] += s.values.size();
                });
            for (int step = 0; step < 3; ++step) {
                whole.makeGradients(step);
                optimizer->step(0.1);
            }
            for (std::thread& t : threads)
                t.join();
            std::size_t states = 0;
            for (int k = 0; k < workers; ++k) {
                const std::size_t from = bounds[std::size_t(k)], to = bounds[std::size_t(k) + 1];
                for (std::size_t i = from; i < to; ++i) {
                    const double expected = double(whole.set.values()[i]);
                    const double actual = double(parts[std::size_t(k)].set.values()[i]);
                    QVERIFY2(std::abs(actual - expected) <= 2e-7, n.name);
                }
                states += stateSizes[std::size_t(k)];
            }
            std::size_t wholeState = 0;
            for (const StateSpan& s : optimizer->state())
                wholeState += s.values.size();
            QCOMPARE(states, wholeState);
        }
    }

    void normsAndSkippedSteps()
    {
        const auto backend = makeCpuBackend();
        Fixture f;
        OptimizerConfig c = optimizerDefaults(OptimizerKind::Adam);
        c.skipNonFinite = true;
        const auto optimizer = makeOptimizer(*backend, f.set, c);
        f.makeGradients(0);
        double squares = 0.0;
        for (float g : f.set.gradients())
            squares += double(g) * double(g);
        const StepResult good = optimizer->step(0.01, 0.5);
        QVERIFY(good.applied);
        QVERIFY(std::abs(good.gradientNorm - 0.5 * std::sqrt(squares)) < 1e-9 * std::sqrt(squares));
        const Values before(f.set.values().begin(), f.set.values().end());
        const auto& moments = optimizer->state();
        const Values moment(moments[1].values.begin(), moments[1].values.end());
        for (float bad :
             {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
            f.makeGradients(1);
            f.set.gradient(4).f32()[69999] = bad;
            const auto version = f.set.version();
            QVERIFY(!optimizer->step(0.01).applied);
            QCOMPARE(f.set.version(), version);
            QCOMPARE(optimizer->stepCount(), std::int64_t(1));
            QVERIFY(std::equal(before.begin(), before.end(), f.set.values().begin()));
            QVERIFY(std::equal(moment.begin(), moment.end(), moments[1].values.begin()));
        }
        // Without the option a bad gradient shows in the weights.
        c.skipNonFinite = false;
        const auto plain = makeOptimizer(*backend, f.set, c);
        const StepResult unasked = plain->step(0.01);
        QVERIFY(unasked.applied && std::isnan(unasked.gradientNorm));
        QVERIFY(std::isnan(f.set.value(4).f32()[69999]));
    }

    void stateContinuesTheRun()
    {
        const auto backend = makeCpuBackend();
        for (const NamedConfig& n : namedConfigs()) {
            Fixture straight, resumed;
            auto a = makeOptimizer(*backend, straight.set, n.config);
            auto b = makeOptimizer(*backend, resumed.set, n.config);
            for (int step = 0; step < 4; ++step) {
                straight.makeGradients(step);
                resumed.makeGradients(step);
                a->step(0.1);
                b->step(0.1);
                if (step != 1)
                    continue;
                auto fresh = makeOptimizer(*backend, resumed.set, n.config);
                QCOMPARE(fresh->state().size(), b->state().size());
                for (std::size_t i = 0; i < b->state().size(); ++i) {
                    QCOMPARE(fresh->state()[i].name, b->state()[i].name);
                    std::copy(b->state()[i].values.begin(), b->state()[i].values.end(),
                              fresh->state()[i].values.begin());
                }
                fresh->setStepCount(b->stepCount());
                b = std::move(fresh);
            }
            QVERIFY2(sameBits(straight.set.values(), resumed.set.values()), n.name);
        }
    }

    void zeroWeightsAndGradientsStayFinite()
    {
        const auto backend = makeCpuBackend();
        for (NamedConfig n : namedConfigs())
            for (bool fused : {true, false}) {
                n.config.fused = fused;
                Fixture f({7, 33, 64});
                std::fill(f.set.values().begin(), f.set.values().end(), 0.0f);
                const auto optimizer = makeOptimizer(*backend, f.set, n.config);
                optimizer->step(0.1);
                for (float x : f.set.values())
                    QCOMPARE(x, 0.0f);
            }
    }

    void names()
    {
        for (auto k : {OptimizerKind::Sgd, OptimizerKind::Lars, OptimizerKind::Adam,
                       OptimizerKind::AdamW, OptimizerKind::Lamb})
            QVERIFY(parseOptimizerKind(optimizerName(k)) == k);
        QVERIFY_EXCEPTION_THROWN(parseOptimizerKind("adagrad"), InvalidArgument);
        const auto backend = makeCpuBackend();
        Fixture f({4});
        OptimizerConfig c = optimizerDefaults(OptimizerKind::Lamb);
        c.fused = false;
        QCOMPARE(makeOptimizer(*backend, f.set, c)->describe(),
                 std::string("lamb, betas 0.9 0.999, epsilon 1e-06, weight decay 0.01, gradient "
                             "norm up to 1, not fused"));
    }

    void refusesNonsense()
    {
        const auto backend = makeCpuBackend();
        Fixture f({4});
        auto bad = [&](OptimizerKind kind, auto change) {
            OptimizerConfig c = optimizerDefaults(kind);
            change(c);
            QVERIFY_EXCEPTION_THROWN(makeOptimizer(*backend, f.set, c), InvalidArgument);
        };
        bad(OptimizerKind::Sgd, [](auto& c) { c.momentum = 1.0; });
        bad(OptimizerKind::Sgd, [](auto& c) { c.weightDecay = -1.0; });
        bad(OptimizerKind::Sgd, [](auto& c) { c.momentum = 0.0, c.nesterov = true; });
        bad(OptimizerKind::Sgd, [](auto& c) { c.maxGradNorm = NAN; });
        bad(OptimizerKind::Adam, [](auto& c) { c.beta2 = 1.0; });
        bad(OptimizerKind::Adam, [](auto& c) { c.epsilon = -1e-8; });
        bad(OptimizerKind::Lars, [](auto& c) { c.larsEta = 0.0; });
        bad(OptimizerKind::Lamb, [](auto& c) { c.normaliseGradient = true; });
        const OptimizerConfig good;
        QVERIFY_EXCEPTION_THROWN(makeOptimizer(*backend, f.set, good, {8, 4, {}}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(makeOptimizer(*backend, f.set, good, {0, 17, {}}),
                                 InvalidArgument);
        ParameterSet unbuilt;
        QVERIFY_EXCEPTION_THROWN(makeOptimizer(*backend, unbuilt, good), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(OptimizerTest)
#include "optimizer_test.moc"
