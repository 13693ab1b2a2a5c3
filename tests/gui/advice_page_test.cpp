// SPDX-License-Identifier: GPL-3.0-or-later
// The Advice page by clicks in the window, over runs whose times are invented, and its charts.
#include "gui/geometry.h"
#include "gui/gui_fixture.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include "analysis/advice_study.h"
#include "app/main_window.h"
#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "figures/advice_charts.h"
#include "figures/chart_csv.h"
#include "pages/advice/advice_page.h"
#include "pages/plan/plan_page.h"
#include "pages/scaling/scaling_page.h"
#include "pages/study_choice.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "settings/app_settings.h"
#include "settings/language.h"
#include "settings/theme_manager.h"
#include "widgets/inline_bar.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

using namespace scalebench;
using namespace scalebench::test;

namespace {

/// Runs that obey the step model: seconds = 6 epochs x (a + b / workers + c log2 workers).
Study modelStudy(const QList<int>& workers, int repeats)
{
    Study study = inventedStudy(workers, repeats);
    for (RunRecord& run : study.runs) {
        const double seconds =
            6 * (1 + 30.0 / run.config.workers + 0.5 * std::log2(run.config.workers)) *
            (1 + 0.01 * run.config.repeat);
        run.runStopMs = run.runStartMs + seconds * 1000;
    }
    return study;
}

Advice adviceOf(const Study& study, const AdviceQuestion& question = {})
{
    return advise(study.runs, adviceGroups(study.runs).value(0), question);
}

QString textOf(const QWidget& page, const char* name)
{
    const auto* label = page.findChild<QLabel*>(QString::fromLatin1(name));
    return label ? label->text() : QString();
}

} // namespace

class AdvicePageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void copiesAreBars()
    {
        const Study study = modelStudy({1, 2, 4}, 2);
        const ChartData chart = copiesChart(study, adviceOf(study));
        QCOMPARE(chart.categories, (QStringList{QStringLiteral("4 × 1"), QStringLiteral("2 × 2"),
                                                QStringLiteral("1 × 4")}));
        const double one = 6 * 31 * 1.015; // of two repeats
        QVERIFY(std::abs(chart.series[0].y[0] - 4 * 86400 / one) < 1e-6);
        QVERIFY(chart.marks.join(u' ').contains(QStringLiteral("not measured together")));
        // One count: said, not drawn.
        const Study single = modelStudy({2}, 2);
        QVERIFY(copiesChart(single, adviceOf(single)).isEmpty());
    }

    void predictionIsHatchedWhereLittleIsKnown()
    {
        const Study study = modelStudy({1, 2, 4, 8}, 2);
        const Advice advice = adviceOf(study);
        const ChartData chart = predictionChart(study, advice);
        QCOMPARE(chart.series.size(), 3);
        QCOMPARE(chart.series[0].x, (QVector<double>{1, 2, 4, 8}));
        QCOMPARE(chart.series[0].n, (QVector<int>{2, 2, 2, 2}));
        QCOMPARE(chart.series[1].x, (QVector<double>{1, 2, 4, 8, 16, 32}));
        QCOMPARE(chart.xTicks, chart.series[1].x);
        QVERIFY(chart.hatchFrom);
        QCOMPARE(*chart.hatchFrom, 16.0);
        for (qsizetype i = 0; i < chart.series[1].y.size(); ++i) {
            QVERIFY(chart.series[1].yLow[i] <= chart.series[2].yLow[i]);
            QVERIFY(chart.series[2].yHigh[i] <= chart.series[1].yHigh[i]);
        }
        QVERIFY(std::abs(chart.series[1].y[4] - 6 * 1.015 * (1 + 30.0 / 16 + 2)) < 0.01);
        QVERIFY(chart.series[1].legend.contains(QStringLiteral("error")));
        // A file of it is hatched, too.
        const Result<ChartData> again = chartOfCsv(chart.csv(), QStringLiteral("a.csv"));
        QVERIFY(again);
        QCOMPARE(again.value().hatchFrom, chart.hatchFrom);
        // Two counts: what was measured, and why no more.
        const Study two = modelStudy({1, 2}, 2);
        const ChartData measured = predictionChart(two, adviceOf(two));
        QCOMPARE(measured.series.size(), 1);
        QVERIFY(!measured.hatchFrom);
        QVERIFY(measured.remarks.join(u' ').contains(QStringLiteral("three numbers of workers")));
        QVERIFY(predictionChart({}, {}).isEmpty());
    }

    void nextExperimentAsAPlan()
    {
        Study study = modelStudy({1, 2}, 1);
        study.spec.repeats = 1;
        study.spec.precisions = {QStringLiteral("fp32"), QStringLiteral("bf16")};
        study.spec.shapes = {{1, 1}, {1, 2}};
        study.spec.batchTable = {{1, 64}, {4, 256}};
        Advice advice = adviceOf(study);
        auto plan = experimentPlan(study, advice);
        QVERIFY(plan);
        QCOMPARE(plan->workers, (QList<int>{1, 2}));
        QCOMPARE(plan->repeats, 3);
        QCOMPARE(plan->precisions, QStringList{QStringLiteral("fp32")});
        QVERIFY(plan->shapes.isEmpty());
        QCOMPARE(plan->batchTable.value(2), 64); // the nearest, the smaller of two
        QVERIFY(plan->name.contains(QStringLiteral("Invented study")));
        advice.next.reset();
        QVERIFY(!experimentPlan(study, advice));
    }

    /// Of a study of several workloads only the one that the advice is about is planned.
    void onlyTheWorkloadConcerned()
    {
        Study study = modelStudy({1, 2}, 1);
        study.spec.workloads = {
            {.workload = QStringLiteral("ncf"), .scale = QStringLiteral("desk")},
            {.workload = QStringLiteral("resnet"), .scale = QStringLiteral("desk")}};
        const auto plan = experimentPlan(study, adviceOf(study));
        QVERIFY(plan);
        QCOMPARE(plan->workloadIds(), QStringList{QStringLiteral("resnet")});
    }

    void honestWhileEmpty()
    {
        TemporaryLibrary library;
        CommandLine line;
        line.libraryDir = library.folder.path();
        line.page = page_id::kAdvice;
        line.size = QSize(1024, 700);
        MainWindow window(line);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        auto* page = window.page<AdvicePage>();
        QVERIFY(page->advice().isEmpty());
        QPushButton* example = nullptr;
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == QStringLiteral("See an e&xample"))
                example = button;
        QVERIFY(example);
        QCOMPARE(Geometry(window).faults(), QStringList());
        example->click();
        QCOMPARE(window.page(), page_id::kAdvice);
        QVERIFY(!page->advice().isEmpty());
        // Recommendation on a DGX-1: the article's own advice.
        auto* series = page->findChild<QComboBox*>(QStringLiteral("adviceSeries"));
        series->setCurrentIndex(series->findText(QStringLiteral("ncf")));
        Q_EMIT series->activated(series->currentIndex());
        QVERIFY(
            textOf(*page, "adviceCopies").contains(QStringLiteral("8 copies on 1 worker each")));
        QVERIFY(!page->findChild<QPushButton*>(QStringLiteral("adviceToPlan"))->isVisible());
        QVERIFY(!page->bar()->text().isEmpty()); // "Result not verified", as everywhere
    }

    void whatIsAskedChangesTheAdvice()
    {
        MainWindow window(emptyLine());
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        auto* page = window.page<AdvicePage>();
        page->showLoaded(modelStudy({1, 2, 4, 8}, 2));
        QVERIFY(page->advice().isEmpty()); // nobody looks at it
        window.showPage(page_id::kAdvice);
        QVERIFY(textOf(*page, "adviceSentence").startsWith(QStringLiteral("Use 8 workers")));
        // The library comes after it, and does not choose another one.
        page->setStudies({});
        QVERIFY(page->findChild<StudyChoice*>()->currentText().startsWith(
            QStringLiteral("Invented study")));
        QVERIFY(page->currentChart()->chart().hatchFrom);
        auto* deadline = page->findChild<QDoubleSpinBox*>(QStringLiteral("adviceDeadline"));
        deadline->setValue(2); // minutes: 2 workers take 100 s, and cost less than 4
        QVERIFY(textOf(*page, "adviceSentence")
                    .startsWith(QStringLiteral("To be done in 2 min 0 s, use 2 workers")));
        deadline->setValue(0);
        auto* resolve = page->findChild<QSpinBox*>(QStringLiteral("adviceResolve"));
        resolve->setValue(1);
        QVERIFY(textOf(*page, "adviceDoubts").contains(QStringLiteral("a difference of 1.0 %")));
    }

    void theNextExperimentIsPlannedAndUndone()
    {
        MainWindow window(emptyLine());
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        auto* plan = window.page<PlanPage>();
        const StudySpec before = plan->spec();
        auto* page = window.page<AdvicePage>();
        window.showPage(page_id::kAdvice);
        page->showLoaded(modelStudy({1, 2}, 1));
        QVERIFY(textOf(*page, "adviceNext")
                    .contains(QStringLiteral("Run 1 and 2 workers, repeats: 3")));
        page->findChild<QPushButton*>(QStringLiteral("adviceToPlan"))->click();
        QCOMPARE(window.page(), page_id::kPlan);
        QCOMPARE(plan->spec().repeats, 3);
        QCOMPARE(plan->spec().workers, (QList<int>{1, 2}));
        QVERIFY(!plan->bar()->text().isEmpty());
        plan->undo();
        QCOMPARE(plan->spec(), before);
    }

    /// The same study is chosen on the pages that show one, and stays in another language.
    void studyAndLanguage()
    {
        MainWindow window(emptyLine());
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.session()->showPublished();
        QCOMPARE(window.page<ScalingPage>()->study().id, window.page<AdvicePage>()->study().id);
        QCOMPARE(window.page<AdvicePage>()->findChild<StudyChoice*>()->currentText(),
                 window.page<ScalingPage>()->findChild<StudyChoice*>()->currentText());
        window.showPage(page_id::kAdvice);
        auto* series =
            window.page<AdvicePage>()->findChild<QComboBox*>(QStringLiteral("adviceSeries"));
        series->setCurrentIndex(series->findText(QStringLiteral("ncf")));
        Q_EMIT series->activated(series->currentIndex());
        const QString english = textOf(*window.page<AdvicePage>(), "adviceSentence");
        AppSettings::instance().setLanguage(QStringLiteral("de"));
        QTRY_VERIFY_WITH_TIMEOUT(
            window.page<AdvicePage>()->advice().workload == QStringLiteral("ncf") &&
                textOf(*window.page<AdvicePage>(), "adviceSentence") != english,
            kHangMs);
        AppSettings::instance().setLanguage(QStringLiteral("en"));
        QTRY_COMPARE_WITH_TIMEOUT(textOf(*window.page<AdvicePage>(), "adviceSentence"), english,
                                  kHangMs);
    }

    /// Nothing is cut off or lies over anything else, with all that the page can say.
    void everythingHasRoom_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QSize>("size");
        for (const QString& language : languages())
            for (const QSize& size : {QSize(1024, 700), QSize(2560, 1440)})
                QTest::addRow("%s %d", qPrintable(language), size.width()) << language << size;
    }
    void everythingHasRoom()
    {
        QFETCH(QString, language);
        QFETCH(QSize, size);
        applyLanguage(language);
        CommandLine line = emptyLine();
        line.size = size;
        MainWindow window(line);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.showPage(page_id::kAdvice);
        auto* page = window.page<AdvicePage>();
        Study table = modelStudy({1, 2, 4, 8}, 3);
        for (RunRecord& run : table.runs) {
            run.config.batchPolicy = QStringLiteral("table");
            run.config.globalBatch = run.config.workers > 4 ? 512 : 128;
            if (run.config.repeat == 3 && run.config.workers == 4)
                run.state = RunState::NotConverged;
        }
        for (const ThemeChoice theme :
             {ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::Contrast}) {
            ThemeManager::instance().apply(theme);
            for (const Study& study :
                 {table, modelStudy({1, 2}, 1), modelStudy({1, 2, 4, 8, 16}, 2)}) {
                page->showLoaded(study);
                QVERIFY(!page->advice().isEmpty());
                QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kHangMs);
                QTest::qWait(0);
                for (ChartWidget* chart : page->findChildren<ChartWidget*>())
                    chart->replotNow();
                keep(window, QStringLiteral("%1 %2 %3")
                                 .arg(QString::fromUtf8(QTest::currentDataTag()),
                                      themeChoiceName(theme), QString::number(study.runs.size())));
                const QStringList faults = Geometry(window).faults();
                QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'|')));
            }
        }
        ThemeManager::instance().apply(ThemeChoice::Light);
        applyLanguage(QStringLiteral("en"));
    }

private:
    /// To be looked at, as in the tour.
    static void keep(QWidget& window, QString name)
    {
        const QString folder = qEnvironmentVariable("SCALEBENCH_TOUR_PICTURES");
        if (!folder.isEmpty())
            QVERIFY(window.grab().save(
                QStringLiteral("%1/advice %2.png").arg(folder, name).replace(u' ', u'_')));
    }

    CommandLine emptyLine() const
    {
        CommandLine line;
        line.libraryDir = m_library.folder.path();
        line.size = QSize(1280, 900);
        return line;
    }
    TemporaryLibrary m_library;
};

QTEST_MAIN(AdvicePageTest)
#include "advice_page_test.moc"
