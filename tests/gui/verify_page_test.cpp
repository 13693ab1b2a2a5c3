// SPDX-License-Identifier: GPL-3.0-or-later
// The Verify page in the window, over invented and published runs: verdicts, chart, report.
#include "gui/geometry.h"
#include "gui/gui_fixture.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include "app/main_window.h"
#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "figures/verify_chart.h"
#include "models/verify_model.h"
#include "pages/study_choice.h"
#include "pages/verify/verify_page.h"
#include "report/verify_report.h"
#include "session/page_ids.h"
#include "settings/app_settings.h"
#include "settings/language.h"
#include "settings/theme_manager.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>

using namespace scalebench;
using namespace scalebench::test;

namespace {

/// Takes `factor` times as long; on 4 workers with another batch.
Study slowerStudy(double factor)
{
    Study study = inventedStudy({1, 2, 4}, 3);
    study.id = QStringLiteral("slower");
    study.spec.name = QStringLiteral("Delivered machine");
    for (RunRecord& run : study.runs) {
        run.runStopMs = run.runStartMs + (run.runStopMs - run.runStartMs) * factor;
        if (run.config.workers == 4)
            run.config.globalBatch = 256;
    }
    return study;
}

QString summaryOf(const VerifyPage& page)
{
    return page.findChild<QLabel*>(QStringLiteral("verifySummary"))->text();
}

} // namespace

class VerifyPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void chartAndTable()
    {
        const Study reference = inventedStudy({1, 2, 4}, 3), study = slowerStudy(1.25);
        const Verification v = verifyRuns(study.runs, reference.runs);
        const ChartData chart = verifyChart(study, v);
        QCOMPARE(chart.categories.size(), 2); // what is not comparable is not drawn
        QCOMPARE(chart.series.size(), 2);
        QVERIFY(std::abs(chart.series[0].y[0] - 0.8) < 1e-9);
        QCOMPARE(chart.series[0].pointLabels[0], QStringLiteral("LOW"));
        QVERIFY(chart.series[1].yLow[0] < 1 && chart.series[1].yHigh[0] > 1);
        QCOMPARE(chart.guides[0].y[0], 0.95);
        VerifyModel model;
        const QAbstractItemModelTester tester(&model);
        model.setItems(v.items);
        QCOMPARE(model.rowCount(), 3);
        // A head stands over what it names.
        for (const auto& [column, title] : {std::pair(VerifyModel::Judged, "Verdict"),
                                            {VerifyModel::Interval, "95 % interval"},
                                            {VerifyModel::Causes, "Likely cause"},
                                            {VerifyModel::Time, "Time"},
                                            {VerifyModel::Runs, "Runs"},
                                            {VerifyModel::Notes, "Notes"}})
            QCOMPARE(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
                     QLatin1StringView(title));
        QCOMPARE(model.idleColumns(), QList<int>{VerifyModel::Notes});
        QCOMPARE(model.index(2, VerifyModel::Judged).data().toString(), QStringLiteral("INVALID"));
        QVERIFY(model.index(2, VerifyModel::Speed).data().toString().isEmpty());
        QVERIFY(model.index(2, VerifyModel::Causes)
                    .data()
                    .toString()
                    .contains(QStringLiteral("Other batch: 256 instead of 128.")));
        QCOMPARE(model.index(0, VerifyModel::Speed).data().toString(), QStringLiteral("0.800"));
        // A file has both ends of the interval, in English.
        DataTable table(QStringLiteral("verify"), QStringLiteral("Verification"), false);
        table.setModel(&model);
        const QString ends = model.index(0, VerifyModel::Interval).data().toString();
        QVERIFY(ends.contains(QStringLiteral(" to ")));
        QVERIFY2(table.csv().contains(ends.toUtf8()), table.csv().constData());
    }

    void reportOfIt()
    {
        Study reference = inventedStudy({1, 2}, 3);
        reference.spec.name = QStringLiteral("<b>Mine</b>");
        const Study study = slowerStudy(1.25);
        const Verification v = verifyRuns(study.runs, reference.runs);
        const QString html = report::verificationHtml(v, study, reference, {});
        QVERIFY(html.contains(QStringLiteral("Verification: Delivered machine")));
        QVERIFY(html.contains(QStringLiteral("&lt;b&gt;Mine&lt;/b&gt;")));
        QVERIFY(html.contains(QStringLiteral(">LOW</td>")));
        QVERIFY(html.contains(QStringLiteral("equivalence margin")));
        QVERIFY(!html.contains(QStringLiteral("<img")));
    }

    /// By the page: HTML, PDF and the chart.
    void reportFiles()
    {
        MainWindow window(emptyLine());
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.showPage(page_id::kVerify);
        auto* page = window.page<VerifyPage>();
        page->setReference(inventedStudy({1, 2, 4}, 3));
        page->showLoaded(slowerStudy(1));
        const QTemporaryDir dir;
        page->writeReport(dir.path());
        QTRY_VERIFY_WITH_TIMEOUT(page->isSettled(), kHangMs);
        const QStringList files = QDir(dir.path()).entryList(QDir::Files, QDir::Name);
        QCOMPARE(files, (QStringList{QStringLiteral("verification.html"),
                                     QStringLiteral("verification.pdf"),
                                     QStringLiteral("verification.png")}));
        QFile pdf(dir.filePath(QStringLiteral("verification.pdf")));
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.readAll().startsWith("%PDF"));
        QVERIFY(page->bar()->text().contains(QStringLiteral("verification.pdf")));
    }

    /// What `scalebench verify --out` writes has the chart of this page.
    void reportOfTheCommandLineHasItsChart()
    {
        const QTemporaryDir dir;
        QVERIFY(QDir(dir.path()).mkdir(QStringLiteral("library")));
        QProcess process;
        process.start(QStringLiteral(SB_BIN_DIR "/scalebench"),
                      {QStringLiteral("verify"), QStringLiteral("published:dgx1"),
                       QStringLiteral("--against"), QStringLiteral("published:dgx1"),
                       QStringLiteral("--library"), dir.filePath(QStringLiteral("library")),
                       QStringLiteral("--out"), dir.path()});
        QVERIFY(process.waitForFinished(kHangMs));
        QCOMPARE(process.exitCode(), 0);
        const QImage chart(dir.filePath(QStringLiteral("verification.png")));
        QCOMPARE(chart.size(), QSize(2400, 1500));
        QFile page(dir.filePath(QStringLiteral("verification.html")));
        QVERIFY(page.open(QIODevice::ReadOnly));
        QVERIFY(page.readAll().contains("verification.png"));
    }

    void honestWhileEmpty()
    {
        MainWindow window(emptyLine());
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.showPage(page_id::kVerify);
        auto* page = window.page<VerifyPage>();
        QCOMPARE(Geometry(window).faults(), QStringList());
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == QStringLiteral("See an e&xample"))
                button->click();
        QTRY_VERIFY_WITH_TIMEOUT(!page->verification().items.isEmpty() && page->isSettled(),
                                 kHangMs);
        QVERIFY(summaryOf(*page).startsWith(QStringLiteral("Not verified")));
        // Both can be chosen again.
        for (StudyChoice* choice : page->findChildren<StudyChoice*>()) {
            const QString title = choice->currentText();
            QVERIFY(title.startsWith(QStringLiteral("Published: ")));
            Q_EMIT choice->activated(choice->currentIndex());
            QTRY_VERIFY_WITH_TIMEOUT(page->isSettled(), kHangMs);
            QCOMPARE(choice->currentText(), title);
            QVERIFY(!page->verification().items.isEmpty());
        }
    }

    void marginDecides()
    {
        MainWindow window(emptyLine());
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.showPage(page_id::kVerify);
        auto* page = window.page<VerifyPage>();
        page->setReference(inventedStudy({1, 2}, 3));
        Study study = slowerStudy(1.25);
        study.runs.removeIf([](const RunRecord& run) { return run.config.workers == 4; });
        page->showLoaded(study);
        QCOMPARE(page->verification().count(Verdict::Low), 2);
        page->findChild<QSpinBox*>(QStringLiteral("verifyMargin"))->setValue(30);
        QVERIFY(page->verification().passed());
        QVERIFY(summaryOf(*page).startsWith(QStringLiteral("Verified: all 2 items")));
        // In another language both sides stay.
        AppSettings::instance().setLanguage(QStringLiteral("de"));
        QTRY_VERIFY_WITH_TIMEOUT(
            summaryOf(*window.page<VerifyPage>()).startsWith(QStringLiteral("Verifiziert")),
            kHangMs);
        QVERIFY(window.page<VerifyPage>()->verification().passed());
        AppSettings::instance().setLanguage(QStringLiteral("en"));
        QTRY_VERIFY_WITH_TIMEOUT(
            summaryOf(*window.page<VerifyPage>()).startsWith(QStringLiteral("Verified")), kHangMs);
    }

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
        window.showPage(page_id::kVerify);
        auto* page = window.page<VerifyPage>();
        for (const ThemeChoice theme :
             {ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::Contrast}) {
            ThemeManager::instance().apply(theme);
            for (const double factor : {1.0, 1.25}) {
                page->setReference(inventedStudy({1, 2, 4}, 3));
                page->showLoaded(slowerStudy(factor));
                QTest::qWait(0);
                for (ChartWidget* chart : page->findChildren<ChartWidget*>())
                    chart->replotNow();
                keep(window, QStringLiteral("%1 %2 %3")
                                 .arg(QString::fromUtf8(QTest::currentDataTag()),
                                      themeChoiceName(theme), QString::number(factor)));
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
                QStringLiteral("%1/verify %2.png").arg(folder, name).replace(u' ', u'_')));
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

QTEST_MAIN(VerifyPageTest)
#include "verify_page_test.moc"
