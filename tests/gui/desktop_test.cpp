// SPDX-License-Identifier: GPL-3.0-or-later
// The desktop around the window, played by this test on a bus of its own: sleep, notices, task bar,
// light and dark.
#include "gui/gui_fixture.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include "app/desktop_link.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "settings/theme_manager.h"

#include <QDBusConnection>
#include <QDBusContext>
#include <QDBusMessage>
#include <QDBusUnixFileDescriptor>
#include <QDBusVariant>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>

using namespace scalebench;
using namespace scalebench::test;

namespace {

/// logind, the notification server, a dock and the settings portal, as far as they are asked.
class FakeDesktop : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.login1.Manager")
public:
    QStringList inhibited;
    QFile held;

public Q_SLOTS:
    QDBusUnixFileDescriptor Inhibit(const QString& what, const QString&, const QString& why,
                                    const QString& mode)
    {
        inhibited << what << why << mode;
        held.setFileName(QStringLiteral("/dev/null"));
        if (!held.open(QIODevice::ReadOnly))
            return {};
        return QDBusUnixFileDescriptor(held.handle());
    }
};

class FakeNotices : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
public:
    QStringList said;

public Q_SLOTS:
    uint Notify(const QString&, uint, const QString&, const QString& summary, const QString& body,
                const QStringList& actions, const QVariantMap&, int)
    {
        said << summary << body << actions;
        return 7;
    }
Q_SIGNALS:
    void ActionInvoked(uint id, const QString& action);
};

class FakePortal : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
public:
    uint scheme = 1;

public Q_SLOTS:
    QDBusVariant Read(const QString&, const QString& name)
    {
        const uint value = name == QLatin1String("color-scheme") ? scheme : 0;
        return QDBusVariant(QVariant::fromValue(QDBusVariant(value)));
    }
Q_SIGNALS:
    void SettingChanged(const QString& group, const QString& name, const QDBusVariant& value);
};

class FakeDock : public QObject
{
    Q_OBJECT
public:
    QList<QVariantMap> updates;

public Q_SLOTS:
    void update(const QString&, const QVariantMap& values) { updates << values; }
};

} // namespace

class DesktopTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("dbus-daemon")).isEmpty())
            QSKIP("dbus-daemon is not installed");
        m_bus.start(QStringLiteral("dbus-daemon"),
                    {QStringLiteral("--session"), QStringLiteral("--nofork"),
                     QStringLiteral("--print-address")});
        QVERIFY(m_bus.waitForReadyRead(kHangMs));
        const QByteArray address = m_bus.readLine().trimmed();
        qputenv("DBUS_SESSION_BUS_ADDRESS", address);
        qputenv("DBUS_SYSTEM_BUS_ADDRESS", address);
        const auto serve = [&](const char* name, const char* path, QObject* object) {
            // A connection of its own, as another program has.
            QDBusConnection bus = QDBusConnection::connectToBus(QString::fromUtf8(address),
                                                                QString::fromLatin1(name));
            QVERIFY(bus.registerObject(QString::fromLatin1(path), object,
                                       QDBusConnection::ExportAllSlots |
                                           QDBusConnection::ExportAllSignals));
            QVERIFY(bus.registerService(QString::fromLatin1(name)));
        };
        serve("org.freedesktop.login1", "/org/freedesktop/login1", &m_login);
        serve("org.freedesktop.Notifications", "/org/freedesktop/Notifications", &m_notices);
        serve("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", &m_portal);
        QDBusConnection dock =
            QDBusConnection::connectToBus(QString::fromUtf8(address), QStringLiteral("dock"));
        QVERIFY(
            dock.connect(QString(), QString(), QStringLiteral("com.canonical.Unity.LauncherEntry"),
                         QStringLiteral("Update"), &m_dock, SLOT(update(QString, QVariantMap))));
        initGuiTest();
        useFakeEngine("ok", 6, 60);
    }

    /// First, before anything chooses a theme: the portal says dark, then light, then contrast.
    void followsTheDesktopsLook()
    {
        auto& themes = ThemeManager::instance();
        themes.apply(ThemeChoice::System);
        QTRY_VERIFY_WITH_TIMEOUT(themes.theme().dark, kHangMs);
        const QString group = QStringLiteral("org.freedesktop.appearance");
        const auto change = [&](const char* name, uint value) {
            Q_EMIT m_portal.SettingChanged(group, QString::fromLatin1(name), QDBusVariant(value));
        };
        change("color-scheme", 2);
        QTRY_VERIFY_WITH_TIMEOUT(!themes.theme().dark, kHangMs);
        change("contrast", 1);
        QTRY_COMPARE_WITH_TIMEOUT(themes.theme().window, Theme::contrast().window, kHangMs);
        change("contrast", 0);
        QTRY_COMPARE_WITH_TIMEOUT(themes.theme().window, Theme::day().window, kHangMs);
        themes.apply(ThemeChoice::Light); // chosen by hand: the desktop is not followed
        change("color-scheme", 1);
        QTest::qWait(200);
        QVERIFY(!themes.theme().dark);
    }

    void staysAwakeAndTellsOfTheEnd()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
            QSKIP("mpirun is not installed");
        TemporaryLibrary library;
        Session session(LibraryPlace{library.folder.path(), false});
        QWidget window; // never shown: nobody looks
        auto* link = new DesktopLink(&session, &window);
        QVERIFY(!link->keepsAwake());
        StudySpec spec;
        spec.name = QStringLiteral("a <b>study</b>"); // which a server might take for markup
        spec.workers = {1};
        spec.oversubscribe = true;
        spec.target = 0.8;
        const Study study = library.create(spec, QStringLiteral("s"));
        QSignalSpy finished(session.live(), &LiveStudy::finished);
        QSignalSpy pages(&session, &Session::pageWanted);
        session.live()->resume(study.dir);
        QTRY_VERIFY_WITH_TIMEOUT(link->keepsAwake(), kHangMs);
        QVERIFY(m_login.inhibited.contains(QStringLiteral("sleep:idle")));
        QVERIFY(m_login.inhibited.contains(QStringLiteral("block")));
        QTRY_VERIFY_WITH_TIMEOUT(!m_dock.updates.isEmpty(), kHangMs);
        QCOMPARE(m_dock.updates.first()[QStringLiteral("progress-visible")].toBool(), true);
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        QVERIFY(!link->keepsAwake());
        QTRY_VERIFY_WITH_TIMEOUT(!m_notices.said.isEmpty(), kHangMs);
        QCOMPARE(m_notices.said.value(0), QStringLiteral("The study has ended"));
        QVERIFY2(m_notices.said.value(1).endsWith(QStringLiteral("1 of 1 run completed.")),
                 qPrintable(m_notices.said.value(1)));
        QVERIFY(!m_notices.said.value(1).contains(QStringLiteral("<b>")));
        QTRY_VERIFY_WITH_TIMEOUT(
            !m_dock.updates.last()[QStringLiteral("progress-visible")].toBool(), kHangMs);
        pages.clear();
        Q_EMIT m_notices.ActionInvoked(99, QStringLiteral("default")); // somebody else's
        Q_EMIT m_notices.ActionInvoked(7, QStringLiteral("default"));
        QTRY_COMPARE_WITH_TIMEOUT(pages.size(), 1, kHangMs);
        QCOMPARE(pages[0][0].toString(), page_id::kRun);
    }

    void cleanupTestCase()
    {
        if (m_bus.state() != QProcess::NotRunning) {
            m_bus.kill();
            m_bus.waitForFinished(kHangMs);
        }
    }

private:
    QProcess m_bus;
    FakeDesktop m_login;
    FakeNotices m_notices;
    FakePortal m_portal;
    FakeDock m_dock;
};

QTEST_MAIN(DesktopTest)
#include "desktop_test.moc"
