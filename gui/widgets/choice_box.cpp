// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/choice_box.h"

#include <QStyleOptionComboBox>

namespace scalebench {

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

} // namespace scalebench
