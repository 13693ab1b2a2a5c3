// SPDX-License-Identifier: GPL-3.0-or-later
// A workload that is not in the registry: some dozen lines over the public headers, trained by the
// loop as it is. Logistic regression on points of two classes.

#include "engine/autograd/functions.h"
#include "engine/data/hash_random.h"
#include "engine/data/sampled_source.h"
#include "engine/nn/layers.h"
#include "engine/train/trainer.h"
#include "engine/workloads/counted_evaluator.h"
#include "engine/workloads/workload.h"
#include "support/thread_communicator.h"

#include <QTest>

using namespace scalebench;

namespace {

class PointClassifier final : public Network
{
public:
    PointClassifier(Backend& backend, uint64_t seed, const ArenaAllocator& arena)
        : precision_(backend.computePrecision(Precision::Fp32)), layer_(parameters_, "layer", 4, 2)
    {
        parameters_.build(arena);
        layer_.initialise(parameters_, seed);
        parameters_.markValuesChanged();
    }
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params, bool) override
    {
        Backend& backend = tape.backend();
        const Variable x(backend.upload(batch.tensors.at(0)));
        return softmaxCrossEntropy(tape, layer_(tape, parameters_, x),
                                   backend.upload(batch.tensors.at(1)), params);
    }
    ParameterSet& parameters() noexcept override { return parameters_; }
    const ComputePrecision& precision() const noexcept override { return precision_; }

private:
    ComputePrecision precision_;
    ParameterSet parameters_;
    Linear layer_;
};

void fillPoints(const data::SampleList& list, uint64_t part, Allocator& memory, Batch& batch)
{
    const int64_t n = int64_t(list.samples.size());
    batch.tensors = {Tensor::empty({n, 4}, DType::F32, memory),
                     Tensor::empty({n}, DType::I32, memory)};
    batch.samples = n;
    for (int64_t i = 0; i < n; ++i) {
        data::HashRandom random({part, uint64_t(list.samples[size_t(i)])});
        const int32_t label = int32_t(random.below(2));
        for (int64_t k = 0; k < 4; ++k)
            batch.tensors[0].f32()[size_t(4 * i + k)] =
                float(random.roughNormal() + (label == 1 ? 1.0 : -1.0));
        batch.tensors[1].i32()[size_t(i)] = i < list.real ? label : -1;
    }
}

class Points final : public workloads::Workload
{
public:
    explicit Points(const RunConfig& config) : config_(config) {}
    bool measureReadsData() const override { return false; }
    workloads::DataSizes measure() override { return {512, 101}; }
    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override
    {
        return std::make_unique<PointClassifier>(backend, uint64_t(config_.seed), arena);
    }
    void open(const workloads::OpenContext& c) override
    {
        const auto points = [&memory = c.batchMemory](uint64_t part) {
            return [&memory, part](const data::SampleList& list, Batch& batch) {
                fillPoints(list, part, memory, batch);
            };
        };
        training_ = std::make_unique<data::ShuffledSource>(
            data::TrainSampler(512, config_.globalBatch, 1, c.slice, uint64_t(config_.seed)),
            points(1));
        evaluation_ = std::make_unique<data::OrderedSource>(101, 32, c.slice, points(2));
    }
    const data::BatchSource& training() const override { return *training_; }
    const data::BatchSource& evaluation() const override { return *evaluation_; }
    std::unique_ptr<workloads::Evaluator> makeEvaluator() const override
    {
        return std::make_unique<workloads::CountedEvaluator>("top1_accuracy");
    }

private:
    const RunConfig& config_;
    std::unique_ptr<data::BatchSource> training_, evaluation_;
};

struct PointsRecipe final : workloads::Recipe {
    std::unique_ptr<workloads::Workload> make(const RunConfig& config) const override
    {
        return std::make_unique<Points>(config);
    }
};

} // namespace

class ForeignWorkloadTest : public QObject
{
    Q_OBJECT
private slots:
    void trainsAlikeOnAnyNumberOfWorkers()
    {
        train::Outcome outcomes[3];
        for (const int workers : {1, 2}) {
            RunConfig config;
            config.recipe = std::make_shared<PointsRecipe>();
            config.workers = workers;
            config.globalBatch = 64;
            config.epochs = 5;
            config.options.asyncEval = workers == 2;
            config.options.inputThreads = workers;
            scalebench::test::runThreads(workers, [&](dist::Communicator& comm) {
                train::TrainerOptions options;
                options.keepParameters = true;
                const train::Outcome outcome = train::Trainer(config, comm, nullptr, options).run();
                if (comm.rank() == 0)
                    outcomes[workers] = outcome;
            });
        }
        QVERIFY(outcomes[1].lastQuality > 0.95);
        QCOMPARE(outcomes[1].epochQuality.size(), size_t(5));
        for (size_t i = 0; i < outcomes[1].parameters.size(); ++i)
            QVERIFY(std::abs(outcomes[1].parameters[i] - outcomes[2].parameters[i]) < 1e-5f);
        for (const double quality : outcomes[1].epochQuality)
            QVERIFY(std::abs(quality * 101 - std::round(quality * 101)) <
                    1e-9); // of 101, each once
    }
};

QTEST_GUILESS_MAIN(ForeignWorkloadTest)
#include "foreign_workload_test.moc"
