// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/theme.h"

#include <QFile>
#include <QMap>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

QList<QColor>& ownSeriesColors()
{
    static QList<QColor> colors;
    return colors;
}

QColor c(unsigned rgb)
{
    return QColor::fromRgb(static_cast<QRgb>(0xff000000U | rgb));
}

Theme makeDay()
{
    Theme t;
    t.window = c(0xf4f5f7), t.surface = c(0xffffff), t.surfaceAlt = c(0xf8f9fb);
    t.border = c(0xdfe2e7), t.borderStrong = c(0x858d98);
    t.text = c(0x1d232b), t.textMuted = c(0x5a6472), t.textDisabled = c(0x9aa2ad);
    t.accent = c(0x0b66c3), t.accentHover = c(0x0956a5), t.accentText = c(0xffffff);
    t.accentSoft = c(0xe3effb);
    t.good = c(0x187a48), t.goodSoft = c(0xe2f4ea);
    t.warn = c(0x8a5a00), t.warnSoft = c(0xfdf1d8);
    t.bad = c(0xb3261e), t.badSoft = c(0xfbe6e4);
    t.grid = c(0xe6e8ec), t.axis = c(0x8a93a0);
    t.bar = c(0xeaecf0);
    t.series = {c(0x0072b2), c(0xc98500), c(0x009e73), c(0xd55e00),
                c(0xcc79a7), c(0x3a96cf), c(0x6b7280), c(0xa09000)};
    return t;
}

Theme makeNight()
{
    Theme t;
    t.dark = true;
    t.window = c(0x1b1e24), t.surface = c(0x23272f), t.surfaceAlt = c(0x2a2f38);
    t.border = c(0x363c47), t.borderStrong = c(0x757d8b);
    t.text = c(0xe7eaef), t.textMuted = c(0xa4adba), t.textDisabled = c(0x6c7583);
    t.accent = c(0x4c9df0), t.accentHover = c(0x6ab0f7), t.accentText = c(0x0d1622);
    t.accentSoft = c(0x1f3044);
    t.good = c(0x56c98b), t.goodSoft = c(0x1e3a2c);
    t.warn = c(0xe5b04c), t.warnSoft = c(0x40341b);
    t.bad = c(0xf2837b), t.badSoft = c(0x472524);
    t.grid = c(0x343a44), t.axis = c(0x7d8795);
    t.bar = c(0x16191e);
    t.series = {c(0x3a9be0), c(0xf0ae22), c(0x1fba8d), c(0xf07a2b),
                c(0xdd92ba), c(0x8dcdf5), c(0xa4adba), c(0xf0e442)};
    return t;
}

Theme makeContrast()
{
    Theme t = makeNight();
    t.window = t.surface = t.surfaceAlt = t.bar = c(0x000000);
    t.border = t.borderStrong = t.text = t.textMuted = t.axis = c(0xffffff);
    t.textDisabled = c(0xb4b4b4);
    t.accent = t.accentHover = c(0xffe04a), t.accentText = c(0x000000);
    t.accentSoft = c(0x333300);
    t.good = c(0x7dffb0), t.goodSoft = c(0x002a14);
    t.warn = c(0xffc14a), t.warnSoft = c(0x332200);
    t.bad = c(0xffa39c), t.badSoft = c(0x3a0000);
    t.grid = c(0x5a5a5a);
    return t;
}

QMap<QString, QColor> names(const Theme& t)
{
    return {{QStringLiteral("window"), t.window},
            {QStringLiteral("surface"), t.surface},
            {QStringLiteral("surfaceAlt"), t.surfaceAlt},
            {QStringLiteral("border"), t.border},
            {QStringLiteral("borderStrong"), t.borderStrong},
            {QStringLiteral("text"), t.text},
            {QStringLiteral("textMuted"), t.textMuted},
            {QStringLiteral("textDisabled"), t.textDisabled},
            {QStringLiteral("accent"), t.accent},
            {QStringLiteral("accentHover"), t.accentHover},
            {QStringLiteral("accentText"), t.accentText},
            {QStringLiteral("accentSoft"), t.accentSoft},
            {QStringLiteral("good"), t.good},
            {QStringLiteral("goodSoft"), t.goodSoft},
            {QStringLiteral("warn"), t.warn},
            {QStringLiteral("warnSoft"), t.warnSoft},
            {QStringLiteral("bad"), t.bad},
            {QStringLiteral("badSoft"), t.badSoft},
            {QStringLiteral("bar"), t.bar}};
}

} // namespace

