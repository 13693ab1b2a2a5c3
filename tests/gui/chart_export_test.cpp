// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as files: pictures of a size and a resolution, JSON, SVG, PDF, and the command for them.
#include "gui/gui_fixture.h"
#include "support/campaign.h"

#include "analysis/chart_files.h"
#include "app/print_html.h"
#include "app/study_export.h"
#include "charts/chart_export.h"
#include "charts/chart_panel.h"
#include "charts/table_picture.h"
#include "figures/run_charts.h"
#include "figures/study_charts.h"
#include "report/study_report.h"
#include "settings/app_settings.h"
#include "settings/language.h"

#include <QDomDocument>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QScopeGuard>
#include <QSet>
#include <QXmlStreamReader>

using namespace scalebench;
using namespace scalebench::test;

namespace {

/// What a PDF draws, unpacked.
QByteArray pdfContent(const QString& file)
{
    QFile in(file);
    const QByteArray bytes = in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    QByteArray content;
    for (qsizetype at = 0; (at = bytes.indexOf("\nstream\n", at)) >= 0; ++at) {
        const QByteArray packed = bytes.mid(at + 8, bytes.indexOf("\nendstream", at) - at - 8);
        if (packed.startsWith('x')) // a guess of its length goes before it
            content += qUncompress(QByteArray("\0\0\xff\xff", 4) + packed);
    }
    return content;
}

/// The workbench without a display, on a disk where no file can have more than 2 KiB.
int runWhereDiskIsFull(const QStringList& arguments, QByteArray& told)
{
    QProcess process;
    QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
    env.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    process.setProcessEnvironment(env);
    process.start(QStringLiteral("sh"),
                  QStringList{QStringLiteral("-c"),
                              QStringLiteral("trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\""),
                              QStringLiteral(SB_BIN_DIR "/scalebench-gui")} +
                      arguments);
    const bool ended = process.waitForFinished(kHangMs);
    told = process.readAllStandardError();
    return ended ? process.exitCode() : -1;
}

} // namespace

class ChartExportTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void pngHasSizeAndContent()
    {
        ExportOptions options;
        options.size = QSize(600, 400);
        options.scale = 2;
        const QImage image =
            chartImage(accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch), options);
        QCOMPARE(image.size(), QSize(1200, 800));
        QSet<QRgb> colors;
        for (int y = 0; y < image.height(); y += 3) {
            for (int x = 0; x < image.width(); x += 3)
                colors << image.pixel(x, y);
        }
        QVERIFY2(colors.size() > 20, "lines, text and markers are drawn");
        QVERIFY(colors.contains(Theme::day().series[0].rgb()));
        QVERIFY(colors.contains(Theme::day().series[1].rgb()));
    }

    /// A person's own colour is that of its slot, in every theme, until it is taken back.
    void ownColorsOfSeries()
    {
        const QColor mine(0x12, 0x34, 0x56);
        ThemeManager::instance().setSeriesColors({QColor(), mine});
        for (const Theme* theme : {&Theme::day(), &Theme::night()}) {
            QCOMPARE(theme->seriesColor(0), theme->series[0]);
            QCOMPARE(theme->seriesColor(1), mine);
            QCOMPARE(theme->seriesColor(1 + static_cast<int>(theme->series.size())), mine);
        }
        const QImage image =
            chartImage(accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch), ExportOptions());
        bool found = false;
        for (int y = 0; y < image.height() && !found; ++y)
            for (int x = 0; x < image.width() && !found; ++x)
                found = image.pixel(x, y) == mine.rgb();
        QVERIFY(found);
        QCOMPARE(AppSettings::instance().seriesColors(), (QList<QColor>{QColor(), mine}));
        ThemeManager::instance().setSeriesColors({});
        QCOMPARE(Theme::day().seriesColor(1), Theme::day().series[1]);
    }

    /// 170 mm at 300 dpi: so many pixels, and the file says how large they are.
    void pngByResolution()
    {
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("a.png"));
        ExportOptions options;
        options.size = QSize(643, 401);
        options.scale = 300 / 96.0;
        QVERIFY(
            saveChart(accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch), file, options).ok());
        const QImage image(file);
        QCOMPARE(image.size(), QSize(2009, 1253));
        QVERIFY(qAbs(image.dotsPerMeterX() * 0.0254 - 300) < 0.1);
        QVERIFY(qAbs(image.width() / (image.dotsPerMeterX() / 1000.0) - 170) < 0.5);
    }

    /// All that is shown, as any program reads it; what is no number is null.
    void jsonHasEveryPoint()
    {
        QTemporaryDir dir;
        ChartData chart = accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch);
        chart.series[1].y[2] = qQNaN();
        chart.series[0].yLow = chart.series[0].yHigh = chart.series[0].y;
        const QString file = dir.filePath(QStringLiteral("a.json"));
        QVERIFY(saveChart(chart, file, {}).ok());
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        const QJsonObject told = QJsonDocument::fromJson(in.readAll()).object();
        QCOMPARE(told.value(u"format").toString(), QStringLiteral("scalebench.chart"));
        QCOMPARE(told.value(u"title").toString(), chart.title);
        const QJsonArray series = told.value(u"series").toArray();
        QCOMPARE(series.size(), chart.series.size());
        for (int i = 0; i < series.size(); ++i) {
            const QJsonArray x = series[i][u"x"].toArray(), y = series[i][u"y"].toArray();
            QCOMPARE(series[i][u"name"].toString(), chart.series[i].name);
            QCOMPARE(x.size(), chart.series[i].x.size());
            QCOMPARE(y.size(), x.size());
            for (int k = 0; k < x.size(); ++k) {
                QCOMPARE(x[k].toDouble(), chart.series[i].x[k]);
                if (i == 1 && k == 2)
                    QVERIFY(y[k].isNull());
                else
                    QCOMPARE(y[k].toDouble(), chart.series[i].y[k]);
            }
        }
        QCOMPARE(series[0][u"low"].toArray(), series[0][u"y"].toArray());
        QVERIFY(series[1][u"low"].isUndefined());
    }

    void svgHasLegendAndAxes()
    {
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("a.svg"));
        QVERIFY(saveChart(accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch), file, {}).ok());
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        QDomDocument document;
        QVERIFY(document.setContent(&in));
        const QString text = document.documentElement().text();
        for (const char* part : {"1 worker", "2 workers", "Epoch", "Top-1 accuracy", "target 80",
                                 "not verified by MLCommons"})
            QVERIFY2(text.contains(QLatin1String(part)), part);
    }

    /// What lies beyond the axes is not drawn over title and caption.
    void svgStaysInsideAxes()
    {
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("a.svg"));
        ChartData chart = accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch);
        chart.yMin = 0;
        chart.yMax = 1;
        for (ChartSeries& series : chart.series)
            for (qsizetype i = 0; i < series.y.size(); ++i) {
                series.y[i] = i % 2 == 0 ? 0.5 : 9;
                series.yLow << -8;
                series.yHigh << 20;
            }
        QVERIFY(saveChart(chart, file, {}).ok());
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&in);
        const QRectF whole(QPointF(0, 0), ExportOptions().size);
        int points = 0;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement ||
                xml.name() != QLatin1String("polyline"))
                continue;
            const auto list = xml.attributes()
                                  .value(QLatin1String("points"))
                                  .toString()
                                  .simplified()
                                  .split(QLatin1Char(' '));
            for (const QString& point : list) {
                const QStringList xy = point.split(QLatin1Char(','));
                QVERIFY2(whole.contains(xy.value(0).toDouble(), xy.value(1).toDouble()),
                         qPrintable(point));
                ++points;
            }
        }
        QVERIFY(points > 20);
    }

    /// Names are somebody's text, and a picture is opened by browsers: whatever is in them stays
    /// text.
    void svgOfAnyNames()
    {
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("a.svg")),
                      evil = QStringLiteral("A & B <script>x()</script> \"c\" \x1b[2J");
        ChartData chart = accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch);
        chart.title = chart.subtitle = chart.xLabel = evil;
        for (ChartSeries& series : chart.series)
            series.name = evil;
        QVERIFY(saveChart(chart, file, {}).ok());
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&in);
        QString title, description;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement)
                continue;
            QVERIFY(xml.name() != QLatin1String("script"));
            if (xml.name() == QLatin1String("title"))
                title = xml.readElementText();
            else if (xml.name() == QLatin1String("desc"))
                description = xml.readElementText();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(title.contains(QLatin1String("A & B <script>x()</script>")));
        QVERIFY(description.contains(QLatin1String("A & B <script>x()</script>")));
    }

    /// What a German window writes for programs is what an English one writes.
    void filesAreEnglish()
    {
        Study study = inventedStudy({1, 2, 4}, 2);
        study.spec.workload = QStringLiteral("resnet");
        for (RunRecord& run : study.runs) {
            const double rate = run.config.repeat == 1 ? 0.001 : 0.002;
            run.resumes = run.config.workers == 2 ? 1 : 0;
            run.config.json.insert(QStringLiteral("schedule"),
                                   QJsonObject{{QStringLiteral("base_lr"), rate}});
        }
        const auto restore = qScopeGuard([] {
            applyLanguage(QStringLiteral("en"));
            QLocale::setDefault(QLocale::c());
        });
        QTemporaryDir dirs[2];
        for (const char* language : {"en", "de"}) {
            applyLanguage(QLatin1String(language));
            QLocale::setDefault(QLocale::c()); // numbers in texts stay as they are
            const QTemporaryDir& dir = dirs[QLatin1String(language) == QLatin1String("de")];
            const QList<NamedChart> charts = studyCharts(study, {});
            for (qsizetype i = 0; i < charts.size(); ++i) {
                ChartPanel panel(QStringLiteral("x"));
                panel.setChart(charts[i].chart, [&] { return studyCharts(study, {})[i].chart; });
                for (const char* suffix : {"_alone.csv", "_alone.json"})
                    QVERIFY(saveChart(panel.chartInEnglish(),
                                      dir.filePath(charts[i].stem + QLatin1String(suffix)), {})
                                .ok());
            }
            QVERIFY(writeStudyPictures(study, dir.path()).ok());
        }
        const QStringList names =
            QDir(dirs[0].path()).entryList({QStringLiteral("*.csv"), QStringLiteral("*.json")});
        QVERIFY(names.size() > 15);
        for (const QString& name : names) {
            const auto bytes = [&](int which) {
                QFile file(dirs[which].filePath(name));
                return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
            };
            QCOMPARE(bytes(1), bytes(0));
        }
    }

    /// A table is no wider than can be looked at, whatever names are in it.
    void tableOfLongNames()
    {
        QTemporaryDir dir;
        const QString name(4000, u'x'), file = dir.filePath(QStringLiteral("a.png"));
        const TablePicture table{name,
                                 name + u'\n' + name,
                                 {name, QStringLiteral("Workers")},
                                 {{name, QStringLiteral("1")}},
                                 1};
        ExportOptions options;
        options.scale = 1;
        QVERIFY(drawTable(table, file, options)().ok());
        const QImage image(file);
        QVERIFY2(image.width() > 400 && image.width() < 1200 && image.height() < 400,
                 qPrintable(QStringLiteral("%1 x %2").arg(image.width()).arg(image.height())));
    }

    void pdfAndUnknownEnding()
    {
        QTemporaryDir dir;
        const ChartData chart =
            speedupChart(inventedStudy({1, 2, 4}), speedupTable(inventedStudy({1, 2, 4}).runs));
        const QString file = dir.filePath(QStringLiteral("a.pdf"));
        QVERIFY(saveChart(chart, file, {}).ok());
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        QVERIFY(in.read(5) == "%PDF-");
        QVERIFY(in.size() > 4000);
        QCOMPARE(saveChart(chart, dir.filePath(QStringLiteral("a.xyz")), {}).failure().code,
                 QStringLiteral("format_unknown"));
        QCOMPARE(saveChart(chart, dir.filePath(QStringLiteral("none/a.png")), {}).failure().code,
                 QStringLiteral("not_writable"));
    }

    /// A picture of the window that cannot be written is told.
    void screenshotToNowhere()
    {
        QTemporaryDir dir;
        QProcess process;
        QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
        env.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        process.setProcessEnvironment(env);
        process.start(QStringLiteral(SB_BIN_DIR "/scalebench-gui"),
                      {QStringLiteral("--library"), dir.path(), QStringLiteral("--screenshot"),
                       dir.filePath(QStringLiteral("none/a.png"))});
        QVERIFY(process.waitForFinished(kHangMs));
        QCOMPARE(process.exitCode(), 3);
        QVERIFY(process.readAllStandardError().contains("none/a.png could not be written: "));
    }

    /// What does not fit on the disk is told, and no half of it is left.
    void nothingHalfOnAFullDisk()
    {
        QTemporaryDir dir;
        QByteArray told;
        const QString html = dir.filePath(QStringLiteral("a.html"));
        QFile page(html);
        QVERIFY(page.open(QIODevice::WriteOnly) && page.write("<p>One page</p>") > 0);
        page.close();
        QCOMPARE(runWhereDiskIsFull({QStringLiteral("--print"), html, QStringLiteral("--out"),
                                     dir.filePath(QStringLiteral("a.pdf"))},
                                    told),
                 3);
        QVERIFY2(told.contains("a.pdf could not be written: "), told.constData());
        QTemporaryDir library;
        QCOMPARE(runWhereDiskIsFull({QStringLiteral("--library"), library.path(),
                                     QStringLiteral("--screenshot"),
                                     dir.filePath(QStringLiteral("a.png"))},
                                    told),
                 3);
        QVERIFY2(told.contains("a.png could not be written: "), told.constData());
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files), QStringList{QStringLiteral("a.html")});
    }

    /// Qt lays a long page out in pieces, and what is changed meanwhile may lose what follows.
    void printHasLastParagraph()
    {
        QTemporaryDir dir;
        const QString html = dir.filePath(QStringLiteral("a.html")),
                      pdf = dir.filePath(QStringLiteral("a.pdf"));
        const QString picture = dir.filePath(QStringLiteral("a.png"));
        QVERIFY(saveChart(accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch), picture, {}).ok());
        QList<int> workers;
        for (int charts = 0; charts < 9; charts += 2) {
            for (int more = 0; more < 6; ++more)
                workers << static_cast<int>(workers.size()) + 1;
            QString text = report::reportHtml(
                inventedStudy(workers), {},
                QList<report::Picture>(charts, {QStringLiteral("A"), QStringLiteral("a.png")}));
            const QString last = QStringLiteral("<p class=\"note\">Result not verified");
            QCOMPARE(text.count(last), 1);
            text.replace(last, QStringLiteral("<p style=\"color:#0000ff\">Result not verified"));
            QFile page(html);
            QVERIFY(page.open(QIODevice::WriteOnly) && page.write(text.toUtf8()) > 0);
            page.close();
            QVERIFY(printHtml(html, pdf).ok());
            const QByteArray content = pdfContent(pdf);
            QVERIFY2(content.contains(" 0 0 1 scn") || content.contains("\n0 0 1 scn"), // that blue
                     qPrintable(QStringLiteral("%1 charts").arg(charts)));
        }
    }

    /// A report's pictures are in it; printed, they are on its pages, but nothing is read for them.
    void printHasEmbeddedPictures()
    {
        QTemporaryDir dir;
        const auto pdfOf = [&dir](const QByteArray& svg) {
            const QString html = dir.filePath(QStringLiteral("a.html")),
                          pdf = dir.filePath(QStringLiteral("a.pdf"));
            QFile page(html);
            if (!page.open(QIODevice::WriteOnly))
                return qint64(0);
            page.write("<html><body><p>A</p><div><img src=\"data:image/svg+xml;base64," +
                       svg.toBase64() + "\" alt=\"a\" width=\"740\"/></div></body></html>");
            page.close();
            return printHtml(html, pdf).ok() ? QFileInfo(pdf).size() : 0;
        };
        const QString file = dir.filePath(QStringLiteral("a.svg"));
        QVERIFY(saveChart(accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch), file, {}).ok());
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        const QByteArray chart = in.readAll();
        const qint64 without = pdfOf("no picture");
        QVERIFY(without > 0);
        QVERIFY(pdfOf(chart) > without + 10'000);
        QByteArray reads = chart;
        reads.replace("</svg>", "<image href=\"/etc/passwd\" width=\"9\" height=\"9\"/></svg>");
        QVERIFY(pdfOf(reads) < without + 1000);
    }

    /// Of an earlier export only what this one has stays, and what is a person's own.
    void exportTakesTheOlderOnesPlace()
    {
        QTemporaryDir dir;
        for (const char* name : {"throughput_ncf.png", "throughput_ncf.svg", "throughput_ncf.pdf",
                                 "throughput_ncf.csv", "throughput_mine.csv"}) {
            QFile file(dir.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        QVERIFY(writeStudyPictures(inventedStudy({1, 2}), dir.path()).ok());
        // Why there can be no such folder is told, and what to do.
        const Result<void> under = writeStudyPictures(
            inventedStudy({1, 2}), dir.filePath(QStringLiteral("throughput_mine.csv/x")));
        QVERIFY(!under && under.failure().message.contains(QLatin1String("Choose another folder")));
        QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("throughput_ncf.png"))));
        QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("throughput_ncf.csv"))));
        QVERIFY(QFile::exists(dir.filePath(QStringLiteral("throughput_mine.csv"))));
        QVERIFY(QFile::exists(dir.filePath(QStringLiteral("throughput.csv"))));
        // Whatever is exported is known as ours the next time.
        const QStringList ours = chartFilesIn(dir.path());
        const QStringList drawn = QDir(dir.path()).entryList({QStringLiteral("*.svg")});
        QVERIFY(drawn.size() > 5);
        for (const QString& name : drawn)
            QVERIFY2(ours.contains(name), qPrintable(name));
        // Whatever the speedup is of.
        Study study = inventedStudy({1, 2});
        for (const SpeedupOf quantity :
             {SpeedupOf::TimeToTrain, SpeedupOf::EpochTime, SpeedupOf::Throughput})
            for (const NamedChart& named : studyCharts(study, {quantity, {}, {}}))
                QVERIFY2(chartPlace(named.stem), qPrintable(named.stem));
        QVERIFY(chartPlace(QStringLiteral("accuracy_vs_epoch")) <
                chartPlace(QStringLiteral("time_to_target")));
        QVERIFY(chartPlace(QStringLiteral("step_split_ncf")) <
                chartPlace(QStringLiteral("throughput_ncf")));
        QVERIFY(!chartPlace(QStringLiteral("speedup_mine")));
    }

    void exportCommandWithoutDisplay()
    {
        // The program chooses the offscreen platform itself.
        QProcess process;
        QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
        env.remove(QStringLiteral("QT_QPA_PLATFORM"));
        env.remove(QStringLiteral("DISPLAY"));
        process.setProcessEnvironment(env);
        const auto run = [&](const QStringList& arguments) {
            process.start(QStringLiteral(SB_BIN_DIR "/scalebench-gui"), arguments);
            return process.waitForFinished(kHangMs) ? process.exitCode() : -1;
        };
        QCOMPARE(run({QStringLiteral("--export"), QStringLiteral("/nowhere")}), 2);
        QCOMPARE(run({QStringLiteral("--export"), QStringLiteral("/nowhere"),
                      QStringLiteral("--out"), QStringLiteral("/tmp")}),
                 2);
        QCOMPARE(run({QStringLiteral("--page"), QStringLiteral("moon")}), 2);
        QTemporaryDir dir;
        QVERIFY(saveChart(accuracyChart(inventedStudy({1, 2}), RunAxis::Epoch),
                          dir.filePath(QStringLiteral("a.csv")), {})
                    .ok());
        QCOMPARE(run({QStringLiteral("--draw"), dir.filePath(QStringLiteral("a.csv")),
                      QStringLiteral("--out"), dir.filePath(QStringLiteral("a.xyz"))}),
                 2);
        QFile page(dir.filePath(QStringLiteral("a.html")));
        QVERIFY(page.open(QIODevice::WriteOnly) && page.write("<img src=\"none.png\"/>") > 0);
        page.close();
        QCOMPARE(run({QStringLiteral("--print"), page.fileName(), QStringLiteral("--out"),
                      dir.filePath(QStringLiteral("a.pdf"))}),
                 0);
        QVERIFY(process.readAllStandardError().contains("the picture \u201cnone.png\u201d is not"));
        QCOMPARE(run({QStringLiteral("--version")}), 0);
        QCOMPARE(run({QStringLiteral("--help")}), 0);
    }
};

SB_WATCHED_TEST_MAIN(ChartExportTest)
#include "chart_export_test.moc"
