// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One line of the command palette: icon, title with the letters that were typed, menu, shortcut.

#include <QStyledItemDelegate>

namespace scalebench {

class CommandDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace scalebench
