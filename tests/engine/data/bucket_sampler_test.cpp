// SPDX-License-Identifier: GPL-3.0-or-later
// Batches of samples of different length: nothing twice, one step the same for any number of
// workers, little padding, all samples used alike over many epochs.

#include "engine/data/bucket_sampler.h"
#include "engine/data/hash_random.h"
#include "kernels/check.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace scalebench;
using namespace scalebench::data;

namespace {

constexpr size_t kSamples = 1003;

std::vector<int32_t> lengths()
{
    HashRandom random({5});
    std::vector<int32_t> all;
    for (size_t i = 0; i < kSamples; ++i)
        all.push_back(1 + int32_t(std::min(random.below(40), random.below(40))));
    return all;
}

/// The samples of every step of an epoch, by worker and micro-batch.
std::vector<std::vector<std::vector<int64_t>>>
epochOf(const std::vector<int32_t>& weights, BucketOptions options, int workers, int64_t epoch)
{
    std::vector<std::vector<std::vector<int64_t>>> steps;
    for (int rank = 0; rank < workers; ++rank) {
        const BucketSampler sampler(lengths(), weights, options, {rank, workers});
        steps.resize(size_t(sampler.stepsPerEpoch()));
        for (int64_t i = 0; i < sampler.microBatchesPerEpoch(); ++i)
            steps[size_t(i / options.gradAccum)].push_back(sampler.microBatch(epoch, i));
    }
    return steps;
}

std::multiset<int64_t> together(const std::vector<std::vector<int64_t>>& parts)
{
    std::multiset<int64_t> all;
    for (const auto& part : parts)
        all.insert(part.begin(), part.end());
    return all;
}

} // namespace

class BucketSamplerTest : public QObject
{
    Q_OBJECT

private slots:
    void stepsAreTheSameForAnyWorkers_data()
    {
        QTest::addColumn<bool>("tokens");
        QTest::addColumn<int>("pool");
        QTest::newRow("samples") << false << 8;
        QTest::newRow("samples, as drawn") << false << 1;
        QTest::newRow("tokens") << true << 8;
        QTest::newRow("tokens, as drawn") << true << 1;
    }
    void stepsAreTheSameForAnyWorkers()
    {
        QFETCH(bool, tokens);
        QFETCH(int, pool);
        const auto all = lengths();
        const auto weights = tokens ? all : std::vector<int32_t>(kSamples, 1);
        const BucketOptions options{tokens ? 600 : 48, 1, 3, pool};
        const int64_t total = std::accumulate(weights.begin(), weights.end(), int64_t{0});
        const int64_t heaviest = *std::ranges::max_element(weights);
        const auto alone = epochOf(weights, options, 1, 4);
        QCOMPARE(int64_t(alone.size()), total / options.globalBatch);
        std::set<int64_t> seen;
        int64_t weighed = 0;
        for (const auto& step : alone) {
            int64_t weight = 0;
            for (const int64_t sample : step.at(0)) {
                QVERIFY(seen.insert(sample).second);
                weight += weights[size_t(sample)];
            }
            weighed += weight;
            if (!tokens)
                QCOMPARE(weight, options.globalBatch);
            QVERIFY(std::abs(weight - options.globalBatch) <= 2 * heaviest);
        }
        QVERIFY(std::abs(weighed - int64_t(alone.size()) * options.globalBatch) <= heaviest);

        for (const int workers : {2, 3, 4}) {
            const auto shared = epochOf(weights, options, workers, 4);
            QCOMPARE(shared.size(), alone.size());
            for (size_t s = 0; s < alone.size(); ++s) {
                QCOMPARE(together(shared[s]), together(alone[s]));
                int64_t least = total, most = 0;
                for (const auto& part : shared[s]) {
                    int64_t sum = 0;
                    for (const int64_t sample : part)
                        sum += all[size_t(sample)];
                    least = std::min(least, sum), most = std::max(most, sum);
                }
                QVERIFY(least > 0 && most - least <= 2 * 40);
            }
        }
        BucketOptions accumulated = options;
        accumulated.gradAccum = 4;
        const auto parts = epochOf(weights, accumulated, 2, 4);
        for (size_t s = 0; s < alone.size(); ++s)
            QCOMPARE(together(parts[s]), together(alone[s]));
    }

    /// What is padded to the longest of a batch wastes little when sorted, much as drawn.
    void sortingSparesPadding()
    {
        const auto all = lengths();
        const auto waste = [&](int64_t pool) {
            int64_t real = 0, padded = 0;
            for (const auto& step : epochOf(all, {600, 1, 3, pool}, 1, 0)) {
                int64_t longest = 0;
                for (const int64_t sample : step[0]) {
                    longest = std::max<int64_t>(longest, all[size_t(sample)]);
                    real += all[size_t(sample)];
                }
                padded += longest * int64_t(step[0].size());
            }
            return double(padded) / double(real);
        };
        QVERIFY(waste(16) < 1.2);
        QVERIFY(waste(1) > 1.5);
    }

    /// Long and short batches come in any order, other ones in each epoch, and what is dropped is
    /// not always the same.
    void epochsDiffer()
    {
        const auto all = lengths();
        const BucketOptions options{2000, 1, 3, 4};
        std::map<int64_t, int> used;
        double shortestFirst = 0;
        for (int64_t epoch = 0; epoch < 40; ++epoch) {
            const auto steps = epochOf(all, options, 1, epoch);
            for (const auto& step : steps)
                for (const int64_t sample : step[0])
                    ++used[sample];
            if (all[size_t(steps.front()[0].front())] < all[size_t(steps.back()[0].front())])
                ++shortestFirst;
        }
        QVERIFY(shortestFirst > 8 && shortestFirst < 32);
        QCOMPARE(used.size(), kSamples);
        double shortUses = 0, shortSamples = 0, uses = 0;
        for (const auto& [sample, times] : used) {
            uses += times;
            if (all[size_t(sample)] <= 4)
                shortUses += times, ++shortSamples;
        }
        QVERIFY(std::abs(shortUses / shortSamples - uses / double(kSamples)) < 2);
        QVERIFY(epochOf(all, options, 1, 0) == epochOf(all, options, 1, 0));
        QVERIFY(epochOf(all, options, 1, 0) != epochOf(all, options, 1, 1));
    }

    void refusesWhatCannotBe()
    {
        const auto all = lengths();
        const auto tooSmall = [&](int64_t batch, int accumulate, int workers) {
            try {
                BucketSampler(all, all, {batch, accumulate, 1, 1}, {0, workers});
            } catch (const InvalidArgument& e) {
                return std::string(e.code()) == "batch";
            }
            return false;
        };
        QVERIFY(tooSmall(30, 1, 1));
        QVERIFY(tooSmall(100, 2, 2));
        QVERIFY(tooSmall(1 << 20, 1, 1));
        QVERIFY(!tooSmall(160, 2, 2));
    }
};

QTEST_GUILESS_MAIN(BucketSamplerTest)
#include "bucket_sampler_test.moc"
