// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/command_delegate.h"

#include "models/command_model.h"
#include "settings/theme_manager.h"

#include <QPainter>
#include <QTextLayout>

namespace scalebench {

namespace {

/// The letters that were typed stand out.
void drawTitle(QPainter* painter, const QRect& box, const QString& title,
               const QList<int>& positions, Qt::LayoutDirection direction)
{
    const Theme& theme = ThemeManager::instance().theme();
    QTextLayout layout(title, painter->font());
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    option.setTextDirection(direction);
    layout.setTextOption(option);
    QList<QTextLayout::FormatRange> ranges;
    for (const int at : positions) {
        QTextLayout::FormatRange range;
        range.start = at;
        range.length = 1;
        range.format.setForeground(theme.accent);
        range.format.setFontWeight(QFont::Bold);
        ranges << range;
    }
    layout.setFormats(ranges);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(box.width());
    layout.endLayout();
    painter->setPen(theme.text);
    layout.draw(painter, QPointF(box.left(), box.center().y() - line.height() / 2));
}

} // namespace

void CommandDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const
{
    auto& themes = ThemeManager::instance();
    const Theme& theme = themes.theme();
    const int pad = option.fontMetrics.height() / 2, icon = option.fontMetrics.height();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & QStyle::State_Selected) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.accentSoft);
        painter->drawRoundedRect(option.rect.adjusted(2, 1, -2, -1), 5, 5);
    }
    const QRect box = option.rect.adjusted(pad, 0, -pad, 0);
    const auto place = [&](const QRect& rect) {
        return QStyle::visualRect(option.direction, option.rect, rect);
    };
    const QString name = index.data(CommandModel::IconNameRole).toString();
    if (!name.isEmpty())
        themes.tinted(name, theme.textMuted)
            .paint(painter, place(QRect(box.left(), box.center().y() - icon / 2 + 1, icon, icon)));
    const QString shortcut = index.data(CommandModel::ShortcutRole).toString();
    const QString where = index.data(CommandModel::WhereRole).toString();
    QRect text = box.adjusted(icon + pad, 0, 0, 0);
    painter->setFont(option.font);
    const auto flags = QStyle::visualAlignment(option.direction, Qt::AlignRight) | Qt::AlignVCenter;
    painter->setPen(theme.textMuted);
    if (!shortcut.isEmpty()) {
        painter->drawText(place(text), static_cast<int>(flags), shortcut);
        text.setRight(text.right() - option.fontMetrics.horizontalAdvance(shortcut) - 2 * pad);
    }
    QFont small(option.font);
    small.setPointSizeF(small.pointSizeF() - 1);
    painter->setFont(small);
    const int width = QFontMetrics(small).horizontalAdvance(where);
    painter->drawText(place(text), static_cast<int>(flags), where);
    text.setRight(text.right() - width - 2 * pad);
    painter->setFont(option.font);
    const QString title = index.data().toString();
    drawTitle(painter, place(text), title, index.data(CommandModel::MatchRole).value<QList<int>>(),
              option.direction);
    painter->restore();
}

QSize CommandDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {100, option.fontMetrics.height() * 2};
}

} // namespace scalebench
