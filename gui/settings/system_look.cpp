// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/system_look.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QPalette>

namespace scalebench {

namespace {
const QString kPortal = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kSettings = QStringLiteral("org.freedesktop.portal.Settings");
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kScheme = QStringLiteral("color-scheme"); ///< 1: dark, 2: light, 0: whatever
const QString kContrast = QStringLiteral("contrast");   ///< 1: high
} // namespace

SystemLook::SystemLook(QObject* parent)
    : QObject(parent), m_dark(QApplication::palette().color(QPalette::Window).lightness() < 128)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kPortal, kPath, kSettings, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    ask(kScheme);
    ask(kContrast);
}

void SystemLook::ask(const QString& name)
{
    auto message =
        QDBusMessage::createMethodCall(kPortal, kPath, kSettings, QStringLiteral("Read"));
    message << kGroup << name;
    auto* watcher =
        new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(message), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, name] {
        watcher->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (reply.isValid())
            take(name, reply.value().variant());
    });
}

void SystemLook::settingChanged(const QString& group, const QString& name,
                                const QDBusVariant& value)
{
    if (group == kGroup)
        take(name, value.variant());
}

void SystemLook::take(const QString& name, QVariant value)
{
    if (value.metaType() == QMetaType::fromType<QDBusVariant>()) // Read() wraps twice
        value = value.value<QDBusVariant>().variant();
    const uint number = value.toUInt();
    if (name == kScheme && number != 0 && m_dark != (number == 1)) {
        m_dark = number == 1;
        Q_EMIT changed();
    } else if (name == kContrast && m_contrast != (number == 1)) {
        m_contrast = number == 1;
        Q_EMIT changed();
    }
}

} // namespace scalebench
