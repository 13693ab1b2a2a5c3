// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The workloads this build can train, read from resources/workloads/*.json (compiled in), and what
// the user's own recipes add to them. The presets there are the only source of defaults; nothing
// else in launcher or gui knows a hyper-parameter. recipe.schema.json there says what a recipe is.

#include "base/result.h"
#include "study/metrics.h"

#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace scalebench {

/// One scale ("desk", "lab", "mlperf") of a workload.
struct WorkloadScale {
    QString id;
    QString title;       ///< "ResNet-20, generated shapes"
    QString description; ///< one sentence for the card
    QString model;       ///< "resnet20"
    qint64 parameters = 0;
    /// Of the forward pass, two per multiplication and addition, padding included.
    std::optional<double> forwardFlops;
    std::optional<double> bytes; ///< of a sample: as stored, else its 8-bit pixels
    /// What training in fp32 takes for each unit of a batch (a sample, a token) beside the network.
    std::optional<double> activationBytes;
    std::optional<double> target;      ///< of the leading metric, e.g. 0.80
    QList<MetricValue> furtherTargets; ///< of other metrics
    int epochs = 0;                    ///< at most
    int globalBatch = 0;
    QMap<int, int> batchTable; ///< workers -> global batch, for the policy "table"
    qint64 trainSamples = 0;   ///< 0: as many as the data set has
    qint64 evalSamples = 0;
    QString dataSource; ///< "generated" or "files"
    QString dataHint;   ///< what to give to --data ("CIFAR-10 folder, tar or binary files")
    QJsonObject preset; ///< the scale's object as in the file, merged into run.json
};

/// A network a workload can train, whatever the scale.
struct WorkloadModel {
    QString id; ///< "resnet32"
    QString title;
    qint64 parameters = 0;
    std::optional<double> forwardFlops, bytes, activationBytes; ///< as of WorkloadScale
};

struct Workload {
    QString id;          ///< "resnet"
    QString title;       ///< "Image classification"
    QString domain;      ///< "Vision"
    QString metric;      ///< the leading one, "top1_accuracy"
    QString metricTitle; ///< "Top-1 accuracy"
    QList<MetricInfo> metrics;
    QStringList dataForms; ///< "folder", "file", "stem"
    QStringList switches;  ///< that make a difference here but not everywhere: "sync_bn"
    QString dataFiles;     ///< what files of one's own may be, for people; empty: none
    QList<WorkloadScale> scales;
    QList<WorkloadModel> models;

    const WorkloadScale* scale(const QString& scaleId) const;
    const WorkloadModel* model(const QString& modelId) const;
    const MetricInfo* metricInfo(const QString& metricId) const;
    MetricUnit unit() const; ///< of the leading metric
};

class WorkloadCatalog
{
public:
    /// The presets compiled into the launcher. Fails only where our own files are broken.
    static const WorkloadCatalog& builtin();
    /// With the user's own, read once: userFolder().
    static const WorkloadCatalog& instance();
    /// <data folder>/scalebench/workloads
    static QString userFolder();

    /// Adds what the recipes in a folder say, which may be anybody's. One that is wrong is left
    /// out and added to problems(). Fails where the folder cannot be read.
    Result<void> addFolder(const QString& folder);
    const QList<Failure>& problems() const { return m_problems; }

    const QList<Workload>& workloads() const { return m_workloads; }
    const Workload* find(const QString& id) const;
    QStringList ids() const;

private:
    Result<void> addFile(const QString& folder, const QString& name);

    QList<Workload> m_workloads;
    QList<Failure> m_problems;
};

} // namespace scalebench
