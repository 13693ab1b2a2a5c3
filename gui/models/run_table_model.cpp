// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_table_model.h"

#include "models/roles.h"
#include "models/run_queue_model.h"
#include "run/run_metrics.h"
#include "settings/language.h"
#include "study/workload_catalog.h"

#include <QDateTime>
#include <QLocale>

namespace scalebench {

namespace {

bool isNumeric(int column)
{
    using M = RunTableModel;
    return column == M::Workers || column == M::Batch || column == M::Quality ||
           column == M::Target || column == M::Epochs || column == M::TimeToTrain ||
           column == M::Throughput || column == M::Nodes || column == M::Seed ||
           column == M::Repeat;
}

} // namespace

void RunTableModel::setRuns(const QList<RunSummary>& runs)
{
    beginResetModel();
    m_runs = runs;
    endResetModel();
}

int RunTableModel::rowOf(const QString& runDir) const
{
    for (int row = 0; row < m_runs.size(); ++row) {
        if (m_runs[row].runDir == runDir)
            return row;
    }
    return -1;
}

int RunTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const RunSummary& run = m_runs[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return display(run, index.column());
    case kSortRole:
        return raw(run, index.column());
    case kIdRole:
        return run.runDir;
    case kSearchRole:
        return index.column() == 0 ? QVariant(run.runId + QLatin1Char(' ') + run.note) : QVariant();
    case kChipRole:
        return index.column() == State ? QVariant(stateChip(run.state)) : QVariant();
    case Qt::TextAlignmentRole:
        return isNumeric(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ToolTipRole:
        return index.column() == Tags && !run.note.isEmpty() ? run.note
               : index.column() == Study_ ? display(run, Study_) + u'\n' + run.runId
                                          : run.runId;
    default:
        return {};
    }
}

QString RunTableModel::display(const RunSummary& run, int column) const
{
    const QLocale locale;
    const auto value = [&](double v, int decimals, const QString& unit = {}) {
        return v > 0 ? locale.toString(v, 'f', decimals) + unit : QStringLiteral("–");
    };
    switch (column) {
    case Started:
        return run.createdMs > 0 ? locale.toString(QDateTime::fromMSecsSinceEpoch(run.createdMs),
                                                   QStringLiteral("yyyy-MM-dd HH:mm"))
                                 : QStringLiteral("–");
    case Study_:
        return run.studyName.isEmpty() ? run.studyId : run.studyName;
    case StudyId:
        return run.studyId;
    case Tags:
        return run.tags.join(QStringLiteral(", ")) +
               (run.note.isEmpty() ? QString() : QStringLiteral(" \u270e"));
    case Workload_: {
        const Workload* workload = WorkloadCatalog::instance().find(run.workload);
        return workload ? workload->title : run.workload;
    }
    case Scale:
        return run.scale;
    case Workers:
        return run.workers > 0 ? locale.toString(run.workers) : QStringLiteral("–");
    case Precision:
        return run.precision;
    case Variant:
        return shownText(run.variant);
    case Note:
        return marksText(run);
    case Batch:
        return run.globalBatch > 0 ? locale.toString(run.globalBatch) : QStringLiteral("–");
    case State:
        return runStateTitle(run.state);
    case Quality:
        return run.quality > 0 ? qualityText(run.workload, run.quality, 2) : QStringLiteral("–");
    case Target:
        return run.target > 0 ? qualityText(run.workload, run.target) : QStringLiteral("–");
    case Epochs:
        return value(run.epochs, epochDigits(run.epochs));
    case TimeToTrain:
        return value(run.timeToTrainS, 1, QStringLiteral(" s"));
    case Throughput:
        return value(run.samplesPerSecond, run.samplesPerSecond < 100 ? 1 : 0);
    case Device:
        return run.device;
    case Nodes:
        return run.nodes > 0 ? locale.toString(run.nodes) : QStringLiteral("–");
    case Seed:
        return QString::number(run.seed);
    case Repeat:
        return locale.toString(run.repeat);
    default:
        return {};
    }
}

QVariant RunTableModel::raw(const RunSummary& run, int column) const
{
    switch (column) {
    case Started:
        return run.createdMs;
    case Workers:
        return run.workers;
    case Batch:
        return run.globalBatch;
    case Quality:
        return run.quality;
    case Target:
        return run.target;
    case Epochs:
        return run.epochs;
    case TimeToTrain:
        return run.timeToTrainS;
    case Throughput:
        return run.samplesPerSecond;
    case Nodes:
        return run.nodes;
    case Seed:
        return run.seed;
    case Repeat:
        return run.repeat;
    default:
        return display(run, column);
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return isNumeric(section) ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                  : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == kUnitRole)
        return section == TimeToTrain ? QStringLiteral("s") : QString();
    if (role != Qt::DisplayRole)
        return {};
    const QStringList names{tr("Started"),  tr("Study"),  tr("Study id"), tr("Tags"),
                            tr("Workload"), tr("Scale"),  tr("Workers"),  tr("Precision"),
                            tr("Settings"), tr("Batch"),  tr("State"),    tr("Best quality"),
                            tr("Target"),   tr("Epochs"), tr("Time"),     tr("Samples/s"),
                            tr("Device"),   tr("Nodes"),  tr("Seed"),     tr("Repeat"),
                            tr("Note")};
    return names.value(section);
}

} // namespace scalebench
