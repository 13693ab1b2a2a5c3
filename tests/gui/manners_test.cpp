// SPDX-License-Identifier: GPL-3.0-or-later
// What people expect of a program that they work in all day.
#include "gui/gui_fixture.h"
#include "gui/window_fixture.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include "app/drop_hint.h"
#include "app/main_window.h"

#include "charts/chart_panel.h"
#include "charts/chart_widget.h"
#include "dialogs/about_dialog.h"
#include "dialogs/help_dialog.h"
#include "dialogs/shortcut_dialog.h"
#include "import/bundle.h"
#include "models/step_means.h"
#include "pages/advice/advice_page.h"
#include "pages/plan/plan_page.h"
#include "pages/results/results_page.h"
#include "pages/run/run_page.h"
#include "pages/scaling/scaling_page.h"
#include "pages/verify/verify_page.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "run/study_lock.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/replay.h"
#include "session/session.h"
#include "session/study_eta.h"
#include "session/study_library.h"
#include "settings/app_settings.h"
#include "settings/language.h"
#include "settings/shortcuts.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QJsonArray>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QToolButton>
#include <QUndoStack>

using namespace scalebench;
using namespace scalebench::test;

class MannersTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        initGuiTest();
        useFakeEngine("ok", 4, 20);
    }
    void init()
    {
        AppSettings::instance().setLanguage(QStringLiteral("en"));
        applyLanguage(QStringLiteral("en"));
        AppSettings::instance().setUnsavedPlan({}, {});
    }

    void lastPageIsRestored()
    {
        TemporaryLibrary library;
        {
            MainWindow window(commandFor(library));
            window.show();
            QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
            window.showPage(page_id::kScaling);
            QVERIFY(window.close());
        }
        MainWindow again(commandFor(library));
        QCOMPARE(again.page(), page_id::kScaling);
        // What the command line says comes before.
        CommandLine line = commandFor(library);
        line.page = QStringLiteral("machines");
        MainWindow asked(line);
        asked.show();
        QTRY_COMPARE_WITH_TIMEOUT(asked.page(), page_id::kMachines, kHangMs);
    }

    /// As a double click names it.
    void bundleOnTheCommandLineIsImported()
    {
        TemporaryLibrary here, there;
        const Study study = there.create({1}, QStringLiteral("theirs"));
        const QString bundle = there.folder.filePath(QStringLiteral("theirs.zip"));
        const auto written = imports::writeBundle(study.dir, bundle, false);
        QVERIFY2(written.ok(), written ? "" : qPrintable(written.failure().message));
        CommandLine line = commandFor(here);
        line.files = QStringList{bundle};
        MainWindow window(line);
        window.show();
        const auto* page = window.page<ResultsPage>();
        QTRY_COMPARE_WITH_TIMEOUT(page->table()->view()->model()->rowCount(), 1, kHangMs);
        QCOMPARE(window.page(), page_id::kResults);
        QVERIFY2(page->bar()->text().startsWith(QStringLiteral("Imported 1 run")),
                 qPrintable(page->bar()->text()));
    }

    /// As "scalebench-gui STUDYDIR", where the library holds another study already.
    void aStudyOutsideTheLibraryIsShown()
    {
        TemporaryLibrary library, other;
        library.create({1}, QStringLiteral("own"));
        const Study given = other.create({1}, QStringLiteral("given"));
        MainWindow window(commandFor(library));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        const auto* page = window.page<ResultsPage>();
        QTRY_COMPARE_WITH_TIMEOUT(page->table()->view()->model()->rowCount(), 1, kHangMs);
        window.session()->openStudy(given.dir);
        QTRY_COMPARE_WITH_TIMEOUT(page->selectedStudyDir(), given.dir, kHangMs);
        QCOMPARE(page->table()->view()->model()->rowCount(), 2);
    }

    /// A recorded study is told again, the recorded folder stays as it is, every point comes once.
    void recordedStudyIsReplayed()
    {
        TemporaryLibrary library;
        const Study study = library.create({1}, QStringLiteral("told"));
        const QString dir = study.runs.first().runDir;
        QFile golden(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/reached_1_worker.txt"));
        QVERIFY(golden.copy(dir + QStringLiteral("/result_0.txt")));
        RunStatus status;
        status.state = RunState::Completed;
        QVERIFY(writeRunStatus(dir, status));
        const Study recorded = loadStudy(study.dir).value();
        QVERIFY(recorded.runs.first().steps.size() > 3);
        MainWindow window(commandFor(library));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.page<ResultsPage>()->showStudy(study.dir);
        QTRY_VERIFY_WITH_TIMEOUT(window.page<ResultsPage>()->selectedStudyDir() == study.dir,
                                 kHangMs);
        window.showPage(page_id::kResults);
        QAction* faster = actionOf(window, QStringLiteral("20 times as fast"));
        QVERIFY(faster && faster->isEnabled());
        // Slowly: it comes bit by bit, and lasts long enough on a full machine too.
        const auto steps = [&window] {
            const QList<RunRecord>& runs = window.live()->study().runs;
            return runs.isEmpty() ? qsizetype(0) : qsizetype(runs.first().steps.size());
        };
        window.session()->replay(study.dir, 0.1);
        QTRY_VERIFY_WITH_TIMEOUT(steps() > 0, kHangMs);
        QVERIFY(steps() < recorded.runs.first().steps.size());
        // It can be left at any time, and nothing of it is anybody's to stop.
        QVERIFY(window.live()->isActive());
        QVERIFY(window.live()->isReplay() && !window.live()->isTraining());
        for (const QAction* action : window.findChildren<QAction*>())
            if (action->shortcut() == QKeySequence(Qt::SHIFT | Qt::Key_F5))
                QVERIFY(!action->isEnabled());
        QVERIFY(!actionOf(window, QStringLiteral("Pause the queue"))->isEnabled());
        const QString slow = window.live()->study().dir;
        window.showPage(page_id::kResults); // of the study that is shown there
        faster->trigger();
        // It may be over before anybody looks.
        QTRY_VERIFY_WITH_TIMEOUT(window.live()->study().dir != slow && !window.live()->isActive() &&
                                     steps() == recorded.runs.first().steps.size(),
                                 kHangMs);
        QCOMPARE(window.page(), page_id::kRun);
        QVERIFY(window.live()->study().dir != study.dir);
        const RunRecord& told = window.live()->study().runs.first();
        QCOMPARE(told.state, RunState::Completed);
        QCOMPARE(told.evals.last().value, recorded.runs.first().evals.last().value);
        // What is no study is said, and what holds no recording.
        window.session()->replay(library.folder.path(), 1);
        const InlineBar* bar = window.page<RunPage>()->bar();
        QTRY_VERIFY_WITH_TIMEOUT(bar->code() != QString(), kHangMs);
        window.session()->replay(library.create({1}, QStringLiteral("empty")).dir, 1);
        QTRY_COMPARE_WITH_TIMEOUT(bar->code(), QStringLiteral("nothing_recorded"), kHangMs);
    }

    /// Whoever follows it before its first run has begun would else take it for one that ended.
    void replayGoesOnWhenItIsHeardOf()
    {
        TemporaryLibrary library;
        const Study study = library.create({1}, QStringLiteral("told"));
        QFile golden(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/reached_1_worker.txt"));
        QVERIFY(golden.copy(study.runs.first().runDir + QStringLiteral("/result_0.txt")));
        std::optional<bool> held;
        Replay replay(study.dir, 0.1);
        connect(&replay, &Replay::begun, this,
                [&held](const QString& copy) { held = isStudyHeld(copy); });
        replay.start();
        QTRY_VERIFY_WITH_TIMEOUT(held.has_value(), kHangMs);
        QVERIFY(*held);
    }

    /// Scales and hidden lines of a chart, by the same stack; the keys of the chart too.
    void chartEditsAreUndone()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.page<ScalingPage>()->showLoaded(inventedStudy({1, 2, 4}));
        window.showPage(page_id::kScaling);
        QUndoStack* edits = window.session()->library()->undoStack();
        ChartWidget* chart = nullptr;
        for (ChartPanel* panel : window.page<ScalingPage>()->findChildren<ChartPanel*>())
            if (!chart && panel->chart().canLogY() && !panel->chart().isEmpty())
                chart = panel->chartWidget();
        QVERIFY(chart);
        const bool before = chart->isLogY();
        chart->setLogY(!before);
        QCOMPARE(chart->isLogY(), !before);
        QCOMPARE(edits->count(), 1);
        edits->undo();
        QCOMPARE(chart->isLogY(), before);
        edits->redo();
        QCOMPARE(chart->isLogY(), !before);
        edits->undo();
        // H hides what the cursor is on, A shows all again.
        chart->setFocus(Qt::TabFocusReason);
        QTest::keyClick(chart, Qt::Key_Right);
        QTest::keyClick(chart, Qt::Key_H);
        QCOMPARE(chart->hiddenSeries().size() > 0, true);
        const QSet<QString> hidden = chart->hiddenSeries();
        edits->undo();
        QVERIFY(chart->hiddenSeries().isEmpty());
        edits->redo();
        QCOMPARE(chart->hiddenSeries(), hidden);
        QTest::keyClick(chart, Qt::Key_A);
        QVERIFY(chart->hiddenSeries().isEmpty());
    }

    /// A message with a code leads to its page, by its button and by F1; without one F1 begins at
    /// the beginning.
    void helpOnWhatIsShown()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.showPage(page_id::kResults);
        QAction* help = nullptr;
        for (QAction* action : window.findChildren<QAction*>())
            if (action->shortcut() == QKeySequence(Qt::Key_F1))
                help = action;
        QVERIFY(help);
        help->trigger();
        auto* dialog = window.findChild<HelpDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(dialog->currentTitle(), helpPages(QStringLiteral("en")).first().title);
        dialog->close();
        InlineBar* bar = window.page<ResultsPage>()->bar();
        const QString code = QStringLiteral("disk_full");
        bar->showFailure({code, QStringLiteral("It is full."), {}});
        QPointer<QToolButton> button;
        for (QToolButton* each : bar->findChildren<QToolButton*>())
            if (each->text() == QLatin1String("Help"))
                button = each;
        QVERIFY(button && button->isVisible());
        button->click();
        QVERIFY(dialog->isVisible());
        const auto page = helpOnError(code, QStringLiteral("en"));
        QVERIFY(page);
        QCOMPARE(dialog->currentTitle(), page->title);
        dialog->showError({});
        help->trigger();
        QCOMPARE(dialog->currentTitle(), page->title);
        // By words, and no button where there is no page.
        dialog->findChild<QLineEdit*>()->setText(QStringLiteral("diverged"));
        QCOMPARE(dialog->currentTitle(),
                 helpOnError(QStringLiteral("diverged"), QStringLiteral("en"))->title);
        bar->showFailure({QStringLiteral("no_such_code"), QStringLiteral("Odd."), {}});
        QVERIFY(!button->isVisible());
    }

    void recentFilesArePinnedAndForgotten()
    {
        auto& settings = AppSettings::instance();
        settings.forgetRecent();
        QTemporaryDir folder;
        QStringList files;
        for (int i = 0; i < 12; ++i) {
            files << folder.filePath(QStringLiteral("plan%1.json").arg(i));
            QFile file(files.last());
            QVERIFY(file.open(QIODevice::WriteOnly));
            settings.addRecentFile(files.last());
        }
        QCOMPARE(settings.recentFiles().size(), 10);
        QCOMPARE(settings.recentFiles().first(), files.last());
        settings.pinFile(files[5], true);
        QCOMPARE(settings.recentFiles().first(), files[5]);
        QVERIFY(QFile::remove(files[7]));
        TemporaryLibrary library;
        MainWindow window(commandFor(library));
        const QMenu* recent = nullptr;
        for (QMenu* menu : window.findChildren<QMenu*>())
            if (menu->title() == QLatin1String("&Recent")) {
                Q_EMIT menu->aboutToShow();
                recent = menu;
            }
        QVERIFY(recent);
        const auto entry = [&](const QString& file) -> QAction* {
            for (QAction* action : recent->actions())
                if (action->text().endsWith(file))
                    return action;
            return nullptr;
        };
        QVERIFY(entry(files[5]) && recent->actions().first() == entry(files[5]));
        QVERIFY(entry(files[6])->isEnabled());
        // Gone, but its disk may come back.
        QTRY_VERIFY_WITH_TIMEOUT(!entry(files[7])->isEnabled(), kHangMs);
        settings.forgetRecent();
        QCOMPARE(settings.recentFiles(), QStringList{files[5]});
        settings.pinFile(files[5], false);
        QVERIFY(settings.recentFiles().isEmpty());
    }

    /// The studies that were looked at are there again, where the library is the same.
    void shownStudiesAreRestored()
    {
        TemporaryLibrary library, other;
        const Study study = library.create({1, 2}, QStringLiteral("old"));
        const Study newer = library.create({1}, QStringLiteral("new"));
        QFile golden(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/reached_1_worker.txt"));
        for (const Study* each : {&study, &newer}) {
            for (const RunRecord& run : each->runs) { // ended: nothing is to go on by itself
                RunStatus status;
                status.state = RunState::Completed;
                QVERIFY(golden.copy(run.runDir + QStringLiteral("/result_0.txt")));
                QVERIFY(writeRunStatus(run.runDir, status));
            }
        }
        const auto shown = [](MainWindow& window) {
            return window.page<ResultsPage>()->selectedStudyDir();
        };
        const auto scrollBarOf = [](const QWidget* page) {
            return page->findChild<QScrollArea*>()->verticalScrollBar();
        };
        bool logY = false;
        {
            MainWindow window(commandFor(library));
            window.show();
            QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
            window.session()->openStudy(study.dir);
            QTRY_COMPARE_WITH_TIMEOUT(shown(window), study.dir, kHangMs);
            QTRY_COMPARE_WITH_TIMEOUT(window.page<ScalingPage>()->study().id, study.id, kHangMs);
            QTRY_COMPARE_WITH_TIMEOUT(window.live()->study().id, study.id, kHangMs);
            window.page<VerifyPage>()->setReferenceStudy(newer.dir);
            // How they were looked at.
            auto* tabs = window.page<ResultsPage>()->findChild<QTabWidget*>();
            tabs->setCurrentIndex(2);
            ChartPanel* chart = window.page<ScalingPage>()->currentChart();
            chart->chartWidget()->setLogY(!chart->chartWidget()->isLogY());
            logY = chart->chartWidget()->isLogY();
            chart->showData(true);
            window.showPage(page_id::kScaling);
            QScrollBar* bar = scrollBarOf(window.page<ScalingPage>());
            QTRY_VERIFY_WITH_TIMEOUT(bar->maximum() > 50, kHangMs);
            bar->setValue(50);
            QVERIFY(window.close());
        }
        {
            MainWindow window(commandFor(library));
            window.show();
            QTRY_COMPARE_WITH_TIMEOUT(window.live()->study().id, study.id, kHangMs);
            QCOMPARE(window.page<AdvicePage>()->studyDir(), study.dir);
            QCOMPARE(window.page<VerifyPage>()->studyDir(), study.dir);
            QCOMPARE(window.page<VerifyPage>()->referenceDir(), newer.dir);
            QTRY_COMPARE_WITH_TIMEOUT(window.page<ScalingPage>()->study().id, study.id, kHangMs);
            QTRY_COMPARE_WITH_TIMEOUT(shown(window), study.dir, kHangMs);
            QTRY_COMPARE_WITH_TIMEOUT(
                window.page<ResultsPage>()->table()->selectedSourceRows().size(), 2, kHangMs);
            QCOMPARE(window.page<ResultsPage>()->findChild<QTabWidget*>()->currentIndex(), 2);
            const ChartPanel* chart = window.page<ScalingPage>()->currentChart();
            QCOMPARE(chart->chartWidget()->isLogY(), logY);
            QVERIFY(chart->showsData());
            QTRY_COMPARE_WITH_TIMEOUT(scrollBarOf(window.page<ScalingPage>())->value(), 50,
                                      kHangMs);
        }
        MainWindow elsewhere(commandFor(other));
        elsewhere.show();
        QTRY_VERIFY_WITH_TIMEOUT(elsewhere.isLoaded(), kHangMs);
        QTest::qWait(300);
        QVERIFY(!elsewhere.live()->hasStudy());
    }

    void draggingShowsWhatMayBeDropped()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library));
        window.show();
        auto* hint = window.findChild<DropHint*>();
        QVERIFY(hint && !hint->isVisible());
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(library.folder.path())});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted() && hint->isVisible());
        QDragLeaveEvent leave;
        QCoreApplication::sendEvent(&window, &leave);
        QVERIFY(!hint->isVisible());
    }

    void shortcutsAreChosenAndKept()
    {
        const QKeySequence mine(Qt::CTRL | Qt::ALT | Qt::Key_J);
        QAction first, second;
        first.setShortcut(QKeySequence(Qt::CTRL | Qt::Key_J));
        second.setShortcut(mine);
        {
            Shortcuts shortcuts;
            shortcuts.add(&first, QStringLiteral("first"));
            shortcuts.add(&second, QStringLiteral("second"));
            ShortcutDialog dialog(&shortcuts);
            dialog.show();
            auto* table = dialog.findChild<DataTable*>();
            auto* keys = dialog.findChild<QKeySequenceEdit*>();
            table->selectSourceRow(0);
            QPushButton* assign = nullptr;
            for (auto* button : dialog.findChildren<QPushButton*>())
                if (button->text() == QLatin1String("&Assign"))
                    assign = button;
            QVERIFY(assign && !assign->isEnabled());
            keys->setKeySequence(mine); // which the other has: it is taken from it
            QVERIFY(assign->isEnabled());
            assign->click();
            QCOMPARE(first.shortcut(), mine);
            QVERIFY(second.shortcuts().isEmpty());
        }
        QAction again, other;
        again.setShortcut(QKeySequence(Qt::CTRL | Qt::Key_J));
        other.setShortcut(mine);
        Shortcuts next;
        next.add(&again, QStringLiteral("first"));
        next.add(&other, QStringLiteral("second"));
        QCOMPARE(again.shortcut(), mine);
        QVERIFY(other.shortcuts().isEmpty());
        next.reset(1);
        QCOMPARE(other.shortcut(), mine);
        QVERIFY(again.shortcuts().isEmpty());
        next.reset(0);
        QCOMPARE(again.shortcut(), QKeySequence(Qt::CTRL | Qt::Key_J));
        QVERIFY(!AppSettings::instance().shortcuts(QStringLiteral("first")));
    }

    void aboutNamesWhatTakesPart()
    {
        MachineInfo machine = machineWith(4);
        machine.engineProbe = {
            {QStringLiteral("devices"),
             QJsonArray{QJsonObject{
                 {QStringLiteral("backend"), QStringLiteral("cpu (oneDNN 2.6.3, AVX-512)")}}}},
            {QStringLiteral("cuda"),
             QJsonObject{{QStringLiteral("toolkit"), QStringLiteral("12.8")},
                         {QStringLiteral("nccl"), QStringLiteral("2.26.2")}}}};
        QMap<QString, QString> versions;
        for (const Component& part : components(machine)) {
            versions.insert(part.name, part.version);
            QVERIFY2(!part.licence.isEmpty(), qPrintable(part.name));
        }
        QCOMPARE(versions.value(QStringLiteral("Open MPI")), QStringLiteral("4.1.4"));
        QCOMPARE(versions.value(QStringLiteral("oneDNN")), QStringLiteral("2.6.3"));
        QCOMPARE(versions.value(QStringLiteral("NCCL")), QStringLiteral("2.26.2"));
        QCOMPARE(versions.value(QStringLiteral("Qt")), QString::fromLatin1(qVersion()));
        QVERIFY(!versions.value(QStringLiteral("QCustomPlot")).isEmpty());
        QVERIFY(!versions.contains(QStringLiteral("cuDNN"))); // not here
        QWidget parent;
        showAbout(&parent, machine);
        const auto* table = parent.findChild<QTableWidget*>();
        QVERIFY(table && table->rowCount() == versions.size());
    }

    void timeLeftHonoursLimits()
    {
        Study study = inventedStudy({1, 1, 1});
        for (int i = 0; i < 3; ++i)
            study.runs[i].state = i == 0 ? RunState::Running : RunState::Queued;
        RunRecord& run = study.runs[0];
        run.config.target = 0.99; // not reached, 6 of 12 epochs are done
        run.runStopMs = 0;
        const double left = run.etaSeconds(), whole = run.steps.last().seconds + left;
        QVERIFY(left > 0);
        QCOMPARE(studyEtaSeconds(study, 0, false), left + 2 * whole);
        QCOMPARE(studyEtaSeconds(study, 0, true), left);
        QCOMPARE(studyEtaSeconds(study, -1, false), -1.0);
        study.spec.stopAfterTarget = true; // the first is taken to reach it
        QCOMPARE(studyEtaSeconds(study, 0, false), left);
        study.runs[2].config.workload = QStringLiteral("ncf");
        QCOMPARE(studyEtaSeconds(study, 0, false), left + whole);
        study.spec.stopAfterTarget = false;
        study.spec.maxMinutes = 1;
        study.runs[0].steps.edit(study.runs[0].steps.size() - 1).seconds =
            50; // with what is left: a second run begins, no third
        const double rest = study.runs[0].etaSeconds();
        const double one = 50 + rest;
        QCOMPARE(studyEtaSeconds(study, 0, false), one >= 60 ? rest : rest + one);
    }

    /// Each point is looked at once, whatever is asked how often.
    void stepMeansAreKept()
    {
        Study study = inventedStudy({1, 2});
        study.dir = QStringLiteral("/one");
        StepMeans means;
        const Study summary = means.summary(study);
        QCOMPARE(summary.runs.size(), 2);
        const PointList<StepPoint>& steps = study.runs[1].steps;
        QCOMPARE(summary.runs[1].steps.size(), 1);
        QVERIFY(qAbs(summary.runs[1].steps[0].computeMs - steps[0].computeMs) < 1e-9);
        const qsizetype looked = means.looked();
        QCOMPARE(looked, study.runs[0].steps.size() + steps.size());
        StepPoint slow = steps.last();
        slow.step += 10;
        slow.computeMs *= 3;
        study.runs[1].steps << slow;
        const double mean = means.summary(study).runs[1].steps[0].computeMs;
        QCOMPARE(means.looked(), looked + 1);
        QVERIFY(mean > steps[0].computeMs * 1.01 && mean < slow.computeMs);
        // Another attempt begins anew.
        study.runs[1].steps = {slow};
        QCOMPARE(means.summary(study).runs[1].steps[0].computeMs, slow.computeMs);
    }

private:
};

SB_WATCHED_TEST_MAIN(MannersTest)
#include "manners_test.moc"
