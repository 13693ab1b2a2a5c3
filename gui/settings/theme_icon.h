// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An icon of resources/icons that is drawn when it is painted, in the colours that the theme has
// then and as sharp as the screen: a change of theme has nothing to do for it.

#include <QColor>
#include <QIconEngine>
#include <QString>

namespace scalebench {

class ThemeIcon : public QIconEngine
{
public:
    ThemeIcon(const QString& name, bool onAccent);
    /// Always in this colour.
    ThemeIcon(const QString& name, const QColor& color);

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    QIconEngine* clone() const override { return new ThemeIcon(*this); }
    bool isNull() override;

private:
    QColor ink(QIcon::Mode mode, QIcon::State state) const;

    QString m_name;
    QColor m_color; ///< invalid: the theme's
    bool m_onAccent = false;
};

} // namespace scalebench
