// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cmath>

#include "engine/optim/golden_optimizers.h"
#include "engine/optim/optimizer.h"
#include "kernels/check.h"

using namespace scalebench;

namespace {

/// A table [4,2] with the numbers of make_goldens.py beside a dense bias.
struct Tables {
    explicit Tables(bool decays = false)
    {
        table = set.addSparseParameter("table", {4, 2}, decays);
        bias = set.addParameter("bias", {3}, false);
        set.build();
        for (int i = 0; i < 8; ++i)
            set.value(table).f32()[std::size_t(i)] = float((i * 5) % 9 - 4) / 4.0f;
    }

    void setGradient(Backend& backend, std::vector<std::int32_t> rows,
                     const std::vector<float>& values)
    {
        SparseRows g;
        const auto n = std::int64_t(rows.size());
        g.rows = Tensor::empty({n}, DType::I32, backend.allocator());
        g.values = Tensor::empty({n, 2}, DType::F32, backend.allocator());
        std::copy(rows.begin(), rows.end(), g.rows.i32().begin());
        std::copy(values.begin(), values.end(), g.values.f32().begin());
        *set.sparseGradient(table) = g;
    }

    ParameterSet set;
    int table = 0, bias = 0;
};

} // namespace

class SparseTest : public QObject
{
    Q_OBJECT
private slots:
    void adamFollowsTorch()
    {
        const auto backend = makeCpuBackend();
        Tables t;
        const auto adam = makeOptimizer(*backend, t.set, optimizerDefaults(OptimizerKind::Adam));
        for (int step = 0; step < 5; ++step) {
            std::vector<std::int32_t> rows{step % 4, (step + 2) % 4};
            std::sort(rows.begin(), rows.end());
            std::vector<float> values(4);
            for (int i = 0; i < 4; ++i)
                values[std::size_t(i)] = float((i * 7 + step * 5) % 11 - 5) / 8.0f;
            t.setGradient(*backend, rows, values);
            adam->step(0.1 / (step + 1));
        }
        for (int i = 0; i < 8; ++i)
            QVERIFY(std::abs(double(t.set.value(t.table).f32()[std::size_t(i)]) -
                             test::golden::kSparseAdam[i]) < 1e-6);
        std::vector<std::string> names;
        for (const StateSpan& s : adam->state())
            names.push_back(s.name);
        QCOMPARE(names, std::vector<std::string>(
                            {"moment1", "moment2", "table_moment1", "table_moment2"}));
    }

    void sgdMovesTouchedRowsOnly()
    {
        const auto backend = makeCpuBackend();
        Tables t;
        OptimizerConfig c;
        c.momentum = 0.0;
        c.maxGradNorm = 1.0; // the table's gradient is the whole norm: 5
        const auto sgd = makeOptimizer(*backend, t.set, c);
        const std::vector<float> before(t.set.values().begin(), t.set.values().end());
        t.setGradient(*backend, {1, 3}, {3.0f, 0.0f, 0.0f, -4.0f});
        const StepResult r = sgd->step(0.1);
        QVERIFY(std::abs(r.gradientNorm - 5.0) < 1e-9);
        const auto w = t.set.value(t.table).f32();
        const std::size_t at = t.set.parameters()[std::size_t(t.table)].offset;
        for (std::size_t i = 0; i < 8; ++i) {
            const double moved = i == 2 ? -0.06 : i == 7 ? 0.08 : 0.0;
            QVERIFY(std::abs(double(w[i]) - double(before[at + i]) - moved) < 1e-6);
        }
        *t.set.sparseGradient(t.table) = {}; // a step that touches no row
        const std::vector<float> now(w.begin(), w.end());
        QVERIFY(sgd->step(0.1).applied);
        QVERIFY(std::equal(now.begin(), now.end(), w.begin()));
        QVERIFY(sgd->state().empty());
    }

    void refusesWhatUntouchedRowsWouldNeed()
    {
        const auto backend = makeCpuBackend();
        Tables t, decaying(true);
        auto refused = [&](ParameterSet& set, OptimizerConfig c) {
            QVERIFY_EXCEPTION_THROWN(makeOptimizer(*backend, set, c), Unsupported);
        };
        refused(t.set, optimizerDefaults(OptimizerKind::Sgd)); // momentum
        refused(t.set, optimizerDefaults(OptimizerKind::Lars));
        refused(t.set, optimizerDefaults(OptimizerKind::Lamb));
        refused(decaying.set, optimizerDefaults(OptimizerKind::AdamW));
        QVERIFY(makeOptimizer(*backend, t.set, optimizerDefaults(OptimizerKind::AdamW)) != nullptr);
    }

    void refusesRowsOutsideTheTable()
    {
        const auto backend = makeCpuBackend();
        Tables t;
        const auto adam = makeOptimizer(*backend, t.set, optimizerDefaults(OptimizerKind::Adam));
        t.setGradient(*backend, {4}, {1.0f, 1.0f});
        QVERIFY_EXCEPTION_THROWN(adam->step(0.1), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(SparseTest)
#include "sparse_test.moc"
