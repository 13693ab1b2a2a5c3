// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/check_delegate.h"

#include "models/check_model.h"
#include "settings/theme_manager.h"

#include <QApplication>
#include <QPainter>

namespace scalebench {

namespace {

constexpr int kSymbol = 14;
constexpr int kMargin = 5;

struct Look {
    QColor ink, back;
    QString symbol;
};

Look lookOf(int level)
{
    const Theme& t = ThemeManager::instance().theme();
    switch (level) {
    case CheckModel::Ok:
        return {t.good, t.goodSoft, QStringLiteral("ok")};
    case CheckModel::Warning:
        return {t.warn, t.warnSoft, QStringLiteral("warning")};
    case CheckModel::Problem:
        return {t.bad, t.badSoft, QStringLiteral("error")};
    default:
        return {t.textMuted, {}, {}};
    }
}

} // namespace

CheckDelegate::CheckDelegate(QObject* parent) : QStyledItemDelegate(parent)
{
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] { m_symbols.clear(); });
}

void CheckDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    if (index.column() == 0) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem background(option);
    initStyleOption(&background, index);
    const QString text = background.text;
    background.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &background, painter,
                                       option.widget);
    const int level = index.data(CheckModel::LevelRole).toInt();
    const Look look = lookOf(level);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect cell = option.rect.adjusted(2, 2, -2, -2);
    if (look.back.isValid()) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(look.back);
        painter->drawRoundedRect(cell, 4, 4);
    }
    QRect words = cell.adjusted(kMargin, 0, -2, 0);
    if (!look.symbol.isEmpty()) {
        QPixmap& symbol = m_symbols[level];
        if (symbol.isNull())
            symbol = ThemeManager::tinted(look.symbol, look.ink).pixmap(kSymbol);
        painter->drawPixmap(QPoint(cell.left() + kMargin - 1, cell.center().y() - kSymbol / 2 + 1),
                            symbol);
        words.adjust(kSymbol + 2, 0, 0, 0);
    }
    // The cell that the detail strip speaks of keeps a frame: its tint covers the selection.
    if (option.state & QStyle::State_Selected) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(ThemeManager::instance().theme().accent, 2));
        painter->drawRoundedRect(cell, 4, 4);
    }
    painter->setPen(look.ink);
    painter->drawText(words, Qt::AlignLeft | Qt::AlignVCenter, text);
    painter->restore();
}

QSize CheckDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (index.column() > 0)
        size.setWidth(option.fontMetrics.horizontalAdvance(checkLevelWord(CheckModel::Warning)) +
                      kSymbol + kMargin + 10);
    return size;
}

} // namespace scalebench
