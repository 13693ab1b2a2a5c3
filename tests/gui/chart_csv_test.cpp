// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of chart, exported as CSV and read back: the same chart. What foreign files do, and
// how charts of files are looked at.
#include "gui/gui_fixture.h"
#include "support/campaign.h"

#include "charts/chart_export.h"
#include "charts/chart_panel.h"
#include "dialogs/chart_files_dialog.h"
#include "figures/bench_charts.h"
#include "figures/chart_csv.h"
#include "figures/compare_charts.h"
#include "figures/cost_chart.h"
#include "figures/loss_chart.h"
#include "figures/study_charts.h"
#include "import/csv_table.h"
#include "import/import_store.h"
#include "import/published_studies.h"
#include "import/take_in.h"
#include "settings/language.h"

#include <QComboBox>
#include <QImage>
#include <QLabel>

using namespace scalebench;
using namespace scalebench::test;

namespace {

/// Runs that have what every chart draws.
Study fullStudy()
{
    Study study = inventedStudy({1, 2, 4}, 2);
    for (RunRecord& run : study.runs) {
        const int workers = run.config.workers;
        run.config.nodes = workers == 4 && run.config.repeat == 2 ? 2 : 1;
        const double total = run.timeToTrainS();
        for (int e = 1; e <= 6; ++e) {
            EpochSummary epoch;
            epoch.epoch = e;
            epoch.samples = e * 5120;
            epoch.seconds = total / 6 * e;
            epoch.trainS = total / 6 * 0.9;
            epoch.evalS = total / 6 * 0.08;
            epoch.bytesRead = 5120 * 3072;
            run.epochs << epoch;
            HostLoad load;
            load.epoch = e;
            load.host = QStringLiteral("node1");
            load.seconds = epoch.trainS;
            load.processors = 4;
            load.own = workers;
            load.others = e == 2 ? 0.5 : 0;
            load.clockMhz = 2500 + 10 * e;
            load.memoryUsedBytes = 3'000'000'000;
            load.sentBytes = 4'000'000 * e;
            load.energyJ = 3600;
            run.hostLoads << load;
            GpuPoint gpu;
            gpu.epoch = e - 0.5;
            gpu.seconds = epoch.seconds;
            gpu.use = 0.9;
            gpu.memoryUsedBytes = 8e9;
            gpu.powerW = 300;
            gpu.clockMhz = 1410;
            gpu.temperatureC = 70;
            gpu.slowed = e == 3;
            run.gpu << gpu;
            for (int rank = 0; rank < workers; ++rank) {
                EpochSplit split;
                split.epoch = e;
                split.rank = rank;
                split.computeMs = rank == 0 && workers > 1 ? 12 : 10;
                split.stepMs = 12.5 + 4.0 * (workers - 1);
                split.inputMs = 0.5;
                split.commMs = split.stepMs - split.computeMs - split.inputMs;
                run.splits << split;
            }
        }
    }
    return study;
}

QList<ChartData> allCharts()
{
    const Study study = fullStudy();
    ScalingView view;
    QList<ChartData> charts;
    for (const char* reference : {"", "dgx1", "scale-up-out"}) {
        view.reference = QLatin1String(reference);
        for (const SpeedupOf quantity :
             {SpeedupOf::TimeToTrain, SpeedupOf::EpochTime, SpeedupOf::Throughput}) {
            view.quantity = quantity;
            const ScalingCharts scaling = scalingCharts(study, view);
            charts << scaling.speedup << scaling.efficiency << scaling.time << scaling.parts
                   << scaling.losses << scaling.shapes;
        }
    }
    for (const auto& [axis, title] : runAxisChoices()) {
        charts << accuracyChart(study, axis) << withBands(accuracyChart(study, axis))
               << lossChart(study, axis) << throughputChart(study, axis);
        for (const auto& [quantity, name] : hardwareChoices(study))
            charts << hardwareChart(study, axis, quantity);
    }
    charts << stepSplitChart(study) << costChart(study, 2.5) << costChart(study, 0)
           << storageChart(study, speedupTable(study.runs),
                           {{QStringLiteral("sequential read"), {}, 0.02}})
           << machinesChart(study, {imports::publishedStudy(QStringLiteral("time-to-train"))})
           << publishedGapsChart(QStringLiteral("scale-up-out"));
    for (const imports::PublishedFigure& figure : imports::publishedStudies())
        for (const NamedChart& chart :
             studyCharts(imports::publishedStudy(figure.id), ScalingView()))
            charts << chart.chart;
    const QList<ComparedGroup> groups{
        {RunGroup{QStringLiteral("=A"), {study.runs[0], study.runs[3]}, {}}, 0},
        {RunGroup{QStringLiteral("B, \"b\""), {study.runs[1], study.runs[4]}, {}}, 1}};
    const Comparison compared = compareGroups(plainGroups(groups));
    charts << comparedQualityChart(groups, RunAxis::Epoch)
           << ratioChart(compared, groups, ComparedQuantity::Time)
           << ratioChart(compared, groups, ComparedQuantity::Throughput);
    const QList<imports::CollectiveCurve> curves{{QStringLiteral("all_reduce"),
                                                  QStringLiteral("8 ranks"),
                                                  QStringLiteral("NVIDIA A100-SXM4-80GB"),
                                                  false,
                                                  false,
                                                  {{4096, 1, 2}, {8192, 2, 240}}}};
    for (const auto which : {CollectiveBandwidth::Bus, CollectiveBandwidth::Algorithm})
        charts << collectiveChart(curves, {}, which, linksOfCurves(curves));
    charts.removeIf([](const ChartData& chart) { return chart.isEmpty(); });
    return charts;
}

bool sameNumbers(const QVector<double>& a, const QVector<double>& b)
{
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
               return x == y || (std::isnan(x) && std::isnan(y));
           });
}

