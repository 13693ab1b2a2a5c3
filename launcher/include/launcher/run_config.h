// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run as resolved, the engine's only input (run.json), and how a study becomes runs and a run
// becomes an mpirun argument list. Never a shell string.

#include "launcher/metrics.h"
#include "launcher/result.h"
#include "launcher/study_spec.h"

#include <QJsonObject>
#include <QList>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace scalebench {

struct RunConfig {
    QString runId;
    QString study;
    QString workload;
    QString scale;
    QString model;
    QString device;
    QString precision;
    QString dataSource; ///< "generated", "synthetic", "files"
    QString dataPath;
    int nodes = 1;
    int workers = 1;   ///< on all nodes together
    QStringList hosts; ///< of the nodes, rank 0's first; empty: this computer, or Slurm chooses
    int threadsPerWorker = 1;
    QString batchPolicy;
    int globalBatch = 0;
    double learningRate = 0;
    int epochs = 0;
    std::optional<double> target;      ///< of the leading metric
    QList<MetricValue> furtherTargets; ///< of other metrics; all must be met at one evaluation
    bool hasTarget() const { return target || !furtherTargets.isEmpty(); }
    quint64 seed = 1;
    int repeat = 1;
    bool oversubscribed = false;
    int workersPerNode() const { return workers / qMax(1, nodes); }
    QJsonObject json; ///< the whole run.json

    static Result<RunConfig> fromJson(const QByteArray& json, const QString& fileName);
    static Result<RunConfig> fromObject(const QJsonObject& object, const QString& fileName);
};

/// The run.json with another place for its data.
QJsonObject withDataPath(const RunConfig& run, const QString& path);

/// A study checked and resolved at once; runs only where no problem is an error.
struct StudyPlan {
    QList<Problem> problems;                ///< as of validate()
    QList<RunConfig> runs;                  ///< as of planRuns()
    std::optional<Failure> failure() const; ///< the first error
};
StudyPlan planStudy(const StudySpec& spec, const MachineInfo& machine, const QString& studyId,
                    const QString& generatedDataDir);

/// All runs of a study in the order in which they will run (repeats interleaved). Fails with the
/// first error of validate(). `generatedDataDir` is where generated data sets are kept.
Result<QList<RunConfig>> planRuns(const StudySpec& spec, const MachineInfo& machine,
                                  const QString& studyId, const QString& generatedDataDir);

struct LaunchCommand {
    QString program;
    QStringList arguments;
    QProcessEnvironment environment; ///< only what is added to the parent's environment

    /// For display: quoted for a POSIX shell, one line.
    QString displayText() const;
};

struct TargetMachine;

struct LocalWorkers {
    int count = 1;
    int threadsEach = 1;
    bool oversubscribed = false; ///< more workers than processors are wanted
    bool quiet = false;          ///< mpirun need not say that a worker ended with a code
};

/// mpirun on this computer for an engine with these arguments.
LaunchCommand localMpirunCommand(const MachineInfo& machine, const LocalWorkers& workers,
                                 const QStringList& engineArguments);
/// What a run over hosts is launched with, besides its own configuration.
struct HostsLaunch {
    const RunConfig& run;
    const TargetMachine& machine;
    const MachineInfo& here;    ///< where mpirun runs
    QString nodeDir;            ///< the run's folder on the hosts, absolute
    QString engine;             ///< folder of the engine on the hosts, absolute
    QString network;            ///< interface or subnet for MPI; empty: Open MPI's choice
    bool networkIsHere = false; ///< this computer has it too, so daemons can talk over it
    bool resume = false;
};
/// mpirun for ranks on the run's hosts; writes the hostfile into `runDir`.
Result<LaunchCommand> hostsMpirunCommand(const HostsLaunch& launch, const QString& studyDir,
                                         const QString& runDir);
/// The environment that every rank gets by name: OMP_NUM_THREADS, the machine's own, NCCL_*, UCX_*.
QMap<QString, QString> rankEnvironment(const RunConfig& run, const TargetMachine& machine);

/// mpirun on this computer for a run whose folder is `runDir`.
LaunchCommand localMpirunCommand(const RunConfig& run, const MachineInfo& machine,
                                 const QString& runDir);

} // namespace scalebench
