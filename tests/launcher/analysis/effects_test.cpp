// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/effects.h"
#include "analysis/speedup_table.h"
#include "run/run_series.h"
#include "support/launcher_fixture.h"

#include <QTest>

#include <cmath>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class EffectsTest : public QObject
{
    Q_OBJECT

    /// A plan whose runs took what `seconds` says.
    template <typename F>
    static QList<RunRecord> study(const StudySpec& spec, F seconds)
    {
        QList<RunRecord> records;
        const auto runs = planRuns(spec, goodMachine(), u"s"_s, u"/d"_s);
        for (const RunConfig& config : runs ? runs.value() : QList<RunConfig>()) {
            RunRecord r;
            r.config = config;
            r.state = RunState::Completed;
            r.runStartMs = 1000;
            r.runStopMs = 1000 + seconds(config) * 1000;
            EvalPoint point;
            point.epoch = 1;
            point.value = 1;
            r.evals << point;
            records << r;
        }
        return records;
    }

    static bool on(const RunConfig& c)
    {
        return c.json.value(u"options"_s).toObject().value(u"overlap"_s).toBool();
    }

private Q_SLOTS:
    /// Times that are products of what each value does give that back, whatever the rest is.
    void productsAreTakenApart()
    {
        StudySpec spec;
        spec.workers = {1, 2, 4};
        spec.precisions = {u"fp32"_s, u"bf16"_s};
        spec.settings = {{u"options.overlap"_s, {false, true}},
                         {u"schedule.base_lr"_s, {0.1, 0.2}}};
        const auto runs = study(spec, [](const RunConfig& c) {
            return 100.0 / c.workers * (on(c) ? 0.9 : 1) * (c.precision == "bf16"_L1 ? 0.5 : 1) *
                   (c.learningRate > 0.15 ? 1.25 : 1);
        });
        QCOMPARE(runs.size(), 24);
        const QList<Effect> effects = mainEffects(runs);
        QCOMPARE(effects.size(), 3);
        QMap<QString, Effect> by;
        for (const Effect& e : effects)
            by.insert(e.path, e);
        QVERIFY(std::abs(by[u"options.overlap"_s].ratio - 0.9) < 1e-9);
        QVERIFY(std::abs(by[u"precision"_s].ratio - 0.5) < 1e-9);
        QVERIFY(std::abs(by[u"schedule.base_lr"_s].ratio - 1.25) < 1e-9);
        for (const Effect& e : effects)
            QCOMPARE(e.pairs, 12);
        QCOMPARE(effectText(by[u"options.overlap"_s]),
                 u"Overlap on instead of off: 10 % ± 0.0 less time (12 comparisons)."_s);
    }

    /// The interval is Student's over the logarithms, computed here by hand.
    void intervals()
    {
        StudySpec spec;
        spec.workers = {1, 2};
        spec.settings = {{u"options.overlap"_s, {false, true}}};
        const auto runs = study(spec, [](const RunConfig& c) {
            return on(c) ? (c.workers == 1 ? 90.0 : 48.0) : (c.workers == 1 ? 100.0 : 50.0);
        });
        const QList<Effect> effects = mainEffects(runs);
        QCOMPARE(effects.size(), 1);
        const double a = std::log(0.9), b = std::log(0.96), mean = (a + b) / 2;
        const double half = 12.7062047364 * std::abs(a - b) / 2; // t(1), s / sqrt 2
        QVERIFY(std::abs(effects[0].ratio - std::exp(mean)) < 1e-12);
        QVERIFY(std::abs(effects[0].low - std::exp(mean - half)) < 1e-6);
        QVERIFY(std::abs(effects[0].high - std::exp(mean + half)) < 1e-6);
        QVERIFY(effectText(effects[0]).contains(u"no more than chance"_s));
    }

    /// "48 % ± 2,468" tells nobody anything.
    void pairsThatDifferTooMuch()
    {
        StudySpec spec;
        spec.workers = {1, 2};
        spec.settings = {{u"options.overlap"_s, {false, true}}};
        const auto runs = study(spec, [](const RunConfig& c) {
            return on(c) ? (c.workers == 1 ? 90.0 : 20.0) : (c.workers == 1 ? 100.0 : 50.0);
        });
        QCOMPARE(effectText(mainEffects(runs)[0]),
                 u"Overlap on instead of off: 40 % less time (2 comparisons that differ too much; "
                 "no more than chance)."_s);
        // As wide, and yet beyond chance.
        const auto slow = study(spec, [](const RunConfig& c) {
            return on(c) ? (c.workers == 1 ? 900.0 : 500.0) : (c.workers == 1 ? 100.0 : 50.0);
        });
        const QString told = effectText(mainEffects(slow)[0]);
        QVERIFY2(told.startsWith(u"Overlap on instead of off: 849 % ± 68"_s), qPrintable(told));
    }

    void onePairWithoutRepeatsHasNoInterval()
    {
        StudySpec spec;
        spec.workers = {1};
        spec.settings = {{u"options.overlap"_s, {false, true}}};
        const auto runs = study(spec, [](const RunConfig& c) { return on(c) ? 90.0 : 100.0; });
        const QList<Effect> effects = mainEffects(runs);
        QCOMPARE(effects.size(), 1);
        QVERIFY(std::isnan(effects[0].low));
        QCOMPARE(effectText(effects[0]),
                 u"Overlap on instead of off: 10 % less time (1 comparison; "
                 "repeats would tell how sure that is)."_s);
    }

    /// From five repeats up the outliers that the olympic mean drops are not in its interval
    /// either.
    void onePairOfManyRepeats()
    {
        StudySpec spec;
        spec.workers = {1};
        spec.repeats = 5;
        spec.settings = {{u"options.overlap"_s, {false, true}}};
        const QList<double> off{100, 101, 102, 103, 160}, with{90, 91, 92, 93, 140};
        const auto runs = study(spec, [&](const RunConfig& c) {
            return on(c) ? with[c.repeat - 1] : off[c.repeat - 1];
        });
        const QList<Effect> effects = mainEffects(runs);
        QCOMPARE(effects.size(), 1);
        // Both winsorised to m - 1, m - 1, m, m + 1, m + 1: deviation 1; t(2) = 4.30265; means
        // 102, 92.
        const double half = 4.30265272975 / (0.6 * std::sqrt(5.0)), mean = std::log(92.0 / 102);
        QVERIFY(std::abs(effects[0].low - std::exp(mean - half * std::hypot(1 / 102.0, 1 / 92.0))) <
                1e-9);
        QVERIFY(std::abs(effects[0].low - 0.861) < 5e-4);
        QVERIFY(std::abs(effects[0].high - 0.945) < 5e-4);
    }

    void soonestIsNamed()
    {
        StudySpec spec;
        spec.workers = {1, 2};
        spec.repeats = 3;
        spec.precisions = {u"fp32"_s, u"bf16"_s};
        const auto runs = study(spec, [](const RunConfig& c) {
            return (c.precision == "bf16"_L1 ? 30.0 : 40.0) / c.workers + c.repeat;
        });
        const QStringList texts = soonestTexts(runs);
        QCOMPARE(texts, QStringList{u"resnet reached its target soonest with 2 workers, bf16: 17.0 "
                                    "s, 23 % sooner than with 2 workers, fp32."_s});
    }

    /// A sentence names its workload once.
    void soonestOfSeveralWorkloads()
    {
        StudySpec spec;
        spec.workers = {1};
        spec.precisions.clear();
        spec.workloads = {{u"resnet"_s}, {u"ncf"_s}};
        spec.settings = {{u"options.overlap"_s, {false, true}}};
        const auto runs = study(spec, [](const RunConfig& c) { return on(c) ? 30.0 : 40.0; });
        QCOMPARE(soonestTexts(runs),
                 (QStringList{u"resnet reached its target soonest with 1 worker, overlap on: 30.0 "
                              "s, 25 % sooner than with 1 worker, overlap off."_s,
                              u"ncf reached its target soonest with 1 worker, overlap on: 30.0 s, "
                              "25 % sooner than with 1 worker, overlap off."_s}));
        const RunSeries series(runs);
        QCOMPARE(series.variant(0), u"overlap off"_s);
        QCOMPARE(series.difference(0), u"resnet, overlap off"_s);
    }

    void oversubscribedAndFailedRunsDoNotCount()
    {
        StudySpec spec;
        spec.workers = {1, 8};
        spec.oversubscribe = true;
        spec.settings = {{u"options.overlap"_s, {false, true}}};
        auto runs = study(spec, [](const RunConfig& c) { return on(c) ? 90.0 : 100.0; });
        QCOMPARE(mainEffects(runs).value(0).pairs, 1);
        runs[0].state = RunState::Failed;
        QVERIFY(mainEffects(runs).isEmpty());
    }

    /// A sentence over runs that were disturbed or resumed says so; others do not.
    void sentencesSayWhatTheirRunsWereMeasuredUnder()
    {
        StudySpec spec;
        spec.workers = {1, 2};
        spec.precisions.clear();
        spec.workloads = {{u"resnet"_s}, {u"ncf"_s}};
        spec.settings = {{u"options.overlap"_s, {false, true}}};
        auto runs =
            study(spec, [](const RunConfig& c) { return (on(c) ? 30.0 : 40.0) / c.workers; });
        for (RunRecord& run : runs)
            if (run.config.workload == "resnet"_L1 && run.config.workers == 1)
                run.resumes = 1;
        for (const Effect& effect : mainEffects(runs))
            QCOMPARE(effectText(effect).endsWith(u" Marked: resumed."_s),
                     effect.workload == "resnet"_L1);
        for (const SpeedupRow& row : speedupTable(runs)) // each against one worker
            QCOMPARE(explainRow(row).endsWith(u" Marked: resumed."_s),
                     row.group.startsWith(u"resnet"_s));
        QVERIFY(!soonestTexts(runs)[0].contains(u"Marked"_s)); // both cells have two workers
        for (RunRecord& run : runs)
            run.resumes = 1;
        QVERIFY(soonestTexts(runs)[0].endsWith(u" Marked: resumed."_s));
    }

    void marksAreSaidOnce()
    {
        const QString sentence = u"bf16 (computed in fp32): 3 %."_s;
        QCOMPARE(withMarks(sentence, {u"computed in fp32"_s}), sentence);
        QCOMPARE(withMarks(sentence, {u"resumed"_s, u"disturbed"_s, u"resumed"_s}),
                 sentence + u" Marked: resumed, disturbed."_s);
    }

    /// bf16 on a processor without it computes in fp32; that is said, and no series of its own
    /// before a run has told.
    void whatWasComputed()
    {
        StudySpec spec;
        spec.workers = {1, 2};
        spec.precisions = {u"fp32"_s, u"bf16"_s};
        auto runs = study(spec, [](const RunConfig&) { return 10.0; });
        for (RunRecord& run : runs)
            if (run.config.workers == 1)
                run.setup.insert(u"compute_precision"_s, u"fp32"_s);
            else
                run.state = RunState::Queued;
        const RunSeries series(runs);
        QCOMPARE(series.count(), 2);
        QCOMPARE(series.label(series.seriesOf(2)), u"bf16 (computed in fp32)"_s);
        QCOMPARE(series.label(series.seriesOf(0)), u"fp32"_s);
    }

    /// A run of before there was an option is one with its default.
    void optionsThatCameLater()
    {
        StudySpec spec;
        spec.workers = {1, 2};
        auto runs = study(spec, [](const RunConfig&) { return 10.0; });
        QJsonObject options = runs[1].config.json.value("options"_L1).toObject();
        QVERIFY(options.contains("bind_threads"_L1));
        options.remove("bind_threads"_L1);
        runs[1].config.json.insert(u"options"_s, options);
        QCOMPARE(RunSeries(runs).count(), 1);
        options.insert(u"bind_threads"_s, false);
        runs[1].config.json.insert(u"options"_s, options);
        QCOMPARE(RunSeries(runs).count(), 2);
    }
};

QTEST_GUILESS_MAIN(EffectsTest)
#include "effects_test.moc"
