// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop_link.h"

#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "settings/app_settings.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QTimer>
#include <QWidget>

#include <algorithm>

namespace scalebench {

namespace {

constexpr int kBadgeMs = 1000;
const QString kNotices = QStringLiteral("org.freedesktop.Notifications");
const QString kNoticesPath = QStringLiteral("/org/freedesktop/Notifications");
const QString kLogin = QStringLiteral("org.freedesktop.login1");

/// Never waits: an answer arrives as an event, or none does.
QDBusPendingCallWatcher* call(const QDBusConnection& bus, const QDBusMessage& message,
                              QObject* owner)
{
    if (!bus.isConnected())
        return nullptr;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(message), owner);
    QObject::connect(watcher, &QDBusPendingCallWatcher::finished, watcher, &QObject::deleteLater);
    return watcher;
}

} // namespace

DesktopLink::DesktopLink(Session* session, QWidget* window)
    : QObject(window),
      m_session(session),
      m_live(session->live()),
      m_window(window),
      m_timer(new QTimer(this))
{
    connect(m_live, &LiveStudy::started, this, &DesktopLink::refresh);
    connect(m_live, &LiveStudy::left, this, &DesktopLink::refresh);
    connect(m_live, &LiveStudy::finished, this, [this] {
        refresh();
        tellOfTheEnd();
    });
    m_timer->setInterval(kBadgeMs);
    connect(m_timer, &QTimer::timeout, this, [this] { showProgress(true); });
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (bus.isConnected())
        bus.connect(kNotices, kNoticesPath, kNotices, QStringLiteral("ActionInvoked"), this,
                    SLOT(noticeClicked(uint, QString)));
}

DesktopLink::~DesktopLink()
{
    if (m_progressShown)
        showProgress(false);
}

void DesktopLink::refresh()
{
    const bool active = m_live->isTraining();
    // What runs elsewhere does not mind that this computer sleeps.
    if (active && !m_live->connection().remote && !m_asked &&
        AppSettings::instance().keepsAwake()) {
        stayAwake();
    } else if (!active) {
        m_awake = QDBusUnixFileDescriptor();
        m_asked = false;
    }
    if (active != m_timer->isActive())
        active ? m_timer->start() : m_timer->stop();
    if (active || m_progressShown)
        showProgress(active);
}

void DesktopLink::stayAwake()
{
    m_asked = true;
    auto message = QDBusMessage::createMethodCall(kLogin, QStringLiteral("/org/freedesktop/login1"),
                                                  kLogin + QStringLiteral(".Manager"),
                                                  QStringLiteral("Inhibit"));
    message << QStringLiteral("sleep:idle") << QStringLiteral("Scalebench")
            << tr("A study is training on this computer") << QStringLiteral("block");
    auto* watcher = call(QDBusConnection::systemBus(), message, this);
    if (!watcher)
        return;
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusUnixFileDescriptor> reply = *watcher;
        if (reply.isValid() && m_asked) // else the study has ended meanwhile
            m_awake = reply.value();
    });
}

/// As Unity introduced it and KDE and most docks read it.
void DesktopLink::showProgress(bool visible)
{
    m_progressShown = visible;
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    auto signal = QDBusMessage::createSignal(QStringLiteral("/com/scalebench/Workbench"),
                                             QStringLiteral("com.canonical.Unity.LauncherEntry"),
                                             QStringLiteral("Update"));
    signal << QStringLiteral("application://com.scalebench.Workbench.desktop")
           << QVariantMap{{QStringLiteral("progress"), visible ? m_live->progress() : 0.0},
                          {QStringLiteral("progress-visible"), visible}};
    bus.send(signal);
}

void DesktopLink::tellOfTheEnd()
{
    if (m_live->isReplay() || m_window->isActiveWindow() || !AppSettings::instance().notifies())
        return;
    QApplication::alert(m_window);
    const Study& study = m_live->study();
    const auto reached =
        std::count_if(study.runs.begin(), study.runs.end(),
                      [](const RunRecord& run) { return run.state == RunState::Completed; });
    auto message =
        QDBusMessage::createMethodCall(kNotices, kNoticesPath, kNotices, QStringLiteral("Notify"));
    // Servers may read markup: text from outside is shown as it is.
    const QString name = study.spec.name.isEmpty() ? study.id : study.spec.name;
    message << QStringLiteral("Scalebench") << m_notice
            << QStringLiteral("com.scalebench.Workbench") << tr("The study has ended")
            << tr("%1: %2 of %n run(s) completed.", nullptr, static_cast<int>(study.runs.size()))
                   .arg(name.toHtmlEscaped())
                   .arg(reached)
            << QStringList{QStringLiteral("default"), tr("Show")} << QVariantMap() << -1;
    auto* watcher = call(QDBusConnection::sessionBus(), message, this);
    if (!watcher)
        return;
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<uint> reply = *watcher;
        if (reply.isValid())
            m_notice = reply.value();
    });
}

void DesktopLink::noticeClicked(uint id, const QString&)
{
    if (id == 0 || id != m_notice) // somebody else's
        return;
    m_session->showPage(page_id::kRun);
    m_window->show();
    m_window->raise();
    m_window->activateWindow();
}

} // namespace scalebench
