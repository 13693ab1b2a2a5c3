// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window on the offscreen platform, with the fake engine under the real mpirun.
#include "gui/gui_fixture.h"
#include "gui/window_fixture.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include "app/main_window.h"
#include "base/file_io.h"
#include "charts/chart_widget.h"
#include "follow/study_controller.h"
#include "pages/plan/plan_page.h"
#include "pages/registry.h"
#include "pages/run/run_page.h"
#include "run/run_status.h"
#include "run/study_lock.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "settings/app_settings.h"
#include "widgets/log_view.h"

#include <QAction>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryFile>
#include <QToolButton>

using namespace scalebench;
using namespace scalebench::test;

namespace {

StudySpec quickSpec()
{
    StudySpec spec;
    spec.name = QStringLiteral("quick");
    spec.oversubscribe = true;
    spec.target = 0.8; // what the fake engine reaches
    return spec;
}

/// A block of 12 x 12 pixels that are all lighter than any surface of the dark theme.
bool hasLightPatch(const QImage& image, QPoint* where)
{
    constexpr int kBlock = 12;
    for (int y = 0; y + kBlock < image.height(); y += kBlock) {
        for (int x = 0; x + kBlock < image.width(); x += kBlock) {
            bool light = true;
            for (int k = 0; light && k < kBlock * kBlock; ++k)
                light = qGray(image.pixel(x + k % kBlock, y + k / kBlock)) > 190;
            if (light) {
                *where = QPoint(x, y);
                return true;
            }
        }
    }
    return false;
}

} // namespace

/// The last epoch of every run waits, so that what a test does in the middle of a run is in the
/// middle however slow the machine is.
class HeldRuns
{
public:
    HeldRuns()
    {
        m_held = m_file.open();
        qputenv("FAKE_ENGINE_HOLD", m_file.fileName().toUtf8());
    }
    ~HeldRuns() { release(); }
    bool isHeld() const { return m_held; }
    void release()
    {
        qunsetenv("FAKE_ENGINE_HOLD");
        m_file.remove();
    }

private:
    QTemporaryFile m_file;
    bool m_held;
};

class MainWindowTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        initGuiTest();
        useFakeEngine("ok", 4, 20);
    }

    /// A screen of 1366 x 768 at 125 % has room for all of it.
    void fitsALowScreen()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.resize(800, 540);
        QCoreApplication::processEvents();
        QVERIFY2(window.height() <= 560, qPrintable(QString::number(window.height())));
        const auto* bar = window.findChild<QFrame*>(QStringLiteral("activityBar"));
        QVERIFY(bar);
        const auto buttons = bar->findChildren<QToolButton*>();
        for (const QToolButton* button : buttons) {
            QVERIFY(bar->rect().contains(button->geometry()));
            QVERIFY(!button->toolTip().isEmpty());
            QCOMPARE(button->toolButtonStyle(), Qt::ToolButtonIconOnly);
        }
        window.resize(1200, 900);
        QCoreApplication::processEvents();
        QCOMPARE(buttons.first()->toolButtonStyle(), Qt::ToolButtonTextUnderIcon);
    }

    /// --start with a study's folder starts that study, and no other.
    void startsTheStudyGiven()
    {
        TemporaryLibrary library;
        const Study study = library.create({1}, QStringLiteral("mine"));
        CommandLine line = commandFor(library, QString());
        line.files = QStringList{study.dir};
        line.start = true;
        MainWindow window(line);
        window.show();
        auto* live = window.findChild<LiveStudy*>();
        QVERIFY(live);
        QTRY_VERIFY_WITH_TIMEOUT(live->isActive() || live->study().dir == study.dir, kHangMs);
        QTRY_COMPARE_WITH_TIMEOUT(loadStudy(study.dir).value().runs[0].state, RunState::Completed,
                                  kHangMs);
        QCOMPARE(QDir(library.folder.filePath(QStringLiteral("studies")))
                     .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                     .size(),
                 1);
    }

    /// What --start begins is shown, not another study that is going on.
    void showsThePlanGiven()
    {
        TemporaryLibrary library;
        const Study other = library.create({1}, QStringLiteral("other"));
        CommandLine line = commandFor(library, QString());
        line.files = QStringList{library.folder.filePath(QStringLiteral("plan.json"))};
        QVERIFY(writeJsonAtomically(line.files.first(), quickSpec().toJson()).ok());
        line.start = true;
        MainWindow window(line);
        window.show();
        QSignalSpy shown(window.live(), &LiveStudy::started);
        QSignalSpy finished(window.live(), &LiveStudy::finished);
        QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), kHangMs);
        QVERIFY(window.live()->study().dir != other.dir);
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        QVERIFY(window.live()->study().dir != other.dir);
    }

    void opensWithoutEngine()
    {
        qputenv("SCALEBENCH_ENGINE", "/no/engine/here");
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("plan")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        QCOMPARE(window.page(), page_id::kPlan);
        useFakeEngine("ok", 4, 20);
    }

    void fromStartToCharts()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
            QSKIP("mpirun is not installed");
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("plan")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.page<PlanPage>()->setSpec(quickSpec());
        QTRY_VERIFY_WITH_TIMEOUT(window.page<PlanPage>()->isChecked(), kHangMs);
        QSignalSpy finished(window.live(), &LiveStudy::finished);
        window.findChild<QPushButton*>(QStringLiteral("startButton"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(window.page() == page_id::kRun, kHangMs);
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        const Study& study = window.live()->study();
        QCOMPARE(study.runs.size(), 2);
        for (const RunRecord& run : study.runs)
            QCOMPARE(runStateName(run.state), QStringLiteral("completed"));
        checkChart(window, study);
        QTemporaryDir out;
        QSignalSpy exported(&window, &MainWindow::exported);
        window.exportAllTo(out.path());
        QTRY_VERIFY_WITH_TIMEOUT(!exported.isEmpty(), kHangMs);
        QCOMPARE(exported[0][0].toBool(), true);
        for (const char* name : {"runs.csv", "curves.csv", "speedup.csv", "accuracy_vs_epoch.png",
                                 "speedup.svg", "speedup.pdf"})
            QVERIFY2(QFileInfo(out.filePath(QString::fromLatin1(name))).size() > 0, name);
        exported.clear();
        const QTemporaryDir reportDir;
        window.writeReportTo(reportDir.path());
        QTRY_VERIFY_WITH_TIMEOUT(!exported.isEmpty(), kHangMs);
        QCOMPARE(exported[0][0].toBool(), true);
        QFile pdf(reportDir.filePath(QStringLiteral("report.pdf")));
        QFile html(reportDir.filePath(QStringLiteral("report.html")));
        QVERIFY(pdf.open(QIODevice::ReadOnly) && html.open(QIODevice::ReadOnly));
        QVERIFY(pdf.read(5) == "%PDF-" && pdf.size() > 20'000);
        QVERIFY(html.readAll().contains("src=\"data:image/svg+xml;base64,"));
    }

    void closingLeavesItRunningAndReopeningFollows()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
            QSKIP("mpirun is not installed");
        HeldRuns runs;
        QVERIFY(runs.isHeld());
        TemporaryLibrary library;
        {
            MainWindow window(commandFor(library, QStringLiteral("plan")));
            window.show();
            QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
            window.page<PlanPage>()->setSpec(quickSpec());
            window.page<PlanPage>()->start();
            QTRY_VERIFY_WITH_TIMEOUT(!window.page<RunPage>()->accuracy()->chart().isEmpty(),
                                     kHangMs);
            window.setCloseQuestion([] { return CloseChoice::Cancel; });
            QVERIFY(!window.close());
            window.setCloseQuestion([] { return CloseChoice::LeaveRunning; });
            QVERIFY(window.close());
        }
        MainWindow window(commandFor(library, QString()));
        window.show();
        QSignalSpy finished(window.live(), &LiveStudy::finished);
        QTRY_VERIFY_WITH_TIMEOUT(window.page() == page_id::kRun, kHangMs);
        runs.release();
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        const auto onDisk = loadStudy(window.live()->study().dir);
        QVERIFY(onDisk.ok());
        checkChart(window, onDisk.value());
    }

    void studyThatNobodyFollowsIsTold()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
            QSKIP("mpirun is not installed");
        useFakeEngine("ok", 500, 60);
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("plan")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        auto* others = window.findChild<QToolButton*>(QStringLiteral("othersRunning"));
        QVERIFY(others->isHidden());
        StudySpec spec = quickSpec();
        spec.name = QStringLiteral("unseen");
        window.page<PlanPage>()->setSpec(spec);
        window.page<PlanPage>()->start();
        QTRY_VERIFY_WITH_TIMEOUT(window.live()->currentRun() >= 0, kHangMs);
        QVERIFY(others->isHidden()); // the Run page shows it
        const QString dir = window.live()->study().dir;
        window.live()->leave();
        QTRY_VERIFY_WITH_TIMEOUT(!others->isHidden(), kHangMs);
        QCOMPARE(others->text(), QStringLiteral("Also running: unseen"));
        window.showPage(page_id::kPlan);
        others->click();
        QCOMPARE(window.page(), page_id::kHome);
        ::kill(pid_t(*lockHolder(dir)), SIGTERM);
        QTRY_VERIFY_WITH_TIMEOUT(others->isHidden(), kHangMs);
        useFakeEngine("ok", 4, 20);
    }

    void stopNowOnClose()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
            QSKIP("mpirun is not installed");
        useFakeEngine("ok", 500, 60);
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("plan")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.page<PlanPage>()->setSpec(quickSpec());
        window.page<PlanPage>()->start();
        QTRY_VERIFY_WITH_TIMEOUT(!window.page<RunPage>()->accuracy()->chart().isEmpty(), kHangMs);
        QSignalSpy finished(window.live(), &LiveStudy::finished);
        window.setCloseQuestion([] { return CloseChoice::StopNow; });
        QVERIFY(window.close());
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        QCOMPARE(runStateName(window.live()->study().runs[0].state), QStringLiteral("cancelled"));
        QTRY_VERIFY_WITH_TIMEOUT(library.processesLeft().isEmpty(), kHangMs);
        useFakeEngine("ok", 4, 20);
    }

    void pausedQueueWaits()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
            QSKIP("mpirun is not installed");
        HeldRuns held;
        QVERIFY(held.isHeld());
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("plan")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.page<PlanPage>()->setSpec(quickSpec());
        window.page<PlanPage>()->start();
        auto* pause = window.findChild<QPushButton*>(QStringLiteral("pauseQueue"));
        QTRY_VERIFY_WITH_TIMEOUT(!pause->isHidden(), kHangMs);
        pause->click();
        held.release();
        const auto& runs = window.live()->study().runs;
        QCOMPARE(runs.size(), 2);
        QTRY_VERIFY_WITH_TIMEOUT(isFinal(runs[0].state), kHangMs);
        QTest::qWait(2000);
        QCOMPARE(runStateName(runs[1].state), QStringLiteral("queued"));
        QVERIFY(window.live()->isActive());
        QVERIFY(!pause->isHidden());
        QSignalSpy finished(window.live(), &LiveStudy::finished);
        pause->click();
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        QCOMPARE(runStateName(runs[1].state), QStringLiteral("completed"));
        QVERIFY(pause->isHidden());
    }

    void secondStudyWaitsItsTurn()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
            QSKIP("mpirun is not installed");
        HeldRuns held;
        QVERIFY(held.isHeld());
        qunsetenv("SCALEBENCH_MACHINE_LOCKS"); // which other tests have off
        const auto off = qScopeGuard([] { qputenv("SCALEBENCH_MACHINE_LOCKS", "off"); });
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("plan")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.page<PlanPage>()->setSpec(quickSpec());
        QSignalSpy finished(window.live(), &LiveStudy::finished);
        QSignalSpy queued(window.live(), &LiveStudy::queued);
        window.page<PlanPage>()->start();
        QTRY_VERIFY_WITH_TIMEOUT(window.live()->currentRun() >= 0, kHangMs);
        auto* start = window.findChild<QPushButton*>(QStringLiteral("startButton"));
        QCOMPARE(start->text(), QStringLiteral("Add to &queue"));
        window.page<PlanPage>()->start();
        QTRY_VERIFY_WITH_TIMEOUT(!queued.isEmpty(), kHangMs);
        held.release();
        const QString second = queued[0][1].toString();
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        QTRY_VERIFY_WITH_TIMEOUT(window.live()->nextQueued().isEmpty(), kHangMs);
        const auto study = loadStudy(second);
        QVERIFY(study.ok());
        QCOMPARE(study.value().runs.size(), 2);
        // One run at a time, whichever study it belongs to.
        QList<RunRecord> runs = window.live()->study().runs + study.value().runs;
        std::sort(runs.begin(), runs.end(), [](const RunRecord& one, const RunRecord& other) {
            return one.finishedMs < other.finishedMs;
        });
        for (qsizetype i = 0; i < runs.size(); ++i) {
            QCOMPARE(runStateName(runs[i].state), QStringLiteral("completed"));
            if (i > 0)
                QVERIFY(runs[i].runStartMs >= runs[i - 1].runStopMs);
        }
    }

    void cancelledStudyIsResumed()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
            QSKIP("mpirun is not installed");
        useFakeEngine("ok", 500, 60);
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("plan")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.page<PlanPage>()->setSpec(quickSpec());
        QSignalSpy finished(window.live(), &LiveStudy::finished);
        window.page<PlanPage>()->start();
        QTRY_VERIFY_WITH_TIMEOUT(!window.page<RunPage>()->accuracy()->chart().isEmpty(), kHangMs);
        window.live()->stopNow();
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        useFakeEngine("ok", 4, 20);
        finished.clear();
        auto* resume = window.findChild<QPushButton*>(QStringLiteral("resumeStudy"));
        QVERIFY(!resume->isHidden());
        resume->click();
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        for (const RunRecord& run : window.live()->study().runs)
            QCOMPARE(runStateName(run.state), QStringLiteral("completed"));
        QVERIFY(resume->isHidden());
        // The log has the study's life in it.
        const QString log = window.findChild<LogView*>()->shownText();
        for (const char* part : {"Trains on 2 workers", "Epoch 1: ", "Completed after "})
            QVERIFY2(log.contains(QLatin1String(part)), qPrintable(log));
    }

    /// Resume is on the Run page: what is wrong with it is said there, not where studies are
    /// planned.
    void failedResumeIsToldOnTheRunPage()
    {
        TemporaryLibrary library;
        const Study study = library.create({1}, QStringLiteral("changed"));
        const QString runDir = study.runs[0].runDir;
        RunStatus status = readRunStatus(runDir).value();
        status.state = RunState::Cancelled;
        QVERIFY(writeRunStatus(runDir, status).ok());
        MainWindow window(commandFor(library, QStringLiteral("home")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        QSignalSpy finished(window.live(), &LiveStudy::finished);
        window.live()->attach(study.dir);
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        QFile run(runDir + QStringLiteral("/run.json")); // no longer what was planned here
        QVERIFY(run.open(QIODevice::Append) && run.write("\n\n") == 2);
        run.close();
        window.showPage(page_id::kHome);
        QSignalSpy refused(window.live(), &LiveStudy::refused);
        auto* resume = window.findChild<QPushButton*>(QStringLiteral("resumeStudy"));
        QVERIFY(!resume->isHidden());
        resume->click();
        QTRY_VERIFY_WITH_TIMEOUT(!refused.isEmpty(), kHangMs);
        const QString why = refused[0][0].value<Failure>().message;
        QVERIFY(!why.isEmpty());
        QCOMPARE(window.page(), page_id::kRun);
        QCOMPARE(window.page<RunPage>()->bar()->text(), why);
        QVERIFY(window.page<PlanPage>()->bar()->isHidden());
    }

    void runningStudyShownAgainKeepsItsLog()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
            QSKIP("mpirun is not installed");
        useFakeEngine("ok", 500, 60);
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("plan")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.page<PlanPage>()->setSpec(quickSpec());
        window.page<PlanPage>()->start();
        QTRY_VERIFY_WITH_TIMEOUT(!window.page<RunPage>()->accuracy()->chart().isEmpty(), kHangMs);
        auto* log = window.findChild<LogView*>();
        const QString noted = QStringLiteral("seen before it was shown again");
        log->append(QStringLiteral("run"), QStringLiteral("source"), noted);
        {
            // Another window begins where it was told to, and shows what runs when asked again.
            MainWindow other(commandFor(library, page_id::kCompare));
            other.show();
            QTRY_VERIFY_WITH_TIMEOUT(other.live()->isActive() && other.isLoaded(), kHangMs);
            QCOMPARE(other.page(), page_id::kCompare);
            other.live()->attach(other.live()->study().dir);
            QCOMPARE(other.page(), page_id::kRun);
        }
        window.showPage(page_id::kHome);
        window.live()->attach(window.live()->study().dir);
        QCOMPARE(window.page(), page_id::kRun);
        QVERIFY2(log->shownText().contains(noted), qPrintable(log->shownText()));
        QSignalSpy finished(window.live(), &LiveStudy::finished);
        window.live()->stopNow();
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kHangMs);
        useFakeEngine("ok", 4, 20);
    }

    void darkThemeLeavesNoLightPatch()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("home")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        QPoint at;
        for (const QString& page : pageIds()) {
            window.showPage(page);
            QVERIFY(hasLightPatch(window.grab().toImage(), &at));
        }
        ThemeManager::instance().apply(ThemeChoice::Dark);
        for (const QString& page : pageIds()) {
            window.showPage(page);
            QTest::qWait(120);
            const bool light = hasLightPatch(window.grab().toImage(), &at);
            QVERIFY2(
                !light,
                qPrintable(QStringLiteral("page %1 at %2,%3").arg(page).arg(at.x()).arg(at.y())));
        }
        ThemeManager::instance().apply(ThemeChoice::Light);
    }

    void everyControlHasAName()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("plan")));
        const auto buttons = window.findChildren<QAbstractButton*>();
        for (const QAbstractButton* button : buttons) {
            if (button->focusPolicy() == Qt::NoFocus ||
                button->objectName().startsWith(QLatin1String("qt_")))
                continue;
            QVERIFY2(!button->text().isEmpty() || !button->accessibleName().isEmpty(),
                     button->parent()->metaObject()->className());
        }
    }

private:
    /// The chart holds every evaluation exactly once, in order.
    static void checkChart(const MainWindow& window, const Study& study)
    {
        const ChartData& chart = window.page<RunPage>()->accuracy()->chart();
        QCOMPARE(chart.series.size(), study.runs.size());
        for (qsizetype i = 0; i < study.runs.size(); ++i) {
            QVERIFY(!study.runs[i].evals.isEmpty());
            QCOMPARE(chart.series[i].x.size(), study.runs[i].evals.size());
            for (qsizetype k = 0; k < study.runs[i].evals.size(); ++k)
                QCOMPARE(chart.series[i].y[k], study.runs[i].evals[k].value);
        }
        QVERIFY(!window.page<RunPage>()->speedup()->chart().isEmpty());
    }
};

SB_WATCHED_TEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
