// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <omp.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>
#include <vector>

#include "engine/core/processors.h"
#include "engine/core/rng.h"
#include "engine/core/thread_count.h"
#include "engine/core/thread_waits.h"
#include "engine/core/visible_text.h"
#include "kernels/check.h"

using namespace scalebench;

class CoreTest : public QObject
{
    Q_OBJECT
private slots:
    void textForTheTerminal()
    {
        QCOMPARE(visibleLine("plain gr\u00f6\u00dfe \U0001F600"),
                 std::string("plain gr\u00f6\u00dfe \U0001F600"));
        QCOMPARE(visibleLine("a\x1b[2J\x07\n\tb\x7f"),
                 std::string("a\\x1b[2J\\x07\\x0a\\x09b\\x7f"));
        QCOMPARE(visibleLine("\u202egnp.exe\u2069\u0085"),
                 std::string("\\u202egnp.exe\\u2069\\x85"));
        // What is no UTF-8: a lone byte, cut off, overlong, half of a pair, beyond the last.
        QCOMPARE(visibleLine("\x9b"
                             "1m"),
                 std::string("\\x9b1m"));
        QCOMPARE(visibleLine("\xe2\x80"), std::string("\\xe2\\x80"));
        QCOMPARE(visibleLine("\xc0\x9b\xe0\x80\x9b"), std::string("\\xc0\\x9b\\xe0\\x80\\x9b"));
        QCOMPARE(visibleLine("\xed\xa0\x80"), std::string("\\xed\\xa0\\x80"));
        QCOMPARE(visibleLine("\xf5\x80\x80\x80"), std::string("\\xf5\\x80\\x80\\x80"));
        QCOMPARE(visibleLine(""), std::string());
    }