/// What one has and the other has not; empty: they are the same.
QString difference(const ChartData& a, const ChartData& b)
{
    if (a.series.size() != b.series.size())
        return QStringLiteral("series: %1, %2").arg(a.series.size()).arg(b.series.size());
    for (qsizetype i = 0; i < a.series.size(); ++i) {
        const ChartSeries &s = a.series[i], &t = b.series[i];
        for (QVector<double> ChartSeries::*values :
             {&ChartSeries::x, &ChartSeries::y, &ChartSeries::yLow, &ChartSeries::yHigh})
            if (!sameNumbers(s.*values, t.*values))
                return QStringLiteral("values of %1").arg(s.name);
        if (s.n != t.n || s.name != t.name || s.id != t.id || s.legend != t.legend ||
            s.kind != t.kind || s.slot != t.slot || s.dash != t.dash || s.band != t.band ||
            s.faint != t.faint || s.flag != t.flag || s.pointLabels != t.pointLabels)
            return QStringLiteral("how %1 is drawn").arg(s.name);
    }
    if (a.description() != b.description() || a.notes() != b.notes() || a.notices != b.notices)
        return QStringLiteral("what is said: %1 / %2").arg(a.description(), b.description());
    if (a.title != b.title || a.subtitle != b.subtitle || a.id != b.id)
        return QStringLiteral("titles");
    return {};
}

QString saidIn(const QWidget& widget)
{
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        texts << label->text();
    return texts.join(u' ');
}

} // namespace

class ChartCsvTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void everyChartComesBack()
    {
        QSet<QString> ids;
        for (const ChartData& chart : allCharts()) {
            const auto back = chartOfCsv(chart.csv(), QStringLiteral("x.csv"));
            QVERIFY2(back, qPrintable(back ? QString() : back.failure().message));
            const QString differs = difference(chart, back.value());
            QVERIFY2(differs.isEmpty(), qPrintable(chart.id + QStringLiteral(": ") + differs));
            QCOMPARE(back.value().csv(), chart.csv()); // all that a file holds, once more
            qsizetype points = 0;
            for (const ChartSeries& series : chart.series)
                points += series.x.size();
            QCOMPARE(chart.csv().count('\n'), points + 1); // a row is a line
            ids.insert(chart.id);
        }
        QVERIFY2(ids.size() >= 28, qPrintable(QString::number(ids.size())));
    }

    /// The strictest judge: what is painted. Of each kind of chart one.
    void theSamePicture()
    {
        QSet<QString> seen;
        for (const ChartData& chart : allCharts()) {
            if (seen.contains(chart.id))
                continue;
            seen.insert(chart.id);
            const ChartData back = chartOfCsv(chart.csv(), QStringLiteral("x.csv")).value();
            ExportOptions options;
            options.scale = 1;
            QVERIFY2(chartImage(chart, options) == chartImage(back, options), qPrintable(chart.id));
        }
    }

    void withoutLooks()
    {
        const auto lines = chartOfCsv("series,epoch,quality,low,high,n\n"
                                      "a,1,0.5,0.4,0.6,3\nb,1,0.25,,,1\na,2,0.75,,,3\n",
                                      QStringLiteral("my runs.csv"));
        QVERIFY(lines);
        QCOMPARE(lines.value().title, QStringLiteral("my runs"));
        QCOMPARE(lines.value().series.size(), 2);
        QCOMPARE(lines.value().series[0].x, (QVector<double>{1, 2}));
        QCOMPARE(lines.value().series[0].yHigh[0], 0.6);
        QVERIFY(lines.value().series[1].yLow.isEmpty());
        QCOMPARE(lines.value().yLabel, QStringLiteral("quality"));
        const auto bars = chartOfCsv("series;part;ms\nx;one;1,5\nx;two;2,5\n",
                                     QStringLiteral("t.csv")); // as a spreadsheet saves it
        QVERIFY(bars);
        QVERIFY(bars.value().xScale == ChartData::XScale::Categories);
        QCOMPARE(bars.value().categories,
                 (QStringList{QStringLiteral("one"), QStringLiteral("two")}));
        QCOMPARE(bars.value().series[0].y, (QVector<double>{1.5, 2.5}));
        // Rows were added by hand: the looks fit no more, the points count.
        ChartData chart = accuracyChart(fullStudy(), RunAxis::Epoch);
        const auto more = chartOfCsv(chart.csv() + "added,1,0.5\r\n", QStringLiteral("t.csv"));
        QVERIFY(!more || more.value().series.size() == chart.series.size()); // too few cells
        QByteArray added = chart.csv();
        added +=
            added.mid(added.lastIndexOf("\r\n", added.size() - 3) + 2).replace("4 workers", "x");
        const auto longer = chartOfCsv(added, QStringLiteral("t.csv"));
        QVERIFY(longer);
        QCOMPARE(longer.value().series.size(), chart.series.size() + 1);
    }

    void whatIsNone_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no rows") << QByteArray("series,x,y\n");
        QTest::newRow("other columns") << QByteArray("a,b,c\n1,2,3\n");
        QTest::newRow("two columns") << QByteArray("series,x\n1,2\n");
        QTest::newRow("quote") << QByteArray("series,x,y\n\"1,2,3\n");
    }
    void whatIsNone()
    {
        QFETCH(QByteArray, bytes);
        QVERIFY(!chartOfCsv(bytes, QStringLiteral("x.csv")));
    }

    void hostileLooks()
    {
        const auto chartWith = [](QByteArray looks) {
            return chartOfCsv("series,x,y,chart\na,1,2,\"" + looks.replace('"', "\"\"") + "\"\n",
                              QStringLiteral("x.csv"));
        };
        for (const char* looks :
             {"{", "[]", "{\"series\":7}", "{\"series\":[{\"points\":-1}]}",
              "{\"series\":[{\"points\":1e300}]}", "{\"series\":[{\"points\":\"x\"},3,null]}",
              "{\"x_scale\":\"none\",\"x_ticks\":[null,\"a\",{}],\"lines\":[1,{\"y\":\"b\"}]}"}) {
            const auto chart = chartWith(looks);
            QVERIFY2(chart, looks);
            qsizetype points = 0;
            for (const ChartSeries& series : chart.value().series)
                points += series.x.size();
            QVERIFY2(points == 1, looks);
        }
        const auto text =
            chartWith("{\"title\":\"<b>x</b>\\u001b[2J\\u202e\",\"series\":[{\"name\":"
                      "\"a\",\"points\":1,\"slot\":-5,\"dash\":1e9}]}");
        QVERIFY(text && !text.value().title.contains(QChar(0x1b)) &&
                !text.value().title.contains(QChar(0x202e)));
        QCOMPARE(text.value().series[0].slot, 0);
        QByteArray many = "{\"categories\":[";
        for (int i = 0; i < 100'000; ++i)
            many += "\"c\",";
        many.back() = ']';
        const auto bounded = chartWith(many + ",\"series\":[{\"name\":\"a\",\"points\":1}]}");
        QVERIFY(bounded && bounded.value().categories.size() < 10'000);
    }

    /// Imported, they are in the library, and the dialog shows them again.
    void importedAndSeen()
    {
        QTemporaryDir dir;
        const auto library = Library::open(dir.filePath(QStringLiteral("library")));
        QVERIFY(library.ok());
        const Study study = fullStudy();
        const ChartData quality = accuracyChart(study, RunAxis::Epoch);
        const ChartData times = timeToTargetChart(study, speedupTable(study.runs));
        const QString one = dir.filePath(QStringLiteral("accuracy_vs_epoch.csv"));
        const QString two = dir.filePath(QStringLiteral("time_to_target.csv"));
        QVERIFY(saveChart(quality, one, ExportOptions()).ok());
        QVERIFY(saveChart(times, two, ExportOptions()).ok());
        const imports::TakenIn taken = imports::takeIn({one, two}, library.value().get());
        QVERIFY(taken.stored && taken.stored->references == 2);
        QVERIFY(taken.stored->stored > 0); // times are runs, too
        QCOMPARE(imports::takeIn({one, two}, library.value().get()).stored->references, 0);
        ChartFilesDialog dialog(library.value()->dir());
        auto* choice = dialog.findChild<QComboBox*>(QStringLiteral("chartFile"));
        QVERIFY(dialog.isReading()); // not in this thread
        QTRY_COMPARE_WITH_TIMEOUT(choice->count(), 2, kHangMs);
        const int row =
            choice->findText(QStringLiteral("(accuracy_vs_epoch.csv)"), Qt::MatchEndsWith);
        QVERIFY(row >= 0);
        choice->setCurrentIndex(row);
        Q_EMIT choice->activated(row);
        QVERIFY2(difference(quality, dialog.panel()->chart()).isEmpty(),
                 qPrintable(difference(quality, dialog.panel()->chart())));
        QFile bad(dir.filePath(QStringLiteral("bad.csv")));
        QVERIFY(bad.open(QIODevice::WriteOnly) && bad.write("a,b\n1,2\n") > 0);
        bad.close();
        dialog.addFiles({bad.fileName()});
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isReading(), kHangMs);
        QCOMPARE(choice->count(), 2);
        QVERIFY(saidIn(dialog).contains(QLatin1String("bad.csv")));
    }

    /// A German window writes the same columns as an English one; labels have the numbers of that
    /// language.
    void filesStayEnglish()
    {
        QTemporaryDir dir;
        const auto saved = [&](const QString& language) {
            applyLanguage(language);
            Study study = inventedStudy({1, 2}, 2);
            for (RunRecord& run : study.runs)
                run.resumes = 1; // a mark
            const QString file = dir.filePath(language + QStringLiteral(".csv"));
            ChartPanel panel(QStringLiteral("x"));
            panel.setChart([&study] { return speedupChart(study, speedupTable(study.runs)); });
            const bool written = saveChart(panel.chartInEnglish(), file, ExportOptions()).ok();
            applyLanguage(QStringLiteral("en"));
            QFile read(file);
            return written && read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
        };
        const QByteArray english = saved(QStringLiteral("en"));
        QVERIFY(english.contains("Speedup vs 1 worker"));
        const QByteArray german = saved(QStringLiteral("de"));
        QVERIFY(german.contains("Speedup vs 1 worker"));
        const auto columns = [](const QByteArray& bytes) {
            QList<QStringList> rows = imports::parseCsv(bytes, {}, {u',', false}).value().rows;
            for (QStringList& row : rows)
                row.removeLast();
            return rows;
        };
        QCOMPARE(columns(german), columns(english));
    }

    /// What was exported as a chart's CSV, imported: the same lines.
    void chartComesBackFromItsCsv()
    {
        Study study = inventedStudy({1, 2, 4}, 2);
        for (RunRecord run : inventedStudy({1, 2, 4}, 2).runs) {
            run.config.model = QStringLiteral("resnet56");
            run.config.json.insert(QStringLiteral("model"),
                                   QJsonObject{{QStringLiteral("name"), run.config.model}});
            run.runStopMs += 3000;
            study.runs << run;
        }
        const ChartData chart = timeToTargetChart(study, speedupTable(study.runs));
        QCOMPARE(chart.series.size(), 2);
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("time_to_target.csv"));
        QVERIFY(saveChart(chart, file, ExportOptions()).ok());
        const auto library = Library::open(dir.filePath(QStringLiteral("library")));
        QVERIFY(library.ok());
        const imports::TakenIn taken = imports::takeIn({file}, library.value().get());
        QVERIFY(taken.stored && taken.stored->stored == 6);
        const auto back = loadStudy(taken.studyDirs(*library.value()).first());
        QVERIFY(back.ok());
        const ChartData again = timeToTargetChart(back.value(), speedupTable(back.value().runs));
        QCOMPARE(again.yColumn, chart.yColumn);
        QCOMPARE(again.series.size(), chart.series.size());
        for (const ChartSeries& series : chart.series) {
            const auto same =
                std::find_if(again.series.begin(), again.series.end(),
                             [&](const ChartSeries& s) { return s.name == series.name; });
            QVERIFY2(same != again.series.end(), qPrintable(series.name));
            QCOMPARE(same->x, series.x);
            for (qsizetype i = 0; i < series.y.size(); ++i)
                QVERIFY(std::abs(same->y[i] - series.y[i]) < 1e-3); // kept in ms
        }
    }
};

QTEST_MAIN(ChartCsvTest)
#include "chart_csv_test.moc"
