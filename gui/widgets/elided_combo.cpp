// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/elided_combo.h"

#include <QHelpEvent>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>

namespace scalebench {

ElidedCombo::ElidedCombo(QWidget* parent) : QComboBox(parent)
{
    constexpr int kLeast = 13; // characters, with the arrow
    setMinimumWidth(kLeast * fontMetrics().averageCharWidth());
}

QString ElidedCombo::elided() const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect room =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    const int icon = option.currentIcon.isNull() ? 0 : option.iconSize.width() + 4;
    return fontMetrics().elidedText(currentText(), Qt::ElideRight, room.width() - icon);
}

void ElidedCombo::paintEvent(QPaintEvent*)
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText = elided();
    QStylePainter painter(this);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

bool ElidedCombo::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || elided() == currentText())
        return QComboBox::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), currentText(), this);
    return true;
}

} // namespace scalebench
