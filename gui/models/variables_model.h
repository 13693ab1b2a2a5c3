// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Environment variables of the workers as an editable table, in one list as users know them:
// NCCL_… and UCX_… go into their own fields of the machine. The last row is empty and adds one.

#include "machine/machines.h"

#include <QAbstractTableModel>

namespace scalebench {

class VariablesModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void load(const TargetMachine& machine);
    void store(TargetMachine& machine) const;
    void removeRow(int row);
    /// What keeps the table from being saved; empty: nothing.
    QString problem() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void edited();

private:
    QList<std::pair<QString, QString>> m_rows;
};

} // namespace scalebench
