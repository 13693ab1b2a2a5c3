// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one table of colours. Widgets get them as palette and style sheet, charts as values; no other
// file names a colour.

#include <QColor>
#include <QList>
#include <QPalette>
#include <QString>
#include <QStringList>

namespace scalebench {

enum class ThemeChoice { System, Light, Dark, Contrast };

QStringList themeChoiceNames();
QString themeChoiceName(ThemeChoice choice); ///< "system", "light", "dark", "contrast"
ThemeChoice themeChoiceFromName(const QString& name);

struct Theme {
    bool dark = false;
    QColor window, surface, surfaceAlt, border, borderStrong;
    QColor text, textMuted, textDisabled;
    QColor accent, accentHover, accentText, accentSoft;
    QColor good, goodSoft, warn, warnSoft, bad, badSoft;
    QColor grid, axis;
    QColor bar;           ///< activity bar
    QList<QColor> series; ///< Okabe-Ito, darkest first; slot n has the same hue in both themes

    static const Theme& day();
    static const Theme& night();
    static const Theme& contrast(); ///< white and yellow on black, borders everywhere
    QPalette palette() const;
    /// resources/style/app.qss with the names of this table filled in.
    QString styleSheet() const;
    /// The person's own where there is one.
    QColor seriesColor(int slot) const;
    /// A colour that is hardly told from the charts' ground, nearer to the text's until it is.
    QColor seenOnSurface(QColor color) const;
    /// By slot, in every theme; what is not valid is the theme's.
    static void setOwnSeriesColors(const QList<QColor>& colors);
};

} // namespace scalebench
