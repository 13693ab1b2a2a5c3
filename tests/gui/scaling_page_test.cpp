// SPDX-License-Identifier: GPL-3.0-or-later
// The Scaling page: published figures, and what of a study is chosen to be seen.
#include "gui/gui_fixture.h"
#include "support/launcher_fixture.h"

#include "app/main_window.h"
#include "charts/chart_export.h"
#include "charts/chart_panel.h"
#include "import/published_studies.h"
#include "pages/scaling/scaling_page.h"

#include <QSignalSpy>

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

private:
    static CommandLine commandFor(const TemporaryLibrary& library, const QString& page = {})
    {
        CommandLine line;
        line.libraryDir = library.folder.path();
        line.page = page;
        line.size = QSize(1280, 800);
        return line;
    }
};

SB_WATCHED_TEST_MAIN(ScalingPageTest)
#include "scaling_page_test.moc"
