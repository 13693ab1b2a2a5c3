// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One run as the analysis, the library and the charts see it: configuration, state and every
// measured point. Plain data; filled by StreamParser, applied as deltas so that a live run costs
// only what is new.

#include "base/result.h"
#include "run/point_list.h"
#include "study/metrics.h"
#include "study/run_config.h"

#include <QJsonObject>
#include <QList>
#include <QString>
#include <QtNumeric>

namespace scalebench {

enum class RunState {
    Queued,
    Starting,
    Running,
    Stopping,
    Completed,    ///< target reached, or all epochs done where no target was set
    NotConverged, ///< all epochs done, target not reached
    Failed,
    Cancelled,
    Unreadable ///< of no status.json: its files are damaged, or of a newer version
};
QString runStateName(RunState state);  ///< status.json's spelling: "not_converged"
QString runStateTitle(RunState state); ///< for people, translated
RunState runStateFromName(const QString& name);
inline bool isFinal(RunState s)
{
    return s >= RunState::Completed;
}

/// A `step` record. Times in ms per step, rank 0's clock, means since the previous record.
struct StepPoint {
    double epoch = 0;
    qint64 step = 0;
    qint64 samples = 0;
    double seconds = 0; ///< since run_start
    double loss = 0;
    double learningRate = 0;
    double samplesPerSecond = 0;
    double stepMs = 0, computeMs = 0, commMs = 0, inputMs = 0, otherMs = 0;
    double rowsMs = 0; ///< of commMs: rows of tables that other workers own
    /// Of the threads that made the batches, beside the steps.
    double readMs = 0, decodeMs = 0, augmentMs = 0;
    double reduceMs() const { return commMs - rowsMs; }
    bool hasInputTimes() const { return readMs + decodeMs + augmentMs > 0; }
};

/// An evaluation: the point of the accuracy-vs-epoch chart and of those of the other metrics.
struct EvalPoint {
    double epoch = 0;
    qint64 samples = 0;
    double seconds = 0;
    double value = 0;           ///< of the leading metric
    QList<MetricValue> metrics; ///< of all, by name; empty where only the leading one is known
};

/// A rank's mean step split over one epoch.
struct EpochSplit {
    int epoch = 0;
    int rank = 0;
    double stepMs = 0, computeMs = 0, commMs = 0, inputMs = 0, otherMs = 0, evalMs = 0;
};

/// One epoch as a whole, from `epoch_split`, `tracked_stats` and the epoch's own records. A part
/// not (yet) seen is 0.
struct EpochSummary {
    int epoch = 0;
    qint64 samples = 0; ///< trained since run_start
    double seconds = 0; ///< end of the epoch's training part, since run_start
    double trainS = 0, evalS = 0;
    double trainLoss = 0;
    double samplesPerSecond = 0;
    qint64 bytesRead = 0;
};

/// What a host did during one epoch: means, in processors.
struct HostLoad {
    int epoch = 0;
    QString host;
    double seconds = 0;
    int processors = 0;
    double own = 0, others = 0; ///< kept busy by the run's workers and by everything else
    double stolen = 0;          ///< taken away by a hypervisor
    qint64 swappedBytes = 0;
    // What the host did not tell is 0.
    double clockMhz = 0; ///< at the end
    qint64 memoryBytes = 0, memoryUsedBytes = 0;
    qint64 sentBytes = 0, receivedBytes = 0; ///< over the network
    double energyJ = 0;                      ///< of its processors
};

/// A `gpu` record: rank 0's GPU at one moment. What was not told is NaN.
struct GpuPoint {
    double epoch = 0;
    qint64 step = 0, samples = 0;
    double seconds = 0; ///< since run_start
    int attempt = 0;    ///< `resume` records before it
    double use = qQNaN(), memoryUsedBytes = qQNaN(), powerW = qQNaN(), energyJ = qQNaN(),
           clockMhz = qQNaN(), temperatureC = qQNaN();
    bool slowed = false; ///< clocks held down by heat or a failing supply
};

/// What `gpu` records say of rank 0's clocks.
struct GpuReadings {
    qint64 readings = 0;
    qint64 slowed = 0;   ///< of them with clocks held down by heat or a failing supply
    QStringList reasons; ///< of those
};

struct WorkerInfo {
    int rank = 0;
    QString host;
    qint64 pid = 0;
    QString deviceName;
    int threads = 0;
};

/// What was found on a node after a run: whether anything of it was left.
struct NodeEnd {
    QString host;
    bool clean = false;
    QString text;               ///< for people: "nothing left", "did not answer: not verified"
    QStringList fullDisks = {}; ///< folders there whose disk was full; known to the supervisor only
    bool operator==(const NodeEnd&) const = default;
};

/// What one piece of the stream added.
struct RunDelta {
    PointList<StepPoint> steps;
    /// All there are with these, where the reader keeps them: taken over, they are stored once.
    PointList<StepPoint> stepsSoFar;
    QList<EvalPoint> evals;
    QList<EpochSplit> splits;
    QList<EpochSummary> epochs; ///< parts: RunRecord::apply merges those of one epoch
    QList<HostLoad> hostLoads;
    QList<GpuPoint> gpu;
    GpuReadings gpuReadings; ///< in this piece
    QList<WorkerInfo> workers;
    QList<Failure> warnings;
    std::optional<Failure> error;
    int errorRank = -1; ///< the rank `error` names; -1: none
    QJsonObject setup;  ///< non-empty when the `setup` record was in it
    std::optional<double> runStartMs, runStopMs;
    int resumes = 0;     ///< `resume` records
    double pausedMs = 0; ///< that the clock stood still at them
    QString stopStatus, stopReason;
    QString phase; ///< last `progress` phase; empty: none in this piece
    qint64 phaseDone = 0, phaseTotal = 0;
    double throughput = 0; ///< last tracked_stats; 0: none in this piece
    qint64 foreignLines = 0, unknownKeys = 0, sequenceGaps = 0, sequenceRepeats = 0;
    int secondStarts = 0; ///< `run_start` records behind the first one, which counts
    qint64 bytes = 0;
    bool isEmpty() const { return bytes == 0; }
};

struct RunRecord {
    RunConfig config;
    QString runDir;
    QString origin; ///< empty: trained with Scalebench; else "imported: MLPerf log"
    RunState state = RunState::Queued;
    Failure failure; ///< set when Failed (or why NotConverged/Cancelled)
    QStringList command;
    QString waiting;         ///< why it has not started yet: Slurm's reason, another study
    QList<NodeEnd> nodeEnds; ///< after a run over several hosts
    int attempts = 0;        ///< before this one
    qint64 createdMs = 0, startedMs = 0, finishedMs = 0;
    PointList<StepPoint> steps;
    QList<EvalPoint> evals;
    QList<EpochSplit> splits;
    QList<EpochSummary> epochs; ///< ascending
    QList<HostLoad> hostLoads;
    QList<GpuPoint> gpu;
    GpuReadings gpuReadings;
    QList<WorkerInfo> workers;
    QList<Failure> warnings;
    std::optional<Failure> streamError; ///< the stream's `error` record; `failure` is the verdict
    int streamErrorRank = -1;
    QJsonObject setup;
    QString phase;
    qint64 phaseDone = 0, phaseTotal = 0;
    double runStartMs = 0, runStopMs = 0; ///< the start without the pauses of resumed runs
    int resumes = 0;                      ///< how often the run was gone on with
    double pausedMs = 0;                  ///< between checkpoints and that, with what was lost
    QString stopStatus, stopReason;
    double throughput = 0; ///< samples/s over the training parts of all epochs so far
    double epochsTold = 0; ///< by an imported result that tells no evaluation
    QStringList marksTold; ///< by an imported result: "disturbed"
    qint64 foreignLines = 0, unknownKeys = 0, sequenceGaps = 0, sequenceRepeats = 0;
    int secondStarts = 0;

