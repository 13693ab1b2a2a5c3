// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/choice_box.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QScreen>
#include <QStyleOptionComboBox>
#include <QToolTip>

#include <algorithm>

namespace scalebench {

ChoiceBox::ChoiceBox(QWidget* parent) : QComboBox(parent)
{
    constexpr int kLeast = 13; // characters, with the arrow
    setMinimumWidth(kLeast * fontMetrics().averageCharWidth());
}

void ChoiceBox::showPopup()
{
    const int frame = 2 * view()->frameWidth() + style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    view()->setMinimumWidth(std::min(view()->sizeHintForColumn(modelColumn()) + frame,
                                     screen()->availableGeometry().width() / 2));
    QComboBox::showPopup();
}

void ChoiceBox::initStyleOption(QStyleOptionComboBox* option) const
{
    QComboBox::initStyleOption(option);
    if (isEditable())
        return;
    int room = style()
                   ->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this)
                   .width();
    if (!option->currentIcon.isNull())
        room -= option->iconSize.width() + 4; // as QComboBox's own size has it
    option->currentText = fontMetrics().elidedText(option->currentText, Qt::ElideRight, room);
}

bool ChoiceBox::event(QEvent* event)
{
    QStyleOptionComboBox option;
    if (event->type() == QEvent::ToolTip)
        initStyleOption(&option);
    if (event->type() != QEvent::ToolTip || option.currentText == currentText())
        return QComboBox::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), currentText(), this);
    return true;
}

} // namespace scalebench
