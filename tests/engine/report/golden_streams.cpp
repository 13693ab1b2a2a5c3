// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/golden_streams.h"

#include "engine/report/run_stream.h"

#include <fcntl.h>
#include <memory>
#include <stdexcept>
#include <unistd.h>

namespace scalebench::test {
namespace {

using namespace scalebench::report;

constexpr int64_t kStartMs = 1700000000000;
constexpr double kAccuracy[] = {0.21, 0.38, 0.52, 0.63, 0.72, 0.78, 0.82, 0.84};
constexpr int kTrainSamples = 5120, kEvalSamples = 1000, kBatch = 128;
constexpr int kStepsPerEpoch = kTrainSamples / kBatch;

struct Scenario {
    std::string workload = "resnet", model = "resnet20";
    std::vector<std::string> metrics = {"top1_accuracy"};
    int parameters = 269722;
    int workers = 2;
    int epochs = 12;
    Json target = 0.8;
    std::string data = "generated";
    double others = -1; ///< processors of the host that others kept busy; < 0: it tells nothing
};

class Script
{
public:
    Script(const std::string& path, const Scenario& scenario)
        : scenario_(scenario), writer_(path, [this] { return now_; }), stream_(writer_)
    {
    }
    RunStream& stream() { return stream_; }
    void pass(int64_t ms) { now_ += ms; }

    void begin()
    {
        const int w = scenario_.workers;
        const std::string id =
            scenario_.workload + "-desk-cpu-fp32-1x" + std::to_string(w) + "-b128-r1";
        stream_.header({"0.1.0", id, "golden", scenario_.workload,
                        "1x Example CPU 3000, " + std::to_string(w) +
                            (w == 1 ? " CPU worker" : " CPU workers")});
        stream_.initStart();
        for (int r = 0; r < w; ++r)
            stream_.worker(
                {r, r, 0, "node-a", 4711 + r, "cpu", "Example CPU 3000", 1, std::to_string(r)});
        pass(40);
        Hyperparameters h;
        h.seed = 1;
        h.globalBatch = kBatch;
        h.optimizer = "sgd";
        h.baseLearningRate = 0.2;
        h.weightDecay = 0.0005;
        h.warmupEpochs = 2;
        h.trainSamples = kTrainSamples;
        h.evalSamples = kEvalSamples;
        h.dataSource = scenario_.data;
        // Where the data must be read to know how much it is, this comes on the clock.
        const bool readsFirst = scenario_.metrics.size() > 1;
        if (readsFirst)
            startClock();
        stream_.hyperparameters(h);
        stream_.setup(setup());
        if (!readsFirst)
            startClock();
        pass(200);
        stream_.progress("data", 3000, kTrainSamples + kEvalSamples);
        pass(200);
    }

    void startClock()
    {
        stream_.initStop();
        stream_.runStart();
    }

    Json setup() const
    {
        const int w = scenario_.workers;
        Json record = {{"model", scenario_.model},
                       {"parameters", scenario_.parameters},
                       {"precision", "fp32"},
                       {"compute_precision", "fp32"},
                       {"precision_note", ""},
                       {"target", scenario_.target},
                       {"metric", scenario_.metrics.front()},
                       {"epochs", scenario_.epochs},
                       {"steps_per_epoch", kStepsPerEpoch},
                       {"workers", w},
                       {"nodes", 1},
                       {"threads_per_worker", 1},
                       {"local_batch", kBatch / w},
                       {"bucket_mb", 4.0},
                       {"overlap", false},
                       {"sync_bn", false},
                       {"allreduce", w == 1 ? "self" : "shm"},
                       {"data", scenario_.data},
                       {"dropped_per_epoch", 0}};
        if (scenario_.metrics.size() > 1)
            record["metrics"] = scenario_.metrics;
        return record;
    }

