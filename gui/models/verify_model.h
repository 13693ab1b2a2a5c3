// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The items of a verification, as a table.

#include "analysis/verification.h"

#include <QAbstractTableModel>

namespace scalebench {

class VerifyModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        Item,
        Judged,
        Speed,
        Interval,
        Causes,
        Time,
        Reference,
        Runs,
        Notes,
        ColumnCount
    };
    explicit VerifyModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    void setItems(const QList<VerifiedItem>& items);
    /// Columns without anything in them.
    QList<int> idleColumns() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString display(const VerifiedItem& item, int column) const;
    QVariant raw(const VerifiedItem& item, int column) const;
    QList<VerifiedItem> m_items;
};

} // namespace scalebench
