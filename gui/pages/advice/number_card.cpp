// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/advice/number_card.h"

#include "widgets/widgets.h"

#include <QVBoxLayout>

namespace scalebench {

NumberCard::NumberCard(QWidget* parent)
    : QFrame(parent),
      m_value(makeLabel(QString(), "title")),
      m_label(makeLabel(QString())),
      m_note(makeLabel(QString(), "muted"))
{
    setProperty("card", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 9, 14, 9);
    column->setSpacing(2);
    for (QLabel* label : {m_value, m_label, m_note}) {
        label->setWordWrap(label != m_value);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
    }
    column->addStretch(1);
}

void NumberCard::setNumber(const AdviceNumber& number)
{
    m_value->setText(number.value);
    m_label->setText(number.label);
    m_note->setText(number.note);
    setAccessibleName(QStringLiteral("%1 %2").arg(number.value, number.label));
    setAccessibleDescription(number.note);
}

} // namespace scalebench
