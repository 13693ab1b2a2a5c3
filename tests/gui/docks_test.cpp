// SPDX-License-Identifier: GPL-3.0-or-later
// The docks of the machine and of properties: what they say, where they are, when they look.
#include "gui/geometry.h"
#include "gui/gui_fixture.h"
#include "gui/window_fixture.h"
#include "support/launcher_fixture.h"

#include "app/machine_dock.h"
#include "app/main_window.h"
#include "app/properties_dock.h"

#include "machine/live_use.h"
#include "models/key_value_model.h"
#include "models/process_model.h"
#include "models/roles.h"
#include "models/run_queue_model.h"
#include "pages/results/results_page.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "settings/app_settings.h"
#include "widgets/data_table.h"
#include "widgets/queue_columns.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QMenuBar>
#include <QProgressBar>

using namespace scalebench;
using namespace scalebench::test;

namespace {

LiveUse busyComputer()
{
    LiveUse use;
    use.processors = 4;
    use.busyProcessors = 3.2;
    use.memoryBytes = 8LL << 30;
    use.memoryUsedBytes = 2LL << 30;
    use.processes = {{41, QStringLiteral("scalebench-engi"), QStringLiteral("me"), 2.0, 100, {1}},
                     {42, QStringLiteral("compile"), QStringLiteral("you"), 1.2, 5000, {}}};
    use.gpus = {{QStringLiteral("Some GPU"), 0.25, 1e9, 4e9, 120, 50}, {QStringLiteral("Other")}};
    return use;
}

QStringList textsOf(const QWidget& widget)
{
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        texts << label->text() << label->accessibleName();
    return texts;
}

} // namespace

class DocksTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        initGuiTest();
        useFakeEngine("ok", 4, 20);
    }

    void processesInTheirOrder()
    {
        ProcessModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const LiveUse use = busyComputer();
        model.setProcesses(use.processes, {});
        QCOMPARE(model.rowCount(), 2);
        const auto text = [&model](int row, int column) {
            return model.index(row, column).data().toString();
        };
        QCOMPARE(text(0, ProcessModel::Work), QStringLiteral("Scalebench"));
        QCOMPARE(text(1, ProcessModel::Work), QStringLiteral("other work"));
        QCOMPARE(text(0, ProcessModel::Gpu), QStringLiteral("1"));
        QCOMPARE(model.foreignProcessors(), 3.2); // another run of ours disturbs as well
        QCOMPARE(model.index(1, ProcessModel::Processors).data(kSortRole).toDouble(), 1.2);
        // The study's own workers are no other work, whatever they are called.
        model.setProcesses(use.processes, {42});
        QCOMPARE(text(1, ProcessModel::Work), QStringLiteral("this study"));
        QCOMPARE(model.foreignProcessors(), 2.0);
        model.setProcesses(use.processes.mid(1), {});
        QCOMPARE(text(0, ProcessModel::Process), QStringLiteral("compile"));
        model.setProcesses({}, {});
        QCOMPARE(model.rowCount(), 0);
    }

    /// Nothing of the queue is cut in a window of 1280 pixels, whatever comes into its columns.
    void theQueueFitsItsDock()
    {
        Study study = inventedStudy({1, 2, 4});
        RunQueueModel model;
        DataTable table(QString(), QStringLiteral("queue"), false);
        table.setModel(&model);
        const QTableView* view = table.view();
        auto* columns = new QueueColumns(table.view());
        connect(&model, &QAbstractItemModel::modelReset, columns, &QueueColumns::size);
        table.resize(1190, 200);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        model.setStudy(&study);
        study.runs[1].state = RunState::NotConverged;
        model.refreshRow(1);
        for (int row = 0; row < model.rowCount(); ++row)
            for (int column = 0; column < RunQueueModel::ColumnCount; ++column)
                QVERIFY2(view->columnWidth(column) >=
                             view->fontMetrics().horizontalAdvance(
                                 model.index(row, column).data().toString()),
                         qPrintable(QString::number(column)));
        QCOMPARE(view->horizontalHeader()->length(), view->viewport()->width());
    }

    /// A table that is filled anew every second stays where it was scrolled.
    void newsOfTheSameThingsDoNotReset()
    {
        KeyValueModel model;
        int resets = 0, changes = 0;
        connect(&model, &QAbstractItemModel::modelReset, this, [&resets] { ++resets; });
        connect(&model, &QAbstractItemModel::dataChanged, this, [&changes] { ++changes; });
        model.setPairs({{QStringLiteral("a"), QStringLiteral("1")}});
        model.setPairs({{QStringLiteral("a"), QStringLiteral("2")}});
        QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("2"));
        QCOMPARE(resets, 1);
        QCOMPARE(changes, 1);
        model.setPairs({{QStringLiteral("b"), QStringLiteral("2")}});
        QCOMPARE(resets, 2);
    }

    void theMachineAsItIs()
    {
        TemporaryLibrary library;
        Session session({library.folder.path(), true});
        MachineDock dock(&session);
        dock.setLooking(false);
        dock.resize(400, 500);
        dock.show();
        dock.showUse(busyComputer());
        const auto bars = dock.findChildren<QProgressBar*>();
        QCOMPARE(bars.size(), 4);
        QCOMPARE(bars[0]->value(), 800);
        QCOMPARE(bars[1]->value(), 250);
        QCOMPARE(bars[2]->value(), 250);
        QCOMPARE(bars[3]->value(), 0); // its use is not told
        const QString all = textsOf(dock).join(u'\n');
        for (const char* said : {"3.2 of 4", "2.0 GiB of 8.0 GiB", "25 % ", "120 W", "50 °C",
                                 "Other work keeps 3.2 processors busy", "In use: GPU 1."})
            QVERIFY2(all.contains(QString::fromUtf8(said)), said);
        LiveUse quiet = busyComputer();
        quiet.gpus.clear();
        quiet.processes.clear();
        dock.showUse(quiet);
        QCOMPARE(dock.findChildren<QProgressBar*>().size(), 2);
        QVERIFY(textsOf(dock).join(u'\n').contains(QStringLiteral("No other work")));
    }

    void itLooksOnlyWhileSeen()
    {
        TemporaryLibrary library;
        MainWindow window(commandFor(library));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        auto* dock = window.findChild<MachineDock*>();
        QVERIFY(dock && dock->isHidden());
        const auto* table = dock->findChild<DataTable*>();
        QTest::qWait(50);
        QCOMPARE(dock->findChildren<QProgressBar*>().size(), 0);
        actionOf(window, dock->windowTitle())->trigger();
        // This process itself works, and a second look tells how much.
        QTRY_VERIFY_WITH_TIMEOUT(dock->findChildren<QProgressBar*>().size() >= 2, kHangMs);
        QVERIFY(table->isVisible());
    }

    void placesAreKeptAndRestored()
    {
        TemporaryLibrary library;
        {
            MainWindow window(commandFor(library));
            window.show();
            QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
            auto* properties = window.findChild<PropertiesDock*>();
            actionOf(window, properties->windowTitle())->trigger();
            QVERIFY(properties->isVisible());
            // Asked for, it is the one of its place that is seen.
            auto* machine = window.findChild<MachineDock*>();
            actionOf(window, machine->windowTitle())->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(!machine->visibleRegion().isEmpty(), kHangMs);
            machine->setFloating(true);
            QVERIFY(window.close());
        }
        MainWindow again(commandFor(library));
        again.show();
        auto* machine = again.findChild<MachineDock*>();
        auto* properties = again.findChild<PropertiesDock*>();
        QVERIFY(properties->isVisible());
        QVERIFY(machine->isFloating());
        actionOf(again, QStringLiteral("Restore default layout"))->trigger();
        QVERIFY(!machine->isFloating());
        QVERIFY(machine->isHidden());
        QVERIFY(properties->isHidden());
        AppSettings::instance().resetLayout();
    }

    /// What is picked out on the page at the front, whichever that is.
    void properties()
    {
        TemporaryLibrary library;
        const Study study = library.create({1, 2}, QStringLiteral("of_two"));
        MainWindow window(commandFor(library));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.isLoaded(), kHangMs);
        auto* dock = window.findChild<PropertiesDock*>();
        actionOf(window, dock->windowTitle())->trigger();
        auto* model = dock->findChild<KeyValueModel*>();
        const auto value = [model](const QString& key) {
            for (const auto& [name, text] : model->pairs())
                if (name == key)
                    return text;
            return QString();
        };
        window.showPage(page_id::kResults);
        auto* results = window.page<ResultsPage>();
        results->showStudy(study.dir);
        // Both runs of the study that was asked for, however late it is read.
        QTRY_COMPARE_WITH_TIMEOUT(results->table()->selectedSourceRows().size(), 2, kHangMs);
        results->table()->selectSourceRow(0);
        QTRY_VERIFY_WITH_TIMEOUT(!value(QStringLiteral("run")).isEmpty(), kHangMs);
        const QString run = value(QStringLiteral("run"));
        QVERIFY(QFileInfo::exists(value(QStringLiteral("folder"))));
        QVERIFY(!value(QStringLiteral("settings › workload")).isEmpty());
        results->table()->selectSourceRow(1);
        QTRY_VERIFY_WITH_TIMEOUT(value(QStringLiteral("run")) != run, kHangMs);
        // Of several what tells them apart.
        results->table()->view()->selectAll();
        QTRY_VERIFY_WITH_TIMEOUT(value(QStringLiteral("run")).isEmpty(), kHangMs);
        QVERIFY(model->rowCount() > 0);
        // Another page has other things; Home has nothing.
        window.showPage(page_id::kPlan);
        QCOMPARE(value(QStringLiteral("workload")), QStringLiteral("resnet"));
        window.showPage(page_id::kMachines);
        QVERIFY(!value(QStringLiteral("system")).isEmpty());
        window.showPage(page_id::kHome);
        QCOMPARE(model->rowCount(), 0);
    }

private:
};

SB_WATCHED_TEST_MAIN(DocksTest)
#include "docks_test.moc"
#include "support/campaign.h"
