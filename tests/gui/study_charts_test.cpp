// SPDX-License-Identifier: GPL-3.0-or-later
// What charts over worker counts and repeats say: ideals, what missed, what lies beyond the ideal,
// bands, marks, losses, storage, collectives; and what a study is exported as.
#include "gui/gui_fixture.h"
#include "support/campaign.h"

#include "app/study_export.h"
#include "charts/chart_export.h"
#include "charts/chart_widget.h"
#include "charts/metric_panel.h"
#include "dialogs/collectives_dialog.h"
#include "dialogs/loss_evidence_dialog.h"
#include "figures/bench_charts.h"
#include "figures/cost_chart.h"
#include "figures/loss_chart.h"
#include "figures/study_charts.h"
#include "import/published_studies.h"
#include "library/library.h"
#include "models/run_queue_model.h"
#include "pages/scaling/scaling_page.h"
#include "session/session.h"
#include "widgets/data_table.h"

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace scalebench;
using namespace scalebench::test;

namespace {

const NamedChart* find(const QList<NamedChart>& charts, const char* stem)
{
    for (const NamedChart& chart : charts)
        if (chart.stem == QLatin1String(stem))
            return &chart;
    return nullptr;
}

} // namespace

class StudyChartsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void timesHaveTheirIdealAndWhatMissed()
    {
        Study study = inventedStudy({1, 2, 4}, 2);
        for (RunRecord& run : study.runs)
            if (run.config.workers == 4)
                run.state = RunState::NotConverged;
        const auto rows = speedupTable(study.runs);
        const ChartData chart = timeToTargetChart(study, rows);
        QCOMPARE(chart.series.size(), 2);
        const ChartSeries& times = chart.series[0];
        QCOMPARE(times.x, (QVector<double>{1, 2}));
        QCOMPARE(times.n, (QVector<int>{2, 2}));
        const ChartSeries& missed = chart.series[1];
        QVERIFY(missed.kind == ChartSeries::Kind::Marks);
        QCOMPARE(missed.x, (QVector<double>{4}));
        QCOMPARE(missed.y.first(), (study.runs[2].elapsedS() + study.runs[5].elapsedS()) / 2);
        QCOMPARE(chart.guides.size(), 1);
        QCOMPARE(chart.guides[0].x.last(), 4.0);
        QVERIFY(std::abs(chart.guides[0].y.last() - times.y.first() / 4) < 1e-9);
        QVERIFY(chart.errorNote().contains(QLatin1String("n = 2")));
        QVERIFY(exportCaption(chart).contains(QLatin1String("95 % interval of the mean, n = 2")));
        QVERIFY(chart.csv().startsWith("series,workers,time_to_train_s,low,high,n"));
    }

    /// A run that cannot be read makes no chart, names no other run and moves no axis.
    void unreadableRunsAreInNoChart()
    {
        Study study = inventedStudy({1, 2, 4}, 2);
        const auto drawn = [](const Study& of) {
            QStringList texts;
            for (const NamedChart& named : studyCharts(of, {}))
                texts << named.stem << named.chart.title << exportCaption(named.chart)
                      << QString::fromUtf8(named.chart.csv());
            return texts;
        };
        Study damaged = study;
        damaged.runs[5].state = RunState::Unreadable; // the last of 4 workers
        damaged.runs[5].config = RunConfig();
        damaged.runs[5].config.workers = damaged.runs[5].config.nodes = 0;
        damaged.runs[5].config.runId = QStringLiteral("damaged");
        study.runs.removeLast();
        QCOMPARE(drawn(damaged), drawn(study));
        QCOMPARE(runLabels(damaged.runs).last(), QStringLiteral("damaged"));
        QCOMPARE(runLabels(damaged.runs).first(), runLabels(study.runs).first());
    }

    /// Runs on an unknown number of workers have no place on the axis, which is said.
    void unknownSizesAreToldOf()
    {
        Study study = inventedStudy({1, 2, 4}, 2);
        study.runs[5].config.workers = 0;
        const auto rows = speedupTable(study.runs);
        const Study none = [&study] {
            Study all = study;
            for (RunRecord& run : all.runs)
                run.config.workers = 0;
            return all;
        }();
        for (auto chartOf :
             {+[](const Study&of, const QList<SpeedupRow>&r) { return timeToTargetChart(of, r); },
              +[](const Study&of, const QList<SpeedupRow>&r) { return speedupChart(of, r); },
              +[](const Study&of, const QList<SpeedupRow>&r) {
                  return efficiencyChart(of, r, SpeedupOf::Throughput);
              }}) {
            const ChartData chart = chartOf(study, rows);
            QCOMPARE(chart.xTicks, (QVector<double>{1, 2, 4}));
            QVERIFY(!chart.series[0].x.contains(0));
            QVERIFY2(chart.notes().contains(QStringLiteral(
                         "not in this chart: 1 run on an unknown number of workers")),
                     qPrintable(chart.notes().join(u'|')));
            const ChartData empty = chartOf(none, speedupTable(none.runs));
            QVERIFY(empty.isEmpty());
            QVERIFY2(empty.emptyText.contains(QLatin1String("workers of these runs is not known")),
                     qPrintable(empty.emptyText));
        }
    }

    /// Of one bar in parts, of several what has room below the chart.
    void inputIsToldInShort()
    {
        Study study = inventedStudy({1, 2});
        for (RunRecord& run : study.runs) {
            StepPoint step;
            step.step = 1;
            step.readMs = 1;
            step.decodeMs = 10;
            step.augmentMs = 4.5;
            run.steps = {};
            run.steps << step;
        }
        const auto told = [](const Study& of) { return stepSplitChart(of).remarks.join(u'|'); };
        QCOMPARE(told(study), QStringLiteral("Input made beside a step: 1 worker: 15.5 ms; "
                                             "2 workers: 15.5 ms"));
        study.runs.removeLast();
        QCOMPARE(told(study), QStringLiteral("Input made beside a step: read 1.00, decoded 10.0, "
                                             "augmented 4.50 ms"));
    }

    /// A batch that is not told may be any: what it took is no part of another's mean.
    void unknownBatchesStandApart()
    {
        Study study = inventedStudy({1, 2}, 2);
        for (RunRecord& run : study.runs)
            if (run.config.repeat == 2)
                run.config.globalBatch = 0;
        const ChartData chart = costChart(study, 2.5);
        QCOMPARE(chart.series[0].x.size(), 4);
        QCOMPARE(chart.series[0].n, (QVector<int>{1, 1, 1, 1}));
    }

    /// A group's name breaks between its settings, not within one.
    void settingsStayWhole()
    {
        Study study = inventedStudy({1, 2}, 4);
        for (RunRecord& run : study.runs) {
            const QJsonObject schedule{
                {QStringLiteral("base_lr"), run.config.repeat % 2 == 0 ? 0.0003 : 0.1}};
            run.config.json.insert(QStringLiteral("schedule"), schedule);
            run.config.json.insert(QStringLiteral("precision"), run.config.precision);
        }
        const ChartData chart = speedupPartsChart(study, speedupTable(study.runs));
        QVERIFY2(chart.categories.contains(QStringLiteral("lr 0.0003\n2 workers")),
                 qPrintable(chart.categories.join(u'|')));
    }

    /// Whoever has only the file of a chart must know it too.
    void marksAreInAChartsFile()
    {
        Study study = inventedStudy({1, 2});
        QVERIFY(!speedupChart(study, speedupTable(study.runs)).csv().contains("marks"));
        study.runs[1].resumes = 1;
        for (const ChartData& chart :
             {speedupChart(study, speedupTable(study.runs)), accuracyChart(study, RunAxis::Epoch),
              throughputChart(study, RunAxis::Epoch)}) {
            const QList<QByteArray> lines = chart.csv().trimmed().split('\n');
            QVERIFY2(lines.first().trimmed().endsWith(",marks,chart"), lines.first());
            for (const QByteArray& line : lines.mid(1))
                QVERIFY2(line.contains(",resumed: 2 workers,"), line);
        }
    }

    void beyondTheIdealIsExplained()
    {
        Study study = inventedStudy({1, 2});
        QVERIFY(speedupChart(study, speedupTable(study.runs)).superLinear.isEmpty());
        study.runs[1] = inventedRun(2, 1, 2); // a third of the epochs
        study.runs[1].config.globalBatch = 256;
        const auto rows = speedupTable(study.runs);
        const ChartData chart = speedupChart(study, rows);
        QVERIFY2(chart.superLinear.contains(QLatin1String("fewer epochs")),
                 qPrintable(chart.superLinear));
        QCOMPARE(efficiencyChart(study, rows).superLinear, chart.superLinear);
        const QString warned = chart.marks.join(QLatin1Char('|'));
        QVERIFY2(warned.contains(QLatin1String("batch changes with the workers (128 to 256)")),
                 qPrintable(warned));
        QVERIFY2(warned.contains(QLatin1String("epochs to the target differ (2 to 6)")),
                 qPrintable(warned));
        // Of an epoch, nothing is gained that hardware did not do.
        QVERIFY(speedupChart(study, rows, SpeedupOf::EpochTime).superLinear.isEmpty());
        Study fast = inventedStudy({1, 2});
        fast.runs[1].runStopMs =
            fast.runs[1].runStartMs + (fast.runs[1].runStopMs - fast.runs[1].runStartMs) / 3;
        QVERIFY(speedupChart(fast, speedupTable(fast.runs))
                    .superLinear.contains(QLatin1String("steps are faster")));
        QTemporaryDir dir;
        QVERIFY(saveChart(chart, dir.filePath(QStringLiteral("a.svg")), ExportOptions()).ok());
        QFile svg(dir.filePath(QStringLiteral("a.svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QVERIFY(svg.readAll().contains("beyond the ideal"));
    }

    void baselineIsAChoice()
    {
        const Study study = inventedStudy({1, 2, 4});
        const auto rows = speedupTable(study.runs, Baseline{Baseline::Kind::Workers, 2});
        const ChartData chart = speedupChart(study, rows);
        QCOMPARE(chart.idealAt, 2.0);
        QCOMPARE(chart.series[0].y[1], 1.0);
        QVERIFY(chart.series[0].y[0] < 1 && chart.series[0].y[2] > 1);
        QCOMPARE(speedupChart(study, rows, SpeedupOf::Throughput).series[0].y[1], 1.0);
        const auto node = speedupTable(study.runs, Baseline{Baseline::Kind::Node});
        QVERIFY(node.last().baseline);
        const auto none = speedupTable(study.runs, Baseline{Baseline::Kind::Workers, 3});
        QVERIFY(std::isnan(none[0].speedup) && speedupChart(study, none).isEmpty());
        for (const char* text : {"smallest", "node", "4"})
            QCOMPARE(Baseline::fromText(QLatin1String(text))->text(), QLatin1String(text));
        QVERIFY(!Baseline::fromText(QStringLiteral("0")));
    }

    void repeatsAsABand()
    {
        const Study study = inventedStudy({1, 2}, 3);
        QVERIFY(hasRepeats(study));
        QVERIFY(!hasRepeats(inventedStudy({1, 2})));
        const ChartData raw = accuracyChart(study, RunAxis::Time);
        const ChartData chart = withBands(raw);
        QCOMPARE(chart.series.size(), raw.series.size() + 2);
        const ChartSeries& band = chart.series[raw.series.size()];
        QVERIFY(band.band && band.name.contains(QLatin1String("3 runs")));
        QVERIFY(chart.series[0].faint);
        // By hand at the first place that all three runs have: the latest of their first points.
        double from = 0;
        for (int i : {0, 2, 4})
            from = std::max(from, raw.series[i].x.first());
        QCOMPARE(band.x.first(), from);
        double sum = 0;
        for (int i : {0, 2, 4}) {
            const ChartSeries& s = raw.series[i];
            qsizetype k = 0;
            while (s.x[k] < from)
                ++k;
            sum += k == 0 ? s.y[0]
                          : s.y[k - 1] +
                                (s.y[k] - s.y[k - 1]) * (from - s.x[k - 1]) / (s.x[k] - s.x[k - 1]);
        }
        QVERIFY(std::abs(band.y.first() - sum / 3) < 1e-12);
        QVERIFY(band.yLow.first() <= band.y.first() && band.yHigh.first() >= band.y.first());
        QCOMPARE(band.n.first(), 3);
        QCOMPARE(chart.errorNote(), QStringLiteral("Band: range of the repeats, n = 3"));
        MetricPanel panel;
        panel.setStudy(study, RunAxis::Epoch);
        QVERIFY(!panel.isBand());
        panel.bandButton()->setChecked(true);
        panel.setStudy(study, RunAxis::Epoch);
        QVERIFY(panel.chart().hasErrorBars());
        panel.setStudy(inventedStudy({1, 2}), RunAxis::Epoch); // nothing to average
        QVERIFY(!panel.chart().hasErrorBars());
    }

    void stepsAndTheClock()
    {
        Study study = inventedStudy({1});
        study.runs[0].runStartMs = 1.7e12;
        const ChartData steps = accuracyChart(study, RunAxis::Step);
        QCOMPARE(steps.series[0].x.first(), 40.0); // 5120 samples in batches of 128
        QCOMPARE(throughputChart(study, RunAxis::Step).series[0].x.first(), 10.0);
        const ChartData clock = accuracyChart(study, RunAxis::Clock);
        QVERIFY(clock.xClock && !clock.canLogX());
        QCOMPARE(clock.series[0].x.first(), 1.7e9 + study.runs[0].evals[0].seconds);
        for (const auto& [axis, title] : runAxisChoices())
            QCOMPARE(int(runAxisFromName(runAxisName(axis))), int(axis));
    }

    void marksAreSaidWithTheNumbers()
    {
        Study study = inventedStudy({1, 2});
        for (RunRecord& run : study.runs)
            run.config.dataSource = QStringLiteral("synthetic");
        study.runs[1].resumes = 1;
        const ChartData chart = accuracyChart(study, RunAxis::Epoch);
        QVERIFY(chart.marks.contains(QStringLiteral("all runs: synthetic data")));
        QVERIFY(chart.marks.contains(QStringLiteral("resumed: 2 workers")));
        QCOMPARE(chart.series[0].name, QStringLiteral("1 worker"));
        QCOMPARE(chart.series[1].name, QStringLiteral("2 workers (resumed)"));
        QVERIFY(exportCaption(chart).contains(QStringLiteral("resumed: 2 workers")));
        RunQueueModel queue;
        QVERIFY(!queue.hasNotes());
        queue.setStudy(&study);
        QVERIFY(queue.hasNotes());
        QCOMPARE(queue.index(1, RunQueueModel::Note).data().toString(),
                 QStringLiteral("resumed, synthetic data"));
    }

    void everythingIsExported()
    {
        const Study study = inventedStudy({1, 2});
        ScalingView view;
        view.quantity = SpeedupOf::Throughput;
        view.reference = QStringLiteral("time-to-train");
        const QList<NamedChart> charts = studyCharts(study, view);
        for (const char* stem :
             {"accuracy_vs_epoch", "training_loss", "throughput", "step_split", "time_to_target",
              "speedup_parts", "throughput_ratio", "throughput_efficiency"})
            QVERIFY2(find(charts, stem), stem);
        QVERIFY(find(charts, "time_to_target")->chart.csv().contains("reference only"));
        QCOMPARE(view.options().join(QLatin1Char(' ')),
                 QStringLiteral("--quantity throughput --reference time-to-train"));
        ScalingView byTime = view;
        byTime.quantity = SpeedupOf::TimeToTrain;
        const QList<NamedChart> timed = studyCharts(study, byTime);
        for (const char* stem : {"speedup", "efficiency", "time_to_target"})
            QVERIFY2(find(timed, stem)->chart.csv().contains("reference only"), stem);
        QTemporaryDir dir;
        QVERIFY(writeStudyPictures(study, dir.path(), view).ok());
        QVERIFY(QFile::exists(dir.filePath(QStringLiteral("throughput_efficiency.pdf"))));
    }

    /// Seconds beside a cluster's minutes: in the chart's own unit, over decades.
    void timesBesidePublishedOnes()
    {
        const Study study = inventedStudy({1, 2});
        ScalingView view;
        const ChartData alone = scalingCharts(study, view).time;
        view.reference = QStringLiteral("time-to-train");
        const ChartData both = scalingCharts(study, view).time;
        QVERIFY(both.series.size() > alone.series.size());
        QVERIFY(both.yLog10 && both.guides.isEmpty());
        Study published = imports::publishedStudy(view.reference);
        published.runs.removeIf(
            [](const RunRecord& run) { return run.config.workload != QLatin1String("resnet"); });
        QVERIFY(!published.runs.isEmpty());
        const auto rows = speedupTable(published.runs);
        const double minutes = timeToTargetChart(published, rows).series[0].y.first();
        QCOMPARE(alone.yColumn, QStringLiteral("time_to_train_s"));
        const auto shown = std::find_if(both.series.begin(), both.series.end(), [&](const auto& s) {
            return !s.y.isEmpty() && std::abs(s.y.first() - minutes * 60) < 1e-6;
        });
        QVERIFY(shown != both.series.end());
    }

    void processorsOfTheHosts()
    {
        Study study = inventedStudy({1});
        QVERIFY(hardwareChart(study, RunAxis::Epoch, HardwareQuantity::Processors).isEmpty());
        for (int e = 1; e <= 2; ++e) {
            EpochSummary epoch;
            epoch.epoch = e;
            epoch.seconds = e * 5;
            study.runs[0].epochs << epoch;
            HostLoad load;
            load.epoch = e;
            load.host = QStringLiteral("node1");
            load.processors = 4;
            load.own = 3;
            load.others = e == 2 ? 1 : 0;
            study.runs[0].hostLoads << load;
        }
        const ChartData chart = hardwareChart(study, RunAxis::Time, HardwareQuantity::Processors);
        QCOMPARE(chart.series.size(), 2); // others were seen
        QCOMPARE(chart.series[0].x, (QVector<double>{5, 10}));
        QCOMPARE(chart.series[0].y, (QVector<double>{0.75, 0.75}));
        QCOMPARE(chart.series[1].y, (QVector<double>{0, 0.25}));
        QVERIFY(chart.csv().startsWith("series,seconds,share_of_processors"));
    }

    void clocksMemoryNetworkAndGpus()
    {
        Study study = inventedStudy({1});
        QCOMPARE(hardwareChoices(study).size(), 1); // the processors, always
        RunRecord& run = study.runs[0];
        EpochSummary epoch;
        epoch.epoch = 1;
        epoch.seconds = 5;
        run.epochs << epoch;
        HostLoad load;
        load.epoch = 1;
        load.seconds = 2;
        load.clockMhz = 2500;
        load.memoryUsedBytes = 3'000'000'000;
        load.sentBytes = 4'000'000;
        run.hostLoads << load;
        GpuPoint gpu;
        gpu.epoch = 0.5;
        gpu.powerW = 300;
        gpu.slowed = true;
        run.gpu << gpu;
        QList<HardwareQuantity> offered;
        for (const auto& [quantity, title] : hardwareChoices(study))
            offered << quantity;
        using Q = HardwareQuantity;
        QCOMPARE(offered, (QList<Q>{Q::Processors, Q::Clock, Q::Memory, Q::Network, Q::GpuPower}));
        const auto yOf = [&](Q quantity, int series) {
            return hardwareChart(study, RunAxis::Epoch, quantity).series[series].y;
        };
        QCOMPARE(yOf(Q::Clock, 0), QVector<double>{2.5});
        QCOMPARE(yOf(Q::Memory, 0), QVector<double>{3});
        QCOMPARE(yOf(Q::Network, 0), QVector<double>{2});
        QCOMPARE(yOf(Q::Network, 1), QVector<double>{0});
        const ChartData power = hardwareChart(study, RunAxis::Epoch, Q::GpuPower);
        QCOMPARE(power.series.size(), 2); // and where its clocks were held down
        QCOMPARE(power.series[0].x, QVector<double>{0.5});
        QVERIFY(power.series[1].kind == ChartSeries::Kind::Marks);
        QVERIFY(hardwareChart(study, RunAxis::Epoch, Q::GpuUse).isEmpty());
    }

    void costAgainstTime()
    {
        Study study = inventedStudy({1, 2}, 2);
        QVERIFY(costChart(study, 0).isEmpty()); // no price, and nobody told energy
        for (RunRecord& run : study.runs) {     // a quicker node that costs more, and a slower one
            run.runStopMs = run.runStartMs + (run.config.workers == 1 ? 7200e3 : 3600e3);
            run.config.nodes = run.config.workers == 1 ? 1 : 4;
        }
        const ChartData priced = costChart(study, 2.5);
        QCOMPARE(priced.series.size(), 1);
        QCOMPARE(priced.series[0].x, (QVector<double>{120, 60}));
        QCOMPARE(priced.series[0].y, (QVector<double>{5, 10}));
        QCOMPARE(priced.series[0].n, (QVector<int>{2, 2}));
        QCOMPARE(priced.guides.size(), 1); // neither beats the other in both
        QCOMPARE(priced.guides[0].x, (QVector<double>{60, 120}));
        HostLoad load;
        load.energyJ = 3.6e6;
        for (RunRecord& run : study.runs)
            if (run.config.workers == 1)
                run.hostLoads << load;
        const ChartData energy = costChart(study, 0);
        QCOMPARE(energy.id, QStringLiteral("energy"));
        QCOMPARE(energy.series.size(), 1); // the others told nothing
        QCOMPARE(energy.series[0].y, QVector<double>{1});
        QVERIFY(energy.guides.isEmpty());
        study.runs.last().state = RunState::NotConverged;
        QCOMPARE(costChart(study, 2.5).series[0].n, (QVector<int>{2, 1}));
    }

    void lossesAddUp()
    {
        Study study = inventedStudy({1, 2, 4});
        for (RunRecord& run : study.runs)
            giveSplits(run);
        const auto losses = lossSplit(study.runs);
        QCOMPARE(losses.size(), 3);
        for (const LossShares& loss : losses) {
            double all = loss.useful;
            for (const double share : loss.lost)
                all += share;
            QVERIFY2(std::abs(all - 1) < 1e-9, qPrintable(QString::number(all)));
        }
        const LossShares& four = losses[2];
        QVERIFY(four.lost[int(LossCause::Communication)] > 0.01);
        QVERIFY(four.lost[int(LossCause::Straggler)] > 0.01);
        QCOMPARE(four.lost[int(LossCause::Epochs)], 0.0);
        const ChartData chart = lossSplitChart(study, losses);
        QCOMPARE(chart.categories,
                 (QStringList{QStringLiteral("2 workers"), QStringLiteral("4 workers")}));
        QCOMPARE(chart.series.size(), 8);
        QVERIFY(chart.csv().contains("exposed communication,4 workers,"));
        QVERIFY(chart.description().contains(QLatin1String("exposed communication")));
        QVERIFY(lossSplitChart(inventedStudy({1, 2}), {}).isEmpty());
    }

    void storageAgainstTheNeed()
    {
        Study study = inventedStudy({1, 2, 4});
        double rate = 0.1e9;
        for (RunRecord& run : study.runs) {
            run.config.workload = QStringLiteral("none"); // no recipe tells its samples' size
            EpochSummary epoch;
            epoch.trainS = 2;
            epoch.bytesRead = qint64(rate * 2);
            run.epochs = {epoch};
            rate *= 2;
        }
        const auto rows = speedupTable(study.runs);
        const ChartData chart =
            storageChart(study, rows, {{QStringLiteral("sequential read"), {}, 0.3}});
        QCOMPARE(chart.series[0].y, (QVector<double>{100, 200, 400}));
        QCOMPARE(chart.lines.size(), 1);
        const ChartSeries& crossing = chart.series.last();
        QVERIFY(crossing.kind == ChartSeries::Kind::Marks);
        QCOMPARE(crossing.x.first(), 3.0); // half way between 200 on 2 and 400 on 4
        QVERIFY(chart.marks.join(QLatin1Char(' ')).contains(QLatin1String("from 3 workers on")));
        Study told = inventedStudy({1, 2}); // the recipe says how large a sample is
        for (RunRecord& run : told.runs)
            run.config.workload = QStringLiteral("bert");
        const ChartData needed = storageChart(told, rows, {});
        QCOMPARE(needed.series.size(), 1);
        QCOMPARE(needed.series[0].y[0], 604 * told.runs[0].throughput / 1e6);
    }

    void collectivesFromFiles()
    {
        QTemporaryDir dir;
        const auto write = [&](const char* name, const QByteArray& bytes) {
            QFile file(dir.filePath(QLatin1String(name)));
            file.open(QIODevice::WriteOnly);
            file.write(bytes);
            return file.fileName();
        };
        const QString own =
            write("own.csv", "bytes,place,workers,ours_us,ours_algbw_gb_per_s,ours_busbw_gb_per_s,"
                             "mpi_algbw_gb_per_s,mpi_busbw_gb_per_s,copy_gb_per_s\n"
                             "4096,out-of,2,1,0.5,0.5,0.25,0.25,9\n"
                             "8192,out-of,2,1,0.75,0.75,0.5,0.5,9\n");
        const QString bad = write("bad.csv", "a,b\n1,2\n");
        CollectivesDialog dialog;
        QVERIFY(dialog.panel()->chart().isEmpty());
        dialog.addFiles({own, bad});
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isReading(), kHangMs);
        const ChartData& chart = dialog.panel()->chart();
        QCOMPARE(chart.series.size(), 3);
        QCOMPARE(chart.series[0].y, (QVector<double>{0.5, 0.75}));
        QVERIFY(chart.series[0].name.contains(QLatin1String("2 workers, Scalebench")));
        QCOMPARE(chart.formatX(4096), QStringLiteral("4 kB"));
        QVERIFY(chart.csv().contains(",4096,0.5"));
        bool said = false;
        for (const auto* label : dialog.findChildren<QLabel*>())
            said = said || label->text().contains(QLatin1String("bad.csv"));
        QVERIFY(said);
    }

    /// The line of the device's link, another that is chosen, and how near the best comes.
    void whatLinksCarry()
    {
        const imports::CollectiveCurve curve{QStringLiteral("all_reduce"),
                                             QStringLiteral("8 ranks"),
                                             QStringLiteral("NVIDIA A100-SXM4-80GB"),
                                             false,
                                             false,
                                             {{4096, 1, 2}, {1 << 30, 137, 240}}};
        const QList<LinkPeak> links = linksOfCurves({curve, curve});
        QCOMPARE(links.size(), 1);
        const ChartData bus = collectiveChart({curve}, {}, CollectiveBandwidth::Bus, links);
        QCOMPARE(bus.lines.size(), 1);
        QCOMPARE(bus.lines[0].y, 300.0);
        QVERIFY(
            bus.lines[0].label.contains(QLatin1String("300 GB/s in one direction (600 in both)")));
        QVERIFY(bus.marks.join(u' ').contains(QLatin1String("the best is 80 % of NVLink 3")));
        QVERIFY(
            collectiveChart({curve}, {}, CollectiveBandwidth::Algorithm, links).lines.isEmpty());
        // Beside a faster device each link is compared with what has it, and with right results.
        imports::CollectiveCurve faster = curve;
        faster.device = QStringLiteral("NVIDIA H100 80GB HBM3");
        faster.points = {{1 << 20, 400, 700, true}, {1 << 30, 247, 432}};
        const ChartData both = collectiveChart({curve, faster}, {}, CollectiveBandwidth::Bus,
                                               linksOfCurves({curve, faster}));
        const QString marks = both.marks.join(u'\n');
        QVERIFY2(marks.contains(QLatin1String("the best is 80 % of NVLink 3")) &&
                     marks.contains(QLatin1String("the best is 96 % of NVLink 4")) &&
                     marks.contains(QLatin1String("wrong results at 1 size")),
                 qPrintable(marks));
        QTemporaryDir dir;
        QFile file(dir.filePath(QStringLiteral("nccl.txt")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("# nThread 1 nGpus 2\n# Collective test starting: all_reduce_perf\n"
                   "#  Rank  0 Group  0 Pid  1 on a device  0 [0x07] NVIDIA A100-SXM4-80GB\n"
                   "#  Rank  1 Group  0 Pid  1 on a device  1 [0x08] NVIDIA A100-SXM4-80GB\n"
                   "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
                   "1024 256 float sum -1 10.0 100 100 0 11.0 90 90 0\n");
        file.close();
        CollectivesDialog dialog;
        dialog.addFiles({file.fileName()});
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isReading(), kHangMs);
        QCOMPARE(dialog.panel()->chart().lines.size(), 1);
        auto* menu = dialog.findChild<QPushButton*>(QStringLiteral("linkPeaks"))->menu();
        for (QAction* action : menu->actions())
            if (action->text().contains(QLatin1String("PCIe 4")))
                action->trigger();
        QCOMPARE(dialog.panel()->chart().lines.size(), 2);
        QCOMPARE(dialog.panel()->chart().lines[1].y, 31.5);
        menu->actions().first()->trigger(); // by the device no more
        QCOMPARE(dialog.panel()->chart().lines.size(), 1);
    }

    /// A click on a band tells what it is read from.
    void bandsOpen()
    {
        Session session;
        ScalingPage page(&session);
        page.resize(1200, 900);
        page.show();
        Study study = inventedStudy({1, 2, 4});
        for (RunRecord& run : study.runs) {
            giveSplits(run);
            run.runDir = QStringLiteral("/l/") + run.config.runId;
        }
        page.showLoaded(study);
        ChartPanel* losses = nullptr;
        for (ChartPanel* panel : page.findChildren<ChartPanel*>())
            if (panel->chart().id == QLatin1String("loss_split"))
                losses = panel;
        QVERIFY(losses && losses->isVisible());
        QCoreApplication::processEvents(); // a chart has its place, and then its axes
        losses->chartWidget()->replotNow();
        QCoreApplication::processEvents();
        const auto find = [&] {
            return page.findChild<LossEvidenceDialog*>(QStringLiteral("lossEvidence"));
        };
        // With the mouse: from below upwards at the place of 4 workers until a lost part is hit.
        QWidget* plot = nullptr;
        for (auto* child : losses->findChildren<QWidget*>())
            if (child->inherits("QCustomPlot"))
                plot = child;
        QVERIFY(plot);
        QString said;
        for (int y = plot->height() - 30; y > 10 && !said.contains(QLatin1String("exchange")) &&
                                          !said.contains(QLatin1String("communication"));
             y -= 4) {
            delete find();
            const QPoint at(plot->width() * 7 / 10, y);
            QTest::mouseMove(plot, at);
            QTest::mouseClick(plot, Qt::LeftButton, Qt::NoModifier, at);
            if (find())
                said = find()->findChild<QLabel*>(QStringLiteral("bandShare"))->text();
        }
        QVERIFY2(said.contains(QLatin1String("of the time on 4 workers")), qPrintable(said));
        QSignalSpy opened(&session, &Session::runsOpened);
        auto* table = find()->findChild<DataTable*>();
        QVERIFY(table->csv().contains("exposed exchange"));
        for (QPushButton* button : find()->findChildren<QPushButton*>())
            if (button->text().contains(QLatin1String("Open these")))
                button->click();
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toStringList(),
                 (QStringList{study.runs[0].runDir, study.runs[2].runDir}));
    }

private:
    /// Splits of two halves: with more workers exchange and one slow worker cost more.
    static void giveSplits(RunRecord& run)
    {
        const double total = run.timeToTrainS();
        const int workers = run.config.workers;
        for (int e = 1; e <= 6; ++e) {
            EpochSummary epoch;
            epoch.epoch = e;
            epoch.trainS = total / 6 * 0.9;
            epoch.evalS = total / 6 * 0.08;
            run.epochs << epoch;
            for (int rank = 0; rank < workers; ++rank) {
                EpochSplit split;
                split.epoch = e;
                split.rank = rank;
                split.computeMs = rank == 0 && workers > 1 ? 12 : 10;
                split.stepMs = 10 + 2 + 4.0 * (workers - 1);
                split.inputMs = 0.5;
                split.commMs = split.stepMs - split.computeMs - split.inputMs;
                run.splits << split;
            }
        }
    }
};

QTEST_MAIN(StudyChartsTest)
#include "study_charts_test.moc"
