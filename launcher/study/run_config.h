// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run as resolved, the engine's only input (run.json), and how a study becomes runs.

#include "base/result.h"
#include "study/metrics.h"
#include "study/study_spec.h"

#include <QJsonObject>
#include <QList>
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

} // namespace scalebench