    // Random123, examples/kat_vectors, lines "philox4x32 10".
    void philoxKnownAnswers()
    {
        QCOMPARE(philox4x32_10({0, 0, 0, 0}, {0, 0}),
                 (Philox4x32{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
        const std::uint32_t f = 0xffffffffu;
        QCOMPARE(philox4x32_10({f, f, f, f}, {f, f}),
                 (Philox4x32{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
        QCOMPARE(philox4x32_10({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u},
                               {0xa4093822u, 0x299f31d0u}),
                 (Philox4x32{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
    }

    void sequenceDependsOnSeedStreamAndIndexOnly()
    {
        Rng a(7, 3), b(7, 3), other(7, 4), seeded(8, 3);
        bool differs = false, seedDiffers = false;
        for (int i = 0; i < 100; ++i) {
            const auto v = a();
            QCOMPARE(b(), v);
            differs |= other() != v;
            seedDiffers |= seeded() != v;
        }
        QVERIFY(differs && seedDiffers);
        Rng late(7, 3, 5);
        a.seek(5);
        QCOMPARE(a(), late());
    }

    void uniformNumbersFillTheirRange()
    {
        Rng rng(1);
        double sum = 0;
        std::vector<int> counts(7);
        for (int i = 0; i < 70000; ++i) {
            const float u = rng.uniform();
            QVERIFY(u >= 0.0f && u < 1.0f);
            sum += double(u);
            ++counts[rng.below(7)];
        }
        QVERIFY(std::abs(sum / 70000 - 0.5) < 0.01);
        for (int c : counts)
            QVERIFY(std::abs(c - 10000) < 500); // five standard deviations
    }

    void normalNumbersHaveTheirMoments()
    {
        Rng rng(2);
        double sum = 0, square = 0;
        for (int i = 0; i < 100000; ++i) {
            const double v = double(rng.normal());
            sum += v;
            square += v * v;
        }
        QVERIFY(std::abs(sum / 1e5) < 0.02);
        QVERIFY(std::abs(square / 1e5 - 1.0) < 0.03);
    }

    void shuffleIsAPermutationAndRepeats()
    {
        std::vector<std::uint32_t> a(1000), b(1000), c(1000);
        std::iota(a.begin(), a.end(), 0u);
        b = a;
        c = a;
        shuffle(a, 5, 1);
        shuffle(b, 5, 1);
        shuffle(c, 5, 2);
        QCOMPARE(a, b);
        QVERIFY(a != c);
        std::sort(a.begin(), a.end());
        for (std::uint32_t i = 0; i < 1000; ++i)
            QCOMPARE(a[i], i);
    }

    // As seen with transformer256 on two processors, half a second each: idle, interrupted for 0.2
    // ms at a time, beside one program, beside it with short waits.
    void whoQueues()
    {
        const QueueTimes at = queueTimesOf("1500000000 250000000 400\n");
        QCOMPARE(at.waitedS, 0.25);
        QCOMPARE(at.turns, std::int64_t(400));
        QCOMPARE(queueTimesOf("").turns, std::int64_t(0));
        QCOMPARE(queueTimesOf("12 x").waitedS, 0.0);
        const auto after = [&](double waitedS, int turns) {
            return QueueTimes{at.waitedS + waitedS, at.turns + turns};
        };
        QVERIFY(!queuesLong(at, after(0.015, 30), 0.5));
        QVERIFY(!queuesLong(at, after(0.19, 857), 0.5));
        QVERIFY(queuesLong(at, after(0.28, 82), 0.5));
        QVERIFY(!queuesStill(at, after(0.005, 934), 0.5));
        QVERIFY(queuesStill(at, after(0.44, 1153), 0.5));
        QVERIFY(!queuesLong(at, QueueTimes{}, 0.5)); // threads have gone
    }

    /// Of the processor's time, what this thread takes for waiting 3 ms for another one in a loop.
    static double waitingCostsS()
    {
        std::vector<double> all;
        for (int i = 0; i < 9; ++i) {
            const auto now = [] {
                timespec t;
                ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
                return double(t.tv_sec) + double(t.tv_nsec) / 1e9;
            };
            const double before = now();
#pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == 1)
                std::this_thread::sleep_for(std::chrono::milliseconds(3));
            all.push_back(now() - before);
        }
        std::sort(all.begin(), all.end());
        return all[all.size() / 2];
    }

    // What the OpenMP library itself makes of it.
    void theLibraryWaitsShortly()
    {
        if (processorCount() < 2 || processorCount() > 62)
            QSKIP("nothing is done with so many processors and two threads");
        if (qEnvironmentVariableIsSet("OMP_WAIT_POLICY")) { // read before main(): once more without
            auto environment = QProcessEnvironment::systemEnvironment();
            environment.remove(QStringLiteral("OMP_WAIT_POLICY"));
            QProcess again;
            again.setProcessEnvironment(environment);
            again.setProcessChannelMode(QProcess::MergedChannels);
            QFile command(QStringLiteral("/proc/self/cmdline"));
            QVERIFY(command.open(QIODevice::ReadOnly));
            again.start(QString::fromLocal8Bit(command.readAll().split('\0').first()),
                        {QStringLiteral("theLibraryWaitsShortly")});
            QVERIFY(again.waitForFinished(600000));
            const QByteArray told = again.readAll();
            QVERIFY2(again.exitCode() == 0 && told.contains("PASS   : CoreTest::theLibrary"),
                     told.constData());
            return;
        }
        ThreadWaits waits(2);
        const double longS = waitingCostsS();
        waits.setShort(true);
        QVERIFY(waits.areShort());
        const double shortS = waitingCostsS();
        waits.setShort(false);
        const QByteArray told = QByteArray::number(longS) + ' ' + QByteArray::number(shortS);
        QVERIFY2(4 * shortS < longS && 4 * shortS < waitingCostsS(), told.constData());
    }

    // The library waits shortly where it has more threads than there are processors.
    void sleepersComeAndGo()
    {
        for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"})
            qunsetenv(name);
        const auto tasks = [] {
            return QDir(QStringLiteral("/proc/self/task"))
                .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                .size();
        };
        const int processors = processorCount();
        const qsizetype before = tasks();
        ThreadWaits alone(1);
        alone.setShort(true);
        QVERIFY(!alone.areShort());
        if (processors < 2)
            QSKIP("one processor: several threads have to share it anyway");
        ThreadWaits waits(processors);
        for (int i = 0; i < 2; ++i) {
            waits.setShort(true);
            QVERIFY(waits.areShort());
            QTRY_COMPARE(tasks(), before + 2);
            waits.setShort(false);
            QVERIFY(!waits.areShort());
            QTRY_COMPARE(tasks(), before);
        }
        waits.look();
        QVERIFY(!waits.areShort());
        qputenv("OMP_WAIT_POLICY", "passive");
        ThreadWaits told(processors);
        told.setShort(true);
        QVERIFY(!told.areShort());
    }

    void threads()
    {
        std::thread([] { // OpenMP keeps the number per calling thread
            setComputeThreads(2);
            QCOMPARE(computeThreads(), 2);
            setComputeThreads(1);
            QCOMPARE(computeThreads(), 1);
        })
            .join();
        QVERIFY_EXCEPTION_THROWN(setComputeThreads(0), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(CoreTest)
#include "core_test.moc"
