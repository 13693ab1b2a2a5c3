// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Applies the chosen theme to the application, live, and tells those who paint by hand.

#include "settings/theme.h"

#include <QIcon>
#include <QObject>

#include <functional>

class QWidget;

namespace scalebench {

class Restyle;
class SystemLook;

class ThemeManager : public QObject
{
    Q_OBJECT
public:
    static ThemeManager& instance();

    /// Palette, style sheet and icons of the whole application. "System" follows the desktop,
    /// also when that changes.
    void apply(ThemeChoice choice);
    /// The same while windows are shown: in short events, so that they go on answering.
    void change(ThemeChoice choice);
    /// Does work that makes many widgets, part by part until it says true, each part an event of
    /// its own, while no widget has a style: with one, each tree of them is styled level by level.
    /// The windows stand still meanwhile.
    void workUnstyled(const std::function<bool()>& work);
    /// A widget that is about to be shown looks as it should, whatever change is going on.
    void settle(const QWidget* widget);
    /// A change goes on that is not to be seen yet.
    bool isChanging() const;
    /// Colours of lines and bars that a person chose, by slot; what is not valid is the theme's.
    void setSeriesColors(const QList<QColor>& colors);
    ThemeChoice choice() const { return m_choice; }
    const Theme& theme() const { return *m_theme; }

    /// Icon of resources/icons, in the text colour of the theme that there is when it is painted
    /// (white-on-accent where `onAccent`).
    static QIcon icon(const QString& name, bool onAccent = false);
    /// The same icon in another colour.
    static QIcon tinted(const QString& name, const QColor& color);

Q_SIGNALS:
    void changed();

private:
    ThemeManager();
    void choose(ThemeChoice choice);
    const Theme* m_theme;
    ThemeChoice m_choice = ThemeChoice::System;
    SystemLook* m_system;
    Restyle* m_restyle;
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
