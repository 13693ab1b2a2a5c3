// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Applies the chosen theme to the application, live, and tells those who paint by hand.

#include "settings/theme.h"

#include <QHash>
#include <QIcon>
#include <QObject>

namespace scalebench {

class SystemLook;

class ThemeManager : public QObject
{
    Q_OBJECT
public:
    static ThemeManager& instance();

    /// Palette, style sheet and icons of the whole application. "System" follows the desktop,
    /// also when that changes.
    void apply(ThemeChoice choice);
    const Theme& theme() const { return *m_theme; }

    /// Icon of resources/icons, drawn in the theme's text colour (white-on-accent where
    /// `onAccent`).
    QIcon icon(const QString& name, bool onAccent = false) const;
    /// The same icon in another colour of the theme.
    QIcon tinted(const QString& name, const QColor& color) const;

Q_SIGNALS:
    void changed();

private:
    ThemeManager();
    QIcon render(const QString& name, const QColor& color, const QColor& active) const;
    const Theme* m_theme;
    ThemeChoice m_choice = ThemeChoice::System;
    SystemLook* m_system;
    mutable QHash<QString, QIcon> m_tinted; ///< drawn once per theme: delegates ask at each paint
};

/// The application has no style sheet while one lives. With one, Qt styles a whole tree of widgets
/// anew each time it gets a parent, level by level, which took two thirds of a window's start;
/// built within such a scope, what is never shown is never styled either.
class UnstyledScope
{
public:
    UnstyledScope();
    ~UnstyledScope();
    UnstyledScope(const UnstyledScope&) = delete;
    UnstyledScope& operator=(const UnstyledScope&) = delete;

private:
    QString m_sheet;
};

} // namespace scalebench
