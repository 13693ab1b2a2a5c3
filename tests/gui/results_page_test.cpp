// SPDX-License-Identifier: GPL-3.0-or-later
// The library on the Results page: put away, dropped, tagged, gone, and all of it taken back.
#include "gui/gui_fixture.h"
#include "gui/window_fixture.h"
#include "support/launcher_fixture.h"

#include "app/main_window.h"
#include "charts/chart_panel.h"
#include "dialogs/annotation_dialog.h"
#include "models/key_value_model.h"
#include "models/run_table_model.h"
#include "pages/results/results_page.h"
#include "pages/results/run_detail.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "settings/language.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>
#include <QUndoStack>

#include <functional>

using namespace scalebench;
using namespace scalebench::test;

class ResultsPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        initGuiTest();
        useFakeEngine("ok", 4, 20);
    }

    void studiesArePutAwayAndTakenBack()
    {
        TemporaryLibrary library;
        library.create({1, 2}, QStringLiteral("kept"));
        library.create({1, 2}, QStringLiteral("away"));
        MainWindow window(commandFor(library, QStringLiteral("results")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        ResultsPage* page = window.page<ResultsPage>();
        QTableView* view = page->table()->view();
        QCOMPARE(view->model()->rowCount(), 4);
        QAction* report = nullptr;
        for (QAction* action : window.findChildren<QAction*>())
            if (action->text() == QStringLiteral("&Write report…"))
                report = action;
        window.showPage(page_id::kHome); // which shows no study; that of Results chooses one itself
        QVERIFY(report && !report->isEnabled());
        window.showPage(page_id::kResults);
        page->showStudy(library.folder.filePath(QStringLiteral("studies/away")));
        QTRY_COMPARE_WITH_TIMEOUT(page->table()->selectedSourceRows().size(), 2, kHangMs);
        QVERIFY(report->isEnabled());
        page->findChild<QToolButton*>(QStringLiteral("trashStudy"))->click();
        QTRY_COMPARE_WITH_TIMEOUT(view->model()->rowCount(), 2, kHangMs);
        QVERIFY(!page->bar()->isHidden());
        QVERIFY2(page->bar()->text().contains(QStringLiteral("in the trash")),
                 qPrintable(page->bar()->text()));
        QVERIFY(!QFile::exists(library.folder.filePath(QStringLiteral("studies/away"))));
        for (QToolButton* button : page->bar()->findChildren<QToolButton*>())
            if (button->text() == QLatin1String("Undo"))
                button->click();
        QTRY_COMPARE_WITH_TIMEOUT(view->model()->rowCount(), 4, kHangMs);
        QVERIFY(page->bar()->isHidden());
        QVERIFY(QFile::exists(library.folder.filePath(QStringLiteral("studies/away/plan.json"))));
    }

    void libraryThatVanishes()
    {
        TemporaryLibrary library;
        library.create({1, 2}, QStringLiteral("kept"));
        MainWindow window(commandFor(library, QStringLiteral("results")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        const QString dir = library.folder.path();
        QVERIFY(QDir().rename(dir, dir + QStringLiteral(".away")));
        for (QAction* action : window.findChildren<QAction*>())
            if (action->shortcut() == QKeySequence(Qt::Key_F5))
                action->trigger();
        const InlineBar* bar = window.page<ResultsPage>()->bar();
        QTRY_VERIFY_WITH_TIMEOUT(bar->text().contains(QStringLiteral("is gone")), kHangMs);
        QVERIFY(!QFileInfo::exists(dir)); // no empty one in its place
        QVERIFY(QDir().rename(dir + QStringLiteral(".away"), dir));
        for (QAction* action : window.findChildren<QAction*>())
            if (action->shortcut() == QKeySequence(Qt::Key_F5))
                action->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(bar->isHidden(), kHangMs);
        // Told by the first click, too; and taken back by the first one that succeeds.
        QTableView* view = window.page<ResultsPage>()->table()->view();
        QTRY_COMPARE_WITH_TIMEOUT(view->model()->rowCount(), 2, kHangMs);
        const int chosen = view->currentIndex().row() == 1 ? 1 : 0;
        QVERIFY(QDir().rename(dir, dir + QStringLiteral(".away")));
        view->selectRow(1 - chosen);
        QTRY_VERIFY_WITH_TIMEOUT(bar->text().contains(QStringLiteral("is gone")), kHangMs);
        QVERIFY(!QFileInfo::exists(dir));
        QVERIFY(QDir().rename(dir + QStringLiteral(".away"), dir));
        view->selectRow(chosen);
        QTRY_VERIFY_WITH_TIMEOUT(bar->isHidden(), kHangMs);
    }

    /// Files of any kind dropped on the window.
    void resultsAreDropped()
    {
        TemporaryLibrary library;
        library.create({1}, QStringLiteral("before"));
        MainWindow window(commandFor(library, QStringLiteral("home")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        const auto drop = [&window](const QStringList& paths) {
            QMimeData data;
            QList<QUrl> urls;
            for (const QString& path : paths)
                urls << QUrl::fromLocalFile(path);
            data.setUrls(urls);
            QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton,
                                  Qt::NoModifier);
            QCoreApplication::sendEvent(&window, &enter);
            QDropEvent event(QPointF(10, 10), Qt::CopyAction | Qt::MoveAction, &data,
                             Qt::LeftButton, Qt::ShiftModifier);
            QCOMPARE(event.dropAction(), Qt::MoveAction);
            QCoreApplication::sendEvent(&window, &event);
            QVERIFY(event.isAccepted());
            QCOMPARE(event.dropAction(), Qt::CopyAction); // who drags it may delete what moved
        };
        // A submission, and a file that holds no results.
        QFile other(library.folder.filePath(QStringLiteral("holiday.jpg")));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("not a log") > 0);
        other.close();
        drop({QStringLiteral(SB_SOURCE_DIR "/tests/launcher/import/fixtures/tree"),
              other.fileName()});
        QCOMPARE(window.page(), page_id::kResults);
        const InlineBar* bar = window.page<ResultsPage>()->bar();
        QTRY_VERIFY_WITH_TIMEOUT(bar->text().startsWith(QStringLiteral("Imported ")), kHangMs);
        QVERIFY2(bar->text().contains(QStringLiteral("skipped")), qPrintable(bar->text()));
        const QTableView* view = window.page<ResultsPage>()->table()->view();
        QTRY_VERIFY_WITH_TIMEOUT(view->model()->rowCount() > 10, kHangMs);
        // All that is new is chosen, and the first of it in sight.
        QTRY_COMPARE_WITH_TIMEOUT(view->selectionModel()->selectedRows().size(),
                                  view->model()->rowCount() - 1, kHangMs);
        QVERIFY(view->viewport()->rect().contains(
            view->visualRect(view->selectionModel()->selectedRows().first()).center()));
        const int rows = view->model()->rowCount();
        drop({QStringLiteral(SB_SOURCE_DIR "/tests/launcher/import/fixtures/tree")});
        QTRY_VERIFY_WITH_TIMEOUT(bar->text().contains(QStringLiteral("There already")), kHangMs);
        QCOMPARE(view->model()->rowCount(), rows);
        // What is kept in files is English, what is said is not.
        applyLanguage(QStringLiteral("de"));
        drop({QStringLiteral(SB_SOURCE_DIR "/tests/launcher/import/fixtures/tree")});
        QTRY_VERIFY_WITH_TIMEOUT(bar->text().contains(QStringLiteral("Schon vorhanden")), kHangMs);
        applyLanguage(QStringLiteral("en"));
        // A plan is opened, a study's folder shown.
        library.create({1}, QStringLiteral("own"));
        drop({library.folder.filePath(QStringLiteral("studies/own"))});
        QTRY_COMPARE_WITH_TIMEOUT(window.live()->study().id, QStringLiteral("own"), kHangMs);
        drop({library.folder.filePath(QStringLiteral("studies/own/study.json"))});
        QTRY_COMPARE_WITH_TIMEOUT(window.page(), QString(page_id::kPlan), kHangMs);
        drop({library.folder.filePath(QStringLiteral("gone.txt"))});
        QTRY_VERIFY_WITH_TIMEOUT(bar->text().contains(QStringLiteral("skipped")), kHangMs);
        QVERIFY2(bar->text().contains(QStringLiteral("Plan page")), qPrintable(bar->text()));
    }

    /// By the button, in the dialog, and taken back.
    void tagsAndNotes()
    {
        TemporaryLibrary library;
        const Study study = library.create({1}, QStringLiteral("s"));
        MainWindow window(commandFor(library, QStringLiteral("results")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.showPage(page_id::kResults);
        ResultsPage* page = window.page<ResultsPage>();
        QTRY_VERIFY_WITH_TIMEOUT(!page->table()->selectedSourceRows().isEmpty(), kHangMs);
        page->findChild<QToolButton*>(QStringLiteral("tagStudy"))->click();
        auto* dialog = window.findChild<AnnotationDialog*>();
        QVERIFY(dialog);
        auto* tags = dialog->findChild<QLineEdit*>(QStringLiteral("tags"));
        auto* save = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save);
        tags->setText(QString(kLongestTag + 1, QLatin1Char('x')));
        QVERIFY(!save->isEnabled());
        // A name of any length leaves the buttons on the screen.
        const AnnotationDialog named(QString(300, QLatin1Char('n')), {}, {});
        QVERIFY(named.sizeHint().width() < 700);
        tags->setText(QStringLiteral("H100, good"));
        dialog->findChild<QPlainTextEdit*>(QStringLiteral("note"))
            ->setPlainText(QStringLiteral("before the update"));
        QVERIFY(save->isEnabled());
        save->click();
        const auto shown = [page] {
            return page->table()->proxy()->index(0, RunTableModel::Tags).data().toString();
        };
        QTRY_VERIFY_WITH_TIMEOUT(shown().startsWith(QStringLiteral("good, H100")), kHangMs);
        const auto kept = readAnnotations(library.folder.path());
        QCOMPARE(annotationOf(kept.value(), library.folder.path(), study.dir).note,
                 QStringLiteral("before the update"));
        // Found by the filter; and taken back.
        page->table()->findChild<QLineEdit*>()->setText(QStringLiteral("h100 UPDATE"));
        QCOMPARE(page->table()->proxy()->rowCount(), 1);
        for (QToolButton* button : page->bar()->findChildren<QToolButton*>())
            if (button->text() == QLatin1String("Undo"))
                button->click();
        QTRY_COMPARE_WITH_TIMEOUT(page->table()->proxy()->rowCount(), 0, kHangMs);
        QVERIFY(readAnnotations(library.folder.path()).value().isEmpty());
    }

    /// Tags by the Edit menu, there and back.
    void libraryEditsAreUndone()
    {
        TemporaryLibrary library;
        const Study study = library.create({1}, QStringLiteral("s"));
        MainWindow window(commandFor(library));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.showPage(page_id::kResults);
        StudyLibrary* edited = window.session()->library();
        const auto tags = [edited] {
            return edited->runs().isEmpty() ? QStringList() : edited->runs().first().tags;
        };
        const QStringList good{QStringLiteral("good")};
        edited->annotate(study.dir, {good, {}}, {});
        QTRY_COMPARE_WITH_TIMEOUT(tags(), good, kHangMs);
        QAction* undo = actionOf(window, QStringLiteral("Undo tags and note"));
        QVERIFY(undo && undo->isEnabled());
        undo->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(tags(), QStringList(), kHangMs);
        actionOf(window, QStringLiteral("Redo tags and note"))->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(tags(), good, kHangMs);
        // Put away and back, by the same stack; on the Plan page the plan's own is meant.
        edited->putAway({study.dir});
        QTRY_COMPARE_WITH_TIMEOUT(edited->trash().size(), 1, kHangMs);
        window.showPage(page_id::kPlan);
        QVERIFY(!undo->isEnabled());
        window.showPage(page_id::kMachines); // where nothing of it would be seen
        QVERIFY(!undo->isEnabled());
        window.showPage(page_id::kResults);
        QVERIFY(undo->isEnabled());
        undo->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(edited->trash().size(), 0, kHangMs);
        QTRY_COMPARE_WITH_TIMEOUT(tags(), good, kHangMs);
        actionOf(window, QStringLiteral("Redo move to the trash"))->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(edited->trash().size(), 1, kHangMs);
    }

    /// One that lies elsewhere keeps no other one from the trash, and all come back together.
    void onlyWhatCanBeIsPutAway()
    {
        TemporaryLibrary library;
        const QTemporaryDir outside;
        QStringList dirs{library.create({1}, QStringLiteral("a")).dir};
        dirs << library.create({1}, QStringLiteral("o"), outside.filePath(QStringLiteral("o"))).dir;
        dirs << library.create({1}, QStringLiteral("b")).dir;
        MainWindow window(commandFor(library, page_id::kResults));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        StudyLibrary* edited = window.session()->library();
        edited->putAway(dirs);
        QTRY_COMPARE_WITH_TIMEOUT(edited->trash().size(), 2, kHangMs);
        const QString told = window.page<ResultsPage>()->bar()->text();
        QVERIFY2(told.startsWith(QStringLiteral("2 studies are in the trash. Left where they "
                                                "are: 1. ")) &&
                     told.contains(dirs[1]),
                 qPrintable(told));
        QTRY_COMPARE_WITH_TIMEOUT(edited->studies().size(), 1, kHangMs);
        edited->undoStack()->undo();
        QTRY_COMPARE_WITH_TIMEOUT(edited->studies().size(), 3, kHangMs);
        QVERIFY(edited->trash().isEmpty());
    }

    /// Very many runs are not all drawn, which is said; what is done with one study is not done
    /// with the first of several.
    void manySelectedRuns()
    {
        TemporaryLibrary library;
        StudySpec spec;
        spec.workers = {1};
        spec.repeats = 70;
        library.create(spec, QStringLiteral("many"));
        library.create({1}, QStringLiteral("other"));
        MainWindow window(commandFor(library, page_id::kResults));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        ResultsPage* page = window.page<ResultsPage>();
        const auto button = [page](const char* name) {
            return page->findChild<QAbstractButton*>(QLatin1StringView(name));
        };
        const auto allEnabled = [&button](bool enabled) {
            return button("runAgain")->isEnabled() == enabled &&
                   button("tagStudy")->isEnabled() == enabled &&
                   button("showScaling")->isEnabled() == enabled;
        };
        page->showStudy(library.folder.filePath(QStringLiteral("studies/many")));
        const InlineBar* bar = page->findChild<RunDetail*>()->findChild<InlineBar*>();
        QTRY_COMPARE_WITH_TIMEOUT(
            bar->text(), QStringLiteral("Only the first 64 of 70 selected runs are shown."),
            kHangMs);
        QTRY_VERIFY_WITH_TIMEOUT(allEnabled(true), kHangMs);
        page->table()->view()->selectAll();
        QTRY_VERIFY_WITH_TIMEOUT(bar->text().contains(QStringLiteral("64 of 71")), kHangMs);
        QVERIFY(allEnabled(false));
        QVERIFY(button("showScaling")->toolTip().contains(QStringLiteral("several studies")));
    }

    /// Of several runs it is said whose a fault is, and none hides another.
    void everyFaultIsTold()
    {
        RunDetailData data;
        data.study = inventedStudy({1, 2, 4});
        data.study.runs[1].failure.message = QStringLiteral("Ended at 60 %.");
        data.unreadable << QStringLiteral("run.json is of version 9.");
        RunDetail detail;
        detail.show(data);
        const auto* bar = detail.findChild<InlineBar*>();
        QCOMPARE(bar->text(), data.unreadable.first());
        QCOMPARE(bar->findChild<QPlainTextEdit*>()->toPlainText(),
                 QStringLiteral("invented-2-1: Ended at 60 %."));
        // However long the name of a machine, the page can be as narrow as before.
        const int narrow = detail.minimumSizeHint().width();
        WorkerInfo worker;
        worker.deviceName = QString(300, u'X');
        data.study.runs.first().workers << worker;
        data.study.runs.first().config.runId = QString(300, u'Y');
        data.study.runs.resize(1);
        detail.show(data);
        QVERIFY(detail.minimumSizeHint().width() <= std::max(narrow, 700));
    }

    /// What the buttons act on is what is to be seen as selected, also below a filter.
    void filterAndTreeAgree()
    {
        TemporaryLibrary library;
        library.create({1}, QStringLiteral("alpha"));
        library.create({2}, QStringLiteral("beta"));
        MainWindow window(commandFor(library, QStringLiteral("results")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        window.showPage(page_id::kResults);
        ResultsPage* page = window.page<ResultsPage>();
        DataTable* table = page->table();
        const auto enabled = [page] {
            return page->findChild<QToolButton*>(QStringLiteral("trashStudy"))->isEnabled();
        };
        page->showStudy(library.folder.filePath(QStringLiteral("studies/alpha")));
        QTRY_VERIFY_WITH_TIMEOUT(page->selectedStudyDir().endsWith(QLatin1String("alpha")),
                                 kHangMs);
        QVERIFY(enabled());
        auto* again = page->findChild<QPushButton*>(QStringLiteral("runAgain"));
        QTRY_VERIFY_WITH_TIMEOUT(again->isEnabled(), kHangMs);
        // In the tree: only what the filter lets through, and the filter is to be seen.
        auto* group = page->findChild<QToolButton*>(QStringLiteral("groupRuns"));
        group->click();
        table->setFilterText(QStringLiteral("alpha"));
        auto* filter = table->findChild<QLineEdit*>();
        QVERIFY(filter->isVisible());
        const QAbstractItemModel* tree = page->tree()->model();
        const auto leaves = [tree] {
            int count = 0;
            const std::function<void(const QModelIndex&)> walk = [&](const QModelIndex& at) {
                const int rows = tree->rowCount(at);
                count += at.isValid() && rows == 0 ? 1 : 0;
                for (int row = 0; row < rows; ++row)
                    walk(tree->index(row, 0, at));
            };
            walk({});
            return count;
        };
        QTRY_COMPARE_WITH_TIMEOUT(leaves(), 1, kHangMs);
        QVERIFY(page->tree()->selectionModel()->hasSelection());
        filter->setFocus();
        QTest::keyClick(filter, Qt::Key_Down);
        QCOMPARE(window.focusWidget(), page->tree());
        table->setFilterText({});
        QTRY_COMPARE_WITH_TIMEOUT(leaves(), 2, kHangMs);
        QCOMPARE(table->selectedSourceRows().size(), 1);
        page->tree()->selectAll();
        QCOMPARE(table->selectedSourceRows().size(), 2);
        group->click();
        // Nothing that is hidden stays selected, shown or to be put away.
        page->showStudy(library.folder.filePath(QStringLiteral("studies/alpha")));
        QTRY_COMPARE_WITH_TIMEOUT(page->properties().pairs.isEmpty(), false, kHangMs);
        const auto* nothing = table->findChild<QLabel*>(QStringLiteral("nothingMatches"));
        const auto* found = table->findChild<QLabel*>(QStringLiteral("filterFound"));
        QVERIFY(nothing->isHidden() && found->isHidden());
        // A figure is one of a column that is to be seen, and not a part of another: every date
        // has a 2.
        table->setFilterText(QStringLiteral("2"));
        QCOMPARE(found->text(), QStringLiteral("1 of 2"));
        QVERIFY(!found->isHidden());
        QCOMPARE(table->proxy()->index(0, RunTableModel::Workers).data().toString(),
                 QStringLiteral("2"));
        table->setFilterText(QStringLiteral("202"));
        QCOMPARE(table->proxy()->rowCount(), 0);
        table->setFilterText(QString::number(QDate::currentDate().year()));
        QCOMPARE(table->proxy()->rowCount(), 2);
        table->setFilterText(QStringLiteral("gamma"));
        QVERIFY(!nothing->isHidden());
        QVERIFY(!enabled());
        QVERIFY(!again->isEnabled());
        QVERIFY(page->properties().pairs.isEmpty());
        // Asked for from elsewhere, it is shown whatever the filter.
        page->showStudy(library.folder.filePath(QStringLiteral("studies/beta")));
        QTRY_VERIFY_WITH_TIMEOUT(page->selectedStudyDir().endsWith(QLatin1String("beta")), kHangMs);
        QVERIFY(table->filterText().isEmpty());
    }

    /// A run that cannot be read shows its own files and nothing of the one before it.
    void damagedRunShowsItself()
    {
        TemporaryLibrary library;
        library.create({1}, QStringLiteral("sound"));
        const Study damaged = library.create({2}, QStringLiteral("torn"));
        RunDetail detail;
        detail.show(
            loadRunDetail({library.folder.filePath(QStringLiteral("studies/sound/runs/")) +
                           QDir(library.folder.filePath(QStringLiteral("studies/sound/runs")))
                               .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                               .first()},
                          [] { return true; }));
        QVERIFY(detail.data().hasPlan);
        const QString dir = damaged.runs.first().runDir;
        QFile file(dir + QStringLiteral("/run.json"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{") > 0);
        file.close();
        const RunDetailData read = loadRunDetail({dir}, [] { return true; });
        QVERIFY(read.study.runs.isEmpty() && !read.unreadable.isEmpty());
        detail.show(read);
        auto tables = detail.findChildren<DataTable*>();
        tables.removeIf([](const DataTable* table) {
            return !qobject_cast<KeyValueModel*>(table->proxy()->sourceModel());
        });
        QCOMPARE(tables.size(), 3);
        for (const DataTable* table : std::as_const(tables)) {
            const QAbstractItemModel* rows = table->proxy();
            if (table->view()->accessibleName() != QLatin1String("Files")) {
                QCOMPARE(rows->rowCount(), 0);
                continue;
            }
            QCOMPARE(rows->index(0, 1).data().toString(), dir);
            QVERIFY(rows->rowCount() > 1);
        }
        QVERIFY2(!detail.currentChart()->chart().emptyText.contains(QLatin1String("Results page")),
                 qPrintable(detail.currentChart()->chart().emptyText));
    }

    /// Results of others have no plan to run again.
    void importedIsNotPlannedAgain()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library, QStringLiteral("results")));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        ResultsPage* page = window.page<ResultsPage>();
        window.session()->library()->importResults(
            {QStringLiteral(SB_SOURCE_DIR "/tests/launcher/import/fixtures/tree")});
        QTRY_VERIFY_WITH_TIMEOUT(!page->properties().pairs.isEmpty(), kHangMs);
        const RunSummary first = window.session()->library()->runs().first();
        page->showRuns({first.runDir}); // of several studies something else is said
        QTRY_COMPARE_WITH_TIMEOUT(page->properties().title, first.runId, kHangMs);
        const auto* again = page->findChild<QPushButton*>(QStringLiteral("runAgain"));
        QVERIFY(!again->isEnabled());
        QVERIFY2(again->toolTip().contains(QStringLiteral("no plan")),
                 qPrintable(again->toolTip()));
        // Nor an environment, which is said in its place.
        for (const DataTable* table : page->findChildren<DataTable*>())
            if (table->view()->accessibleName() == QLatin1String("Environment"))
                QVERIFY(table->proxy()->index(0, 1).data().toString().contains(u"imported"));
    }
};

SB_WATCHED_TEST_MAIN(ResultsPageTest)
#include "results_page_test.moc"
