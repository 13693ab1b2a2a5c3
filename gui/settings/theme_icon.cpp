// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/theme_icon.h"

#include "settings/theme_manager.h"

#include <QFile>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace scalebench {

static QString svgFile(const QString& name)
{
    return QStringLiteral(":/scalebench/icons/%1.svg").arg(name);
}

ThemeIcon::ThemeIcon(const QString& name, bool onAccent) : m_name(name), m_onAccent(onAccent) {}

ThemeIcon::ThemeIcon(const QString& name, const QColor& color) : m_name(name), m_color(color) {}

bool ThemeIcon::isNull()
{
    return !QFile::exists(svgFile(m_name));
}

QColor ThemeIcon::ink(QIcon::Mode mode, QIcon::State state) const
{
    const Theme& theme = ThemeManager::instance().theme();
    if (mode == QIcon::Disabled)
        return theme.textDisabled;
    if (m_color.isValid())
        return m_color;
    if (m_onAccent)
        return theme.accentText;
    return state == QIcon::On ? theme.accent : theme.textMuted;
}

QPixmap ThemeIcon::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state)
{
    const QColor color = ink(mode, state);
    const QString key = QStringLiteral("scalebench/%1/%2/%3x%4")
                            .arg(m_name, color.name(QColor::HexArgb))
                            .arg(size.width())
                            .arg(size.height());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QFile file(svgFile(m_name));
    if (size.isEmpty() || !file.open(QIODevice::ReadOnly))
        return {};
    QSvgRenderer renderer(file.readAll().replace("currentColor", color.name().toUtf8()));
    renderer.setAspectRatioMode(Qt::KeepAspectRatio);
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

void ThemeIcon::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state)
{
    const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1;
    const QSize size = (QSizeF(rect.size()) * ratio).toSize();
    painter->drawPixmap(rect, pixmap(size, mode, state));
}

} // namespace scalebench
