// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_table_model.h"

#include "models/roles.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench {

void ChartTableModel::setChart(const ChartData& chart)
{
    beginResetModel();
    m_chart = chart;
    m_firstRow.clear();
    m_rows = 0;
    for (const ChartSeries& s : chart.series) {
        m_firstRow << m_rows;
        m_rows += s.x.size();
    }
    endResetModel();
}

int ChartTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows);
}

int ChartTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : (m_chart.hasErrorBars() ? 5 : 3);
}

QVariant ChartTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole && index.column() > 0)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != kSortRole)
        return {};
    const auto next = std::upper_bound(m_firstRow.begin(), m_firstRow.end(), index.row());
    const auto seriesIndex = static_cast<qsizetype>(next - m_firstRow.begin()) - 1;
    const ChartSeries& s = m_chart.series[seriesIndex];
    const qsizetype i = index.row() - m_firstRow[seriesIndex];
    if (index.column() == 0)
        return s.name;
    double value = qQNaN();
    switch (index.column()) {
    case 1:
        if (m_chart.xScale == ChartData::XScale::Categories && role == Qt::DisplayRole)
            return m_chart.formatX(s.x[i]);
        value = s.x[i];
        break;
    case 2:
        value = s.y[i];
        break;
    case 3:
        value = s.yLow.value(i, qQNaN());
        break;
    default:
        value = s.yHigh.value(i, qQNaN());
        break;
    }
    if (role == kSortRole)
        return value;
    return std::isfinite(value) ? QVariant(QLocale().toString(value, 'g', 10)) : QVariant();
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case 0:
        return tr("Series");
    case 1:
        return m_chart.xColumn;
    case 2:
        return m_chart.yColumn;
    case 3:
        return tr("Low (95 %)");
    default:
        return tr("High (95 %)");
    }
}

} // namespace scalebench
