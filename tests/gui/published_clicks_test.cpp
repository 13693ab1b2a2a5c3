// SPDX-License-Identifier: GPL-3.0-or-later
// From the first start to the figures of the reference articles, by the mouse alone: the chart of
// times with its inset (figure 6), the table of speedups (table 7) and the others, in five clicks
// at most.
#include "gui/gui_fixture.h"
#include "gui/mouse.h"

#include "app/main_window.h"
#include "charts/chart_panel.h"
#include "import/published_studies.h"
#include "models/speedup_model.h"
#include "pages/scaling/scaling_page.h"
#include "session/page_ids.h"
#include "widgets/data_table.h"

#include <QPushButton>

using namespace scalebench;
using namespace scalebench::test;

class PublishedClicksTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<MainWindow> m_window;

    ChartPanel* panel(const char* id) const
    {
        for (ChartPanel* panel : m_window->page<ScalingPage>()->findChildren<ChartPanel*>())
            if (panel->isVisible() && panel->chart().id == QLatin1String(id))
                return panel;
        return nullptr;
    }
    void seeExample()
    {
        m_window->showPage(page_id::kScaling);
        for (QPushButton* button : m_window->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == QLatin1String("See &published results"))
                return click(button);
        QFAIL("there is no example");
    }
    /// Two clicks.
    void choose(const QString& figure)
    {
        for (QComboBox* box : m_window->page<ScalingPage>()->findChildren<QComboBox*>())
            if (box->isVisible() && box->accessibleName() == QLatin1String("Study"))
                return clickChoice(box, box->findData(QStringLiteral("published:") + figure));
        QFAIL("there is no list of studies");
    }

private Q_SLOTS:
    void initTestCase() { initGuiTest(); }
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>(); // nothing was ever started here
        CommandLine line;
        line.libraryDir = m_home->filePath(QStringLiteral("library"));
        line.page = page_id::kHome;
        line.size = QSize(1280, 800);
        m_window = std::make_unique<MainWindow>(line);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isLoaded(), kHangMs);
    }
    void cleanup() { m_window.reset(); }

    /// One click.
    void figureSixAndTableSeven()
    {
        seeExample();
        QCOMPARE(m_window->page(), QString(page_id::kScaling));
        // Six workloads on 1, 4 and 8 GPUs; those under two hours are also drawn larger.
        ChartPanel* times = panel("time_to_target");
        QVERIFY(times);
        QCOMPARE(times->chart().series.size(), 6);
        for (const ChartSeries& series : times->chart().series)
            QCOMPARE(series.x, (QVector<double>{1, 4, 8}));
        QVERIFY(times->chart().inset);
        QCOMPARE(times->chart().yColumn, QStringLiteral("time_to_train_min"));
        // Table 7, printed: speedup from 1 to 4 and to 8 GPUs. That of images on 4, printed as
        // 4.76, is not what the article's own times give.
        const QMap<QString, std::pair<double, double>> printed{
            {QStringLiteral("resnet"), {4.683, 9.70}},
            {QStringLiteral("maskrcnn"), {2.47, 6.066}},
            {QStringLiteral("ssd"), {3.66, 7.25}},
            {QStringLiteral("gnmt"), {3.24, 10.411}},
            {QStringLiteral("transformer"), {5.392, 15.778}},
            {QStringLiteral("ncf"), {1.76, 2.789}}};
        const auto* table = m_window->page<ScalingPage>()->findChild<SpeedupModel*>();
        QCOMPARE(table->rowCount({}), 18);
        int compared = 0;
        for (const SpeedupRow& row : table->rows()) {
            const auto cell = printed.find(row.group.section(u',', 0, 0));
            QVERIFY2(cell != printed.end(), qPrintable(row.group));
            if (row.workers == 1)
                continue;
            const double value = row.workers == 4 ? cell->first : cell->second;
            QVERIFY2(std::abs(row.speedup - value) < 0.005 * value, qPrintable(row.group));
            ++compared;
        }
        QCOMPARE(compared, 12);
        // The table is on the page, to be scrolled to and clicked.
        for (DataTable* view : m_window->page<ScalingPage>()->findChildren<DataTable*>())
            if (view->view()->accessibleName() == QLatin1String("Scaling table"))
                return click(view->view()->viewport());
        QFAIL("there is no table");
    }

    /// Three clicks each.
    void theOtherFigures()
    {
        seeExample();
        choose(QStringLiteral("time-to-train"));
        QTRY_VERIFY_WITH_TIMEOUT(panel("time_to_target") &&
                                     panel("time_to_target")->chart().xTicks.last() == 128,
                                 kHangMs);
        choose(QStringLiteral("nodes"));
        QTRY_VERIFY_WITH_TIMEOUT(panel("speedup") && panel("speedup")->chart().xTicks.last() == 32,
                                 kHangMs);
        QVERIFY(panel("speedup")->chart().idealLine);
        choose(QStringLiteral("scale-up-out"));
        QTRY_VERIFY_WITH_TIMEOUT(panel("published_scale_up_scale_out"), kHangMs);
        const ChartData gaps = panel("published_scale_up_scale_out")->chart();
        QCOMPARE(gaps.series[0].y, (QVector<double>{0.049, 0.085}));
        QVERIFY(gaps.notices.join(u' ').contains(QLatin1String("not verified by MLCommons")));
        QVERIFY(!panel("speedup")); // it has no times
        choose(QStringLiteral("dgx1"));
        QTRY_VERIFY_WITH_TIMEOUT(panel("speedup") && !panel("published_scale_up_scale_out"),
                                 kHangMs);
    }
};

QTEST_MAIN(PublishedClicksTest)
#include "published_clicks_test.moc"
#include "support/campaign.h"
