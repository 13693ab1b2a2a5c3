// SPDX-License-Identifier: GPL-3.0-or-later
// Sampling, augmentation, prefetching, resizing, and the generated and synthetic sets.

#include "engine/data/open_dataset.h"
#include "engine/data/parallel.h"
#include "engine/data/pipeline.h"
#include "engine/data/prefetcher.h"
#include "engine/data/sampler.h"
#include "engine/data/shapes_generator.h"
#include "engine/data/stage_timer.h"
#include "engine/data/synthetic.h"
#include "kernels/check.h"
#include "support/file_content.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::data;
using scalebench::test::contentOf;

namespace {

std::string codeOf(const std::function<void()>& body)
{
    try {
        body();
    } catch (const Error& e) {
        return e.code();
    }
    return "none";
}

/// For the tensors of batches.
CachingAllocator& memory()
{
    static CachingAllocator allocator;
    return allocator;
}

/// Every epoch has as many batches.
class FunctionSource final : public BatchSource
{
public:
    using Fill = std::function<void(int64_t epoch, int64_t index, Batch& batch)>;
    FunctionSource(int64_t batches, Fill fill) : batches_(batches), fill_(std::move(fill)) {}
    int64_t batches(int64_t) const override { return batches_; }
    void fill(int64_t epoch, int64_t index, Batch& batch) const override
    {
        fill_(epoch, index, batch);
    }

private:
    int64_t batches_;
    Fill fill_;
};

} // namespace

