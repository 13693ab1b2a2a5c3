// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whether the desktop is dark or wants high contrast, and when that changes: by the desktop portal,
// where there is one; until it has answered, and without one, by the palette that the application
// was started with.

#include <QObject>
#include <QVariant>

class QDBusVariant;

namespace scalebench {

class SystemLook : public QObject
{
    Q_OBJECT
public:
    /// Needs the application's own palette: create it before a theme is applied.
    explicit SystemLook(QObject* parent = nullptr);
    bool isDark() const { return m_dark; }
    bool wantsContrast() const { return m_contrast; }

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void settingChanged(const QString& group, const QString& name, const QDBusVariant& value);

private:
    void ask(const QString& name);
    void take(const QString& name, QVariant value);

    bool m_dark = false;
    bool m_contrast = false;
};

} // namespace scalebench
