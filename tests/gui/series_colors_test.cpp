// SPDX-License-Identifier: GPL-3.0-or-later
// Colours that a person gives to runs and machines: in every chart, kept, taken back.
#include "gui/gui_fixture.h"

#include "charts/chart_panel.h"
#include "charts/chart_plot.h"
#include "charts/chart_widget.h"
#include "charts/series_colors.h"

#include "figures/compare_charts.h"
#include "figures/run_charts.h"
#include "settings/app_settings.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QUndoStack>

using namespace scalebench;
using namespace scalebench::test;

namespace {

const QColor kOwn(200, 10, 90), kMachine(1, 120, 60);

/// As the launcher names runs: by seed and repeat at the end.
Study namedStudy(const QList<int>& workers, int repeats, const QString& machine)
{
    Study study = inventedStudy(workers, repeats);
    for (RunRecord& run : study.runs) {
        run.config.study = study.id;
        run.config.runId =
            QStringLiteral("w%1-s%2-r%2").arg(run.config.workers).arg(run.config.repeat);
        run.config.json.insert(QStringLiteral("machine"), machine);
    }
    return study;
}

/// As WCAG 2 counts it: 1 to 21.
double contrast(const QColor& a, const QColor& b)
{
    const auto light = [](const QColor& color) {
        const auto part = [](double c) {
            return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        };
        return 0.05 + 0.2126 * part(color.redF()) + 0.7152 * part(color.greenF()) +
               0.0722 * part(color.blueF());
    };
    return std::max(light(a), light(b)) / std::min(light(a), light(b));
}

} // namespace

class SeriesColorsTest : public QObject
{
    Q_OBJECT

