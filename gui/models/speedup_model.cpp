// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/speedup_model.h"

#include "base/duration_text.h"
#include "models/roles.h"

#include <QLocale>

#include <cmath>

namespace scalebench {

static QString asBaseline(const QString& workers, bool baseline)
{
    return baseline ? SpeedupModel::tr("%1 (baseline)").arg(workers) : workers;
}

void SpeedupModel::setRows(const QList<SpeedupRow>& rows)
{
    beginResetModel();
    m_rows = rows;
    constexpr double kLongS = 600;
    m_long = std::any_of(rows.begin(), rows.end(),
                         [](const SpeedupRow& row) { return row.meanTimeS >= kLongS; });
    endResetModel();
}

QList<int> SpeedupModel::idleColumns() const
{
    QList<int> idle;
    const auto all = [this](auto test) { return std::all_of(m_rows.begin(), m_rows.end(), test); };
    if (all([this](const SpeedupRow& r) { return r.group == m_rows.first().group; }))
        idle << Group;
    const auto none = [&all](double SpeedupRow::*value) {
        return all(
            [value](const SpeedupRow& r) { return !std::isfinite(r.*value) || r.*value <= 0; });
    };
    const std::pair<int, double SpeedupRow::*> values[] = {
        {Interval, &SpeedupRow::timeHighS},      {Time, &SpeedupRow::meanTimeS},
        {Epochs, &SpeedupRow::meanEpochs},       {Throughput, &SpeedupRow::meanSamplesPerSecond},
        {Speedup, &SpeedupRow::speedup},         {Efficiency, &SpeedupRow::efficiency},
        {EpochsRatio, &SpeedupRow::epochsRatio}, {StepTimeRatio, &SpeedupRow::stepTimeRatio}};
    for (const auto& [column, value] : values) {
        if (none(value))
            idle << column;
    }
    // Beside a speedup that is there, the ratio of throughputs adds nothing.
    if (none(&SpeedupRow::throughputRatio) || !none(&SpeedupRow::speedup))
        idle << ThroughputRatio;
    if (all([](const SpeedupRow& r) { return r.notConverged == 0; }))
        idle << NotConverged;
    if (all([](const SpeedupRow& r) { return r.remark.isEmpty() && !r.oversubscribed; }))
        idle << Remark;
    return idle;
}

int SpeedupModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SpeedupModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SpeedupModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const SpeedupRow& row = m_rows[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return display(row, index.column());
    case kSortRole:
        return raw(row, index.column());
    case Qt::ToolTipRole:
        return explainRow(row);
    case Qt::TextAlignmentRole:
        return index.column() != Group && index.column() != Remark
                   ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                   : QVariant();
    default:
        return {};
    }
}

QString SpeedupModel::display(const SpeedupRow& row, int column) const
{
    const QLocale locale;
    const auto value = [&](double v, int decimals, const QString& unit = {}) {
        return std::isfinite(v) && v > 0 ? locale.toString(v, 'f', decimals) + unit
                                         : QStringLiteral("–");
    };
    const QString times(QChar(0x00d7));
    switch (column) {
    case Group:
        return row.group;
    case Workers:
        if (!row.knowsWorkers())
            return QStringLiteral("–");
        return asBaseline(
            row.nodes > 1
                ? tr("%1 on %n node(s)", nullptr, row.nodes).arg(locale.toString(row.workers))
                : locale.toString(row.workers),
            row.baseline);
    case Runs:
        return locale.toString(row.runs);
    case Time:
        return m_long && row.meanTimeS > 0 ? durationText(row.meanTimeS)
                                           : value(row.meanTimeS, 1, QStringLiteral(" s"));
    case Interval:
        if (!std::isfinite(row.timeHighS) || !(row.timeHighS > 0))
            return tr("n = %1").arg(row.runs);
        return m_long ? QStringLiteral("%1 – %2").arg(durationText(row.timeLowS),
                                                      durationText(row.timeHighS))
                      : QStringLiteral("%1–%2 s").arg(locale.toString(row.timeLowS, 'f', 1),
                                                      locale.toString(row.timeHighS, 'f', 1));
    case Epochs:
        return value(row.meanEpochs, row.meanEpochs == std::floor(row.meanEpochs) ? 0 : 1);
    case Speedup:
        return value(row.speedup, 2, times);
    case Efficiency:
        return value(row.efficiency * 100, 0, QStringLiteral(" %"));
    case EpochsRatio:
        return value(row.epochsRatio, 2, times);
    case StepTimeRatio:
        return value(row.stepTimeRatio, 2, times);
    case Throughput:
        return value(row.meanSamplesPerSecond, 0);
    case ThroughputRatio:
        return value(row.throughputRatio, 2, times);
    case NotConverged:
        return locale.toString(row.notConverged);
    case Remark:
        return row.remark;
    default:
        return {};
    }
}

QVariant SpeedupModel::raw(const SpeedupRow& row, int column) const
{
    switch (column) {
    case Workers:
        return row.knowsWorkers() ? QVariant(row.workers) : QVariant();
    case Runs:
        return row.runs;
    case Time:
        return row.meanTimeS;
    case Epochs:
        return row.meanEpochs;
    case Speedup:
        return row.speedup;
    case Efficiency:
        return row.efficiency;
    case EpochsRatio:
        return row.epochsRatio;
    case StepTimeRatio:
        return row.stepTimeRatio;
    case Throughput:
        return row.meanSamplesPerSecond;
    case ThroughputRatio:
        return row.throughputRatio;
    case NotConverged:
        return row.notConverged;
    default:
        return display(row, column);
    }
}

QVariant SpeedupModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section != Group && section != Remark ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                     : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == kUnitRole)
        return section == Time ? QStringLiteral("s") : QString();
    if (role != Qt::DisplayRole)
        return {};
    const QStringList names{
        tr("Series"),           tr("Workers"),         tr("Runs"),      tr("Time"),
        tr("95 % interval"),    tr("Epochs"),          tr("Speedup"),   tr("Efficiency"),
        tr("Epochs ratio"),     tr("Step-time ratio"), tr("Samples/s"), tr("Throughput ratio"),
        tr("Missed or failed"), tr("Remark")};
    return names.value(section);
}

} // namespace scalebench
