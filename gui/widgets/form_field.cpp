// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form_field.h"

#include "widgets/widgets.h"

#include <QVBoxLayout>

namespace scalebench {

FormField::FormField(const QString& label, QWidget* control, const QString& hint, QWidget* parent)
    : QWidget(parent),
      m_control(control),
      m_label(new QLabel(label)),
      m_message(makeLabel(QString(), "small"))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_label);
    layout->addWidget(control);
    layout->addWidget(m_message);
    m_label->setBuddy(control);
    m_label->setVisible(!label.isEmpty());
    m_message->setWordWrap(true);
    control->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    setHint(hint);
}

void FormField::setHint(const QString& hint)
{
    m_hint = hint;
    setMessage(QString(), false);
}

void FormField::setMessage(const QString& text, bool error)
{
    const bool problem = !text.isEmpty();
    m_message->setText(problem ? text : m_hint);
    m_message->setVisible(problem || !m_hint.isEmpty());
    setStyleProperty(m_message, "role",
                     !problem ? QStringLiteral("small")
                              : (error ? QStringLiteral("error") : QStringLiteral("warning")));
    setStyleProperty(m_control, "invalid", problem && error);
    m_control->setAccessibleDescription(m_message->text());
}

QString FormField::label() const
{
    return m_label->text().remove(QLatin1Char('&'));
}

QString FormField::message() const
{
    return m_message->text() == m_hint ? QString() : m_message->text();
}

} // namespace scalebench
