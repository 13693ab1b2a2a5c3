// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/point_list.h"

#include <QTest>

#include <ranges>
#include <thread>
#include <vector>

using namespace scalebench;

static_assert(std::ranges::random_access_range<PointList<int>>);

class PointListTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void holdsWhatWasAppended()
    {
        PointList<int> list;
        std::vector<int> expected;
        for (int i = 0; i < 5000; ++i) { // over the ends of pieces
            list << i * 7;
            expected.push_back(i * 7);
            QCOMPARE(list.size(), i + 1);
            QCOMPARE(list.last(), i * 7);
        }
        QVERIFY(std::ranges::equal(list, expected));
        list << list[0];
        QCOMPARE(list.last(), 0);
        list.clear();
        QVERIFY(list.isEmpty() && list.begin() == list.end());
    }

    void copiesShareAndGoTheirOwnWays()
    {
        for (const int size : {1, 15, 16, 17, 48, 1007, 1008, 1009, 2032, 4000}) {
            PointList<int> one;
            for (int i = 0; i < size; ++i)
                one << i;
            PointList<int> two = one;
            one << -1;
            two << -2;
            two << -3;
            QCOMPARE(one.size(), size + 1);
            QCOMPARE(two.size(), size + 2);
            QCOMPARE(one.last(), -1);
            QCOMPARE(two[size], -2);
            QCOMPARE(two.last(), -3);
            for (int i = 0; i < size; ++i)
                QVERIFY(one[i] == i && two[i] == i);
            if (size > 16)
                QCOMPARE(&one[0], &two[0]);
            two.edit(0) = 99;
            QVERIFY(one[0] == 0 && two[0] == 99 && two.last() == -3);
        }
    }

    void oneAppendsWhileOthersRead()
    {
        PointList<int> grows;
        for (int round = 0; round < 300; ++round) {
            grows << round;
            const PointList<int> then = grows;
            qint64 sum = 0;
            std::thread reader([&] {
                for (const int value : then)
                    sum += value;
            });
            for (int i = 0; i < 20; ++i)
                grows << 0;
            reader.join();
            QCOMPARE(sum, qint64(round) * (round + 1) / 2);
        }
    }
};

QTEST_GUILESS_MAIN(PointListTest)
#include "point_list_test.moc"
