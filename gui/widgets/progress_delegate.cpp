// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/progress_delegate.h"

#include "models/roles.h"
#include "settings/theme_manager.h"

#include <QApplication>
#include <QPainter>

namespace scalebench {

namespace {

struct ChipColors {
    QColor back, ink;
};

ChipColors chipColors(const QString& kind)
{
    const Theme& t = ThemeManager::instance().theme();
    if (kind == QLatin1String("good"))
        return {t.goodSoft, t.good};
    if (kind == QLatin1String("warn"))
        return {t.warnSoft, t.warn};
    if (kind == QLatin1String("bad"))
        return {t.badSoft, t.bad};
    if (kind == QLatin1String("accent"))
        return {t.accentSoft, t.accent};
    return {t.surfaceAlt, t.textMuted};
}

} // namespace

void ProgressDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    const QVariant progress = index.data(kProgressRole);
    const QString chip = index.data(kChipRole).toString();
    if (!progress.isValid() && chip.isEmpty()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem background(option);
    initStyleOption(&background, index);
    const QString text = background.text;
    background.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &background, painter,
                                       option.widget);
    const Theme& theme = ThemeManager::instance().theme();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (progress.isValid()) {
        const auto mirrored = [&option](const QRect& rect) { // where the window is
            return QStyle::visualRect(option.direction, option.rect, rect);
        };
        const int height = 8;
        const QRect whole(option.rect.left() + 8, option.rect.center().y() + 1 - height / 2,
                          std::max(0, option.rect.width() - 62), height);
        // Filled with the border's colour an empty one would look full in high contrast.
        painter->setPen(theme.border);
        painter->setBrush(theme.surfaceAlt);
        painter->drawRoundedRect(mirrored(whole), 4, 4);
        const double share = std::clamp(progress.toDouble(), 0.0, 1.0);
        if (share > 0) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.accent);
            QRect done = whole;
            done.setWidth(std::max(height, qRound(whole.width() * share)));
            painter->drawRoundedRect(mirrored(done), 4, 4);
        }
        painter->setPen(theme.textMuted);
        painter->drawText(
            mirrored(option.rect.adjusted(0, 0, -8, 0)),
            QStyle::visualAlignment(option.direction, Qt::AlignRight) | Qt::AlignVCenter, text);
    } else {
        QFont font = option.font;
        font.setPointSizeF(font.pointSizeF() - 0.5);
        font.setBold(true);
        painter->setFont(font);
        const ChipColors colors = chipColors(chip);
        constexpr int kPadding = 18, kMargin = 6;
        const QFontMetrics metrics(font);
        const int width =
            std::min(metrics.horizontalAdvance(text) + kPadding, option.rect.width() - 2 * kMargin);
        const QRectF pill = QStyle::visualRect(
            option.direction, option.rect,
            QRect(option.rect.left() + kMargin, option.rect.center().y() - 9, width, 19));
        painter->setPen(Qt::NoPen);
        painter->setBrush(colors.back);
        painter->drawRoundedRect(pill, 9, 9);
        painter->setPen(colors.ink);
        painter->drawText(pill, Qt::AlignCenter,
                          metrics.elidedText(text, Qt::ElideRight, width - kPadding + 2));
    }
    painter->restore();
}

QSize ProgressDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (index.data(kProgressRole).isValid())
        size.setWidth(std::max(size.width(), 160));
    else if (!index.data(kChipRole).toString().isEmpty())
        size.setWidth(size.width() + 26);
    return size;
}

} // namespace scalebench
