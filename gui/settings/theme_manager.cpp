// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/theme_manager.h"

#include "settings/system_look.h"

#include <QApplication>
#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QStyle>
#include <QStyleFactory>
#include <QSvgRenderer>

namespace scalebench {

ThemeManager& ThemeManager::instance()
{
    static ThemeManager manager;
    return manager;
}

ThemeManager::ThemeManager() : m_theme(&Theme::day()), m_system(new SystemLook(this))
{
    connect(m_system, &SystemLook::changed, this, [this] {
        if (m_choice == ThemeChoice::System)
            apply(m_choice);
    });
}

void ThemeManager::apply(ThemeChoice choice)
{
    m_choice = choice;
    const bool system = choice == ThemeChoice::System;
    if (choice == ThemeChoice::Contrast || (system && m_system->wantsContrast()))
        m_theme = &Theme::contrast();
    else if (choice == ThemeChoice::Dark || (system && m_system->isDark()))
        m_theme = &Theme::night();
    else
        m_theme = &Theme::day();
    // Fusion is the one style that takes its colours from the palette alone.
    if (QApplication::style()->name().compare(QLatin1String("fusion"), Qt::CaseInsensitive) != 0)
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    // Replacing one sheet by another styles all widgets, and a palette under a sheet again: four
    // times as long as taking the sheet away first.
    qApp->setStyleSheet({});
    QApplication::setPalette(m_theme->palette());
    qApp->setStyleSheet(m_theme->styleSheet());
    m_tinted.clear();
    Q_EMIT changed();
}

UnstyledScope::UnstyledScope() : m_sheet(qApp->styleSheet())
{
    if (!m_sheet.isEmpty())
        qApp->setStyleSheet({});
}

UnstyledScope::~UnstyledScope()
{
    if (!m_sheet.isEmpty())
        qApp->setStyleSheet(m_sheet);
}

QIcon ThemeManager::icon(const QString& name, bool onAccent) const
{
    return onAccent ? render(name, m_theme->accentText, m_theme->accentText)
                    : render(name, m_theme->textMuted, m_theme->accent);
}

QIcon ThemeManager::tinted(const QString& name, const QColor& color) const
{
    QIcon& icon = m_tinted[name + color.name()];
    if (icon.isNull())
        icon = render(name, color, color);
    return icon;
}

QIcon ThemeManager::render(const QString& name, const QColor& color, const QColor& active) const
{
    QFile file(QStringLiteral(":/scalebench/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray source = file.readAll();
    QIcon icon;
    const auto add = [&](const QColor& ink, QIcon::Mode mode, QIcon::State state) {
        QByteArray svg = source;
        svg.replace("currentColor", ink.name().toUtf8());
        QSvgRenderer renderer(svg);
        for (const int size : {16, 20, 24, 32, 48, 64}) {
            QPixmap pixmap(size, size);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            renderer.render(&painter);
            painter.end();
            icon.addPixmap(pixmap, mode, state);
        }
    };
    add(color, QIcon::Normal, QIcon::Off);
    add(active, QIcon::Normal, QIcon::On);
    add(m_theme->textDisabled, QIcon::Disabled, QIcon::Off);
    return icon;
}

} // namespace scalebench
