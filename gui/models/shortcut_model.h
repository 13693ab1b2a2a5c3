// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Actions and their keys, a row each.

#include <QAbstractTableModel>

namespace scalebench {

class Shortcuts;

class ShortcutModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Action, Keys, Own, ColumnCount };
    explicit ShortcutModel(Shortcuts* shortcuts, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QString title(int row) const;

private:
    Shortcuts* m_shortcuts;
};

} // namespace scalebench
