// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/gui_fixture.h"

#include "launcher/workload_catalog.h"
#include "pages/plan/plan_estimate.h"
#include "pages/plan/plan_page.h"
#include "pages/plan/plan_problems.h"
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

class PlanPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void init()
    {
        m_page = std::make_unique<PlanPage>();
        m_page->setMachine(machineWith(4));
        m_start = m_page->findChild<QPushButton*>(QStringLiteral("startButton"));
    }

    void readyFromTheFirstMoment()
    {
        QVERIFY(m_start->isEnabled());
        QCOMPARE(m_page->spec().workers, (QList<int>{1, 2}));
        QSignalSpy spy(m_page.get(), &PlanPage::startRequested);
        m_start->click();
        QCOMPARE(spy.size(), 1);
        const auto spec = spy[0][0].value<StudySpec>();
        QCOMPARE(spec.name, QStringLiteral("Image classification, desk, 1 and 2 workers"));
        const auto* preview = m_page->findChild<QPlainTextEdit*>(QStringLiteral("commandPreview"));
        QVERIFY(preview->toPlainText().contains(QLatin1String("mpirun")));
        QCOMPARE(preview->toPlainText().split(QLatin1Char('\n')).size(), 2);
    }

    void eachMistakeIsBesideItsField_data()
    {
        QTest::addColumn<QString>("field");
        QTest::newRow("no workers") << QStringLiteral("workers");
        QTest::newRow("batch not divisible") << QStringLiteral("global_batch");
        QTest::newRow("data missing") << QStringLiteral("data");
        QTest::newRow("cuda without driver") << QStringLiteral("device");
    }

    void eachMistakeIsBesideItsField()
    {
        QFETCH(QString, field);
        StudySpec spec;
        if (field == QLatin1String("workers"))
            spec.workers.clear();
        else if (field == QLatin1String("global_batch"))
            spec.globalBatch = 33;
        else if (field == QLatin1String("data"))
            spec.data = QStringLiteral("/no/such/folder");
        else
            spec.device = QStringLiteral("cuda");
        MachineInfo machine = machineWith(4);
        machine.cudaReason = QStringLiteral("the NVIDIA driver is not loaded");
        m_page->setMachine(machine);
        m_page->setSpec(spec);
        QVERIFY(!m_start->isEnabled());
        QVERIFY2(!m_page->field(field)->message().isEmpty(), qPrintable(field));
        QSignalSpy spy(m_page.get(), &PlanPage::startRequested);
        m_page->start();
        QVERIFY(spy.isEmpty());
        m_page->setSpec(StudySpec());
        QVERIFY(m_start->isEnabled());
        QVERIFY(m_page->field(field)->message().isEmpty());
    }

    void tooManyWorkersAreNotOffered()
    {
        auto* matrix = m_page->findChild<WorkerMatrix*>();
        QVERIFY(matrix->button(4)->isEnabled());
        QVERIFY(!matrix->button(8)->isEnabled());
        QVERIFY(matrix->button(8)->toolTip().contains(QLatin1String("4 cores")));
        StudySpec spec;
        spec.oversubscribe = true;
        m_page->setSpec(spec);
        QVERIFY(matrix->button(8)->isEnabled());
    }

    void missingEngineNamesTheFix()
    {
        MachineInfo machine = machineWith(4);
        machine.enginePath.clear();
        m_page->setMachine(machine);
        bool found = false;
        const auto bars = m_page->findChildren<InlineBar*>();
        for (const InlineBar* bar : bars)
            found |= bar->text().contains(QLatin1String("packaging/quickstart"));
        QVERIFY(found);
    }

    void recommendationsCanBePlanned()
    {
        StudySpec spec;
        spec.workload = QStringLiteral("ncf");
        spec.target = 0.7;
        spec.data = QStringLiteral("generated");
        m_page->setSpec(spec);
        QVERIFY(m_start->isEnabled());
        QVERIFY(std::abs(*m_page->spec().target - 0.7) < 1e-12);
        spec.target.reset();
        spec.data.clear();
        m_page->setSpec(spec);
        QStringList hints;
        const auto edits = m_page->findChildren<QLineEdit*>();
        for (const QLineEdit* edit : edits)
            hints << edit->placeholderText();
        QVERIFY2(hints.contains(QStringLiteral("preset: 79 %")), qPrintable(hints.join(u'|')));
        QVERIFY(hints.filter(QStringLiteral("u.data")).size() == 1);
    }

    void plansSurviveSaveAndOpen()
    {
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("study.json"));
        StudySpec spec;
        spec.name = QStringLiteral("Mine");
        spec.workers = {1, 4};
        spec.repeats = 3;
        spec.seed = 9;
        spec.target = 0.5;
        spec.precisions = {QStringLiteral("fp32"), QStringLiteral("bf16")};
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(QJsonDocument(spec.toJson()).toJson());
        out.close();
        QVERIFY(m_page->openFile(file));
        QCOMPARE(m_page->spec().workers, spec.workers);
        QCOMPARE(m_page->spec().precisions, spec.precisions);
        QCOMPARE(m_page->spec().repeats, 3);
        QCOMPARE(m_page->spec().seed, 9U);
        QVERIFY(std::abs(*m_page->spec().target - 0.5) < 1e-12);
        QVERIFY(m_page->save());
        QVERIFY(!m_page->isModified());
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write("{\"format\":\"scalebench.study\",\"version\":1,\"workload\":\"resnet\","
                  "\"wrokers\":[1]}");
        out.close();
        QVERIFY(!m_page->openFile(file));
        QVERIFY(m_page->bar()->text().contains(QLatin1String("wrokers")));
    }

    void hostsOfferShapes()
    {
        useHosts(QStringLiteral("node1:4, node2:4, node3:2"));
        auto* matrix = m_page->findChild<ShapeMatrix*>();
        QVERIFY(!matrix->isHidden());
        QVERIFY(m_page->field(QStringLiteral("workers"))->isHidden());
        // What was planned here, on as few hosts as hold it.
        QCOMPARE(m_page->spec().shapes, (QList<Shape>{{1, 1}, {1, 2}}));
        QCOMPARE(m_page->spec().machine, QStringLiteral("lab"));
        // The third host has two slots only.
        QVERIFY(matrix->button({2, 4})->isEnabled());
        QVERIFY(!matrix->button({3, 4})->isEnabled());
        QVERIFY(matrix->button({3, 4})->toolTip().contains(QLatin1String("node3")));
        matrix->choosePermutations(4);
        QCOMPARE(m_page->spec().shapes, (QList<Shape>{{1, 4}, {2, 2}}));
        QTRY_VERIFY(m_start->isEnabled());
        const auto* preview = m_page->findChild<QPlainTextEdit*>(QStringLiteral("commandPreview"));
        QTRY_VERIFY(preview->toPlainText().contains(QLatin1String("node1, node2")));
        QSignalSpy spy(m_page.get(), &PlanPage::startRequested);
        m_start->click();
        const auto spec = spy.value(0).value(0).value<StudySpec>();
        QCOMPARE(spec.name, QStringLiteral("Image classification, desk, 1x4, 2x2 on lab"));
        QCOMPARE(spec.machine, QStringLiteral("lab"));
        matrix->setShapes({});
        Q_EMIT matrix->changed();
        m_page->start(); // looks at the plan at once
        QVERIFY(!m_start->isEnabled());
        QVERIFY(!m_page->field(QStringLiteral("shapes"))->message().isEmpty());
        // Back here: worker counts, no shapes.
        m_page->chooseTarget(localMachineName());
        QVERIFY(m_page->spec().shapes.isEmpty());
        QVERIFY(m_page->spec().machine.isEmpty());
        QVERIFY(m_start->isEnabled());
    }

    void remotePlansSurviveOpening()
    {
        useHosts(QStringLiteral("node[1-4]:8"));
        StudySpec spec;
        spec.machine = QStringLiteral("lab");
        spec.shapes = {{1, 8}, {2, 4}, {4, 2}};
        spec.order = QStringLiteral("random");
        spec.retries = 2;
        spec.options.overlap = true;
        spec.options.gradAccum = 2;
        m_page->setSpec(spec);
        QCOMPARE(m_page->spec(), spec);
    }

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
        m_page->start(); // as far as it can
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
        QVERIFY(m_page->save());
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
        QTRY_VERIFY(m_start->isEnabled());
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

    void whatIsNoValueIsSaidBesideTheField_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("said");
        QTest::newRow("seed") << QStringLiteral("seed") << QStringLiteral("-5")
                              << QStringLiteral("whole number");
        QTest::newRow("long seed") << QStringLiteral("seed") << QString(30, QLatin1Char('9'))
                                   << QStringLiteral("whole number");
        QTest::newRow("target word")
            << QStringLiteral("target") << QStringLiteral("ninety") << QStringLiteral("per cent");
        QTest::newRow("target 200")
            << QStringLiteral("target") << QStringLiteral("200") << QStringLiteral("100 %");
        QTest::newRow("rate") << QStringLiteral("learning_rate") << QStringLiteral("fast")
                              << QStringLiteral("number");
    }

    void whatIsNoValueIsSaidBesideTheField()
    {
        QFETCH(QString, field);
        QFETCH(QString, typed);
        QFETCH(QString, said);
        QWidget* control = m_page->field(field)->control();
        auto* edit = qobject_cast<QLineEdit*>(control);
        if (!edit)
            edit = control->findChild<QLineEdit*>();
        QVERIFY(edit);
        edit->setText(typed);
        m_page->start();
        QVERIFY(!m_start->isEnabled());
        QVERIFY2(m_page->field(field)->message().contains(said),
                 qPrintable(m_page->field(field)->message()));
        edit->setText(field == QLatin1String("seed") ? QStringLiteral("1") : QString());
        QTRY_VERIFY(m_start->isEnabled());
        QCOMPARE(m_page->spec(), StudySpec());
    }

    void theWheelScrollsThePage()
    {
        m_page->resize(1100, 700);
        m_page->show();
        QSpinBox* epochs = spin(QStringLiteral("epochs"));
        QWheelEvent wheel(QPointF(5, 5), epochs->mapToGlobal(QPointF(5, 5)), {}, {0, 120},
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(epochs, &wheel);
        QCOMPARE(epochs->value(), 0);
        QVERIFY(!wheel.isAccepted());
    }

    void whatDoesNotApplyIsNotOffered()
    {
        const auto offered = [this](const QString& field, const QString& value) {
            return qobject_cast<QComboBox*>(m_page->field(field)->control())->findData(value) >= 0;
        };
        const auto visible = [this](const QString& text) {
            const auto boxes = m_page->findChildren<QCheckBox*>();
            for (const QCheckBox* box : boxes) {
                if (box->text().contains(text))
                    return !box->isHidden();
            }
            return false;
        };
        QVERIFY(!offered(QStringLiteral("precisions"), QStringLiteral("fp16")));
        QVERIFY(!offered(QStringLiteral("options.allreduce"), QStringLiteral("nccl")));
        QVERIFY(offered(QStringLiteral("options.allreduce"), QStringLiteral("shm")));
        QVERIFY(visible(QStringLiteral("batch norm")));
        QVERIFY(!visible(QStringLiteral("Pack sequences")));
        QVERIFY(!visible(QStringLiteral("CUDA graphs")));
        StudySpec spec;
        spec.device = QStringLiteral("cuda");
        spec.workload = QStringLiteral("transformer");
        m_page->setSpec(spec);
        QVERIFY(offered(QStringLiteral("precisions"), QStringLiteral("fp16")));
        QVERIFY(offered(QStringLiteral("options.allreduce"), QStringLiteral("nccl")));
        QVERIFY(!offered(QStringLiteral("options.allreduce"), QStringLiteral("shm")));
        QVERIFY(!visible(QStringLiteral("batch norm")));
        QVERIFY(visible(QStringLiteral("Pack sequences")));
        QVERIFY(visible(QStringLiteral("CUDA graphs")));
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
        m_page->start();
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
        m_page->setSpec(spec);
        auto* problems = m_page->findChild<PlanProblems*>();
        QVERIFY2(problems->text().contains(QLatin1String("Left out")),
                 qPrintable(problems->text()));
        QVERIFY(m_start->isEnabled());
    }

    void manyRunsAreChosenForTheirCommand()
    {
        StudySpec spec;
        spec.repeats = 50;
        m_page->setSpec(spec);
        auto* list = m_page->findChild<QListView*>(QStringLiteral("runList"));
        const auto* preview = m_page->findChild<QPlainTextEdit*>(QStringLiteral("commandPreview"));
        QVERIFY(!list->isHidden());
        QCOMPARE(list->model()->rowCount(), 100);
        const QModelIndex last = list->model()->index(99, 0);
        list->setCurrentIndex(last);
        QVERIFY(preview->toPlainText().contains(last.data().toString()));
        spec.repeats = 1;
        m_page->setSpec(spec);
        QVERIFY(list->isHidden());
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

    void timesComeFromRunsOfTheSameKind()
    {
        RunSummary past;
        past.workload = QStringLiteral("resnet");
        past.scale = QStringLiteral("desk");
        past.device = QStringLiteral("cpu");
        past.precision = QStringLiteral("fp32");
        past.globalBatch = 128;
        past.workers = 1;
        past.state = RunState::Completed;
        past.epochs = 1;
        past.timeToTrainS = 95;
        StudySpec spec;
        spec.workers = {1};
        spec.noTarget = true;
        spec.epochs = 10;
        const auto runs = planRuns(spec, machineWith(4), QStringLiteral("x"), QStringLiteral("d"));
        const TimeEstimate ten = estimateTime(runs.value(), {past});
        QVERIFY(ten.low <= 950 && 950 <= ten.high && ten.low > 700 && ten.high < 1300);
        RunSummary slower = past; // the range has both
        slower.timeToTrainS = 190;
        const TimeEstimate range = estimateTime(runs.value(), {past, slower});
        QVERIFY(range.low <= 950 && range.high >= 1900);
        RunSummary bf16 = past; // another kind counts only where there is none of its own
        bf16.precision = QStringLiteral("bf16");
        bf16.timeToTrainS = 10'000;
        QCOMPARE(estimateTime(runs.value(), {past, bf16}).high, ten.high);
        // A target that was reached after two of ten epochs.
        spec.noTarget = false;
        spec.target = 0.5;
        past.target = 0.5;
        past.quality = 0.6;
        past.epochs = 2;
        past.timeToTrainS = 190;
        const auto aimed = planRuns(spec, machineWith(4), QStringLiteral("x"), QStringLiteral("d"));
        QVERIFY(estimateTime(aimed.value(), {past}).high < 300);
        QCOMPARE(estimateTime(aimed.value(), {}).unknown, 1);
    }

    void unknownMachineIsSaidBesideTheChoice()
    {
        StudySpec spec;
        spec.machine = QStringLiteral("gone");
        m_page->setSpec(spec);
        QVERIFY(!m_start->isEnabled());
        QVERIFY(
            m_page->field(QStringLiteral("machine"))->message().contains(QLatin1String("gone")));
        QCOMPARE(m_page->spec().machine, QStringLiteral("gone"));
        m_page->chooseTarget(localMachineName());
        QVERIFY(m_start->isEnabled());
    }

private:
    /// By the button, as a person does; empty values: those offered.
    void addSetting(const QString& path, const QString& values)
    {
        m_page->findChild<QToolButton*>(QStringLiteral("addDimension"))->click();
        auto* dialog = m_page->findChild<QDialog*>(QStringLiteral("dimensionDialog"));
        QVERIFY(dialog);
        const auto edits = dialog->findChildren<QLineEdit*>();
        edits[0]->setText(path);
        if (!values.isEmpty())
            edits[1]->setText(values);
        const auto buttons = dialog->findChildren<QPushButton*>();
        for (QPushButton* button : buttons)
            if (button->isDefault())
                QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!dialog->isVisible());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    static QStringList checkBoxes(const QWidget* dialog)
    {
        QStringList texts;
        const auto boxes = dialog->findChildren<QCheckBox*>();
        for (const QCheckBox* box : boxes)
            if (!box->isHidden())
                texts << box->text();
        return texts;
    }

    static QString visibleText(const QWidget* widget)
    {
        QStringList texts;
        const auto labels = widget->findChildren<QLabel*>();
        for (const QLabel* label : labels)
            if (!label->isHidden())
                texts << label->text();
        return texts.join(u' ');
    }

    static StudySpec severalWorkloads()
    {
        StudySpec spec;
        spec.name = QStringLiteral("Two");
        spec.precisions.clear();
        spec.settings.insert(QStringLiteral("options.overlap"), {true, false});
        WorkloadPlan resnet{QStringLiteral("resnet")};
        resnet.batchPolicy = QStringLiteral("table");
        resnet.batchTable = {{1, 32}, {2, 64}};
        resnet.settings.insert(QStringLiteral("optimizer.momentum"), {0.8, 0.9});
        WorkloadPlan ncf{QStringLiteral("ncf"), QStringLiteral("desk"),
                         QStringLiteral("generated")};
        ncf.precisions = {QStringLiteral("bf16")};
        ncf.globalBatch = 256;
        ncf.epochs = 3;
        ncf.target = 0.75;
        ncf.learningRate = 0.002;
        spec.workloads = {resnet, ncf};
        return spec;
    }

    WorkloadCard* card(const QString& id)
    {
        const auto cards = m_page->findChildren<WorkloadCard*>();
        for (WorkloadCard* found : cards)
            if (found->workloadId() == id)
                return found;
        return nullptr;
    }

    QSpinBox* spin(const QString& field)
    {
        QWidget* control = m_page->field(field)->control();
        auto* found = qobject_cast<QSpinBox*>(control);
        return found ? found : control->findChild<QSpinBox*>();
    }

    void useHosts(const QString& hosts)
    {
        TargetMachine lab;
        lab.name = QStringLiteral("lab");
        lab.kind = TargetMachine::Kind::Ssh;
        lab.hosts = hosts;
        m_page->setTargets({TargetMachine(), lab});
        m_page->chooseTarget(lab.name);
    }

    std::unique_ptr<PlanPage> m_page;
    QPushButton* m_start = nullptr;
};

QTEST_MAIN(PlanPageTest)
#include "plan_page_test.moc"
