// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does with a chart: views and their history, frames, pins, the legend, scales,
// charts whose x axes go together.
#include "gui/gui_fixture.h"

#include "charts/chart_export.h"
#include "charts/chart_items.h"
#include "charts/chart_panel.h"
#include "charts/chart_plot.h"
#include "charts/chart_widget.h"
#include "figures/run_charts.h"
#include "settings/app_settings.h"

#include <QAction>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QUndoStack>
#include <QWheelEvent>

using namespace scalebench;
using namespace scalebench::test;

namespace {

QWidget* plotOf(const ChartWidget& widget)
{
    for (auto* child : widget.findChildren<QWidget*>())
        if (child->inherits("QCustomPlot"))
            return child;
    return nullptr;
}

/// A straight line through whole numbers, so that pixels are easy to tell.
ChartData lineChart()
{
    ChartData chart;
    chart.id = QStringLiteral("line");
    chart.xColumn = QStringLiteral("epoch");
    chart.yColumn = QStringLiteral("value");
    for (int s = 0; s < 3; ++s) {
        ChartSeries series;
        series.id = QStringLiteral("s%1").arg(s);
        series.name = QStringLiteral("series %1").arg(s);
        series.slot = s;
        for (int i = 1; i <= 10; ++i) {
            series.x << i;
            series.y << i * (s + 1);
        }
        chart.series << series;
    }
    return chart;
}

} // namespace

class ChartViewTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }
    /// The first evaluation of a run, on axes that begin at zero: not at the upper edge.
    void oneHighPointIsWhole()
    {
        ChartData chart = lineChart();
        chart.series.resize(1);
        chart.series[0].x = {1};
        chart.series[0].y = {0.136};
        chart.yMin = 0;
        ChartWidget widget;
        widget.resize(600, 220);
        widget.setChart(chart);
        widget.grab(); // lays it out
        widget.replotNow();
        const auto* plot = static_cast<ChartPlot*>(plotOf(widget));
        const double above = plot->yAxis->coordToPixel(0.136) - plot->axisRect()->top();
        QVERIFY2(above >= 4, qPrintable(QString::number(above))); // half of a marker
    }

    void init()
    {
        m_widget = std::make_unique<ChartWidget>();
        m_widget->resize(640, 400);
        m_widget->setChart(lineChart());
        m_widget->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
        m_widget->replotNow();
        m_plot = plotOf(*m_widget);
        QVERIFY(m_plot);
    }

    void viewsHaveAHistory()
    {
        const QRectF whole = m_widget->view();
        QVERIFY(!m_widget->canGoBack());
        QTest::keyClick(m_widget.get(), Qt::Key_Plus);
        const QRectF near = m_widget->view();
        QVERIFY(near.width() < whole.width());
        QTest::keyClick(m_widget.get(), Qt::Key_Plus);
        m_widget->goBack();
        QCOMPARE(m_widget->view(), near);
        QVERIFY(m_widget->canGoForward());
        m_widget->goBack();
        m_widget->replotNow();
        QVERIFY(m_widget->isFollowing()); // the first view was that of all data
        QCOMPARE(m_widget->view(), whole);
        m_widget->goForward();
        QCOMPARE(m_widget->view(), near);
        QTest::keyClick(m_widget.get(), Qt::Key_Home);
        QVERIFY(!m_widget->canGoForward());
        m_widget->goBack(); // before Home
        QCOMPARE(m_widget->view(), near);
    }

    /// H hides the cursor's line; with the last one the ring goes too.
    void noRingOnAHiddenLine()
    {
        const auto* plot = static_cast<ChartPlot*>(m_plot);
        m_widget->setFocus();
        QTest::keyClick(m_widget.get(), Qt::Key_Right);
        const auto rings = [plot] {
            int shown = 0;
            for (const QCPItemTracer* ring : plot->findChildren<QCPItemTracer*>())
                shown += ring->visible() ? 1 : 0;
            return shown;
        };
        QCOMPARE(rings(), 1);
        for (int left = 2; left >= 0; --left) {
            QTest::keyClick(m_widget.get(), Qt::Key_H);
            QCOMPARE(m_widget->hiddenSeries().size(), 3 - left);
            QCOMPARE(rings(), left > 0 ? 1 : 0);
        }
    }

    void shiftDragFrames()
    {
        const QRectF whole = m_widget->view();
        const QPoint from(m_plot->width() / 3, m_plot->height() / 3);
        const QPoint to(m_plot->width() * 2 / 3, m_plot->height() * 2 / 3);
        QTest::mousePress(m_plot, Qt::LeftButton, Qt::ShiftModifier, from);
        QTest::mouseMove(m_plot, (from + to) / 2);
        QTest::mouseMove(m_plot, to);
        QTest::mouseRelease(m_plot, Qt::LeftButton, Qt::ShiftModifier, to);
        const QRectF framed = m_widget->view();
        QVERIFY(!m_widget->isFollowing());
        QVERIFY2(framed.width() < 0.6 * whole.width() && framed.height() < 0.6 * whole.height(),
                 qPrintable(QString::number(framed.width())));
        QVERIFY(whole.contains(framed.center()));
        m_widget->goBack();
        m_widget->replotNow();
        QCOMPARE(m_widget->view(), whole);
    }

    void clickPinsAPoint()
    {
        QTest::keyClick(m_widget.get(), Qt::Key_Right); // the cursor is on a point
        QTest::keyClick(m_widget.get(), Qt::Key_Space);
        QCOMPARE(m_widget->pinCount(), 1);
        QTest::keyClick(m_widget.get(), Qt::Key_Right);
        QTest::keyClick(m_widget.get(), Qt::Key_Space);
        QCOMPARE(m_widget->pinCount(), 2);
        QTest::keyClick(m_widget.get(), Qt::Key_Space); // once more takes it away
        QCOMPARE(m_widget->pinCount(), 1);
        ChartData more = lineChart(); // they stay when points come
        more.series[0].x << 11;
        more.series[0].y << 11;
        m_widget->setChart(more);
        m_widget->replotNow();
        QCOMPARE(m_widget->pinCount(), 1);
        QTest::keyClick(m_widget.get(), Qt::Key_Escape);
        QCOMPARE(m_widget->pinCount(), 0);
        // With the mouse: on the nearest point.
        const QPoint middle(m_plot->width() / 2, m_plot->height() / 2);
        for (int dy = -120; dy <= 120 && m_widget->pinCount() == 0; dy += 20) {
            const QPoint at = middle + QPoint(0, dy);
            QTest::mouseMove(m_plot, at);
            QTest::mouseClick(m_plot, Qt::LeftButton, Qt::NoModifier, at);
        }
        QCOMPARE(m_widget->pinCount(), 1);
    }

    void scalesAreAPersonsChoice()
    {
        QVERIFY(!m_widget->isLogY());
        m_widget->setLogY(true);
        m_widget->setLogX(true);
        m_widget->replotNow();
        QVERIFY(m_widget->isLogX() && m_widget->isLogY());
        QVERIFY(m_widget->view().top() > 0);
        m_widget->setChart(lineChart()); // kept for what comes
        QVERIFY(m_widget->isLogX() && m_widget->isLogY());
        m_widget->setLogY(false);
        QVERIFY(!m_widget->isLogY());
        ChartData decades = lineChart(); // comes logarithmic, can be had linear
        decades.yLog10 = true;
        ChartWidget other;
        other.setChart(decades);
        QVERIFY(other.isLogY());
        other.setLogY(false);
        QVERIFY(!other.isLogY());
        ChartData percent = lineChart();
        percent.yPercent = true;
        QVERIFY(!percent.canLogY());
    }

    void xAxesGoTogether()
    {
        ChartWidget other;
        other.resize(640, 400);
        ChartData second = lineChart();
        second.id = QStringLiteral("second");
        other.setChart(second);
        other.show();
        other.replotNow();
        m_widget->linkX(&other);
        QTest::keyClick(m_widget.get(), Qt::Key_Plus);
        QCOMPARE(other.view().left(), m_widget->view().left());
        QCOMPARE(other.view().right(), m_widget->view().right());
        QVERIFY(!other.isFollowing());
        other.fit();
        other.replotNow();
        m_widget->replotNow();
        QVERIFY(m_widget->isFollowing());
        second.xColumn = QStringLiteral("seconds"); // another quantity stays
        other.setChart(second);
        other.replotNow();
        const QRectF before = other.view();
        QTest::keyClick(m_widget.get(), Qt::Key_Plus);
        QCOMPARE(other.view(), before);
    }

    /// The wheel is the page's, unless a key says zoom or the chart was clicked.
    void wheelScrollsThePage()
    {
        m_widget->clearFocus();
        m_widget->replotNow();
        const auto turn = [this](Qt::KeyboardModifiers modifiers) {
            const QPointF at = m_plot->rect().center();
            QWheelEvent event(at, m_plot->mapToGlobal(at), {}, {0, -120}, {}, modifiers,
                              Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(m_plot, &event);
            return event.isAccepted();
        };
        const QRectF whole = m_widget->view();
        QVERIFY(!turn({}));
        QCOMPARE(m_widget->view(), whole);
        QVERIFY(turn(Qt::ControlModifier));
        const QRectF across = m_widget->view();
        QVERIFY(across.width() > whole.width());
        QCOMPARE(across.height(), whole.height());
        QScrollArea area;
        auto* tall = new ChartWidget;
        tall->setFixedSize(300, 1500);
        tall->setFocusPolicy(Qt::NoFocus); // alone in a window it would be given the focus
        area.setWidget(tall);
        area.resize(320, 300);
        area.show();
        QWheelEvent scroll(QPointF(50, 50), QPointF(50, 50), {}, {0, -120}, {}, {},
                           Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(plotOf(*tall), &scroll);
        QVERIFY(area.verticalScrollBar()->value() > 0);
        QTest::mousePress(m_plot, Qt::RightButton, {}, QPoint(2, 2)); // gives it the focus
        QTest::mouseRelease(m_plot, Qt::RightButton, {}, QPoint(2, 2));
        if (!m_widget->hasFocus())
            QSKIP("the window did not become active");
        QVERIFY(turn({}));
        QVERIFY(m_widget->view().height() > whole.height());
    }

    /// What is written on a point can be taken back like any edit, moved by hand and by key.
    void notesAreEdits()
    {
        QUndoStack edits;
        m_widget->setUndoStack(&edits);
        QTest::keyClick(m_widget.get(), Qt::Key_Right);
        QTest::keyClick(m_widget.get(), Qt::Key_N);
        auto* dialog = m_widget->findChild<QInputDialog*>();
        QVERIFY(dialog);
        dialog->setTextValue(QStringLiteral("the warm-up ends here"));
        dialog->accept();
        QCOMPARE(m_widget->notes().size(), 1);
        QCOMPARE(m_widget->notes().first().text, QStringLiteral("the warm-up ends here"));
        QCOMPARE(edits.count(), 1);
        edits.undo();
        QVERIFY(m_widget->notes().isEmpty());
        edits.redo();
        const ChartNote written = m_widget->notes().first();
        m_widget->replotNow();
        QVERIFY(m_widget->accessibleDescription().contains(written.text));
        // What a click on the point does: it pins, but takes nothing away that was written.
        QTest::keyClick(m_widget.get(), Qt::Key_Space);
        QCOMPARE(m_widget->notes(), QList<ChartNote>{written});
        QCOMPARE(edits.count(), 1);
        // By the mouse: the box moves, the chart does not.
        const QRectF whole = m_widget->view();
        const QRectF before = m_widget->noteRect(written.id);
        QVERIFY(before.width() > 20);
        const QPoint from = before.center().toPoint();
        const QPoint by(60, 40);
        QTest::mousePress(m_plot, Qt::LeftButton, {}, from);
        QTest::mouseMove(m_plot, from + by / 2);
        QTest::mouseMove(m_plot, from + by);
        QTest::mouseRelease(m_plot, Qt::LeftButton, {}, from + by);
        m_widget->replotNow();
        QCOMPARE(m_widget->view(), whole);
        const QPointF moved =
            m_widget->noteRect(written.id).topLeft() - before.topLeft() - QPointF(by);
        QVERIFY2(moved.manhattanLength() < 2, qPrintable(QString::number(moved.x())));
        QCOMPARE(edits.count(), 2);
        edits.undo();
        QCOMPARE(m_widget->notes().first(), written);
        edits.redo();
        QVERIFY(m_widget->notes().first().offset);
        // By keys; several moves in a row are one edit.
        m_widget->replotNow();
        for (int tries = 0; tries < 12; ++tries) {
            QTest::keyClick(m_widget.get(), Qt::Key_Left); // the mouse took the cursor away
            QTest::keyClick(m_widget.get(), Qt::Key_Right, Qt::ControlModifier);
        }
        QVERIFY(edits.count() < 5);
        while (edits.count() > 1 && edits.index() > 1)
            edits.undo();
        QCOMPARE(m_widget->notes().first(), written);
        QTest::keyClick(m_widget.get(), Qt::Key_Delete); // the cursor is on the first point
        QVERIFY(m_widget->notes().isEmpty());
        edits.undo();
        QCOMPARE(m_widget->notes().size(), 1);
    }

    /// A long note is wrapped and stays within the axes, wherever its point is.
    void longNotesStayInside()
    {
        const QString text = QStringLiteral("the warm-up ends here, and from here on it is known "
                                            "what an epoch takes, whatever the machine does ")
                                 .repeated(2)
                                 .trimmed();
        m_widget->setSubject(QStringLiteral("notes"));
        QList<ChartNote> written;
        for (const double x : {1.0, 5.0, 10.0})
            written << ChartNote{ChartNotes::instance().newId(),
                                 QStringLiteral("notes\nline\nepoch"),
                                 QStringLiteral("s0"),
                                 x,
                                 text,
                                 {}};
        ChartNotes::instance().replace({}, written);
        m_widget->replotNow();
        const QRectF inside = static_cast<ChartPlot*>(m_plot)->axisRect()->rect();
        for (const ChartNote& note : std::as_const(written)) {
            const QRectF box = m_widget->noteRect(note.id);
            QVERIFY(box.width() > 20);
            QVERIFY2(inside.contains(box), qPrintable(QStringLiteral("%1: %2 to %3 of %4")
                                                          .arg(note.x)
                                                          .arg(box.left())
                                                          .arg(box.right())
                                                          .arg(inside.right())));
        }
        ChartNotes::instance().replace(written, {});
    }

    /// A scale that was chosen before there were points is used from the first of them on.
    void scaleIsKeptForPointsToCome()
    {
        ChartData empty = lineChart();
        for (ChartSeries& series : empty.series) {
            series.x.clear();
            series.y.clear();
        }
        m_widget->setLogX(true);
        QVERIFY(m_widget->isLogX());
        m_widget->setChart(empty);
        m_widget->appendPoints(0, {1, 2, 3}, {1, 2, 3});
        QVERIFY(m_widget->isLogX());
        m_widget->setLogX(false);
    }

    /// Between two whole epochs the axis has fractions.
    void labelsBetweenWholeNumbers()
    {
        WholeNumberTicker ticker;
        const auto labels = [&ticker](double from, double to) {
            QVector<double> ticks;
            QVector<QString> texts;
            ticker.generate(QCPRange(from, to), QLocale::c(), u'f', 1, ticks, nullptr, &texts);
            int inside = 0;
            for (const double tick : std::as_const(ticks))
                inside += tick >= from && tick <= to ? 1 : 0;
            return inside;
        };
        QVERIFY(labels(3.2, 3.8) >= 2);
        QCOMPARE(labels(3.2, 4.8), 1);
    }

    void ticksOfSmallSharesDiffer()
    {
        PercentTicker ticker;
        const auto labels = [&ticker](double to) {
            QVector<double> ticks;
            QVector<QString> texts;
            ticker.generate(QCPRange(0, to), QLocale::c(), u'f', 1, ticks, nullptr, &texts);
            return QStringList(texts);
        };
        QVERIFY(labels(1).contains(QStringLiteral("20 %")));
        QVERIFY(labels(0.0009).contains(QStringLiteral("0.02 %")));
        for (const double to : {1.0, 0.05, 0.004, 0.0009, 0.00002}) {
            QStringList apart = labels(to);
            QVERIFY2(apart.removeDuplicates() == 0, qPrintable(labels(to).join(u' ')));
        }
    }

    /// Where the axes have no room left, the chart says so instead of standing on its head.
    void lowWidgetHasNoAxes()
    {
        const QLabel* hint = m_widget->findChild<QLabel*>();
        const auto* plot = static_cast<ChartPlot*>(m_plot);
        for (int height = 400; height > 10; height -= 7) {
            m_widget->resize(640, height);
            m_widget->replotNow();
            QCoreApplication::processEvents();
            QCOMPARE(hint->isVisible(), !m_plot->isVisible());
            QVERIFY2(!m_plot->isVisible() || plot->axisRect()->height() >= 16,
                     qPrintable(QString::number(height)));
        }
        QVERIFY(hint->isVisible());
        QVERIFY(hint->text().contains(QLatin1String("too little room")));
        m_widget->resize(640, 400);
        m_widget->replotNow();
        QVERIFY(m_plot->isVisible());
    }

    void pinsAreEdits()
    {
        QUndoStack edits;
        m_widget->setUndoStack(&edits);
        QTest::keyClick(m_widget.get(), Qt::Key_Right);
        QTest::keyClick(m_widget.get(), Qt::Key_Space);
        QTest::keyClick(m_widget.get(), Qt::Key_Right);
        QTest::keyClick(m_widget.get(), Qt::Key_Space);
        QCOMPARE(m_widget->pinCount(), 2);
        edits.undo();
        QCOMPARE(m_widget->pinCount(), 1);
        edits.redo();
        QTest::keyClick(m_widget.get(), Qt::Key_Escape);
        QCOMPARE(m_widget->pinCount(), 0);
        edits.undo(); // both at once
        QCOMPARE(m_widget->pinCount(), 2);
    }

    /// A note is its study's: elsewhere there is none, on another page that shows it there is.
    void notesBelongToWhatAChartIsAbout()
    {
        const QString mine = QStringLiteral("/library/mine");
        m_widget->setSubject(mine);
        QTest::keyClick(m_widget.get(), Qt::Key_Right);
        QTest::keyClick(m_widget.get(), Qt::Key_N);
        auto* dialog = m_widget->findChild<QInputDialog*>();
        QVERIFY(dialog);
        dialog->setTextValue(QStringLiteral("of mine"));
        dialog->accept();
        ChartWidget other;
        other.setSubject(mine);
        other.setChart(lineChart());
        QCOMPARE(other.notes(), m_widget->notes());
        other.setSubject(QStringLiteral("/library/other"));
        QVERIFY(other.notes().isEmpty());
        ChartData overTime = lineChart();
        overTime.xColumn = QStringLiteral("seconds");
        m_widget->setChart(overTime);
        QVERIFY(m_widget->notes().isEmpty());
        m_widget->setChart(lineChart());
        QCOMPARE(m_widget->notes().size(), 1);
        QVERIFY(AppSettings::instance().chartNotes().contains("of mine"));
        // The picture has it too.
        ExportOptions plain, noted;
        noted.notes = m_widget->notes();
        QVERIFY(chartImage(lineChart(), plain) != chartImage(lineChart(), noted));
        ChartNotes::instance().replace(m_widget->notes(), {});
        QVERIFY(!AppSettings::instance().chartNotes().contains("of mine"));
    }

    void legendIsDragged()
    {
        QUndoStack edits;
        m_widget->setUndoStack(&edits);
        QVERIFY(!m_widget->legendPlace());
        const QPoint from(30, 12), to(m_plot->width() / 2, m_plot->height() / 2);
        QTest::mousePress(m_plot, Qt::LeftButton, {}, from);
        for (int part = 1; part <= 8; ++part)
            QTest::mouseMove(m_plot, from + (to - from) * part / 8);
        QTest::mouseRelease(m_plot, Qt::LeftButton, {}, to);
        m_widget->replotNow();
        const auto place = m_widget->legendPlace();
        QVERIFY(place);
        QVERIFY2(qAbs(place->x() - 0.45) < 0.15 && qAbs(place->y() - 0.45) < 0.15,
                 qPrintable(QStringLiteral("%1 %2").arg(place->x()).arg(place->y())));
        QVERIFY(m_widget->hiddenSeries().isEmpty()); // that is what a click does
        QCOMPARE(edits.count(), 1);
        edits.undo();
        QVERIFY(!m_widget->legendPlace());
        edits.redo();
        QCOMPARE(m_widget->legendPlace(), place);
        m_widget->setChart(lineChart());
        m_widget->replotNow();
        QCOMPARE(m_widget->legendPlace(), place);
        // A corner is one wherever the chart's edge is.
        m_widget->setLegendPlace(QPointF(1, 1));
        QTRY_COMPARE_WITH_TIMEOUT(m_widget->cutTexts(), QStringList(), kHangMs);
        m_widget->setLegendPlace(std::nullopt);
        QTRY_COMPARE_WITH_TIMEOUT(m_widget->cutTexts(), QStringList(), kHangMs);
    }

    void panelOffersItAll()
    {
        ChartPanel panel(QStringLiteral("Line"));
        ChartData chart = lineChart();
        chart.marks << QStringLiteral("disturbed: series 1");
        panel.setChart(chart);
        panel.show();
        const auto* notes = panel.findChild<QLabel*>(QStringLiteral("chartNotes"));
        QVERIFY(!notes->isHidden());
        QCOMPARE(notes->accessibleName(), chart.marks.first());
        QVERIFY(chart.description().contains(chart.marks.first()));
        auto* logY = panel.findChild<QAction*>(QStringLiteral("logY"));
        QVERIFY(logY);
        logY->trigger();
        QVERIFY(panel.chartWidget()->isLogY());
    }

private:
    std::unique_ptr<ChartWidget> m_widget;
    QWidget* m_plot = nullptr;
};

SB_WATCHED_TEST_MAIN(ChartViewTest)
#include "chart_view_test.moc"
#include "support/campaign.h"
