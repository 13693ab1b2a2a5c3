// SPDX-License-Identifier: GPL-3.0-or-later
// What the Plan page says of the time, the energy and the disk that a study will take.
#include "gui/plan_page_fixture.h"

#include "library/plan_estimate.h"

using namespace Qt::Literals::StringLiterals;
using namespace scalebench;
using namespace scalebench::test;

class PlanEstimateTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void estimateKnowsTheLimits()
    {
        StudySpec spec;
        spec.workers = {1, 2};
        const auto runs = planRuns(spec, machineWith(4), QStringLiteral("s"), QStringLiteral("d"));
        QVERIFY(runs.ok());
        RunSummary past;
        past.workload = QStringLiteral("resnet");
        past.scale = QStringLiteral("desk");
        past.device = QStringLiteral("cpu");
        past.precision = QStringLiteral("fp32");
        past.state = RunState::Completed;
        past.timeToTrainS = 600;
        past.epochs = runs.value().first().epochs;
        past.workers = 1;
        past.target = past.quality = *runs.value().first().target;
        const TimeEstimate all = estimateTime(runs.value(), {past});
        QVERIFY(all.known == 2 && all.low > 600);
        spec.maxMinutes = 5;
        const TimeEstimate capped = estimateTime(runs.value(), {past}, spec);
        QVERIFY(capped.capped);
        QCOMPARE(capped.low, 300.0);
        QVERIFY(capped.high < all.high);
        QVERIFY(estimateText(runs.value(), {past}, spec).contains(QLatin1String("5 minute")));
        spec.maxMinutes = 0;
        spec.stopAfterTarget = true;
        const TimeEstimate first = estimateTime(runs.value(), {past}, spec);
        QVERIFY(first.low < all.low);
        QCOMPARE(first.high, all.high);
    }

    void timesComeFromRunsOfTheSameKind()
    {
        RunSummary past;
        past.workload = QStringLiteral("resnet");
        past.scale = QStringLiteral("desk");
        past.device = QStringLiteral("cpu");
        past.precision = QStringLiteral("fp32");
        past.globalBatch = 128;
        past.workers = 1;
        past.state = RunState::Completed;
        past.epochs = 1;
        past.timeToTrainS = 95;
        StudySpec spec;
        spec.workers = {1};
        spec.noTarget = true;
        spec.epochs = 10;
        const auto runs = planRuns(spec, machineWith(4), QStringLiteral("x"), QStringLiteral("d"));
        const TimeEstimate ten = estimateTime(runs.value(), {past});
        QVERIFY(ten.low <= 950 && 950 <= ten.high && ten.low > 700 && ten.high < 1300);
        RunSummary slower = past; // the range has both
        slower.timeToTrainS = 190;
        const TimeEstimate range = estimateTime(runs.value(), {past, slower});
        QVERIFY(range.low <= 950 && range.high >= 1900);
        RunSummary trial = past; // of a few samples: its speed counts, its epoch does not
        trial.timeToTrainS = 1;
        trial.samplesPerSecond = 100;
        const qint64 samples = runs.value().first().json["data"_L1]["train_samples"_L1].toInteger();
        QCOMPARE(estimateTime(runs.value(), {past, trial}).low, ten.low);
        const TimeEstimate sped = estimateTime(runs.value(), {trial});
        QVERIFY(sped.fromSpeed && sped.low < samples / 10.0 && samples / 10.0 < sped.high);
        spec.settings[u"data.train_samples"_s] = {QJsonValue(640)}; // as many as planned
        const auto few = planRuns(spec, machineWith(4), QStringLiteral("x"), QStringLiteral("d"));
        const TimeEstimate own = estimateTime(few.value(), {trial});
        QVERIFY(own.fromSpeed && own.low < 64 && 64 < own.high);
        spec.settings.clear();
        RunSummary bf16 = past; // another kind counts only where there is none of its own
        bf16.precision = QStringLiteral("bf16");
        bf16.timeToTrainS = 10'000;
        QCOMPARE(estimateTime(runs.value(), {past, bf16}).high, ten.high);
        // A target that was reached after two of ten epochs.
        spec.noTarget = false;
        spec.target = 0.5;
        past.target = 0.5;
        past.quality = 0.6;
        past.epochs = 2;
        past.timeToTrainS = 190;
        const auto aimed = planRuns(spec, machineWith(4), QStringLiteral("x"), QStringLiteral("d"));
        QVERIFY(estimateTime(aimed.value(), {past}).high < 300);
        QCOMPARE(estimateTime(aimed.value(), {}).unknown, 1);
    }

    void energyAndOtherMachines()
    {
        StudySpec spec;
        spec.workers = {1};
        spec.noTarget = true;
        spec.epochs = 10;
        const auto runs = planRuns(spec, machineWith(4), QStringLiteral("x"), QStringLiteral("d"));
        RunSummary past;
        past.workload = QStringLiteral("resnet");
        past.scale = QStringLiteral("desk");
        past.device = QStringLiteral("cpu");
        past.precision = runs.value().first().precision;
        past.globalBatch = runs.value().first().globalBatch;
        past.state = RunState::Completed;
        past.epochs = 10;
        past.timeToTrainS = 3600;
        QVERIFY(energyText(runs.value(), {past}).isEmpty()); // nobody told it
        past.energyJ = 3600 * 100;
        const QString energy = energyText(runs.value(), {past});
        QVERIFY2(energy.contains(QStringLiteral("85–120 Wh")), qPrintable(energy));
        // Runs there tell nothing of runs here, nor the other way round.
        RunSummary there = past;
        there.machine = QStringLiteral("lab");
        const QStringList names{QStringLiteral("lab")};
        QCOMPARE(historyOf({past, there}, {}, names).size(), 1);
        QVERIFY(historyOf({past, there}, {}, names).first().machine.isEmpty());
        spec.machine = QStringLiteral("lab");
        const auto known = historyOf({past, there}, spec.machine, names);
        QCOMPARE(known.size(), 1);
        QVERIFY(estimateText(runs.value(), known, spec)
                    .endsWith(QStringLiteral(", from earlier runs on lab")));
        QCOMPARE(estimateText(runs.value(), {}, spec),
                 QStringLiteral("time unknown before the first run on lab"));
    }

    /// 269,722 parameters with momentum, twice: 2 x 2 x 4 bytes of each.
    void checkpointsOnTheDisk()
    {
        StudySpec spec;
        spec.workers = {1};
        const auto runs = planRuns(spec, machineWith(4), QStringLiteral("s"), QStringLiteral("/d"));
        QVERIFY(runs);
        QCOMPARE(checkpointBytes(runs.value()), qint64(269722) * 16);
        QCOMPARE(checkpointText(runs.value()), QStringLiteral("checkpoints up to 4 MB"));
        QCOMPARE(checkpointBytes(QList<RunConfig>{}), qint64(0));
        // With a second value of state. Of BERT the recipe's vocabulary, of DLRM all tables.
        for (const auto& [workload, parameters] :
             {std::pair{"bert", 560114}, {"dlrm", 3337921}, {"ncf", 874401}}) {
            spec.workload = QLatin1String(workload);
            const auto adam =
                planRuns(spec, machineWith(4), QStringLiteral("s"), QStringLiteral("/d"));
            QVERIFY(adam);
            QCOMPARE(checkpointBytes(adam.value()), qint64(parameters) * 24);
        }
    }
};

SB_WATCHED_TEST_MAIN(PlanEstimateTest)
#include "plan_estimate_test.moc"
#include "support/campaign.h"