    /// The second metric trails the leading one.
    EvalRecord evaluation(double accuracy) const
    {
        EvalRecord record;
        if (scenario_.metrics.size() > 1) {
            record.value = accuracy;
            record.metrics[scenario_.metrics[0]] = accuracy;
            record.metrics[scenario_.metrics[1]] = accuracy * 0.625;
            return record;
        }
        record.correct = int64_t(accuracy * kEvalSamples + 0.5);
        record.total = kEvalSamples;
        record.value = double(record.correct) / kEvalSamples;
        return record;
    }

    /// Engines of before did not tell.
    InputTimes made() const
    {
        return scenario_.metrics.size() > 1 ? InputTimes{0.75, 31.5, 12.5} : InputTimes{};
    }

    void step(int step, double loss)
    {
        const double stepMs = 240.0 / scenario_.workers + 4;
        pass(int64_t(stepMs));
        StepRecord r;
        r.step = step;
        r.epoch = double(step) / kStepsPerEpoch;
        r.samples = int64_t{step} * kBatch;
        r.loss = loss;
        r.learningRate = 0.1;
        r.samplesPerSecond = 1000.0 * kBatch / stepMs;
        r.stepMs = stepMs;
        r.commMs = scenario_.workers == 1 ? 0.0 : 2.5;
        r.inputMs = 0.5;
        r.otherMs = 0.5;
        r.computeMs = stepMs - r.commMs - r.inputMs - r.otherMs;
        r.made = made();
        stream_.step(r);
    }

    void epoch(int epoch)
    {
        const int first = (epoch - 1) * kStepsPerEpoch;
        const double accuracy = kAccuracy[epoch - 1];
        stream_.epochStart(epoch);
        for (const int s : {1, 20, kStepsPerEpoch})
            step(first + s, 2.3 * (1 - accuracy) + 0.25);
        stream_.epochStop(epoch, int64_t{epoch} * kTrainSamples);
        stream_.evalStart(epoch);
        pass(300);
        stream_.evalAccuracy(epoch, int64_t{epoch} * kTrainSamples, evaluation(accuracy));
        stream_.evalStop(epoch);
        const double trainS = kStepsPerEpoch * (0.24 / scenario_.workers + 0.004);
        stream_.throughput(epoch, int64_t{epoch} * kStepsPerEpoch, kTrainSamples / trainS);
        EpochSplit split;
        split.epoch = epoch;
        for (int r = 0; r < scenario_.workers; ++r)
            split.ranks.push_back(
                {r, trainS * 1000 / kStepsPerEpoch, 120.25, 2.5, 0.5, 0.75, 300, 0, made()});
        if (scenario_.others >= 0)
            split.hosts.push_back(
                {0, "node-a", trainS + 0.3, 2, 1.25, scenario_.others, 0.125, 4096});
        split.bytesRead = epoch == 1 ? 18807760 * int64_t{scenario_.workers} : 0;
        split.evalS = 0.3;
        split.trainS = trainS;
        split.trainLoss = 2.3 * (1 - accuracy) + 0.25;
        stream_.epochSplit(split);
    }

