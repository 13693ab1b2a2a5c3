// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of several workloads and values: cards, chips, undo, and that looking loses nothing.
#include "gui/plan_page_fixture.h"

#include "library/plan_estimate.h"
#include "pages/plan/plan_page.h"
#include "pages/plan/plan_problems.h"
#include "study/workload_catalog.h"
#include "widgets/form_field.h"
#include "widgets/inline_bar.h"
#include "widgets/shape_matrix.h"
#include "widgets/worker_matrix.h"
#include "widgets/workload_card.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>
#include <QUndoStack>
#include <QWheelEvent>

using namespace scalebench;
using namespace scalebench::test;

class PlanMatrixTest : public QObject, private PlanPageFixture
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }
    void init() { openPage(); }

    void nothingIsLostByLooking_data()
    {
        QTest::addColumn<StudySpec>("spec");
        StudySpec spec;
        spec.precisions = {QStringLiteral("bf16"), QStringLiteral("fp32")};
        QTest::newRow("precisions in another order") << spec;
        spec = {};
        spec.precisions.clear();
        QTest::newRow("the recipe's precision") << spec;
        spec = {};
        spec.repeats = 400;
        spec.options.bucketMb = 4000;
        spec.globalBatch = 90'000'000;
        spec.threadsPerWorker = 2000;
        spec.options.checkpointEvery = 3;
        spec.options.collectiveTimeoutS = 7;
        QTest::newRow("large numbers") << spec;
        spec = {};
        spec.repeats = -3;
        spec.epochs = 400'000;
        spec.retries = 1000;
        spec.options.gradAccum = 5000;
        spec.order = QStringLiteral("backwards");
        spec.device = QStringLiteral("tpu");
        spec.batchPolicy = QStringLiteral("none");
        spec.options.allreduce = QStringLiteral("nccl");
        spec.model = QStringLiteral("resnet1000");
        spec.scale = QStringLiteral("moon");
        QTest::newRow("what is not possible") << spec;
        spec = {};
        spec.seed = 9'007'199'254'740'993;
        spec.target = 0.123456789;
        spec.learningRate = 0.0123456789;
        QTest::newRow("exact numbers") << spec;
        spec = {};
        spec.workers = {4, 1, 2};
        spec.batchPolicy = QStringLiteral("table");
        spec.batchTable = {{1, 64}, {2, 96}};
        QTest::newRow("order of the counts, table") << spec;
        spec = {};
        spec.shapes = {{1, 2}, {1, 1}};
        QTest::newRow("shapes here") << spec;
        spec = {};
        spec.settings.insert(QStringLiteral("optimizer.momentum"), {0.8, 0.9});
        spec.settings.insert(QStringLiteral("options.overlap"), {false, true});
        spec.settings.insert(QStringLiteral("precision"), {QStringLiteral("fp32")});
        spec.precisions.clear();
        spec.maxMinutes = 123456;
        spec.stopAfterTarget = true;
        QTest::newRow("settings and limits") << spec;
        QTest::newRow("several workloads") << severalWorkloads();
        spec = severalWorkloads();
        spec.workloads = {spec.workloads.last()};
        spec.workload = spec.workloads.first().workload;
        QTest::newRow("a list of one") << spec;
        spec = severalWorkloads();
        spec.workloads << WorkloadPlan{QStringLiteral("nosuch")};
        spec.workloads << WorkloadPlan{QStringLiteral("ncf"), QStringLiteral("lab")};
        QTest::newRow("an unknown one, one at two scales") << spec;
    }

    void nothingIsLostByLooking()
    {
        QFETCH(StudySpec, spec);
        m_page->setSpec(spec);
        m_page->setMachine(machineWith(8));
        start();
        QCOMPARE(m_page->spec(), spec);
        // An edit of one field leaves the others alone.
        m_page->setSpec(spec);
        auto* name = qobject_cast<QLineEdit*>(m_page->field(QStringLiteral("name"))->control());
        QVERIFY(name);
        name->setText(QStringLiteral("renamed"));
        spec.name = QStringLiteral("renamed");
        QCOMPARE(m_page->spec(), spec);
        // Through a file.
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("study.json"));
        const QByteArray json = QJsonDocument(spec.toJson()).toJson();
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(json);
        out.close();
        QVERIFY2(m_page->openFile(file), qPrintable(m_page->bar()->text()));
        QVERIFY(out.remove());
        m_page->save();
        QTRY_VERIFY_WITH_TIMEOUT(out.exists(), kHangMs);
        QVERIFY(out.open(QIODevice::ReadOnly));
        const auto written = StudySpec::fromJson(out.readAll(), file);
        QVERIFY(written);
        QCOMPARE(written.value(), StudySpec::fromJson(json, file).value());
    }

    void severalWorkloadsHaveTheirOwnSettings()
    {
        spin(QStringLiteral("epochs"))->setValue(7);
        QVERIFY(m_page->spec().workloads.isEmpty());
        QCOMPARE(m_page->spec().epochs, 7);
        card(QStringLiteral("ncf"))->ticked(QStringLiteral("ncf"), QStringLiteral("desk"), true);
        QCOMPARE(m_page->spec().workloadIds(),
                 (QStringList{QStringLiteral("resnet"), QStringLiteral("ncf")}));
        // What was the first one's stays its own; the second has its recipe's.
        QCOMPARE(m_page->spec().workloads[0].epochs, 7);
        QCOMPARE(m_page->spec().workloads[1], WorkloadPlan{QStringLiteral("ncf")});
        spin(QStringLiteral("epochs"))->setValue(3);
        QCOMPARE(m_page->spec().workloads[1].epochs, 3);
        QCOMPARE(m_page->spec().workloads[0].epochs, 7);
        spin(QStringLiteral("repeats"))->setValue(2);
        QCOMPARE(m_page->spec().repeats, 2);
        card(QStringLiteral("resnet"))->chosen(QStringLiteral("resnet"), QStringLiteral("desk"));
        QCOMPARE(spin(QStringLiteral("epochs"))->value(), 7);
        QTRY_VERIFY_WITH_TIMEOUT(m_start->isEnabled(), kHangMs);
        card(QStringLiteral("ncf"))->ticked(QStringLiteral("ncf"), QStringLiteral("desk"), false);
        StudySpec alone;
        alone.epochs = 7;
        alone.repeats = 2;
        QCOMPARE(m_page->spec(), alone);
    }

    void theRecipesValueBesideAStudysOwn()
    {
        StudySpec spec = severalWorkloads();
        spec.epochs = 9;
        m_page->setSpec(spec);
        spin(QStringLiteral("epochs"))->setValue(0); // of the first: its recipe's
        QCOMPARE(m_page->spec().split()[0].epochs, 0);
        QCOMPARE(m_page->spec().split()[1].epochs, spec.split()[1].epochs);
    }

    void chipsAreWhatTheRunsDifferIn()
    {
        const QString overlap = QStringLiteral("options.overlap");
        addSetting(overlap, {});
        QCOMPARE(m_page->spec().settings.value(overlap), (QList<QJsonValue>{false, true}));
        auto* chip = m_page->findChild<QToolButton*>(QStringLiteral("chip:options.overlap"));
        QVERIFY(chip);
        QCOMPARE(chip->text(), QStringLiteral("Overlap: off, on"));
        addSetting(QStringLiteral("schedule.base_lr"), QStringLiteral("0.1, 0.2,0.4"));
        start();
        // 2 worker counts x 2 x 3.
        QCOMPARE(m_page->findChild<QListView*>(QStringLiteral("runList"))->model()->rowCount(), 12);
        FormField* rate = m_page->field(QStringLiteral("learning_rate"));
        QVERIFY(!rate->control()->isEnabled());
        QVERIFY(visibleText(rate).contains(QLatin1String("varies")));
        // Changed, and taken away.
        m_page->findChild<QToolButton*>(QStringLiteral("chip:options.overlap"))->click();
        auto* dialog = m_page->findChild<QDialog*>(QStringLiteral("dimensionDialog"));
        QVERIFY(dialog);
        QCOMPARE(checkBoxes(dialog), (QStringList{QStringLiteral("off"), QStringLiteral("on")}));
        dialog->reject();
        m_page->findChild<QToolButton*>(QStringLiteral("close:schedule.base_lr"))->click();
        QVERIFY(rate->control()->isEnabled());
        QVERIFY(!m_page->spec().settings.contains(QStringLiteral("schedule.base_lr")));
        QVERIFY(m_page->spec().settings.contains(overlap));
    }

    /// Whatever part of study.json holds it.
    void fieldsOfEveryPartSayThatTheyVary()
    {
        addSetting(QStringLiteral("options.allreduce"), QStringLiteral("shm, mpi"));
        addSetting(QStringLiteral("options.bucket_mb"), QStringLiteral("2, 8"));
        for (const char* field : {"options.allreduce", "options.bucket_mb"}) {
            const FormField* form = m_page->field(QLatin1StringView(field));
            QVERIFY2(!form->control()->isEnabled(), field);
            QVERIFY2(visibleText(form).contains(QLatin1String("varies")), field);
        }
        QVERIFY(m_page->field(QStringLiteral("options.grad_accum"))->control()->isEnabled());
    }

    void precisionsAsAChipAndBack()
    {
        addSetting(QStringLiteral("precision"), QStringLiteral("fp32, bf16"));
        QVERIFY(m_page->spec().precisions.isEmpty()); // told once
        QCOMPARE(m_page->spec().settings.value(QStringLiteral("precision")).size(), 2);
        QVERIFY(!m_page->field(QStringLiteral("precisions"))->control()->isEnabled());
        m_page->findChild<QToolButton*>(QStringLiteral("close:precision"))->click();
        QCOMPARE(m_page->spec(), StudySpec());
    }

    void wrongValuesAreSaidInTheDialog()
    {
        m_page->findChild<QToolButton*>(QStringLiteral("addDimension"))->click();
        auto* dialog = m_page->findChild<QDialog*>(QStringLiteral("dimensionDialog"));
        QVERIFY(dialog);
        const auto edits = dialog->findChildren<QLineEdit*>();
        auto* add = dialog->findChild<QPushButton*>();
        const auto buttons = dialog->findChildren<QPushButton*>();
        for (QPushButton* button : buttons)
            add = button->isDefault() ? button : add;
        edits[0]->setText(QStringLiteral("optimizer.momentum"));
        const struct {
            QString typed, said;
        } cases[] = {{QStringLiteral("0.8, 2"), QStringLiteral("0.9999")},
                     {QStringLiteral("0.8,,0.9"), QStringLiteral("between two commas")},
                     {QStringLiteral("0.8, 0.8"), QStringLiteral("twice")},
                     {QStringLiteral("much"), QStringLiteral("number")}};
        for (const auto& [typed, said] : cases) {
            edits[1]->setText(typed);
            QVERIFY(!add->isEnabled());
            QStringList texts;
            const auto labels = dialog->findChildren<QLabel*>();
            for (const QLabel* label : labels)
                texts << label->text();
            QVERIFY2(texts.join(u'|').contains(said), qPrintable(texts.join(u'|')));
        }
        edits[1]->setText(QStringLiteral("0.8, 0.9"));
        QVERIFY(add->isEnabled());
        edits[0]->setText(QStringLiteral("no such setting"));
        QVERIFY(!add->isEnabled());
        dialog->reject();
    }

    void cellsThatAreLeftOutAreSaid()
    {
        StudySpec spec;
        spec.settings.insert(QStringLiteral("global_batch"), {128, 33});
        show(spec);
        auto* problems = m_page->findChild<PlanProblems*>();
        QVERIFY2(problems->text().contains(QLatin1String("Left out")),
                 qPrintable(problems->text()));
        QVERIFY(m_start->isEnabled());
        // Each stands behind the runs, and says its reason where those say their command.
        auto* list = m_page->findChild<QListView*>(QStringLiteral("runList"));
        const auto* preview = m_page->findChild<QPlainTextEdit*>(QStringLiteral("commandPreview"));
        QCOMPARE(list->model()->rowCount(), 4);
        const QModelIndex last = list->model()->index(3, 0);
        QCOMPARE(last.data().toString(), QStringLiteral("left out: resnet, 2 workers, batch 33"));
        list->setCurrentIndex(last);
        QVERIFY(preview->toPlainText().contains(
            QLatin1String("A batch of 33 cannot be divided evenly among 2 workers")));
        QVERIFY(!preview->toPlainText().contains(QLatin1String("mpirun")));
    }

    void manyRunsAreChosenForTheirCommand()
    {
        StudySpec spec;
        spec.repeats = 50;
        show(spec);
        auto* list = m_page->findChild<QListView*>(QStringLiteral("runList"));
        const auto* preview = m_page->findChild<QPlainTextEdit*>(QStringLiteral("commandPreview"));
        QVERIFY(!list->isHidden());
        QCOMPARE(list->model()->rowCount(), 100);
        const QModelIndex last = list->model()->index(99, 0);
        list->setCurrentIndex(last);
        QVERIFY(preview->toPlainText().contains(last.data().toString()));
        QVERIFY(preview->toPlainText().contains(QLatin1String("--seed 50"))); // that run alone
        spec.repeats = 1;
        spec.workers = {1};
        show(spec);
        QVERIFY(list->isHidden());
    }

    /// Tens of thousands of runs are planned beside the window's thread, and only the last plan
    /// that was asked for is shown.
    void manyThousandsOfRuns()
    {
        StudySpec spec;
        spec.repeats = 100;
        QList<QJsonValue> rates;
        for (int i = 1; i <= 50; ++i)
            rates << i * 0.01;
        spec.settings.insert(QStringLiteral("schedule.base_lr"), rates);
        m_page->setSpec(spec);
        auto* list = m_page->findChild<QListView*>(QStringLiteral("runList"));
        QVERIFY(!m_page->isChecked());
        spin(QStringLiteral("repeats"))->setValue(20);
        QSignalSpy started(m_page.get(), &PlanPage::startRequested);
        m_start->click(); // begins once the plan is checked
        QCOMPARE(started.size(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(started.size(), 1, 600'000);
        QCOMPARE(list->model()->rowCount(), 2000);
        spec.repeats = 2000; // two hundred thousand
        m_page->setSpec(spec);
        auto* problems = m_page->findChild<PlanProblems*>();
        QTRY_VERIFY_WITH_TIMEOUT(problems->text().contains(QLatin1String("is the most")), 600'000);
        QVERIFY(!m_start->isEnabled());
    }

    void editsAreUndone()
    {
        QUndoStack* stack = m_page->undoStack();
        auto* name = qobject_cast<QLineEdit*>(m_page->field(QStringLiteral("name"))->control());
        QTest::keyClicks(name, QStringLiteral("trial"));
        QCOMPARE(stack->count(), 1); // one field in a row
        m_page->findChild<WorkerMatrix*>()->button(4)->click();
        m_page->findChild<QToolButton*>(QStringLiteral("olympic"))->click();
        QCOMPARE(m_page->spec().repeats, 5);
        m_page->findChild<QPushButton*>(QStringLiteral("allWorkloads"))->click();
        const StudySpec all = m_page->spec();
        QCOMPARE(all.workloads.size(), WorkloadCatalog::instance().workloads().size());
        settle();
        QVERIFY(m_start->isEnabled());
        QCOMPARE(all.workers, (QList<int>{1, 2}));
        QVERIFY(m_page->isModified());
        QCOMPARE(stack->count(), 4);
        for (int i = 0; i < 4; ++i)
            m_page->undo();
        QCOMPARE(m_page->spec(), StudySpec());
        QVERIFY(name->text().isEmpty());
        QVERIFY(!m_page->isModified());
        for (int i = 0; i < 4; ++i)
            m_page->redo();
        QCOMPARE(m_page->spec(), all);
    }
};

SB_WATCHED_TEST_MAIN(PlanMatrixTest)
#include "plan_matrix_test.moc"
#include "support/campaign.h"