    /// What it was planned for, by its name; else what its first worker trained on.
    QString machine() const;
    void apply(const RunDelta& delta);
    /// All that its stream told, as one delta of `bytes`; its lists are shared, not copied.
    RunDelta soFar(qint64 bytes) const;

    double bestQuality() const; ///< of the leading metric; 0 without an evaluation
    double lastQuality() const;
    /// Highest of any metric that was seen by name.
    std::optional<double> bestOf(const QString& metric) const;
    std::optional<double> lastOf(const QString& metric) const;
    /// All targets at this one evaluation; false without target.
    bool meetsTargets(const EvalPoint& point) const;
    bool targetReached() const; ///< at any evaluation
    /// Epoch of the first evaluation that meets the targets, else last epoch done; 0: not known.
    double epochsToTarget() const;
    /// Whether evaluations tell after how much training they were: a row of somebody's table may
    /// not.
    bool evalsPlaced() const;
    /// So far, with a fraction; an evaluation or an epoch's end may be later than the last step.
    double epochsTrained() const;
    /// run_stop - run_start with the pauses of resumed runs; 0 while unknown.
    double elapsedS() const;
    double timeToTrainS() const; ///< run_stop - run_start; 0 while unknown
    /// Of the processors that tell theirs, and of all GPUs as if each took what rank 0's did
    /// between its readings, over the time to train; 0: not told, or not by every attempt.
    double energyJ() const;
    /// 0..1 from epochs done, 1 from the evaluation that meets the targets on; and seconds left
    /// (<0 unknown).
    double progress() const;
    double etaSeconds() const;
};

} // namespace scalebench
