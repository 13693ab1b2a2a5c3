// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow/queue_keeper.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "run/study_lock.h"
#include "run/study_queue.h"
#include "supervise/supervisor.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include <QFileInfo>
#include <QTest>

using namespace scalebench;
using namespace scalebench::test;

class QueueKeeperTest : public QObject
{
    Q_OBJECT
private slots:
    /// A follower asks to go on whenever it comes back, maybe right behind a wish to stop: a
    /// supervisor that begins later is told of that all the same. A wish to start withdraws it.
    void wishToStopOutlivesGoingOn_data()
    {
        QTest::addColumn<bool>("startsAnew");
        QTest::newRow("go on") << false;
        QTest::newRow("start") << true;
    }
    void wishToStopOutlivesGoingOn()
    {
        QFETCH(bool, startsAnew);
        useFakeEngine("ok", 3, 100);
        TemporaryLibrary library;
        const Study study = library.create({1});
        const QString runDir = study.runs[0].runDir;
        QueueKeeper keeper(study.dir, false);
        keeper.stopNow();
        startsAnew ? keeper.startQueued() : keeper.goOn();
        withdrawStopAfterRun(study.dir); // only the keeper still knows
        QVERIFY(startSupervisor(study.dir).ok());
        const auto state = [&] {
            const auto status = readRunStatus(runDir);
            return status ? status.value().state : RunState::Queued;
        };
        QVERIFY(QTest::qWaitFor([&] { return lockHolder(study.dir).has_value(); }, kHangMs));
        QVERIFY(QTest::qWaitFor(
            [&] {
                keeper.tick({QFileInfo(runDir).fileName()});
                return isFinal(state()) && !lockHolder(study.dir);
            },
            kHangMs));
        QVERIFY(state() == (startsAnew ? RunState::Completed : RunState::Cancelled));
        QVERIFY(QTest::qWaitFor([&] { return library.processesLeft().isEmpty(); }, kHangMs));
    }
};

QTEST_GUILESS_MAIN(QueueKeeperTest)
#include "queue_keeper_test.moc"
