// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_queue_model.h"

#include "base/duration_text.h"
#include "figures/run_labels.h"
#include "models/roles.h"
#include "run/disturbance.h"
#include "run/run_metrics.h"
#include "run/run_series.h"
#include "run/stream_faults.h"
#include "settings/language.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace scalebench {

QString stateChip(RunState state)
{
    switch (state) {
    case RunState::Completed:
        return QStringLiteral("good");
    case RunState::NotConverged:
    case RunState::Cancelled:
    case RunState::Stopping:
        return QStringLiteral("warn");
    case RunState::Failed:
    case RunState::Unreadable:
        return QStringLiteral("bad");
    case RunState::Starting:
    case RunState::Running:
        return QStringLiteral("accent");
    case RunState::Queued:
        break;
    }
    return QStringLiteral("neutral");
}

static bool isWaiting(const RunRecord& run)
{
    return !run.waiting.isEmpty() &&
           (run.state == RunState::Queued || run.state == RunState::Starting);
}

void RunQueueModel::setStudy(const Study* study)
{
    beginResetModel();
    m_study = study;
    m_labels = study ? runLabels(study->runs) : QStringList();
    endResetModel();
}

void RunQueueModel::refreshRow(int row)
{
    if (m_study && row >= 0 && row < m_study->runs.size())
        Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

bool RunQueueModel::hasNotes() const
{
    return m_study && std::any_of(m_study->runs.begin(), m_study->runs.end(),
                                  [](const RunRecord& run) { return !runMarks(run).isEmpty(); });
}

int RunQueueModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_study ? 0 : static_cast<int>(m_study->runs.size());
}

int RunQueueModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

double RunQueueModel::shownProgress(const RunRecord& run)
{
    if (run.state == RunState::Completed)
        return 1;
    if (!isFinal(run.state))
        return run.progress();
    // Ended early: how far it came.
    return run.config.epochs > 0 ? std::min(1.0, run.epochsTrained() / run.config.epochs) : 0;
}

QVariant RunQueueModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_study || index.row() >= m_study->runs.size())
        return {};
    const RunRecord& run = m_study->runs[index.row()];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return display(run, index.row(), index.column());
    case kSortRole:
        return raw(run, index.row(), index.column());
    case kProgressRole: // a run that waits says why in the bar's place
        return index.column() == Progress && !isWaiting(run) ? QVariant(shownProgress(run))
                                                             : QVariant();
    case kChipRole:
        return index.column() == State ? QVariant(stateChip(run.state)) : QVariant();
    case Qt::ToolTipRole:
        if (index.column() == State && !run.failure.message.isEmpty())
            return shownText(run.failure.message);
        if (index.column() == Note)
            return (QStringList{display(run, index.row(), Note).toString()} + disturbances(run) +
                    streamFaults(run))
                .join(QLatin1Char('\n'))
                .trimmed();
        return isWaiting(run) ? shownText(run.waiting) : run.config.runId;
    case Qt::TextAlignmentRole:
        return index.column() >= Epoch && index.column() != Note
                   ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                   : QVariant();
    default:
        return {};
    }
}

QVariant RunQueueModel::display(const RunRecord& run, int row, int column) const
{
    const QLocale locale;
    switch (column) {
    case Run:
        return m_labels.value(row);
    case State:
        return runStateTitle(run.state);
    case Progress:
        return isWaiting(run)
                   ? shownText(run.waiting)
                   : locale.toString(shownProgress(run) * 100, 'f', 0) + QStringLiteral(" %");
    case Epoch: {
        const double epoch = run.epochsTrained();
        return epoch <= 0
                   ? QStringLiteral("–")
                   : tr("%1 of %2").arg(locale.toString(epoch, 'f', 1)).arg(run.config.epochs);
    }
    case Quality:
        return run.evals.isEmpty() ? QStringLiteral("–")
                                   : qualityText(run.config.workload, run.lastQuality());
    case Throughput: {
        const double rate = run.throughput > 0    ? run.throughput
                            : run.steps.isEmpty() ? 0
                                                  : run.steps.last().samplesPerSecond;
        return rate <= 0 ? QStringLiteral("–") : locale.toString(rate, 'f', rate < 100 ? 1 : 0);
    }
    case Time: {
        const double s = run.timeToTrainS() > 0 ? run.timeToTrainS()
                         : run.steps.isEmpty()  ? -1
                                                : run.steps.last().seconds;
        return s < 0 ? QStringLiteral("–") : durationText(s);
    }
    case Eta:
        if (isFinal(run.state) || run.etaSeconds() < 0)
            return QStringLiteral("–");
        return durationRangeText(run.etaSeconds());
    case Note:
        return runMarks(run).join(QStringLiteral(", "));
    default:
        return {};
    }
}

QVariant RunQueueModel::raw(const RunRecord& run, int row, int column) const
{
    switch (column) {
    case Run:
        return row;
    case State:
        return static_cast<int>(run.state);
    case Progress:
        return run.progress();
    case Epoch:
        return run.epochsTrained();
    case Quality:
        return run.lastQuality();
    case Throughput:
        return run.throughput;
    case Time:
        return run.timeToTrainS();
    case Eta:
        return run.etaSeconds();
    case Note:
        return runMarks(run).join(QStringLiteral(", "));
    default:
        return {};
    }
}

QVariant RunQueueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section >= Epoch && section != Note ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                   : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == kUnitRole)
        return section == Time || section == Eta ? QStringLiteral("s") : QString();
    if (role != Qt::DisplayRole)
        return {};
    const QStringList names{tr("Run"),   tr("State"),        tr("Progress"),
                            tr("Epoch"), tr("Last quality"), tr("Samples/s"),
                            tr("Time"),  tr("Time left"),    tr("Note")};
    return names.value(section);
}

} // namespace scalebench
