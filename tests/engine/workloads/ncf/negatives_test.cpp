// SPDX-License-Identifier: GPL-3.0-or-later
// Training samples: every positive once, negatives that the user did not take, the same for any
// split of the work; and the computed shuffle.

#include "engine/workloads/ncf/negatives.h"

#include "engine/data/hash_random.h"
#include "kernels/check.h"

#include <QTest>

#include <map>
#include <numeric>
#include <set>

using namespace scalebench;
using namespace scalebench::workloads;

namespace {

/// `taken`: per user, ascending.
Interactions makeSet(int64_t items, const std::vector<std::vector<int32_t>>& taken)
{
    Interactions set;
    set.users = int64_t(taken.size());
    set.items = items;
    set.firstOfUser.push_back(0);
    for (const auto& list : taken) {
        set.trainItems.insert(set.trainItems.end(), list.begin(), list.end());
        set.trainUsers.resize(set.trainItems.size(), int32_t(set.firstOfUser.size() - 1));
        set.firstOfUser.push_back(set.positives());
    }
    return set;
}

/// Forty users of up to 30 of 100 items, one of them without any.
Interactions randomSet()
{
    std::vector<std::vector<int32_t>> taken(40);
    data::HashRandom random({2});
    for (size_t user = 0; user < taken.size(); ++user)
        for (int32_t item = 0; item < 100 && user != 3; ++item)
            if (random.chance(0.2))
                taken[user].push_back(item);
    return makeSet(100, taken);
}

/// Sum of (seen - expected)^2 / expected, all equally likely.
double chiSquare(const std::vector<int64_t>& seen)
{
    const double expected =
        double(std::accumulate(seen.begin(), seen.end(), int64_t{0})) / double(seen.size());
    double sum = 0;
    for (const int64_t count : seen)
        sum += (double(count) - expected) * (double(count) - expected) / expected;
    return sum;
}

/// Further from the mean than one in some 10^5 draws of chi square with so many degrees.
bool unlikely(double chi, size_t degrees)
{
    return std::abs(chi - double(degrees)) > 4.5 * std::sqrt(2.0 * double(degrees)) + 5;
}

std::string codeOf(const std::function<void()>& body)
{
    try {
        body();
    } catch (const Error& e) {
        return e.code();
    }
    return "none";
}

struct Filled {
    std::vector<int32_t> users, items;
    std::vector<float> labels;
    bool operator==(const Filled&) const = default;
};

/// An epoch made in batches of `batch`, the last ones first.
Filled fillEpoch(const TrainSamples& samples, int64_t epoch, int64_t batch)
{
    const data::EpochShuffle order = samples.order(epoch);
    const auto n = size_t(samples.perEpoch());
    Filled out{std::vector<int32_t>(n), std::vector<int32_t>(n), std::vector<float>(n)};
    for (int64_t first = (int64_t(n) - 1) / batch * batch; first >= 0; first -= batch) {
        const auto at = size_t(first), size = std::min(size_t(batch), n - size_t(first));
        samples.fill(order, first, std::span(out.users).subspan(at, size),
                     std::span(out.items).subspan(at, size),
                     std::span(out.labels).subspan(at, size));
    }
    return out;
}

} // namespace

class NegativesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void anEpochHasEveryPositiveOnceAndTrueNegatives()
    {
        const Interactions set = randomSet();
        const TrainSamples samples(set, 4, 7);
        QCOMPARE(samples.perEpoch(), set.positives() * 5);
        const Filled epoch = fillEpoch(samples, 0, 64);
        std::map<std::pair<int32_t, int32_t>, int> positives;
        std::vector<int64_t> negativesOfUser(size_t(set.users), 0);
        for (size_t i = 0; i < epoch.users.size(); ++i) {
            const int32_t user = epoch.users[i], item = epoch.items[i];
            QVERIFY(item >= 0 && item < set.items);
            QCOMPARE(epoch.labels[i], set.isTrainPositive(user, item) ? 1.0f : 0.0f);
            if (epoch.labels[i] == 1.0f)
                QCOMPARE(++positives[std::pair(user, item)], 1);
            else
                ++negativesOfUser[size_t(user)];
        }
        QCOMPARE(int64_t(positives.size()), set.positives());
        for (int64_t user = 0; user < set.users; ++user)
            QCOMPARE(negativesOfUser[size_t(user)], int64_t(set.itemsOf(user).size()) * 4);
    }
    void anySplitGivesTheSameEpoch()
    {
        const Interactions set = randomSet();
        const TrainSamples samples(set, 4, 7), again(set, 4, 7), other(set, 4, 8);
        const Filled whole = fillEpoch(samples, 1, samples.perEpoch());
        for (const int64_t batch : {1, 7, 256})
            QVERIFY(fillEpoch(again, 1, batch) == whole);
        QVERIFY(fillEpoch(samples, 2, 256).users != whole.users); // another order
        QVERIFY(fillEpoch(other, 1, 256).users != whole.users);
        int same = 0;
        for (int64_t i = 0; i < samples.perEpoch(); ++i)
            same += samples.sample(1, i).item == samples.sample(2, i).item;
        // The positives are the same, of the negatives one in some 80.
        QVERIFY(same >= set.positives() && double(same) < 1.1 * double(set.positives()));
    }
    /// Blocks, a computed order and a filter give what one sample at a time gives.
    void aBatchIsItsSamples()
    {
        const Interactions set = randomSet();
        const TrainSamples samples(set, 9, 7);
        const data::EpochShuffle order = samples.order(1);
        QVERIFY2(samples.perEpoch() > 5000, "the order is to be computed, not listed");
        const Filled epoch = fillEpoch(samples, 1, 300);
        for (size_t i = 0; i < epoch.users.size(); ++i) {
            const TrainSample made = samples.sample(1, order(int64_t(i)));
            QCOMPARE(epoch.users[i], made.user);
            QCOMPARE(epoch.items[i], made.item);
            QCOMPARE(epoch.labels[i], made.label);
        }
    }
    void theFilterForgetsNothingAndCatchesNearlyAll()
    {
        for (const int64_t most : {int64_t{1}, int64_t{9}, int64_t{3000}}) {
            std::vector<std::vector<int32_t>> taken(60);
            data::HashRandom random({uint64_t(most)});
            for (int64_t made = 0; made < most; ++made)
                taken[random.below(60)].push_back(int32_t(random.below(100000)));
            for (auto& items : taken) {
                std::ranges::sort(items);
                items.erase(std::ranges::unique(items).begin(), items.end());
            }
            const Interactions set = makeSet(100000, taken);
            const TakenFilter filter(set);
            for (int32_t user = 0; user < 60; ++user)
                for (const int32_t item : set.itemsOf(user))
                    QVERIFY(filter.maybe(user, item));
            int asked = 0, passed = 0;
            for (int32_t user = 0; user < 60; ++user)
                for (int32_t item = user; item < 100000; item += 37) {
                    asked += !set.isTrainPositive(user, item);
                    passed += !set.isTrainPositive(user, item) && filter.maybe(user, item);
                }
            QVERIFY2(passed < 0.04 * asked, qPrintable(QString::number(passed)));
        }
    }
    void aStretchOfTheShuffleIsItsPositions()
    {
        for (const int64_t n : {int64_t{10}, int64_t{4097}, int64_t{100003}}) {
            const data::EpochShuffle shuffle(n, 3, 2);
            for (const size_t length : {size_t{1}, size_t{8}, size_t{10}})
                for (const int64_t first : {int64_t{0}, n - int64_t(length)}) {
                    std::vector<int64_t> samples(length);
                    shuffle.fill(first, samples);
                    for (size_t i = 0; i < length; ++i)
                        QCOMPARE(samples[i], shuffle(first + int64_t(i)));
                }
        }
    }
    void negativesAreUniform()
    {
        const Interactions set = makeSet(50, {{3, 17, 40}, {0, 1, 2, 3, 4, 5}});
        const TrainSamples samples(set, 100, 1);
        std::vector<int64_t> seen(50, 0);
        for (int64_t epoch = 0; epoch < 100; ++epoch)
            for (int64_t i = 0; i < 3 * 101; ++i)
                if (const TrainSample made = samples.sample(epoch, i); made.label == 0)
                    ++seen[size_t(made.item)];
        for (const size_t item : {40u, 17u, 3u}) {
            QCOMPARE(seen[item], 0);
            seen.erase(seen.begin() + int64_t(item));
        }
        QVERIFY(!unlikely(chiSquare(seen), 46));
    }
    void usersWhoTookNearlyEverything()
    {
        // 2,000 items but two: a redraw hits one in a thousand times, so that most come from the
        // exact choice.
        std::vector<int32_t> all(2000);
        std::iota(all.begin(), all.end(), 0);
        std::vector<int32_t> rest = all;
        std::erase_if(rest, [](int32_t item) { return item == 0 || item == 1234; });
        const Interactions set = makeSet(2000, {rest});
        const TrainSamples samples(set, 1, 3);
        std::vector<int64_t> seen(2, 0);
        for (int64_t i = 1; i < samples.perEpoch(); i += 2) {
            const int32_t item = samples.sample(0, i).item;
            QVERIFY(item == 0 || item == 1234);
            ++seen[item == 0];
        }
        QVERIFY(!unlikely(chiSquare(seen), 1));
        const Interactions nothingLeft = makeSet(2000, {{5}, all});
        QCOMPARE(codeOf([&] { TrainSamples(nothingLeft, 1, 3); }), std::string("data_damaged"));
        QCOMPARE(TrainSamples(nothingLeft, 0, 3).perEpoch(), 2001);
        QCOMPARE(codeOf([] { TrainSamples(makeSet(5, {{}}), 1, 3); }), std::string("data_empty"));
    }
    void fillRefusesWhatIsBeyondTheEpoch()
    {
        const Interactions set = randomSet();
        const TrainSamples samples(set, 4, 7);
        Filled out{std::vector<int32_t>(8), std::vector<int32_t>(8), std::vector<float>(8)};
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 samples.fill(samples.order(0), samples.perEpoch() - 7, out.users,
                                              out.items, out.labels));
    }

    void shuffleIsAPermutation()
    {
        std::vector<int64_t> sizes(300);
        std::iota(sizes.begin(), sizes.end(), 1);
        sizes.insert(sizes.end(), {4095, 4096, 4097, 4225, 65'537, 337'040});
        for (const int64_t n : sizes) {
            std::vector<bool> seen(size_t(n), false);
            const data::EpochShuffle order(n, 5, 2);
            for (int64_t i = 0; i < n; ++i) {
                const int64_t at = order(i);
                QVERIFY(at >= 0 && at < n && !seen[size_t(at)]);
                seen[size_t(at)] = true;
            }
        }
        const data::EpochShuffle large(int64_t{1} << 40, 5, 2);
        std::set<int64_t> seen;
        for (int64_t i = 0; i < 1000; ++i)
            QVERIFY(seen.insert(large(i)).second && large(i) < large.size());
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, data::EpochShuffle(0, 1, 1));
    }
    /// All orders of five come equally often over many epochs.
    void shuffleIsUniform()
    {
        std::map<std::vector<int64_t>, int64_t> orders;
        for (int64_t epoch = 0; epoch < 24'000; ++epoch) {
            const data::EpochShuffle shuffle(5, 1, epoch);
            std::vector<int64_t> order;
            for (int64_t i = 0; i < 5; ++i)
                order.push_back(shuffle(i));
            ++orders[order];
        }
        QCOMPARE(orders.size(), size_t(120));
        std::vector<int64_t> seen;
        for (const auto& [order, count] : orders)
            seen.push_back(count);
        QVERIFY2(!unlikely(chiSquare(seen), 119), qPrintable(QString::number(chiSquare(seen))));
    }
    /// Where the first two positions of many epochs come from, beyond the size up to which there
    /// is a list: all pairs of tenths equally often.
    void epochsAreIndependent()
    {
        for (const int64_t n : {4097, 5000, 1'000'003}) {
            std::vector<int64_t> seen(100, 0);
            for (int64_t epoch = 0; epoch < 20'000; ++epoch) {
                const data::EpochShuffle order(n, 1, epoch);
                ++seen[size_t(order(0) * 10 / n * 10 + order(1) * 10 / n)];
            }
            QVERIFY2(!unlikely(chiSquare(seen), 99), qPrintable(QString::number(chiSquare(seen))));
        }
    }
    /// Neighbours do not stay together, nor do parts of the set: where a position of one tenth of
    /// the epoch comes from is spread over all tenths.
    void shuffleMixes()
    {
        constexpr int64_t kSize = 337'040;
        const data::EpochShuffle order(kSize, 1, 0);
        std::vector<int64_t> seen(100, 0), steps(10, 0);
        for (int64_t i = 0; i < kSize; ++i) {
            ++seen[size_t(i * 10 / kSize * 10 + order(i) * 10 / kSize)];
            if (i > 0)
                ++steps[size_t((order(i) - order(i - 1) + kSize) % kSize * 10 / kSize)];
        }
        QVERIFY2(!unlikely(chiSquare(seen), 81), qPrintable(QString::number(chiSquare(seen))));
        QVERIFY2(!unlikely(chiSquare(steps), 9), qPrintable(QString::number(chiSquare(steps))));
    }
};

QTEST_GUILESS_MAIN(NegativesTest)
#include "negatives_test.moc"
