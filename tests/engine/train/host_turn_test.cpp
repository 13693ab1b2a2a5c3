// SPDX-License-Identifier: GPL-3.0-or-later
// Runs take turns on a host: with real locks, threads as workers, and a holder that is killed.
#include "engine/train/host_turn.h"
#include "support/thread_communicator.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <csignal>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::train;

class HostTurnTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    /// As rank 0 of two tells it.
    static std::string troubleOf(const std::string& file)
    {
        std::string told;
        test::runThreads(2, [&](dist::Communicator& comm) {
            HostTurn turn("one", file);
            (void)takeTurns(comm, turn, {}, [] { return false; });
            const std::string trouble = turnTrouble(comm, turn);
            if (comm.rank() == 0)
                told = trouble;
        });
        return told;
    }
    std::string file() const { return m_folder.filePath(QStringLiteral("turn")).toStdString(); }

private slots:
    void oneAtATime()
    {
        HostTurn first("the study one\nof a\x1b[31m", file()), second("two", file());
        std::string holder;
        QVERIFY(first.tryTake(holder));
        QVERIFY(first.tryTake(holder)); // it has it
        QVERIFY(holder.empty());
        QVERIFY(!second.tryTake(holder));
        QCOMPARE(holder, std::string("the study oneof a[31m")); // nothing a terminal acts on
        first.giveBack();
        QVERIFY(second.tryTake(holder));
        QVERIFY(!first.tryTake(holder));
        QCOMPARE(holder, std::string("two"));
    }

    void everybodyMayUseIt()
    {
        const mode_t before = ::umask(077);
        std::string holder;
        HostTurn turn("one", file());
        QVERIFY(turn.tryTake(holder));
        ::umask(before);
        struct stat info {
        };
        QCOMPARE(::stat(file().c_str(), &info), 0);
        QCOMPARE(int(info.st_mode & 0777), 0666);
    }

    void whoDiesGivesItBack()
    {
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            HostTurn turn("the child", file());
            std::string holder;
            const char taken = turn.tryTake(holder) ? 'y' : 'n';
            if (::write(ready[1], &taken, 1) == 1)
                ::pause();
            ::_exit(0);
        }
        char taken = 0;
        QCOMPARE(::read(ready[0], &taken, 1), ssize_t(1));
        QCOMPARE(taken, 'y');
        std::string holder;
        HostTurn turn("the parent", file());
        QVERIFY(!turn.tryTake(holder));
        QCOMPARE(holder, std::string("the child"));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QVERIFY(turn.tryTake(holder));
    }

    /// Where others put something else in its place, runs go on without turns, and do not hang.
    void noLockIsNoObstacle()
    {
        std::string holder;
        QCOMPARE(::symlink("/etc/hostname", file().c_str()), 0);
        HostTurn link("one", file());
        QVERIFY(link.tryTake(holder));
        ::unlink(file().c_str());
        QCOMPARE(::mkfifo(file().c_str(), 0666), 0);
        HostTurn fifo("one", file());
        QVERIFY(fifo.tryTake(holder));
        HostTurn nowhere("one", "/nonexistent/turn");
        QVERIFY(nowhere.tryTake(holder));
    }

    /// But they tell it.
    void noLockIsTold()
    {
        const std::string folder = m_folder.path().toStdString();
        const std::string told = troubleOf(folder);
        QVERIFY2(told.find(folder + " cannot be used (Is a directory)") != std::string::npos,
                 told.c_str());
        QCOMPARE(troubleOf(folder + "/lock"), std::string());
    }

    void allWorkersWaitForTheHost()
    {
        auto other = std::make_unique<HostTurn>("the study before", file());
        std::string holder;
        QVERIFY(other->tryTake(holder));
        std::atomic<int> told{0}, done{0};
        std::string text;
        test::runThreads(3, [&](dist::Communicator& comm) {
            HostTurn turn("this one", file());
            const bool taken = takeTurns(
                comm, turn,
                [&](const std::string& said) {
                    text = said;
                    if (++told == 2)
                        other.reset();
                },
                [] { return false; });
            done += taken ? 1 : 0;
            comm.barrier(); // nobody leaves before all have it
        });
        QCOMPARE(int(done), 3);
        QCOMPARE(int(told), 2);
        QVERIFY2(text.ends_with(" is used by the study before"), text.c_str());
    }

    void aStopEndsTheWaiting()
    {
        HostTurn other("the study before", file());
        std::string holder;
        QVERIFY(other.tryTake(holder));
        std::atomic<bool> stop{false};
        std::atomic<int> taken{0};
        test::runThreads(2, [&](dist::Communicator& comm) {
            HostTurn turn("this one", file());
            taken += takeTurns(
                         comm, turn, [&](const std::string&) { stop = true; },
                         [&] { return stop && comm.rank() == 1; })
                         ? 1
                         : 0;
        });
        QCOMPARE(int(taken), 0);
    }

    void cleanup() { ::unlink(file().c_str()); }
};

QTEST_GUILESS_MAIN(HostTurnTest)
#include "host_turn_test.moc"
