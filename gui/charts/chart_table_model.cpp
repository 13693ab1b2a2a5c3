// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_table_model.h"

#include "models/roles.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench {

double ChartTableModel::moreOf(const ChartSeries& series, qsizetype point, More what)
{
    switch (what) {
    case More::Low:
        return series.yLow.value(point, qQNaN());
    case More::High:
        return series.yHigh.value(point, qQNaN());
    case More::Count:
        break;
    }
    return point < series.n.size() ? series.n[point] : qQNaN();
}

void ChartTableModel::setChart(const ChartData& chart)
{
    beginResetModel();
    m_chart = chart;
    m_firstRow.clear();
    m_rows = 0;
    m_more.clear();
    if (chart.hasErrorBars())
        m_more << More::Low << More::High;
    if (chart.hasCounts())
        m_more << More::Count;
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
    return parent.isValid() ? 0 : static_cast<int>(kFixed + m_more.size());
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
    const bool named = m_chart.xScale == ChartData::XScale::Categories || m_chart.xClock;
    if (index.column() == 1 && named && role == Qt::DisplayRole)
        return m_chart.formatX(s.x[i]);
    const double value = index.column() == 1   ? s.x[i]
                         : index.column() == 2 ? s.y[i]
                                               : moreOf(s, i, m_more[index.column() - kFixed]);
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
    default:
        break;
    }
    switch (m_more.value(section - kFixed, More::Count)) {
    case More::Low:
        return tr("Low (%1)").arg(m_chart.errorName());
    case More::High:
        return tr("High (%1)").arg(m_chart.errorName());
    case More::Count:
        break;
    }
    return QStringLiteral("n");
}

} // namespace scalebench
