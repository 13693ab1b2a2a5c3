// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/activity_bar.h"

#include "widgets/widgets.h"

#include <QAction>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace scalebench {

namespace {
constexpr int kLeastWidth = 78;
constexpr int kMargins = 14; ///< beside the text: the mark of the chosen page and padding
} // namespace

ActivityBar::ActivityBar(QWidget* parent) : QFrame(parent), m_column(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("activityBar"));
    setFixedWidth(kLeastWidth);
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
    setThemeIcon(button, icon);
    connect(button, &QToolButton::clicked, action, [button, action] {
        action->trigger();
        button->setChecked(true);
    });
    connect(action, &QAction::toggled, button, &QToolButton::setChecked);
    m_column->insertWidget(m_column->count() - 1, button);
    QFont chosen = button->font();
    chosen.setBold(true);
    setFixedWidth(
        std::max(width(), QFontMetrics(chosen).horizontalAdvance(button->text()) + kMargins));
    for (auto* one : findChildren<QToolButton*>())
        one->setFixedWidth(width() - 1);
}

} // namespace scalebench