QStringList themeChoiceNames()
{
    QStringList names;
    for (const auto choice :
         {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::Contrast})
        names << themeChoiceName(choice);
    return names;
}

QString themeChoiceName(ThemeChoice choice)
{
    switch (choice) {
    case ThemeChoice::Contrast:
        return QStringLiteral("contrast");
    case ThemeChoice::Light:
        return QStringLiteral("light");
    case ThemeChoice::Dark:
        return QStringLiteral("dark");
    case ThemeChoice::System:
        break;
    }
    return QStringLiteral("system");
}

ThemeChoice themeChoiceFromName(const QString& name)
{
    if (name == QLatin1String("light"))
        return ThemeChoice::Light;
    if (name == QLatin1String("contrast"))
        return ThemeChoice::Contrast;
    return name == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

const Theme& Theme::day()
{
    static const Theme theme = makeDay();
    return theme;
}

const Theme& Theme::night()
{
    static const Theme theme = makeNight();
    return theme;
}

const Theme& Theme::contrast()
{
    static const Theme theme = makeContrast();
    return theme;
}

QPalette Theme::palette() const
{
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, surface);
    p.setColor(QPalette::AlternateBase, surfaceAlt);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, textMuted);
    p.setColor(QPalette::Button, surface);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, bad);
    p.setColor(QPalette::ToolTipBase, surface);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, accentText);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, accent);
    p.setColor(QPalette::Light, surface);
    p.setColor(QPalette::Midlight, surfaceAlt);
    p.setColor(QPalette::Mid, border);
    p.setColor(QPalette::Dark, borderStrong);
    p.setColor(QPalette::Shadow, borderStrong);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, textDisabled);
    p.setColor(QPalette::Disabled, QPalette::Highlight, borderStrong);
    return p;
}

QString Theme::styleSheet() const
{
    QFile file(QStringLiteral(":/scalebench/style/app.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const auto table = names(*this);
    // Longest names first, so that @accentSoft is not taken for @accent.
    QStringList keys = table.keys();
    std::sort(keys.begin(), keys.end(),
              [](const QString& a, const QString& b) { return a.size() > b.size(); });
    for (const QString& key : std::as_const(keys))
        sheet.replace(QLatin1Char('@') + key, table.value(key).name());
    const QString shade = dark ? QStringLiteral("dark") : QStringLiteral("light");
    sheet.replace(QLatin1String("@shade"), shade);
    return sheet;
}

/// As WCAG 2 counts it: 1 to 21.
static double contrastOf(const QColor& a, const QColor& b)
{
    const auto light = [](const QColor& color) {
        const auto part = [](double c) {
            return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        };
        return 0.05 + 0.2126 * part(color.redF()) + 0.7152 * part(color.greenF()) +
               0.0722 * part(color.blueF());
    };
    return std::max(light(a), light(b)) / std::min(light(a), light(b));
}

QColor Theme::seenOnSurface(QColor color) const
{
    constexpr double kLeast = 1.5;
    constexpr float kStep = 0.1F;
    const auto nearer = [](float from, float to) { return from + kStep * (to - from); };
    for (int step = 0; step < 20 && contrastOf(color, surface) < kLeast; ++step)
        color = QColor::fromRgbF(nearer(color.redF(), text.redF()),
                                 nearer(color.greenF(), text.greenF()),
                                 nearer(color.blueF(), text.blueF()));
    return color;
}

QColor Theme::seriesColor(int slot) const
{
    const qsizetype place = slot % series.size();
    const QColor own = ownSeriesColors().value(place);
    return own.isValid() ? own : series[place];
}

void Theme::setOwnSeriesColors(const QList<QColor>& colors)
{
    ownSeriesColors() = colors;
}

} // namespace scalebench
