// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a user asks for: the matrix of runs started at once. Reads and writes study.json
// (resources/protocol/run_folder.md) and says what is wrong with it.

#include "base/result.h"

#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace scalebench {

struct MachineInfo;

struct RunOptions {
    bool syncBn = false;
    bool overlap = false;
    int bucketMb = 4;
    int gradAccum = 1;
    QString allreduce =
        QStringLiteral("auto"); ///< "auto", "shm", "mpi"; device cuda: "auto", "nccl", "staged"
    bool shardOptimizer = false;
    bool fusedOptimizer = true;
    bool bindThreads = true; ///< to cores; without GPUs
    bool asyncEval = false;
    bool packSequences = false;
    bool alignBatch = false;
    bool cudaGraphs = false;
    bool autotune = true;    ///< device cuda: vendor algorithms by timing them
    int checkpointEvery = 1; ///< epochs; 0: only when stopped
    int collectiveTimeoutS = 120;

    /// The "options" object of study.json and run.json, which is the same.
    QJsonObject toJson() const;
    bool operator==(const RunOptions&) const = default;
};

/// How the workers of one run are spread: nodes × workers on each. "2x4" in files and options.
struct Shape {
    int nodes = 1;
    int workersPerNode = 1;

    int workers() const { return nodes * workersPerNode; }
    QString text() const;
    static std::optional<Shape> fromText(const QString& text);
    bool operator==(const Shape&) const = default;
};
/// Every way to spread `workers` evenly over at most `maxNodes` nodes with at most `maxPerNode`
/// workers each (0: no limit), fewest nodes first: scale-up before scale-out.
QList<Shape> shapesOf(int workers, int maxNodes, int maxPerNode);

/// Values by path of run.json (dimensions.h). One value replaces the recipe's; of several, every
/// one gets runs of its own.
using Settings = QMap<QString, QList<QJsonValue>>;

/// A workload of a study of several: what differs from the study's own fields. Empty and 0 are the
/// study's.
struct WorkloadPlan {
    QString workload;
    QString scale = {};
    QString data = {};
    QString model = {};
    QStringList precisions = {};
    QString batchPolicy = {};
    int globalBatch = 0;
    QMap<int, int> batchTable = {};
    int epochs = 0;
    std::optional<double> target = {};
    bool noTarget = false;
    std::optional<double> learningRate = {};
    Settings settings = {}; ///< beside the study's; the same path replaces the study's
    bool operator==(const WorkloadPlan&) const = default;
};

constexpr int kLongestStudyName = 200;

struct StudySpec {
    QString name;
    QString machine; ///< name of the target machine; empty: this computer
    QString workload = QStringLiteral("resnet");
    QString scale = QStringLiteral("desk");
    QString device = QStringLiteral("cpu");            ///< "cpu" or "cuda"
    QStringList precisions = {QStringLiteral("fp32")}; ///< empty: the recipe's
    QList<int> workers = {1, 2}; ///< used where there are no shapes: fewest nodes that hold them
    QList<Shape> shapes;
    QString order = QStringLiteral("interleaved"); ///< or "random" (by the seed), "sequential"
    bool exclusive = true; ///< wait for other studies\' runs on the same machine
    int retries = 0;       ///< how often a failed run is tried again
    QString batchPolicy = QStringLiteral("strong"); ///< "strong", "weak", "table"
    int globalBatch = 0;                            ///< 0: the preset's; weak: per worker
    QMap<int, int> batchTable;                      ///< workers -> global batch, for "table"
    int epochs = 0;                                 ///< 0: the preset's
    std::optional<double> target;                   ///< unset and !noTarget: the preset's
    bool noTarget = false;                          ///< train all epochs
    quint64 seed = 1;
    int repeats = 1;
    int threadsPerWorker = 0;           ///< 0: cores / largest worker count, >= 1
    QString data;                       ///< "" preset, "generated", "synthetic" or a path
    QString model;                      ///< "" the preset's
    std::optional<double> learningRate; ///< unset: the preset's
    bool oversubscribe = false;         ///< allow more workers than cores
    RunOptions options;
    Settings settings;
    /// Several workloads in one plan, in the order of their runs; empty: `workload` alone. What
    /// one of them does not say is as in this study.
    QList<WorkloadPlan> workloads;
    int maxMinutes = 0;           ///< no further run begins after so many of runs; 0: no limit
    bool stopAfterTarget = false; ///< nor one of a workload of which one has reached its target

    /// The study with one of its workloads only, `workloads` empty.
    StudySpec only(const WorkloadPlan& plan) const;
    /// For every workload the study with it alone; at least one.
    QList<StudySpec> split() const;
    QStringList workloadIds() const;

    /// Refuses unknown keys, wrong types and newer versions, naming them.
    static Result<StudySpec> fromJson(const QByteArray& json, const QString& fileName);
    QJsonObject toJson() const;
    bool operator==(const StudySpec&) const = default;
};

/// The precision that a scale's preset names; "fp32" where it names none.
QStringList defaultPrecisions(const QString& workloadId, const QString& scaleId);

struct WorkloadScale;
/// Global batches by number of workers: the study's, or else the recipe's.
QMap<int, int> batchTableOf(const StudySpec& spec, const WorkloadScale& scale);

/// How many workers every host of the machine takes; 0: not known (Slurm).
int workersPerHost(const MachineInfo& machine);
/// Every shape in which the machine holds so many workers, fewest hosts first; of the study counts
/// only whether it may share processors. Code "workers_too_many" where there is none.
Result<QList<Shape>> shapesOn(const MachineInfo& machine, const StudySpec& spec, int workers);
/// The shapes of the study's runs on this machine: the ones asked for, else for each worker count
/// the fewest hosts that hold it. Fails, with the code and sentence of a Problem, where one does
/// not fit.
Result<QList<Shape>> resolveShapes(const StudySpec& spec, const MachineInfo& machine);

/// One thing that keeps a study from starting (or a remark). `field` names the StudySpec member
/// in study.json's spelling ("workers", "global_batch", "data", "device") for inline display.
struct Problem {
    enum class Level { Error, Warning };
    Level level = Level::Error;
    QString field;
    QString code; ///< "workload_unknown", "workers_too_many", "batch_not_divisible", …
    QString message;
    bool leftOut = false; ///< of some combinations, which will not run
};

/// Everything that can be known without starting anything; empty when the study may start.
QList<Problem> validate(const StudySpec& spec, const MachineInfo& machine);

} // namespace scalebench
