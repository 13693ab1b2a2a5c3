// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The Data tab: exactly the values the chart draws.

#include "figures/chart_data.h"

#include <QAbstractTableModel>

namespace scalebench {

class ChartTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit ChartTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    void setChart(const ChartData& chart);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    enum class More { Low, High, Count };
    static constexpr int kFixed = 3; ///< series, x, y
    static double moreOf(const ChartSeries& series, qsizetype point, More what);

    ChartData m_chart;
    QList<More> m_more;            ///< the columns behind them
    QVector<qsizetype> m_firstRow; ///< per series
    qsizetype m_rows = 0;
};

} // namespace scalebench
