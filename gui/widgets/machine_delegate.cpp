// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/machine_delegate.h"

#include "models/machine_list_model.h"
#include "settings/theme_manager.h"

#include <QApplication>
#include <QPainter>

namespace scalebench {

namespace {

constexpr int kIcon = 22;
constexpr int kMachineState = 15;
constexpr int kMachinePadding = 9;

struct StateLook {
    QString symbol;
    QColor ink;
};

StateLook stateLook(int state)
{
    const Theme& t = ThemeManager::instance().theme();
    switch (static_cast<MachineListModel::State>(state)) {
    case MachineListModel::State::Draft:
        return {QStringLiteral("info"), t.textMuted};
    case MachineListModel::State::Checking:
        return {QStringLiteral("refresh"), t.accent};
    case MachineListModel::State::Good:
        return {QStringLiteral("ok"), t.good};
    case MachineListModel::State::Warning:
        return {QStringLiteral("warning"), t.warn};
    case MachineListModel::State::Problem:
        return {QStringLiteral("error"), t.bad};
    case MachineListModel::State::Unknown:
        break;
    }
    return {};
}

QFont smallFont(QFont font)
{
    font.setPointSizeF(font.pointSizeF() - 1);
    return font;
}

} // namespace

void MachineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const
{
    QStyleOptionViewItem background(option);
    initStyleOption(&background, index);
    const QString name = background.text;
    background.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &background, painter,
                                       option.widget);
    auto& themes = ThemeManager::instance();
    const Theme& theme = themes.theme();
    const bool selected = option.state & QStyle::State_Selected;
    const QRect box = option.rect.adjusted(kMachinePadding, 0, -kMachinePadding, 0);
    painter->save();
    if (selected)
        painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()),
                          theme.accent);
    themes
        .tinted(index.data(MachineListModel::IconNameRole).toString(),
                selected ? theme.accent : theme.textMuted)
        .paint(painter, QRect(box.left(), box.center().y() - kIcon / 2, kIcon, kIcon));
    QRect text = box.adjusted(kIcon + kMachinePadding, 0, 0, 0);
    const StateLook state = stateLook(index.data(MachineListModel::StateRole).toInt());
    if (!state.symbol.isEmpty()) {
        themes.tinted(state.symbol, state.ink)
            .paint(painter,
                   QRect(text.right() - kMachineState, text.center().y() - kMachineState / 2,
                         kMachineState, kMachineState));
        text.setRight(text.right() - kMachineState - 6);
    }
    QFont bold(option.font);
    bold.setBold(true);
    const QFont small = smallFont(option.font);
    const int lines = QFontMetrics(bold).height() + QFontMetrics(small).height();
    QRect line(text.left(), text.center().y() - lines / 2, text.width(),
               QFontMetrics(bold).height());
    painter->setFont(bold);
    painter->setPen(theme.text);
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(bold).elidedText(name, Qt::ElideRight, line.width()));
    line.moveTop(line.bottom());
    line.setHeight(QFontMetrics(small).height());
    painter->setFont(small);
    painter->setPen(theme.textMuted);
    painter->drawText(
        line, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(small).elidedText(index.data(MachineListModel::SubtitleRole).toString(),
                                       Qt::ElideRight, line.width()));
    painter->restore();
}

QSize MachineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {160, option.fontMetrics.height() * 2 + 18};
}

} // namespace scalebench