class PipelineTest : public QObject
{
    Q_OBJECT
private slots:
    /// A stop that is asked for while data is drawn or decoded ended the process (SIGABRT).
    void parallelLoopThatIsStopped()
    {
        std::atomic<int> begun = 0, ended = 0;
        const auto slow = [&](int64_t) {
            ++begun;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            ++ended;
        };
        const auto stop = [&] {
            if (begun > 0)
                throw Error("stopped", "stopped");
        };
        QCOMPARE(codeOf([&] { parallelFor(100'000, 3, slow, stop); }), std::string("stopped"));
        QCOMPARE(begun.load(), ended.load()); // nobody is at work any more
        QVERIFY(begun < 1000);
        QCOMPARE(codeOf([&] {
                     parallelFor(1000, 3, [](int64_t i) {
                         if (i == 500)
                             throw Error("body", "body");
                     });
                 }),
                 std::string("body"));
    }

    void everyWorkerCountSeesTheSameBatches_data()
    {
        QTest::addColumn<int>("workers");
        QTest::addColumn<int>("accumulate");
        for (const int workers : {1, 2, 3, 4, 6})
            for (const int accumulate : {1, 2})
                QTest::addRow("%d workers, %d micro-batches", workers, accumulate)
                    << workers << accumulate;
    }
    void everyWorkerCountSeesTheSameBatches()
    {
        QFETCH(int, workers);
        QFETCH(int, accumulate);
        constexpr int64_t kSamples = 101, kBatch = 24;
        const TrainSampler single(kSamples, kBatch, 1, {0, 1}, 7);
        QCOMPARE(single.stepsPerEpoch(), 4);
        QCOMPARE(single.droppedPerEpoch(), 5);
        std::vector<TrainSampler> samplers;
        for (int r = 0; r < workers; ++r)
            samplers.emplace_back(kSamples, kBatch, accumulate, WorkerSlice{r, workers}, 7);
        for (int64_t step = 0; step < 12; ++step) {
            std::vector<int64_t> together;
            for (TrainSampler& sampler : samplers)
                for (int m = 0; m < accumulate; ++m) {
                    const int64_t perEpoch = sampler.microBatchesPerEpoch();
                    const int64_t number = step * accumulate + m;
                    const auto part = sampler.microBatch(number / perEpoch, number % perEpoch);
                    together.insert(together.end(), part.begin(), part.end());
                }
            QCOMPARE(together, single.microBatch(step / 4, step % 4));
        }
    }
    void anEpochTakesEverySampleAtMostOnce()
    {
        const TrainSampler sampler(1000, 64, 1, {0, 1}, 3);
        std::vector<std::set<int64_t>> epochs;
        for (int epoch = 0; epoch < 2; ++epoch) {
            std::set<int64_t> seen;
            for (int64_t b = 0; b < sampler.stepsPerEpoch(); ++b)
                for (const int64_t i : sampler.microBatch(epoch, b))
                    QVERIFY(seen.insert(i).second && i >= 0 && i < 1000);
            epochs.push_back(seen);
        }
        QVERIFY(epochs[0] != epochs[1]); // other samples are dropped
        QVERIFY(shuffledOrder(100, 1, 0) != shuffledOrder(100, 2, 0));
        QCOMPARE(shuffledOrder(100, 1, 5), shuffledOrder(100, 1, 5));
    }
    void evaluationSharesPartition()
    {
        for (const int64_t n : {0, 1, 7, 1000})
            for (const int workers : {1, 2, 3, 8}) {
                int64_t next = 0;
                for (int r = 0; r < workers; ++r) {
                    const EvalShare share = evalShare(n, {r, workers});
                    QCOMPARE(share.first, next);
                    next = share.last;
                }
                QCOMPARE(next, n);
            }
    }

    void augmentationDependsOnSampleOnly()
    {
        const auto set = makeSyntheticDataset(64, 32, 10, 1);
        const ImagePipeline pipeline(*set, 32, measureChannels(*set), {4, true, false}, 5,
                                     memory());
        Batch one, other, later;
        const std::vector<int64_t> forwards = {3, 9, 20}, backwards = {20, 3};
        pipeline.fillTrain(forwards, 2, one);
        pipeline.fillTrain(backwards, 2, other);
        pipeline.fillTrain(forwards, 3, later);
        const size_t floats = 32 * 32 * 3;
        const auto picture = [&](const Batch& batch, size_t i) {
            return batch.tensors[0].f32().subspan(i * floats, floats);
        };
        QVERIFY(std::ranges::equal(picture(one, 2), picture(other, 0)));
        QVERIFY(std::ranges::equal(picture(one, 0), picture(other, 1)));
        QVERIFY(!std::ranges::equal(one.tensors[0].f32(), later.tensors[0].f32()));
        QCOMPARE(one.tensors[1].i32()[0], set->label(3));
    }
    void cutoutBlanksOneSquare()
    {
        const auto set = makeSyntheticDataset(40, 32, 10, 1);
        const ImagePipeline plain(*set, 32, {}, {0, false, false, 0}, 5, memory());
        const ImagePipeline cut(*set, 32, {}, {0, false, false, 8}, 5, memory());
        std::vector<int64_t> samples(40);
        std::iota(samples.begin(), samples.end(), 0);
        Batch whole, blanked;
        plain.fillTrain(samples, 1, whole);
        cut.fillTrain(samples, 1, blanked);
        std::set<std::pair<int, int>> places;
        for (size_t i = 0; i < 40; ++i) {
            int left = 32, right = -1, top = 32, bottom = -1, changed = 0;
            for (int y = 0; y < 32; ++y)
                for (int x = 0; x < 32; ++x) {
                    const size_t at = (i * 1024 + size_t(y) * 32 + size_t(x)) * 3;
                    if (blanked.tensors[0].f32()[at] == whole.tensors[0].f32()[at])
                        continue;
                    QCOMPARE(blanked.tensors[0].f32()[at], 0.0f);
                    ++changed;
                    left = std::min(left, x), right = std::max(right, x);
                    top = std::min(top, y), bottom = std::max(bottom, y);
                }
            QVERIFY(changed >= 16 && changed <= 64); // 4 x 4 in a corner, else 8 x 8
            QCOMPARE(changed, (right - left + 1) * (bottom - top + 1));
            places.insert({left, top});
        }
        QVERIFY(places.size() > 20);
    }
    void normalisedSetHasUnitStatistics()
    {
        const auto set = makeSyntheticDataset(500, 32, 10, 1);
        const ImagePipeline pipeline(*set, 32, measureChannels(*set), {}, 5, memory());
        std::vector<int64_t> all(500);
        std::iota(all.begin(), all.end(), 0);
        Batch batch;
        pipeline.fillEval(all, 499, batch);
        QCOMPARE(batch.tensors[1].i32()[498], set->label(498));
        QCOMPARE(batch.tensors[1].i32()[499], -1);
        const std::span<const float> images = batch.tensors[0].f32();
        double sum = 0, squares = 0;
        for (const float v : images) {
            sum += v;
            squares += double(v) * v;
        }
        QVERIFY(std::abs(sum / double(images.size())) < 1e-3);
        QVERIFY(std::abs(squares / double(images.size()) - 1) < 1e-3);
    }
    void photosAreCroppedToSize()
    {
        const auto set = makeSyntheticDataset(4, 96, 10, 1);
        for (const bool random : {false, true}) {
            const ImagePipeline pipeline(*set, 32, {}, {0, true, random}, 5, memory());
            Batch train, again, eval;
            const std::vector<int64_t> samples = {0, 1, 2, 3};
            pipeline.fillTrain(samples, 0, train);
            pipeline.fillTrain(samples, 0, again);
            pipeline.fillEval(samples, 4, eval);
            QCOMPARE(train.tensors[0].shape(), (Shape{4, 32, 32, 3}));
            QVERIFY(std::ranges::equal(train.tensors[0].f32(), again.tensors[0].f32()));
            QCOMPARE(eval.tensors[0].shape(), train.tensors[0].shape());
        }
    }

    void prefetchedEqualsDirect_data()
    {
        QTest::addColumn<int>("slots_");
        QTest::addColumn<int>("threads");
        QTest::newRow("one thread") << 3 << 1;
        QTest::newRow("three threads") << 4 << 3;
    }
    void prefetchedEqualsDirect()
    {
        QFETCH(int, slots_);
        QFETCH(int, threads);
        const auto set = makeSyntheticDataset(256, 32, 10, 1);
        const ImagePipeline pipeline(*set, 32, {}, {4, true, false}, 5, memory());
        const auto indices = [](int64_t b) { return std::vector<int64_t>{b, b + 50, 2 * b}; };
        const FunctionSource source(20, [&](int64_t epoch, int64_t b, Batch& batch) {
            pipeline.fillTrain(indices(b), epoch, batch);
        });
        Prefetcher prefetcher(source, {1, 5}, 3, threads, slots_);
        for (int64_t number = 25; number < 80; ++number) {
            const int64_t epoch = number / 20, b = number % 20;
            Batch direct;
            pipeline.fillTrain(indices(b), epoch, direct);
            const Batch& ahead = prefetcher.next();
            QCOMPARE(ahead.index, b);
            QVERIFY(std::ranges::equal(ahead.tensors[0].f32(), direct.tensors[0].f32()));
            QVERIFY(std::ranges::equal(ahead.tensors[1].i32(), direct.tensors[1].i32()));
        }
        bool ended = false;
        try {
            prefetcher.next();
        } catch (const std::out_of_range&) {
            ended = true;
        }
        QVERIFY(ended);
    }
    void prefetcherHandsOnFailuresAndStops()
    {
        const FunctionSource source(100, [](int64_t, int64_t b, Batch&) {
            if (b == 2)
                throw InvalidArgument("x.jpg is damaged", "data_damaged");
        });
        Prefetcher prefetcher(source, {}, 0);
        prefetcher.next();
        prefetcher.next();
        QCOMPARE(codeOf([&] { prefetcher.next(); }), std::string("data_damaged"));
    }
    void prefetcherMeasuresWaiting()
    {
        const FunctionSource source(5, [](int64_t, int64_t, Batch& batch) {
            QThread::msleep(30);
            batch.bytesRead = 11;
        });
        Prefetcher slow(source, {}, 0);
        for (int b = 0; b < 5; ++b)
            slow.next();
        QVERIFY(slow.waitedMs() >= 30);
        QCOMPARE(slow.bytesRead(), 55);
    }
    /// Each stage by itself, of the batches given out and of all threads, whatever waits for them.
    void stagesAreTimed()
    {
        const FunctionSource source(8, [](int64_t, int64_t, Batch&) {
            {
                const StageTimer reading(&InputTimes::readMs);
                QThread::msleep(20);
            }
            {
                const StageTimer decoding(&InputTimes::decodeMs);
                QThread::msleep(40);
            }
            QThread::msleep(10);
        });
        Prefetcher batches(source, {}, 0, 2);
        for (int b = 0; b < 4; ++b)
            batches.next();
        const InputTimes first = batches.takeTimes();
        QVERIFY(first.readMs >= 80 && first.decodeMs >= 160 && first.augmentMs >= 40);
        for (int b = 4; b < 8; ++b)
            batches.next();
        const InputTimes rest = batches.takeTimes();
        QVERIFY(rest.readMs >= 80 && rest.decodeMs >= 160 && rest.augmentMs >= 40);
        QCOMPARE(batches.takeTimes().readMs, 0.0);
    }

    void shapesAreReproducibleAndBalanced()
    {
        QTemporaryDir dir;
        const ShapesSpec spec{503, 100, 1};
        for (const char* name : {"a", "b"})
            ensureShapes(dir.filePath(QString::fromLatin1(name)).toStdString(), spec,
                         name[0] == 'a' ? 1 : 3);
        const QStringList files = {
            QStringLiteral("data_batch_1.bin"), QStringLiteral("data_batch_5.bin"),
            QStringLiteral("test_batch.bin"), QStringLiteral("GENERATED.txt")};
        for (const QString& file : files)
            QCOMPARE(contentOf(dir.filePath(QStringLiteral("a/") + file)),
                     contentOf(dir.filePath(QStringLiteral("b/") + file)));
        QVERIFY(contentOf(dir.filePath(QStringLiteral("a/GENERATED.txt"))).contains("GENERATED"));
        const DatasetPair pair =
            openImageDatasets(dir.filePath(QStringLiteral("a")).toStdString(), {});
        QCOMPARE(pair.train->size(), 503);
        QCOMPARE(pair.eval->size(), 100);
        QCOMPARE(pair.train->classNames(), shapeClassNames());
        int counts[10] = {};
        for (int64_t i = 0; i < pair.eval->size(); ++i)
            ++counts[pair.eval->label(i)];
        for (const int count : counts)
            QCOMPARE(count, 10);
        const ChannelStatistics statistics = measureChannels(*pair.train);
        for (int c = 0; c < 3; ++c) {
            QVERIFY(statistics.mean[c] > 0.2f && statistics.mean[c] < 0.6f);
            QVERIFY(statistics.deviation[c] > 0.15f);
        }
    }
    void shapesAreRedrawnForAnotherSpecification()
    {
        QTemporaryDir dir;
        const std::string path = dir.filePath(QStringLiteral("s")).toStdString();
        ensureShapes(path, {100, 20, 1}, 1);
        ensureShapes(path, {200, 20, 1}, 1);
        QCOMPARE(openImageDatasets(path, {}).train->size(), 200);
        QCOMPARE(QDir(dir.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot),
                 QStringList{QStringLiteral("s")});
    }
    void foreignFoldersAreLeftAlone()
    {
        QTemporaryDir dir;
        QDir(dir.path()).mkdir(QStringLiteral("mine"));
        QFile file(dir.filePath(QStringLiteral("mine/thesis.txt")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        QCOMPARE(codeOf([&] {
                     ensureShapes(dir.filePath(QStringLiteral("mine")).toStdString(), {}, 1);
                 }),
                 std::string("not_writable"));
        QVERIFY(file.exists());
    }
    void processesDoNotCollide()
    {
#if defined(__SANITIZE_THREAD__)
        QSKIP("the thread sanitizer follows no threads of forked processes");
#endif
        QTemporaryDir dir;
        const std::string path = dir.filePath(QStringLiteral("s")).toStdString();
        std::vector<pid_t> children;
        for (int i = 0; i < 6; ++i) {
            const pid_t pid = ::fork();
            if (pid == 0) {
                int code = 1;
                try {
                    const auto lock = ensureShapes(path, {300, 50, 1}, 1);
                    code = openImageDatasets(path, {}).train->size() == 300 ? 0 : 2;
                } catch (...) {
                    code = 3;
                }
                ::_exit(code);
            }
            children.push_back(pid);
        }
        for (const pid_t child : children) {
            int status = 0;
            ::waitpid(child, &status, 0);
            QCOMPARE(status, 0);
        }
    }
    void unwritableFolder()
    {
        QCOMPARE(codeOf([] { ensureShapes("/proc/no/such/place", {}, 1); }),
                 std::string("not_writable"));
    }
};

QTEST_GUILESS_MAIN(PipelineTest)
#include "pipeline_test.moc"
