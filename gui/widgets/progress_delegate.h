// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Paints kProgressRole as a bar and kChipRole as a coloured state word.

#include <QStyledItemDelegate>

namespace scalebench {

class ProgressDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace scalebench
