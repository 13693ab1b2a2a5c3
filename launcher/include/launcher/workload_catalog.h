// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The workloads this build can train, read from resources/workloads/*.json (compiled in). The
// presets there are the only source of defaults; nothing else in launcher or gui knows a
// hyper-parameter.

#include "launcher/result.h"

#include <QJsonObject>
#include <QList>
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
    double target = 0; ///< quality target, e.g. 0.80
    int epochs = 0;    ///< at most
    int globalBatch = 0;
    qint64 trainSamples = 0; ///< 0: as many as the data set has
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
};

struct Workload {
    QString id;          ///< "resnet"
    QString title;       ///< "Image classification"
    QString domain;      ///< "Vision"
    QString metric;      ///< "top1_accuracy"
    QString metricTitle; ///< "Top-1 accuracy"
    QList<WorkloadScale> scales;
    QList<WorkloadModel> models;

    const WorkloadScale* scale(const QString& scaleId) const;
    const WorkloadModel* model(const QString& modelId) const;
};

class WorkloadCatalog
{
public:
    /// The presets compiled into the launcher. Fails only where our own files are broken.
    static const WorkloadCatalog& builtin();

    const QList<Workload>& workloads() const { return m_workloads; }
    const Workload* find(const QString& id) const;
    QStringList ids() const;

private:
    QList<Workload> m_workloads;
};

} // namespace scalebench
