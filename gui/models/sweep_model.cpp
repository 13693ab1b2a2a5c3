// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/sweep_model.h"

#include "models/roles.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scalebench {

namespace {

/// By the time to train, else by samples/s; NaN where neither is known.
double efficiencyOf(const SpeedupRow& row, const QList<SpeedupRow>& rows)
{
    if (std::isfinite(row.efficiency))
        return row.efficiency;
    if (row.oversubscribed || !std::isfinite(row.throughputRatio))
        return qQNaN();
    for (const SpeedupRow& base : rows)
        if (base.group == row.group && base.rateBaseline)
            return row.throughputRatio * base.workers / row.workers;
    return qQNaN();
}

} // namespace

void SweepModel::setRows(const QList<SpeedupRow>& rows)
{
    beginResetModel();
    m_rows = rows;
    m_rows.removeIf([](const SpeedupRow& row) { return !row.knowsWorkers(); }); // of no scale
    m_groups.clear();
    m_shapes.clear();
    for (const SpeedupRow& row : std::as_const(m_rows)) {
        if (!m_groups.contains(row.group))
            m_groups << row.group;
        if (const std::pair shape{row.workers, row.nodes}; !m_shapes.contains(shape))
            m_shapes << shape;
    }
    std::sort(m_shapes.begin(), m_shapes.end());
    endResetModel();
}

const SpeedupRow* SweepModel::cell(const QModelIndex& index) const
{
    if (!index.isValid() || index.column() == 0)
        return nullptr;
    const auto [workers, nodes] = m_shapes[index.column() - 1];
    for (const SpeedupRow& row : m_rows)
        if (row.group == m_groups[index.row()] && row.workers == workers && row.nodes == nodes)
            return &row;
    return nullptr;
}

int SweepModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_groups.size());
}

int SweepModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_shapes.size());
}

QVariant SweepModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (index.column() == 0)
        return role == Qt::DisplayRole || role == kSortRole ? QVariant(m_groups[index.row()])
                                                            : QVariant();
    const SpeedupRow* row = cell(index);
    const double share = row ? efficiencyOf(*row, m_rows) : qQNaN();
    const bool byTime = row && std::isfinite(row->efficiency);
    switch (role) {
    case Qt::DisplayRole:
        if (std::isfinite(share))
            return (byTime ? QString() : QStringLiteral("~ ")) +
                   QLocale().toString(share * 100, 'f', 0) + QStringLiteral(" %");
        return !row                    ? QStringLiteral("–")
               : row->oversubscribed   ? tr("oversubscribed")
               : row->notConverged > 0 ? tr("missed")
                                       : QStringLiteral("–");
    case kSortRole:
        return std::isfinite(share) ? QVariant(share) : QVariant(); // which comes first
    case kChipRole:
        if (!std::isfinite(share))
            return row && row->notConverged > 0 ? QStringLiteral("bad") : QString();
        return row->baseline  ? QStringLiteral("neutral")
               : share >= 0.8 ? QStringLiteral("good")
               : share >= 0.5 ? QStringLiteral("warn")
                              : QStringLiteral("bad");
    case Qt::ToolTipRole:
        if (!row)
            return tr("No such run in this study.");
        return explainRow(*row) +
               (std::isfinite(share) && !byTime
                    ? QLatin1Char(' ') + tr("The efficiency is that of samples/s.")
                    : QString());
    default:
        return {};
    }
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    if (section == 0)
        return tr("Efficiency");
    const auto [workers, nodes] = m_shapes[section - 1];
    const QString count = tr("%n worker(s)", nullptr, workers);
    return nodes > 1 ? tr("%1 on %n nodes", nullptr, nodes).arg(count) : count;
}

} // namespace scalebench
