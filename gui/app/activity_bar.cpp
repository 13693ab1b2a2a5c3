// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/activity_bar.h"

#include "widgets/widgets.h"

#include <QAction>
#include <QToolButton>
#include <QVBoxLayout>

namespace scalebench {

namespace {
constexpr int kWidth = 78;
}

ActivityBar::ActivityBar(QWidget* parent) : QFrame(parent), m_column(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("activityBar"));
    setFixedWidth(kWidth);
    m_column->setContentsMargins(0, 6, 0, 6);
    m_column->setSpacing(2);
    m_column->addStretch(1);
}

void ActivityBar::addPage(QAction* action, const QString& icon)
{
    auto* button = new QToolButton;
    button->setCheckable(true);
    button->setChecked(action->isChecked());
    button->setText(QString(action->text()).remove(QLatin1Char('&')));
    button->setAccessibleName(button->text());
    button->setToolTip(
        QStringLiteral("%1 (%2)").arg(button->text(), action->shortcut().toString()));
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIconSize({24, 24});
    button->setFixedWidth(kWidth - 1);
    setThemeIcon(button, icon);
    connect(button, &QToolButton::clicked, action, [button, action] {
        action->trigger();
        button->setChecked(true);
    });
    connect(action, &QAction::toggled, button, &QToolButton::setChecked);
    m_column->insertWidget(m_column->count() - 1, button);
}

} // namespace scalebench
