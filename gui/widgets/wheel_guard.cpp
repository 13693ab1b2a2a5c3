// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wheel_guard.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>

namespace scalebench {

namespace {
class WheelGuard : public QObject
{
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        const auto* widget = qobject_cast<QWidget*>(watched);
        if (event->type() != QEvent::Wheel || !widget || widget->hasFocus())
            return false;
        event->ignore(); // goes on to the page that scrolls
        return true;
    }
};
} // namespace

void guardWheel(QWidget* form)
{
    auto* guard = new WheelGuard(form);
    const auto add = [guard](QWidget* widget) {
        widget->setFocusPolicy(Qt::StrongFocus); // the wheel does not give the focus
        widget->installEventFilter(guard);
    };
    const auto spins = form->findChildren<QAbstractSpinBox*>();
    for (QAbstractSpinBox* spin : spins)
        add(spin);
    const auto boxes = form->findChildren<QComboBox*>();
    for (QComboBox* box : boxes)
        add(box);
}

} // namespace scalebench
