// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader meets: the program in a real window, asked over the accessibility bus
// (AT-SPI) as Orca asks it. Pages are opened by the actions that it offers; on each, everything
// that can be used has a name. SCALEBENCH_AT_SPI_DUMP=FILE keeps what was found.
#include "gui/virtual_display.h"
#include "pages/registry.h"

#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusInterface>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusReply>
#include <QSet>

using namespace scalebench;
using namespace scalebench::test;

namespace {

/// An object of the bus: whose, and which.
struct Node {
    QString service;
    QDBusObjectPath path;
};

QDBusArgument& operator<<(QDBusArgument& out, const Node& node)
{
    out.beginStructure();
    out << node.service << node.path;
    out.endStructure();
    return out;
}
const QDBusArgument& operator>>(const QDBusArgument& in, Node& node)
{
    in.beginStructure();
    in >> node.service >> node.path;
    in.endStructure();
    return in;
}

const QString kAccessible = QStringLiteral("org.a11y.atspi.Accessible");
const QString kAction = QStringLiteral("org.a11y.atspi.Action");
const QString kRegistry = QStringLiteral("org.a11y.atspi.Registry");

/// What a person acts on or reads values from, as AT-SPI calls the roles.
const QSet<QString>& usable()
{
    static const QSet<QString> roles{
        QStringLiteral("button"),        QStringLiteral("push button"),
        QStringLiteral("toggle button"), QStringLiteral("check box"),
        QStringLiteral("radio button"),  QStringLiteral("combo box"),
        QStringLiteral("text"),          QStringLiteral("entry"),
        QStringLiteral("spin button"),   QStringLiteral("slider"),
        QStringLiteral("page tab"),      QStringLiteral("menu item"),
        QStringLiteral("menu"),          QStringLiteral("table"),
        QStringLiteral("tree"),          QStringLiteral("tree table"),
        QStringLiteral("list"),          QStringLiteral("progress bar"),
        QStringLiteral("list box"),      QStringLiteral("push button menu")};
    return roles;
}

} // namespace

Q_DECLARE_METATYPE(Node)

class AtSpiTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QString missing =
            VirtualDisplay::missing({QStringLiteral("dbus-daemon"), QStringLiteral("mpirun")});
        if (missing.isEmpty() && !QFileInfo::exists(launcher()))
            missing = QStringLiteral("at-spi2-core");
        if (!missing.isEmpty())
            QSKIP(qPrintable(QStringLiteral("%1 is not installed").arg(missing)));
        qDBusRegisterMetaType<Node>();
        qDBusRegisterMetaType<QList<Node>>();
        useFakeEngine("ok", 4, 20);
        QVERIFY(m_display.start());
        QVERIFY(startBus());
        m_study = m_library.create({1, 2}, QStringLiteral("s"));
    }

    void everyControlHasAName()
    {
        QProcess program;
        program.setProcessEnvironment(m_environment);
        program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        program.start(QStringLiteral(SB_BIN_DIR "/scalebench-gui"),
                      {m_study.dir, QStringLiteral("--library"), m_library.folder.path(),
                       QStringLiteral("--language"), QStringLiteral("en"), QStringLiteral("--size"),
                       QStringLiteral("1200x800")});
        QVERIFY(program.waitForStarted(kHangMs));
        QVERIFY(!m_display.waitForWindow(program).isEmpty());
        Node window;
        QVERIFY2(QTest::qWaitFor([&] { return findWindow(&window); }, kHangMs),
                 "the window is on the accessibility bus");
        QTest::qWait(2000); // the study is shown
        QFile dump(qEnvironmentVariable("SCALEBENCH_AT_SPI_DUMP"));
        if (!dump.fileName().isEmpty())
            QVERIFY(dump.open(QIODevice::WriteOnly));
        QStringList nameless;
        int controls = 0;
        for (const PageEntry& entry : pageRegistry()) {
            const QString title = QString(entry.title).remove(QLatin1Char('&'));
            QVERIFY2(press(window, title), qPrintable(title));
            QTest::qWait(1000);
            m_lines.clear();
            walk(window, 0, title, nameless, controls);
            if (dump.isOpen())
                dump.write(QStringLiteral("=== %1\n%2\n").arg(title, m_lines.join(u'\n')).toUtf8());
        }
        nameless.removeDuplicates();
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(u'\n')));
        QVERIFY2(controls > 300, qPrintable(QString::number(controls)));
        QVERIFY(m_display.quit(program));
    }

    void cleanupTestCase()
    {
        for (QProcess* process : {&m_launcher, &m_bus}) {
            process->kill();
            process->waitForFinished(kHangMs);
        }
    }

