// SPDX-License-Identifier: GPL-3.0-or-later
// The watchdog of the window's thread: names what keeps it, and nothing else.
#include "app/watched_application.h"

#include <QEventLoop>
#include <QTest>
#include <QThread>
#include <QTimer>

using namespace scalebench;

class WatchedApplicationTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QTest::qWait(3200); // the start is not counted
    }

    void namesASlowEvent()
    {
        const qsizetype before = app()->slowEvents().size();
        QTimer slow;
        slow.setObjectName(QStringLiteral("sleepy"));
        slow.setSingleShot(true);
        connect(&slow, &QTimer::timeout, this, [] { QThread::msleep(400); });
        slow.start(0);
        QEventLoop loop;
        QTimer::singleShot(500, &loop, &QEventLoop::quit);
        loop.exec();
        QCOMPARE(app()->slowEvents().size(), before + 1);
        const QString named = app()->slowEvents().last();
        QVERIFY2(named.contains(QStringLiteral("Timer for QTimer “sleepy” took")),
                 qPrintable(named));
        QCOMPARE(app()->exitCode(0), WatchedApplication::kExitSlow);
        QCOMPARE(app()->exitCode(3), 3);
    }

    /// A dialog waits in a loop of its own: that is not slow.
    void aLoopWithinAnEventIsNot()
    {
        const qsizetype before = app()->slowEvents().size();
        QTimer::singleShot(0, this, [] {
            QEventLoop inner;
            QTimer::singleShot(500, &inner, &QEventLoop::quit);
            inner.exec();
        });
        QEventLoop loop;
        QTimer::singleShot(700, &loop, &QEventLoop::quit);
        loop.exec();
        QCOMPARE(app()->slowEvents().size(), before);
    }

private:
    static WatchedApplication* app() { return static_cast<WatchedApplication*>(qApp); }
};

int main(int argc, char** argv)
{
    qputenv("SCALEBENCH_EVENT_LIMIT_MS", "200");
    WatchedApplication app(argc, argv);
    WatchedApplicationTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "watched_application_test.moc"
