// SPDX-License-Identifier: GPL-3.0-or-later
// Sentence pairs, and sequence packing: packed and padded batches of the same sentences have the
// same loss, the same counts and the same gradients, and packing has less to compute.

#include <QTest>

#include "engine/core/thread_count.h"
#include "engine/workloads/transformer/sentence_batches.h"
#include "engine/workloads/transformer/transformer_workload.h"
#include "kernels/check.h"

#include <cmath>
#include <numeric>
#include <set>

using namespace scalebench;
using namespace scalebench::workloads;

namespace {

RunConfig tinyRun(bool packed)
{
    auto recipe = std::make_shared<TransformerRecipe>();
    recipe->vocabulary = 40;
    recipe->maxLength = 20;
    recipe->dropout = 0;
    RunConfig config;
    config.workload = "transformer";
    config.model = "transformer_tiny";
    config.recipe = recipe;
    config.data.source = DataSource::Generated;
    config.data.trainSamples = 100;
    config.data.evalSamples = 10;
    config.globalBatch = 16;
    config.options.packSequences = packed;
    return config;
}

struct Measured {
    LossResult loss;
    std::vector<float> gradients;
    int64_t tokens = 0; ///< target positions computed
};

/// Sixteen sentences to train, or `real` times the same one of an evaluation.
Measured measure(bool packed, int64_t real)
{
    const RunConfig config = tinyRun(packed);
    CachingAllocator memory;
    const auto workload = config.recipe->make(config);
    workload->measure();
    workload->open({{}, memory, 1, {}});
    const auto backend = makeCpuBackend();
    const auto network = workload->makeNetwork(*backend, {});
    Batch batch;
    if (real == 16) {
        workload->training().fill(0, 0, batch);
    } else {
        const data::SentencePairs pairs(10, 40, 20, 2);
        const std::vector<int64_t> samples(16, 3);
        fillSentences(pairs, {samples, real, 0}, packed, memory, batch);
    }
    Tape tape(*backend);
    Measured m;
    m.loss = network->loss(tape, batch, {0.0f, float(workload->lossScale(16))}, true);
    tape.backward(m.loss.loss);
    const auto gradients = network->parameters().gradients();
    m.gradients.assign(gradients.begin(), gradients.end());
    m.tokens = batch.tensors[1].count();
    return m;
}

} // namespace

class TransformerWorkloadTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { setComputeThreads(1); }

    void sentencesAreTranslations()
    {
        const data::SentencePairs pairs(2000, 64, 24, 1);
        std::map<int32_t, int32_t> partner;
        double words = 0;
        std::set<size_t> lengths;
        for (int64_t i = 0; i < pairs.size(); ++i) {
            const data::SentencePair p = pairs.pair(i);
            QCOMPARE(p.source.size(), p.target.size());
            lengths.insert(p.source.size());
            words += double(p.source.size());
            for (size_t w = 0; w < p.source.size(); ++w) {
                const int32_t source = p.source[w], target = p.target[p.target.size() - 1 - w];
                QVERIFY(source >= data::kFirstWord && source < 64);
                QVERIFY(target >= data::kFirstWord && target < 64 && target != source);
                QCOMPARE(partner.emplace(source, target).first->second, target);
            }
        }
        std::set<int32_t> images;
        for (const auto& [source, target] : partner)
            images.insert(target);
        QCOMPARE(images.size(), partner.size()); // one to one
        QCOMPARE(*lengths.begin(), size_t(2));
        QCOMPARE(*lengths.rbegin(), size_t(24));
        const double mean = words / double(pairs.size());
        QVERIFY2(std::abs(mean - pairs.meanLength()) < 0.4, std::to_string(mean).c_str());
        QCOMPARE(pairs.pair(7).source, data::SentencePairs(9, 64, 24, 1).pair(7).source);
        QVERIFY(pairs.pair(7).source != data::SentencePairs(9, 64, 24, 2).pair(7).source);
    }

    void packedEqualsPadded()
    {
        const Measured padded = measure(false, 16), packed = measure(true, 16);
        QCOMPARE(packed.loss.sums.get().counted, padded.loss.sums.get().counted);
        QCOMPARE(packed.loss.sums.get().correct, padded.loss.sums.get().correct);
        QVERIFY(std::abs(packed.loss.sums.get().lossSum - padded.loss.sums.get().lossSum) < 1e-3);
        float largest = 0, difference = 0;
        for (size_t i = 0; i < packed.gradients.size(); ++i) {
            largest = std::max(largest, std::abs(padded.gradients[i]));
            difference = std::max(difference, std::abs(packed.gradients[i] - padded.gradients[i]));
        }
        QVERIFY2(difference < 1e-4f * largest, std::to_string(difference / largest).c_str());
        QVERIFY(packed.tokens < padded.tokens);
    }

    void fillersOfTheLastBatchDoNotCount()
    {
        const int64_t one = measure(false, 1).loss.sums.get().counted;
        QVERIFY(one > 0);
        for (bool packed : {false, true}) {
            QCOMPARE(measure(packed, 1).loss.sums.get().counted, one);
            QCOMPARE(measure(packed, 5).loss.sums.get().counted, 5 * one);
        }
    }

    void filesAreRefused()
    {
        RunConfig config = tinyRun(false);
        config.data.source = DataSource::Files;
        QVERIFY_EXCEPTION_THROWN(config.recipe->make(config)->measure(), Unsupported);
        config = tinyRun(false);
        config.globalBatch = 128;
        QVERIFY_EXCEPTION_THROWN(config.recipe->make(config)->measure(), InvalidArgument);
    }
};

QTEST_GUILESS_MAIN(TransformerWorkloadTest)
#include "transformer_workload_test.moc"
