// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cstdlib>

#include "engine/nn/parameter_set.h"
#include "kernels/check.h"

using namespace scalebench;

class ParameterSetTest : public QObject
{
    Q_OBJECT
private slots:
    void lastDeclaredComesFirst()
    {
        ParameterSet set;
        const int a = set.addParameter("a", {3, 5}, true);
        const int b = set.addParameter("b", {7}, false);
        const int r = set.addBuffer("r", {4}, 1.0f);
        set.build();
        const auto& info = set.parameters();
        QCOMPARE(set.readyOrder(), (std::vector<int>{b, a}));
        QCOMPARE(info[std::size_t(b)].offset, std::size_t(0));
        QCOMPARE(info[std::size_t(a)].offset, std::size_t(16));
        QCOMPARE(set.values().size(), std::size_t(32));
        QCOMPARE(set.gradients().size(), std::size_t(32));
        QCOMPARE(set.trainableCount(), std::int64_t(22));
        QCOMPARE(std::uintptr_t(set.value(a).data()) % 64, std::uintptr_t(0));
        QCOMPARE(set.value(a).shape(), (Shape{3, 5}));
        QCOMPARE(set.buffer(r).f32()[3], 1.0f);
        set.gradient(b).f32()[0] = 4.0f;
        QCOMPARE(set.gradients()[0], 4.0f);
        QVERIFY(!info[std::size_t(b)].weightDecay);
    }

    void tablesLieBehindTheGradientArena()
    {
        ParameterSet set;
        const int table = set.addSparseParameter("table", {5, 3}, true);
        const int a = set.addParameter("a", {20}, true);
        const int other = set.addSparseParameter("other", {2, 2}, false);
        set.build();
        QCOMPARE(set.readyOrder(), std::vector<int>{a});
        QCOMPARE(set.sparseOrder(), (std::vector<int>{other, table}));
        QCOMPARE(set.gradients().size(), std::size_t(32));
        QCOMPARE(set.values().size(), std::size_t(64));
        QCOMPARE(set.parameters()[std::size_t(other)].offset, std::size_t(32));
        QCOMPARE(set.parameters()[std::size_t(table)].offset, std::size_t(48));
        QCOMPARE(set.trainableCount(), std::int64_t(39));
        QVERIFY(set.parameters()[std::size_t(table)].sparse);
        QVERIFY(!set.gradient(table).defined());
        QVERIFY(set.gradient(a).defined());
        QVERIFY(set.sparseGradient(a) == nullptr);
        QVERIFY(set.sparseGradient(table)->empty());
        set.value(table).f32()[14] = 2.0f;
        QCOMPARE(set.values()[62], 2.0f);
        QVERIFY_EXCEPTION_THROWN(set.addSparseParameter("late", {1, 1}, true), InvalidArgument);
        ParameterSet flat;
        QVERIFY_EXCEPTION_THROWN(flat.addSparseParameter("t", {5}, true), InvalidArgument);
    }

    void gradientMemoryFromOutside()
    {
        ParameterSet set;
        set.addParameter("w", {10}, true);
        std::shared_ptr<float> window(static_cast<float*>(std::aligned_alloc(64, 1024)), std::free);
        std::size_t asked = 0;
        set.build([&](std::size_t elements) {
            asked = elements;
            return window;
        });
        QCOMPARE(asked, std::size_t(16));
        QCOMPARE(set.gradients().data(), window.get());
        QCOMPARE(set.gradients()[9], 0.0f);
    }

    void valuesInMemoryFromOutside()
    {
        ParameterSet set;
        const int w = set.addParameter("w", {10}, true);
        alignas(64) float memory[17] = {};
        QVERIFY_EXCEPTION_THROWN(set.keepValuesIn(std::span(memory).first(16), true),
                                 InvalidArgument); // not built
        set.build();
        set.value(w).f32()[9] = 3.0f;
        QVERIFY_EXCEPTION_THROWN(set.keepValuesIn(memory, true), InvalidArgument); // too long
        QVERIFY_EXCEPTION_THROWN(set.keepValuesIn(std::span(memory).subspan(1), true),
                                 InvalidArgument); // not aligned
        QCOMPARE(set.value(w).f32()[9], 3.0f);
        const auto before = set.version();
        set.keepValuesIn(std::span(memory).first(16), true);
        QVERIFY(set.version() != before);
        QCOMPARE(memory[9], 3.0f);
        set.value(w).f32()[0] = 5.0f;
        QCOMPARE(memory[0], 5.0f);

        ParameterSet second; // of another process: it finds what the first one put there
        second.addParameter("w", {10}, true);
        second.build();
        second.keepValuesIn(std::span(memory).first(16), false);
        QCOMPARE(second.values()[9], 3.0f);
        QCOMPARE(second.values()[0], 5.0f);
    }

    void versionsAreUnique()
    {
        ParameterSet a, b;
        a.addParameter("w", {1}, true);
        b.addParameter("w", {1}, true);
        a.build();
        b.build();
        QVERIFY(a.version() != b.version());
        const auto before = a.version();
        a.markValuesChanged();
        QVERIFY(a.version() != before);
    }

    void misuseIsRefused()
    {
        ParameterSet set;
        set.addParameter("w", {1}, true);
        QVERIFY_EXCEPTION_THROWN(set.addParameter("w", {2}, true), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(set.addParameter("v", {}, true), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(set.addParameter("v", {0}, true), InvalidArgument);
        set.build();
        QVERIFY_EXCEPTION_THROWN(set.addParameter("x", {1}, true), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(set.build(), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(ParameterSetTest)
#include "parameter_set_test.moc"
