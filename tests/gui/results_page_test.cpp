// SPDX-License-Identifier: GPL-3.0-or-later
// The library on the Results page: put away, dropped, tagged, gone, and all of it taken back.
#include "gui/gui_fixture.h"
#include "gui/window_fixture.h"
#include "support/launcher_fixture.h"

#include "app/main_window.h"
#include "dialogs/annotation_dialog.h"
#include "models/run_table_model.h"
#include "pages/results/results_page.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

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
            QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton,
                             Qt::NoModifier);
            QCoreApplication::sendEvent(&window, &event);
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
        QTRY_VERIFY_WITH_TIMEOUT(view->selectionModel()->hasSelection(), kHangMs);
        const int rows = view->model()->rowCount();
        drop({QStringLiteral(SB_SOURCE_DIR "/tests/launcher/import/fixtures/tree")});
        QTRY_VERIFY_WITH_TIMEOUT(bar->text().contains(QStringLiteral("There already")), kHangMs);
        QCOMPARE(view->model()->rowCount(), rows);
        // A plan is opened, a study's folder shown.
        library.create({1}, QStringLiteral("own"));
        drop({library.folder.filePath(QStringLiteral("studies/own"))});
        QTRY_VERIFY_WITH_TIMEOUT(window.live()->hasStudy(), kHangMs);
        QCOMPARE(window.live()->study().id, QStringLiteral("own"));
        drop({library.folder.filePath(QStringLiteral("studies/own/study.json"))});
        QTRY_COMPARE_WITH_TIMEOUT(window.page(), QString(page_id::kPlan), kHangMs);
        drop({library.folder.filePath(QStringLiteral("gone.txt"))});
        QTRY_VERIFY_WITH_TIMEOUT(bar->text().contains(QStringLiteral("skipped")), kHangMs);
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
        window.showPage(page_id::kResults);
        QVERIFY(undo->isEnabled());
        undo->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(edited->trash().size(), 0, kHangMs);
        QTRY_COMPARE_WITH_TIMEOUT(tags(), good, kHangMs);
        actionOf(window, QStringLiteral("Redo move to the trash"))->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(edited->trash().size(), 1, kHangMs);
    }

private:
};

SB_WATCHED_TEST_MAIN(ResultsPageTest)
#include "results_page_test.moc"
