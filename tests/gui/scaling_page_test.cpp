// SPDX-License-Identifier: GPL-3.0-or-later
// The Scaling page: published figures, and what of a study is chosen to be seen.
#include "gui/gui_fixture.h"
#include "gui/window_fixture.h"
#include "support/launcher_fixture.h"

#include "app/main_window.h"
#include "charts/chart_export.h"
#include "charts/chart_panel.h"
#include "import/published_studies.h"
#include "pages/scaling/scaling_page.h"
#include "session/page_ids.h"
#include "session/session.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include <cmath>

using namespace scalebench;
using namespace scalebench::test;

class ScalingPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    /// Published figures at first start, beside own results, exported with their notice.
    void publishedResults()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("scaling")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        ScalingPage* page = window.page<ScalingPage>();
        for (const imports::PublishedFigure& figure : imports::publishedStudies()) {
            page->showPublished(figure.id);
            const ChartData& chart = page->currentChart()->chart();
            QVERIFY2(!chart.isEmpty(), qPrintable(figure.id));
            QVERIFY(exportCaption(chart).contains(imports::publishedNotice()));
        }
        page->showPublished(QStringLiteral("nodes"));
        const auto series = page->currentChart()->chart().series.size();
        page->setReference(QStringLiteral("nodes")); // beside itself: nothing
        QCOMPARE(page->currentChart()->chart().series.size(), series);
        page->setReference(QStringLiteral("dgx1"));
        QCOMPARE(page->currentChart()->chart().series.size(), series + 1); // resnet's
        const QTemporaryDir out;
        QSignalSpy exported(&window, &MainWindow::exported);
        window.exportAllTo(out.path());
        QTRY_VERIFY_WITH_TIMEOUT(!exported.isEmpty(), kHangMs);
        QFile notice(out.filePath(QStringLiteral("notice.txt")));
        QVERIFY(notice.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(notice.readAll()).trimmed(), imports::publishedNotice());
    }

    /// What the speedup is of, and against what, is a choice; charts and table follow it.
    void whatIsChosenIsShown()
    {
        TemporaryLibrary library;
        Session session({library.folder.path(), true});
        ScalingPage page(&session);
        QCOMPARE(page.study().runs.size(), 0);
        page.showLoaded(inventedStudy({1, 2, 4}));
        const auto last = [&page] {
            const ChartData& chart = page.currentChart()->chart();
            return chart.series.isEmpty() ? 0.0 : chart.series.first().y.last();
        };
        const auto choose = [&page](const char* name, int row) {
            auto* list = page.findChild<QComboBox*>(QString::fromLatin1(name));
            list->setCurrentIndex(row);
            Q_EMIT list->activated(row);
        };
        // The invented runs' epochs take workers^-0.9 of one worker's, and all need six.
        QVERIFY(std::abs(last() - std::pow(4, 0.9)) < 1e-9);
        auto* baseline = page.findChild<QComboBox*>(QStringLiteral("baseline"));
        int two = -1;
        for (int row = 0; row < baseline->count(); ++row)
            if (baseline->itemText(row).contains(u'2'))
                two = row;
        QVERIFY(two > 0);
        choose("baseline", two);
        QVERIFY(std::abs(last() - std::pow(2, 0.9)) < 1e-9);
        choose("baseline", 0);
        choose("speedupOf", 2); // samples/s scale alike
        QVERIFY(std::abs(last() - std::pow(4, 0.9)) < 1e-9);
        Study slower = inventedStudy({1, 2, 4});
        for (RunRecord& run : slower.runs)
            if (run.config.workers == 4)
                run.throughput = slower.runs.first().throughput;
        page.showLoaded(slower);
        QCOMPARE(last(), 1.0);
        choose("speedupOf", 0);
        QVERIFY(std::abs(last() - std::pow(4, 0.9)) < 1e-9);
    }

    /// Where there is no room for all counts, the largest are told of.
    void theLargestCountHasItsSentence()
    {
        TemporaryLibrary library;
        Session session({library.folder.path(), true});
        ScalingPage page(&session);
        page.showLoaded(inventedStudy({1, 2, 3, 4, 8}));
        const auto* sentences = page.findChild<QLabel*>(QStringLiteral("speedupSentences"));
        const QStringList lines = sentences->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines.last().contains(QLatin1String("with 8 workers")), qPrintable(lines.last()));
    }

    /// Without any study it says what it needs, and leads to the plan and to published results.
    void emptyLeadsOn()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("scaling")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        ScalingPage* page = window.page<ScalingPage>();
        const auto press = [page](const char* text) {
            for (QPushButton* button : page->findChildren<QPushButton*>())
                if (button->isVisible() && button->text() == QLatin1String(text))
                    return button->click();
            QFAIL(text);
        };
        press("&Plan a study");
        QCOMPARE(window.page(), page_id::kPlan);
        window.showPage(page_id::kScaling);
        press("See &published results");
        QVERIFY(!page->currentChart()->chart().isEmpty());
    }

private:
};

SB_WATCHED_TEST_MAIN(ScalingPageTest)
#include "scaling_page_test.moc"
