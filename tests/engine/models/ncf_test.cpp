// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/core/rng.h"
#include "engine/core/thread_count.h"
#include "engine/models/ncf/ncf.h"
#include "engine/optim/optimizer.h"
#include "kernels/check.h"
#include "tests/engine/models/network_steps.h"

using namespace scalebench;
using namespace scalebench::tests;

namespace {

NcfConfig small(bool sparse)
{
    NcfConfig c;
    c.users = 50;
    c.items = 40;
    c.factors = 8;
    c.layers = {16, 12, 8};
    c.sparseGradients = sparse;
    return c;
}

/// Every third user likes every third item.
Batch taste(Backend& backend, const NcfConfig& c, std::int64_t n, std::uint64_t seed)
{
    Batch b;
    b.samples = n;
    for (const DType type : {DType::I32, DType::I32, DType::F32})
        b.tensors.push_back(Tensor::empty({n}, type, backend.allocator()));
    Rng rng(seed);
    for (std::size_t i = 0; i < std::size_t(n); ++i) {
        const auto user = std::int32_t(rng.below(std::uint32_t(c.users)));
        const auto item = std::int32_t(rng.below(std::uint32_t(c.items)));
        b.tensors[0].i32()[i] = user;
        b.tensors[1].i32()[i] = item;
        b.tensors[2].f32()[i] = user % 3 == item % 3 ? 1.0f : 0.0f;
    }
    return b;
}

/// Losses of some steps with Adam.
std::vector<double> train(Precision precision, bool sparse, int steps)
{
    const auto backend = makeCpuBackend();
    const NcfConfig config = small(sparse);
    Ncf net(config, *backend, precision, 3);
    return lossesWithAdam(*backend, net, steps,
                          [&](std::uint64_t seed) { return taste(*backend, config, 256, seed); });
}

void precisions()
{
    QTest::addColumn<int>("precision");
    QTest::addColumn<bool>("sparse");
    QTest::newRow("fp32, dense") << int(Precision::Fp32) << false;
    QTest::newRow("fp32, sparse") << int(Precision::Fp32) << true;
    QTest::newRow("bf16, dense") << int(Precision::Bf16) << false;
    QTest::newRow("bf16, sparse") << int(Precision::Bf16) << true;
}

} // namespace

class NcfTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { setComputeThreads(1); }

    void parameterCountOfMovieLens()
    {
        const auto backend = makeCpuBackend();
        for (const bool sparse : {false, true}) {
            NcfConfig config;
            config.sparseGradients = sparse;
            Ncf net(config, *backend, Precision::Fp32, 1);
            const ParameterSet& set = net.parameters();
            QCOMPARE(set.trainableCount(), std::int64_t(31832577));
            // The tables are 31,725,504 of them; sparse ones leave the gradient arena to the rest.
            QVERIFY(sparse == (set.gradients().size() < 200000));
        }
    }

    void untrainedNetworkKnowsNothing()
    {
        const auto backend = makeCpuBackend();
        const NcfConfig config = small(false);
        Ncf net(config, *backend, Precision::Fp32, 1);
        const double loss = meanBackwardOf(*backend, net, taste(*backend, config, 500, 1));
        QVERIFY2(std::abs(loss - std::log(2.0)) < 0.01, std::to_string(loss).c_str());
    }

    void gradientsAgainstDifferences()
    {
        const auto backend = makeCpuBackend();
        const NcfConfig config = small(false);
        Ncf net(config, *backend, Precision::Fp32, 5);
        ParameterSet& set = net.parameters();
        for (float& v : set.values()) // away from the start, where products of tables vanish
            v *= 3.0f;
        set.markValuesChanged();
        const Batch b = taste(*backend, config, 300, 2);
        meanBackwardOf(*backend, net, b);
        const auto loss = [&] { return lossOf(*backend, net, b, 0, false) / double(b.samples); };
        const std::string fault = againstDifferences(set, loss, {.relative = 0.03});
        QVERIFY2(fault.empty(), fault.c_str());
    }

    void sparseGradientsAreTheDenseOnes_data() { precisions(); }
    void sparseGradientsAreTheDenseOnes()
    {
        QFETCH(int, precision);
        const auto backend = makeCpuBackend();
        Ncf dense(small(false), *backend, Precision(precision), 7);
        Ncf sparse(small(true), *backend, Precision(precision), 7);
        const Batch b = taste(*backend, small(false), 30, 4);
        QCOMPARE(meanBackwardOf(*backend, sparse, b), meanBackwardOf(*backend, dense, b));
        ParameterSet &d = dense.parameters(), &s = sparse.parameters();
        for (int i = 0; i < int(d.parameters().size()); ++i) {
            const auto whole = d.gradient(i).f32();
            if (!s.parameters()[std::size_t(i)].sparse) {
                QVERIFY(std::equal(whole.begin(), whole.end(), s.gradient(i).f32().begin()));
                continue;
            }
            const SparseRows& rows = *s.sparseGradient(i);
            QVERIFY(rows.count() > 10 && rows.count() <= 30);
            std::vector<float> unfolded(whole.size(), 0.0f);
            const auto dim = std::size_t(d.value(i).dim(1));
            for (std::size_t r = 0; r < std::size_t(rows.count()); ++r)
                std::copy_n(rows.values.f32().begin() + std::ptrdiff_t(r * dim), dim,
                            unfolded.begin() +
                                std::ptrdiff_t(std::size_t(rows.rows.i32()[r]) * dim));
            QVERIFY(std::equal(whole.begin(), whole.end(), unfolded.begin()));
        }
    }

    void learnsTaste_data() { precisions(); }
    void learnsTaste()
    {
        QFETCH(int, precision);
        QFETCH(bool, sparse);
        const auto losses = train(Precision(precision), sparse, 120);
        QVERIFY2(losses.back() < 0.1, std::to_string(losses.back()).c_str());
    }

    void repeatsBitForBit_data() { precisions(); }
    void repeatsBitForBit()
    {
        QFETCH(int, precision);
        QFETCH(bool, sparse);
        const auto a = train(Precision(precision), sparse, 5);
        const auto b = train(Precision(precision), sparse, 5);
        QCOMPARE(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0);
    }

    void impossibleInputIsRefused()
    {
        const auto backend = makeCpuBackend();
        NcfConfig odd = small(false);
        odd.layers = {15, 4};
        QVERIFY_EXCEPTION_THROWN(Ncf(odd, *backend, Precision::Fp32, 1), InvalidArgument);
        NcfConfig none = small(false);
        none.users = 0;
        QVERIFY_EXCEPTION_THROWN(Ncf(none, *backend, Precision::Fp32, 1), InvalidArgument);
        Ncf net(small(false), *backend, Precision::Fp32, 1);
        Batch b = taste(*backend, small(false), 5, 1);
        b.tensors[0].i32()[3] = 50;
        QVERIFY_EXCEPTION_THROWN(meanBackwardOf(*backend, net, b), InvalidArgument);
        b.tensors.pop_back();
        QVERIFY_EXCEPTION_THROWN(meanBackwardOf(*backend, net, b), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(NcfTest)
#include "ncf_test.moc"
