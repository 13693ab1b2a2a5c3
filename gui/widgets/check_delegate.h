// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Paints the cells of the check table: symbol, word and tint, so that colour is never alone.

#include <QMap>
#include <QPixmap>
#include <QStyledItemDelegate>

namespace scalebench {

class CheckDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit CheckDelegate(QObject* parent = nullptr);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    mutable QMap<int, QPixmap> m_symbols; ///< by level; hundreds of cells share them
};

} // namespace scalebench
