// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/theme_manager.h"

#include "settings/app_settings.h"
#include "settings/restyle.h"
#include "settings/system_look.h"
#include "settings/theme_icon.h"

#include <QApplication>
#include <QStyle>
#include <QStyleFactory>

#include <algorithm>

namespace scalebench {

ThemeManager& ThemeManager::instance()
{
    static ThemeManager manager;
    return manager;
}

ThemeManager::ThemeManager()
    : m_theme(&Theme::day()), m_system(new SystemLook(this)), m_restyle(new Restyle(this))
{
    Theme::setOwnSeriesColors(AppSettings::instance().seriesColors());
    connect(&AppSettings::instance(), &AppSettings::themeChanged, this, &ThemeManager::change);
    connect(m_system, &SystemLook::changed, this, [this] {
        if (m_choice == ThemeChoice::System)
            change(m_choice);
    });
}

void ThemeManager::choose(ThemeChoice choice)
{
    m_choice = choice;
    const bool system = choice == ThemeChoice::System;
    if (choice == ThemeChoice::Contrast || (system && m_system->wantsContrast()))
        m_theme = &Theme::contrast();
    else if (choice == ThemeChoice::Dark || (system && m_system->isDark()))
        m_theme = &Theme::night();
    else
        m_theme = &Theme::day();
}

void ThemeManager::apply(ThemeChoice choice)
{
    m_restyle->settle();
    choose(choice);
    // Replacing one sheet by another styles all widgets, and a palette under a sheet again: four
    // times as long as taking the sheet away first.
    qApp->setStyleSheet({});
    // Fusion is the one style that takes its colours from the palette alone. Under a sheet the
    // style is Qt's own for sheets, which has no name.
    if (QApplication::style()->name().compare(QLatin1String("fusion"), Qt::CaseInsensitive) != 0)
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(m_theme->palette());
    qApp->setStyleSheet(m_theme->styleSheet());
    Q_EMIT changed();
}

void ThemeManager::change(ThemeChoice choice)
{
    const auto windows = QApplication::topLevelWidgets();
    const bool any = std::any_of(windows.begin(), windows.end(),
                                 [](const QWidget* window) { return window->isVisible(); });
    if (!any)
        return apply(choice);
    choose(choice);
    m_restyle->start(m_theme->palette(), m_theme->styleSheet(), [this] { Q_EMIT changed(); });
}

void ThemeManager::workUnstyled(const std::function<bool()>& work)
{
    m_restyle->start(
        m_theme->palette(), m_theme->styleSheet(), [this] { Q_EMIT changed(); }, work);
}

void ThemeManager::settle(const QWidget* widget)
{
    m_restyle->settle(widget);
}

void ThemeManager::setSeriesColors(const QList<QColor>& colors)
{
    AppSettings::instance().setSeriesColors(colors);
    Theme::setOwnSeriesColors(colors);
    Q_EMIT changed();
}

bool ThemeManager::isChanging() const
{
    return m_restyle->isHolding();
}

UnstyledScope::UnstyledScope()
{
    ThemeManager::instance().settle(nullptr);
    m_sheet = qApp->styleSheet();
    if (!m_sheet.isEmpty())
        qApp->setStyleSheet({});
}

UnstyledScope::~UnstyledScope()
{
    if (!m_sheet.isEmpty())
        qApp->setStyleSheet(m_sheet);
}

QIcon ThemeManager::icon(const QString& name, bool onAccent)
{
    return QIcon(new ThemeIcon(name, onAccent));
}

QIcon ThemeManager::tinted(const QString& name, const QColor& color)
{
    return QIcon(new ThemeIcon(name, color));
}

} // namespace scalebench
