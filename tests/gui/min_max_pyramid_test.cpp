// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/min_max_pyramid.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>

using namespace scalebench;

class MinMaxPyramidTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void decimationKeepsExtremes()
    {
        QRandomGenerator random(7);
        for (const int size : {1, 2, 15, 16, 17, 255, 256, 257, 5000, 70000}) {
            MinMaxPyramid pyramid;
            QVector<double> x, y;
            for (int i = 0; i < size; ++i) {
                x << i;
                y << random.generateDouble() * 100 - 50;
                if (random.bounded(7) == 0 || i == size - 1)
                    pyramid.grow(y);
            }
            QCOMPARE(pyramid.size(), size);
            for (int trial = 0; trial < 20; ++trial) {
                const double a = random.bounded(size), b = random.bounded(size);
                const double from = std::min(a, b), to = std::max(a, b);
                const int columns = 16 + random.bounded(1000);
                const auto seen = pyramid.visible(x, from, to, columns);
                QVERIFY(!seen.isEmpty());
                QVERIFY(std::is_sorted(seen.begin(), seen.end()));
                QVERIFY(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
                double low = 1e9, high = -1e9, seenLow = 1e9, seenHigh = -1e9;
                for (auto i = static_cast<qsizetype>(from); i <= static_cast<qsizetype>(to); ++i) {
                    low = std::min(low, y[i]);
                    high = std::max(high, y[i]);
                }
                for (const qsizetype i : seen) {
                    if (x[i] >= from && x[i] <= to) {
                        seenLow = std::min(seenLow, y[i]);
                        seenHigh = std::max(seenHigh, y[i]);
                    }
                }
                QCOMPARE(seenLow, low);
                QCOMPARE(seenHigh, high);
                QVERIFY2(seen.size() <= 40L * columns + 40, "few points are drawn");
            }
        }
    }
};

QTEST_APPLESS_MAIN(MinMaxPyramidTest)
#include "min_max_pyramid_test.moc"
