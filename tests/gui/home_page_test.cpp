// SPDX-License-Identifier: GPL-3.0-or-later
// Home: where its choices lead, the example that trains nothing, and the studies that it lists.
#include "gui/gui_fixture.h"
#include "gui/window_fixture.h"
#include "support/launcher_fixture.h"

#include "app/main_window.h"
#include "app/status_strip.h"
#include "pages/home/home_page.h"
#include "pages/home/study_row.h"
#include "pages/plan/plan_page.h"
#include "pages/scaling/scaling_page.h"
#include "run/run_status.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/elided_label.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStatusBar>

using namespace scalebench;
using namespace scalebench::test;

class HomePageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void choicesLeadOn()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library, page_id::kHome));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        auto* home = window.page<HomePage>();
        const auto press = [&](const char* name) {
            window.showPage(page_id::kHome);
            for (QPushButton* button : home->findChildren<QPushButton*>())
                if (button->accessibleName() == QLatin1String(name))
                    button->click();
        };
        press("Run a benchmark");
        QCOMPARE(window.page(), page_id::kPlan);
        press("Compare all workloads");
        QCOMPARE(window.page(), page_id::kPlan);
        QCOMPARE(window.page<PlanPage>()->spec().workloads.size(), 9);
        press("Open results");
        QCOMPARE(window.page(), page_id::kResults);
    }

    /// A recorded study grows on the Run page; no engine, no library, no question at the end.
    void theExampleIsToldAgain()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library, page_id::kHome));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        LiveStudy* live = window.live();
        QSignalSpy advanced(live, &LiveStudy::runAdvanced);
        for (QPushButton* button : window.page<HomePage>()->findChildren<QPushButton*>())
            if (button->accessibleName() == QLatin1String("See an example"))
                button->click();
        QTRY_VERIFY_WITH_TIMEOUT(advanced.size() > 3, kHangMs);
        QCOMPARE(window.page(), page_id::kRun);
        QVERIFY(live->isReplay() && live->isActive() && !live->isTraining());
        QCOMPARE(live->study().runs.size(), 2);
        const QString copy = live->study().dir;
        // Somebody else measured it: Advice, Scaling and all others say so.
        QCOMPARE(live->study().runs.first().origin, QStringLiteral("imported: bundle"));
        QVERIFY(QFileInfo::exists(copy) && !copy.startsWith(library.folder.path()));
        // A study of one's own takes its place, and its copy is gone.
        const Study own = library.create({1}, QStringLiteral("own"));
        window.session()->openStudy(own.dir);
        QTRY_COMPARE_WITH_TIMEOUT(live->study().dir, own.dir, kHangMs);
        QVERIFY(!live->isReplay());
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(copy), kHangMs);
        // While it is not known that nothing of it goes on, the published results are shown
        // instead.
        QTRY_VERIFY_WITH_TIMEOUT(!live->isTraining(), kHangMs);
        window.session()->showExample();
        QTRY_VERIFY_WITH_TIMEOUT(live->isReplay(), kHangMs);
        window.page<ScalingPage>()->showStudy(live->study().dir);
        QTRY_COMPARE_WITH_TIMEOUT(window.page<ScalingPage>()->shownStudy().dir, live->study().dir,
                                  kHangMs);
        const QString gone = live->study().dir;
        QVERIFY(window.close()); // whatever asks, waits here for ever
        const ShownBefore kept = AppSettings::instance().shownBefore();
        QVERIFY(kept.run != gone && kept.scaling != gone);
    }

    /// Cancelled and gone on with in the same window: the library is not left behind.
    void aResumedStudyIsListedAnew()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
            QSKIP("mpirun is not installed");
        TemporaryLibrary library;
        useFakeEngine("ok", 20, 50);
        const Study study = library.create({1}, QStringLiteral("resumed"));
        RunStatus status = readRunStatus(study.runs[0].runDir).value();
        status.state = RunState::Cancelled;
        QVERIFY(writeRunStatus(study.runs[0].runDir, status));
        Session session({library.folder.path(), true});
        session.library()->refresh();
        const auto count = [&](RunState state) {
            const QList<StudySummary>& studies = session.library()->studies();
            return studies.isEmpty() ? 0 : studies.first().states.value(state);
        };
        QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Cancelled), 1, kHangMs);
        session.live()->resume(study.dir);
        QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Cancelled), 0, kHangMs);
        QTRY_VERIFY_WITH_TIMEOUT(session.library()->studies().first().supervised, kHangMs);
        QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Completed), 1, kHangMs);
    }

    void studiesInTheirOrder()
    {
        TemporaryLibrary library;
        Session session({library.folder.path(), true});
        HomePage page(&session);
        QVERIFY(says(page, "Reading the library…"));
        page.setStudies({});
        QVERIFY(says(page, "Nothing has been run yet. “Run a benchmark” takes about two minutes "
                           "on two cores."));
        QList<StudySummary> studies;
        for (int i = 0; i < 10; ++i) {
            StudySummary study;
            study.id = study.name = QStringLiteral("number %1").arg(i);
            study.workload = QStringLiteral("resnet");
            study.createdMs = 1000 * i;
            study.active = i == 0;
            studies << study;
        }
        page.setStudies(studies);
        QStringList listed;
        for (const QPushButton* button : page.findChildren<QPushButton*>())
            if (button->accessibleName().startsWith(QLatin1String("number")))
                listed << button->accessibleName();
        QCOMPARE(listed.size(), 8);
        QCOMPARE(listed.first(), QStringLiteral("number 0")); // goes on
        QCOMPARE(listed[1], QStringLiteral("number 9"));      // the newest
        page.setLoadError({QStringLiteral("library_gone"), QStringLiteral("It is gone."), {}});
        QVERIFY(says(page, "It is gone."));
    }

    /// Of a study whose runs cannot be read nobody knows when it began.
    void noDateIsMadeUp()
    {
        StudySummary study;
        study.id = QStringLiteral("s");
        study.runs = study.finishedRuns = 1;
        study.states = {{RunState::Unreadable, 1}};
        const StudyRow row(study);
        QStringList texts;
        for (const QLabel* label : row.findChildren<QLabel*>())
            texts << label->text();
        QVERIFY2(!texts.join(u' ').contains(QStringLiteral("1970")), qPrintable(texts.join(u' ')));
        QVERIFY(row.toolTip().contains(QStringLiteral("1 not readable")));
    }

    /// A name and what came of the study may be longer than the row is wide.
    void longTextsEndInDots()
    {
        StudySummary study;
        study.id = QStringLiteral("s");
        study.name = QString(40, u'n') + u' ' + QString(40, u'm');
        study.runs = study.finishedRuns = 24;
        study.states = {{RunState::Completed, 12}, {RunState::Failed, 6}, {RunState::Cancelled, 6}};
        study.disturbedRuns = 3;
        StudyRow row(study);
        row.resize(330, 52);
        row.show();
        QVERIFY(QTest::qWaitForWindowExposed(&row));
        for (const ElidedLabel* label : row.findChildren<ElidedLabel*>()) {
            QVERIFY2(label->text().endsWith(QChar(0x2026)), qPrintable(label->text()));
            QVERIFY(label->fontMetrics().horizontalAdvance(label->text()) <=
                    label->contentsRect().width());
            QVERIFY(row.toolTip().contains(label->fullText()));
        }
        row.resize(1600, 52);
        QCoreApplication::processEvents();
        for (const ElidedLabel* label : row.findChildren<ElidedLabel*>())
            QCOMPARE(label->text(), label->fullText());
    }

    /// Nor does a long name of a study take away what it came to.
    void theStatusBarKeepsTheResult()
    {
        TemporaryLibrary library;
        StudySpec spec;
        spec.workers = {1};
        spec.name = QString(150, u'n');
        const Study study = library.create(spec, QStringLiteral("s"));
        RunStatus status = readRunStatus(study.runs[0].runDir).value();
        status.state = RunState::Cancelled;
        QVERIFY(writeRunStatus(study.runs[0].runDir, status));
        Session session({library.folder.path(), true});
        QStatusBar bar;
        const StatusStrip strip(&session, &bar);
        bar.resize(500, bar.sizeHint().height());
        bar.show();
        session.live()->attach(study.dir);
        const auto said = [&] {
            for (const ElidedLabel* label : bar.findChildren<ElidedLabel*>())
                if (label->fullText().contains(spec.name))
                    return label->text();
            return QString();
        };
        QTRY_VERIFY_WITH_TIMEOUT(said().endsWith(QStringLiteral("1 cancelled")), kHangMs);
        QVERIFY2(said().contains(QChar(0x2026)), qPrintable(said()));
    }

    /// The library is read again while somebody goes through the rows by keys.
    void focusStaysInTheRows()
    {
        TemporaryLibrary library;
        Session session({library.folder.path(), true});
        HomePage page(&session);
        page.show();
        page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        QList<StudySummary> studies;
        for (int i = 0; i < 3; ++i) {
            StudySummary study;
            study.id = study.name = study.dir = QStringLiteral("number %1").arg(i);
            study.createdMs = 1000 * i;
            studies << study;
        }
        const auto focused = [] {
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QCoreApplication::processEvents();
            const QWidget* widget = QApplication::focusWidget();
            return widget ? widget->accessibleName() : QStringLiteral("nothing");
        };
        page.setStudies(studies);
        QCoreApplication::processEvents();
        for (QPushButton* button : page.findChildren<QPushButton*>())
            if (button->accessibleName() == QLatin1String("number 1"))
                button->setFocus();
        QCOMPARE(focused(), QStringLiteral("number 1"));
        StudySummary newest = studies.last();
        newest.id = newest.name = newest.dir = QStringLiteral("number 3");
        newest.createdMs = 3000;
        studies << newest;
        page.setStudies(studies);
        QCOMPARE(focused(), QStringLiteral("number 1"));
        // By keys as they are listed, the new one in its place.
        const auto next = [&](Qt::Key key) {
            QTest::keyClick(page.windowHandle(), key);
            return focused();
        };
        QCOMPARE(next(Qt::Key_Tab), QStringLiteral("number 0"));
        for (const char* name : {"number 1", "number 2", "number 3", "See an example"})
            QCOMPARE(next(Qt::Key_Backtab), QString::fromLatin1(name));
        for (const char* name : {"number 3", "number 2", "number 1"})
            QCOMPARE(next(Qt::Key_Tab), QString::fromLatin1(name));
        studies.removeAt(1);
        page.setStudies(studies);
        QCOMPARE(focused(), QStringLiteral("number 3")); // the first of those left
    }

    void thisComputer()
    {
        TemporaryLibrary library;
        Session session({library.folder.path(), true});
        HomePage page(&session);
        MachineInfo machine = machineWith(2);
        machine.enginePath.clear();
        page.setMachine(machine);
        QVERIFY(says(page, "This computer · Test CPU, 2 cores · no GPU: trains on the CPU"));
        QVERIFY(says(page, "Open MPI 4.1.4 · training engine not found · "));
        machine.mpirunVersion = QStringLiteral("HYDRA 4.0");
        page.setMachine(machine);
        QVERIFY(says(page, "/usr/bin/mpirun is not Open MPI's: it says \"HYDRA 4.0\" · training "
                           "engine not found · "));
    }

private:
    static bool says(const HomePage& page, const char* text)
    {
        for (const QLabel* label : page.findChildren<QLabel*>())
            if (label->text() == QString::fromUtf8(text))
                return true;
        return false;
    }
};

SB_WATCHED_TEST_MAIN(HomePageTest)
#include "home_page_test.moc"
