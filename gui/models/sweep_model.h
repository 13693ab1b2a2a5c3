// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The sweep matrix: a row for each series, a column for each number of workers (and nodes), in each
// cell the efficiency.

#include "analysis/speedup_table.h"

#include <QAbstractTableModel>

#include <utility>

namespace scalebench {

class SweepModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit SweepModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    void setRows(const QList<SpeedupRow>& rows);
    /// Several series over several counts; else the table of rows says it all.
    bool isWorthwhile() const { return m_groups.size() > 1 && m_shapes.size() > 1; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// What stands in a cell; null: no run.
    const SpeedupRow* cell(const QModelIndex& index) const;

private:
    QList<SpeedupRow> m_rows;
    QStringList m_groups;
    QList<std::pair<int, int>> m_shapes; ///< workers, nodes; ascending
};

} // namespace scalebench
