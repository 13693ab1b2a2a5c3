// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/activity_bar.h"

#include "widgets/widgets.h"

#include <QAction>
#include <QEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace scalebench {

namespace {
constexpr int kLeastWidth = 78;
constexpr int kIcon = 24;
constexpr int kLeastPadding = 6; ///< above and below an icon without its name
constexpr int kMargins = 14;     ///< beside the text: the mark of the chosen page and padding
} // namespace

ActivityBar::ActivityBar(QWidget* parent) : QFrame(parent), m_column(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("activityBar"));
    setFixedWidth(kLeastWidth);
    m_column->setContentsMargins(0, 6, 0, 6);
    m_column->setSpacing(2);
    m_column->addStretch(1);
    m_column->setSizeConstraint(QLayout::SetNoConstraint);
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
    button->setIconSize({kIcon, kIcon});
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

/// Of the icons: a bar of names would keep the window from a low screen.
QSize ActivityBar::minimumSizeHint() const
{
    const int buttons = m_column->count() - 1;
    return {width(), 12 + buttons * (kIcon + kLeastPadding + m_column->spacing())};
}

void ActivityBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    if (m_named)
        m_namedHeight = m_column->sizeHint().height();
    setNamed(height() >= m_namedHeight);
}

void ActivityBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange)
        return;
    setNamed(true); // their height is another
    m_namedHeight = m_column->sizeHint().height();
    setNamed(height() >= m_namedHeight);
}

void ActivityBar::setNamed(bool named)
{
    if (m_named == named)
        return;
    m_named = named;
    for (auto* button : findChildren<QToolButton*>()) {
        button->setToolButtonStyle(named ? Qt::ToolButtonTextUnderIcon : Qt::ToolButtonIconOnly);
        setStyleProperty(button, "low", !named);
    }
}

} // namespace scalebench
