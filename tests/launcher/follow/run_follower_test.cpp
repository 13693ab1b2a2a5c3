// SPDX-License-Identifier: GPL-3.0-or-later
// One run's folder as it grows: what a look at it brings.

#include "follow/run_follower.h"

#include "run/study_lock.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;

class RunFollowerTest : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        setState(RunState::Running);
    }

    void linesAndCharactersAreWhole()
    {
        RunFollower run(m_folder->path(), 0, 1);
        const QByteArray line = QStringLiteral("größer\n").toUtf8();
        append("launcher.txt", "first\n" + line.first(3)); // inside "ö"
        QCOMPARE(logs(run), QStringLiteral("first\n"));
        QCOMPARE(logs(run), QString());
        append("launcher.txt", line.mid(3));
        QCOMPARE(logs(run), QStringLiteral("größer\n"));
        append("launcher.txt", "no end");
        QCOMPARE(logs(run), QString());
        setState(RunState::Completed);
        QString rest;
        for (int look = 0; look < 5 && !run.done(); ++look)
            rest += logs(run);
        QCOMPARE(rest, QStringLiteral("no end"));
        QVERIFY(run.done());
    }

    /// Nobody writes a line of a megabyte, but a broken program may.
    void endlessLine()
    {
        RunFollower run(m_folder->path(), 0, 1);
        const QByteArray text = QStringLiteral("ö").toUtf8().repeated(300'000);
        append("launcher.txt", text);
        QString all;
        for (int look = 0; look < 10; ++look)
            all += logs(run);
        QVERIFY(all.size() > 200'000);
        for (const QChar c : std::as_const(all))
            QCOMPARE(c, QChar(0xF6));
    }

    void everyNewStateIsSeen()
    {
        RunFollower run(m_folder->path(), 0, 1);
        QVERIFY(run.poll().status);
        QVERIFY(!run.poll().status);
        for (int i = 0; i < 20; ++i) { // as fast as files can be replaced
            setState(i % 2 == 0 ? RunState::Stopping : RunState::Running);
            const RunBatch batch = run.poll();
            QVERIFY(batch.status);
            QCOMPARE(batch.status->state, i % 2 == 0 ? RunState::Stopping : RunState::Running);
        }
    }

    /// By the file system's word or by looking again, what is written arrives.
    void followerSeesWhatIsAppended()
    {
        const QString study = m_folder->filePath(QStringLiteral("study"));
        const QString run = study + QStringLiteral("/runs/a");
        QVERIFY(QDir().mkpath(run));
        RunStatus status;
        status.state = RunState::Running;
        QVERIFY(writeRunStatus(run, status).ok());
        StudyLock lock; // a study without a supervisor has ended
        QVERIFY(lock.acquire(study, 2000));
        StudyFollower follower(study, {run}, {1}, StudyFollower::Does::OnlyRead);
        QString text;
        connect(&follower, &StudyFollower::batch, this, [&](const RunBatch& batch) {
            for (const auto& log : batch.logs)
                text += log.second;
        });
        follower.begin();
        QFile file(run + QStringLiteral("/launcher.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("one\n");
        file.flush();
        QTRY_COMPARE_WITH_TIMEOUT(text, QStringLiteral("one\n"), 20'000);
    }

    /// A reader that takes nothing is sent little; once it counts down, everything arrives.
    void slowReaderIsNotBuried()
    {
        const QString study = m_folder->filePath(QStringLiteral("study"));
        QStringList runs;
        QList<int> workers;
        for (int i = 0; i < 3 * StudyFollower::kMostWaiting; ++i) {
            runs << study + QStringLiteral("/runs/r%1").arg(i);
            workers << 1;
            QVERIFY(QDir().mkpath(runs.last()));
            RunStatus status;
            status.state = RunState::Completed;
            QVERIFY(writeRunStatus(runs.last(), status).ok());
        }
        StudyFollower follower(study, runs, workers, StudyFollower::Does::OnlyRead);
        const auto backlog = std::make_shared<std::atomic<int>>(0);
        follower.setBacklog(backlog);
        int batches = 0;
        bool ended = false, takes = false;
        connect(&follower, &StudyFollower::batch, this, [&] {
            ++batches;
            if (takes)
                --*backlog;
        });
        connect(&follower, &StudyFollower::finished, this, [&] { ended = true; });
        follower.begin();
        QTRY_COMPARE_WITH_TIMEOUT(batches, StudyFollower::kMostWaiting, 20'000);
        QTest::qWait(300);
        QCOMPARE(batches, StudyFollower::kMostWaiting);
        QVERIFY(!ended);
        takes = true;
        *backlog = 0;
        QTRY_VERIFY_WITH_TIMEOUT(ended, 20'000);
        QCOMPARE(batches, int(runs.size()));
    }

private:
    void setState(RunState state)
    {
        RunStatus status;
        status.state = state;
        QVERIFY(writeRunStatus(m_folder->path(), status).ok());
    }
    void append(const char* name, const QByteArray& bytes)
    {
        QFile file(m_folder->filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::Append));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    static QString logs(RunFollower& run)
    {
        QString text;
        for (const auto& log : run.poll().logs)
            text += log.second;
        return text;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(RunFollowerTest)
#include "run_follower_test.moc"
