// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A target machine in the list: symbol of its kind, name, and below it what the last check said.

#include <QStyledItemDelegate>

namespace scalebench {

class MachineDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace scalebench
