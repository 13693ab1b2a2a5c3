// SPDX-License-Identifier: GPL-3.0-or-later
// Who is alive, whose child is waited for, and what belongs to a run: with real processes.
#include "base/process_tree.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace scalebench;

namespace {

/// A child that ends at once, in a session of its own or in ours; it stays a zombie.
pid_t endedChild(bool ownSession)
{
    const pid_t pid = ::fork();
    if (pid == 0) {
        if (ownSession)
            ::setsid();
        ::_exit(7);
    }
    siginfo_t info{};
    ::waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT);
    return pid;
}

} // namespace

class ProcessTreeTest : public QObject
{
    Q_OBJECT
private slots:
    /// ssh of a mirror is a child too: QProcess would wait for its end for ever.
    void onlyChildrenOfTheRunAreReaped()
    {
        const pid_t ofRun = endedChild(true), other = endedChild(false);
        reapChildrenOf(ofRun);
        QCOMPARE(::waitpid(ofRun, nullptr, WNOHANG), pid_t(-1)); // was waited for
        int status = 0;
        QCOMPARE(::waitpid(other, &status, WNOHANG), other);
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }

    void aNameMayHoldBracketsAndBlanks()
    {
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            ::prctl(PR_SET_NAME, "a) T 1 (b");
            if (::write(ready[1], "x", 1) == 1)
                ::pause();
            ::_exit(0);
        }
        char byte = 0;
        QCOMPARE(::read(ready[0], &byte, 1), ssize_t(1));
        ProcessStat stat;
        QVERIFY(readProcessStat(child, stat));
        QCOMPARE(stat.parent, qint64(::getpid()));
        QVERIFY(stat.state == 'S' || stat.state == 'R');
        const ProcessIdentity identity = ProcessIdentity::of(child);
        QVERIFY(identity.isAlive());
        ProcessIdentity stranger = identity; // a later process with the same number
        ++stranger.startTicks;
        QVERIFY(!stranger.isAlive());
        ::kill(child, SIGKILL);
        siginfo_t info{};
        ::waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT);
        QVERIFY(!identity.isAlive()); // a zombie
        ::waitpid(child, nullptr, 0);
        QVERIFY(!readProcessStat(child, stat));
    }

    void theKernelKnowsWhoHasAFileOpen()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("lock")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        struct stat info {
        };
        QCOMPARE(::fstat(file.handle(), &info), 0);
        QVERIFY(hasFileOpen(::getpid(), info.st_dev, info.st_ino));
        file.close();
        QVERIFY(!hasFileOpen(::getpid(), info.st_dev, info.st_ino));
    }

    void identitiesInLockFiles()
    {
        const ProcessIdentity self = ProcessIdentity::self();
        QCOMPARE(ProcessIdentity::fromText(self.toText()).pid, self.pid);
        for (const char* text :
             {"", "1 2 boot", "-5 2 boot", "77", "77 x boot", "77 1 a b", "\n\n"})
            QCOMPARE(ProcessIdentity::fromText(text).pid, qint64(0));
    }
};

QTEST_GUILESS_MAIN(ProcessTreeTest)
#include "process_tree_test.moc"
