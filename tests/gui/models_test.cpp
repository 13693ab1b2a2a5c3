// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/gui_fixture.h"

#include "base/duration_text.h"
#include "models/key_value_model.h"
#include "models/roles.h"
#include "models/run_queue_model.h"
#include "models/run_table_model.h"
#include "models/run_tree_model.h"
#include "models/speedup_model.h"
#include "models/sweep_model.h"
#include "settings/app_settings.h"
#include "widgets/data_table.h"
#include "widgets/log_view.h"
#include "widgets/widgets.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QJsonArray>
#include <QJsonObject>
#include <QSignalSpy>

using namespace scalebench;
using namespace scalebench::test;

class ModelsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void queueFollowsItsStudy()
    {
        Study study = inventedStudy({1, 2});
        study.runs[1].state = RunState::Running;
        RunQueueModel model;
        QAbstractItemModelTester tester(&model);
        model.setStudy(&study);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, RunQueueModel::Run).data().toString(), QStringLiteral("1 worker"));
        QCOMPARE(model.index(0, RunQueueModel::Progress).data(kProgressRole).toDouble(), 1.0);
        QCOMPARE(model.index(1, RunQueueModel::State).data(kChipRole).toString(),
                 QStringLiteral("accent"));
        QSignalSpy spy(&model, &QAbstractItemModel::dataChanged);
        model.refreshRow(1);
        model.refreshRow(7); // out of range: nothing
        QCOMPARE(spy.size(), 1);
        model.setStudy(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    /// While a run goes on the last quality is news; of what ended the best counts.
    void lastAndBestQuality()
    {
        Study study = inventedStudy({1});
        study.runs[0].evals[0].value = 0.9;
        study.runs[0].evals.last().value = 0.7;
        RunQueueModel queue;
        queue.setStudy(&study);
        const auto head = [](const QAbstractItemModel& model, int column) {
            return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        };
        QCOMPARE(head(queue, RunQueueModel::Quality), QStringLiteral("Last quality"));
        QCOMPARE(queue.index(0, RunQueueModel::Quality).data().toString(),
                 QStringLiteral("70.0 %"));
        QCOMPARE(study.runs[0].bestQuality(), 0.9);
        QCOMPARE(head(RunTableModel(), RunTableModel::Quality), QStringLiteral("Best quality"));
    }

    /// A column that would say the same in each row is not shown.
    void seriesHaveAColumnWhereThereAreSeveral()
    {
        QList<SpeedupRow> rows = speedupTable(inventedStudy({1, 2}).runs);
        SpeedupModel model;
        model.setRows(rows);
        QVERIFY(model.idleColumns().contains(SpeedupModel::Group));
        rows[1].group = QStringLiteral("bf16");
        model.setRows(rows);
        QVERIFY(!model.idleColumns().contains(SpeedupModel::Group));
        QCOMPARE(model.index(1, SpeedupModel::Group).data().toString(), QStringLiteral("bf16"));
    }

    void runsAsATree()
    {
        QList<RunSummary> runs(5);
        const int workers[] = {1, 1, 2, 2, 4};
        for (int i = 0; i < 5; ++i) {
            runs[i].runDir = QStringLiteral("run%1").arg(i);
            runs[i].workload = QStringLiteral("resnet");
            runs[i].scale = QStringLiteral("desk");
            runs[i].machine = i < 4 ? QStringLiteral("lab") : QString();
            runs[i].workers = workers[i];
            runs[i].repeat = i + 1;
            runs[i].state = i == 3 ? RunState::Failed : RunState::Completed;
            runs[i].createdMs = i;
        }
        RunTreeModel model;
        QAbstractItemModelTester tester(&model);
        model.setRuns(runs);
        QCOMPARE(model.rowCount(), 2); // what has no machine comes last
        const QModelIndex lab = model.index(0, 0);
        QCOMPARE(lab.data().toString(), QStringLiteral("lab"));
        QCOMPARE(model.index(0, RunTreeModel::State).data().toString(),
                 QStringLiteral("3 of 4 runs completed"));
        const QModelIndex resnet = model.index(0, 0, lab);
        QCOMPARE(resnet.data().toString(), QStringLiteral("Image classification, desk"));
        QCOMPARE(model.rowCount(resnet), 2);
        const QModelIndex two = model.index(1, 0, resnet);
        QCOMPARE(two.data().toString(), QStringLiteral("2 workers"));
        QCOMPARE(model.runDirs(two), (QStringList{QStringLiteral("run3"), QStringLiteral("run2")}));
        QCOMPARE(model.runDirs(lab).size(), 4);
        const QModelIndex run = model.indexOf(QStringLiteral("run1"));
        QCOMPARE(run.parent().data().toString(), QStringLiteral("1 worker"));
        QCOMPARE(run.data(kIdRole).toString(), QStringLiteral("run1"));
        QVERIFY(!model.indexOf(QStringLiteral("none")).isValid());
        model.setRuns({});
        QCOMPARE(model.rowCount(), 0);
    }

    void runTableSortsByValue()
    {
        QList<RunSummary> runs(3);
        const double times[] = {100, 9, 20};
        for (int i = 0; i < 3; ++i) {
            runs[i].runDir = QString::number(i);
            runs[i].timeToTrainS = times[i];
            runs[i].workload = QStringLiteral("resnet");
        }
        RunTableModel model;
        QAbstractItemModelTester tester(&model);
        model.setRuns(runs);
        DataTable table(QString(), QStringLiteral("runs"), true);
        table.setModel(&model);
        table.view()->sortByColumn(RunTableModel::TimeToTrain, Qt::AscendingOrder);
        QCOMPARE(table.proxy()->index(0, 0).data(kIdRole).toString(), QStringLiteral("1"));
        QCOMPARE(table.proxy()->index(2, 0).data(kIdRole).toString(), QStringLiteral("0"));
        table.selectSourceRow(2);
        QCOMPARE(table.selectedSourceRows(), QList<int>{2});
        table.copySelection();
        const QStringList lines =
            QApplication::clipboard()->text().trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[1].split(QLatin1Char('\t')).contains(QLatin1String("20")));
        auto* filter = table.findChild<QLineEdit*>();
        filter->setText(QStringLiteral("no such run"));
        QCOMPARE(table.proxy()->rowCount(), 0);
        // Every word, in any column and order, whatever the case.
        filter->setText(QStringLiteral("  WAITING 20.0 "));
        QCOMPARE(table.proxy()->rowCount(), 1);
        filter->setText(QStringLiteral("waiting failed"));
        QCOMPARE(table.proxy()->rowCount(), 0);
        filter->clear();
        QCOMPARE(table.proxy()->rowCount(), 3);
    }

    void sweepMatrix()
    {
        QLocale::setDefault(QLocale::c());
        SweepModel model;
        QAbstractItemModelTester tester(&model);
        SpeedupRow base;
        base.group = QStringLiteral("a");
        base.workers = 1;
        base.efficiency = base.throughputRatio = 1;
        base.rateBaseline = true;
        base.runs = 1;
        base.baseline = true;
        SpeedupRow good = base, onNodes = base, missed = base;
        good.baseline = false;
        good.workers = 2;
        good.efficiency = 0.85;
        onNodes = good;
        onNodes.nodes = 2;
        onNodes.efficiency = 0.4;
        missed.group = QStringLiteral("b");
        missed.baseline = false;
        missed.runs = 0;
        missed.notConverged = 1;
        missed.efficiency = qQNaN();
        SpeedupRow missedToo = missed;
        missedToo.workers = 2;
        missedToo.throughputRatio = 1.2;
        model.setRows({base, good, onNodes, missed, missedToo});
        QVERIFY(model.isWorthwhile());
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.columnCount(), 4);
        const auto text = [&](int row, int column) {
            return model.index(row, column).data().toString();
        };
        const auto chip = [&](int row, int column) {
            return model.index(row, column).data(kChipRole).toString();
        };
        QCOMPARE(model.headerData(3, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("2 workers on 2 nodes"));
        QCOMPARE(text(0, 2), QStringLiteral("85 %"));
        QVERIFY(!model.index(1, 3).data(kSortRole).isValid()); // what is not known is no number
        QCOMPARE(chip(0, 2), QStringLiteral("good"));
        QCOMPARE(text(0, 3), QStringLiteral("40 %"));
        QCOMPARE(chip(0, 3), QStringLiteral("bad"));
        QCOMPARE(text(1, 2), QStringLiteral("~ 60 %")); // by samples/s
        QCOMPARE(chip(1, 2), QStringLiteral("warn"));
        QCOMPARE(text(1, 3), QStringLiteral("–"));
        SpeedupRow unknown = base; // of no scale, so of no column
        unknown.workers = 0;
        model.setRows({base, good, unknown});
        QCOMPARE(model.columnCount(), 3);
        SpeedupModel rows;
        rows.setRows({unknown});
        QCOMPARE(rows.index(0, SpeedupModel::Workers).data().toString(), QStringLiteral("–"));
        model.setRows({base, good});
        QVERIFY(!model.isWorthwhile());
        model.setRows({});
        QCOMPARE(model.rowCount(), 0);
    }

    /// A column's times and intervals are in one unit.
    void timesInOneUnit()
    {
        SpeedupRow row;
        row.runs = 2;
        row.meanTimeS = 633;
        row.timeLowS = 578.4;
        row.timeHighS = 686.9;
        SpeedupRow faster = row;
        faster.meanTimeS = 345.5;
        faster.timeLowS = 0;
        SpeedupModel model;
        const auto text = [&model](int line, int column) {
            return model.index(line, column).data().toString();
        };
        model.setRows({row, faster});
        QCOMPARE(text(0, SpeedupModel::Time), QStringLiteral("10 min 33 s"));
        QCOMPARE(text(0, SpeedupModel::Interval), QStringLiteral("9 min 38 s – 11 min 27 s"));
        QCOMPARE(text(1, SpeedupModel::Time), QStringLiteral("5 min 46 s"));
        QCOMPARE(text(1, SpeedupModel::Interval), QStringLiteral("0 s – 11 min 27 s"));
        model.setRows({faster});
        QCOMPARE(text(0, SpeedupModel::Time), QStringLiteral("345.5 s"));
    }

    void csvUsesPointsInAnyLocale()
    {
        QLocale::setDefault(QLocale(QLocale::German));
        SpeedupModel model;
        QAbstractItemModelTester tester(&model);
        model.setRows(speedupTable(inventedStudy({1, 2}).runs));
        DataTable table(QString(), QStringLiteral("speedup"), false);
        table.setModel(&model);
        const QByteArray csv = table.csv();
        QLocale::setDefault(QLocale::c());
        const QString speedup =
            QString::number(model.rows()[1].speedup, 'g', QLocale::FloatingPointShortest);
        QVERIFY2(csv.contains(speedup.toUtf8()), csv.constData());
    }

    /// What no run told is nothing in a file, not 0; counts have no groups of thousands.
    void csvOfTheUnknown()
    {
        QList<RunSummary> runs(1);
        runs[0].globalBatch = 2048;
        runs[0].timeToTrainS = 630;
        QLocale::setDefault(QLocale(QLocale::German));
        RunTableModel model;
        model.setRuns(runs);
        DataTable table(QString(), QStringLiteral("unknown"), false);
        table.setModel(&model);
        const QList<QByteArray> lines = table.csv().trimmed().split('\n');
        QLocale::setDefault(QLocale::c());
        QCOMPARE(lines.size(), 2);
        const QList<QByteArray> heads = lines[0].trimmed().split(','),
                                cells = lines[1].trimmed().split(',');
        QCOMPARE(cells.size(), heads.size());
        const auto cell = [&](const char* head) { return cells.value(heads.indexOf(head)); };
        for (const char* unknown : {"Best quality", "Target", "Epochs", "Samples/s", "Started"}) {
            QVERIFY2(heads.contains(unknown), unknown);
            QCOMPARE(cell(unknown), QByteArray());
        }
        QCOMPARE(cell("Time (s)"), QByteArray("630"));
        QCOMPARE(cell("Batch"), QByteArray("2048"));
    }

    void jsonBecomesRows()
    {
        KeyValueModel model;
        QAbstractItemModelTester tester(&model);
        model.setJson(QJsonObject{{QStringLiteral("a"), QJsonObject{{QStringLiteral("b"), 2}}},
                                  {QStringLiteral("c"), QJsonArray{1, 2}},
                                  {QStringLiteral("d"), true}});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("a › b"));
        QCOMPARE(model.index(1, 1).data().toString(), QStringLiteral("1, 2"));
    }

    void logFiltersAndSplits()
    {
        LogView log;
        log.append(QStringLiteral("1 worker"), QStringLiteral("launcher"),
                   QStringLiteral("all is well\nmpirun noticed that a rank failed\n"));
        QCOMPARE(log.shownText().count(QLatin1Char('\n')), 1);
        log.setErrorsOnly(true);
        QVERIFY(!log.shownText().contains(QLatin1String("all is well")));
        QVERIFY(log.shownText().contains(QLatin1String("rank failed")));
    }

    void settingsSurvive()
    {
        auto& settings = AppSettings::instance();
        settings.setExportScale(3);
        settings.setTheme(ThemeChoice::Dark);
        settings.setViewState(QStringLiteral("t"), "state");
        settings.setWindow("geometry", "docks");
        settings.sync();
        const QSettings again;
        QCOMPARE(again.value(QStringLiteral("export/scale")).toInt(), 3);
        QCOMPARE(again.value(QStringLiteral("appearance/theme")).toString(),
                 QStringLiteral("dark"));
        QCOMPARE(settings.viewState(QStringLiteral("t")), QByteArray("state"));
        settings.resetLayout();
        QVERIFY(settings.viewState(QStringLiteral("t")).isEmpty());
        QVERIFY(settings.windowState().isEmpty());
        settings.setLastFolder(QStringLiteral("/proc/1")); // no dialog begins there
        QCOMPARE(settings.lastFolder(), QDir::homePath());
        settings.setLastFolder(QStringLiteral("/dev/shm"));
        QCOMPARE(settings.lastFolder(), QStringLiteral("/dev/shm"));
        settings.setExportScale(99); // damaged values are brought back into range
        QCOMPARE(settings.exportScale(), 4);
    }

    void durations()
    {
        QCOMPARE(durationText(4433), QStringLiteral("1 h 14 min")); // rounded, not cut
        QCOMPARE(durationRangeText(-1), QString());
        QCOMPARE(estimateVerdictText(100, 100),
                 QStringLiteral("took 1 min 40 s, as first estimated"));
        QCOMPARE(estimateVerdictText(50, 60),
                 QStringLiteral("took 1 min 0 s, 20 % longer than first estimated"));
        QCOMPARE(estimateVerdictText(80, 40),
                 QStringLiteral("took 40 s, 50 % less than first estimated"));
        QCOMPARE(durationRangeText(4), QStringLiteral("less than 10 s"));
        QVERIFY(durationRangeText(60).contains(QLatin1String(" s")));
        QVERIFY(durationRangeText(900).contains(QLatin1String("min")));
        QVERIFY(durationRangeText(90000).contains(QLatin1Char('h')));
    }
};

QTEST_MAIN(ModelsTest)
#include "models_test.moc"
