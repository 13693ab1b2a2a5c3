// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of runs side by side: the charts and the table from invented runs, the page by clicks in
// the window, over runs of the fake engine.
#include "gui/gui_fixture.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include "analysis/run_groups.h"
#include "app/main_window.h"
#include "charts/chart_panel.h"
#include "figures/compare_charts.h"
#include "models/compared_model.h"
#include "pages/compare/compare_page.h"
#include "pages/plan/plan_page.h"
#include "pages/results/results_page.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolButton>

using namespace scalebench;
using namespace scalebench::test;

namespace {

RunGroup groupWith(const QString& name, int workers, int repeats, const QString& study)
{
    RunGroup group{name, {}, {}};
    for (int r = 1; r <= repeats; ++r) {
        group.runs << inventedRun(workers, r);
        group.runs.last().runDir = QStringLiteral("/l/%1/runs/%2").arg(study).arg(r);
        group.runs.last().config.study = study;
    }
    return group;
}

QString sentences(const MainWindow& window)
{
    return window.findChild<QLabel*>(QStringLiteral("comparedSentences"))->text();
}

} // namespace

class ComparePageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        initGuiTest();
        useFakeEngine("ok", 4, 20);
    }

    /// Several studies: one group each. One study: its cells. One cell: its runs.
    void whichRunsBelongTogether()
    {
        const RunGroup a = groupWith({}, 1, 2, QStringLiteral("a"));
        const RunGroup a2 = groupWith({}, 2, 1, QStringLiteral("a"));
        const RunGroup b = groupWith({}, 2, 1, QStringLiteral("b"));
        const auto studies =
            groupsOf(a.runs + b.runs, {{QStringLiteral("/l/b"), QStringLiteral("mine")}});
        QCOMPARE(studies.size(), 2);
        QCOMPARE(studies[0].name, QStringLiteral("a"));
        QCOMPARE(studies[0].runs.size(), 2);
        QCOMPARE(studies[1].name, QStringLiteral("mine"));
        const auto cells = groupsOf(a.runs + a2.runs);
        QCOMPARE(cells.size(), 2);
        QCOMPARE(cells[0].name, QStringLiteral("1 worker"));
        QCOMPARE(cells[1].name, QStringLiteral("2 workers"));
        const auto runs = groupsOf(a.runs);
        QCOMPARE(runs.size(), 2);
        QCOMPARE(runs[1].name, QStringLiteral("invented-1-2"));
        QVERIFY(groupsOf({}).isEmpty());
    }

    /// The end of a long name tells it from its namesake.
    void namesakesStayApart()
    {
        const QString name =
            QStringLiteral("Does the batch pay on the new cluster of the east wing?");
        const QList<ComparedGroup> groups{
            {groupWith(name, 1, 1, QStringLiteral("a")), 0},
            {groupWith(name + QStringLiteral(" (2)"), 1, 1, QStringLiteral("b")), 1}};
        const ChartData legend = groupLegend(groups);
        QVERIFY(legend.series[1].name.endsWith(QStringLiteral(" (2)")));
        QVERIFY(legend.series[0].name.size() < 35 && legend.series[1].name.size() < 35);
        ComparedModel model;
        model.setComparison(compareGroups(plainGroups(groups)), plainGroups(groups));
        const int last = model.columnCount() - 1;
        const auto head = [&](int role) {
            return model.headerData(last, Qt::Horizontal, role).toString();
        };
        QCOMPARE(head(Qt::DisplayRole), legend.series[1].name);
        QCOMPARE(head(Qt::ToolTipRole), groups[1].group.name);
        QCOMPARE(shortName(QStringLiteral("resnet desk")), QStringLiteral("resnet desk"));
    }

    /// Every bar is the ratio of the means that these lines work out themselves.
    void ratiosAndColours()
    {
        const QList<ComparedGroup> groups{
            {groupWith(QStringLiteral("A"), 2, 3, QStringLiteral("a")), 4},
            {groupWith(QStringLiteral("B"), 2, 2, QStringLiteral("b")), 1}};
        const Comparison comparison = compareGroups(plainGroups(groups));
        const ChartData time = ratioChart(comparison, groups, ComparedQuantity::Time);
        const auto mean = [](const RunGroup& group) {
            double sum = 0;
            for (const RunRecord& run : group.runs)
                sum += (run.runStopMs - run.runStartMs) / 1000;
            return sum / double(group.runs.size());
        };
        QCOMPARE(time.series.size(), 1);
        QCOMPARE(time.series[0].slot, 1);
        QCOMPARE(time.series[0].name, QStringLiteral("B"));
        QCOMPARE(time.categories, QStringList{QStringLiteral("resnet\n2 workers")});
        QVERIFY(std::abs(time.series[0].y[0] - mean(groups[1].group) / mean(groups[0].group)) <
                1e-9);
        QVERIFY(time.series[0].yLow[0] < time.series[0].y[0]);
        QVERIFY(time.hasErrorBars());
        const ChartData speed = ratioChart(comparison, groups, ComparedQuantity::Throughput);
        QVERIFY(!speed.hasErrorBars());
        QVERIFY(speed.series[0].y[0] > 1 / time.series[0].y[0] * 0.99);
        // Curves: all of them, in their groups' colours, one legend entry for each group.
        const ChartData quality = comparedQualityChart(groups, RunAxis::Epoch);
        QCOMPARE(quality.series.size(), 5);
        // A baseline of another workload that has no evaluation hides nobody else's.
        QList<ComparedGroup> first = groups;
        for (RunRecord& run : first.first().group.runs) {
            run.config.workload = QStringLiteral("ncf");
            run.evals.clear();
        }
        QVERIFY(!comparedQualityChart(first, RunAxis::Epoch).isEmpty());
        QStringList legends;
        for (const ChartSeries& series : quality.series)
            if (series.legend != QLatin1String("-"))
                legends << series.legend;
        QCOMPARE(legends,
                 (QStringList{QStringLiteral("A (3 runs)"), QStringLiteral("B (2 runs)")}));
        QCOMPARE(quality.series[0].slot, 4);
        QCOMPARE(quality.series[4].slot, 1);
        QCOMPARE(quality.series[4].y.last(), 0.82);
        // Nothing on both sides: said, not drawn.
        RunGroup failed = groups[1].group;
        for (RunRecord& run : failed.runs)
            run.state = RunState::Failed;
        const QList<ComparedGroup> none{groups[0], {failed, 1}};
        const ChartData empty =
            ratioChart(compareGroups(plainGroups(none)), none, ComparedQuantity::Time);
        QVERIFY(empty.isEmpty());
        QVERIFY(!empty.emptyText.isEmpty());
    }

    void tableOfDifferences()
    {
        QList<RunGroup> groups{groupWith(QStringLiteral("A"), 2, 2, QStringLiteral("a")),
                               groupWith(QStringLiteral("B\x1b[2J"), 2, 2, QStringLiteral("b"))};
        for (RunRecord& run : groups[1].runs)
            run.config.precision = QStringLiteral("bf16");
        ComparedModel model;
        const QAbstractItemModelTester tester(&model);
        model.setComparison(compareGroups(groups), groups);
        QCOMPARE(model.columnCount(), 4);
        QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("A (baseline)"));
        QCOMPARE(model.headerData(3, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("B\\x1b[2J"));
        QStringList facts;
        for (int row = 0; row < model.rowCount(); ++row)
            facts << model.index(row, ComparedModel::Fact).data(Qt::ToolTipRole).toString();
        QVERIFY(facts.contains(QStringLiteral("precision")));
        QVERIFY(!facts.contains(QStringLiteral("workload")));
        const int differing = model.rowCount();
        model.setComparison(compareGroups(groups, Listed::All), groups);
        QVERIFY(model.rowCount() > differing);
    }

    void byClicks()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
            QSKIP("mpirun is not installed");
        TemporaryLibrary library;
        CommandLine line;
        line.libraryDir = library.folder.path();
        line.page = QStringLiteral("compare");
        line.size = QSize(1280, 800);
        MainWindow window(line);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        QCOMPARE(window.page(), page_id::kCompare);
        QCOMPARE(window.page<ComparePage>()->currentChart(), nullptr);
        trainTwo(window);
        // Selected on the Results page.
        window.showPage(page_id::kResults);
        QTableView* view = window.page<ResultsPage>()->table()->view();
        QTRY_COMPARE_WITH_TIMEOUT(view->model()->rowCount(), 2, kHangMs);
        auto* compare = window.findChild<QPushButton*>(QStringLiteral("compareRuns"));
        view->selectRow(0);
        QVERIFY(!compare->isEnabled());
        view->selectAll();
        QVERIFY(compare->isEnabled());
        compare->click();
        QCOMPARE(window.page(), page_id::kCompare);
        ComparePage* page = window.page<ComparePage>();
        QTRY_COMPARE_WITH_TIMEOUT(page->groups().size(), 2, kHangMs);
        const QString base = page->groups()[0].group.name, other = page->groups()[1].group.name;
        QVERIFY2(sentences(window).contains(other + QStringLiteral(" takes ")),
                 qPrintable(sentences(window)));
        QVERIFY(page->currentChart() && !page->currentChart()->chart().isEmpty());
        // Everything instead of what differs.
        const auto* table = page->findChild<ComparedModel*>();
        const int differing = table->rowCount();
        page->findChild<QCheckBox*>(QStringLiteral("onlyDiffering"))->click();
        QVERIFY(table->rowCount() > differing);
        // The other one as baseline, with the colours that they had.
        const int slot = page->groups()[1].slot;
        page->findChild<QToolButton*>(QStringLiteral("group:1"))->click();
        QCOMPARE(page->groups()[0].group.name, other);
        QCOMPARE(page->groups()[0].slot, slot);
        QVERIFY(sentences(window).contains(base + QStringLiteral(" takes ")));
        addsAndTakesAway(page);
    }

