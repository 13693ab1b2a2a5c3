// SPDX-License-Identifier: GPL-3.0-or-later
// Batches for the Transformer: packed and padded ones of the same sentences have the same loss, the
// same counts and the same gradients, and packing has less to compute.

#include <QTemporaryDir>
#include <QTest>

#include "engine/core/thread_count.h"
#include "engine/workloads/transformer/transformer_workload.h"
#include "engine/workloads/workload.h"
#include "kernels/check.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::workloads;

namespace {

RunConfig tinyRun(bool packed, const std::string& path, DataSource source)
{
    auto recipe = std::make_shared<TransformerRecipe>();
    recipe->dropout = 0;
    recipe->merges = 100;
    recipe->nouns = 30;
    recipe->sourceLanguage = "xa", recipe->targetLanguage = "xb";
    recipe->batchTokens = true;
    recipe->vocabulary = source == DataSource::Synthetic ? 40 : 0;
    RunConfig config;
    config.workload = "transformer";
    config.model = "transformer_tiny";
    config.recipe = recipe;
    config.data.source = source;
    config.data.path = path;
    config.data.trainSamples = 100;
    config.data.evalSamples = 10;
    config.globalBatch = 400;
    config.options.packSequences = packed;
    return config;
}

struct Measured {
    SoftmaxCeResult sums;
    std::vector<float> gradients;
    std::vector<ParameterInfo> parameters;
    int64_t tokens = 0; ///< target positions computed
    int64_t sentences = 0;
};

/// The unit with a ReLU that element i belongs to; "" where none is.
std::string unitOf(const ParameterInfo& p, size_t i)
{
    const size_t at = p.name.find(".inner.");
    const size_t row = i / (p.count / size_t(p.shape[0]));
    return at == std::string::npos ? "" : p.name.substr(0, at) + " " + std::to_string(row);
}

std::string joined(const std::set<std::string>& names)
{
    std::string all;
    for (const std::string& name : names)
        all += "'" + name + "' ";
    return all;
}

} // namespace

class TransformerWorkloadTest : public QObject
{
    Q_OBJECT
    QTemporaryDir m_folder;

    RunConfig run(bool packed, DataSource source = DataSource::Generated)
    {
        return tinyRun(packed, m_folder.filePath("pair").toStdString(), source);
    }

    /// An epoch's loss and gradients.
    Measured measure(bool packed, DataSource source)
    {
        const RunConfig config = run(packed, source);
        CachingAllocator memory;
        const auto workload = config.recipe->make(config);
        workload->prepareNode(1, {});
        workload->measure();
        workload->open({{}, memory, 1, {}});
        const auto backend = makeCpuBackend();
        const auto network = workload->makeNetwork(*backend, {});
        // All sentences at once, so that it does not matter which batch they come in.
        Measured m;
        for (int64_t i = 0; i < workload->training().batches(0); ++i) {
            Batch batch;
            workload->training().fill(0, i, batch);
            Tape tape(*backend);
            tape.setAccumulate(i > 0);
            const LossResult loss = network->loss(
                tape, batch, {0.0f, float(workload->lossScale(config.globalBatch))}, true);
            tape.backward(loss.loss);
            m.sums.lossSum += loss.sums.get().lossSum;
            m.sums.correct += loss.sums.get().correct;
            m.sums.counted += loss.sums.get().counted;
            m.tokens += batch.tensors[1].count();
            m.sentences += batch.samples;
        }
        const auto gradients = network->parameters().gradients();
        m.gradients.assign(gradients.begin(), gradients.end());
        m.parameters = network->parameters().parameters();
        return m;
    }

private slots:
    void initTestCase() { setComputeThreads(1); }

    void packedEqualsPadded_data()
    {
        QTest::addColumn<int>("source");
        QTest::newRow("text") << int(DataSource::Generated);
        QTest::newRow("numbers") << int(DataSource::Synthetic);
    }
    void packedEqualsPadded()
    {
        QFETCH(int, source);
        const Measured padded = measure(false, DataSource(source)),
                       packed = measure(true, DataSource(source));
        // What an epoch drops is drawn before sentences are sorted: the same for both.
        QCOMPARE(packed.sentences, padded.sentences);
        QCOMPARE(packed.sums.counted, padded.sums.counted);
        QVERIFY(std::abs(packed.sums.correct - padded.sums.correct) <= 1);
        QVERIFY(std::abs(packed.sums.lossSum - padded.sums.lossSum) < 1e-5 * padded.sums.lossSum);
        float largest = 0;
        for (const float g : padded.gradients)
            largest = std::max(largest, std::abs(g));
        // Rounding may carry a sum over the kink of a ReLU (it does with AVX2): the gradients of
        // that unit's weights and of its bias differ by more, those of all others do not.
        std::set<std::string> crossed;
        double squares = 0, all = 0;
        for (const ParameterInfo& p : packed.parameters)
            for (size_t i = 0; i < p.count; ++i) {
                const double g = padded.gradients[p.offset + i],
                             d = packed.gradients[p.offset + i] - g;
                if (std::abs(d) > 1e-4 * largest)
                    crossed.insert(unitOf(p, i));
                squares += d * d;
                all += g * g;
            }
        QVERIFY2(crossed.size() <= 1 && !crossed.contains(""), joined(crossed).c_str());
        QVERIFY2(squares < 1e-6 * all, std::to_string(std::sqrt(squares / all)).c_str());
        QVERIFY(packed.tokens < padded.tokens);
    }

    void batchesHoldTheTokensAskedFor()
    {
        const RunConfig config = run(false);
        CachingAllocator memory;
        const auto workload = config.recipe->make(config);
        workload->prepareNode(1, {});
        const DataSizes sizes = workload->measure();
        workload->open({{}, memory, 1, {}});
        QCOMPARE(sizes.trainSamples, int64_t{100});
        QVERIFY(sizes.trainTokens > 1000);
        QCOMPARE(workload->training().batches(0), sizes.trainTokens / config.globalBatch);
        for (int64_t i = 0; i < workload->training().batches(0); ++i) {
            Batch batch;
            workload->training().fill(0, i, batch);
            const auto labels = batch.tensors[2].i32();
            const auto tokens = std::ranges::count_if(labels, [](int32_t l) { return l >= 0; });
            QVERIFY(std::abs(tokens - config.globalBatch) < 100);
        }
    }

    void refusesABatchLargerThanTheData()
    {
        RunConfig config = run(false);
        config.globalBatch = 1 << 20;
        const auto workload = config.recipe->make(config);
        workload->prepareNode(1, {});
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, workload->measure());
    }
};

QTEST_GUILESS_MAIN(TransformerWorkloadTest)
#include "transformer_workload_test.moc"