    /// The colour that the chart draws a line in.
    static QColor drawn(const ChartData& chart, int series)
    {
        return SeriesColors::instance().colorOf(chart, series, Theme::day());
    }

private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    /// Lines are seen and words are read by people who see less well.
    void contrastIsEnough()
    {
        for (const Theme* theme : {&Theme::day(), &Theme::night()}) {
            for (const QColor& color : theme->series)
                QVERIFY2(contrast(color, theme->surface) >= 3, qPrintable(color.name()));
            for (const auto& [text, ground] : {std::pair(theme->good, theme->goodSoft),
                                               {theme->warn, theme->warnSoft},
                                               {theme->bad, theme->badSoft},
                                               {theme->accent, theme->accentSoft}})
                QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(text.name()));
            // Frames of fields and boxes tell where one can type and tick.
            for (const QColor& ground : {theme->window, theme->surface, theme->surfaceAlt})
                QVERIFY2(contrast(theme->borderStrong, ground) >= 3, qPrintable(ground.name()));
        }
    }

    /// The repeats of a setting are one subject, whichever of them a chart shows.
    void repeatsShareTheirSubject()
    {
        const Study study = namedStudy({1, 2}, 2, QStringLiteral("here"));
        const QStringList all = runSubjects(study.runs);
        QCOMPARE(all.size(), 4);
        QCOMPARE(all[0], all[2]);
        QCOMPARE(all[1], all[3]);
        QVERIFY(all[0] != all[1]);
        QCOMPARE(runSubjects({study.runs[3]}), QStringList{all[1]});
        Study other = study;
        for (RunRecord& run : other.runs)
            run.config.study = QStringLiteral("another");
        QVERIFY(runSubjects(other.runs)[0] != all[0]);
    }

    void oneColourInEveryChart()
    {
        const Study study = namedStudy({1, 2}, 2, QStringLiteral("here"));
        const QString subject = runSubjects(study.runs)[1];
        const ChartData quality = accuracyChart(study, RunAxis::Epoch);
        const ChartData speed = throughputChart(study, RunAxis::Epoch);
        const QColor usual = drawn(quality, 1);
        SeriesColors::instance().choose(subject, kOwn.name());
        for (const ChartData& chart : {quality, speed, withBands(quality)}) {
            for (int i = 0; i < chart.series.size(); ++i) {
                const bool ours = chart.series[i].slot == 1;
                QCOMPARE(drawn(chart, i) == kOwn, ours);
            }
        }
        // Alone, and compared with something else.
        QCOMPARE(
            drawn(accuracyChart(withRuns(study, {study.runs[3].config.runId}), RunAxis::Epoch), 0),
            kOwn);
        const QList<ComparedGroup> groups{{{QStringLiteral("a"), {study.runs[0]}}, 0},
                                          {{QStringLiteral("b"), {study.runs[1]}}, 1}};
        const ChartData compared = comparedQualityChart(groups, RunAxis::Epoch);
        QCOMPARE(drawn(compared, 1), kOwn);
        QVERIFY(drawn(compared, 0) != kOwn);
        SeriesColors::instance().choose(subject, {});
        QCOMPARE(drawn(quality, 1), usual);
    }

    /// White on white would be no line at all; what can be seen stays as it was chosen.
    void everyColourIsSeen()
    {
        const Study study = namedStudy({1}, 1, QStringLiteral("here"));
        const ChartData chart = accuracyChart(study, RunAxis::Epoch);
        const QString subject = runSubjects(study.runs)[0];
        for (const Theme* theme : {&Theme::day(), &Theme::night(), &Theme::contrast()}) {
            for (const QColor& chosen : {QColor(Qt::white), theme->surface, theme->surfaceAlt,
                                         QColor(Qt::black), QColor(Qt::yellow)}) {
                SeriesColors::instance().choose(subject, chosen.name());
                const QColor seen = SeriesColors::instance().colorOf(chart, 0, *theme);
                QVERIFY2(contrast(seen, theme->surface) >= 1.5, qPrintable(chosen.name()));
                QCOMPARE(seen == chosen, contrast(chosen, theme->surface) >= 1.5);
            }
        }
        SeriesColors::instance().choose(subject, {});
    }

    /// Where it has one line; several in one colour could not be told apart.
    void aMachinesColour()
    {
        const QString here = QStringLiteral("here");
        SeriesColors::instance().choose(SeriesColors::machineSubject(here), kMachine.name());
        const Study one = namedStudy({2}, 2, here), two = namedStudy({1, 2}, 1, here);
        const ChartData alone = accuracyChart(one, RunAxis::Epoch);
        QCOMPARE(drawn(alone, 0), kMachine);
        QCOMPARE(drawn(alone, 1), kMachine);
        const ChartData both = accuracyChart(two, RunAxis::Epoch);
        QVERIFY(drawn(both, 0) != kMachine);
        QVERIFY(drawn(both, 1) != kMachine);
        Study there = namedStudy({2}, 1, QStringLiteral("there"));
        const QList<ComparedGroup> groups{{{here, two.runs}, 0},
                                          {{QStringLiteral("x"), there.runs}, 1}};
        const ChartData compared = comparedQualityChart(groups, RunAxis::Epoch);
        QCOMPARE(drawn(compared, 0), kMachine);
        QVERIFY(drawn(compared, static_cast<int>(compared.series.size()) - 1) != kMachine);
        // A run's own colour comes before its machine's.
        SeriesColors::instance().choose(runSubjects(one.runs)[0], kOwn.name());
        QCOMPARE(drawn(alone, 0), kOwn);
        SeriesColors::instance().choose(runSubjects(one.runs)[0], {});
        SeriesColors::instance().choose(SeriesColors::machineSubject(here), {});
    }

    /// The plot lies over the chart and keeps what the mouse does.
    void theMouseOpensTheMenuToo()
    {
        ChartWidget widget;
        widget.resize(500, 300);
        widget.setChart(
            accuracyChart(namedStudy({1, 2}, 1, QStringLiteral("here")), RunAxis::Epoch));
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        auto* plot = widget.findChild<QCustomPlot*>();
        QContextMenuEvent event(QContextMenuEvent::Mouse, plot->rect().center(),
                                plot->mapToGlobal(plot->rect().center()));
        QCoreApplication::sendEvent(plot, &event);
        QVERIFY(!widget.findChildren<QMenu*>().isEmpty());
    }

    /// And offers what the panel does with the whole chart.
    void theMenuCopiesAndExports()
    {
        ChartPanel panel(QStringLiteral("x"));
        panel.resize(500, 300);
        panel.setChart(
            accuracyChart(namedStudy({1, 2}, 1, QStringLiteral("here")), RunAxis::Epoch));
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QContextMenuEvent event(QContextMenuEvent::Mouse, {50, 50},
                                panel.chartWidget()->mapToGlobal(QPoint(50, 50)));
        QCoreApplication::sendEvent(panel.chartWidget(), &event);
        QStringList texts;
        QAction* copy = nullptr;
        for (QMenu* menu : panel.chartWidget()->findChildren<QMenu*>(Qt::FindDirectChildrenOnly)) {
            for (QAction* action : menu->actions()) {
                texts << action->text().remove(u'&');
                if (texts.last() == QStringLiteral("Copy data"))
                    copy = action;
            }
            menu->close();
        }
        QVERIFY2(texts.contains(QStringLiteral("Export picture or data…")) &&
                     texts.contains(QStringLiteral("Copy picture")),
                 qPrintable(texts.join(u'|')));
        QVERIFY(copy);
        copy->trigger(); // though nobody has looked at the table yet
        QCOMPARE(QApplication::clipboard()->text().count(u'\n'),
                 panel.chart().series[0].x.size() + panel.chart().series[1].x.size() + 1);
    }

    /// By the menu of the chart; drawn, kept, taken back.
    void chosenInTheChart()
    {
        ChartWidget widget;
        QUndoStack undo;
        widget.setUndoStack(&undo);
        widget.resize(500, 300);
        const Study study = namedStudy({1, 2}, 1, QStringLiteral("here"));
        const ChartData chart = accuracyChart(study, RunAxis::Epoch);
        widget.setChart(chart);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        widget.setFocus();
        QTest::keyClick(&widget, Qt::Key_Right); // the cursor is on the first line
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {10, 10},
                                widget.mapToGlobal(QPoint(10, 10)));
        QCoreApplication::sendEvent(&widget, &event);
        QMenu* colors = nullptr;
        for (QMenu* menu : widget.findChildren<QMenu*>())
            if (menu->title().contains(QStringLiteral("1 worker")))
                colors = menu;
        QVERIFY(colors);
        const auto actions = colors->actions();
        QVERIFY(actions.first()->isChecked()); // as usual
        QAction* third = nullptr;
        for (QAction* action : actions)
            if (action->text().remove(u'&') == QStringLiteral("Colour 3"))
                third = action;
        QVERIFY(third);
        third->trigger();
        const QColor wanted = ThemeManager::instance().theme().seriesColor(2);
        const QString subject = SeriesColors::subjectOf(chart, 0);
        QCOMPARE(SeriesColors::instance().of(subject, Theme::day()), wanted);
        widget.replotNow();
        const auto* plot = static_cast<ChartPlot*>(widget.findChild<QCustomPlot*>());
        QCOMPARE(plot->graph(0)->pen().color(), wanted);
        const auto kept = QJsonDocument::fromJson(AppSettings::instance().subjectColors()).object();
        QCOMPARE(kept.value(subject).toString(), SeriesColors::slotChoice(2));
        // Each theme has it in its own shade.
        QCOMPARE(SeriesColors::instance().of(subject, Theme::night()),
                 Theme::night().seriesColor(2));
        QVERIFY(undo.undoText().contains(QStringLiteral("1 worker")));
        undo.undo();
        QVERIFY(SeriesColors::instance().choice(subject).isEmpty());
        widget.replotNow();
        QCOMPARE(plot->graph(0)->pen().color(), ThemeManager::instance().theme().seriesColor(0));
        undo.redo();
        QCOMPARE(SeriesColors::instance().of(subject, Theme::day()), wanted);
        undo.undo();
        QVERIFY(AppSettings::instance().subjectColors().isEmpty());
        for (QMenu* menu : widget.findChildren<QMenu*>())
            menu->close();
    }
};

SB_WATCHED_TEST_MAIN(SeriesColorsTest)
#include "series_colors_test.moc"
