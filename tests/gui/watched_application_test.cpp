// SPDX-License-Identifier: GPL-3.0-or-later
// The watchdog of the window's thread: names what keeps it, whatever else the machine does.
#include "app/watched_application.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTest>
#include <QThread>
#include <QTimer>

#include <atomic>
#include <thread>
#include <vector>

#include <sched.h>

using namespace scalebench;

namespace {

constexpr int kLimitMs = 20;

/// Keeps a processor for that long, as this thread has it.
void compute(double ms)
{
    const ThreadTime start = ThreadTime::now();
    while ((ThreadTime::now() - start).computedMs() < ms) {
    }
}

/// All threads on one processor, of which most want it all the time.
class Crowd
{
public:
    Crowd()
    {
        sched_getaffinity(0, sizeof m_before, &m_before);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(sched_getcpu(), &one);
        sched_setaffinity(0, sizeof one, &one);
        for (int i = 0; i < 12; ++i)
            m_threads.emplace_back([this] {
                while (!m_end) {
                }
            });
    }
    ~Crowd()
    {
        m_end = true;
        for (std::thread& thread : m_threads)
            thread.join();
        sched_setaffinity(0, sizeof m_before, &m_before);
    }

private:
    cpu_set_t m_before;
    std::atomic<bool> m_end = false;
    std::vector<std::thread> m_threads;
};

} // namespace

class WatchedApplicationTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { m_before = app()->slowEvents().size(); }

    void namesWhatComputes()
    {
        inAnEvent([] { compute(800); });
        QCOMPARE(app()->slowEvents().size(), m_before + 1);
        const QString named = app()->slowEvents().last();
        QVERIFY2(named.contains(QStringLiteral("Timer for QTimer “sleepy” of ")) &&
                     named.contains(QStringLiteral("computed for 8")),
                 qPrintable(named));
        QCOMPARE(app()->exitCode(0), WatchedApplication::kExitSlow);
        QCOMPARE(app()->exitCode(3), 3);
    }

    /// For a lock, a disk, a process: nothing is computed, and yet the window stands.
    void namesWhatWaits()
    {
        QFile told(QStringLiteral("/proc/thread-self/schedstat"));
        if (!told.open(QIODevice::ReadOnly))
            QSKIP("this kernel does not tell what its scheduler does");
        const auto ms = static_cast<unsigned long>(1600 * crowdNow());
        inAnEvent([ms] { QThread::msleep(ms); });
        QCOMPARE(app()->slowEvents().size(), m_before + 1);
        QVERIFY2(app()->slowEvents().last().contains(
                     QStringLiteral("computed for 0 ms and waited for ")),
                 qPrintable(app()->slowEvents().last()));
    }

    void namesNothingThatIsQuick()
    {
        inAnEvent([] { compute(kLimitMs / 4.0); });
        QCOMPARE(app()->slowEvents().size(), m_before);
    }

    /// A dialog waits in a loop of its own: that is not slow, nor is what it does an outer event's.
    void aLoopWithinAnEventIsNot()
    {
        inAnEvent([] {
            QEventLoop inner;
            for (int i = 0; i < 20; ++i)
                QTimer::singleShot(i, &inner, [] { compute(kLimitMs / 4.0); });
            QTimer::singleShot(500, &inner, &QEventLoop::quit);
            inner.exec();
        });
        QCOMPARE(app()->slowEvents().size(), m_before);
    }

    /// The same quick event while others have the processor nearly all of the time.
    void othersAreNotTheEventsFault()
    {
        qint64 took = 0;
        {
            const Crowd crowd;
            inAnEvent([&took] {
                QElapsedTimer clock;
                clock.start();
                compute(kLimitMs / 2.0);
                took = clock.elapsed();
            });
        }
        QVERIFY2(took > kLimitMs, "the crowd is none");
        QCOMPARE(app()->slowEvents().size(), m_before);
    }

private:
    static WatchedApplication* app() { return static_cast<WatchedApplication*>(qApp); }

    void inAnEvent(const std::function<void()>& work)
    {
        QEventLoop loop;
        QTimer slow(this);
        slow.setObjectName(QStringLiteral("sleepy"));
        slow.setSingleShot(true);
        connect(&slow, &QTimer::timeout, this, [&] {
            work();
            loop.quit();
        });
        slow.start(0);
        loop.exec();
    }

    qsizetype m_before = 0;
};

int main(int argc, char** argv)
{
    WatchedApplication app(argc, argv);
    app.setLimitMs(kLimitMs);
    app.setGraceMs(0);
    WatchedApplicationTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "watched_application_test.moc"
