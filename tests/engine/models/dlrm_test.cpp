// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "engine/core/rng.h"
#include "engine/core/thread_count.h"
#include "engine/models/dlrm/dlrm.h"
#include "engine/optim/optimizer.h"
#include "kernels/check.h"
#include "tests/engine/models/network_steps.h"

using namespace scalebench;
using namespace scalebench::tests;

namespace {

DlrmConfig small(bool sparse)
{
    DlrmConfig c;
    c.counts = 5;
    c.tableRows = {30, 4, 50};
    c.dim = 8;
    c.bottom = {12};
    c.top = {16, 8};
    c.sparseGradients = sparse;
    return c;
}

/// Clicked where the rows of the first and the third table have the same rest.
Batch clicks(Backend& backend, const DlrmConfig& c, std::int64_t n, std::uint64_t seed)
{
    const auto tables = std::int64_t(c.tableRows.size());
    Batch b;
    b.samples = n;
    b.tensors = {Tensor::empty({n, c.counts}, DType::F32, backend.allocator()),
                 Tensor::empty({tables, n}, DType::I32, backend.allocator()),
                 Tensor::empty({n}, DType::F32, backend.allocator())};
    Rng rng(seed);
    for (float& v : b.tensors[0].f32())
        v = rng.normal();
    const auto ids = b.tensors[1].i32();
    for (std::int64_t t = 0; t < tables; ++t)
        for (std::int64_t i = 0; i < n; ++i)
            ids[std::size_t(t * n + i)] =
                std::int32_t(rng.below(std::uint32_t(c.tableRows[std::size_t(t)])));
    for (std::size_t i = 0; i < std::size_t(n); ++i)
        b.tensors[2].f32()[i] = ids[i] % 3 == ids[i + 2 * std::size_t(n)] % 3 ? 1.0f : 0.0f;
    return b;
}

using Vector = std::vector<double>;

/// The network by its definition, one sample, in float64.
class SlowDlrm
{
public:
    SlowDlrm(const ParameterSet& set, const DlrmConfig& config) : set_(set), config_(config) {}

    double logit(const Batch& b, std::int64_t sample) const
    {
        Vector x;
        for (std::int64_t i = 0; i < config_.counts; ++i)
            x.push_back(b.tensors[0].f32()[std::size_t(sample * config_.counts + i)]);
        std::vector<Vector> vectors{layers("bottom", config_.bottom.size() + 1, x, true)};
        for (std::size_t t = 0; t < config_.tableRows.size(); ++t) {
            const auto table = value("table" + std::to_string(t + 1) + ".weight").f32();
            const auto row =
                std::size_t(b.tensors[1].i32()[t * std::size_t(b.samples) + std::size_t(sample)]);
            const auto dim = std::size_t(config_.dim);
            vectors.emplace_back(table.begin() + std::ptrdiff_t(row * dim),
                                 table.begin() + std::ptrdiff_t((row + 1) * dim));
        }
        Vector all = vectors[0];
        for (std::size_t i = 0; i < vectors.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                double dot = 0;
                for (std::size_t d = 0; d < vectors[i].size(); ++d)
                    dot += vectors[i][d] * vectors[j][d];
                all.push_back(dot);
            }
        return layers("top", config_.top.size() + 1, all, false)[0];
    }

private:
    Tensor value(const std::string& name) const
    {
        for (std::size_t i = 0; i < set_.parameters().size(); ++i)
            if (set_.parameters()[i].name == name)
                return set_.value(int(i));
        qFatal("no %s", name.c_str());
        return {};
    }
    Vector layers(const std::string& name, std::size_t count, Vector x, bool reluAtEnd) const
    {
        for (std::size_t l = 1; l <= count; ++l) {
            const Tensor weight = value(name + std::to_string(l) + ".weight");
            const Tensor bias = value(name + std::to_string(l) + ".bias");
            Vector y(std::size_t(weight.dim(0)));
            for (std::size_t o = 0; o < y.size(); ++o) {
                y[o] = bias.f32()[o];
                for (std::size_t i = 0; i < x.size(); ++i)
                    y[o] += x[i] * weight.f32()[o * x.size() + i];
                if (l < count || reluAtEnd)
                    y[o] = std::max(y[o], 0.0);
            }
            x = y;
        }
        return x;
    }

    const ParameterSet& set_;
    const DlrmConfig& config_;
};

std::vector<double> train(Precision precision, bool sparse, int steps)
{
    const auto backend = makeCpuBackend();
    const DlrmConfig config = small(sparse);
    Dlrm net(config, *backend, precision, 3);
    return lossesWithAdam(*backend, net, steps,
                          [&](std::uint64_t seed) { return clicks(*backend, config, 256, seed); });
}

void precisions()
{
    QTest::addColumn<int>("precision");
    QTest::addColumn<bool>("sparse");
    QTest::newRow("fp32, dense") << int(Precision::Fp32) << false;
    QTest::newRow("fp32, sparse") << int(Precision::Fp32) << true;
    QTest::newRow("bf16, sparse") << int(Precision::Bf16) << true;
}

} // namespace

class DlrmTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { setComputeThreads(1); }

    /// MLPerf's DLRM has 171,392 + 2,197,505 parameters beside its tables (Criteo's terabyte).
    void parametersBesideTheTables()
    {
        const auto backend = makeCpuBackend();
        DlrmConfig config;
        config.tableRows.assign(26, 3);
        Dlrm net(config, *backend, Precision::Fp32, 1);
        QCOMPARE(net.parameters().trainableCount(), std::int64_t(171392 + 2197505 + 26 * 3 * 128));
    }

    void logitsByTheDefinition()
    {
        const auto backend = makeCpuBackend();
        const DlrmConfig config = small(true);
        Dlrm net(config, *backend, Precision::Fp32, 5);
        const Batch b = clicks(*backend, config, 40, 2);
        Tape tape(*backend, Tape::Mode::Inference);
        const Variable logits = net.forward(tape, b.tensors[0], b.tensors[1]);
        const SlowDlrm slow(net.parameters(), config);
        double loss = 0;
        for (std::int64_t i = 0; i < 40; ++i) {
            const double wanted = slow.logit(b, i);
            const double got = logits.value().f32()[std::size_t(i)];
            QVERIFY2(std::abs(got - wanted) < 1e-5 * (1 + std::abs(wanted)),
                     (std::to_string(got) + " instead of " + std::to_string(wanted)).c_str());
            loss += std::log1p(std::exp(wanted)) - wanted * b.tensors[2].f32()[std::size_t(i)];
        }
        QVERIFY(std::abs(meanBackwardOf(*backend, net, b) - loss / 40) < 1e-5);
    }

    void gradientsAgainstDifferences()
    {
        const auto backend = makeCpuBackend();
        const DlrmConfig config = small(false);
        Dlrm net(config, *backend, Precision::Fp32, 5);
        ParameterSet& set = net.parameters();
        const Batch b = clicks(*backend, config, 300, 2);
        meanBackwardOf(*backend, net, b);
        const auto loss = [&] {
            const SlowDlrm slow(set, config);
            double sum = 0;
            for (std::int64_t i = 0; i < b.samples; ++i) {
                const double z = slow.logit(b, i);
                sum += std::log1p(std::exp(z)) - z * b.tensors[2].f32()[std::size_t(i)];
            }
            return sum / double(b.samples);
        };
        const std::string fault =
            againstDifferences(set, loss, {.relative = 0.03, .absolute = 1e-5});
        QVERIFY2(fault.empty(), fault.c_str());
    }

    void sparseGradientsTrainAsDenseOnes()
    {
        // SGD without momentum leaves rows without a gradient alone, so both must agree.
        const auto backend = makeCpuBackend();
        std::vector<std::vector<float>> tables;
        for (const bool sparse : {false, true}) {
            const DlrmConfig config = small(sparse);
            Dlrm net(config, *backend, Precision::Fp32, 3);
            OptimizerConfig sgd = optimizerDefaults(OptimizerKind::Sgd);
            sgd.momentum = 0;
            sgd.weightDecay = 0;
            const auto optimizer = makeOptimizer(*backend, net.parameters(), sgd);
            for (int i = 0; i < 5; ++i) {
                meanBackwardOf(*backend, net, clicks(*backend, config, 64, std::uint64_t(i)));
                optimizer->step(0.1);
            }
            std::vector<float> values;
            for (std::size_t p = 0; p < net.parameters().parameters().size(); ++p) {
                const Tensor value = net.parameters().value(int(p));
                values.insert(values.end(), value.f32().begin(), value.f32().end());
            }
            tables.push_back(values);
        }
        QCOMPARE(tables[0].size(), tables[1].size());
        for (std::size_t i = 0; i < tables[0].size(); ++i)
            QVERIFY(std::abs(tables[0][i] - tables[1][i]) < 1e-6);
    }

    void learnsWhatPairsTell_data() { precisions(); }
    void learnsWhatPairsTell()
    {
        QFETCH(int, precision);
        QFETCH(bool, sparse);
        const auto losses = train(Precision(precision), sparse, 200);
        QVERIFY2(losses.back() < 0.15, std::to_string(losses.back()).c_str());
    }

    void repeatsBitForBit_data() { precisions(); }
    void repeatsBitForBit()
    {
        QFETCH(int, precision);
        QFETCH(bool, sparse);
        QCOMPARE(train(Precision(precision), sparse, 5), train(Precision(precision), sparse, 5));
    }

    void impossibleInputIsRefused()
    {
        const auto backend = makeCpuBackend();
        DlrmConfig none = small(true);
        none.tableRows.clear();
        QVERIFY_EXCEPTION_THROWN(Dlrm(none, *backend, Precision::Fp32, 1), InvalidArgument);
        none = small(true);
        none.tableRows[1] = 0;
        QVERIFY_EXCEPTION_THROWN(Dlrm(none, *backend, Precision::Fp32, 1), InvalidArgument);
        none = small(true);
        none.top = {0};
        QVERIFY_EXCEPTION_THROWN(Dlrm(none, *backend, Precision::Fp32, 1), InvalidArgument);
        Dlrm net(small(true), *backend, Precision::Fp32, 1);
        Batch b = clicks(*backend, small(true), 5, 1);
        b.tensors[1].i32()[7] = 4;
        QVERIFY_EXCEPTION_THROWN(meanBackwardOf(*backend, net, b), InvalidArgument);
        b.tensors.pop_back();
        QVERIFY_EXCEPTION_THROWN(meanBackwardOf(*backend, net, b), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(DlrmTest)
#include "dlrm_test.moc"