private:
    static QString launcher() { return QStringLiteral("/usr/libexec/at-spi-bus-launcher"); }

    bool startBus()
    {
        m_bus.start(QStringLiteral("dbus-daemon"),
                    {QStringLiteral("--session"), QStringLiteral("--nofork"),
                     QStringLiteral("--print-address")});
        if (!m_bus.waitForReadyRead(kHangMs))
            return false;
        const QString address = QString::fromLatin1(m_bus.readLine().trimmed());
        m_environment = m_display.environment(m_config.path());
        m_environment.insert(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"), address);
        m_environment.insert(QStringLiteral("QT_LINUX_ACCESSIBILITY_ALWAYS_ON"),
                             QStringLiteral("1"));
        m_launcher.setProcessEnvironment(m_environment);
        m_launcher.start(launcher(), {QStringLiteral("--launch-immediately")});
        QDBusConnection session = QDBusConnection::connectToBus(address, QStringLiteral("session"));
        QString bus;
        (void)QTest::qWaitFor(
            [&] {
                QDBusInterface a11y(QStringLiteral("org.a11y.Bus"), QStringLiteral("/org/a11y/bus"),
                                    QStringLiteral("org.a11y.Bus"), session);
                bus = QDBusReply<QString>(a11y.call(QStringLiteral("GetAddress"))).value();
                return !bus.isEmpty();
            },
            kHangMs);
        m_a11y = QDBusConnection::connectToBus(bus, QStringLiteral("a11y"));
        return m_a11y.isConnected();
    }

    /// QDBusInterface would ask each object first what it can do.
    template <typename Answer>
    Answer ask(const Node& node, const QString& interface, const QString& method,
               const QVariantList& arguments = {})
    {
        QDBusMessage question =
            QDBusMessage::createMethodCall(node.service, node.path.path(), interface, method);
        question.setArguments(arguments);
        return QDBusReply<Answer>(m_a11y.call(question)).value();
    }
    QList<Node> children(const Node& node)
    {
        return ask<QList<Node>>(node, kAccessible, QStringLiteral("GetChildren"));
    }
    QString name(const Node& node)
    {
        return ask<QDBusVariant>(node, QStringLiteral("org.freedesktop.DBus.Properties"),
                                 QStringLiteral("Get"), {kAccessible, QStringLiteral("Name")})
            .variant()
            .toString();
    }
    QString role(const Node& node)
    {
        return ask<QString>(node, kAccessible, QStringLiteral("GetRoleName"));
    }
    /// Bits of AtspiStateType.
    bool isShowing(const Node& node)
    {
        constexpr int kShowing = 25;
        const auto bits = ask<QList<uint>>(node, kAccessible, QStringLiteral("GetState"));
        return !bits.isEmpty() && (bits[0] >> kShowing & 1);
    }

    bool findWindow(Node* window)
    {
        const Node root{kRegistry,
                        QDBusObjectPath(QStringLiteral("/org/a11y/atspi/accessible/root"))};
        for (const Node& application : children(root))
            for (const Node& child : children(application))
                if (name(child).endsWith(QLatin1String("Scalebench"))) {
                    *window = child;
                    return true;
                }
        return false;
    }

    /// Of the activity bar: the first control of that name that offers an action.
    bool press(const Node& node, const QString& title)
    {
        const QString kind = role(node);
        if (name(node) == title && usable().contains(kind) && !kind.contains(u"menu")) {
            return ask<bool>(node, kAction, QStringLiteral("DoAction"), {0});
        }
        for (const Node& child : children(node))
            if (press(child, title))
                return true;
        return false;
    }

    void walk(const Node& node, int depth, const QString& where, QStringList& nameless,
              int& controls)
    {
        const QString kind = role(node), called = name(node);
        m_lines << QString(depth * 2, u' ') + kind + QStringLiteral(" “%1”").arg(called);
        if (usable().contains(kind)) {
            ++controls;
            if (called.isEmpty() && isShowing(node))
                nameless << QStringLiteral("%1: %2 %3").arg(where, kind, node.path.path());
        }
        // Cells of large tables are not looked at one by one.
        constexpr int kMostChildren = 200;
        const QList<Node> inside = children(node);
        for (const Node& child : inside.mid(0, kMostChildren))
            walk(child, depth + 1, where, nameless, controls);
    }

    VirtualDisplay m_display;
    TemporaryLibrary m_library;
    QTemporaryDir m_config;
    QProcessEnvironment m_environment;
    QProcess m_bus, m_launcher;
    QDBusConnection m_a11y{QString()};
    Study m_study;
    QStringList m_lines;
};

QTEST_GUILESS_MAIN(AtSpiTest)
#include "at_spi_test.moc"