private:
    static void trainTwo(MainWindow& window)
    {
        StudySpec spec;
        spec.name = QStringLiteral("two");
        spec.oversubscribe = true;
        spec.target = 0.8; // what the fake engine reaches
        window.page<PlanPage>()->setSpec(spec);
        const QSignalSpy finished(window.live(), &LiveStudy::finished);
        window.page<PlanPage>()->start();
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        QCOMPARE(window.live()->study().runs.size(), 2);
    }

    static void addsAndTakesAway(ComparePage* page)
    {
        page->findChild<QToolButton*>(QStringLiteral("closeGroup:1"))->click();
        QCOMPARE(page->groups().size(), 1);
        QCOMPARE(page->currentChart(), nullptr);
        auto* add = page->findChild<QComboBox*>(QStringLiteral("addGroup"));
        QCOMPARE(add->count(), 1);
        QCOMPARE(add->currentIndex(), -1);
        const QString dir = add->itemData(0).toString();
        page->addStudy(dir);
        QTRY_COMPARE_WITH_TIMEOUT(page->groups().size(), 2, kHangMs);
        QCOMPARE(page->groups()[1].group.name, QStringLiteral("two"));
        // Once is enough, and what is not there is said.
        page->addStudy(dir);
        QTRY_VERIFY_WITH_TIMEOUT(!page->bar()->isHidden(), kHangMs);
        QCOMPARE(page->groups().size(), 2);
        page->addStudy(dir + QStringLiteral("/nothing"));
        page->compareRuns({dir + QStringLiteral("/runs/nothing")});
        QTRY_VERIFY_WITH_TIMEOUT(page->groups().isEmpty(), kHangMs);
        QVERIFY(!page->bar()->isHidden());
    }
};

SB_WATCHED_TEST_MAIN(ComparePageTest)
#include "compare_page_test.moc"
