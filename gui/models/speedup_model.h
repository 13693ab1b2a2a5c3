// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The rows of speedupTable(), as a table.

#include "analysis/speedup_table.h"

#include <QAbstractTableModel>

namespace scalebench {

class SpeedupModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        Group,
        Workers,
        Runs,
        Time,
        Interval,
        Epochs,
        Speedup,
        Efficiency,
        EpochsRatio,
        StepTimeRatio,
        Throughput,
        ThroughputRatio,
        NotConverged,
        Remark,
        ColumnCount
    };
    explicit SpeedupModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    void setRows(const QList<SpeedupRow>& rows);
    /// Columns that say nothing for these rows: one series only, no intervals, no remarks.
    QList<int> idleColumns() const;
    const QList<SpeedupRow>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString display(const SpeedupRow& row, int column) const;
    QVariant raw(const SpeedupRow& row, int column) const;
    QList<SpeedupRow> m_rows;
    bool m_long = false; ///< times in minutes and hours, all of them
};

} // namespace scalebench