    void finish(const std::string& status, const std::string& reason, int epoch, int64_t samples)
    {
        stream_.runStop(status, reason, epoch, samples);
    }

private:
    Scenario scenario_;
    int64_t now_ = kStartMs;
    ResultsWriter writer_;
    RunStream stream_;
};

void reached(const std::string& path, int workers)
{
    Scenario scenario;
    scenario.workers = workers;
    Script s(path, scenario);
    s.begin();
    for (int e = 1; e <= 7; ++e)
        s.epoch(e);
    s.finish("success", "target_reached", 7, 7 * kTrainSamples);
}

/// Its leading metric is at its target one evaluation before the other one.
void twoMetrics(const std::string& path)
{
    Scenario scenario;
    scenario.workload = "ncf";
    scenario.model = "neumf";
    scenario.parameters = 132241;
    scenario.metrics = {"hit_rate", "ndcg"};
    scenario.target = {{"hit_rate", 0.6}, {"ndcg", 0.44}};
    Script s(path, scenario);
    s.begin();
    for (int e = 1; e <= 5; ++e)
        s.epoch(e);
    s.finish("success", "target_reached", 5, 5 * kTrainSamples);
}

void notReached(const std::string& path)
{
    Scenario scenario;
    scenario.epochs = 4;
    scenario.others = 0.75;
    Script s(path, scenario);
    s.begin();
    for (int e = 1; e <= 4; ++e)
        s.epoch(e);
    s.finish("aborted", "target_not_reached", 4, 4 * kTrainSamples);
}

void epochsDone(const std::string& path)
{
    Scenario scenario;
    scenario.workers = 1;
    scenario.epochs = 2;
    scenario.target = nullptr;
    scenario.data = "synthetic";
    Script s(path, scenario);
    s.begin();
    s.epoch(1);
    s.stream().warning("example", "A warning says what was noticed; the run goes on.");
    s.epoch(2);
    s.finish("success", "epochs_done", 2, 2 * kTrainSamples);
}

void diverged(const std::string& path)
{
    Script s(path, {});
    s.begin();
    s.stream().epochStart(1);
    s.step(1, 2.4);
    s.step(2, 310.5);
    s.stream().error("diverged",
                     "training diverged: the loss became NaN or infinite at step 3 (epoch 1) on "
                     "rank 1. Lower the "
                     "learning rate or lengthen the warm-up.",
                     1, "node-a");
    s.finish("aborted", "error", 1, 2 * kBatch);
}

void stopped(const std::string& path)
{
    Script s(path, {});
    s.begin();
    s.epoch(1);
    s.stream().epochStart(2);
    s.step(kStepsPerEpoch + 1, 1.7);
    s.finish("aborted", "stopped", 2, kTrainSamples + kBatch);
}

/// A rank was killed: no closing record, and the last line is torn.
void torn(const std::string& path)
{
    {
        Script s(path, {});
        s.begin();
        s.epoch(1);
        s.epoch(2);
        s.stream().epochStart(3);
        s.step(2 * kStepsPerEpoch + 1, 1.4);
    }
    const int fd = ::open(path.c_str(), O_WRONLY);
    const off_t size = ::lseek(fd, 0, SEEK_END);
    if (fd < 0 || ::ftruncate(fd, size - 60) != 0)
        throw std::runtime_error("cannot shorten " + path);
    ::close(fd);
}

/// Refused input: nothing but the reason.
void dataMissing(const std::string& path)
{
    ResultsWriter writer(path, [] { return kStartMs; });
    RunStream stream(writer);
    stream.header({"0.1.0", "resnet-lab-cpu-bf16-1x2-b128-r1", "golden", "resnet",
                   "1x Example CPU 3000, 2 CPU workers"});
    stream.initStart();
    stream.error("data_missing",
                 "there is no data at /data/cifar10. Check the path; on a cluster it must exist on "
                 "every node.",
                 0, "node-a");
    stream.runStop("aborted", "error", 0, 0);
}

} // namespace

std::vector<std::string> goldenStreamNames()
{
    return {
        "reached_1_worker.txt",      "reached_2_workers.txt", "two_metrics.txt", "not_reached.txt",
        "epochs_done_synthetic.txt", "diverged.txt",          "stopped.txt",     "torn.txt",
        "data_missing.txt"};
}

void writeGoldenStream(const std::string& name, const std::string& path)
{
    if (name == "reached_1_worker.txt")
        reached(path, 1);
    else if (name == "reached_2_workers.txt")
        reached(path, 2);
    else if (name == "two_metrics.txt")
        twoMetrics(path);
    else if (name == "not_reached.txt")
        notReached(path);
    else if (name == "epochs_done_synthetic.txt")
        epochsDone(path);
    else if (name == "diverged.txt")
        diverged(path);
    else if (name == "stopped.txt")
        stopped(path);
    else if (name == "torn.txt")
        torn(path);
    else if (name == "data_missing.txt")
        dataMissing(path);
    else
        throw std::runtime_error("no golden stream " + name);
}

} // namespace scalebench::test
