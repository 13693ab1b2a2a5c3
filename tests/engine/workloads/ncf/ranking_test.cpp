// SPDX-License-Identifier: GPL-3.0-or-later
// Hit rate and NDCG against a brute-force ranking and against the paper's own algorithm in Python.

#include "engine/data/hash_random.h"
#include "engine/workloads/ncf/ranking.h"
#include "kernels/check.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace scalebench;
using namespace scalebench::workloads;

namespace {

const float kNan = std::numeric_limits<float>::quiet_NaN();

struct Case {
    std::vector<float> scores;
    std::vector<int32_t> items;
};

/// Few scores and few items, so that most cases have ties and items that come twice.
Case randomCase(uint64_t number)
{
    data::HashRandom random({9, number});
    const uint32_t size = 1 + random.below(number % 2 ? 30 : 110);
    const uint32_t items = 1 + random.below(150), levels = 1 + random.below(40);
    Case made;
    for (uint32_t i = 0; i < size; ++i) {
        made.items.push_back(int32_t(random.below(items)));
        made.scores.push_back(float(random.below(levels)) / 8 - 1);
    }
    return made;
}

/// A dict in order of insertion, sorted by score from high to low, stably.
int64_t bruteForceRank(const Case& made)
{
    std::vector<std::pair<int32_t, float>> dict;
    for (size_t i = 0; i < made.items.size(); ++i) {
        const auto known =
            std::ranges::find(dict, made.items[i], &std::pair<int32_t, float>::first);
        if (known == dict.end())
            dict.emplace_back(made.items[i], made.scores[i]);
        else
            known->second = made.scores[i];
    }
    std::ranges::stable_sort(dict, std::greater<>(), &std::pair<int32_t, float>::second);
    return std::ranges::find(dict, made.items.back(), &std::pair<int32_t, float>::first) -
           dict.begin();
}

/// eval_one_rating, getHitRatio and getNDCG of evaluate.py, without Keras.
const char* const kPaper = R"(
import heapq, math, sys
for line in sys.stdin:
    scores, items = line.split(';')
    predictions = [float(s) for s in scores.split()]
    items = [int(i) for i in items.split()]
    gtItem = items[-1]
    map_item_score = {}
    for i in range(len(items)):
        item = items[i]
        map_item_score[item] = predictions[i]
    ranklist = heapq.nlargest(10, map_item_score, key=map_item_score.get)
    hr, ndcg = 0, 0.0
    for item in ranklist:
        if item == gtItem:
            hr = 1
    for i in range(len(ranklist)):
        if ranklist[i] == gtItem:
            ndcg = math.log(2) / math.log(i + 2)
            break
    print(hr, repr(ndcg))
)";

QByteArray asLine(const Case& made)
{
    QByteArray line;
    for (const float score : made.scores)
        line += QByteArray::number(double(score), 'g', 17) + ' ';
    line += ';';
    for (const int32_t item : made.items)
        line += QByteArray::number(item) + ' ';
    return line + '\n';
}

RankingTotals totalsOf(const std::vector<int64_t>& ranks, int k)
{
    RankingTotals totals(k);
    for (const int64_t rank : ranks)
        totals.add(rank);
    return totals;
}

} // namespace

class RankingTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void smallCases()
    {
        const std::vector<int32_t> four = {7, 8, 9, 5};
        QCOMPARE(rankOfLast(std::vector{1.0f, 2.0f, 3.0f, 4.0f}, four), 0);
        QCOMPARE(rankOfLast(std::vector{1.0f, 2.0f, 3.0f, 2.5f}, four), 1);
        QCOMPARE(rankOfLast(std::vector{2.0f, 2.0f, 1.0f, 2.0f}, four), 2); // ties count against it
        // Also among the negatives: its place is the first, its score the last.
        QCOMPARE(rankOfLast(std::vector{9.0f, 2.0f, 2.0f}, std::vector<int32_t>{5, 8, 5}), 0);
        // A negative that comes twice counts once.
        QCOMPARE(rankOfLast(std::vector{3.0f, 3.0f, 1.0f}, std::vector<int32_t>{8, 8, 5}), 1);
        QCOMPARE(rankOfLast(std::vector{1.0f}, std::vector<int32_t>{5}), 0);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 rankOfLast(std::vector{1.0f}, std::vector<int32_t>{5, 6}));
    }
    void scoresThatAreNoNumbersMissEveryList()
    {
        const std::vector<int32_t> items = {7, 8, 5};
        QCOMPARE(rankOfLast(std::vector{1.0f, 2.0f, kNan}, items), kUnranked);
        QCOMPARE(rankOfLast(std::vector{1.0f, kNan, 3.0f}, items), kUnranked);
        QCOMPARE(rankAmongAll(std::vector{1.0f, kNan, 3.0f}, {}, 1), kUnranked);
        QCOMPARE(rankAmongAll(std::vector{1.0f, kNan, 3.0f}, {}, 2), kUnranked);
        // The user has that item already: nobody ranks it.
        QCOMPARE(rankAmongAll(std::vector{1.0f, kNan, 3.0f}, std::vector<int32_t>{1}, 0), 1);
        QCOMPARE(totalsOf({kUnranked}, 1000).hitRate(), 0.0);
    }
    void againstBruteForce()
    {
        for (uint64_t number = 0; number < 20'000; ++number) {
            const Case made = randomCase(number);
            QCOMPARE(rankOfLast(made.scores, made.items), bruteForceRank(made));
        }
    }
    void againstThePaper()
    {
        const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
        if (python.isEmpty())
            QSKIP("there is no python3 to run the paper's algorithm");
        constexpr uint64_t kCases = 3000;
        QByteArray input;
        for (uint64_t number = 0; number < kCases; ++number)
            input += asLine(randomCase(number));
        QProcess process;
        process.start(python, {QStringLiteral("-c"), QString::fromLatin1(kPaper)});
        process.write(input);
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(300'000));
        QCOMPARE(process.exitCode(), 0);
        const QList<QByteArray> lines = process.readAllStandardOutput().trimmed().split('\n');
        QCOMPARE(lines.size(), qsizetype(kCases));
        int hits = 0;
        for (uint64_t number = 0; number < kCases; ++number) {
            const Case made = randomCase(number);
            const auto totals = totalsOf({rankOfLast(made.scores, made.items)}, 10);
            const QList<QByteArray> paper = lines[qsizetype(number)].split(' ');
            QCOMPARE(totals.hitRate(), paper[0].toDouble());
            QVERIFY(std::abs(totals.ndcg() - paper[1].toDouble()) < 1e-15);
            hits += paper[0].toInt();
        }
        QVERIFY(hits > int(kCases) / 5 && hits < int(kCases) * 4 / 5);
    }
    void amongAllItems()
    {
        for (uint64_t number = 0; number < 3000; ++number) {
            data::HashRandom random({17, number});
            const uint32_t items = 1 + random.below(60), levels = 1 + random.below(20);
            const auto positive = int32_t(random.below(items));
            std::vector<float> scores;
            std::vector<int32_t> taken; // now and then with the test item, as a set may have it
            Case expected;
            for (int32_t item = 0; item < int32_t(items); ++item) {
                scores.push_back(float(random.below(levels)));
                if (random.chance(0.3)) {
                    taken.push_back(item);
                } else if (item != positive) {
                    expected.items.push_back(item);
                    expected.scores.push_back(scores.back());
                }
            }
            expected.items.push_back(positive);
            expected.scores.push_back(scores[size_t(positive)]);
            QCOMPARE(rankAmongAll(scores, taken, positive), bruteForceRank(expected));
        }
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, rankAmongAll(std::vector{1.0f}, {}, 1));
    }
    void anySplitOverWorkersGivesTheSame()
    {
        data::HashRandom random({3});
        std::vector<int64_t> ranks(997);
        for (int64_t& rank : ranks)
            rank = random.below(25);
        const RankingTotals whole = totalsOf(ranks, 10);
        for (const size_t workers : {2u, 3u, 8u}) {
            RankingTotals sum(10);
            for (size_t w = workers; w-- > 0;)
                sum.merge(totalsOf({ranks.begin() + int64_t(ranks.size() * w / workers),
                                    ranks.begin() + int64_t(ranks.size() * (w + 1) / workers)},
                                   10));
            QVERIFY(std::ranges::equal(sum.counts(), whole.counts()));
            QVERIFY(sum.hitRate() == whole.hitRate() && sum.ndcg() == whole.ndcg());
        }
        QCOMPARE(whole.users(), 997);
        const double direct =
            std::accumulate(ranks.begin(), ranks.end(), 0.0, [](double s, int64_t r) {
                return r < 10 ? s + std::log(2.0) / std::log(double(r) + 2) : s;
            });
        QVERIFY(std::abs(whole.ndcg() - direct / 997) < 1e-12);
        QCOMPARE(RankingTotals(10).ndcg(), 0.0);
        RankingTotals five(5);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, five.merge(whole));
    }
};

QTEST_GUILESS_MAIN(RankingTest)
#include "ranking_test.moc"
