// SPDX-License-Identifier: GPL-3.0-or-later
// Lost and hung ranks under the real mpirun: all ranks end with a non-zero exit code, and what they
// say names the rank and the collective.

#include "support/campaign.h"
#include "support/mpi_runner.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

class FaultTest : public QObject
{
    Q_OBJECT

    /// Processes of the test program that carry this mark among their arguments.
    static int processesWith(const QByteArray& mark)
    {
        int found = 0;
        const QStringList entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
        for (const QString& entry : entries) {
            QFile file(QStringLiteral("/proc/%1/cmdline").arg(entry));
            if (entry[0].isDigit() && file.open(QIODevice::ReadOnly))
                found += file.readAll().split('\0').contains(mark) ? 1 : 0;
        }
        return found;
    }

    /// What the ranks said, then what mpirun did.
    static scalebench::test::MpiRun runWithWords(int ranks, const QStringList& arguments,
                                                 int timeoutMs)
    {
        QTemporaryDir folder;
        const QString words = folder.filePath(QStringLiteral("words"));
        qputenv("SB_FAULT_WORDS", QFile::encodeName(words));
        scalebench::test::MpiRun run = scalebench::test::runOnceUnderMpi(
            ranks, QStringLiteral(SB_FAULT_CHECKS), arguments, timeoutMs);
        QFile file(words);
        if (file.open(QIODevice::ReadOnly))
            run.output.prepend(file.readAll());
        return run;
    }

private slots:
    void initTestCase()
    {
        if (!scalebench::test::haveMpirun())
            QSKIP("mpirun is not installed");
    }
    void ranksEnd_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("perNode");
        QTest::addColumn<QString>("fault");
        QTest::addColumn<int>("culprit");
        QTest::addColumn<bool>("overlap");
        QTest::addColumn<QString>("expected"); ///< in the line of the reporting rank
        const QString missing = QStringLiteral(
            "collective_timeout \\| culprit %1 \\| rank %1 on \\S+ did not come to the gradient "
            "all-reduce of bucket 1 \\(1\\.0 MiB\\) in step 2 within");
        const auto row = [](const char* name, int ranks, int perNode, const char* fault,
                            int culprit, bool overlap, const QString& expected) {
            QTest::newRow(name) << ranks << perNode << QString::fromLatin1(fault) << culprit
                                << overlap << expected;
        };
        row("stopped rank", 2, 0, "stop", 1, false,
            missing.arg(1) + QStringLiteral(".*stopped by a signal"));
        row("stopped rank 0", 3, 0, "stop", 0, false, missing.arg(0));
        row("hung rank", 2, 0, "hang", 1, false, missing.arg(1));
        row("stopped rank, communication thread", 2, 0, "stop", 1, true,
            QStringLiteral("collective_timeout \\| culprit 1 \\| rank 1 on \\S+ did not come to "
                           "the gradient all-reduce of bucket \\d .*in step 2 within"));
        row("stopped rank on another node", 4, 2, "stop", 3, false, missing.arg(3));
        row("stopped leader of another node", 4, 2, "stop", 2, false,
            QStringLiteral("collective_timeout \\| culprit 2 \\|"));
        row("node that is one stopped rank", 3, 1, "stop", 2, false,
            QStringLiteral("collective_timeout \\| culprit 2 \\|.*no word from the node"));
        row("rank that throws", 2, 0, "throw", 1, false,
            QStringLiteral("out_of_memory \\| culprit 1 \\| no memory for the activations"));
        row("rank that throws on another node", 4, 2, "throw", 3, false,
            QStringLiteral("out_of_memory \\| culprit 3 \\| no memory for the activations"));
        row("leader that throws on another node", 4, 2, "throw", 2, false,
            QStringLiteral("out_of_memory \\| culprit 2 \\| no memory for the activations"));
        row("another collective", 2, 0, "order", 1, false,
            // Both wait; who finds out first names the other.
            QStringLiteral(
                "collective_timeout \\| culprit [01] \\| .*(barrier in step 2.*waiting in "
                "the gradient|gradient.*waiting in the barrier in step 2)"));
        row("stopped inside of MPI", 2, 0, "inside", 1, false,
            QStringLiteral("collective_timeout \\| culprit 1 \\|.*stopped by a signal"));
    }
    void ranksEnd()
    {
        QFETCH(int, ranks);
        QFETCH(int, perNode);
        QFETCH(QString, fault);
        QFETCH(int, culprit);
        QFETCH(bool, overlap);
        QFETCH(QString, expected);
        // The argument of the time-out tells this test's processes from any others. With several
        // nodes the report comes from rank 0, which the others give up after as long again: on a
        // full machine it may not run for seconds.
        static int count = 0;
        const QString timeout =
            QStringLiteral("%1%2%3")
                .arg(perNode > 0 ? QStringLiteral("12.0") : QStringLiteral("2.5"))
                .arg(QCoreApplication::applicationPid())
                .arg(++count, 3, 10, QLatin1Char('0'));
        const scalebench::test::MpiRun run =
            runWithWords(ranks,
                         {fault, QString::number(culprit), QString::number(perNode), timeout,
                          QString::number(overlap)},
                         scalebench::test::kHangMs);
        QVERIFY2(run.finished, run.output.constData());
        QVERIFY2(run.exitCode != 0, run.output.constData());
        // Where each waits for the other, whoever finds out first ends both. Who stopped is found
        // by the first node and by a rank beside it.
        const bool foundByTwo = perNode > 0 && fault == QLatin1String("stop");
        const QString reporter = foundByTwo                        ? QStringLiteral("\\d")
                                 : fault == QLatin1String("order") ? QStringLiteral("[01]")
                                                                   : QString::number(culprit == 0);
        const QRegularExpression line(QStringLiteral("^rank %1: %2").arg(reporter, expected),
                                      QRegularExpression::MultilineOption);
        QVERIFY2(line.match(QString::fromUtf8(run.output)).hasMatch(), run.output.constData());
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(timeout.toLatin1()), 0, scalebench::test::kHangMs);
    }
    /// mpirun ends the others as soon as it sees a rank end; what they can still say is right.
    void lostRank_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::newRow("exit") << QStringLiteral("exit");
        QTest::newRow("kill") << QStringLiteral("kill");
    }
    void lostRank()
    {
        QFETCH(QString, fault);
        const QString timeout = QStringLiteral("9.5%1").arg(QCoreApplication::applicationPid()) +
                                QString::number(fault.size() + 7);
        const scalebench::test::MpiRun run =
            runWithWords(2, {fault, QStringLiteral("1"), QStringLiteral("0"), timeout},
                         scalebench::test::kHangMs);
        QVERIFY2(run.finished && run.exitCode != 0, run.output.constData());
        const QByteArray& out = run.output;
        QVERIFY2(!out.contains("collective_timeout"), out.constData());
        if (out.contains("rank 0:"))
            QVERIFY2(out.contains("rank 0: rank_lost | culprit 1 |"), out.constData());
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(timeout.toLatin1()), 0, scalebench::test::kHangMs);
    }
};

QTEST_GUILESS_MAIN(FaultTest)
#include "fault_test.moc"
