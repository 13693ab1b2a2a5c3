// SPDX-License-Identifier: GPL-3.0-or-later
// What a person reads on a chart: names of bars, legends, labels of points, numbers of axes, notes.
#include "gui/gui_fixture.h"

#include "charts/chart_items.h"
#include "charts/chart_panel.h"
#include "charts/chart_plot.h"
#include "charts/chart_widget.h"
#include "figures/run_charts.h"

#include <QScopeGuard>

#include <numeric>

using namespace scalebench;
using namespace scalebench::test;

/// The chart as it is on the screen, with all that is drawn late.
static ChartPlot* drawn(ChartWidget& widget, const ChartData& chart, QSize size)
{
    widget.resize(size);
    widget.show();
    widget.setChart(chart);
    widget.replotNow();
    auto* plot = static_cast<ChartPlot*>(widget.findChild<QCustomPlot*>());
    plot->replot(QCustomPlot::rpImmediateRefresh);
    return plot;
}

class ChartTextTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    /// 18 bars of a study of nine workloads had names over one another.
    void namesOfManyBarsDoNotCollide()
    {
        QList<int> workers;
        for (int i = 1; i <= 18; ++i)
            workers << i;
        const ChartData chart = stepSplitChart(inventedStudy(workers));
        ChartPanel panel(QStringLiteral("x"));
        panel.setChart(chart);
        int before = 0;
        for (const int width : {400, 700, 2400}) {
            panel.resize(width, 300);
            panel.show();
            QVERIFY(QTest::qWaitForWindowExposed(&panel));
            QTest::qWait(100);
            auto* plot = panel.findChild<QCustomPlot*>();
            plot->replot();
            const QFontMetrics metrics(plot->xAxis->tickLabelFont());
            const QVector<double> at = plot->xAxis->tickVector();
            const QVector<QString> names = plot->xAxis->tickVectorLabels();
            QVERIFY(!at.isEmpty());
            double end = -1e9;
            for (qsizetype i = 0; i < at.size(); ++i) {
                int wide = 0;
                for (const QString& line : names[i].split(QLatin1Char('\n')))
                    wide = std::max(wide, metrics.horizontalAdvance(line));
                const double middle = plot->xAxis->coordToPixel(at[i]);
                QVERIFY2(middle - wide / 2.0 >= end, qPrintable(names[i]));
                end = middle + wide / 2.0;
            }
            QVERIFY(at.size() >= before); // more room, more names
            before = int(at.size());
        }
        QCOMPARE(before, 18);
    }

    /// Three bars of a worker count side by side have room for their labels, or only the last has
    /// one.
    void labelsOfBarsSideBySide()
    {
        const Study study = inventedStudy({1, 2, 4, 8});
        const ChartData chart = speedupPartsChart(study, speedupTable(study.runs));
        ChartPanel panel(QStringLiteral("x"));
        panel.setChart(chart);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        for (const auto& [width, labels] : {std::pair(1200, 9), {420, 3}, {1200, 9}}) {
            panel.resize(width, 300);
            QTest::qWait(100);
            auto* plot = static_cast<ChartPlot*>(panel.findChild<QCustomPlot*>());
            plot->replot(QCustomPlot::rpImmediateRefresh);
            QVERIFY2(plot->cutTexts().isEmpty(), qPrintable(plot->cutTexts().join(u'|')));
            int shown = 0;
            for (const QCPItemText* label : plot->findChildren<QCPItemText*>())
                shown += label->text().contains(QChar(0x00d7)) ? 1 : 0;
            QCOMPARE(shown, labels);
        }
    }

    /// "lr 3e-04" had its end drawn as a power of ten, and what followed was lost.
    void namesWithExponentsAreWhole()
    {
        ChartPlot plot;
        plot.resize(700, 300);
        plot.setViewport(QRect(0, 0, 700, 300));
        const auto widest = [&plot](const QString& name) {
            ChartData chart;
            chart.xScale = ChartData::XScale::Categories;
            chart.categories = {name};
            ChartSeries series;
            series.kind = ChartSeries::Kind::Bars;
            series.x = {0};
            series.y = {1};
            chart.series << series;
            plot.setChart(chart);
            QImage image(plot.size(), QImage::Format_RGB32);
            image.fill(Qt::white);
            QCPPainter painter(&image);
            plot.toPainter(&painter, plot.width(), plot.height());
            painter.end();
            // Of what is written below the axes.
            int left = image.width(), right = 0;
            for (int y = plot.axisRect()->bottom() + 8; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y) != image.pixelColor(1, image.height() - 1)) {
                        left = std::min(left, x);
                        right = std::max(right, x);
                    }
            return right - left;
        };
        const int whole = widest(QStringLiteral("lr 3x-04, overlap on, 2 workers"));
        QVERIFY(whole > 100);
        QVERIFY(std::abs(widest(QStringLiteral("lr 3e-04, overlap on, 2 workers")) - whole) < 5);
    }

    /// An underscore, the lowest of all letters, is not cut off, whatever the size of the letters.
    void underscoresAreSeen()
    {
        for (const double points : {7.5, 8.5, 9.0, 9.5, 10.0, 11.0}) {
            const auto legendOf = [points](const QString& name) {
                ChartPlot plot;
                QFont font = plot.font();
                font.setPointSizeF(points);
                plot.setFont(font);
                plot.setTheme(Theme::day());
                plot.resize(500, 300);
                plot.setViewport(QRect(0, 0, 500, 300));
                ChartData chart;
                ChartSeries series;
                series.name = name;
                series.x = series.y = {1, 2};
                chart.series << series;
                plot.setChart(chart);
                QImage image(plot.size(), QImage::Format_RGB32);
                image.fill(Qt::white);
                QCPPainter painter(&image);
                plot.toPainter(&painter, plot.width(), plot.height());
                painter.end();
                return image.copy(plot.legend->outerRect());
            };
            const QImage with = legendOf(QStringLiteral("lab_6")),
                         without = legendOf(QStringLiteral("lab6"));
            int letters = 0; // in the lower part, where the underscore alone is
            for (const QImage& image : {with, without})
                for (int x = 40; x < image.width(); ++x)
                    for (int y = image.height() * 2 / 3 + 2; y < image.height(); ++y)
                        letters += (&image == &without ? -1 : 1) * (255 - qGray(image.pixel(x, y)));
            QVERIFY2(letters > 300, qPrintable(QStringLiteral("%1: %2").arg(points).arg(letters)));
        }
    }

    /// As in tables: 10,000 or 10.000, by the language.
    void axesHaveGroupsOfThousands()
    {
        const auto restore = qScopeGuard([] { QLocale::setDefault(QLocale::c()); });
        for (const auto& [locale, wanted] :
             {std::pair(QLocale(QLocale::English, QLocale::UnitedStates), "20,000"),
              {QLocale(QLocale::German), "20.000"}}) {
            QLocale::setDefault(locale);
            ChartPlot plot;
            plot.resize(700, 300);
            plot.setViewport(QRect(0, 0, 700, 300));
            ChartData chart;
            ChartSeries series;
            series.x = {0, 50000};
            series.y = {0, 40000};
            chart.series << series;
            plot.setChart(chart);
            plot.replot(QCustomPlot::rpImmediateRefresh);
            for (const QCPAxis* axis : {plot.xAxis, plot.yAxis})
                QVERIFY2(axis->tickVectorLabels().contains(QLatin1String(wanted)),
                         qPrintable(axis->tickVectorLabels().join(u'|')));
        }
    }

    /// Lines of two links may lie a few pixels apart.
    void labelsOfLinesKeepApart()
    {
        ChartData chart;
        chart.yLog10 = true;
        ChartSeries series;
        series.x = {1, 2, 3};
        series.y = {1, 100, 300};
        chart.series << series;
        for (const double y : {450.0, 300.0, 290.0, 64.0, 280.0})
            chart.lines << ChartLine{y, QStringLiteral("NVLink: %1 GB/s in one direction").arg(y)};
        ChartWidget widget;
        ChartPlot* plot = drawn(widget, chart, QSize(900, 320));
        QVERIFY2(plot->cutTexts().isEmpty(), qPrintable(plot->cutTexts().join(u'|')));
    }

    /// The marker of the last point is whole, also where all points are at the end of the axis.
    void lastPointIsWhole()
    {
        for (const QVector<double>& x : {QVector<double>{5}, {99, 100}, {0, 50, 100}}) {
            ChartData chart;
            chart.xMin = 0;
            ChartSeries series;
            series.x = x;
            series.y = QVector<double>(x.size(), 1);
            chart.series << series;
            ChartWidget widget;
            ChartPlot* plot = drawn(widget, chart, QSize(400, 260));
            constexpr double kHalfMarker = 4;
            QVERIFY(plot->xAxis->coordToPixel(x.last()) + kHalfMarker <=
                    plot->axisRect()->right() + 1);
        }
    }

    /// Of a name of thousands of letters there is as much as has room, everywhere.
    void veryLongNamesAreShortened()
    {
        const QString name = QStringLiteral("lab_") + QString(4000, u'x') + QStringLiteral("_6");
        ChartData chart;
        chart.xScale = ChartData::XScale::Categories;
        chart.title = chart.subtitle = name;
        for (int i = 0; i < 2; ++i) {
            chart.categories << name + QString::number(i);
            ChartSeries series;
            series.id = QString::number(i);
            series.name = name;
            series.kind = ChartSeries::Kind::Bars;
            series.x = {double(i)};
            series.y = {1};
            chart.series << series;
        }
        ChartPlot plot;
        plot.resize(900, 500);
        plot.setViewport(QRect(0, 0, 900, 500));
        plot.setHeadings(name, name + u'\n' + name);
        plot.setChart(chart);
        plot.replot(QCustomPlot::rpImmediateRefresh);
        QVERIFY2(plot.cutTexts().isEmpty(), qPrintable(plot.cutTexts().join(u'|').left(300)));
        QVERIFY(plot.axisRect()->height() > 250);
        QVERIFY(plot.axisRect()->width() > 700);
        QCOMPARE(plot.xAxis->tickVectorLabels().size(), 2);
        for (const QString& label : plot.xAxis->tickVectorLabels())
            QVERIFY(label.startsWith(QLatin1String("lab_")) && label.size() < 100);
        for (int i = 0; i < plot.plotLayout()->elementCount(); ++i)
            if (const auto* text = dynamic_cast<QCPTextElement*>(plot.plotLayout()->elementAt(i)))
                QVERIFY(text->text().size() < 500);
    }

    /// What had no room for a moment is there again with it.
    void legendComesBack()
    {
        ChartPlot plot;
        plot.resize(500, 300);
        plot.setViewport(QRect(0, 0, 500, 300));
        plot.setChart(throughputChart(inventedStudy({1, 2}), RunAxis::Epoch));
        QCOMPARE(plot.legend->itemCount(), 2);
        const auto resize = [&plot](const QSize& size) {
            plot.resize(size);
            QResizeEvent event(size, size);
            QCoreApplication::sendEvent(&plot, &event);
        };
        resize(QSize(500, 60));
        QCOMPARE(plot.legend->itemCount(), 0);
        resize(QSize(500, 300));
        QCOMPARE(plot.legend->itemCount(), 2);
    }

    /// What has no room is counted.
    void legendSaysWhatItLacks()
    {
        ChartPlot plot;
        const auto show = [&plot](const ChartData& chart, const QSize& size) {
            plot.resize(size);
            plot.setViewport(QRect(QPoint(), size));
            plot.setChart(chart);
            QResizeEvent event(size, size);
            QCoreApplication::sendEvent(&plot, &event);
            int named = 0;
            QString more;
            for (int i = 0; i < plot.legend->itemCount(); ++i) {
                if (const auto* text = dynamic_cast<const LegendText*>(plot.legend->item(i)))
                    more = text->text();
                else // the flag has an entry too
                    named += plot.seriesAtLegendItem(plot.legend->item(i)) >= 0 ? 1 : 0;
            }
            return std::pair(named, more);
        };
        QList<int> workers(20);
        std::iota(workers.begin(), workers.end(), 1);
        const ChartData chart = throughputChart(inventedStudy(workers), RunAxis::Epoch);
        const auto wide = show(chart, QSize(900, 700));
        QCOMPARE(wide.first, ChartPlot::kMaxLegendEntries);
        QCOMPARE(wide.second, QStringLiteral("+6 more"));
        const auto [named, more] = show(chart, QSize(330, 160));
        QVERIFY(named > 0 && named < ChartPlot::kMaxLegendEntries);
        QCOMPARE(more, QStringLiteral("+%1 more").arg(20 - named));
        QCOMPARE(show(throughputChart(inventedStudy({1, 2}), RunAxis::Epoch), QSize(900, 700)),
                 std::pair(2, QString()));
    }

    /// One that goes beyond the edge does not carry the point's label into the legend.
    void labelsStayBelowTheLegend()
    {
        ChartData chart;
        chart.yFromZero = true;
        ChartSeries series;
        series.name = QStringLiteral("mean, with some more words");
        series.x = {1, 2};
        series.y = {3.08, 2.56};
        series.yLow = {-40, 1};
        series.yHigh = {46, 5};
        series.pointLabels = {QStringLiteral("3.08 s"), QStringLiteral("2.56 s")};
        chart.series << series;
        ChartWidget widget;
        ChartPlot* plot = drawn(widget, chart, QSize(420, 220));
        QVERIFY2(plot->cutTexts().isEmpty(), qPrintable(plot->cutTexts().join(u'|')));
        for (const QCPItemText* label : plot->findChildren<QCPItemText*>())
            QVERIFY(label->topLeft->pixelPosition().y() >= plot->axisRect()->top() - 2);
    }

    /// Whatever the theme was before and is now.
    void labelsAndLegendKeepToTheirPlace()
    {
        ChartData chart = throughputChart(inventedStudy({1, 2, 4, 8}), RunAxis::Time);
        chart.yLabel = QStringLiteral("Beschleunigung gegenüber dem kleinsten Aufbau (Zeit bis zum "
                                      "Ziel, Mittel der Wiederholungen)");
        for (ChartSeries& series : chart.series)
            series.name += QStringLiteral(", und was ihn von den anderen unterscheidet");
        ChartWidget widget;
        widget.resize(420, 260);
        widget.show();
        widget.setChart(chart);
        for (const auto& theme : {ThemeChoice::Dark, ThemeChoice::Contrast, ThemeChoice::Light}) {
            ThemeManager::instance().apply(theme);
            widget.replotNow();
            QCoreApplication::processEvents(); // it is drawn then
            QVERIFY2(widget.cutTexts().isEmpty(), qPrintable(widget.cutTexts().join(u'|')));
        }
        QFont large = widget.font();
        large.setPointSizeF(large.pointSizeF() * 1.4);
        widget.setFont(large);
        ThemeManager::instance().apply(ThemeChoice::Dark);
        ThemeManager::instance().apply(ThemeChoice::Light);
        widget.replotNow();
        QCoreApplication::processEvents();
        QVERIFY2(widget.cutTexts().isEmpty(), qPrintable(widget.cutTexts().join(u'|')));
    }

    /// On any stretch there are some numbers, of one kind, and few enough.
    void logarithmicAxesHaveNumbers()
    {
        for (const auto& [low, high] :
             std::initializer_list<std::pair<double, double>>{{0.03, 1.6},
                                                              {15, 900},
                                                              {30, 900},
                                                              {6, 15},
                                                              {0.9, 110},
                                                              {1, 1e7},
                                                              {700'000, 1'300'000}}) {
            ChartData chart;
            chart.yLog10 = true;
            ChartSeries series;
            series.x = {1, 2, 3};
            series.y = {low * 1.5, (low + high) / 2, high / 1.7};
            chart.series << series;
            ChartWidget widget;
            ChartPlot* plot = drawn(widget, chart, QSize(400, 260));
            int shown = 0;
            for (const double tick : plot->yAxis->tickVector())
                shown += plot->yAxis->range().contains(tick) ? 1 : 0;
            const QString where = QStringLiteral("%1 to %2: %3")
                                      .arg(low)
                                      .arg(high)
                                      .arg(plot->yAxis->tickVectorLabels().join(u' '));
            QVERIFY2(shown >= 2 && shown <= 8, qPrintable(where));
            QVERIFY2(!where.contains(u'E'), qPrintable(where));
            QVERIFY2(plot->cutTexts().isEmpty(), qPrintable(where));
        }
    }

    /// An interval that is not there is not spoken of.
    void intervalsThatAreNotThere()
    {
        ChartData chart;
        ChartSeries series;
        series.x = {1, 2};
        series.y = {1, 1.2};
        series.yLow = {1, qQNaN()};
        series.yHigh = {1, qQNaN()};
        series.n = {2, 2};
        chart.series << series;
        QCOMPARE(chart.errorNote(), QStringLiteral("no 95 % interval can be told, n = 2"));
        chart.series[0].yLow[1] = 1.1;
        chart.series[0].yHigh[1] = 1.3;
        QCOMPARE(chart.errorNote(), QStringLiteral("Bars: 95 % interval of the mean, n = 2"));
        chart.series[0].n = {1, 3};
        QCOMPARE(chart.errorNote(), QStringLiteral("Bars: 95 % interval of the mean, n = 3"));
    }
};

SB_WATCHED_TEST_MAIN(ChartTextTest)
#include "chart_text_test.moc"
