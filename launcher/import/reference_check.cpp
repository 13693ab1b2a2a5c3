// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference_check.h"
#include "base/translated.h"

#include "analysis/convergence.h"
#include "base/ordinary_file.h"
#include "base/plain_text.h"
#include "import/import_store.h"
#include "reference_points.h"

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

/// The points of a run's benchmark with its batch.
static EpochsReference referenceFor(const RunRecord& run, const QList<ReferencePoint>& points)
{
    for (const ReferencePoint& point : points)
        if (point.benchmark == run.config.workload && point.globalBatch == run.config.globalBatch &&
            point.unit == "epochs"_L1)
            return {point.name, point.values};
    return {};
}

Result<ReferenceCheck> checkAgainstPoints(const QList<RunRecord>& runs, const QByteArray& json,
                                          const QString& fileName)
{
    const auto points = parseReferencePoints(json, fileName);
    if (!points)
        return points.failure();
    ReferenceCheck check;
    for (const RunRecord& run : runs) {
        const EpochsReference reference = referenceFor(run, points.value());
        if (reference.epochs.isEmpty() || run.state != RunState::Completed)
            continue;
        ++check.compared;
        const QString remark = convergenceRemark(run.config.runId, run.epochsToTarget(),
                                                 evaluationStep(run), reference);
        if (!remark.isEmpty())
            check.remarks << remark;
    }
    QStringList batches;
    for (const ReferencePoint& point : points.value())
        batches
            << Launcher::tr("%1 batch %2").arg(point.benchmark, QString::number(point.globalBatch));
    check.summary =
        check.compared == 0
            ? Launcher::tr("No completed run has the benchmark and batch of a "
                           "reference point: the file has %1.")
                  .arg(visibleLine(batches.join(u", "_s)))
            : Launcher::tr("%n run(s) compared, %1 suspicious.", nullptr, check.compared)
                  .arg(check.remarks.size());
    return check;
}

QStringList remarksOfStoredPoints(const QList<RunRecord>& runs, const QString& libraryDir)
{
    QStringList remarks;
    for (const QString& file : storedReferences(libraryDir, u"rcp"_s)) {
        const Result<QByteArray> bytes = readFile(file, kMostJsonBytes);
        if (!bytes)
            continue;
        const auto check = checkAgainstPoints(runs, bytes.value(), file);
        if (check && check.value().compared > 0)
            remarks << Launcher::tr("Epochs against MLPerf's reference convergence points: %1")
                           .arg(check.value().summary)
                    << check.value().remarks;
    }
    return remarks;
}

} // namespace scalebench::imports
