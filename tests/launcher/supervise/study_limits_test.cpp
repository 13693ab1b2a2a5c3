// SPDX-License-Identifier: GPL-3.0-or-later
// What a study may cost at most: told to its supervisor, with real mpirun and the fake engine.
#include "supervise/study_limits.h"

#include "run/run_status.h"
#include "run/study_queue.h"
#include "supervise/requeue.h"
#include "supervise/supervisor.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <sys/mount.h>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class StudyLimitsTest : public QObject
{
    Q_OBJECT

    static RunStatus statusOf(const RunRecord& run)
    {
        const auto status = readRunStatus(run.runDir);
        return status ? status.value() : RunStatus();
    }

    static StudySpec twoRates()
    {
        StudySpec spec;
        spec.workers = {1};
        spec.target = 0.8;
        spec.settings = {{u"schedule.base_lr"_s, {0.1, 0.2, 0.3}}};
        return spec;
    }

private Q_SLOTS:
    void aReachedTargetEndsItsWorkload()
    {
        useFakeEngine("ok");
        TemporaryLibrary library;
        StudySpec spec = twoRates();
        spec.stopAfterTarget = true;
        spec.workloads = {{u"resnet"_s}, {u"ncf"_s}};
        const Study study = library.create(spec, u"limits"_s);
        QCOMPARE(study.runs.size(), 6);
        QVERIFY(startSupervisor(study.dir).ok());
        QVERIFY(QTest::qWaitFor([&] { return queuedRuns(study.dir).isEmpty(); }, kHangMs));
        QVERIFY(QTest::qWaitFor([&] { return library.processesLeft().isEmpty(); }, kHangMs));
        QStringList states;
        for (const RunRecord& run : study.runs)
            states << run.config.workload + u' ' + runStateName(statusOf(run).state);
        QCOMPARE(states,
                 (QStringList{u"resnet completed"_s, u"resnet cancelled"_s, u"resnet cancelled"_s,
                              u"ncf completed"_s, u"ncf cancelled"_s, u"ncf cancelled"_s}));
        const Failure reason = statusOf(study.runs[1]).error;
        QCOMPARE(reason.code, u"target_was_reached"_s);
        QCOMPARE(reason.message, u"Not started: %1 had reached the target already."_s.arg(
                                     study.runs[0].config.runId));
    }

    /// No run begins that would only fail; they are all resumed when there is room again.
    void fullDiskStopsTheQueue()
    {
        const QTemporaryDir disk;
        const QByteArray path = disk.path().toUtf8();
        if (::mount("tmpfs", path.constData(), "tmpfs", 0, "size=128m") != 0)
            QSKIP("mounting a small tmpfs needs root");
        const auto unmount = qScopeGuard([&] { ::umount2(path.constData(), MNT_DETACH); });
        useFakeEngine("ok");
        TemporaryLibrary library;
        const Study study = library.create({1, 2}, u"limits"_s, disk.filePath(u"study"_s));
        QFile filler(disk.filePath(u"filler"_s));
        QVERIFY(filler.open(QIODevice::WriteOnly));
        QCOMPARE(filler.write(QByteArray(64 << 20, 'x')), qint64(64) << 20);
        QVERIFY(startSupervisor(study.dir).ok());
        QVERIFY(QTest::qWaitFor([&] { return queuedRuns(study.dir).isEmpty(); }, kHangMs));
        QVERIFY(QTest::qWaitFor([&] { return library.processesLeft().isEmpty(); }, kHangMs));
        for (const RunRecord& run : study.runs) {
            QCOMPARE(statusOf(run).state, RunState::Cancelled);
            QCOMPARE(statusOf(run).error.code, u"disk_full"_s);
            QCOMPARE(statusOf(run).startedMs, 0);
        }
        const auto refused = requeueRuns(study.dir, {}, Requeue::Unfinished);
        QCOMPARE(refused.failure().code, u"disk_full"_s);
        QVERIFY(filler.remove());
        const auto queued = requeueRuns(study.dir, {}, Requeue::Unfinished);
        QCOMPARE(queued.value().size(), 2);
    }

    void usedUpMinutesEndTheStudy()
    {
        TemporaryLibrary library;
        StudySpec spec = twoRates();
        spec.maxMinutes = 2;
        const Study study = library.create(spec, u"limits"_s);
        const auto took = [&](int run, qint64 ms) {
            RunStatus status = statusOf(study.runs[run]);
            status.state = RunState::NotConverged;
            status.startedMs = 1'000'000;
            status.finishedMs = status.startedMs + ms;
            QVERIFY(writeRunStatus(study.runs[run].runDir, status).ok());
        };
        took(0, 119'000);
        applyStudyLimits(study.dir);
        QCOMPARE(queuedRuns(study.dir).size(), 2);
        took(1, 1'000);
        applyStudyLimits(study.dir);
        QVERIFY(queuedRuns(study.dir).isEmpty());
        QCOMPARE(statusOf(study.runs[2]).error.code, u"time_limit"_s);
        QVERIFY(statusOf(study.runs[2]).error.message.contains(u"2 min"_s));
        QVERIFY(statusOf(study.runs[0]).error.code.isEmpty());
    }

    /// "Run failed again" does just that, and going on does not undo the limits.
    void whatTheLimitsLeftOutStaysSo()
    {
        TemporaryLibrary library;
        StudySpec spec = twoRates();
        spec.maxMinutes = 2;
        const Study study = library.create(spec, u"limits"_s);
        const auto ended = [&](int run, RunState state, const QString& code) {
            RunStatus status = statusOf(study.runs[run]);
            status.state = state;
            status.error.code = code;
            QVERIFY(writeRunStatus(study.runs[run].runDir, status).ok());
        };
        const auto ids = [&](const QList<int>& runs) {
            QStringList list;
            for (const int run : runs)
                list << study.runs[run].config.runId;
            return list;
        };
        ended(0, RunState::Failed, u"rank_lost"_s);
        ended(1, RunState::Cancelled, u"cancelled"_s);
        ended(2, RunState::Cancelled, u"time_limit"_s);
        QCOMPARE(requeueRuns(study.dir, {}, Requeue::Failed).value(), ids({0}));
        QCOMPARE(requeueRuns(study.dir, {}, Requeue::Failed).failure().message,
                 u"No run of the study in %1 has failed."_s.arg(study.dir));
        ended(0, RunState::Failed, u"rank_lost"_s);
        QCOMPARE(requeueRuns(study.dir).value(), ids({0, 1}));
        QCOMPARE(requeueRuns(study.dir, ids({2})).value(), ids({2})); // a person named it
    }

    void withoutLimitsNothingIsCancelled()
    {
        TemporaryLibrary library;
        const Study study = library.create(twoRates(), u"limits"_s);
        applyStudyLimits(study.dir);
        QCOMPARE(queuedRuns(study.dir).size(), 3);
    }
};

QTEST_GUILESS_MAIN(StudyLimitsTest)
#include "study_limits_test.moc"
