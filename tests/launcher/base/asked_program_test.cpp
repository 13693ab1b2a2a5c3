// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/asked_program.h"

#include "base/process_tree.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

class AskedProgramTest : public QObject
{
    Q_OBJECT
private slots:
    void answers()
    {
        const ProgramAnswer good = askProgram(u"sh"_s, {u"-c"_s, u"cat; echo 4.1"_s}, 5000);
        QVERIFY(good.succeeded());
        QCOMPARE(good.out, QByteArray("4.1\n"));
        const ProgramAnswer bad = askProgram(u"sh"_s, {u"-c"_s, u"echo no >&2; exit 3"_s}, 5000);
        QVERIFY(!bad.succeeded());
        QCOMPARE(bad.exitCode, 3);
        QCOMPARE(bad.fault(), u"no"_s);
        const ProgramAnswer killed = askProgram(u"sh"_s, {u"-c"_s, u"kill -9 $$"_s}, 5000);
        QVERIFY2(killed.fault().contains(u"signal 9"_s), qPrintable(killed.fault()));
        const ProgramAnswer none = askProgram(u"/no/such/program"_s, {}, 5000);
        QVERIFY2(none.fault().contains(u"cannot be executed"_s), qPrintable(none.fault()));
    }

    /// A script that hangs in a program of its own.
    void nothingIsLeftOfOneThatHangs()
    {
        const QTemporaryDir dir;
        const QString pidFile = dir.filePath(u"pid"_s);
        QElapsedTimer timer;
        timer.start();
        const ProgramAnswer answer =
            askProgram(u"sh"_s, {u"-c"_s, u"sleep 300 & echo $! > \"$0\"; wait"_s, pidFile}, 500);
        QVERIFY(answer.timedOut && timer.elapsed() < 30'000);
        QVERIFY2(answer.fault().contains(u"said nothing"_s), qPrintable(answer.fault()));
        QFile file(pidFile);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const qint64 pid = file.readAll().trimmed().toLongLong();
        QVERIFY(pid > 0);
        QVERIFY(QTest::qWaitFor([&] { return !ProcessIdentity::of(pid).isAlive(); }, 30'000));
    }
};

QTEST_GUILESS_MAIN(AskedProgramTest)
#include "asked_program_test.moc"
