// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/machine_lock.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

class MachineLockTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder{u"/tmp/lockXXXXXX"_s}; // that of sockets has a short name

    static std::unique_ptr<MachineLock> lock()
    {
        return std::make_unique<MachineLock>(TargetMachine());
    }
    /// The next run of study "a", while a run of "b", which `other` is, waits.
    static std::unique_ptr<MachineLock> nextRunWhile(MachineLock& other)
    {
        const auto run = lock();
        return run->tryAcquire(u"a"_s) && !other.tryAcquire(u"b"_s) ? lock() : nullptr;
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("XDG_RUNTIME_DIR", m_folder.path().toUtf8());
        qunsetenv("SCALEBENCH_MACHINE_LOCKS");
    }

    void oneAtATime()
    {
        auto one = lock(), two = lock();
        QVERIFY(one->tryAcquire(u"one"_s));
        QVERIFY(one->tryAcquire(u"one"_s));
        QVERIFY(!two->tryAcquire(u"two"_s));
        QCOMPARE(two->holder(), u"one"_s);
        one.reset();
        QVERIFY(two->tryAcquire(u"two"_s));
    }

    /// A study's next run lets another study's go first, which asks only now and then.
    void studiesTakeTurns()
    {
        auto other = lock(), run = nextRunWhile(*other);
        QVERIFY(run && !run->tryAcquire(u"a"_s));
        QCOMPARE(run->holder(), u"b"_s);
        QVERIFY(other->tryAcquire(u"b"_s));
        QVERIFY(!run->tryAcquire(u"a"_s));
        QCOMPARE(run->holder(), u"b"_s);
        other = lock();
        QVERIFY(!other->tryAcquire(u"b"_s));
        QVERIFY(run->tryAcquire(u"a"_s));
        other.reset(); // stopped while it waited
        run = lock();
        QVERIFY(run->tryAcquire(u"a"_s));
    }

    /// One that waits and never comes (suspended) holds nobody up for long.
    void doesNotWaitForEver()
    {
        const auto other = lock(), run = nextRunWhile(*other);
        QVERIFY(run);
        for (int i = 0; i < MachineLock::kPolls; ++i)
            QVERIFY(!run->tryAcquire(u"a"_s));
        QVERIFY(run->tryAcquire(u"a"_s));
    }
};

QTEST_GUILESS_MAIN(MachineLockTest)
#include "machine_lock_test.moc"
