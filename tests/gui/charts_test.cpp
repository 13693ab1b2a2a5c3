// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/gui_fixture.h"

#include "app/study_export.h"
#include "charts/chart_export.h"
#include "charts/chart_items.h"
#include "charts/chart_panel.h"
#include "charts/chart_plot.h"
#include "charts/chart_table_model.h"
#include "charts/chart_widget.h"
#include "charts/metric_panel.h"
#include "figures/run_charts.h"
#include "import/published_studies.h"
#include "models/roles.h"
#include "study/dimensions.h"
#include "widgets/data_table.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QJsonObject>
#include <QSet>
#include <QSignalSpy>

using namespace scalebench;
using namespace scalebench::test;

class ChartsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void whyThereIsNoSpeedup()
    {
        Study study = inventedStudy({1, 2});
        QVERIFY(speedupNote(study).isEmpty());
        study.runs[1].state = RunState::Failed;
        QVERIFY(speedupNote(study).startsWith(QLatin1String("2 workers failed")));
        QVERIFY(speedupChart(study, speedupTable(study.runs)).isEmpty());
        for (RunRecord& run : study.runs) {
            run.state = RunState::NotConverged;
            run.config.target = 0.9;
        }
        const ChartData none = speedupChart(study, speedupTable(study.runs));
        QVERIFY(none.isEmpty());
        QVERIFY2(none.emptyText.contains(QLatin1String("more epochs")), qPrintable(none.emptyText));
        // One run of two is over: its point is there already, the other may follow.
        study.runs[0].state = RunState::Completed;
        study.runs[0].config.target.reset();
        study.runs[1].state = RunState::Running;
        QVERIFY(!speedupChart(study, speedupTable(study.runs)).isEmpty());
        const Study alone = inventedStudy({2});
        const ChartData lone = speedupChart(alone, speedupTable(alone.runs));
        QVERIFY(lone.isEmpty());
        QVERIFY(lone.emptyText.contains(QLatin1String("two worker counts")));
        // An export says so as well.
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("speedup.svg"));
        QVERIFY(saveChart(lone, file, ExportOptions()).ok());
        QFile svg(file);
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray text = svg.readAll();
        QVERIFY(text.contains("two worker counts"));
        QVERIFY(text.contains(", sans-serif\""));
    }

    /// Two workloads: curves apart, their times together, the short ones enlarged.
    void severalWorkloads()
    {
        Study study = inventedStudy({1, 2});
        const Study other = inventedStudy({1, 2});
        for (RunRecord run : other.runs) {
            run.config.workload = QStringLiteral("ncf");
            run.config.json.insert(QStringLiteral("workload"), QStringLiteral("ncf"));
            run.runStopMs = run.runStartMs + (run.runStopMs - run.runStartMs) / 20;
            study.runs << run;
        }
        const QList<SpeedupRow> rows = speedupTable(study.runs);
        const ChartData times = timeToTargetChart(study, rows);
        QCOMPARE(times.series.size(), 2);
        QVERIFY(times.inset.has_value());
        const double top = *std::max_element(times.series[1].y.begin(), times.series[1].y.end());
        QVERIFY(times.inset->yHigh > top && times.inset->yHigh < times.series[0].y.last());
        QVERIFY(!timeToTargetChart(other, speedupTable(other.runs)).inset);
        QTemporaryDir dir;
        QVERIFY(writeStudyPictures(study, dir.path()).ok());
        const QStringList files = QDir(dir.path()).entryList({QStringLiteral("*.svg")});
        // Each chart's own table beside it; speedup.csv is the study's.
        QFile numbers(dir.filePath(QStringLiteral("time_to_target.csv")));
        QVERIFY(numbers.open(QIODevice::ReadOnly));
        QVERIFY(numbers.readAll().startsWith("series,workers,time_to_train_"));
        QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("speedup.csv"))));
        QVERIFY2(files.contains(QStringLiteral("accuracy_vs_epoch_resnet.svg")) &&
                     files.contains(QStringLiteral("time_to_target.svg")) &&
                     !files.filter(QStringLiteral("_ncf.svg")).isEmpty(),
                 qPrintable(files.join(QLatin1Char(' '))));
        QFile table(dir.filePath(QStringLiteral("speedup_table.svg")));
        QVERIFY(table.open(QIODevice::ReadOnly));
        const QByteArray text = table.readAll();
        for (const SpeedupRow& row : rows)
            QVERIFY2(text.contains('>' + row.group.toUtf8() + '<'), qPrintable(row.group));
        QVERIFY(QFile::exists(dir.filePath(QStringLiteral("speedup_table.pdf"))));
        QCOMPARE(QImage(dir.filePath(QStringLiteral("speedup_table.png"))).isNull(), false);
    }

    void idealLineStaysStraight()
    {
        const Study two = inventedStudy({1, 2});
        const ChartData linear = speedupChart(two, speedupTable(two.runs));
        QVERIFY(linear.xScale == ChartData::XScale::Linear && !linear.yLog2);
        const Study more = inventedStudy({1, 2, 4, 8});
        const ChartData logarithmic = speedupChart(more, speedupTable(more.runs));
        QVERIFY(logarithmic.xScale == ChartData::XScale::Log2 && logarithmic.yLog2);
    }

    void labelsNameOnlyWhatDiffers()
    {
        Study study = inventedStudy({1, 2});
        QCOMPARE(runLabels(study.runs),
                 (QStringList{QStringLiteral("1 worker"), QStringLiteral("2 workers")}));
        study.runs[1].config.precision = QStringLiteral("bf16");
        QCOMPARE(runLabels(study.runs)[1], QStringLiteral("2 workers, bf16"));
        const Study repeated = inventedStudy({2}, 2);
        QCOMPARE(runLabels(repeated.runs)[1], QStringLiteral("2 workers, run 2"));
        QCOMPARE(runSlots(repeated.runs)[0], runSlots(repeated.runs)[1]);
    }

    /// Whatever two runs differ in, their labels and colours do too.
    void everyDifferenceIsInTheLabel_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QJsonValue>("value");
        QTest::newRow("switch") << QStringLiteral("options.overlap") << QJsonValue(true);
        QTest::newRow("rate") << QStringLiteral("schedule.base_lr") << QJsonValue(0.5);
        QTest::newRow("recipe") << QStringLiteral("optimizer.momentum") << QJsonValue(0.8);
        QTest::newRow("unknown") << QStringLiteral("data.augment.flip") << QJsonValue(false);
    }

    void everyDifferenceIsInTheLabel()
    {
        QFETCH(QString, path);
        QFETCH(QJsonValue, value);
        Study study = inventedStudy({2, 2});
        study.runs[0].config.json = {{path.section(u'.', 0, 0), QJsonObject()}};
        study.runs[1].config.json = withValueAt(study.runs[0].config.json, path, value);
        const QStringList labels = runLabels(study.runs);
        QVERIFY2(labels[0] != labels[1], qPrintable(labels[0]));
        QVERIFY(runSlots(study.runs)[0] != runSlots(study.runs)[1]);
    }

    /// Two workloads in a study: each is drawn by its own metric, with its own target.
    void workloadsAreNotMixed()
    {
        Study study = inventedStudy({1, 2});
        study.runs << inventedRun(1) << inventedRun(2);
        for (int i : {2, 3}) {
            study.runs[i].config.workload = QStringLiteral("ncf");
            study.runs[i].config.model = QStringLiteral("neumf");
            study.runs[i].config.runId += QStringLiteral("-ncf");
            study.runs[i].config.target = 0.79;
        }
        study.spec.workloads = {{QStringLiteral("resnet")}, {QStringLiteral("ncf")}};
        QCOMPARE(
            runLabels(study.runs),
            (QStringList{QStringLiteral("resnet, 1 worker"), QStringLiteral("resnet, 2 workers"),
                         QStringLiteral("ncf, 1 worker"), QStringLiteral("ncf, 2 workers")}));
        const QList<MetricInfo> metrics = studyMetrics(study);
        QCOMPARE(metrics[0].id, QStringLiteral("top1_accuracy"));
        QCOMPARE(metrics[1].id, QStringLiteral("hit_rate"));
        const ChartData accuracy = metricChart(study, RunAxis::Epoch, metrics[0], true);
        QCOMPARE(accuracy.series.size(), 2);
        QCOMPARE(accuracy.lines.size(), 1);
        QVERIFY(accuracy.title.contains(QLatin1String("Image classification")));
        QVERIFY(!accuracy.title.contains(QLatin1String("Recommendation")));
        const ChartData rate = metricChart(study, RunAxis::Epoch, metrics[1], false);
        QCOMPARE(rate.series.size(), 2);
        QVERIFY(rate.series[0].name.startsWith(QLatin1String("ncf, ")));
        QVERIFY(!rate.series[0].y.isEmpty());
        QCOMPARE(rate.lines[0].y, 0.79);
        const ChartData speed = throughputChart(study, RunAxis::Time);
        QCOMPARE(speed.series.size(), 4);
        QVERIFY(speed.title.contains(QLatin1String("Image classification and Recommendation")));
        QVERIFY(!machineLine(study).contains(QLatin1String("resnet20")));
        // What a chart lacks is said in it.
        QCOMPARE(accuracy.marks.value(0),
                 QStringLiteral("not in this chart: 2 runs of Recommendation"));
        QVERIFY(speed.marks.filter(QStringLiteral("not in this chart")).isEmpty());
        // So are threads: those of some are not those of all.
        for (RunRecord& run : study.runs)
            run.config.threadsPerWorker = 2;
        QVERIFY(machineLine(study).contains(QLatin1String("2 threads per worker")));
        study.runs[1].config.threadsPerWorker = 1;
        QVERIFY(!machineLine(study).contains(QLatin1String("per worker")));
        // Of the metrics that which was measured is shown first.
        Study cancelled = study;
        cancelled.runs[0].evals.clear();
        cancelled.runs[1].evals.clear();
        MetricPanel measured;
        measured.setStudy(cancelled, RunAxis::Epoch);
        QCOMPARE(measured.currentMetric(), 1);
        // Points that come in later go where the run is drawn.
        MetricPanel panel;
        panel.setStudy(study, RunAxis::Epoch);
        panel.chooseMetric(1);
        panel.setStudy(study, RunAxis::Epoch);
        // Another workload's samples are no measure of these: their runs alone, in their colours.
        const ChartData own = throughputChart(study, RunAxis::Time, panel.shownRuns());
        QCOMPARE(own.series.size(), 2);
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(own.series[i].id, study.runs[2 + i].config.runId);
            QCOMPARE(own.series[i].slot, speed.series[2 + i].slot);
        }
        QVERIFY(!own.title.contains(QLatin1String("Image classification")));
        QCOMPARE(withRuns(study, panel.shownRuns()).runs.size(), 2);
        QCOMPARE(withRuns(study, {}).runs.size(), 4);
        EvalPoint point;
        point.epoch = 7;
        point.value = 0.5;
        panel.appendTo(study.runs[0], {point}, RunAxis::Epoch); // not here
        panel.appendTo(study.runs[2], {point}, RunAxis::Epoch);
        QCOMPARE(panel.chart().series[0].y.last(), 0.5);
        QCOMPARE(panel.chart().series[0].y.size(), 7);
    }

    void accuracyHasTargetAndFlag()
    {
        const ChartData chart = accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch);
        QCOMPARE(chart.series.size(), 2);
        QCOMPARE(chart.lines.size(), 1);
        QVERIFY(chart.lines[0].label.contains(QLatin1String("80")));
        QVERIFY(chart.series[0].flag.has_value());
        QCOMPARE(chart.series[0].flag->x(), 6.0);
        QVERIFY(chart.generatedData);
    }

    /// Imported runs of benchmarks that count samples, which are no epochs.
    void axisOfSamples()
    {
        Study study = inventedStudy({1});
        for (EvalPoint& point : study.runs[0].evals) {
            point.samples = qint64(point.epoch * 512);
            point.epoch = double(point.samples) / 1e6;
        }
        QCOMPARE(accuracyChart(study, RunAxis::Epoch).xLabel, QStringLiteral("Epoch")); // ours
        study.runs[0].origin = QStringLiteral("imported: MLPerf log");
        const ChartData chart = accuracyChart(study, RunAxis::Epoch);
        QCOMPARE(chart.xLabel, QStringLiteral("Training samples (millions)"));
        QVERIFY(!chart.xWholeNumbers); // all of them below 1
        QCOMPARE(accuracyChart(study, RunAxis::Time).xLabel,
                 QStringLiteral("Time since start (s)"));
        study.runs[0].evals[0].samples += 1000;
        QCOMPARE(accuracyChart(study, RunAxis::Epoch).xLabel, QStringLiteral("Epoch"));
    }

    /// A chart for each metric, in its unit and with its own target; the flag stands where all
    /// targets are met at once.
    void everyMetricHasItsChart()
    {
        Study study = inventedStudy({1, 2});
        study.spec.workload = QStringLiteral("ncf");
        for (RunRecord& run : study.runs) {
            run.config.workload = study.spec.workload;
            run.config.target = 0.5;
            run.config.furtherTargets = {{QStringLiteral("ndcg"), 0.4}};
            for (EvalPoint& point : run.evals)
                point.metrics = {{QStringLiteral("hit_rate"), point.value},
                                 {QStringLiteral("ndcg"), point.value / 2},
                                 {QStringLiteral("../map"), 12.5}};
        }
        const QList<MetricInfo> metrics = studyMetrics(study);
        QCOMPARE(metrics.size(), 3);
        const ChartData leading = accuracyChart(study, RunAxis::Epoch);
        QCOMPARE(leading.id, QStringLiteral("accuracy_vs_epoch"));
        QVERIFY(leading.title.startsWith(QStringLiteral("Hit rate in the first 10 vs epoch")));
        QCOMPARE(leading.lines[0].label, QStringLiteral("target 50 %"));
        const ChartData ndcg = metricChart(study, RunAxis::Epoch, metrics[1], false);
        QCOMPARE(ndcg.id, QStringLiteral("ndcg_vs_epoch"));
        QCOMPARE(ndcg.yColumn, QStringLiteral("ndcg"));
        QCOMPARE(ndcg.series[0].y[5], 0.41);
        QCOMPARE(ndcg.lines[0].y, 0.4);
        QCOMPARE(*ndcg.series[0].flag, QPointF(6, 0.41)); // 0.5 of the other was met at epoch 3
        const ChartData unknown = metricChart(study, RunAxis::Epoch, metrics[2], false);
        QCOMPARE(unknown.id, QStringLiteral("___map_vs_epoch"));
        QVERIFY(!unknown.yPercent && unknown.lines.isEmpty() && !unknown.yMax);
        QCOMPARE(unknown.formatY(12.5), QLocale().toString(12.5));
    }

    void metricPanelShowsOneOfThem()
    {
        MetricPanel panel;
        panel.setStudy(inventedStudy({1}), RunAxis::Epoch);
        QVERIFY(panel.chart().title.startsWith(QStringLiteral("Accuracy vs epoch")));
        Study study = inventedStudy({1});
        study.spec.workload = QStringLiteral("ncf");
        study.runs[0].config.workload = study.spec.workload;
        panel.setStudy(study, RunAxis::Epoch);
        QCOMPARE(panel.chart().yColumn, QStringLiteral("hit_rate"));
        QSignalSpy chosen(&panel, &MetricPanel::metricChosen);
        panel.chooseMetric(1);
        QCOMPARE(chosen.size(), 1);
        panel.setStudy(study, RunAxis::Epoch);
        QCOMPARE(panel.chart().yColumn, QStringLiteral("ndcg"));
        QVERIFY(panel.chart().isEmpty()); // this run told of the leading one only
        EvalPoint point;
        point.epoch = 7;
        point.metrics = {{QStringLiteral("ndcg"), 0.3}};
        panel.appendTo(study.runs[0], {point}, RunAxis::Epoch);
        QCOMPARE(panel.chart().series[0].y, QVector<double>{0.3});
    }

    void rowsOfTablesAreApartFromOtherCommunication()
    {
        Study study = inventedStudy({1, 2});
        const ChartData without = stepSplitChart(study);
        QCOMPARE(without.series.size(), 4);
        PointList<StepPoint>& steps = study.runs[1].steps;
        for (qsizetype i = 0; i < steps.size(); ++i)
            steps.edit(i).rowsMs = steps[i].commMs / 4;
        const ChartData with = stepSplitChart(study);
        QCOMPARE(with.series.size(), 5);
        QCOMPARE(with.series[2].id, QStringLiteral("rows"));
        QVERIFY(with.series[2].y[1] > 0);
        QVERIFY(qAbs(with.series[1].y[1] + with.series[2].y[1] - without.series[1].y[1]) < 1e-9);
        QVERIFY(qAbs(with.series[1].y[1] - 3 * with.series[2].y[1]) < 1e-9);
        QCOMPARE(with.series.last().pointLabels, without.series.last().pointLabels);
    }

    /// As the report's table has it: of all ranks and whole epochs, where epochs have ended.
    void stepsAreSplitAsTheEpochsTell()
    {
        Study study = inventedStudy({2});
        study.runs[0].splits = {{1, 0, 10, 6, 2, 1, 1}, {1, 1, 10, 4, 4, 1, 1}};
        const ChartData chart = stepSplitChart(study);
        QCOMPARE(chart.series.size(), 4);
        const double parts[] = {5, 3, 1, 1};
        for (int i = 0; i < 4; ++i)
            QCOMPARE(chart.series[i].y, QVector<double>{parts[i]});
        // Rows of tables keep their share of the exchange.
        PointList<StepPoint>& steps = study.runs[0].steps;
        for (qsizetype i = 0; i < steps.size(); ++i)
            steps.edit(i).rowsMs = steps[i].commMs / 4;
        const ChartData rows = stepSplitChart(study);
        QCOMPARE(rows.series[1].y[0], 2.25);
        QCOMPARE(rows.series[2].y[0], 0.75);
    }

    void manyMetricsAreChosenFromAList()
    {
        const QStringList workloads{QStringLiteral("resnet"), QStringLiteral("bert"),
                                    QStringLiteral("ncf")};
        Study study = inventedStudy({1, 2, 4});
        for (int i = 0; i < 3; ++i)
            study.runs[i].config.workload = workloads[i];
        MetricPanel panel;
        panel.setStudy(study, RunAxis::Epoch);
        auto* list = panel.findChild<QComboBox*>();
        QVERIFY(list);
        QCOMPARE(list->count(), int(studyMetrics(study).size()));
        QVERIFY(list->count() > 3);
        QSignalSpy chosen(&panel, &MetricPanel::metricChosen);
        list->setCurrentIndex(2);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(panel.currentMetric(), 2);
        study.runs.resize(1); // one workload with one metric: its title is back
        panel.setStudy(study, RunAxis::Epoch);
        QCOMPARE(panel.currentMetric(), 0);
    }

    void tableAndCsvHoldTheChart()
    {
        const ChartData chart = accuracyChart(inventedStudy({1, 2}), RunAxis::Time);
        ChartTableModel model;
        QAbstractItemModelTester tester(&model);
        model.setChart(chart);
        QCOMPARE(model.rowCount(), 12);
        const auto lines = QString::fromUtf8(chart.csv()).trimmed().split(QStringLiteral("\r\n"));
        QCOMPARE(lines.size(), 13);
        QCOMPARE(lines[0], QStringLiteral("series,seconds,top1_accuracy,chart"));
        for (int row = 0; row < model.rowCount(); ++row) {
            const auto fields = lines[row + 1].split(QLatin1Char(','));
            QCOMPARE(fields[1].toDouble(), model.index(row, 1).data(kSortRole).toDouble());
            QCOMPARE(fields[2].toDouble(), model.index(row, 2).data(kSortRole).toDouble());
        }
    }

    /// The same study by time, by epoch and by samples/s: each what the table says.
    void speedupOfWhat()
    {
        const Study study = inventedStudy({1, 2, 4});
        const auto rows = speedupTable(study.runs);
        const struct {
            SpeedupOf quantity;
            double SpeedupRow::*value;
        } cases[] = {{SpeedupOf::TimeToTrain, &SpeedupRow::speedup},
                     {SpeedupOf::EpochTime, &SpeedupRow::stepTimeRatio},
                     {SpeedupOf::Throughput, &SpeedupRow::throughputRatio}};
        QSet<QString> ids;
        for (const auto& one : cases) {
            const ChartData chart = speedupChart(study, rows, one.quantity);
            const ChartData share = efficiencyChart(study, rows, one.quantity);
            ids << chart.id << share.id;
            QCOMPARE(chart.series[0].x, (QVector<double>{1, 2, 4}));
            for (int i = 0; i < 3; ++i) {
                QCOMPARE(chart.series[0].y[i], rows[i].*one.value);
                QCOMPARE(share.series[0].y[i], rows[i].*one.value / rows[i].workers);
            }
        }
        QCOMPARE(ids.size(), 6); // files of their own
        // No run reached its target: their samples/s are there all the same.
        Study missed = study;
        for (RunRecord& run : missed.runs)
            run.state = RunState::NotConverged;
        const auto missedRows = speedupTable(missed.runs);
        QVERIFY(speedupChart(missed, missedRows).isEmpty());
        QCOMPARE(speedupChart(missed, missedRows, SpeedupOf::Throughput).series[0].y.size(), 3);
        const Study alone = inventedStudy({2});
        QVERIFY(speedupChart(alone, speedupTable(alone.runs), SpeedupOf::Throughput).isEmpty());
    }

    /// Published results beside own ones: dashed, marked, on the same ideal line, with the notice.
    void referenceBesideOwn()
    {
        const Study own = inventedStudy({1, 2});
        ChartData chart = speedupChart(own, speedupTable(own.runs));
        const auto ownSeries = chart.series.size();
        const QString before = exportCaption(chart);
        QVERIFY(!before.contains(QStringLiteral("trademarks")));
        const Study published = imports::publishedStudy(QStringLiteral("time-to-train"));
        overlayReference(chart, speedupChart(published, speedupTable(published.runs)),
                         QStringLiteral("x"));
        QVERIFY(chart.series.size() > ownSeries);
        QSet<int> slotsSeen;
        for (qsizetype i = 0; i < chart.series.size(); ++i) {
            const ChartSeries& series = chart.series[i];
            QCOMPARE(series.name.contains(QStringLiteral("reference only")), i >= ownSeries);
            QCOMPARE(series.dash > 0, i >= ownSeries);
            QVERIFY(!slotsSeen.contains(series.slot));
            slotsSeen << series.slot;
            if (i >= ownSeries && !series.x.isEmpty())
                QCOMPARE(series.y.first(), series.x.first()); // 4 GPUs: 4 times the ideal of one
        }
        for (const double tick : {1.0, 2.0, 4.0, 128.0})
            QVERIFY(chart.xTicks.contains(tick));
        QVERIFY(exportCaption(chart).contains(QStringLiteral("MLCommons Association. The MLPerf")));
        QVERIFY(chart.csv().contains("(reference only)"));
        // Beside nothing: nothing.
        ChartData empty;
        overlayReference(empty, chart, {});
        QVERIFY(empty.series.isEmpty());
    }

    void speedupAgreesWithAnalysis()
    {
        const Study study = inventedStudy({1, 2, 4}, 3);
        const auto rows = speedupTable(study.runs);
        const ChartData chart = speedupChart(study, rows);
        QCOMPARE(chart.series.size(), 1);
        QCOMPARE(chart.xTicks, (QVector<double>{1, 2, 4}));
        QVERIFY(chart.hasErrorBars());
        for (qsizetype i = 0; i < rows.size(); ++i)
            QCOMPARE(chart.series[0].y[i], rows[i].speedup);
        const ChartData parts = speedupPartsChart(study, rows);
        for (qsizetype i = 0; i < parts.series[0].y.size(); ++i)
            QVERIFY(std::abs(parts.series[0].y[i] * parts.series[1].y[i] - parts.series[2].y[i]) <
                    1e-6);
        // As a table of others has them: times alone.
        Study timesAlone = study;
        for (RunRecord& run : timesAlone.runs)
            run.evals.clear();
        const auto alone = speedupTable(timesAlone.runs);
        const ChartData none = speedupPartsChart(timesAlone, alone);
        QVERIFY(none.isEmpty());
        QVERIFY(none.emptyText.startsWith(QStringLiteral("How many epochs")));
        QVERIFY(std::isfinite(alone.last().speedup));
        // With a quality at the end of somebody's run, after nobody knows how many epochs.
        RunRecord& one = timesAlone.runs.first();
        one.steps.clear();
        one.epochs.clear();
        one.evals = {EvalPoint{0, 0, 90, 0.9, {}}};
        timesAlone.runs = {one};
        const ChartData byEpoch = accuracyChart(timesAlone, RunAxis::Epoch);
        QVERIFY(byEpoch.isEmpty() && !byEpoch.series.first().flag);
        QVERIFY(byEpoch.emptyText.contains(QStringLiteral("by time")));
        QCOMPARE(accuracyChart(timesAlone, RunAxis::Time).series.first().x, QVector<double>{90});
    }

    void oneRunAndNoRunAreFine()
    {
        const Study one = inventedStudy({1});
        const auto rows = speedupTable(one.runs);
        ExportOptions options;
        QVERIFY(!chartImage(speedupChart(one, rows), options).isNull());
        const ChartData empty = accuracyChart(Study(), RunAxis::Epoch);
        QVERIFY(empty.isEmpty());
        QVERIFY(!empty.emptyText.isEmpty());
        QVERIFY(!chartImage(empty, options).isNull());
        ChartWidget widget;
        widget.setChart(empty);
        widget.replotNow();
        QCOMPARE(widget.accessibleDescription(), empty.emptyText);
    }

    void appendingGrowsWithoutRebuild()
    {
        ChartWidget widget;
        Study study = inventedStudy({1});
        study.runs[0].evals.clear();
        widget.setChart(accuracyChart(study, RunAxis::Epoch));
        QVERIFY(widget.chart().isEmpty());
        widget.appendPoints(0, {1, 2}, {0.2, 0.4});
        widget.appendPoints(0, {3}, {0.81});
        widget.setFlag(0, {3, 0.81});
        QCOMPARE(widget.chart().series[0].x, (QVector<double>{1, 2, 3}));
        widget.replotNow();
        QVERIFY(widget.accessibleDescription().contains(QLatin1String("Target reached")));
    }

    /// Ranges are kept as points come; as if all had been looked at anew.
    void rangesGrowWithThePoints()
    {
        ChartData whole = throughputChart(inventedStudy({1, 2}), RunAxis::Time);
        ChartData start = whole;
        for (ChartSeries& series : start.series) {
            series.x.resize(1);
            series.y.resize(1);
        }
        ChartWidget grown, built;
        for (ChartWidget* widget : {&grown, &built})
            widget->resize(600, 400);
        whole.series[0].y[3] = 9000; // where it went up and came down again
        grown.setChart(start);
        for (int s = 0; s < whole.series.size(); ++s) {
            for (qsizetype i = 1; i < whole.series[s].x.size(); ++i) {
                grown.appendPoints(s, {whole.series[s].x[i]}, {whole.series[s].y[i]});
                grown.replotNow();
            }
        }
        built.setChart(whole);
        built.replotNow();
        QCOMPARE(grown.view(), built.view());
        QVERIFY(grown.view().height() > 9000);
    }

    void hiddenChartsAreNotDrawn()
    {
        ChartWidget widget;
        widget.resize(400, 300);
        widget.setChart(accuracyChart(inventedStudy({1}), RunAxis::Epoch));
        QTest::qWait(200);
        QCOMPARE(widget.replotCount(), 0);
        widget.show();
        QTRY_VERIFY_WITH_TIMEOUT(widget.replotCount() > 0, kHangMs);
        const int before = widget.replotCount();
        for (int i = 0; i < 100; ++i)
            widget.appendPoints(0, {7.0 + i}, {0.8});
        QTest::qWait(250);
        QVERIFY2(widget.replotCount() - before <= 4, "at most 15 redraws a second");
    }

    void keyboardMovesTheCursor()
    {
        ChartPanel panel(QStringLiteral("Accuracy"));
        panel.resize(500, 350);
        panel.setChart(accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch));
        panel.show();
        ChartWidget* chart = panel.chartWidget();
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_Right);
        QTest::keyClick(chart, Qt::Key_Down);
        QTest::keyClick(chart, Qt::Key_Plus);
        QVERIFY(!chart->isFollowing());
        QTest::keyClick(chart, Qt::Key_Home);
        QVERIFY(chart->isFollowing());
        panel.showData(true);
        QVERIFY(panel.table()->tsv().contains(QLatin1String("2 workers")));
    }

    void replotOf64LongSeries()
    {
        Study study;
        for (int i = 0; i < 64; ++i) {
            RunRecord run = inventedRun(1, i + 1);
            run.config.runId = QString::number(i);
            run.steps.clear();
            study.runs << run;
        }
        ChartWidget widget;
        widget.resize(1000, 600);
        widget.setChart(throughputChart(study, RunAxis::Time));
        QVector<double> x(20000), y(20000);
        for (int s = 0; s < 64; ++s) {
            for (int i = 0; i < x.size(); ++i) {
                x[i] = i;
                y[i] = 800 + s + (i * 7919 % 101);
            }
            widget.appendPoints(s, x, y);
        }
        QBENCHMARK
        {
            for (int s = 0; s < 64; ++s)
                widget.appendPoints(s, {20000.0}, {800.0});
            widget.replotNow();
        }
    }
};

SB_WATCHED_TEST_MAIN(ChartsTest)
#include "charts_test.moc"
#include "support/campaign.h"
